"""A plain install works from any folder: everything that the program ships is in the wheel."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def run(*command: object, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run([*map(str, command)], cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.full
def test_installed_without_the_checkout(tmp_path: Path) -> None:
    """Build the wheel, install it into an environment of its own, show the main job from another folder."""
    wheels, elsewhere, home = (tmp_path / name for name in ("wheels", "elsewhere", "home"))
    elsewhere.mkdir()
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", wheels, ROOT, cwd=tmp_path)
    [wheel] = wheels.glob("ofclab-*.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    for folder, pattern in (
        (ROOT / "data" / "samples", "ingest/samples/"),
        (ROOT / "ingest" / "game" / "rules", "ingest/game/rules/"),
    ):
        assert {f"{pattern}{path.name}" for path in folder.iterdir()} <= inside
    run(sys.executable, "-m", "venv", "env", cwd=tmp_path)
    run(tmp_path / "env" / "bin" / "pip", "install", "-q", wheel, cwd=tmp_path)
    environment = {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "PATH": "/usr/bin:/bin"}
    shown = run(tmp_path / "env" / "bin" / "ofc", "demo", cwd=elsewhere, env=environment)
    assert "pineapple-progressive" in shown
    assert (home / "data" / "ofclab" / "ofc.duckdb").is_file()
    assert list(elsewhere.iterdir()) == []

"""The arrows between packages: dashboard -> analysis -> ingest -> ingest.game, never back."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("ingest", "analysis", "dashboard")
# Each part, and the parts that it may import besides itself.
ALLOWED = {
    "ingest.game": set(),
    "ingest": {"ingest.game"},
    "analysis": {"ingest", "ingest.game"},
    "dashboard": {"analysis", "ingest", "ingest.game"},
}


def part(module: str) -> str:
    return "ingest.game" if module == "ingest.game" or module.startswith("ingest.game.") else module.split(".")[0]


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: expected absolute imports"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def sources() -> list[Path]:
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_import_against_the_arrows(path: Path) -> None:
    here = part(".".join(path.relative_to(ROOT).with_suffix("").parts))
    ours = {part(module) for module in imports(path) if module.split(".")[0] in PACKAGES}
    assert ours - {here} <= ALLOWED[here]


def test_charts_and_boards_have_not_heard_of_streamlit() -> None:
    for name in ("charts.py", "boards.py"):
        assert not any(module.startswith("streamlit") for module in imports(ROOT / "dashboard" / name))


def test_nothing_more_at_the_top_level() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    top = {line.split("/")[0] for line in listed.stdout.splitlines()}
    visible = {name for name in top if not name.startswith(".")}
    assert visible == {"pyproject.toml", "README.md", "ingest", "analysis", "dashboard", "data", "tests"}


def test_the_root_command_imports_nothing_heavy() -> None:
    heavy = {"duckdb", "polars", "numba", "numpy", "streamlit", "plotly", "scipy", "pandas", "pyarrow"}
    code = f"import sys, dashboard.cli; print(sorted({heavy} & set(sys.modules)))"
    import sys

    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"

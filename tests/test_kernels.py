"""The cache of compiled code is keyed by the sources of all kernels."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

from ingest.game import kernels

ROOT = Path(__file__).resolve().parents[1]


def test_every_module_with_a_kernel_is_hashed() -> None:
    named = {path.relative_to(ROOT).as_posix() for path in kernels.kernel_sources()}
    assert {f"ingest/game/{name}.py" for name in ("strength", "pair", "score", "naturals", "settle")} <= named
    assert {"analysis/draws.py", "analysis/completions.py", "analysis/streets.py"} <= named


def test_a_changed_piece_in_another_file_is_never_served_stale(tmp_path: Path) -> None:
    """The case that numba's own cache gets wrong: the piece changes, its caller in another file does not."""
    package = tmp_path / "ingest"
    game = package / "game"
    game.mkdir(parents=True)
    for folder in (package, game):
        (folder / "__init__.py").write_text("")
    for name in ("kernels.py", "cards.py", "board.py", "errors.py"):
        (game / name).write_text((ROOT / "ingest" / "game" / name).read_text("utf-8"), "utf-8")
    (game / "caller.py").write_text(
        "from ingest.game.kernels import kernel\nfrom ingest.game.callee import worth\n"
        "@kernel\ndef total(n):\n    return n * worth()\n"
    )
    answers = []
    for value in (2, 3):
        (game / "callee.py").write_text(
            f"from ingest.game.kernels import kernel\n@kernel\ndef worth():\n    return {value}\n"
        )
        code = "from ingest.game.caller import total; print(total(10))"
        run = subprocess.run(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
            env={
                "PATH": "",
                "HOME": str(tmp_path),
                "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
                "PYTHONPATH": str(tmp_path),
            },
        )
        answers.append(run.stdout.strip())
    assert answers == ["20", "30"]


def test_work_is_spread_without_gaps() -> None:
    seen: list[tuple[int, int]] = []
    kernels.spread(1000, lambda start, stop: seen.append((start, stop)), least=1)
    seen.sort()
    assert seen[0][0] == 0
    assert seen[-1][1] == 1000
    assert all(a[1] == b[0] for a, b in pairwise(seen))

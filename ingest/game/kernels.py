"""The one decorator for compiled functions, and the one way to run them on several cores.

numba's on-disk cache does not notice that a callee in another file has changed, so the cache folder is named after a
hash of every source file that holds a kernel: changed code never meets old machine code.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE = Path(__file__).resolve().parents[1]
# Packages whose modules hold kernels; the second one imports this one, and lies beside it.
_PACKAGES = (_PACKAGE, _PACKAGE.with_name("analysis"))
# Plain modules whose constants kernels read as globals.
_CONSTANTS = ("game/cards.py", "game/board.py")


def kernel_sources() -> list[Path]:
    """Every source file whose text ends up in machine code, sorted."""
    files = {path for package in _PACKAGES for path in package.rglob("*.py") if b"kernels import" in path.read_bytes()}
    files.update(_PACKAGE / name for name in _CONSTANTS)
    return sorted(files)


def _sources_hash() -> str:
    digest = hashlib.blake2b(digest_size=8)
    for path in kernel_sources():
        digest.update(path.relative_to(_PACKAGE.parent).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _cache_folder() -> Path:
    """Where machine code is kept; a folder of this process's own where the user's cache is read-only."""
    root = Path(os.environ.get("NUMBA_CACHE_DIR") or user_cache_path("ofclab") / "kernels")
    folder = root / _sources_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix="ofclab-kernels-"))


CACHE_FOLDER = _cache_folder()
numba.config.CACHE_DIR = str(CACHE_FOLDER)  # type: ignore[attr-defined]


def kernel(function: F) -> F:
    """Compile a function over arrays; it releases the GIL, so threads run it side by side."""
    return cast(F, numba.njit(cache=True, nogil=True)(function))


def piece(function: F) -> F:
    """Compile a piece of a kernel, to be woven into its callers.

    Give it arrays and numbers, not tuples that hold arrays: taking an array out of a tuple counts a reference each
    time, and threads that count the same one slow each other down twenty times.
    """
    return cast(F, numba.njit(cache=True, nogil=True, forceinline=True)(function))


def is_warm() -> bool:
    """Whether machine code of this version is already on disk (else the first call compiles)."""
    return any(CACHE_FOLDER.rglob("*.nbi"))


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def spread(count: int, work: Callable[[int, int], None], *, least: int = 50_000) -> None:
    """Call `work(start, stop)` over 0..count in slices, on all cores where a slice has `least` items or more."""
    workers = min(cores(), max(1, count // least))
    if workers == 1:
        work(0, count)
        return
    edges = [count * i // workers for i in range(workers + 1)]
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(work, edges[:-1], edges[1:]))

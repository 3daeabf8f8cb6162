"""Following folders: whatever is added to them, or grows in them, is read soon after."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import watchfiles

from ingest.game.errors import OFCError
from ingest.lock import DatabaseBusy
from ingest.outcome import Outcome
from ingest.sources import is_log

# Changes within this time are read together.
DEBOUNCE_MS = 800
# How often to look whether to stop, or whether another process has done writing.
PAUSE_MS = 500


def follow(
    folders: list[Path],
    load: Callable[[list[str]], list[Outcome]],
    stop: Event,
    on_busy: Callable[[DatabaseBusy], None],
) -> Iterator[list[Outcome]]:
    """Read folders, and then what changes in them, until `stop` is set; the outcomes of each time.

    `load` reads paths. While another process writes the database, changes wait, and `on_busy` is told once.
    """
    for folder in folders:
        if not folder.is_dir():
            raise OFCError(f"expected a folder to follow, found none at {folder}")
    changes = watchfiles.watch(
        *folders, debounce=DEBOUNCE_MS, rust_timeout=PAUSE_MS, yield_on_timeout=True, stop_event=stop
    )
    # The watcher begins with the first look, so that nothing is missed while the folders are read.
    next(changes, None)
    waiting = {str(folder): None for folder in folders}
    told = False
    while True:
        if waiting:
            stamps = {path: _stamp(path) for path in waiting}
            try:
                outcomes = load(list(waiting))
            except DatabaseBusy as busy:
                if not told:
                    on_busy(busy)
                told = True
            else:
                # What was written while it was being read is read again: its change may have come too early.
                waiting, told = {path: None for path, stamp in stamps.items() if _stamp(path) != stamp}, False
                yield outcomes
        changed = next(changes, None)
        if changed is None:
            return
        waiting |= {
            path: None
            for change, path in sorted(changed)
            if change != watchfiles.Change.deleted and _is_wanted(Path(path), folders)
        }


def _stamp(path: str) -> tuple[int, int] | None:
    """What tells that a file was written to; None for a folder, whose files report themselves."""
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return (found.st_size, found.st_mtime_ns) if Path(path).is_file() else None


def _is_wanted(path: Path, folders: list[Path]) -> bool:
    return path.is_file() and any(
        is_log(path.relative_to(folder.absolute())) for folder in folders if path.is_relative_to(folder.absolute())
    )

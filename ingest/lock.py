"""One writer at a time: a lock file beside the database that the operating system frees even after a crash."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from ingest.game.errors import OFCError


class DatabaseBusy(OFCError):  # noqa: N818
    """Another process is writing the database."""

    exit_code = 4


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        # Far behind the number that is written at the start, which stays readable.
        os.lseek(handle, 1 << 20, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        os.lseek(handle, 0, os.SEEK_SET)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def busy(database: Path, process: str) -> DatabaseBusy:
    """The error that names who is writing."""
    return DatabaseBusy(f"expected to write {database}, database busy: process {process or 'unknown'} is writing")


@contextlib.contextmanager
def write_lock(database: Path) -> Iterator[None]:
    """Hold the lock of a database. Raises DatabaseBusy at once if another process holds it."""
    path = database.with_name(database.name + ".lock")
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise OFCError(f"expected to write beside {database}, got: {error.strerror}") from None
    try:
        try:
            _lock(handle)
        except OSError:
            raise busy(database, os.read(handle, 32).decode("ascii", "replace").strip()) from None
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(handle)

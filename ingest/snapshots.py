"""Published snapshots: whole copies of the database beside it, each under a name that is used once.

Readers open the newest one and never the work database, which belongs to its writer. ``current.json`` says which
file is the newest; it is replaced in one step, so a reader finds the old snapshot or the new one, never half of one.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.game.errors import OFCError
from ingest.schema import SCHEMA_VERSION

if TYPE_CHECKING:
    import duckdb

# Older ones may still be open somewhere; a reader that was about to open one finds it still there.
KEPT = 3
# What a DuckDB file holds from its ninth byte on.
_MAGIC = b"DUCK"
_NUMBER = re.compile(r"-(\d{6,})\.duckdb$")


class NoDatabase(OFCError):  # noqa: N818
    """There is no database yet, or nothing was published from it."""


class WrongSchema(OFCError):  # noqa: N818
    """The database was made by another version of the program."""

    exit_code = 5


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A published copy; `version` grows with every publication and never comes twice."""

    path: Path
    version: int


def snapshots_folder(database: Path) -> Path:
    """Where the snapshots of a database lie."""
    return database.with_name(database.name + ".snapshots")


def verify_place(database: Path) -> None:
    """Raise OFCError where something that is no DuckDB database stands in the place of one."""
    if not database.exists():
        return
    if not database.is_file():
        came = "a folder" if database.is_dir() else "something that is no file"
        raise OFCError(f"expected the file of a database, got {came}: {database}")
    try:
        with database.open("rb") as file:
            head = file.read(12)
    except OSError as error:
        raise OFCError(f"expected a database that can be read at {database}, got: {error.strerror}") from None
    if head[8:] != _MAGIC:
        came = f"a file that begins with {head!r}" if head else "an empty file"
        raise OFCError(f"expected a DuckDB database at {database}, got {came}")


def newest_snapshot(database: Path) -> Snapshot:
    """The newest published snapshot. Raises NoDatabase, and OFCError where `database` is something else."""
    folder = snapshots_folder(database)
    try:
        current = json.loads((folder / "current.json").read_text("utf-8"))
        found = Snapshot(folder / current["file"], int(current["version"]))
    except (OSError, ValueError, KeyError, TypeError):
        verify_place(database)
        raise NoDatabase(
            f"expected a database at {database}, found none; `ofc ingest` or `ofc demo` makes one"
        ) from None
    return found


def open_snapshot(database: Path) -> tuple[duckdb.DuckDBPyConnection, Snapshot]:
    """A read-only connection to the newest snapshot. Raises NoDatabase and WrongSchema."""
    import duckdb

    for _ in range(3):
        snapshot = newest_snapshot(database)
        # A publication may have swept this one away between the two lines.
        with contextlib.suppress(duckdb.IOException, OSError):
            connection = duckdb.connect(str(snapshot.path), read_only=True)
            verify_schema(connection, snapshot.path)
            return connection, snapshot
    raise NoDatabase(f"expected the snapshot {snapshot.path}, it cannot be opened; `ofc ingest` publishes a new one")


def verify_schema(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Raise WrongSchema unless the database is of this program's schema."""
    import duckdb

    try:
        [(version,)] = connection.execute("SELECT value FROM meta WHERE name = 'schema_version'").fetchall()
    except (duckdb.Error, ValueError):
        raise WrongSchema(f"expected a database of this program, {path} is another one") from None
    if int(version) != SCHEMA_VERSION:
        age = "a newer" if int(version) > SCHEMA_VERSION else "an older"
        raise WrongSchema(
            f"expected a database of schema {SCHEMA_VERSION}, {path} has schema {version} of {age} version of ofclab"
        )


def published_version(database: Path) -> int:
    """The version of the newest snapshot that can be opened, 0 if there is none."""
    try:
        newest = newest_snapshot(database)
    except NoDatabase:
        return 0
    return newest.version if newest.path.is_file() else 0


def next_version(database: Path, last_used: int) -> int:
    """A number that no snapshot had yet, neither by what the database remembers nor by what lies in the folder."""
    folder = snapshots_folder(database)
    numbers = [int(found[1]) for path in folder.glob("*.duckdb") if (found := _NUMBER.search(path.name))]
    with contextlib.suppress(NoDatabase):
        numbers.append(newest_snapshot(database).version)
    return max([last_used, *numbers]) + 1


def publish(database: Path, version: int) -> Snapshot:
    """Copy a closed database into a new snapshot and make it the current one. Raises OFCError if it cannot."""
    folder = snapshots_folder(database)
    target = folder / f"{database.stem}-{version:06d}.duckdb"
    unfinished = target.with_suffix(".part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(database, unfinished)
        _sync(unfinished)
        os.replace(unfinished, target)
        _point_at(folder, target.name, version)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise OFCError(f"expected to publish {target}, got: {error.strerror or error}") from None
    _sweep(folder, target)
    return Snapshot(target, version)


def _point_at(folder: Path, name: str, version: int) -> None:
    unfinished = folder / "current.part"
    published = datetime.now(UTC).isoformat(timespec="seconds")
    unfinished.write_text(json.dumps({"file": name, "version": version, "published_at": published}), "utf-8")
    _sync(unfinished)
    os.replace(unfinished, folder / "current.json")
    _sync(folder)


def _sweep(folder: Path, newest: Path) -> None:
    """Remove all but the last few snapshots; one that a system will not let go stays."""
    files = sorted(path for path in folder.glob("*.duckdb") if _NUMBER.search(path.name))
    for path in [*files[:-KEPT], *folder.glob("*.part")]:
        if path != newest:
            with contextlib.suppress(OSError):
                path.unlink()


def _sync(path: Path) -> None:
    """Wait until a file or folder is on the disk; not every system can do so for a folder."""
    with contextlib.suppress(PermissionError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

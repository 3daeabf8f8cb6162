"""Files that nothing could be read of, because they are empty, damaged or of no format that is known, and why.

Each has a row in `sources`, so that people see what became of it. It has neither hands nor records; so the row stands
for the file as it was last found, not for its content, and goes when the file, or the same content, can be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

import polars as pl

from ingest.keys import unread_key
from ingest.outcome import Outcome
from ingest.schema import SOURCES
from ingest.store import Store

EMPTY = "expected a log, got an empty file"
# What stands in place of a note that tells what came, where no text of a log may be kept.
WITHOUT_TEXT = "expected a log that can be read, got something else"


class Unread(NamedTuple):
    """A file that nothing could be read of: `sha256` is empty and `bytes` 0 where it could not even be unpacked."""

    name: str
    sha256: str
    bytes: int
    note: str


def unread(name: str, sha256: str, outcome: Outcome, *, with_text: bool) -> Unread | None:
    """The file, stored as `name`, of which this became, if nothing could be read of it; None if it could."""
    if outcome.note is None or outcome.format is not None:
        return None
    return Unread(name, sha256, outcome.bytes, outcome.note if with_text or outcome.note == EMPTY else WITHOUT_TEXT)


def known_unread(store: Store) -> dict[str, Unread]:
    """The files that nothing could be read of, by name."""
    rows = store.query("SELECT name, sha256, bytes, note FROM sources WHERE format = ''")
    return {name: Unread(name, *rest) for name, *rest in rows}


def write_unread(store: Store, found: Mapping[str, Unread | None]) -> None:
    """Store what was found under names, in place of what was found there before; None where it could be read."""
    now = datetime.now(UTC).replace(tzinfo=None)
    rows = [
        {"source_key": unread_key(name), "format": "", "parser": "", "read_to": 0, "ingested_at": now, **file._asdict()}
        for name, file in found.items()
        if file is not None
    ]
    with store.named(found=pl.DataFrame({"name": list(found)}, schema={"name": pl.String})):
        store.connection.execute("DELETE FROM sources WHERE format = '' AND name IN (SELECT name FROM found)")
    store.insert(SOURCES, pl.DataFrame(rows))

"""A source that is being read, and what is handed over to be written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ingest.chunk import Chunk, Entries
from ingest.formats import Format
from ingest.history import KnownSource
from ingest.outcome import Outcome
from ingest.rejects import Reject
from ingest.sources import Source
from ingest.unread import Unread


@dataclass
class Reading:
    """A source that is being read, and what is not yet written of it."""

    source: Source
    name: str
    key: int
    sha256: str
    size: int
    outcome: Outcome
    form: Format | None = None
    start: int = 0
    read_to: int = 0
    grown_from: KnownSource | None = None
    has_rows: bool = False
    records: int = 0
    rejects: list[Reject] = field(default_factory=list)

    def reject(self, reject: Reject) -> None:
        """Note a record that is no hand."""
        self.rejects.append(reject)
        self.records += 1

    def stop(self) -> None:
        """Forget what stands behind the last hands that were taken: the next run goes on there."""
        self.rejects = [reject for reject in self.rejects if reject.position < self.read_to]


class Delivery(NamedTuple):
    """What was read and is to be written at once: chunks, for each source its rejects and how far it was read, and for
    names of sources what nothing could be read of, None if it could."""

    chunks: list[tuple[Reading, Chunk]]
    ledgers: list[tuple[Reading, Entries]]
    sources: list[tuple[Reading, list[Reject], int]]
    unread: dict[str, Unread | None]

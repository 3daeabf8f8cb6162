"""What a reader yields: some records of one log, not yet columns.

Logs are often small, and columns cost the same for ten hands as for ten thousand; so the loader joins the chunks of
many logs before it makes columns of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

from ingest.batch import Batch, batch_of
from ingest.hand import Hand, LedgerEntry


class Bad(NamedTuple):
    """A record of a chunk, by its place in it, that turns out not to be a hand."""

    place: int
    reason: str
    message: str


class Chunk(Protocol):
    """Records of one kind; `raw` is the text of each, `end` the byte behind the last one."""

    raw: list[bytes]
    end: int

    def joined(self, others: Sequence[Self]) -> Self:
        """This chunk and others of its kind as one."""

    def columns(self) -> tuple[Batch, list[Bad]]:
        """All records as columns, also the bad ones, whose rows mean nothing."""


@dataclass(slots=True)
class Hands:
    """Records that are hands already: what formats yield where speed does not matter."""

    hands: list[Hand]
    raw: list[bytes]
    end: int

    def joined(self, others: Sequence[Hands]) -> Hands:
        """This chunk and others as one."""
        hands, raw = list(self.hands), list(self.raw)
        for other in others:
            hands += other.hands
            raw += other.raw
        return Hands(hands, raw, self.end)

    def columns(self) -> tuple[Batch, list[Bad]]:
        """All hands as columns."""
        return batch_of(self.hands), []


@dataclass(slots=True)
class Entries:
    """Results of sessions, which are no hands."""

    entries: list[LedgerEntry]
    raw: list[bytes]
    end: int

"""What became of the records of a source, and how far a run has come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ingest.rejects import Reject

COUNTS = ("stored", "duplicate", "partial", "skipped", "rejected", "mismatched")


@dataclass(eq=False)
class Outcome:
    """What became of one source in this run.

    `flags`: how many of the stored hands were flagged with what. `note`: why nothing was read; `failed`: that this is
    worth an exit code.
    """

    name: str
    format: str | None = None
    stored: int = 0
    duplicate: int = 0
    partial: int = 0
    skipped: int = 0
    rejected: int = 0
    bytes: int = 0
    note: str | None = None
    failed: bool = False
    flags: Counter[str] = field(default_factory=Counter)

    @property
    def mismatched(self) -> int:
        """Stored hands whose claimed points are not those of the played rules."""
        return self.flags["claimed_score_mismatch"]

    def count(self, reject: Reject) -> None:
        """Count a record that did not become a hand."""
        setattr(self, reject.outcome, getattr(self, reject.outcome) + 1)

    def repeat(self, first: Outcome) -> None:
        """Count a source of the same content as another one of this run: its hands are duplicates."""
        counts = {name: getattr(first, name) for name in ("partial", "skipped", "rejected")}
        self.count_again(first.format, {"hands": first.stored + first.duplicate} | counts)

    def count_again(self, form: str | None, counts: Mapping[str, int]) -> None:
        """Count what a source brought when it was first read, now that it comes again: its hands are duplicates."""
        self.format = form
        self.duplicate = counts.get("hands", 0)
        for name in ("partial", "skipped", "rejected"):
            setattr(self, name, counts.get(name, 0))


@dataclass
class Progress:
    """How far a run has come; `stopping`: it was interrupted and only writes what it has read."""

    files: int = 0
    hands: int = 0
    bytes: int = 0
    name: str = ""
    stopping: bool = False


def total(outcomes: Iterable[Outcome], name: str = "total") -> Outcome:
    """The sum of outcomes, under a name."""
    whole = Outcome(name)
    for outcome in outcomes:
        for count in ("stored", "duplicate", "partial", "skipped", "rejected", "bytes"):
            setattr(whole, count, getattr(whole, count) + getattr(outcome, count))
        whole.flags.update(outcome.flags)
    return whole

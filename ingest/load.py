"""Logs into the database: source -> format -> replay and checks -> rows and rejects.

Each hand ends as stored, duplicate, partial, skipped or rejected, and the counts say so for each source. Rows are
written in transactions of some ten thousand hands; a source's row says how far it was read, so an interrupted run
goes on there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np
import polars as pl
import zstandard

from ingest.batch import Batch
from ingest.enter import Keys, Prepared, enter, prepare
from ingest.evaluate import with_deals
from ingest.formats import Format, parser_name, recognise
from ingest.formats.options import ReadOptions
from ingest.game.errors import OFCError
from ingest.history import KnownSource, find_grown, find_source, forget, rename_source
from ingest.keys import hand_key, nameless_hand_key, source_key
from ingest.rejects import Reject
from ingest.replay import GAMES, reason_of, replay
from ingest.schema import REJECTS, SOURCES
from ingest.sessions import cut_sessions
from ingest.sources import Source, find_sources
from ingest.store import Store
from ingest.text import LogText

# Hands in one transaction.
FLUSH = 20_000


@dataclass
class Outcome:
    """What became of one source. `note`: why nothing was read; `failed`: that this is worth an exit code."""

    name: str
    format: str | None = None
    stored: int = 0
    duplicate: int = 0
    partial: int = 0
    skipped: int = 0
    rejected: int = 0
    mismatched: int = 0
    bytes: int = 0
    note: str | None = None
    failed: bool = False

    def count(self, reject: Reject) -> None:
        """Count a record that did not become a hand."""
        setattr(self, reject.outcome, getattr(self, reject.outcome) + 1)


@dataclass
class Progress:
    """How far a run has come."""

    files: int = 0
    hands: int = 0
    bytes: int = 0
    name: str = ""


@dataclass
class _Reading:
    """A source that is being read: what was read and not yet written."""

    source: Source
    key: int
    sha256: str
    size: int
    outcome: Outcome
    form: Format | None = None
    start: int = 0
    read_to: int = 0
    grown_from: KnownSource | None = None
    is_new: bool = True
    rejects: list[Reject] = field(default_factory=list)


class Loader:
    """Reads sources into a store; `on_progress` is called now and then."""

    def __init__(
        self, store: Store, options: ReadOptions, on_progress: Callable[[Progress], None] = lambda progress: None
    ) -> None:
        self.store = store
        self.options = options
        self.outcomes: list[Outcome] = []
        self._on_progress = on_progress
        self._progress = Progress()
        self._prepared: list[tuple[_Reading, Prepared]] = []
        self._readings: list[_Reading] = []
        self._waiting = 0

    def load(self, paths: Iterable[str]) -> list[Outcome]:
        """Read all sources under paths; one outcome for each, in the order of reading."""
        for source in find_sources(paths, self._problem):
            self._load_source(source)
        self._flush()
        if self.store.changed:
            with self.store.transaction():
                cut_sessions(self.store)
        return self.outcomes

    def _problem(self, name: str, sentence: str) -> None:
        self.outcomes.append(Outcome(name, note=sentence, failed=True))

    def _load_source(self, source: Source) -> None:
        outcome = Outcome(source.name)
        self.outcomes.append(outcome)
        try:
            sha256, size = source.sha256()
            outcome.bytes = size
            reading = _Reading(source, source_key(sha256), sha256, size, outcome)
            if size == 0:
                outcome.note, outcome.failed = "expected a log, got an empty file", source.asked
            elif self._is_to_be_read(reading):
                self._read(reading)
        except (OFCError, OSError) as error:
            outcome.note, outcome.failed = str(error), True
        self._progress.files += 1
        self._report(source.name)

    def _is_to_be_read(self, reading: _Reading) -> bool:
        """Whether a source holds anything new, and where reading begins."""
        known = find_source(self.store, reading.key)
        if known is not None:
            if known.finished:
                known.count_again(self.store, reading.outcome)
                return False
            reading.start, reading.is_new = known.read_to, False
        elif reading.source.plain:
            reading.grown_from = find_grown(self.store, reading.source, reading.size)
            if reading.grown_from:
                reading.start = reading.grown_from.read_to
        return True

    def _read(self, reading: _Reading) -> None:
        with reading.source.open() as stream:
            text = LogText(stream, reading.source.name)
            form, why = recognise(text.head)
            if form is None:
                reading.outcome.note, reading.outcome.failed = why, reading.source.asked
                return
            reading.form, reading.outcome.format = form, form.NAME
            if reading.start and form.RESUMES and text.plain:
                text = LogText(stream, reading.source.name, reading.start)
            else:
                reading.start = 0
            self._readings.append(reading)
            for batch in form.read(text, reading.rejects.append, self.options):
                self._take(reading, batch)
        cut = [reject.position for reject in reading.rejects if reject.outcome == "partial"]
        reading.read_to = min([reading.size, *cut])
        if not (reading.outcome.stored or self._has(reading) or reading.rejects):
            reading.outcome.note = f"expected hands in a {form.TITLE} log, found none"

    def _has(self, reading: _Reading) -> bool:
        return any(owner is reading for owner, _ in self._prepared) or reading.outcome.duplicate > 0

    def _take(self, reading: _Reading, batch: Batch) -> None:
        """Check a batch and keep it until enough hands wait."""
        batch = self._checked(reading, batch)
        reading.read_to = max(reading.read_to, batch.end)
        if len(batch):
            self._prepared.append((reading, prepare(reading.key, batch, keys_of(batch))))
        self._waiting += len(batch)
        self._progress.hands += len(batch)
        self._report(reading.source.name)
        if self._waiting >= FLUSH:
            self._flush()

    def _checked(self, reading: _Reading, batch: Batch) -> Batch:
        """The hands that pass the replay; the others become rejects."""
        dealt = with_deals(batch).hands
        games = dealt["game"].replace_strict(GAMES, default=0, return_dtype=pl.UInt8).to_numpy()
        found = replay(batch, games, dealt["decks"].to_numpy())
        if not found.codes.any():
            return batch
        for hand in np.flatnonzero(found.codes).tolist():
            reason, message = reason_of(found, hand)
            raw = batch.raw[hand] if batch.raw else b""
            reading.rejects.append(Reject(batch.hands["position"][hand], reason, message, raw))
        return batch.keep(found.codes == 0)

    def _report(self, name: str) -> None:
        self._progress.name = name
        self._on_progress(self._progress)

    def _flush(self) -> None:
        """Write what waits, all of it or nothing."""
        if not self._readings:
            return
        with self.store.transaction():
            for reading in self._readings:
                self._make_room(reading)
            if self._prepared:
                for (reading, _), entered in zip(
                    self._prepared, enter(self.store, [part for _, part in self._prepared]), strict=True
                ):
                    reading.outcome.stored += entered.stored
                    reading.outcome.duplicate += entered.duplicate
                    reading.outcome.mismatched += entered.mismatched
            for reading in self._readings:
                self._write_rejects(reading)
                self._write_source(reading)
        # The last one may still be read.
        self._readings = [reading for reading in self._readings[-1:] if reading.read_to < reading.size]
        self._prepared.clear()
        self._waiting = 0

    def _make_room(self, reading: _Reading) -> None:
        """Before the first rows of a source are written: take away what an earlier reading of it left."""
        if reading.grown_from is not None:
            rename_source(self.store, reading.grown_from.key, reading.key)
            reading.grown_from, reading.is_new = None, False
        if not reading.is_new:
            forget(self.store, reading.key, reading.start)
        reading.is_new = True

    def _write_rejects(self, reading: _Reading) -> None:
        rows = [
            (
                reading.key,
                reject.position,
                reject.outcome,
                reject.reason,
                reject.message,
                zstandard.compress(reject.raw),
            )
            for reject in reading.rejects
        ]
        for reject in reading.rejects:
            reading.outcome.count(reject)
        reading.rejects.clear()
        schema = {
            "source_key": pl.Int64, "position": pl.Int64, "outcome": pl.String, "reason": pl.String,
            "message": pl.String, "raw": pl.Binary,
        }  # fmt: skip
        self.store.insert(REJECTS, pl.DataFrame(rows, schema=schema, orient="row").unique(["position", "reason"]))

    def _write_source(self, reading: _Reading) -> None:
        self.store.connection.execute("DELETE FROM sources WHERE source_key = ?", [reading.key])
        row = {
            "source_key": reading.key,
            "name": reading.source.name,
            "sha256": reading.sha256,
            "bytes": reading.size,
            "format": reading.form.NAME if reading.form else None,
            "parser": parser_name(reading.form) if reading.form else None,
            "read_to": reading.read_to,
            "note": reading.outcome.note,
            "ingested_at": datetime.now(UTC).replace(tzinfo=None),
        }
        self.store.insert(SOURCES, pl.DataFrame([row]))


def keys_of(batch: Batch) -> Keys:
    """The key of each hand, (n,)."""
    keys = [
        0 if name is None else hand_key(site, name)
        for site, name in zip(batch.hands["site"], batch.hands["hand_id"], strict=True)
    ]
    nameless = batch.hands["hand_id"].is_null().to_numpy()
    if nameless.any():
        for place, hand in zip(np.flatnonzero(nameless).tolist(), batch.keep(nameless).to_hands(), strict=True):
            keys[place] = nameless_hand_key(hand)
    return np.array(keys, np.int64)


def total(outcomes: Iterable[Outcome], name: str = "total") -> Outcome:
    """The sum of outcomes, under a name."""
    whole = Outcome(name)
    for outcome in outcomes:
        for count in ("stored", "duplicate", "partial", "skipped", "rejected", "mismatched", "bytes"):
            setattr(whole, count, getattr(whole, count) + getattr(outcome, count))
    return whole

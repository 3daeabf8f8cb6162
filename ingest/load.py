"""Logs into the database: source -> format -> replay and checks -> rows and rejects.

Each hand ends as stored, duplicate, partial, skipped or rejected, and the counts say so for each source. Rows are
written in transactions of some ten thousand hands; a source's row says how far it was read, so an interrupted run
goes on there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from ingest.anonymise import Anonymiser, verify_names
from ingest.check import check, keys_of
from ingest.chunk import Chunk, Entries
from ingest.enter import Entered, enter, prepare
from ingest.formats import recognise
from ingest.formats.options import ReadOptions
from ingest.game.errors import OFCError
from ingest.history import KnownSources, forget, rename_source
from ingest.interrupts import Interrupts
from ingest.keys import source_key
from ingest.ledger import enter_ledger
from ingest.outcome import Outcome, Progress
from ingest.reading import Delivery, Reading
from ingest.rejects import Reject
from ingest.sessions import cut_sessions
from ingest.sources import Source, find_sources
from ingest.store import Store
from ingest.text import LogText
from ingest.unread import EMPTY, Unread, known_unread, unread, write_unread
from ingest.write import write_rejects, write_sources

# Hands in one transaction, and made columns of at once.
FLUSH = 20_000


class Loader:
    """Reads sources into a store; `on_progress` is called now and then.

    One thread reads while another writes what was read before. With `reparse`, sources that an older reader has read
    are read again, in place of what it found. `interrupted`: a first Ctrl-C of `interrupts` stopped it, and what was
    read until then was written.
    """

    def __init__(
        self,
        store: Store,
        options: ReadOptions,
        on_progress: Callable[[Progress], None] = lambda progress: None,
        *,
        anonymiser: Anonymiser | None = None,
        reparse: bool = False,
        interrupts: Interrupts | None = None,
    ) -> None:
        verify_names(store, anonymiser)
        self.store = store
        self.options = options
        self._anonymiser = anonymiser
        self._reparse = reparse
        self._interrupts = interrupts or Interrupts()
        self.outcomes: list[Outcome] = []
        self._known = KnownSources(store)
        self._known_unread = known_unread(store)
        self._on_progress = on_progress
        self._progress = Progress()
        self._chunks: list[tuple[Reading, Chunk]] = []
        self._ledgers: list[tuple[Reading, Entries]] = []
        self._readings: list[Reading] = []
        self._unread: dict[str, Unread | None] = {}
        self._seen: dict[int, Outcome] = {}
        self._copies: list[tuple[Outcome, Outcome]] = []
        self._waiting = 0
        self._bytes_done = 0
        self._writing: Future[None] | None = None
        self.interrupted = False

    def load(self, paths: Iterable[str]) -> list[Outcome]:
        """Read all sources under paths; one outcome for each, in the order of reading.

        Raises KeyboardInterrupt at a second Ctrl-C; what is not written by then is not written at all.
        """
        with ThreadPoolExecutor(1) as self._writer:
            try:
                self._read_all(paths)
                self._hand_over()
                self._wait()
            except KeyboardInterrupt:
                self._stop_writing()
                raise
        for first, copy in self._copies:
            copy.repeat(first)
        if self.store.changed:
            with self.store.transaction():
                cut_sessions(self.store)
        return self.outcomes

    def _read_all(self, paths: Iterable[str]) -> None:
        """Read all sources under paths, or until a first Ctrl-C."""
        try:
            for source in self._interrupts.each(find_sources(paths, self._problem)):
                self._load_source(source)
        except KeyboardInterrupt:
            if self._interrupts.count > 1:
                raise
            self.interrupted = True
            self._say_that_it_stops()

    def _say_that_it_stops(self) -> None:
        self._progress.stopping = True
        self._report(self._progress.name, self._progress.bytes)

    def _problem(self, name: str, sentence: str) -> None:
        self.outcomes.append(Outcome(name, note=sentence, failed=True))
        # A mistyped path, or a folder, is nothing that was read.
        if Path(name).is_file():
            self._look_back(self._stored_name(name), "", self.outcomes[-1])

    def _stored_name(self, name: str) -> str:
        # The bytes of a file's name need not be text, those in the database must.
        return self._anonymiser.source(name) if self._anonymiser else name.encode("utf-8", "backslashreplace").decode()

    def _look_back(self, name: str, sha256: str, outcome: Outcome) -> None:
        """Note whether anything could be read of a source, where that is news."""
        found = unread(name, sha256, outcome, with_text=self._anonymiser is None)
        if found != self._known_unread.get(name):
            self._unread[name] = found

    def _load_source(self, source: Source) -> None:
        outcome = Outcome(source.name)
        self.outcomes.append(outcome)
        name, sha256 = self._stored_name(source.name), ""
        try:
            with self._interrupts.broken_off():
                sha256, size = source.sha256()
                outcome.bytes = size
                reading = Reading(source, name, source_key(sha256), sha256, size, outcome)
                is_new = size > 0 and self._is_to_be_read(reading)
            if size == 0:
                outcome.note, outcome.failed = EMPTY, source.asked
            elif is_new:
                self._read(reading)
        except (OFCError, OSError) as error:
            outcome.note, outcome.failed = str(error), True
        self._look_back(name, sha256, outcome)
        self._progress.files += 1
        self._bytes_done += outcome.bytes
        self._report(source.name, self._bytes_done)

    def _is_to_be_read(self, reading: Reading) -> bool:
        """Whether a source holds anything new, and where reading begins."""
        first = self._seen.setdefault(reading.key, reading.outcome)
        if first is not reading.outcome:
            self._copies.append((first, reading.outcome))
            return False
        known = self._known.find(reading.key)
        if known is not None:
            reading.has_rows = True
            if self._reparse and known.is_outdated:
                return True
            reading.start = known.read_to
            if known.is_finished:
                reading.outcome.count_again(known.format, known.counts)
            return not known.is_finished
        if reading.source.plain:
            reading.grown_from = self._known.find_grown(reading.source, reading.name, reading.size)
            if reading.grown_from:
                reading.start = reading.grown_from.read_to
        return True

    def _read(self, reading: Reading) -> None:
        with reading.source.open() as stream:
            text = LogText(stream, reading.source.name)
            form, why = recognise(text.head, self.options)
            if form is None:
                reading.outcome.note, reading.outcome.failed = why, reading.source.asked
                # A copy of it is no duplicate of anything.
                del self._seen[reading.key]
                return
            reading.form, reading.outcome.format = form, form.NAME
            if reading.start and form.RESUMES and text.plain:
                text = LogText(stream, reading.source.name, reading.start)
            else:
                reading.start = 0
            reading.read_to = reading.start
            self._readings.append(reading)
            try:
                for chunk in self._interrupts.each(form.read(text, reading.reject, self.options)):
                    self._take(reading, chunk)
            except KeyboardInterrupt:
                self._stop_reading(reading)
                raise
        cut = [reject.position for reject in reading.rejects if reject.outcome == "partial"]
        reading.read_to = min([reading.size, *cut])
        if not reading.records and not reading.start:
            reading.outcome.note = f"expected hands in a {form.TITLE} log, found none"

    def _stop_reading(self, reading: Reading) -> None:
        """Of a source that is not read to its end, keep what is whole."""
        reading.stop()
        if reading.read_to == reading.start:
            # Nothing was taken: what an earlier run read of it must not make room for nothing.
            self._readings.pop()

    def _take(self, reading: Reading, chunk: Chunk | Entries) -> None:
        """Keep a chunk until enough hands wait."""
        if isinstance(chunk, Entries):
            self._ledgers.append((reading, chunk))
        else:
            self._chunks.append((reading, chunk))
        reading.read_to = max(reading.read_to, chunk.end)
        reading.records += len(chunk.raw)
        self._waiting += len(chunk.raw)
        self._progress.hands += len(chunk.raw)
        self._report(reading.source.name, self._bytes_done + chunk.end)
        if self._waiting >= FLUSH:
            self._hand_over()

    def _report(self, name: str, size: int) -> None:
        self._progress.name = name
        self._progress.bytes = size
        self._on_progress(self._progress)

    def _hand_over(self) -> None:
        """Let the other thread write what waits, once it is done with what came before."""
        self._wait()
        sources = [(reading, reading.rejects, reading.read_to) for reading in self._readings]
        for reading in self._readings:
            reading.rejects = []
        self._writing = self._writer.submit(self._write, Delivery(self._chunks, self._ledgers, sources, self._unread))
        # The last source may still be read.
        self._readings = self._readings[-1:]
        self._chunks, self._ledgers, self._unread = [], [], {}
        self._waiting = 0

    def _wait(self) -> None:
        if self._writing is not None:
            # Who interrupts while everything waits for the disk must be told, or he does it again.
            while not wait([self._writing], timeout=0.1).done:
                if self._interrupts.count and not self._progress.stopping:
                    self._say_that_it_stops()
            self._writing.result()
            self._writing = None

    def _stop_writing(self) -> None:
        """Break off what the other thread is writing: the transaction is taken back."""
        while self._writing is not None and not self._writing.done():
            # This stops one query; the thread may be between two of them.
            self.store.connection.interrupt()
            wait([self._writing], timeout=0.05)

    def _write(self, delivery: Delivery) -> None:
        """Write a delivery, all of it or nothing."""
        if not (delivery.sources or delivery.unread):
            return
        with self.store.transaction():
            for reading, _, _ in delivery.sources:
                self._make_room(reading)
            for kind in dict.fromkeys(type(chunk) for _, chunk in delivery.chunks):
                self._enter([(reading, chunk) for reading, chunk in delivery.chunks if type(chunk) is kind], delivery)
            for reading, ledger in delivery.ledgers:
                entries = ledger.entries
                if self._anonymiser:
                    entries = [self._anonymiser.entry(entry) for entry in entries]
                stored, known = enter_ledger(self.store, reading.key, entries)
                reading.outcome.stored += stored
                reading.outcome.duplicate += known
            rejected = [(reading.key, rejects) for reading, rejects, _ in delivery.sources]
            write_rejects(self.store, rejected, with_text=self._anonymiser is None)
            read_to = [(reading, read_to) for reading, _, read_to in delivery.sources]
            write_sources(self.store, read_to, with_text=self._anonymiser is None)
            write_unread(self.store, delivery.unread)
        for reading, rejects, _ in delivery.sources:
            for reject in rejects:
                reading.outcome.count(reject)

    def _make_room(self, reading: Reading) -> None:
        """Before the first rows of a source are written: take away what an earlier reading of it left."""
        if reading.grown_from is not None:
            rename_source(self.store, reading.grown_from.key, reading.key)
            reading.grown_from, reading.has_rows = None, True
        if reading.has_rows:
            forget(self.store, reading.key, reading.start)
            reading.has_rows = False

    def _enter(self, waiting: list[tuple[Reading, Chunk]], delivery: Delivery) -> None:
        """Check hands and enter those that pass; the others become rejects."""
        chunk = waiting[0][1].joined([chunk for _, chunk in waiting[1:]])
        owners = np.repeat(np.arange(len(waiting)), [len(part.raw) for _, part in waiting])
        rejects = {reading.key: rejects for reading, rejects, _ in delivery.sources}
        checked = check(chunk)
        for place, reason, message in checked.bad:
            reject = Reject(checked.positions[place], reason, message, chunk.raw[place])
            rejects[waiting[owners[place]][0].key].append(reject)
        owners = owners[checked.kept]
        if not len(owners):
            return
        source_keys = np.array([reading.key for reading, _ in waiting], np.int64)[owners]
        batch = self._anonymiser.batch(checked.batch) if self._anonymiser else checked.batch
        entered = enter(self.store, prepare(batch, source_keys, keys_of(batch)))
        _count([reading.outcome for reading, _ in waiting], owners, entered)


def _count(outcomes: list[Outcome], owners: npt.NDArray[np.int64], entered: Entered) -> None:
    """Add what became of records to the outcomes of their sources."""
    records, stored = (
        np.bincount(owners, weights, len(outcomes)).astype(int).tolist() for weights in (None, entered.stored)
    )
    for number, outcome in enumerate(outcomes):
        outcome.stored += stored[number]
        outcome.duplicate += records[number] - stored[number]
    flagged = pl.DataFrame({"owner": owners, "flag": entered.flags}).filter(pl.Series(entered.stored)).explode("flag")
    for number, flag, count in flagged.drop_nulls().group_by("owner", "flag").len().iter_rows():
        outcomes[number].flags[flag] += count

"""Reading again what is in the database already: rejected records, and files that an older reader has read."""

from __future__ import annotations

import io
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
import zstandard

from ingest.anonymise import Anonymiser, verify_names
from ingest.batch import Batch
from ingest.check import check, keys_of
from ingest.chunk import Chunk, Entries
from ingest.enter import enter, prepare
from ingest.formats import find_format
from ingest.formats.options import ReadOptions
from ingest.game.errors import OFCError
from ingest.history import KnownSources
from ingest.ledger import enter_ledger
from ingest.outcome import Outcome
from ingest.rejects import Reject
from ingest.sessions import cut_sessions
from ingest.store import Store
from ingest.text import LogText


class _Rejected(NamedTuple):
    """A rejected record as the database keeps it, with the source that it came from."""

    source_key: int
    position: int
    reason: str
    raw: bytes
    name: str
    format: str


def retry_rejects(store: Store, options: ReadOptions, anonymiser: Anonymiser | None = None) -> list[Outcome]:
    """Read all rejected records again; one outcome for each source: stored or duplicate now, or still rejected."""
    verify_names(store, anonymiser)
    rows = store.query(
        "SELECT source_key, position, reason, raw, name, format FROM rejects JOIN sources USING (source_key) "
        "WHERE outcome <> 'partial' AND raw IS NOT NULL ORDER BY name, position"
    )
    records = [_Rejected(*row) for row in rows]
    outcomes = {record.source_key: Outcome(record.name, record.format) for record in records}
    readable: dict[type, list[tuple[_Rejected, Chunk]]] = defaultdict(list)
    with store.transaction():
        for record in records:
            chunk = _read(record, options)
            if isinstance(chunk, Entries):
                _enter_entries(store, record, chunk, outcomes[record.source_key])
            elif chunk is not None:
                readable[type(chunk)].append((record, chunk))
        for waiting in readable.values():
            _enter_hands(store, waiting, outcomes, anonymiser)
        cut_sessions(store)
    for source, count in store.query("SELECT source_key, count(*) FROM rejects GROUP BY source_key"):
        if source in outcomes:
            outcomes[source].rejected = count
    return list(outcomes.values())


def _read(record: _Rejected, options: ReadOptions) -> Chunk | Entries | None:
    """What a record is read as now, None if it still cannot be read."""
    problems: list[Reject] = []
    text = LogText(io.BytesIO(zstandard.decompress(record.raw)), record.name)
    text.position = record.position
    try:
        chunks = list(find_format(record.format).read(text, problems.append, options))
    except OFCError:
        return None
    return chunks[0] if len(chunks) == 1 and len(chunks[0].raw) == 1 and not problems else None


def _enter_entries(store: Store, record: _Rejected, chunk: Entries, outcome: Outcome) -> None:
    _remove(store, [record])
    stored, known = enter_ledger(store, record.source_key, chunk.entries)
    outcome.stored += stored
    outcome.duplicate += known


def _enter_hands(
    store: Store,
    waiting: list[tuple[_Rejected, Chunk]],
    outcomes: dict[int, Outcome],
    anonymiser: Anonymiser | None,
) -> None:
    records = [record for record, _ in waiting]
    checked = check(waiting[0][1].joined([chunk for _, chunk in waiting[1:]]))
    good = [record for record, kept in zip(records, checked.kept, strict=True) if kept]
    if not good:
        return
    _remove(store, good)
    batch = anonymiser.batch(checked.batch) if anonymiser else checked.batch
    # A record stays where it was found, whatever its reader makes of the text that stands before it.
    positions = pl.Series([record.position for record in good], dtype=pl.Int64)
    batch = Batch(batch.hands.with_columns(position=positions), batch.seats, batch.actions)
    source_keys = np.array([record.source_key for record in good], np.int64)
    entered = enter(store, prepare(batch, source_keys, keys_of(batch)))
    for record, stored, flags in zip(good, entered.stored, entered.flags, strict=True):
        outcome = outcomes[record.source_key]
        outcome.stored += int(stored)
        outcome.duplicate += int(not stored)
        outcome.flags.update(flags if stored else [])


def _remove(store: Store, records: list[_Rejected]) -> None:
    for record in records:
        store.connection.execute(
            "DELETE FROM rejects WHERE source_key = ? AND position = ? AND reason = ?",
            [record.source_key, record.position, record.reason],
        )


def outdated_files(store: Store) -> tuple[list[str], list[Outcome]]:
    """The files that an older reader has read, and the sources among them that are not there to be read again."""
    found: dict[str, None] = {}
    missing = []
    for known in KnownSources(store).all():
        if known.is_outdated:
            path = _file_of(known.name)
            if path is not None:
                found[path] = None
            elif known.format != "simulated":
                note = f"expected the file to read it again; its hands stay as {known.parser} has read them"
                missing.append(Outcome(known.name, known.format, note=note))
    return list(found), missing


def _file_of(name: str) -> str | None:
    """The file that a source was read from: itself, or the archive that it is a member of."""
    for path in (Path(name), *Path(name).parents):
        if path.is_file():
            return str(path)
    return None

"""Entering results of sessions: each once, however many ledgers have it, but equal lines of one ledger are several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC
from typing import Any

import polars as pl

from ingest.batch import MONEY, TIME, json_text
from ingest.hand import LedgerEntry
from ingest.keys import make_key
from ingest.schema import LEDGER_RECORDS
from ingest.store import Store

_TYPES: dict[str, Any] = {
    "ledger_key": pl.Int64,
    "source_key": pl.Int64,
    "position": pl.Int64,
    "site": pl.String,
    "player": pl.String,
    "played_at": TIME,
    "source_zone": pl.String,
    "rules": pl.String,
    "point_value": MONEY,
    "currency": pl.String,
    "hands": pl.Int32,
    "points": pl.Decimal(18, 2),
    "net": MONEY,
    "rake": MONEY,
    "notes": pl.String,
    "extra": pl.String,
}


def enter_ledger(store: Store, source_key: int, entries: Sequence[LedgerEntry]) -> tuple[int, int]:
    """Enter the entries of one source; how many are new, and how many other sources had."""
    seen: Counter[str] = Counter()
    rows = []
    for entry in entries:
        told = _told(entry)
        rows.append((make_key("session result", told, str(seen[told])), source_key, *_row(entry)))
        seen[told] += 1
    frame = pl.DataFrame(rows, schema=_TYPES, orient="row")
    with store.named(incoming=frame):
        [(known,)] = store.query(
            "SELECT count(*) FROM incoming WHERE ledger_key IN (SELECT ledger_key FROM ledger_records)"
        )
    store.insert(LEDGER_RECORDS, frame)
    return len(rows) - known, known


def _told(entry: LedgerEntry) -> str:
    """What an entry says, as one text."""
    _, *told = _row(entry)
    return "\0".join(str(value.normalize() if hasattr(value, "normalize") else value) for value in told)


def _row(entry: LedgerEntry) -> tuple[object, ...]:
    return (
        entry.position,
        entry.site,
        entry.player,
        entry.played_at and entry.played_at.astimezone(UTC).replace(tzinfo=None),
        entry.source_zone,
        entry.rules,
        entry.point_value,
        entry.currency,
        entry.hands,
        entry.points,
        entry.net,
        entry.rake,
        entry.notes,
        json_text(entry.extra),
    )

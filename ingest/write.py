"""Rows of sources and of the records that did not become hands."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import polars as pl
import zstandard

from ingest.formats import parser_name
from ingest.reading import Reading
from ingest.rejects import REASONS, Reject
from ingest.schema import REJECTS, SOURCES
from ingest.store import Store
from ingest.unread import WITHOUT_TEXT

_REJECT_TYPES = {
    "source_key": pl.Int64,
    "position": pl.Int64,
    "outcome": pl.String,
    "reason": pl.String,
    "message": pl.String,
    "raw": pl.Binary,
}


def write_rejects(store: Store, rejects: Sequence[tuple[int, list[Reject]]], *, with_text: bool = True) -> None:
    """Store rejected records of sources, by the key of each source; without texts, no name gets in with them."""
    rows = [
        (
            key,
            reject.position,
            reject.outcome,
            reject.reason,
            reject.message if with_text else REASONS[reject.reason],
            zstandard.compress(reject.raw) if with_text else None,
        )
        for key, records in rejects
        for reject in records
    ]
    store.insert(REJECTS, pl.DataFrame(rows, schema=_REJECT_TYPES, orient="row").unique(REJECTS.key))


def write_sources(store: Store, readings: Sequence[tuple[Reading, int]], *, with_text: bool = True) -> None:
    """Store how far sources were read, in bytes, in place of what was stored of them or of the same content before."""
    if not readings:
        return
    now = datetime.now(UTC).replace(tzinfo=None)
    rows = pl.DataFrame(
        [
            {
                "source_key": reading.key,
                "name": reading.name,
                "sha256": reading.sha256,
                "bytes": reading.size,
                "format": reading.form.NAME if reading.form else None,
                "parser": parser_name(reading.form) if reading.form else None,
                "read_to": read_to,
                "note": reading.outcome.note if with_text or not reading.outcome.failed else WITHOUT_TEXT,
                "ingested_at": now,
            }
            for reading, read_to in readings
        ],
        infer_schema_length=None,
    )
    with store.named(read=rows):
        store.connection.execute(
            "DELETE FROM sources WHERE source_key IN (SELECT source_key FROM read) "
            "OR (format = '' AND sha256 IN (SELECT sha256 FROM read))"
        )
    store.insert(SOURCES, rows)

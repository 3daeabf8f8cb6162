"""What became of everything that was read: counts by source, and the records that did not become hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl
import zstandard

from analysis.tables import rejects, sources
from ingest.rejects import REASONS

if TYPE_CHECKING:
    import duckdb

# What may become of a record, as the column of `sources` and in words.
OUTCOMES = {
    "stored": "stored: a new hand, complete or not",
    "duplicate": "seen before, in this file or another; counted once",
    "partial": "the file ends in mid-hand; a later run completes it",
    "skipped": "left out on purpose: not a hand of this game",
    "rejected": "could not be read; kept with its reason",
    "mismatched": "of the stored: the source states other points than its rules give",
}
_LONGEST_TEXT = 20_000


@dataclass(frozen=True)
class Imports:
    """Counts over all sources, the sources one by one, and the first records that did not become hands."""

    files: int
    totals: dict[str, int]
    sources: pl.DataFrame  # file, format, stored .. mismatched, ledger_entries, bytes, ingested_at, note, folder
    rejects: pl.DataFrame  # file, position, outcome, reason, meaning, message, raw, source (the file with its folder)
    lost: int  # how many rejects there are in all


def load_imports(con: duckdb.DuckDBPyConnection, limit: int = 1000) -> Imports:
    """The accounts of every file that was read."""
    found = sources(con)
    totals = {name: int(found[name].sum()) for name in OUTCOMES}
    kept = rejects(con, limit).with_columns(pl.col("reason").replace(REASONS).alias("meaning"))
    return Imports(
        files=len(found),
        totals=totals,
        sources=found.select(
            _file("name"), "format", *OUTCOMES, "ledger_entries", "bytes", "ingested_at", "note", _folder("name")
        ),
        rejects=kept.select(_file("source"), "position", "outcome", "reason", "meaning", "message", "raw", "source"),
        lost=totals["partial"] + totals["skipped"] + totals["rejected"],
    )


def _file(name: str) -> pl.Expr:
    """A source without its folder."""
    return pl.col(name).str.extract(r"([^/\\]+)$").fill_null(pl.col(name)).alias("file")


def _folder(name: str) -> pl.Expr:
    return pl.col(name).str.extract(r"^(.*)[/\\]").fill_null("").alias("folder")


def raw_text(packed: bytes | None) -> str:
    """The text of a reject as it stood in its file, cut after some 20,000 characters; empty where it was not kept."""
    if packed is None:
        return ""
    text = zstandard.ZstdDecompressor().decompressobj().decompress(packed).decode("utf-8", "replace")
    return text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + " ..."

"""What the database remembers of sources: known ones, grown ones, and how to take back what one brought."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from ingest.enter import delete_hands, delete_views, make_again, mark_duplicates, stored_views
from ingest.sources import Source
from ingest.store import Store


@dataclass(frozen=True, slots=True)
class KnownSource:
    """A source as the database knows it."""

    key: int
    name: str
    sha256: str
    bytes: int
    format: str | None
    parser: str | None
    read_to: int

    @property
    def finished(self) -> bool:
        """Whether it was read to its end."""
        return self.read_to >= self.bytes

    def count_again(self, store: Store, outcome: Any) -> None:
        """Count what a source brought when it was read, now that it comes again: its hands are duplicates."""
        outcome.format = self.format
        [(outcome.duplicate,)] = store.query("SELECT count(*) FROM hand_sources WHERE source_key = ?", [self.key])
        for name, count in store.query(
            "SELECT outcome, count(*) FROM rejects WHERE source_key = ? GROUP BY outcome", [self.key]
        ):
            setattr(outcome, name, count)


_COLUMNS = "source_key, name, sha256, bytes, format, parser, read_to"


def find_source(store: Store, key: int) -> KnownSource | None:
    """The source of that key, None if it was never read."""
    rows = store.query(f"SELECT {_COLUMNS} FROM sources WHERE source_key = ?", [key])
    return KnownSource(*rows[0]) if rows else None


def find_grown(store: Store, source: Source, size: int) -> KnownSource | None:
    """What a file was when it was read last, if it has only grown since."""
    rows = store.query(
        f"SELECT {_COLUMNS} FROM sources WHERE name = ? AND bytes < ? ORDER BY bytes DESC", [source.name, size]
    )
    for row in rows:
        known = KnownSource(*row)
        if known.bytes and source.sha256(known.bytes)[0] == known.sha256:
            return known
    return None


def rename_source(store: Store, old: int, new: int) -> None:
    """Give what one source brought to another; the old one is no more."""
    for table in ("hand_sources", "rejects", "ledger"):
        store.connection.execute(f"UPDATE {table} SET source_key = ? WHERE source_key = ?", [new, old])
    store.connection.execute("DELETE FROM sources WHERE source_key = ?", [old])


def forget(store: Store, source: int, start: int = 0) -> None:
    """Take back what a source brought from byte `start` on: hands that no other source holds are deleted, hands that
    others hold too are made again from what those say."""
    rows = store.frame(f"SELECT hand_key, view FROM hand_sources WHERE source_key = {source} AND position >= {start}")
    known = store.frame("SELECT DISTINCT hand_key, view FROM hand_sources").join(
        rows.select("hand_key").unique(), on="hand_key", how="semi"
    )
    for table in ("hand_sources", "rejects", "ledger"):
        store.connection.execute(f"DELETE FROM {table} WHERE source_key = ? AND position >= ?", [source, start])
    if rows.is_empty():
        return
    touched = rows["hand_key"].unique()
    with store.named(touched=touched.to_frame()):
        left = store.frame("SELECT DISTINCT hand_key, view FROM hand_sources SEMI JOIN touched USING (hand_key)")
    kept = set(left["hand_key"])
    gone = [key for key in touched if key not in kept]
    delete_hands(store, gone)
    delete_views(store, gone)
    lost = known.join(left, on=["hand_key", "view"], how="anti")
    poorer = [key for key in lost["hand_key"].unique() if key in kept]
    if poorer:
        views = stored_views(store, poorer, known)
        remaining = {key: set(left.filter(pl.col("hand_key") == key)["view"]) for key in poorer}
        make_again(
            store,
            {key: {view: hand for view, hand in views[key].items() if view in remaining[key]} for key in poorer},
        )
    mark_duplicates(store, touched)

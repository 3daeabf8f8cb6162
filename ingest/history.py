"""What the database remembers of sources: known ones, grown ones, and how to take back what one brought."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from ingest.enter import delete_hands, make_again, mark_duplicates, stored_views
from ingest.formats import FORMATS, parser_name
from ingest.sources import Source
from ingest.store import Store


@dataclass(frozen=True, slots=True)
class KnownSource:
    """A source as the database knows it; `counts` says what became of its records: hands (or ledger entries), and
    rejects by outcome."""

    key: int
    name: str
    sha256: str
    bytes: int
    format: str | None
    parser: str | None
    read_to: int
    counts: dict[str, int]

    @property
    def is_outdated(self) -> bool:
        """Whether its format's reader has changed since, or does not exist any more."""
        return self.parser not in {parser_name(form) for form in FORMATS}

    @property
    def is_finished(self) -> bool:
        """Whether it was read to its end, or to where a record is cut off."""
        return self.read_to >= self.bytes or self.counts.get("partial", 0) > 0


class KnownSources:
    """All sources that the database knows, but those that nothing could be read of."""

    def __init__(self, store: Store) -> None:
        counts: dict[int, dict[str, int]] = defaultdict(dict)
        for key, count in store.query("SELECT source_key, count(*) FROM hand_sources GROUP BY source_key"):
            counts[key]["hands"] = count
        for key, count in store.query("SELECT source_key, count(*) FROM ledger_records GROUP BY source_key"):
            counts[key]["hands"] = counts[key].get("hands", 0) + count
        for key, outcome, count in store.query("SELECT source_key, outcome, count(*) FROM rejects GROUP BY ALL"):
            counts[key][outcome] = count
        rows = store.query(
            "SELECT source_key, name, sha256, bytes, format, parser, read_to FROM sources WHERE format <> ''"
        )
        self._by_key = {
            key: KnownSource(key, name, sha256, size, form, parser, read_to, counts[key])
            for key, name, sha256, size, form, parser, read_to in rows
        }
        self._by_name: dict[str, list[KnownSource]] = defaultdict(list)
        for known in self._by_key.values():
            self._by_name[known.name].append(known)

    def all(self) -> list[KnownSource]:
        """Every source."""
        return list(self._by_key.values())

    def find(self, key: int) -> KnownSource | None:
        """The source of that key, None if it was never read."""
        return self._by_key.get(key)

    def find_grown(self, source: Source, name: str, size: int) -> KnownSource | None:
        """What a file was when it was read last, if it has only grown since; `name` is as stored, `size` as now."""
        for known in sorted(self._by_name[name], key=lambda known: -known.bytes):
            if 0 < known.bytes < size and source.sha256(known.bytes)[0] == known.sha256:
                return known
        return None


def rename_source(store: Store, old: int, new: int) -> None:
    """Give what one source brought to another; the old one is no more."""
    for table in ("hand_sources", "rejects", "ledger_records"):
        store.connection.execute(f"UPDATE {table} SET source_key = ? WHERE source_key = ?", [new, old])
    store.connection.execute("DELETE FROM sources WHERE source_key = ?", [old])


def forget(store: Store, source: int, start: int = 0) -> None:
    """Take back what a source brought from byte `start` on.

    Hands that no other record tells of are deleted; others are made again from the records that are left.
    """
    here = f"source_key = {source} AND position >= {start}"
    touched = store.frame(f"SELECT DISTINCT hand_key FROM hand_sources WHERE {here}")
    told = {}
    with store.named(touched=touched):
        several = store.query("SELECT DISTINCT hand_key FROM views SEMI JOIN touched USING (hand_key)")
    if several:
        told = stored_views(store, [key for (key,) in several])
    for table in ("hand_sources", "rejects", "ledger_records"):
        store.connection.execute(f"DELETE FROM {table} WHERE {here}")
    with store.named(touched=touched):
        left = store.query("SELECT DISTINCT hand_key, view FROM hand_sources SEMI JOIN touched USING (hand_key)")
    views_left: dict[int, set[int]] = defaultdict(set)
    for key, view in left:
        views_left[key].add(view)
    delete_hands(store, [key for key in touched["hand_key"] if key not in views_left])
    poorer = {
        key: {view: hand for view, hand in records.items() if view in views_left[key]}
        for key, records in told.items()
        if key in views_left and len(views_left[key]) < len(records)
    }
    if poorer:
        make_again(store, poorer)
    mark_duplicates(store, touched["hand_key"])

"""Entering hands into the tables: each hand once, however many records tell of it.

Everything happens inside a transaction of the store. Hands that are new are inserted as columns, thousands at once;
a record that says what is known already only adds to `hand_sources`; only where records of one hand differ are they
looked at one by one, and the hand is made again from all of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from ingest.batch import ACTION_COLUMNS, HAND_COLUMNS, SEAT_COLUMNS, Batch, batch_of
from ingest.evaluate import Rows, evaluate, with_deals
from ingest.flags import DERIVED_FLAGS
from ingest.formats import ofc_hh
from ingest.hand import Hand
from ingest.merge import View, merge_views
from ingest.schema import ACTIONS, HAND_SOURCES, HANDS, SCORES, SEATS, VIEWS
from ingest.sessions import stated_sessions
from ingest.store import Store
from ingest.views import view_hashes

Keys = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Prepared:
    """Checked hands of one source with their keys, (n,)."""

    source_key: int
    batch: Batch
    hand_keys: Keys
    views: Keys


@dataclass(frozen=True, slots=True)
class Entered:
    """What became of the records of one `Prepared`: `mismatched` are among the stored."""

    stored: int
    duplicate: int
    mismatched: int


def prepare(source_key: int, batch: Batch, hand_keys: Keys) -> Prepared:
    """Hands of one source, ready to be entered."""
    return Prepared(source_key, batch, hand_keys, view_hashes(batch))


def enter(store: Store, prepared: Sequence[Prepared]) -> list[Entered]:
    """Enter the hands of several sources; one answer for each of `prepared`, in that order."""
    records = pl.concat([_records(number, part) for number, part in enumerate(prepared)])
    with store.named(incoming=records):
        known = store.frame("SELECT DISTINCT hand_key, view FROM hand_sources SEMI JOIN incoming USING (hand_key)")
    is_known = records["hand_key"].is_in(known["hand_key"].unique().implode())
    is_first = records["hand_key"].is_first_distinct()
    views_per_hand = (
        pl.concat([known.select("hand_key", "view"), records.select("hand_key", "view")])
        .unique()
        .group_by("hand_key")
        .len()
    )
    known_views = known.group_by("hand_key").len("known_views")
    counts = views_per_hand.join(known_views, on="hand_key", how="left").with_columns(
        pl.col("known_views").fill_null(0)
    )
    contested = counts.filter((pl.col("len") > 1) & (pl.col("len") > pl.col("known_views")))["hand_key"]
    is_contested = records["hand_key"].is_in(contested.implode())
    records = records.with_columns(
        known=is_known,
        first=is_first & ~is_known,
        contested=is_contested,
        fresh=is_first & ~is_known & ~is_contested,
    )
    mismatched = _enter_fresh(store, prepared, records)
    store.insert(HAND_SOURCES, records.select(HAND_SOURCES.names))
    if len(contested):
        mismatched |= _enter_contested(store, prepared, records, known)
    mark_duplicates(store, records["hand_key"].unique())
    return _answers(prepared, records, mismatched)


def _records(number: int, part: Prepared) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "part": np.full(len(part.hand_keys), number),
            "place": np.arange(len(part.hand_keys)),
            "hand_key": part.hand_keys,
            "source_key": np.full(len(part.hand_keys), part.source_key),
            "position": part.batch.hands["position"],
            "view": part.views,
        }
    )


def _answers(prepared: Sequence[Prepared], records: pl.DataFrame, mismatched: set[int]) -> list[Entered]:
    wrong = records["hand_key"].is_in(list(mismatched)) & records["first"]
    by_part = records.with_columns(wrong=wrong).group_by("part").agg(pl.len(), pl.sum("first"), pl.sum("wrong"))
    counted = {part: (total, stored, bad) for part, total, stored, bad in by_part.iter_rows()}
    answers = []
    for number in range(len(prepared)):
        total, stored, bad = counted.get(number, (0, 0, 0))
        answers.append(Entered(stored, total - stored, bad))
    return answers


def _enter_fresh(store: Store, prepared: Sequence[Prepared], records: pl.DataFrame) -> set[int]:
    """Insert the hands that no record told of before; the keys of those whose claimed points differ."""
    mismatched: set[int] = set()
    for number, part in enumerate(prepared):
        fresh = records.filter(pl.col("part") == number)["fresh"].to_numpy()
        if fresh.any():
            mismatched |= insert_hands(store, part.batch.keep(fresh), part.hand_keys[fresh])
    return mismatched


def insert_hands(store: Store, batch: Batch, hand_keys: Keys) -> set[int]:
    """Evaluate hands and insert their rows; the keys of those whose claimed points differ."""
    dealt = with_deals(batch)
    rows = evaluate(dealt, hand_keys)
    hands = rows.hands.with_columns(session_key=stated_sessions(rows.hands))
    actions = batch.actions.with_columns(hand_key=pl.Series(np.repeat(hand_keys, batch.hands["actions"].to_numpy())))
    store.insert(HANDS, hands)
    store.insert(SEATS, rows.seats)
    store.insert(ACTIONS, actions)
    store.insert(SCORES, rows.scores)
    store.add_rule_sets(rows.rule_sets.values())
    return _mismatched(rows)


def _mismatched(rows: Rows) -> set[int]:
    differs = rows.hands["flags"].list.contains("claimed_score_mismatch")
    return set(rows.hands.filter(differs)["hand_key"])


def _enter_contested(
    store: Store, prepared: Sequence[Prepared], records: pl.DataFrame, known: pl.DataFrame
) -> set[int]:
    """Make hands again of which a record says something new."""
    news: dict[int, dict[int, Hand]] = defaultdict(dict)
    for number, part in enumerate(prepared):
        mine = records.filter(pl.col("part") == number)["contested"].to_numpy()
        if mine.any():
            for key, view, hand in zip(
                part.hand_keys[mine].tolist(), part.views[mine].tolist(), part.batch.keep(mine).to_hands(), strict=True
            ):
                news[key][view] = hand
    views = stored_views(store, list(news), known)
    added = []
    for key, hands in news.items():
        for view, hand in {**views.get(key, {}), **hands}.items():
            added.append((key, view, ofc_hh.format_hand(hand)))
            views.setdefault(key, {})[view] = hand
    rows = pl.DataFrame(added, schema=["hand_key", "view", "record"], orient="row")
    delete_views(store, list(news))
    store.insert(VIEWS, rows)
    return make_again(store, views)


def stored_views(store: Store, keys: list[int], known: pl.DataFrame) -> dict[int, dict[int, Hand]]:
    """The records that stored hands were made from, by hand and view; `known` (hand_key, view) says which there are."""
    views: dict[int, dict[int, Hand]] = defaultdict(dict)
    with store.named(wanted=pl.DataFrame({"hand_key": pl.Series(keys, dtype=pl.Int64)})):
        for key, view, text in store.query(
            "SELECT hand_key, view, record FROM views SEMI JOIN wanted USING (hand_key)"
        ):
            views[key][view] = ofc_hh.parse_hand(text)
    # A hand of one view has no row there: the hand as stored is that view.
    single = {key: view for key, view in known.iter_rows() if key in set(keys) and key not in views}
    for key, hand in zip(single, load_hands(store, list(single)), strict=True):
        views[key][single[key]] = hand
    return views


def make_again(store: Store, views: dict[int, dict[int, Hand]]) -> set[int]:
    """Replace hands by what all their records together say; the keys of those whose claimed points differ."""
    delete_hands(store, list(views))
    hands = [merge_views(View(view, hand) for view, hand in records.items()) for records in views.values()]
    return insert_hands(store, batch_of(hands), np.array(list(views), np.int64))


def delete_hands(store: Store, keys: list[int]) -> None:
    """Delete hands with everything that belongs to them but the records of them."""
    for table in ("hands", "seats", "actions", "scores"):
        _delete(store, table, keys)


def delete_views(store: Store, keys: list[int]) -> None:
    """Delete the kept records of hands."""
    _delete(store, "views", keys)


def _delete(store: Store, table: str, keys: list[int]) -> None:
    with store.named(gone=pl.DataFrame({"hand_key": pl.Series(keys, dtype=pl.Int64)})):
        store.connection.execute(f"DELETE FROM {table} WHERE hand_key IN (SELECT hand_key FROM gone)")


def load_hands(store: Store, keys: list[int]) -> list[Hand]:
    """Stored hands as their sources stated them, in the order of `keys`."""
    if not keys:
        return []
    wanted = pl.DataFrame({"hand_key": pl.Series(keys, dtype=pl.Int64), "place": range(len(keys))})
    with store.named(wanted=wanted):
        hands = store.frame(
            "SELECT hands.*, 0 AS position, "
            "(SELECT count(*) FROM actions WHERE actions.hand_key = hands.hand_key) AS actions "
            "FROM hands JOIN wanted USING (hand_key) ORDER BY place"
        )
        seats = store.frame("SELECT seats.* FROM seats JOIN wanted USING (hand_key) ORDER BY place, seat")
        actions = store.frame("SELECT actions.* FROM actions JOIN wanted USING (hand_key) ORDER BY place, action_no")
    stated = hands.with_columns(
        *(
            pl.when(pl.col("derived").list.contains(name)).then(None).otherwise(pl.col(name)).alias(name)
            for name in ("game", "decks", "middle", "rake")
        ),
        flags=pl.col("flags").list.filter(~pl.element().is_in(list(DERIVED_FLAGS))),
    )
    frames = ((stated, HAND_COLUMNS), (seats, SEAT_COLUMNS), (actions, ACTION_COLUMNS))
    hands, seats, actions = (
        frame.select(pl.col(name).cast(kind) for name, kind in kinds.items()) for frame, kinds in frames
    )
    return Batch(hands, seats, actions).to_hands()


def mark_duplicates(store: Store, keys: pl.Series) -> None:
    """Set or clear `duplicate_in_source` on hands."""
    with store.named(touched=keys.to_frame("hand_key")):
        store.connection.execute(
            """
            WITH twice AS (
                SELECT hand_key FROM hand_sources SEMI JOIN touched USING (hand_key)
                GROUP BY hand_key, source_key HAVING count(*) > 1
            ), wanted AS (
                SELECT hand_key, hand_key IN (SELECT hand_key FROM twice) AS doubled
                FROM hands SEMI JOIN touched USING (hand_key)
                WHERE list_contains(flags, 'duplicate_in_source') <> (hand_key IN (SELECT hand_key FROM twice))
            )
            UPDATE hands SET flags = CASE WHEN doubled THEN list_sort(list_append(flags, 'duplicate_in_source'))
                ELSE list_filter(flags, lambda flag: flag <> 'duplicate_in_source') END
            FROM wanted WHERE hands.hand_key = wanted.hand_key
            """
        )

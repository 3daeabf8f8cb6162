"""Entering hands into the tables: each hand once, however many records tell of it.

Everything happens inside a transaction of the store. Hands that are new are inserted as columns, thousands at once;
a record that says what is known already only adds to `hand_sources`; only where records of one hand differ are they
looked at one by one, and the hand is made again from all of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from ingest.batch import ACTION_COLUMNS, HAND_COLUMNS, SEAT_COLUMNS, Batch, batch_of
from ingest.database import Database
from ingest.evaluate import Rows, evaluate, with_deals
from ingest.flags import DERIVED_FLAGS
from ingest.formats import ofc_hh
from ingest.hand import Hand
from ingest.merge import View, merge_views
from ingest.schema import ACTIONS, HAND_SOURCES, HANDS, SCORES, SEATS, VIEWS
from ingest.scoring import HAND_INPUT, SEAT_INPUT
from ingest.sessions import stated_sessions
from ingest.store import Store
from ingest.views import view_hashes

Keys = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Prepared:
    """Checked hands, as their sources state them, with their keys, (n,)."""

    batch: Batch
    source_keys: Keys
    hand_keys: Keys
    views: Keys


@dataclass(frozen=True, slots=True)
class Entered:
    """What became of each record, (n,): whether it was stored (else it is a duplicate), and the flags of its hand."""

    stored: npt.NDArray[np.bool_]
    flags: pl.Series


def prepare(batch: Batch, source_keys: Keys, hand_keys: Keys) -> Prepared:
    """Hands ready to be entered."""
    return Prepared(batch, source_keys, hand_keys, view_hashes(batch))


def enter(store: Store, given: Prepared) -> Entered:
    """Enter hands into the tables, and say what became of each."""
    records = _records(store, given)
    fresh, contested = records["fresh"].to_numpy(), records["contested"].to_numpy()
    flags = [insert_hands(store, given.batch.keep(fresh), given.hand_keys[fresh])] if fresh.any() else []
    if contested.any():
        flags.append(_enter_contested(store, given, contested))
    # Only now, because until here the table says which record a stored hand was made of.
    store.insert(HAND_SOURCES, records.select(HAND_SOURCES.names))
    mark_duplicates(store, records["hand_key"].unique())
    if not flags:
        return Entered(records["first"].to_numpy(), pl.Series([[]] * len(records), dtype=pl.List(pl.String)))
    flagged = records.join(pl.concat(flags), on="hand_key", how="left", maintain_order="left")
    return Entered(records["first"].to_numpy(), flagged["flags"])


def _records(store: Store, given: Prepared) -> pl.DataFrame:
    """The records with what is to be done about each.

    `first`: the first that tells of its hand; `contested`: the hand has records that differ, one of them new;
    `fresh`: first, and not contested.
    """
    records = pl.DataFrame(
        {
            "hand_key": given.hand_keys,
            "source_key": given.source_keys,
            "position": given.batch.hands["position"],
            "view": given.views,
        }
    )
    with store.named(incoming=records):
        known = store.frame("SELECT DISTINCT hand_key, view FROM hand_sources SEMI JOIN incoming USING (hand_key)")
    views = pl.concat([known, records.select("hand_key", "view")]).unique().group_by("hand_key").len("views")
    known_views = known.group_by("hand_key").len("known_views")
    counts = views.join(known_views, on="hand_key", how="left").with_columns(pl.col("known_views").fill_null(0))
    contested = counts.filter((pl.col("views") > 1) & (pl.col("views") > pl.col("known_views")))
    is_first = records["hand_key"].is_first_distinct() & ~records["hand_key"].is_in(known["hand_key"].implode())
    is_contested = records["hand_key"].is_in(contested["hand_key"].implode())
    return records.with_columns(first=is_first, contested=is_contested, fresh=is_first & ~is_contested)


def insert_hands(store: Store, batch: Batch, hand_keys: Keys) -> pl.DataFrame:
    """Evaluate hands and insert their rows; what they were flagged with (hand_key, flags)."""
    return _insert_rows(store, batch, hand_keys, evaluate(with_deals(batch), hand_keys))


def _insert_rows(store: Store, batch: Batch, hand_keys: Keys, rows: Rows) -> pl.DataFrame:
    hands = rows.hands.with_columns(session_key=stated_sessions(rows.hands))
    actions = batch.actions.with_columns(hand_key=pl.Series(np.repeat(hand_keys, batch.hands["actions"].to_numpy())))
    store.insert(HANDS, hands)
    store.insert(SEATS, rows.seats)
    store.insert(ACTIONS, actions)
    store.insert(SCORES, rows.scores)
    store.add_rule_sets(rows.rule_sets.values())
    return hands.select("hand_key", "flags")


def _enter_contested(store: Store, given: Prepared, contested: npt.NDArray[np.bool_]) -> pl.DataFrame:
    """Make hands again of which a record says something new; what they were flagged with (hand_key, flags)."""
    keys, views = given.hand_keys[contested].tolist(), given.views[contested].tolist()
    told = stored_views(store, sorted(set(keys)))
    for key, view, hand in zip(keys, views, given.batch.keep(contested).to_hands(), strict=True):
        told.setdefault(key, {})[view] = hand
    return make_again(store, told)


def stored_views(store: Store, keys: list[int]) -> dict[int, dict[int, Hand]]:
    """The records that stored hands were made from, by hand and view; hands that are not stored are left out."""
    views: dict[int, dict[int, Hand]] = defaultdict(dict)
    with store.named(wanted=key_frame(keys)):
        kept = store.query("SELECT hand_key, view, record FROM views SEMI JOIN wanted USING (hand_key)")
        # A hand of one view has no row there: the hand as stored is that view.
        single = store.query(
            "SELECT hand_key, any_value(view) FROM hand_sources SEMI JOIN wanted USING (hand_key) "
            "ANTI JOIN views USING (hand_key) SEMI JOIN hands USING (hand_key) GROUP BY hand_key"
        )
    for key, view, text in kept:
        views[key][view] = ofc_hh.parse_hand(text)
    for (key, view), hand in zip(single, load_hands(store, [key for key, _ in single]), strict=True):
        views[key][view] = hand
    return views


def make_again(store: Store, told: dict[int, dict[int, Hand]]) -> pl.DataFrame:
    """Replace hands by what all records of each say together; what they were flagged with (hand_key, flags)."""
    hands = [merge_views(View(view, hand) for view, hand in records.items()) for records in told.values()]
    batch, keys = batch_of(hands), np.array(list(told), np.int64)
    rows = evaluate(with_deals(batch), keys)
    _delete_outdated_scores(store, rows)
    _delete(store, list(told), ("hands", "seats", "actions", "views"))
    several = [
        (key, view, ofc_hh.format_hand(hand))
        for key, records in told.items()
        for view, hand in records.items()
        if len(records) > 1
    ]
    schema = {"hand_key": pl.Int64, "view": pl.Int64, "record": pl.String}
    store.insert(VIEWS, pl.DataFrame(several, schema=schema, orient="row"))
    return _insert_rows(store, batch, keys, rows)


def _delete_outdated_scores(store: Store, rows: Rows) -> None:
    """Before hands are replaced by these rows: delete the scores of those of which scoring would now see other facts.

    Of the others only what comes with the rows goes, their scores under the rules they were and are played by.
    """
    hand_facts = ", ".join((*HAND_INPUT, "scored"))
    seat_facts = ", ".join(("hand_key", *SEAT_INPUT))
    with store.named(new_hands=rows.hands, new_seats=rows.seats):
        store.connection.execute(
            f"""
            WITH changed AS (
                SELECT hand_key FROM (
                    SELECT {hand_facts} FROM hands SEMI JOIN new_hands USING (hand_key)
                    EXCEPT SELECT {hand_facts} FROM new_hands
                ) UNION SELECT hand_key FROM (
                    SELECT {seat_facts} FROM seats SEMI JOIN new_hands USING (hand_key)
                    EXCEPT SELECT {seat_facts} FROM new_seats
                )
            ), replaced AS (
                SELECT hand_key, hands.rules_key AS played_before, new_hands.rules_key AS played_now,
                    hand_key IN (SELECT hand_key FROM changed) AS has_changed
                FROM hands JOIN new_hands USING (hand_key)
            )
            DELETE FROM scores USING replaced WHERE scores.hand_key = replaced.hand_key
                AND (has_changed OR rules_key = played_before OR rules_key = played_now)
            """
        )


def key_frame(keys: Sequence[int]) -> pl.DataFrame:
    """Keys as a frame that queries can join."""
    return pl.DataFrame({"hand_key": pl.Series(keys, dtype=pl.Int64)})


def delete_hands(store: Store, keys: Sequence[int]) -> None:
    """Delete hands with everything that belongs to them but what sources hold them."""
    _delete(store, keys, ("hands", "seats", "actions", "scores", "views"))


def _delete(store: Store, keys: Sequence[int], tables: Iterable[str]) -> None:
    with store.named(gone=key_frame(keys)):
        for table in tables:
            store.connection.execute(f"DELETE FROM {table} WHERE hand_key IN (SELECT hand_key FROM gone)")


def load_hands(database: Database, keys: list[int]) -> list[Hand]:
    """Stored hands as their sources stated them, in the order of `keys`."""
    if not keys:
        return []
    wanted = pl.DataFrame({"hand_key": pl.Series(keys, dtype=pl.Int64), "place": range(len(keys))})
    with database.named(wanted=wanted):
        hands = database.frame(
            "SELECT hands.*, 0 AS position, "
            "(SELECT count(*) FROM actions WHERE actions.hand_key = hands.hand_key) AS actions "
            "FROM hands JOIN wanted USING (hand_key) ORDER BY place"
        )
        seats = database.frame("SELECT seats.* FROM seats JOIN wanted USING (hand_key) ORDER BY place, seat")
        actions = database.frame("SELECT actions.* FROM actions JOIN wanted USING (hand_key) ORDER BY place, action_no")
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

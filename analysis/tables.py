"""Read-only access to a published database: the only SQL that reads hands.

Hands come out as a `Hands`: one frame with a row per hand, one with a row per seat, in the order of time, and the row
strengths as arrays, ready to be scored under any rule set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import orjson
import polars as pl

from analysis.filters import ALL_HANDS, Filters, where
from ingest.game.errors import OFCError
from ingest.game.rules import RuleSet, rules_of_data
from ingest.game.strength import NO_STRENGTH
from ingest.hand import CARDS_UNKNOWN
from ingest.scoring import HAND_INPUT, SEAT_INPUT

if TYPE_CHECKING:
    import duckdb

Offsets = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.int64]

# A seat's row strengths as one number each; a row without 13 known cards has none.
_STRENGTHS = ", ".join(
    f"coalesce({row}_strength, {NO_STRENGTH})::USMALLINT AS {row}" for row in ("front", "middle", "back")
)
_IN_FANTASYLAND = (
    f"(CASE WHEN in_fantasyland THEN coalesce(fantasyland_cards, {CARDS_UNKNOWN}) ELSE 0 END)::TINYINT AS fantasyland"
)
# Hands of a source that names no sessions are resampled by days.
_CLUSTER = (
    "CASE WHEN session_id IS NULL AND played_at IS NOT NULL THEN hash(site, played_at::DATE)::UBIGINT "
    "ELSE hash(session_key)::UBIGINT END"
)
# What people call a session: as its source does, else by when it began, and more where that does not tell it apart.
_SESSION_NAMES = """
    WITH sessions_of_hands AS (
        SELECT session_key, any_value(site) AS site, min(played_at) AS began,
            coalesce(any_value(session_id), strftime(min(played_at), '%Y-%m-%d %H:%M'), session_key::VARCHAR) AS name
        FROM hands GROUP BY session_key
    )
    SELECT session_key AS session,
        CASE WHEN count(*) OVER (PARTITION BY name) = 1 THEN name
            WHEN count(*) OVER (PARTITION BY name, site) = 1 THEN concat(name, ' at ', site)
            ELSE concat(name, ' at ', site, ', ', session_key) END AS name
    FROM sessions_of_hands ORDER BY began NULLS FIRST, session_key
"""


@dataclass(frozen=True)
class Hands:
    """Hands that can be scored, chosen by filters, in the order of time, every seat of them.

    `hands` (n rows): hand_key, site, session (session_key), cluster (number of what is resampled: session or day),
    by_day, rules_key, game, decks, middle, players, played_at, seconds (length of the hand), point_value, unit.
    `seats` (s rows, n hands one behind the other, acting order): hand (0..n-1), seat, player (number in `names`),
    counted (its result is asked for), front, middle, back (row strengths), naturals, fantasyland (cards it is played
    with, 0 none, -1 unknown), net.
    """

    hands: pl.DataFrame
    seats: pl.DataFrame
    names: pl.Series
    filters: Filters
    rules: Mapping[int, RuleSet]
    left_out: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.hands)

    @cached_property
    def first_seat(self) -> Offsets:
        """Where the seats of each hand begin, (n + 1,)."""
        return np.concatenate([[0], np.cumsum(self.hands["players"].to_numpy(), dtype=np.int64)])

    @cached_property
    def strengths(self) -> npt.NDArray[np.uint16]:
        """Front, middle and back of each seat, (s, 3)."""
        return np.ascontiguousarray(self.seats.select("front", "middle", "back").to_numpy(), np.uint16)

    @property
    def naturals(self) -> npt.NDArray[np.uint16]:
        """The naturals that each board holds, as bit masks, (s,)."""
        return self.seats["naturals"].to_numpy()

    @property
    def fantasyland(self) -> npt.NDArray[np.int8]:
        """Cards in Fantasyland of each seat, (s,)."""
        return self.seats["fantasyland"].to_numpy()

    @property
    def counted(self) -> npt.NDArray[np.bool_]:
        """Seats whose results were asked for, (s,)."""
        return self.seats["counted"].to_numpy()

    @cached_property
    def clusters(self) -> int:
        """How many sessions (or days) the hands come from."""
        return int(self.hands["cluster"].n_unique())

    @cached_property
    def _deals(self) -> list[tuple[tuple[str | None, int, str], npt.NDArray[np.bool_]]]:
        """The ways of dealing that occur, game, decks and middle, with the hands dealt so, (n,) each."""
        columns = ("game", "decks", "middle")
        found = self.hands.select(columns).unique().rows()
        alike = [
            pl.all_horizontal(pl.col(name).eq_missing(value) for name, value in zip(columns, deal, strict=True))
            for deal in found
        ]
        return [(deal, self.hands.select(same).to_series().to_numpy()) for deal, same in zip(found, alike, strict=True)]

    def built_for(self, rules: RuleSet) -> npt.NDArray[np.bool_]:
        """Hands whose boards were made for the game of `rules`, or that do not say for which, (n,)."""
        deal = (rules.deal.game, rules.deal.decks, rules.deal.middle)
        built = np.zeros(len(self), np.bool_)
        for made_for, hands in self._deals:
            if made_for[0] is None or made_for == deal:
                built |= hands
        return built

    def scored_by(self, rules: RuleSet | None) -> Iterator[tuple[npt.NDArray[np.bool_], RuleSet]]:
        """Every rule set that hands are scored by, with which ones (n,): `rules`, or what each was played by."""
        if rules:
            yield np.ones(len(self), np.bool_), rules
            return
        keys = self.hands["rules_key"]
        for key, played in self.rules.items():
            yield (keys == key).fill_null(False).to_numpy(), played

    def keep(self, kept: npt.NDArray[np.bool_], reason: str) -> Hands:
        """Only the hands that `kept` (n,) says; the others are counted under `reason`."""
        if kept.all():
            return self
        number = np.cumsum(kept, dtype=np.int64) - 1
        players = self.hands["players"].to_numpy()
        seats = self.seats.filter(pl.Series(np.repeat(kept, players)))
        seats = seats.with_columns(pl.Series("hand", number[seats["hand"].to_numpy()], pl.UInt32))
        hands = self.hands.filter(pl.Series(kept))
        left_out = dict(self.left_out)
        left_out[reason] = left_out.get(reason, 0) + int((~kept).sum())
        return Hands(hands, seats, self.names, self.filters, self.rules, left_out)


class Choices(NamedTuple):
    """What filters can be set to; players and heroes with their hands, most first."""

    sites: list[str]
    players: list[str]
    heroes: list[str]
    rules: list[str]
    tables: list[int]
    first_day: date | None
    last_day: date | None


def _frame(cursor: duckdb.DuckDBPyConnection, query: str, params: Sequence[Any] = ()) -> pl.DataFrame:
    answer: pl.DataFrame = cursor.sql(query, params=list(params)).pl()
    return answer


def rule_sets(con: duckdb.DuckDBPyConnection) -> dict[int, RuleSet]:
    """The rule sets that the database knows, by their key there."""
    rows = con.cursor().execute("SELECT rules_key, definition FROM rule_sets ORDER BY name, rules_key").fetchall()
    return {key: rules_of_data(orjson.loads(definition)) for key, definition in rows}


def load_hands(con: duckdb.DuckDBPyConnection, filters: Filters = ALL_HANDS) -> Hands:
    """The scored hands that `filters` choose. A hand counts if one of its seats does; all its seats come along."""
    cursor = con.cursor()
    condition, params = where(filters)
    hands = _frame(
        cursor,
        f"""
        SELECT hand_key, site, session_key AS session, {_CLUSTER} AS cluster,
            session_id IS NULL AND played_at IS NOT NULL AS by_day, rules_key, game, decks, middle, players, played_at,
            CASE WHEN ended_at > started_at THEN epoch(ended_at) - epoch(started_at) END AS seconds,
            point_value::DOUBLE AS point_value, unit
        FROM hands WHERE scored AND {condition}
        ORDER BY played_at NULLS FIRST, session_key, hand_no, hand_key
        """,
        params,
    )
    hands = hands.with_columns((pl.col("cluster").rank("dense") - 1).cast(pl.Int32))
    seats, names = _load_seats(cursor, hands, filters)
    return Hands(hands, seats, names, filters, rule_sets(con), _left_out(cursor, filters))


def _load_seats(
    cursor: duckdb.DuckDBPyConnection, hands: pl.DataFrame, filters: Filters
) -> tuple[pl.DataFrame, pl.Series]:
    """All seats of `hands` in their order, and the names of the players that `player` counts through."""
    names = _frame(cursor, "SELECT DISTINCT player FROM seats ORDER BY player")["player"]
    cursor.register("chosen_hands", hands.select("hand_key").with_row_index("hand"))
    cursor.register("chosen_names", pl.DataFrame({"name": names}).with_row_index("number"))
    counted = ["true"]
    params: list[Any] = []
    if filters.players:
        counted.append("list_contains(?, player)")
        params.append(list(filters.players))
    if filters.hero:
        counted.append("hero")
    rows = _frame(
        cursor,
        f"""
        SELECT hand, seat, number AS player, hero, {" AND ".join(counted)} AS counted, {_STRENGTHS}, naturals,
            {_IN_FANTASYLAND}, net::DOUBLE AS net
        FROM seats JOIN chosen_hands USING (hand_key) JOIN chosen_names ON name = player
        """,
        params,
    )
    # Each row's place is known, so the rows are put there instead of being sorted.
    first_seat = np.concatenate([[0], np.cumsum(hands["players"].to_numpy(), dtype=np.int64)])
    place = first_seat[rows["hand"].to_numpy()] + rows["seat"].to_numpy()
    order = np.empty(len(rows), np.uint32)
    order[place] = np.arange(len(rows), dtype=np.uint32)
    return rows.select(pl.all().gather(pl.Series(order))), names


def session_names(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """What each session is called, in the order of time: session (its key), name."""
    return _frame(con.cursor(), _SESSION_NAMES)


def with_session_names(frame: pl.DataFrame, names: pl.DataFrame) -> pl.DataFrame:
    """`frame` with its column session of keys as their names, which sort in the order of time."""
    kind = pl.Enum(names["name"].unique(maintain_order=True))
    return frame.with_columns(pl.col("session").replace_strict(names["session"], names["name"], return_dtype=kind))


def find_sessions(con: duckdb.DuckDBPyConnection, names: Sequence[str]) -> tuple[int, ...]:
    """The keys of sessions by their names, or by their keys as text. Raises OFCError for a name that there is not."""
    there = session_names(con)
    keys = {str(key): key for key in there["session"]} | dict(there.select("name", "session").iter_rows())
    for name in names:
        if name not in keys:
            raise OFCError(f"expected the name of a session, as report --by session shows it, got {name!r}")
    return tuple(keys[name] for name in names)


def _left_out(cursor: duckdb.DuckDBPyConnection, filters: Filters) -> dict[str, int]:
    """Hands that the filters choose and that have no score, by why."""
    condition, params = where(filters)
    rows = cursor.execute(
        "SELECT CASE WHEN status = 'complete' THEN 'unknown cards' ELSE replace(status, '_', ' ') END AS reason, "
        f"count(*) FROM hands WHERE NOT scored AND {condition} GROUP BY ALL ORDER BY ALL",
        params,
    ).fetchall()
    return dict(rows)


def first_cards(con: duckdb.DuckDBPyConnection, hands: Hands) -> pl.DataFrame:
    """The first five cards of each seat where they are known: hand, seat, cards (list of five)."""
    cursor = con.cursor()
    cursor.register("chosen_hands", hands.hands.select("hand_key").with_row_index("hand"))
    return _frame(
        cursor,
        "SELECT hand, seat, dealt AS cards FROM actions JOIN chosen_hands USING (hand_key) "
        "WHERE street = 0 AND len(dealt) = 5 AND list_max(dealt) < 52 ORDER BY ALL",
    )


def thinking_times(con: duckdb.DuckDBPyConnection, hands: Hands) -> pl.DataFrame:
    """Thinking time of each seat where the log has it: hand, seat, ms (sum), decisions (count)."""
    cursor = con.cursor()
    cursor.register("chosen_hands", hands.hands.select("hand_key").with_row_index("hand"))
    return _frame(
        cursor,
        "SELECT hand, seat, sum(ms)::BIGINT AS ms, count(ms) AS decisions FROM actions "
        "JOIN chosen_hands USING (hand_key) WHERE ms IS NOT NULL AND auto IS NOT TRUE GROUP BY ALL ORDER BY ALL",
    )


def actions(con: duckdb.DuckDBPyConnection, hands: Hands) -> pl.DataFrame:
    """Every action of `hands` in the order of play: hand, action_no, seat, street, dealt, placed by row, discard."""
    cursor = con.cursor()
    cursor.register("chosen_hands", hands.hands.select("hand_key").with_row_index("hand"))
    return _frame(
        cursor,
        "SELECT hand, action_no, seat, street, dealt, front, middle, back, discard FROM actions "
        "JOIN chosen_hands USING (hand_key) ORDER BY hand, action_no",
    )


def choices(con: duckdb.DuckDBPyConnection) -> Choices:
    """What filters can be set to in this database."""
    cursor = con.cursor()

    def column(query: str) -> list[Any]:
        return [value for value, *_ in cursor.execute(query).fetchall()]

    [(first, last)] = cursor.execute("SELECT min(played_at)::DATE, max(played_at)::DATE FROM hands").fetchall()
    return Choices(
        sites=column("SELECT DISTINCT site FROM hands ORDER BY 1"),
        players=column("SELECT player, count(*) FROM seats GROUP BY 1 ORDER BY 2 DESC, 1"),
        heroes=column("SELECT player, count(*) FROM seats WHERE hero GROUP BY 1 ORDER BY 2 DESC, 1"),
        rules=column("SELECT DISTINCT rules FROM hands WHERE rules IS NOT NULL ORDER BY 1"),
        tables=column("SELECT DISTINCT players FROM hands WHERE scored ORDER BY 1"),
        first_day=first,
        last_day=last,
    )


def sources(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """Every source with its counts: stored, duplicate, partial, skipped, rejected, mismatched, ledger_entries."""
    return _frame(con.cursor(), "SELECT * FROM source_counts ORDER BY ingested_at, name")


def rejects(con: duckdb.DuckDBPyConnection, limit: int = 1000) -> pl.DataFrame:
    """Records that did not become hands, with source, position, outcome, reason, message and the packed raw text."""
    return _frame(
        con.cursor(),
        "SELECT sources.name AS source, position, outcome, reason, message, raw FROM rejects "
        "LEFT JOIN sources USING (source_key) ORDER BY source, position LIMIT ?",
        [limit],
    )


def known_hands(con: duckdb.DuckDBPyConnection, keys: Sequence[int]) -> pl.DataFrame:
    """Hands by key with site, id and time: to trace a figure back to the hands behind it."""
    return _frame(
        con.cursor(),
        "SELECT hand_key, site, hand_id, played_at, players, rules FROM hands WHERE list_contains(?, hand_key) "
        "ORDER BY played_at NULLS FIRST, hand_key",
        [list(keys)],
    )


def boards(con: duckdb.DuckDBPyConnection, key: int) -> pl.DataFrame:
    """The seats of one hand in acting order: player, board (13 slots), fantasyland (cards, 0 none, -1 unknown)."""
    return _frame(
        con.cursor(), f"SELECT player, board, {_IN_FANTASYLAND} FROM seats WHERE hand_key = ? ORDER BY seat", [key]
    )


def unscored_hands(con: duckdb.DuckDBPyConnection, rules_key: int) -> tuple[pl.DataFrame, int]:
    """Keys of the hands that can be scored and have no score under a rule set, in order, and how many have one."""
    missing = _frame(
        con,
        "SELECT hand_key FROM hands WHERE scored "
        "AND hand_key NOT IN (SELECT hand_key FROM scores WHERE rules_key = ?) ORDER BY hand_key",
        [rules_key],
    )
    [(scorable,)] = con.execute("SELECT count(*) FROM hands WHERE scored").fetchall()
    return missing, scorable - len(missing)


def foreign_scores(con: duckdb.DuckDBPyConnection, rules_key: int) -> int:
    """How many hands scored under a rule set were built for another game."""
    [(count,)] = con.execute(
        "SELECT count(DISTINCT hand_key) FROM scores WHERE rules_key = ? AND built_for_another_game", [rules_key]
    ).fetchall()
    return int(count)


def scoring_input(con: duckdb.DuckDBPyConnection, chosen: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """What scoring needs of the hands whose keys are `chosen`: rows of hands and of seats in one order."""
    con.register("chosen_hands", chosen)
    hands = _frame(
        con, f"SELECT {', '.join(HAND_INPUT)} FROM hands SEMI JOIN chosen_hands USING (hand_key) ORDER BY hand_key"
    )
    seats = _frame(
        con,
        f"SELECT {', '.join(SEAT_INPUT)} FROM seats SEMI JOIN chosen_hands USING (hand_key) ORDER BY hand_key, seat",
    )
    con.unregister("chosen_hands")
    return hands, seats

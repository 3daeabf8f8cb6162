"""Reading hands for analysis: filters, order, what is left out."""

from __future__ import annotations

from datetime import date

import duckdb
import numpy as np
import polars as pl
import pytest

from analysis.filters import Filters
from analysis.scored import ANOTHER_GAME, AS_PLAYED, RULES_UNKNOWN, score_as_played, score_under
from analysis.tables import Hands, choices, find_sessions, load_hands, session_names, with_session_names
from ingest.game.errors import OFCError
from ingest.game.rules import builtin_rules
from tests.made_hands import made_database

RULES = builtin_rules()


@pytest.fixture(scope="module")
def con() -> duckdb.DuckDBPyConnection:
    made = made_database(300, 3, 20, "pineapple", seed=1)
    return made_database(100, 2, 10, "classic", seed=2, con=made)


@pytest.fixture(scope="module")
def hands(con: duckdb.DuckDBPyConnection) -> Hands:
    return load_hands(con)


def test_every_seat_comes_in_acting_order(hands: Hands) -> None:
    assert len(hands) == 400
    assert len(hands.seats) == 300 * 3 + 100 * 2
    seats = hands.seats["seat"].to_numpy()
    starts = hands.first_seat[:-1]
    assert (seats == np.arange(len(seats)) - np.repeat(starts, np.diff(hands.first_seat))).all()
    assert hands.hands["played_at"].is_sorted()


def test_points_are_those_that_the_loader_stored(con: duckdb.DuckDBPyConnection, hands: Hands) -> None:
    stored = dict(con.execute("SELECT player, sum(points) FROM seats GROUP BY 1").fetchall())
    frame = score_as_played(hands).frame
    assert dict(frame.group_by("player").agg(pl.col("points").sum()).iter_rows()) == stored
    assert frame["points"].sum() == 0
    assert frame["hand"].is_sorted()


@pytest.mark.parametrize(
    ("filters", "condition"),
    [
        (Filters(players=("player 2",)), "player = 'player 2'"),
        (Filters(hero=True), "hero"),
        (
            Filters(players=("player 1", "player 3"), rules=("classic",)),
            "player IN ('player 1', 'player 3') AND rules = 'classic'",
        ),
        (Filters(tables=(3,)), "players = 3"),
        (
            Filters(since=date(2025, 1, 5), until=date(2025, 1, 9)),
            "played_at >= '2025-01-05' AND played_at < '2025-01-10'",
        ),
        (Filters(sites=("nowhere",)), "false"),
        (Filters(kind="simulated"), "false"),
        (Filters(kind="played"), "true"),
    ],
)
def test_filters_choose_what_they_say(con: duckdb.DuckDBPyConnection, filters: Filters, condition: str) -> None:
    query = f"SELECT count(*), coalesce(sum(points), 0) FROM seats JOIN hands USING (hand_key) WHERE {condition}"
    [(seats, points)] = con.execute(query).fetchall()
    frame = score_as_played(load_hands(con, filters)).frame
    assert (len(frame), frame["points"].sum()) == (seats, points)


def test_a_filter_is_a_sentence() -> None:
    filters = Filters(players=("Ann", "Bo"), sites=("made",), tables=(2, 3), since=date(2025, 1, 1), kind="played")
    assert filters.sentence() == (
        "Results of Ann and Bo, at made, with 2 or 3 players at the table, from 2025-01-01 on, without simulated hands."
    )
    assert Filters().sentence() == "Results of everybody at the table."


def test_boards_for_another_game_stay_out_and_are_counted(hands: Hands) -> None:
    scored = score_under(hands, RULES["classic"])
    assert (scored.hands, scored.left_out[ANOTHER_GAME], scored.another_game) == (100, 300, 0)
    everything = score_under(hands, RULES["classic"], another_game=True)
    assert (everything.hands, everything.another_game) == (400, 300)
    assert "300 of the hands were built for another game." in everything.notes


def test_hands_of_unknown_rules_are_left_out_as_played() -> None:
    con = made_database(50, 2, 5)
    con.execute("UPDATE hands SET rules_key = NULL, rules = NULL, game = NULL WHERE hand_no < 20")
    hands = load_hands(con)
    scored = score_as_played(hands)
    assert (scored.label, scored.hands, scored.left_out[RULES_UNKNOWN]) == (AS_PLAYED, 30, 20)
    # A hand that does not say how it was dealt is scored under any rule set and not marked.
    assert score_under(hands, RULES["classic"]).hands == 20


def test_hands_without_a_score_are_counted_by_reason() -> None:
    con = made_database(50, 2, 5)
    con.execute("UPDATE hands SET scored = false, status = 'cancelled' WHERE hand_no < 3")
    con.execute("UPDATE hands SET scored = false WHERE hand_no = 10")
    assert load_hands(con).left_out == {"cancelled": 3, "unknown cards": 1}


def test_sources_without_sessions_are_resampled_by_days() -> None:
    con = made_database(60, 2, 12)
    con.execute("UPDATE hands SET session_id = NULL")
    hands = load_hands(con)
    [(days,)] = con.execute("SELECT count(DISTINCT played_at::DATE) FROM hands").fetchall()
    assert hands.clusters == days
    assert any("days stand in" in note for note in score_as_played(hands).notes)


def test_choices_tell_what_there_is(con: duckdb.DuckDBPyConnection) -> None:
    found = choices(con)
    assert (found.sites, found.rules, found.tables) == (["made"], ["classic", "pineapple"], [2, 3])
    assert sorted(found.players) == [f"player {n}" for n in range(1, 5)]
    assert found.heroes == ["player 1"]


def test_sessions_of_different_rule_sets_stay_apart(hands: Hands) -> None:
    """Each rule set is scored by itself; what is resampled afterwards are the sessions of all of them."""
    frame = score_as_played(hands).frame
    sessions = frame.select("rules", "session", "cluster").unique()
    assert sessions.group_by("cluster").len()["len"].max() == sessions.group_by("session").len()["len"].max()
    assert sessions["cluster"].n_unique() == sessions["session"].n_unique() == hands.clusters


def test_simulated_hands_are_told_apart_by_source_and_by_site() -> None:
    con = made_database(50, 2, 5)
    con.execute("UPDATE hands SET site = 'simulated' WHERE hand_no < 10")
    con.execute(
        "INSERT INTO sources BY NAME SELECT 7 AS source_key, 'x' AS name, '' AS sha256, 0 AS bytes, "
        "'simulated' AS format, 'simulated/1' AS parser, 0 AS read_to, now()::TIMESTAMP AS ingested_at"
    )
    con.execute("INSERT INTO hand_sources SELECT hand_key, 7, hand_no, 0 FROM hands WHERE hand_no BETWEEN 5 AND 14")
    simulated, played = (load_hands(con, Filters(kind=kind)) for kind in ("simulated", "played"))
    assert (len(simulated), len(played)) == (15, 35)


def test_sessions_have_names_that_tell_them_apart() -> None:
    """As the source calls them; else when they began, with the site and the key where that is not enough."""
    made = made_database(60, 2, 6)
    made.execute("UPDATE hands SET site = 'other' WHERE session_key IN (1, 2)")
    made.execute("UPDATE hands SET session_id = '0' WHERE session_key = 1")
    made.execute("UPDATE hands SET session_id = NULL WHERE session_key >= 3")
    made.execute("UPDATE hands SET played_at = '2025-03-01 20:15' WHERE session_key IN (3, 4)")
    made.execute("UPDATE hands SET played_at = NULL WHERE session_key = 5")
    names = dict(session_names(made).iter_rows())
    assert names == {
        0: "0 at made",
        1: "0 at other",
        2: "2",
        3: "2025-03-01 20:15 at made, 3",
        4: "2025-03-01 20:15 at made, 4",
        5: "5",
    }
    assert find_sessions(made, ["0 at other", "4", "2025-03-01 20:15 at made, 3"]) == (1, 4, 3)
    with pytest.raises(OFCError, match="expected the name of a session, as report --by session shows it, got 'six'"):
        find_sessions(made, ["2", "six"])


def test_names_of_sessions_sort_in_the_order_of_time() -> None:
    made = made_database(60, 2, 12)
    frame = with_session_names(load_hands(made).hands, session_names(made))
    assert frame.sort("session")["played_at"].is_sorted()
    assert frame["session"].cast(pl.String).unique().sort().to_list() == sorted(map(str, range(12)))

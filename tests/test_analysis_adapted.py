"""Fantasyland credit and adapted play: what rule sets would have given, and what they make people do."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from analysis.adapted import ADAPTED, FIGURES, SAME, same_and_adapted, simulated_hands
from analysis.credit import credit, shared
from analysis.filters import Filters
from analysis.scored import score_as_played, score_under
from analysis.tables import load_hands
from ingest.game.rules import RuleSet, builtin_rules, with_changes
from tests.made_hands import made_database

RULES = builtin_rules()


def ten_each(rules: RuleSet, players: int) -> dict[int, float]:
    """Every trip is worth ten points, one of 17 cards twenty; a third player changes nothing."""
    return {13: 10.0, 14: 10.0, 17: 20.0}


@pytest.fixture(scope="module")
def con():  # type: ignore[no-untyped-def]
    return made_database(900, 2, 40, "pineapple", seed=9, names=2)


def test_rules_as_played_need_no_credit(con) -> None:  # type: ignore[no-untyped-def]
    row = credit(load_hands(con, Filters(hero=True)), [RULES["pineapple"]], values=ten_each).row(0, named=True)
    assert row["given"] == row["played"] > 0
    assert (row["gained"], row["lost"], row["credit"]) == (0, 0, 0)
    assert row["with_credit"] == row["points"]


def test_lost_trips_are_taken_off(con) -> None:  # type: ignore[no-untyped-def]
    """Without Fantasyland every trip of the log is lost, ten points each, which the opponent gets."""
    never = with_changes(RULES["pineapple"], {"fantasyland.enter": [], "fantasyland.stay": []})
    hands = load_hands(con, Filters(players=("player 1",)))
    frame = score_as_played(load_hands(con)).frame
    trips = frame.group_by("player").agg((pl.col("fantasyland_next") != 0).sum()).sort("player")["fantasyland_next"]
    row = credit(hands, [never], values=ten_each).row(0, named=True)
    assert (row["given"], row["gained"], row["played"]) == (0, 0, trips[0])
    assert row["lost"] == trips[0]
    assert row["credit"] == pytest.approx(10 * (trips[1] - trips[0]) / 900)
    assert row["with_credit"] == pytest.approx(row["points"] + row["credit"])
    assert row["points"] == pytest.approx(score_under(hands, never).frame["points"].mean())


def test_trips_of_the_log_keep_their_value_where_there_are_none() -> None:
    """Rules without Fantasyland have no values of their own: those of the rules that were played stand in."""
    con = made_database(900, 3, 40, "pineapple", seed=10, names=3)
    hands = load_hands(con, Filters(players=("player 1",)))
    never = with_changes(RULES["pineapple"], {"fantasyland.enter": [], "fantasyland.stay": []})

    def values(rules: RuleSet, players: int) -> dict[int, float]:
        return ten_each(rules, players) if rules.fantasyland.enter else {}

    own, other = (credit(hands, [never], values=asked).row(0, named=True) for asked in (values, ten_each))
    assert own == other
    assert own["credit"] != 0


def test_credit_is_shared_by_opponents() -> None:
    own = np.array([12.0, 0.0, 0.0, 10.0, 4.0])
    assert shared(own, np.array([0, 3, 5])).tolist() == [12, -6, -6, 6, -6]


def test_hands_of_unknown_rules_get_no_credit() -> None:
    con = made_database(60, 2, 6)
    con.execute("UPDATE hands SET rules_key = NULL, rules = NULL WHERE hand_no < 10")
    row = credit(load_hands(con), [RULES["pineapple-aces"]], values=ten_each).row(0, named=True)
    assert (row["hands"], row["left_out"]) == (50, 10)


def test_simulated_hands_are_measured_like_stored_ones() -> None:
    hands = simulated_hands(RULES["pineapple"], 3, 200, agent="cautious", seed=4)
    assert (len(hands), len(hands.seats), hands.clusters) == (200, 600, 2)
    scored = score_as_played(hands)
    assert scored.frame["points"].sum() == 0
    assert 0 < scored.frame["fouled"].mean() < 0.6
    again = simulated_hands(RULES["pineapple"], 3, 200, agent="cautious", seed=4)
    assert again.seats.equals(hands.seats)


def test_both_answers_stand_in_one_table() -> None:
    stored = load_hands(made_database(200, 2, 30, "pineapple"))
    answer = same_and_adapted(stored, [RULES["pineapple"]], players=2, hands=200, agent="cautious")
    assert answer["play"].unique(maintain_order=True).to_list() == [SAME, ADAPTED]
    assert answer["metric"].to_list() == [*FIGURES, *FIGURES]
    # No stored hand was dealt as pineapple: adapted play alone.
    classic = load_hands(made_database(200, 2, 30, "classic"))
    alone = same_and_adapted(classic, [RULES["pineapple"]], players=2, hands=200, agent="cautious")
    assert alone["play"].unique().to_list() == [ADAPTED]
    assert alone["value"].to_list() == answer.filter(pl.col("play") == ADAPTED)["value"].to_list()

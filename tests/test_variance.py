"""Swings: courses and their thinning, downswings, bankroll against closed formulas."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from analysis.bankroll import (
    Course,
    bankroll_for,
    block_length,
    closed_risk,
    course_by_session,
    course_of,
    outcomes,
    resample,
    risk_of_ruin,
    stop_loss_effect,
    table_stakes_effect,
)
from analysis.filters import Filters
from analysis.scored import score_as_played, score_under
from analysis.tables import load_hands
from analysis.variance import course, deepest, distribution, downswings, spreads, thin, time_under_water
from ingest.game.rules import builtin_rules
from tests.made_hands import made_database

RULES = builtin_rules()


def test_downswings_of_a_course_that_a_person_can_follow() -> None:
    #         total:   3   1  -2   4   4   2   5   4
    points = np.array([3, -2, -3, 6, 0, -2, 3, -1])
    first, second, third = downswings(points)
    assert (first.depth, first.started, first.lowest, first.ended, first.hands) == (5, 1, 3, 4, 3)
    assert (second.depth, second.started, second.lowest, second.ended, second.hands) == (2, 5, 6, 7, 2)
    assert (third.depth, third.started, third.lowest, third.ended, third.hands) == (1, 7, 8, None, 1)
    assert time_under_water(points) == 4 / 8
    assert [swing.depth for swing in downswings(points, least=2)] == [5, 2]
    assert downswings(np.array([-4])) == [downswings(np.array([-4]))[0]]
    assert downswings(np.array([-4]))[0].started == 0
    assert downswings(np.array([], int)) == []


def test_a_course_runs_and_marks_sessions() -> None:
    scored = score_as_played(load_hands(made_database(200, 2, 8), Filters(players=("player 1",))))
    line = course(scored)
    points = scored.frame["points"].to_list()
    assert line["total"].to_list() == np.cumsum(points).tolist()
    assert line["hand_no"].to_list() == list(range(1, len(points) + 1))
    assert line["starts_session"].sum() == scored.frame["session"].n_unique()


def test_thinning_keeps_the_extremes_and_the_ends() -> None:
    rng = np.random.default_rng(1)
    values = np.cumsum(rng.normal(0, 10, 50_000))
    frame = pl.DataFrame({"who": "a", "x": np.arange(len(values)), "y": values})
    shown = thin(frame, "y", by="who", most=2_000)
    assert 1_000 < len(shown) <= 2_000
    assert (shown["y"].max(), shown["y"].min()) == (values.max(), values.min())
    assert (shown["x"][0], shown["x"][-1]) == (0, len(values) - 1)
    assert shown["x"].is_sorted()
    assert thin(frame[:100], "y", by="who").equals(frame[:100])


def test_a_distribution_counts_every_seat() -> None:
    scored = score_as_played(load_hands(made_database(200, 3, 8)))
    counts = distribution(scored)
    assert counts["hands"].sum() == len(scored.frame)
    assert counts["share"].sum() == pytest.approx(1)
    assert (counts["points"] * counts["hands"]).sum() == 0


def test_spreads_stand_side_by_side() -> None:
    hands = load_hands(made_database(200, 3, 30))
    every = [score_under(hands, RULES[name]) for name in ("pineapple", "pineapple-aces")]
    assert spreads(every)["rules"].to_list() == ["pineapple", "pineapple-aces"]
    assert spreads(every)["value"].to_list() == pytest.approx([every[0].frame["points"].std(ddof=0)] * 2)


def test_deepest_downswings_name_the_player() -> None:
    scored = score_as_played(load_hands(made_database(200, 2, 8)))
    found = deepest(scored, count=5)
    name = found["player"][0]
    assert deepest(scored, count=3, player=name).equals(deepest(scored, count=99).filter(player=name).head(3))
    assert len(found) == 5
    assert found["depth"].is_sorted(descending=True)
    own = scored.frame.filter(pl.col("player") == found["player"][0])["points"].to_numpy()
    assert downswings(own)[0].depth == found["depth"][0]


def diffusion(mean: float, deviation: float, hands: int, seed: int) -> Course:
    """Independent normal results in sessions of 50 hands, of this mean and deviation but for rounding."""
    points = np.random.default_rng(seed).normal(0, 1, hands)
    points = (points - points.mean()) / points.std() * deviation + mean
    return Course(np.rint(points).astype(np.int32), np.arange(0, hands + 1, 50, dtype=np.int64), "sessions")


@pytest.mark.parametrize(("mean", "bankroll"), [(0.5, 300), (0.0, 800), (-0.3, 1000), (1.0, 200)])
def test_risk_of_ruin_agrees_with_the_closed_formula(mean: float, bankroll: int) -> None:
    """Very many sessions: the worlds hardly differ, and the resampled risk is that of a diffusion."""
    horizon, deviation = 3_000, 15.0
    made = diffusion(mean, deviation, 400_000, seed=int(bankroll))
    found = risk_of_ruin(resample(made, horizon, seed=1, worlds=100, paths=60), bankroll)
    # The level is crossed by 0.58 standard deviations of a hand on average: hands are not continuous.
    exact = closed_risk(float(made.points.mean()), deviation, bankroll + 0.5826 * deviation, horizon)
    assert found.value == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 6_000) + 0.004)
    assert found.low <= found.value <= found.high


def test_the_closed_formula_at_its_edges() -> None:
    assert closed_risk(0.5, 15, 300) == pytest.approx(np.exp(-2 * 0.5 * 300 / 225))
    assert closed_risk(0.5, 15, 300, 1e9) == pytest.approx(closed_risk(0.5, 15, 300), rel=1e-6)
    assert closed_risk(0, 15, 300) == closed_risk(-1, 15, 300) == 1
    assert closed_risk(-5, 15, 3000, 1e6) == pytest.approx(1)
    assert closed_risk(0.5, 15, 0, 100) == pytest.approx(1)


def test_a_gambler_with_steps_of_one_is_ruined_as_the_textbook_says() -> None:
    """Wins 55 of 100 steps: from 10 points he is ever ruined with (45/55)^10."""
    points = np.where(np.arange(20_000) % 20 < 11, 1, -1).astype(np.int32)
    points = np.random.default_rng(2).permutation(points)
    made = Course(points, np.arange(0, len(points) + 1, 1, dtype=np.int64), "hands")
    found = risk_of_ruin(resample(made, 3_000, seed=3, worlds=100, paths=50), 10)
    assert found.value == pytest.approx((45 / 55) ** 10, abs=0.025)


def test_the_range_carries_what_is_not_known_of_the_edge() -> None:
    few, many = diffusion(0.3, 15, 2_000, seed=4), diffusion(0.3, 15, 400_000, seed=4)
    wide, narrow = (risk_of_ruin(resample(made, 5_000, seed=5), 500) for made in (few, many))
    assert wide.high - wide.low > 3 * (narrow.high - narrow.low)


def test_the_bankroll_for_a_risk_is_the_risk_of_that_bankroll() -> None:
    paths = resample(diffusion(0.2, 12, 20_000, seed=6), 4_000, seed=7)
    needed = bankroll_for(paths, 0.05)
    assert risk_of_ruin(paths, needed.value).value == pytest.approx(0.05, abs=0.003)
    assert needed.low < needed.value < needed.high


def test_outcomes_spread_as_the_root_of_the_hands() -> None:
    made = diffusion(0.0, 10, 200_000, seed=8)
    short, long = (outcomes(resample(made, hands, seed=9), (0.16, 0.84))["result"].to_list() for hands in (400, 1_600))
    assert (short[1] - short[0]) / 2 == pytest.approx(10 * 20, rel=0.06)
    assert long[1] - long[0] == pytest.approx(2 * (short[1] - short[0]), rel=0.08)


def test_streaks_inside_sessions_are_kept() -> None:
    """Sessions that go all one way swing more than the same hands shuffled."""
    streaky = np.repeat(np.random.default_rng(10).choice([-5, 5], 400), 50).astype(np.int32)
    streaky -= np.rint(streaky.mean()).astype(np.int32)
    first = np.arange(0, len(streaky) + 1, 50, dtype=np.int64)
    shuffled = np.random.default_rng(11).permutation(streaky)
    kept, lost = (resample(Course(points, first, "sessions"), 2_000, seed=12) for points in (streaky, shuffled))
    assert np.median(kept.fall) > 3 * np.median(lost.fall)


def test_the_same_seed_gives_the_same_futures() -> None:
    made = diffusion(0.1, 10, 3_000, seed=13)
    one, two = (resample(made, 500, seed=14, worlds=20, paths=10) for _ in range(2))
    assert (one.final == two.final).all()


def test_few_sessions_are_cut_into_blocks() -> None:
    scored = score_as_played(load_hands(made_database(900, 2, 3, names=2), Filters(players=("player 1",))))
    made = course_of(scored.frame)
    assert "blocks" in made.blocks
    assert (made.first[0], made.first[-1]) == (0, 900)
    assert 20 <= block_length(made.points) <= 90
    many = score_as_played(load_hands(made_database(900, 2, 40, names=2), Filters(players=("player 1",))))
    assert course_of(many.frame).blocks == f"{many.frame['session'].n_unique()} sessions"


def test_two_tables_at_once_are_two_sessions() -> None:
    frame = pl.DataFrame({"points": [1, 10, 2, 20, 3, 30, 4], "session": [7, 3, 7, 3, 7, 3, 9]})
    made = course_by_session(frame)
    assert made.points.tolist() == [1, 2, 3, 10, 20, 30, 4]
    assert made.first.tolist() == [0, 3, 6, 7]
    assert course_of(frame).points.tolist() == frame["points"].to_list()


def test_a_stop_loss_ends_sessions_and_nothing_else() -> None:
    points = np.array([-5, -6, 20, 3, -2, -30, 8], np.int32)
    made = Course(points, np.array([0, 3, 7], np.int64), "sessions")
    none, ten = stop_loss_effect(made, [10]).rows(named=True)
    assert (none["points"], none["hands"], none["stopped"]) == (-12, 7, 0)
    assert (ten["points"], ten["hands"], ten["stopped"]) == (-11 - 29, 5, 1.0)
    assert (ten["worst_session"], ten["sd_session"]) == (-29, 9)
    [single] = stop_loss_effect(Course(points, np.array([0, 7], np.int64), "sessions"), []).rows(named=True)
    assert single["sd_session"] is None
    deep = resample(made, 1_000, seed=1, worlds=5, paths=5, stop_loss=10)
    assert np.isfinite(deep.final).all()


def test_table_stakes_cap_what_a_hand_can_cost() -> None:
    hands = load_hands(made_database(400, 3, 20), Filters(players=("player 1",)))
    rows = table_stakes_effect(hands, RULES["pineapple"], [10, 40, 10_000]).rows(named=True)
    free, short, middle, deep = rows
    assert short["sd"] < middle["sd"] <= free["sd"]
    assert short["sd"] <= 10
    assert short["capped"] > middle["capped"] > 0
    assert (deep["sd"], deep["capped"]) == (free["sd"], 0)
    one = table_stakes_effect(hands.keep(np.arange(len(hands)) == 0, ""), RULES["pineapple"], [10])
    assert one["sd"].to_list() == [None, None]
    own = score_under(hands, RULES["pineapple"]).frame["points"]
    assert (free["points"], free["sd"]) == pytest.approx((own.mean(), own.std(ddof=0)))

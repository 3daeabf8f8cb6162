"""Rule sets on the same hands: sums, differences, the split of the spread, corrections."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from analysis.compare import AGAINST_BASELINE, compare
from analysis.filters import Filters
from analysis.intervals import hands_to_show
from analysis.scored import score_under
from analysis.spread import exact_covariances
from analysis.sums import COMPONENTS, layout, rule_sums
from analysis.tables import Hands, load_hands
from ingest.game.rules import builtin_rules, with_changes
from tests.made_hands import made_database

RULES = builtin_rules()
PLAYER = Filters(players=("player 1", "player 2"))


@pytest.fixture(scope="module")
def hands() -> Hands:
    return load_hands(made_database(800, 3, 40, "pineapple", seed=7, names=5), PLAYER)


@pytest.fixture(scope="module")
def everybody() -> Hands:
    return load_hands(made_database(800, 3, 40, "pineapple", seed=7, names=5))


@pytest.mark.parametrize("name", RULES)
def test_sums_are_those_of_the_seats(name: str, hands: Hands) -> None:
    """One pass over arrays and a frame of seats say the same, under every rule set."""
    frame = score_under(hands, RULES[name], another_game=True).frame
    [sums] = rule_sums(hands, layout(hands), [RULES[name]])
    points, squares, fouled, royalties, entries, stays = sums.sessions.sum(axis=0).tolist()
    assert (points, squares) == (frame["points"].sum(), (frame["points"].cast(pl.Int64) ** 2).sum())
    assert fouled == frame["fouled"].sum()
    assert royalties == frame.select(pl.sum_horizontal("value_front", "value_middle", "value_back").sum()).item()
    nexts = frame["fantasyland_next"] != 0
    assert entries == (nexts & (frame["fantasyland"] == 0)).sum()
    assert stays == (nexts & (frame["fantasyland"] != 0)).sum()
    parts = frame.select(
        rows=pl.sum_horizontal("row_front", "row_middle", "row_back"),
        scoops="scoop",
        majority="majority",
        royalties=pl.sum_horizontal("royalty_front", "royalty_middle", "royalty_back"),
        fouls="foul",
        specials="special",
    ).to_numpy()
    assert (sums.totals == parts.sum(axis=0)).all()
    assert (sums.products == parts.T.astype(np.int64) @ parts).all()


@pytest.mark.parametrize("name", ["pineapple", "classic-2-4", "naturals", "shoot-the-moon", "row-winner"])
def test_the_split_of_the_spread_adds_up_exactly(name: str, hands: Hands) -> None:
    [sums] = rule_sums(hands, layout(hands), [RULES[name]])
    seats, points, squares = (int(number) for number in sums.states.sum(axis=0))
    assert sum(map(sum, exact_covariances(sums))) == seats * squares - points**2
    answer = compare(hands, [RULES[name]], RULES[name], another_game=True)
    variance = answer.systems["sd"][0] ** 2
    assert answer.spread["contribution"].sum() == pytest.approx(variance, rel=1e-12)
    assert answer.spread["share"].sum() == pytest.approx(1)
    assert answer.states["within"].sum() + answer.states["between"].sum() == pytest.approx(variance, rel=1e-9)
    parts = answer.spread.select((pl.col("variance") + pl.col("with_others")).alias("whole"))["whole"]
    assert parts.to_list() == pytest.approx(answer.spread["contribution"].to_list())
    assert answer.covariances["covariance"].sum() == pytest.approx(variance, rel=1e-9)
    assert len(answer.covariances) == len(COMPONENTS) ** 2


def test_a_rule_set_does_not_differ_from_itself(hands: Hands) -> None:
    answer = compare(hands, [RULES["pineapple-aces"]], RULES["pineapple"])
    base, other = answer.systems.rows(named=True)
    assert base["points_p"] is None
    # Another way into Fantasyland changes no point of the hand itself.
    assert (other["points_difference"], other["sd_difference"], other["stake"]) == (0, 0, 1)
    assert (other["points_p"], other["winner_changed"], other["session_winner_changed"]) == (1, 0, 0)
    for name in AGAINST_BASELINE:
        assert (base[f"{name}_low"], base[f"{name}_high"]) == (None, None)
        assert other[f"{name}_low"] is not None
    assert other["entry_rate"] < base["entry_rate"]


def test_doubled_points_double_the_spread_and_halve_the_stake(hands: Hands) -> None:
    plain = with_changes(RULES["chinese-1-6"], {"naturals.points": {}})
    double = with_changes(plain, {"points.row": 2, "points.scoop": 6})
    none = dict.fromkeys(RULES["chinese-1-6"].naturals.points, 0)
    plain, double = (with_changes(rules, {"naturals": {"points": none}}) for rules in (plain, double))
    row = compare(hands, [double], plain, another_game=True).systems.row(1, named=True)
    base = compare(hands, [double], plain, another_game=True).systems.row(0, named=True)
    assert row["sd"] == pytest.approx(2 * base["sd"])
    assert (row["stake"], row["stake_low"], row["stake_high"]) == pytest.approx((0.5, 0.5, 0.5))
    assert row["points_per_hand"] == pytest.approx(2 * base["points_per_hand"])
    assert row["hands_for_edge"] == pytest.approx(4 * base["hands_for_edge"], rel=0.01)
    assert row["rank_correlation"] == pytest.approx(1)


def test_differences_are_paired(hands: Hands) -> None:
    """The interval of a paired difference is much narrower than the two rule sets' own."""
    row = compare(hands, [RULES["middle-trips"]], RULES["classic"], another_game=True).systems.row(1, named=True)
    own = row["points_per_hand_high"] - row["points_per_hand_low"]
    paired = row["points_difference_high"] - row["points_difference_low"]
    assert 0 < paired < own / 3
    under = [
        score_under(hands, RULES[n], another_game=True).frame["points"].mean() for n in ("middle-trips", "classic")
    ]
    assert row["points_difference"] == pytest.approx(under[0] - under[1])
    assert row["points_difference_low"] <= row["points_difference"] <= row["points_difference_high"]


def test_p_values_are_corrected_for_how_many_are_compared(hands: Hands) -> None:
    names = ["classic-2-4", "low-royalties", "treble-middle", "row-winner", "naturals"]
    chosen = [RULES[name] for name in names]
    together = compare(hands, chosen, RULES["classic"], another_game=True).systems
    alone = [compare(hands, [rules], RULES["classic"], another_game=True).systems["sd_p"][1] for rules in chosen]
    corrected = together["sd_p"][1:].to_list()
    for one, many in zip(alone, corrected, strict=True):
        assert one <= many <= min(1, one * len(names)) + 1e-12
    smallest = int(np.argmin(alone))
    assert corrected[smallest] == pytest.approx(min(1, alone[smallest] * len(names)))


def test_winners_of_hands_and_sessions_are_counted(everybody: Hands) -> None:
    """By hand: who has the most points in each hand and session under both rule sets."""
    frames = {
        name: score_under(everybody, RULES[name], another_game=True).frame for name in ("pineapple", "classic-2-4")
    }

    def winners(name: str, by: str) -> pl.Series:
        totals = frames[name].group_by(by, "player").agg(pl.col("points").sum())
        best = totals.filter(pl.col("points") == pl.col("points").max().over(by))
        return best.group_by(by).agg(pl.col("player").sort()).sort(by)["player"]

    row = compare(everybody, [RULES["classic-2-4"]], RULES["pineapple"], another_game=True).systems.row(1, named=True)
    for figure, by in (("winner_changed", "hand"), ("session_winner_changed", "session")):
        assert row[figure] == pytest.approx((winners("pineapple", by) != winners("classic-2-4", by)).mean())
    assert row["winner_changed"] > 0


def test_hands_of_another_game_stay_out_unless_asked_for(hands: Hands) -> None:
    strict = compare(hands, [RULES["classic"]], RULES["pineapple"]).systems
    assert strict.select("hands", "left_out", "another_game").rows() == [(len(hands), 0, 0), (0, len(hands), 0)]
    assert strict["sd"][1] is None
    loose = compare(hands, [RULES["classic"]], RULES["pineapple"], another_game=True).systems
    assert loose.select("hands", "left_out", "another_game").rows() == [(len(hands), 0, 0), (len(hands), 0, len(hands))]


def test_everybodys_points_are_zero_and_said_to_be(everybody: Hands) -> None:
    answer = compare(everybody, [RULES["classic"]], RULES["pineapple"], another_game=True)
    assert answer.systems["points_per_hand"].to_list() == [0, 0]
    assert any("zero under every rule set" in note for note in answer.notes)
    assert answer.systems["sd"][0] == pytest.approx(
        score_under(everybody, RULES["pineapple"]).frame["points"].std(ddof=0)
    )


def test_hands_to_show_an_edge() -> None:
    """The textbook case: a tenth of a standard deviation, five per cent, power of 80 per cent: 785 observations."""
    assert hands_to_show(1, 10) == 785
    assert hands_to_show(1, 10, design=2) == 1570


def test_hands_without_any_seats_are_no_error() -> None:
    hands = load_hands(made_database(30, 2, 3), Filters(players=("player 1",)))
    alone = hands.keep(np.arange(len(hands)) == 0, "most")
    row = compare(alone, [RULES["classic"]], RULES["pineapple"], another_game=True).systems.row(1, named=True)
    assert row["seats"] == 1
    assert row["points_p"] is None
    assert [row[name] for name in ("sd", "sd_difference", "stake", "hands_for_edge", "sd_per_hour")] == [None] * 5
    assert row["points_per_hand"] is not None


def test_one_session_alone_is_compared_by_its_hands() -> None:
    hands = load_hands(made_database(200, 2, 1), Filters(players=("player 1",)))
    row = compare(hands, [RULES["classic-2-4"]], RULES["pineapple"], another_game=True).systems.row(1, named=True)
    assert row["sessions"] == 1
    assert row["sd_low"] < row["sd"] < row["sd_high"]

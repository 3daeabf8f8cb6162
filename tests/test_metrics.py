"""The registry of figures: definitions, laws over all of them, values that a person can check."""

from __future__ import annotations

import math
import re
from pathlib import Path

import polars as pl
import pytest

from analysis.filters import Filters
from analysis.metric_list import metric_rows, metrics_markdown
from analysis.metrics import KEY_METRICS, METRICS, find_breakdown, find_metric, measure
from analysis.scored import Scored, score_as_played, score_under
from analysis.tables import load_hands
from ingest.game.errors import OFCError
from ingest.game.rules import builtin_rules
from tests.made_hands import made_database


@pytest.fixture(scope="module")
def scored() -> Scored:
    con = made_database(900, 3, 40, "pineapple", seed=3)
    made_database(300, 2, 40, "pineapple-2-7", seed=4, con=con)
    return score_as_played(load_hands(con))


def test_names_and_titles_are_said_once() -> None:
    assert len({metric.name for metric in METRICS}) == len(METRICS)
    assert len({metric.title for metric in METRICS}) == len(METRICS)
    assert all(metric.definition.endswith(".") for metric in METRICS)
    assert set(KEY_METRICS) <= {metric.name for metric in METRICS}


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(OFCError, match="got 'fouls'; known: hands, points_per_hand"):
        find_metric("fouls")
    with pytest.raises(OFCError, match="got 'moon phase'"):
        find_breakdown("moon phase")


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_laws_of_every_metric(metric, scored: Scored) -> None:  # type: ignore[no-untyped-def]
    """One row a group, intervals around values, rates in 0..1, groups that add up to the whole."""
    if not metric.can_measure(scored.frame, []):
        pytest.skip("the made hands have no data for it")
    whole = metric(scored.frame).row(0, named=True)
    groups = metric(scored.frame, ["player"])
    assert groups["player"].to_list() == sorted(scored.frame["player"].unique())
    assert groups["n"].sum() == whole["n"]
    for row in [whole, *groups.iter_rows(named=True)]:
        if row["n"] == 0:
            assert row["value"] is None or metric.method == "count"
            continue
        if metric.method == "wilson":
            assert 0 <= row["value"] <= 1
        if metric.method in ("wilson", "sessions") and row["low"] is not None:
            assert row["low"] - 1e-9 <= row["value"] <= row["high"] + 1e-9
        if metric.method in ("wilson", "sessions"):
            assert row["sessions"] <= scored.sessions
    if metric.method in ("wilson", "sessions") and whole["n"]:
        weighted = (groups["value"].fill_null(0) * groups["n"]).sum() / whole["n"]
        assert weighted == pytest.approx(whole["value"], abs=1e-9)


def value(scored: Scored, name: str) -> float:
    return float(find_metric(name)(scored.frame)["value"][0])


def test_values_are_plain_counts(scored: Scored) -> None:
    frame = scored.frame
    normal, inside = frame.filter(pl.col("fantasyland") == 0), frame.filter(pl.col("fantasyland") != 0)
    royalties = pl.col("value_front") + pl.col("value_middle") + pl.col("value_back")
    assert value(scored, "hands") == len(frame)
    assert value(scored, "foul_rate") == pytest.approx(frame["fouled"].mean())
    assert value(scored, "royalties") == pytest.approx(frame.select(royalties.mean()).item())
    assert value(scored, "entry_rate") == pytest.approx((normal["fantasyland_next"] != 0).mean())
    assert value(scored, "stay_rate") == pytest.approx((inside["fantasyland_next"] != 0).mean())
    assert value(scored, "sd_per_hand") == pytest.approx(frame["points"].std(ddof=0))
    assert value(scored, "points_in") == pytest.approx(inside["points"].mean())
    assert value(scored, "hands_per_hour") == pytest.approx(72)
    assert value(scored, "sd_per_100") == pytest.approx(10 * value(scored, "sd_per_hand"))


def test_stay_is_counted_over_fantasyland_hands_only(scored: Scored) -> None:
    assert find_metric("stay_rate")(scored.frame)["n"][0] == (scored.frame["fantasyland"] != 0).sum()
    assert find_metric("entry_rate")(scored.frame)["n"][0] == (scored.frame["fantasyland"] == 0).sum()


def test_entries_by_kind_add_up(scored: Scored) -> None:
    kinds = sum(value(scored, f"entry_{kind}") for kind in ("QQ", "KK", "AA", "trips", "low"))
    assert kinds == pytest.approx(value(scored, "entry_rate"))


def test_royalties_by_category_add_up_to_those_by_row() -> None:
    hands = load_hands(made_database(900, 3, 40, "pineapple", seed=3))
    frame = score_under(hands, builtin_rules()["pineapple"]).frame
    answer = measure(frame).filter(pl.col("metric").str.starts_with("royalties_"))
    values = dict(answer.select("metric", "value").iter_rows())
    for row in ("front", "middle", "back"):
        for over in ("royalties", "royalties_legal"):
            parts = sum(amount for name, amount in values.items() if name.startswith(f"{over}_{row}_"))
            assert parts == pytest.approx(values[f"{over}_{row}"])


def test_scoops_for_and_against_balance(scored: Scored) -> None:
    assert value(scored, "scoop_rate") == pytest.approx(value(scored, "scooped_rate"))


def test_a_few_hands_are_small_and_say_how_many_are_wanted() -> None:
    frame = score_as_played(load_hands(made_database(60, 2, 6))).frame
    row = find_metric("foul_rate")(frame).row(0, named=True)
    assert row["small"]
    half = (row["high"] - row["low"]) / 2
    wanted = find_metric("foul_rate").precision
    assert row["more_hands"] == math.ceil(len(frame) * (half / wanted) ** 2) - len(frame)


def test_no_hands_give_no_figures_and_no_error() -> None:
    frame = score_as_played(load_hands(made_database(20, 2, 3))).frame.clear()
    assert measure(frame, ["player"]).is_empty()
    assert measure(frame)["value"].drop_nulls().sum() == 0


def test_money_of_several_currencies_is_not_added_up(scored: Scored) -> None:
    mixed = scored.frame.with_columns(money=pl.when(pl.col("seat") == 0).then(pl.lit("EUR")).otherwise(pl.lit("chip")))
    assert "net_per_hand" not in measure(mixed)["metric"].to_list()
    assert len(measure(mixed, ["money"]).filter(pl.col("metric") == "net_per_hand")) == 2


def test_hands_of_one_session_count_as_independent() -> None:
    """A single session has no other to be compared with: its hands are resampled, and the figure is marked small."""
    frame = score_as_played(load_hands(made_database(200, 2, 1), Filters(players=("player 1",)))).frame
    row = find_metric("points_per_hand")(frame).row(0, named=True)
    error = frame["points"].std() / len(frame) ** 0.5
    assert (row["sessions"], row["small"]) == (1, True)
    assert row["high"] - row["low"] == pytest.approx(2 * 1.97 * error, rel=0.1)


def test_the_list_for_people_holds_every_figure() -> None:
    rows = list(metric_rows())
    assert [row[0] for row in rows] == [metric.name for metric in METRICS]
    text = metrics_markdown()
    for metric in METRICS:
        assert (f"`{metric.name}` | {metric.definition}" in text) == (metric.section != "royalties by category")


def test_the_readme_lists_the_figures_of_the_registry() -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
    found = re.search("<!-- metrics:begin -->\n(.*?)<!-- metrics:end -->", readme, re.DOTALL)
    assert found
    assert found[1] == metrics_markdown()


def test_one_hand_tells_nothing_of_how_far_hands_spread() -> None:
    frame = score_as_played(load_hands(made_database(1, 2, 1))).frame
    spread = find_metric("sd_per_hand")
    assert spread(frame.head(1))["value"].to_list() == [None]
    assert spread(frame)["value"][0] == pytest.approx(abs(frame["points"][0]))

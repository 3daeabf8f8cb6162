"""The frames behind the pages: what charts draw adds up to what the figures say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import polars as pl
import pytest

from analysis.bankroll import closed_risk
from analysis.chart_lines import depths, result_bins, ruin_curve, session_starts
from analysis.chart_rows import by_group, row_frequencies, row_royalties, spread_parts, state_parts, system_rows
from analysis.compare import compare
from analysis.filters import Filters
from analysis.key_figures import figures, left_out_notes, telling
from analysis.scored import score_as_played, score_under
from analysis.striking import best_and_worst, most_changed
from analysis.sums import COMPONENTS, STATES
from analysis.tables import load_hands
from analysis.usual import leading_players, most_played
from analysis.variance import course
from analysis.variants import ways_of_paying
from ingest.game.rules import builtin_rules
from ingest.snapshots import open_snapshot
from tests.invented import HERO, make_database

OWN = Filters(hero=True)


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    database: Path = make_database(tmp_path_factory.mktemp("frames"))
    connection, _ = open_snapshot(database)
    yield connection
    connection.close()


def test_bins_hold_every_result_once(con: duckdb.DuckDBPyConnection) -> None:
    hands = load_hands(con, OWN)
    every = [score_as_played(hands), score_under(hands, builtin_rules()["pineapple-progressive"])]
    bins = result_bins(every, most=12)
    for scored, part in zip(every, bins.partition_by("series", maintain_order=True), strict=True):
        assert part["hands"].sum() == len(scored.frame)
        assert part["share"].sum() == pytest.approx(1)
        in_first = scored.frame["points"].is_between(part["start"][0], part["last"][0]).sum()
        assert part["hands"][0] == in_first
    assert bins.select((pl.col("last") - pl.col("start")).n_unique()).item() == 1


def test_depths_are_below_the_best_so_far(con: duckdb.DuckDBPyConnection) -> None:
    lines = course(score_as_played(load_hands(con, OWN)))
    depth = depths(lines)["depth"].to_list()
    best, expected = 0, []
    for total in lines["total"]:
        best = max(best, total)
        expected.append(total - best)
    assert depth == expected
    assert min(depth) < 0


def test_players_and_sessions(con: duckdb.DuckDBPyConnection) -> None:
    scored = score_as_played(load_hands(con, Filters()))
    assert leading_players(scored)[0] == HERO, "he is at every table"
    rows = by_group(scored, "points_per_hand", "player")
    assert rows["label"][0] == HERO
    assert rows["n"].sum() == len(scored.frame)
    starts = session_starts(scored, HERO)
    assert starts[0] == 1
    assert len(starts) == 12
    assert telling(("points_per_hand", "foul_rate"), Filters()) == ["foul_rate"]
    assert telling(("points_per_hand", "foul_rate"), OWN) == ["points_per_hand", "foul_rate"]


def test_figures_without_data_are_left_out(con: duckdb.DuckDBPyConnection) -> None:
    shown = figures(score_as_played(load_hands(con, OWN)), ("hands", "hands_per_hour", "foul_rate"))
    assert [figure.metric.name for figure in shown] == ["hands", "foul_rate"]


@pytest.mark.parametrize("row", ["front", "middle", "back"])
def test_kinds_of_rows(con: duckdb.DuckDBPyConnection, row: str) -> None:
    scored = score_as_played(load_hands(con, OWN))
    legal = scored.frame.filter(~pl.col("fouled"))
    often = dict(row_frequencies(scored, row).select("label", "value").rows())
    assert often
    if row == "back":
        assert often["flush"] == pytest.approx((legal["back"] == "flush").mean())
    brings = row_royalties(scored, row)["value"].sum()
    assert brings == pytest.approx(scored.frame[f"value_{row}"].mean())


def test_parts_of_the_spread_add_up_to_it(con: duckdb.DuckDBPyConnection) -> None:
    hands = load_hands(con, OWN)
    baseline = builtin_rules()["pineapple"]
    ways = list(ways_of_paying(baseline, builtin_rules().values()).values())
    compared = compare(hands, ways, baseline)
    variances = {row["label"]: row["value"] ** 2 for row in system_rows(compared, "sd").rows(named=True)}
    assert len(variances) == len(ways) + 1
    for frame, parts in ((spread_parts(compared), COMPONENTS), (state_parts(compared), (*STATES, "between these"))):
        assert frame["label"].to_list() == list(variances)
        for row in frame.rows(named=True):
            assert sum(row[part] for part in parts) == pytest.approx(variances[row["label"]])
    assert left_out_notes(compared) == []
    [note] = left_out_notes(compare(hands, [builtin_rules()["classic"]], baseline))
    assert note.startswith("Hands left out, their boards built for another game:")
    assert note.endswith(" for classic.")


def test_striking_hands(con: duckdb.DuckDBPyConnection) -> None:
    hands = load_hands(con, OWN)
    scored = score_as_played(hands)
    best, worst = best_and_worst(con, hands, scored)
    for hand, extreme in ((best, scored.frame["points"].max()), (worst, scored.frame["points"].min())):
        [shown] = [board for name, board in zip(hand.names, hand.boards, strict=True) if name == HERO]
        assert shown.points == extreme
        assert sum(board.points for board in hand.boards) == 0
    baseline = most_played(hands)
    assert baseline is not None
    other = ways_of_paying(baseline, builtin_rules().values())["paid as treble-middle"]
    changed = most_changed(con, hands, other, baseline)
    assert changed is not None
    before, after = (score_under(hands, rules).frame["points"].cast(pl.Int64) for rules in (baseline, other))
    [shown] = [board for name, board in zip(changed.names, changed.boards, strict=True) if name == HERO]
    assert f"{shown.points:+d} points instead of" in changed.sentence
    assert (after - before).abs().max() == abs(shown.points - int(changed.sentence.split("instead of ")[1].split()[0]))
    assert most_changed(con, hands, baseline, baseline) is None


def test_without_any_spread_ruin_is_certain_or_impossible() -> None:
    assert closed_risk(-2, 0, 300, 150) == 1
    assert closed_risk(-2, 0, 300, 149) == 0
    assert closed_risk(0, 0, 300) == closed_risk(2, 0, 300) == 0


def test_chance_of_ruin_falls_with_the_bankroll(con: duckdb.DuckDBPyConnection) -> None:
    curve = ruin_curve(load_hands(con, OWN), 500, points=12)
    assert curve["bankroll"].is_sorted()
    assert curve["value"].is_sorted(descending=True)
    assert (curve["low"] <= curve["value"]).all()
    assert (curve["value"] <= curve["high"]).all()

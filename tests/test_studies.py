"""Studies: the answer in words is the one of the table, and the page shows both."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from analysis.page import render
from analysis.studies import EQUAL_RISK, STUDIES, Answer, Play, Study, find_study
from analysis.studies_page import study_page
from ingest.game.errors import OFCError


def page_of(table: pl.DataFrame, chart: tuple[str, str]) -> str:
    answer = Answer(table, "It is <so>.", chart)
    study = Study("made", "How <much>?", 100, lambda play: answer)
    return render(study_page(study, answer, command="ofc study made", hands=100, agent="fast", seed=1))


def figures(html: str) -> list[dict[str, Any]]:
    """The charts of a page as Plotly is given them: data and layout."""
    texts = html.split("</style>")[1].split("Plotly.newPlot(")[1:]
    decoder = json.JSONDecoder()
    charts = []
    for text in texts:
        data, end = decoder.raw_decode(text, text.index("["))
        layout, _ = decoder.raw_decode(text, text.index("{", end))
        charts.append({"data": data, "layout": layout})
    return charts


def rows(**columns: list[object]) -> pl.DataFrame:
    count = len(columns["metric"])
    value = pl.Series("value", [0.1 * (place + 1) for place in range(count)])
    told = {"value": value, "low": value - 0.05, "high": value + 0.1, "n": [1_234] * count, "small": [False] * count}
    return pl.DataFrame({**columns, **told})


def test_the_page_names_its_axes_and_stands_alone() -> None:
    table = rows(
        rules=["classic", "classic", "a<b>", "a<b>"],
        players=[2, 3, 2, 3],
        metric=["sd_per_hand", "foul_rate_normal"] * 2,
    )
    html = page_of(table, ("players", "rules"))
    assert "How &lt;much&gt;?" in html
    assert "It is &lt;so&gt;." in html
    assert 'name="viewport"' in html
    assert not re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="', html)
    spread, fouls = figures(html)
    assert spread["layout"]["xaxis"]["title"]["text"] == "points"
    assert fouls["layout"]["xaxis"]["title"]["text"] == "shares of hands"
    assert fouls["layout"]["xaxis"]["tickformat"] == ".0%"
    for chart in (spread, fouls):
        assert chart["layout"]["yaxis"]["title"]["text"] == "players at the table"
    assert "<td>10.0 %" not in html
    assert "0.10\n0.05 to 0.20" in html
    assert "20.0 %\n15.0 % to 30.0 %" in html
    assert "1,234" in html


def test_figures_in_one_unit_share_a_chart_where_their_names_tell_them_apart() -> None:
    table = rows(
        rules=["classic"] * 4,
        players=[2] * 4,
        metric=["entry_rate", "stay_rate", "value of 13 cards", "value of 14 cards"],
    )
    shares, points = figures(page_of(table, ("rules", "metric")))
    # The first of the legend is drawn last, on top.
    assert [trace["name"] for trace in shares["data"]] == ["Stays in Fantasyland", "Enters Fantasyland"]
    assert [trace["name"] for trace in points["data"]] == ["Value of 14 cards", "Value of 13 cards"]
    assert shares["layout"]["legend"]["traceorder"] == "reversed"


def test_the_stakes_of_the_sentence_are_those_of_the_table() -> None:
    answer = find_study("stakes").find(Play(100, agent="random"))
    stakes = answer.table.filter(pl.col("metric") == EQUAL_RISK)
    for rules, players in (("classic", 4), ("pineapple", 2)):
        [value] = stakes.filter((pl.col("rules") == rules) & (pl.col("players") == players))["value"]
        assert f"for {value:.2f} (" in answer.sentence
    assert set(stakes.filter(pl.col("rules") == "chinese-1-6")["value"]) == {5.0}


def test_the_command_writes_table_and_page(tmp_path: Path, ofc: Callable[..., Any]) -> None:
    run = ofc("study", "positions", "--hands", 100, "--agent", "random", "--out", tmp_path)
    assert run.code == 0, run.err
    table = pl.read_csv(tmp_path / "positions.csv")
    [chart] = figures((tmp_path / "positions.html").read_text("utf-8"))
    drawn = {(trace["name"], place) for trace in chart["data"] for place in trace["y"]}
    assert drawn == set(table.select("rules", "position").rows())
    assert chart["layout"]["yaxis"]["title"]["text"].startswith("position")


def test_an_unknown_study_is_answered_with_the_known_ones() -> None:
    with pytest.raises(OFCError, match=f"known: {STUDIES[0].name}"):
        find_study("nothing")

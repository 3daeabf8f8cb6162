"""The parts of the dashboard that need no page: colours, boards, escaping, the command, what its sources may hold."""

from __future__ import annotations

import re
import socket
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest

from analysis.examples import example, judge_boards
from analysis.filters import Filters
from analysis.imports import raw_text
from analysis.key_figures import Figure
from analysis.metrics import find_metric
from analysis.variants import ways_of_paying
from dashboard import charts, escape
from dashboard.boards import board_svg
from dashboard.command_lines import command_line
from dashboard.commands import check_port, free_port, run_dashboard
from dashboard.theme import ROW_COLOURS, SERIES
from dashboard.wording import count_text
from ingest.game.board import parse_board
from ingest.game.cards import CARD_NAMES
from ingest.game.errors import OFCError
from ingest.game.rules import builtin_rules

FOLDER = Path(__file__).resolve().parents[1] / "dashboard"
SVG = "{http://www.w3.org/2000/svg}"


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def config() -> dict[str, Any]:
    return tomllib.loads((FOLDER / ".streamlit" / "config.toml").read_text("utf-8"))


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_colours_stand_out(mode: str) -> None:
    theme = config()["theme"][mode]
    for colour in {*SERIES, *ROW_COLOURS.values()}:
        assert contrast(colour, theme["backgroundColor"]) >= 2.9, colour
    for ground in ("backgroundColor", "secondaryBackgroundColor"):
        assert contrast(theme["textColor"], theme[ground]) >= 7


def test_it_stays_on_this_machine_and_tells_nobody() -> None:
    assert config()["server"]["address"] == "127.0.0.1"
    assert config()["browser"]["gatherUsageStats"] is False


def test_sources_hold_no_unsafe_markup_and_views_compute_nothing() -> None:
    views = sorted((FOLDER / "views").glob("*.py"))
    assert len(views) > 5
    for path in sorted(FOLDER.rglob("*.py")):
        text = path.read_text("utf-8")
        for word in ("unsafe_allow_html", "st.html(", "components.v1", "http://", "https://"):
            if word == "http://" and path.name in ("boards.py", "commands.py", "escape.py"):
                continue
            assert word not in text, f"{path.name}: {word}"
        if path in views:
            for word in ("group_by", "SELECT ", ".sql(", ".execute(", ".with_columns(", "import duckdb"):
                assert word not in text, f"{path.name}: {word}"


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        "![x](http://example.invalid/x.png)",
        "[a](b)",
        "a_b*c*",
        "$x$",
        ":tada:",
        "1. x",
        "# x",
        "WWW.example.invalid",
        "me@example.invalid",
    ],
)
def test_markdown_is_escaped(name: str) -> None:
    escaped = escape.markdown(name)
    assert escaped.replace("\\", "").replace("\u2060", "") == name
    assert all(escaped[place - 1] == "\\" for place, sign in enumerate(escaped) if sign in "<>[]()*_$:#!`")


@pytest.mark.parametrize("name", ["https://example.invalid", "Www.example.invalid", "me@example.invalid"])
def test_no_name_becomes_a_link(name: str) -> None:
    """Markdown makes a link of what looks like one, after it has taken the backslashes away."""
    shown = escape.markdown(name).replace("\\", "")
    assert not re.search(r"https?://|www\.|[-.\w+]@[-\w]", shown, re.IGNORECASE)


def test_labels_are_escaped() -> None:
    assert escape.label("<b>x</b>\n&") == "&lt;b&gt;x&lt;/b&gt; &amp;"


def test_board_as_svg() -> None:
    board = parse_board("Kh Kd 5s / 9c 9h 4d 4s Jc / Qs Qd 7h Qh 7c")
    root = ElementTree.fromstring(board_svg(board, "<script>", ("KK, 8", "two pair", "full house, 6"), "fouled"))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert texts[0] == "<script>"
    assert [text for text in texts if text in ("K", "5", "9", "4", "J", "Q", "7")] == list("KK59944JQQ7Q7")
    assert "full house, 6" in texts
    assert not list(root.iter(f"{SVG}script"))


def test_board_with_gaps_and_jokers() -> None:
    slots = np.array([255, 52, 254, *range(10)], np.uint8)
    texts = [element.text for element in ElementTree.fromstring(board_svg(slots)).iter(f"{SVG}text")]
    assert texts[:2] == ["?", CARD_NAMES[52]]


def test_the_example_shows_what_rules_pay() -> None:
    first, second, third = example(builtin_rules()["pineapple"])
    assert (first.fantasyland_next, second.fantasyland_next, third.fouled) == (14, 0, True)
    assert first.rows == ("QQ", "two pair", "full house")
    assert first.values == (7, 0, 6)
    assert second.values == (1, 2, 4)
    assert first.points + second.points + third.points == 0
    low = example(builtin_rules()["pineapple-2-7"])
    assert (low[0].fantasyland_next, low[0].rows[1], low[2].fouled) == (15, "7-5-4-3-2", True)


def test_a_judged_board_says_what_is_special() -> None:
    board = np.stack(
        [
            parse_board("Ah Kh Qh / Jh Th 9h 8h 7h / 6h 5h 4h 3h 2h"),
            parse_board("2c 3d 4s / 5c 5d 6s 7c 8d / 9c 9d Ts Jc Qd"),
        ]
    )
    dragon, other = judge_boards(builtin_rules()["chinese-1-6"], board, [14, -1])
    assert "clean dragon" in dragon.tag
    assert "Fantasyland 14" in dragon.tag
    assert other.tag.startswith("Fantasyland")
    assert dragon.points == 108 == -other.points


def test_ways_of_paying_keep_the_deal() -> None:
    rules = builtin_rules()
    ways = ways_of_paying(rules["pineapple"], rules.values())
    assert "paid as classic-2-4" in ways
    assert "paid as pineapple-progressive" not in ways, "it pays as pineapple does"
    for way in ways.values():
        assert way.deal == rules["pineapple"].deal
        assert way.fantasyland == rules["pineapple"].fantasyland
    assert ways["paid as classic-2-4"].points.majority == 1
    assert ways["paid as low-royalties"].royalties == rules["low-royalties"].royalties


def test_dots_mark_small_samples() -> None:
    frame = pl.DataFrame(
        {
            "label": ["a", "b"],
            "value": [0.2, 0.4],
            "low": [0.1, None],
            "high": [0.3, None],
            "n": [90, 3],
            "small": [False, True],
        }
    )
    sure, unsure = charts.dots(frame, "share", percent=True).data
    assert (sure.marker.symbol, unsure.marker.symbol) == ("circle", "circle-open")
    assert (list(sure.y), list(unsure.y)) == (["a"], ["b"])


def test_differences_of_nothing_stand_in_the_middle() -> None:
    columns = {"label": ["a"], "value": [0.0], "low": [None], "high": [None], "n": [90], "small": [False]}
    frame = pl.DataFrame(columns, schema_overrides={"low": pl.Float64, "high": pl.Float64})
    assert list(charts.dots(frame, "points", zero=True).layout.xaxis.range) == [-1, 1]
    wider = charts.dots(frame.with_columns(high=pl.lit(2.0)), "points", zero=True).layout.xaxis
    assert (wider.range, wider.rangemode) == (None, "tozero")


def test_dots_by_series_keep_the_lines_together() -> None:
    frame = pl.DataFrame(
        {"label": ["a", "a", "b"], "series": ["x", "y", "x"], "value": [1.0, 2.0, 3.0], "low": [0.5, 1.5, 2.5]}
    ).with_columns(high=pl.col("value") + 0.5, n=pl.lit(7), small=pl.lit(False))
    figure = charts.dots_by_series(frame, "points")
    assert {trace.name: list(trace.y) for trace in figure.data} == {"x": ["a", "b"], "y": ["a"]}
    assert list(figure.layout.yaxis.categoryarray) == ["b", "a"]


def test_a_command_names_the_database_that_is_not_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OFC_DB", raising=False)
    assert command_line("report", Filters(players=("a b",))) == "ofc report '--player=a b'"
    monkeypatch.setenv("OFC_DB", "/some where/x.duckdb")
    assert command_line("report", Filters()) == "ofc report '--db=/some where/x.duckdb'"


def test_counts_in_words() -> None:
    def figure(name: str, n: int) -> Figure:
        return Figure(find_metric(name), 1.0, 0.5, 1.5, n, 3, False, None)

    assert count_text(figure("hands_per_hour", 66_012)) == "n 18.3 hours of play"
    assert count_text(figure("entry_rate", 1)) == "n 1 normal hand"
    assert count_text(figure("hands", 7)) == "in 3 sessions"


def test_reject_text_survives_what_is_no_text() -> None:
    import zstandard

    assert raw_text(None) == ""
    assert raw_text(zstandard.compress(b"\xff\x00x")) == "\ufffd\x00x"


def test_port_that_is_taken_is_refused() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(OFCError, match=f"expected a free port, got {port}"):
            check_port(port)
        assert free_port(port) != port


def test_flags_outweigh_a_reader_s_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    called: list[list[str]] = []
    monkeypatch.setattr("streamlit.web.cli.main", lambda arguments, prog_name: called.append(arguments))
    monkeypatch.setenv("OFC_DB", "elsewhere")
    run_dashboard(free_port(18_500), browser=False, db=tmp_path / "x.duckdb")
    [[command, script, *flags]] = called
    assert (command, Path(script)) == ("run", FOLDER / "app.py")
    assert {"--server.address=127.0.0.1", "--server.headless=true", "--browser.gatherUsageStats=false"} <= set(flags)
    import os

    assert os.environ["OFC_DB"] == str(tmp_path / "x.duckdb")


def test_command_explains_itself(ofc: Callable[..., Any]) -> None:
    run = ofc("dashboard", "--help")
    assert run.code == 0
    assert "this machine only" in run.out

"""The page of a study: question and answer, and for each kind of figure a chart with its table."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import plotly.graph_objects as go
import polars as pl

from analysis.metrics import METRICS
from analysis.output import show_interval, show_number
from analysis.page import INK, SERIES, Block, Line, Page, new_chart
from analysis.studies import EQUAL_RISK, Answer, Study

# Columns of a study's table in words, as a chart names them and, shorter, a table.
_WORDS = {
    "rules": ("rule set", "rule set"),
    "players": ("players at the table", "players"),
    "position": ("position (1: first to act, last: button)", "position"),
    "royalties_times": ("royalties, times the usual", "royalties, times"),
    "play": ("play", "play"),
}
_METRICS = {metric.name: metric for metric in METRICS}
_ROW, _DOT, _FRAME = 14, 16, 130


def study_page(study: Study, answer: Answer, *, command: str, hands: int, agent: str, seed: int) -> Page:
    """What a study found, as a page."""
    played = f"{hands:,} hands at each table, played by agents of the kind {agent}. Bars and ranges: 95 % intervals."
    said = Block("The answer", [answer.sentence, played])
    rules = answer.table["rules"].unique(maintain_order=True).to_list()
    return Page(study.question, command, seed, rules, [said, *_figures(answer)])


def _figures(answer: Answer) -> Iterator[Block]:
    """Each kind of figure; where figures are told apart by their names, those in the same unit are of one kind."""
    names = answer.table["metric"].unique(maintain_order=True).to_list()
    together = answer.chart[1] == "metric"
    kinds = {name: _unit(name) if together else name for name in names}
    for kind in dict.fromkeys(kinds.values()):
        own = [name for name in names if kinds[name] == kind]
        part = answer.table.filter(pl.col("metric").is_in(own))
        heading = ", ".join(map(_title, own)) if len(own) < 3 else f"{_title(own[0])} to {_title(own[-1]).lower()}"
        yield Block(heading, charts=[_chart(part, *answer.chart)])
        yield _table(part, with_names=together)


def _title(name: str) -> str:
    """A figure in words."""
    return _METRICS[name].title if name in _METRICS else name[:1].upper() + name[1:]


def _unit(name: str) -> str:
    """What a figure is measured in."""
    if name == EQUAL_RISK:
        return "chips a point"
    if name not in _METRICS or _METRICS[name].unit == "points":
        return "points"
    return f"shares of {_METRICS[name].over.split(' ')[-1]}"


def _is_share(name: str) -> bool:
    return _unit(name).startswith("shares")


def _chart(table: pl.DataFrame, across: str, series: str) -> go.Figure:
    """One line for each case, a dot with its interval for each series."""
    name = table["metric"][0]
    shown = table.with_columns(pl.col(across, series).cast(pl.String))
    cases = [escape(case) for case in shown[across].unique(maintain_order=True)]
    parts = list(zip(shown.partition_by(series, maintain_order=True), SERIES * len(shown), strict=False))
    chart = new_chart(_unit(name), _WORDS[across][0])
    # Upwards from the last, so that the first one of the legend stands on top.
    for part, colour in reversed(parts):
        told = part[series][0]
        chart.add_scatter(
            x=part["value"].to_list(),
            y=[escape(case) for case in part[across]],
            orientation="h",
            error_x={
                "type": "data",
                "symmetric": False,
                "array": (part["high"] - part["value"]).to_list(),
                "arrayminus": (part["value"] - part["low"]).to_list(),
                "width": 0,
            },
            mode="markers",
            marker={"color": colour, "size": 9},
            name=escape(_title(told) if series == "metric" else told),
            hovertemplate="%{y}: %{x:.1%}" if _is_share(name) else "%{y}: %{x:.2f}",
        )
    legend = {"traceorder": "reversed", "title": {"text": "" if series == "metric" else f"{_WORDS[series][0]}  "}}
    chart.update_layout(
        height=_FRAME + len(cases) * (_ROW + _DOT * len(parts)),
        scattermode="group",
        scattergap=0.4,
        showlegend=len(parts) > 1,
        legend=legend,
    )
    chart.update_xaxes(tickformat=".0%" if _is_share(name) else None, zeroline=True, zerolinecolor=INK, nticks=6)
    chart.update_yaxes(type="category", categoryorder="array", categoryarray=cases[::-1])
    return chart


def _table(table: pl.DataFrame, *, with_names: bool) -> Block:
    """The figures of a chart, each with its interval and count; small samples are grey."""
    labels = [name for name in _WORDS if name in table.columns]
    # A position says of how many; one size of table for all is told below.
    alike = table["players"].n_unique() == 1
    if alike or "position" in labels:
        labels.remove("players")
    lines = []
    for row in table.iter_rows(named=True):
        form = "share" if _is_share(row["metric"]) else "points"
        cells = [str(row[name]) for name in labels] + ([_title(row["metric"])] if with_names else [])
        value = f"{show_number(row['value'], form)}\n{show_interval(row['low'], row['high'], form)}"
        count = "" if row["n"] is None else f"{row['n']:,}"
        lines.append(Line((*cells, value, count), bool(row["small"])))
    head = (*(_WORDS[name][1] for name in labels), *(["figure"] if with_names else []), _unit(table["metric"][0]), "n")
    note = "n: hands of single players that count. Grey: few sessions, or an interval wider than one would want."
    if alike:
        note = f"Tables of {table['players'][0]}. {note}"
    numbers = ("players", "royalties_times")
    words = tuple(place for place in range(len(head) - 2) if place >= len(labels) or labels[place] not in numbers)
    return Block("", [note], head, lines, words=words)

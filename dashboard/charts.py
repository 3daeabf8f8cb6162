"""Frames into charts. No Streamlit here: a chart is a Plotly figure under the project's own template.

Every figure says what its axes count; names that others wrote are shown as text. None draws more than some 2,000
points, and none uses WebGL, of which a browser has only a few contexts.
"""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
import polars as pl

from dashboard.escape import label
from dashboard.theme import GREY, LOSS, NEUTRAL, SERIES, TEMPLATE

_ROW_HEIGHT, _FRAME_HEIGHT, _LEAST_HEIGHT = 30, 84, 150
_LINE_HEIGHT = 380
_LONGEST_NAME = 30


def _figure(height: int, **layout: object) -> go.Figure:
    """An empty figure. What the page may not replace by its own colours and fonts is said here, not in the template."""
    figure = go.Figure()
    figure.update_layout(template=TEMPLATE, height=height, margin={"l": 4, "r": 16, "t": 8, "b": 4, "pad": 4}, **layout)
    figure.update_xaxes(showgrid=True, zeroline=False, tickfont={"size": 13})
    figure.update_yaxes(tickfont={"size": 13})
    return figure


def _bars(rows: pl.DataFrame) -> dict[str, object]:
    """Intervals as Plotly's error bars."""
    return {
        "type": "data",
        "symmetric": False,
        "array": rows.select(pl.col("high") - pl.col("value")).to_series().to_list(),
        "arrayminus": rows.select(pl.col("value") - pl.col("low")).to_series().to_list(),
        "thickness": 2,
        "width": 0,
    }


def _name_lines(figure: go.Figure, texts: Sequence[str]) -> None:
    """The lines of a chart in the order of `texts`, the first on top; long names are cut, hovering shows them."""
    names = [label(text) for text in texts]
    shown = [label(text if len(text) <= _LONGEST_NAME else text[: _LONGEST_NAME - 1] + "…") for text in texts]
    figure.update_yaxes(
        type="category",
        categoryorder="array",
        categoryarray=names[::-1],
        tickmode="array",
        tickvals=names,
        ticktext=shown,
        showgrid=False,
    )


def dots(
    frame: pl.DataFrame, axis: str, *, percent: bool = False, colour: str = SERIES[0], zero: bool = False
) -> go.Figure:
    """One line per row: a dot at the value, a bar over its interval; a small sample is grey and hollow.

    `frame`: label, value, low, high, n, small. `axis` names what is measured, with its unit; `zero` draws a line at 0.
    """
    figure = _figure(max(_LEAST_HEIGHT, _FRAME_HEIGHT + _ROW_HEIGHT * len(frame)), showlegend=False)
    form = ".1%" if percent else ".2f"
    for small in (False, True):
        part = frame.filter(pl.col("small") == small)
        if part.is_empty():
            continue
        figure.add_scatter(
            x=part["value"].to_list(),
            y=[label(text) for text in part["label"]],
            error_x=_bars(part),
            mode="markers",
            marker={
                "size": 10,
                "color": GREY if small else colour,
                "symbol": "circle-open" if small else "circle",
                "line": {"width": 2, "color": GREY if small else colour},
            },
            cliponaxis=False,
            customdata=part.select("low", "high", "n").rows(),
            hovertemplate=(
                f"<b>%{{y}}</b><br>%{{x:{form}}} (%{{customdata[0]:{form}}} to %{{customdata[1]:{form}}})"
                f"<br>n %{{customdata[2]:,}}{'<br>small sample' if small else ''}<extra></extra>"
            ),
        )
    _name_lines(figure, frame["label"].to_list())
    figure.update_xaxes(title_text=axis, tickformat="~%" if percent else None, zeroline=zero, nticks=5, tickangle=0)
    if zero:
        nothing = (
            frame.select(
                pl.max_horizontal(pl.col("value", "low", "high").cast(pl.Float64).abs()).max().fill_null(0)
            ).item()
            == 0
        )
        # Zeros alone stand in the middle, not on their labels.
        figure.update_xaxes(**({"range": [-1, 1]} if nothing else {"rangemode": "tozero"}))
    if percent:
        # A little room left of 0, so that a dot there does not lie on its label.
        most = frame.select(pl.max_horizontal("value", "high").max().fill_null(1)).item() or 1
        figure.update_xaxes(range=[-0.04 * most, 1.05 * most])
    return figure


def dots_by_series(frame: pl.DataFrame, axis: str, *, percent: bool = False) -> go.Figure:
    """As `dots`, several dots a line, one for each series. `frame` has a column `series` more."""
    lines = frame["label"].unique(maintain_order=True).to_list()
    parts = frame.partition_by("series", maintain_order=True)
    height = _FRAME_HEIGHT + 40 + 18 * len(parts) * max(len(lines), 2)
    figure = _figure(height, scattermode="group", scattergap=0.35)
    form = ".1%" if percent else ".2f"
    # Upwards from the last, so that the first one of the legend stands on top.
    for place, part in reversed(list(enumerate(parts))):
        colour = SERIES[place % len(SERIES)]
        figure.add_scatter(
            x=part["value"].to_list(),
            y=[label(text) for text in part["label"]],
            orientation="h",
            error_x=_bars(part),
            mode="markers",
            name=label(part["series"][0]),
            marker={"size": 9, "color": colour},
            cliponaxis=False,
            customdata=part.select("low", "high", "n").rows(),
            hovertemplate=(
                f"%{{x:{form}}} (%{{customdata[0]:{form}}} to %{{customdata[1]:{form}}})<br>n %{{customdata[2]:,}}"
            ),
        )
    figure.update_layout(legend={"traceorder": "reversed"})
    _name_lines(figure, lines)
    figure.update_xaxes(
        title_text=axis, tickformat="~%" if percent else None, nticks=5, tickangle=0, rangemode="tozero"
    )
    return figure


def cumulative(frame: pl.DataFrame, players: Sequence[str], session_starts: Sequence[int] = ()) -> go.Figure:
    """Running totals of points, a line for each of `players`, with a fine upright line where each session starts.

    `frame`: player, hand_no (counted from 1), total. `session_starts`: numbers of hands.
    """
    figure = _figure(_LINE_HEIGHT, hovermode="x unified")
    for place, player in enumerate(players):
        line = frame.filter(pl.col("player") == player)
        figure.add_scatter(
            x=line["hand_no"].to_list(),
            y=line["total"].to_list(),
            mode="lines",
            name=label(player),
            line={"width": 2, "color": SERIES[place % len(SERIES)]},
            hovertemplate="%{y:+,.0f} points",
        )
    figure.update_layout(showlegend=len(players) > 1)
    figure.update_xaxes(title_text="hands played", tickformat=",d", hoverformat=",d", rangemode="tozero")
    figure.update_yaxes(title_text="points won in all", tickformat=",d", zeroline=True)
    for hand in session_starts:
        figure.add_vline(x=hand, line={"width": 1, "color": GREY, "dash": "dot"}, opacity=0.35, layer="below")
    return figure


def histogram(frame: pl.DataFrame, axis: str) -> go.Figure:
    """How often each result came: the first series as bars, the others as lines over them.

    `frame`: series, start and last (results that the bin holds), share, hands.
    """
    figure = _figure(_LINE_HEIGHT, bargap=0.04)
    parts = frame.partition_by("series", maintain_order=True)
    for place, part in enumerate(parts):
        shared = {
            "x": part.select((pl.col("start") + pl.col("last")) / 2).to_series().to_list(),
            "y": part["share"].to_list(),
            "name": label(part["series"][0]),
            "customdata": part.select("start", "last", "hands").rows(),
            "hovertemplate": "%{customdata[0]:+d} to %{customdata[1]:+d} points: %{y:.1%} of hands, %{customdata[2]:,}",
        }
        colour = SERIES[place % len(SERIES)]
        if place:
            figure.add_scatter(**shared, mode="lines", line={"width": 2.5, "color": colour, "shape": "hvh"})
        else:
            width = part.select(pl.col("last") - pl.col("start") + 1).to_series()
            figure.add_bar(
                **shared, width=width.to_list(), marker={"color": colour, "line": {"width": 0}}, opacity=0.85
            )
    figure.update_layout(showlegend=len(parts) > 1)
    figure.update_xaxes(title_text=axis, tickformat="d", zeroline=True)
    figure.update_yaxes(title_text="share of hands", tickformat=".0%")
    return figure


def under_water(frame: pl.DataFrame) -> go.Figure:
    """How far the running total lies below its best so far. `frame`: hand_no, depth (0 or less)."""
    figure = _figure(260, showlegend=False)
    figure.add_scatter(
        x=frame["hand_no"].to_list(),
        y=frame["depth"].to_list(),
        mode="lines",
        fill="tozeroy",
        line={"width": 1.5, "color": LOSS},
        fillcolor="rgba(213, 94, 0, 0.18)",
        hovertemplate="hand %{x:,}: %{y:,.0f} points<extra></extra>",
    )
    figure.update_xaxes(title_text="hands played", tickformat=",d", rangemode="tozero")
    figure.update_yaxes(title_text="points below the best so far", tickformat=",d")
    return figure


def ruin(frame: pl.DataFrame) -> go.Figure:
    """The chance of ruin by bankroll, with its range. `frame`: bankroll, value, low, high."""
    figure = _figure(_LINE_HEIGHT, showlegend=False, hovermode="x unified")
    bankrolls = frame["bankroll"].to_list()
    figure.add_scatter(
        x=bankrolls + bankrolls[::-1],
        y=frame["high"].to_list() + frame["low"].to_list()[::-1],
        fill="toself",
        fillcolor="rgba(31, 131, 196, 0.18)",
        line={"width": 0},
        mode="lines",
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=bankrolls,
        y=frame["value"].to_list(),
        mode="lines",
        line={"width": 2.5, "color": SERIES[0]},
        customdata=frame.select("low", "high").rows(),
        hovertemplate="%{y:.1%} (%{customdata[0]:.1%} to %{customdata[1]:.1%})<extra></extra>",
    )
    figure.update_xaxes(title_text="bankroll, points", tickformat=",d", hoverformat=",.0f", rangemode="tozero")
    figure.update_yaxes(title_text="chance to lose it", tickformat=".0%", range=[0, 1])
    return figure


def stacked(frame: pl.DataFrame, parts: Sequence[str], axis: str) -> go.Figure:
    """One bar per row, split into parts; parts may be negative. `frame`: label and a column for each of `parts`."""
    figure = _figure(_FRAME_HEIGHT + 60 + _ROW_HEIGHT * len(frame), barmode="relative", bargap=0.35)
    names = [label(text) for text in frame["label"]]
    colours = (*SERIES, "#5aa0a8", "#8a6d5a", "#9c8fd0", NEUTRAL)
    for place, part in enumerate(parts):
        figure.add_bar(
            x=frame[part].to_list(),
            y=names,
            orientation="h",
            name=part.replace("_", " "),
            marker={"color": colours[place % len(colours)], "line": {"width": 0}},
            hovertemplate="%{y}: %{x:.2f}",
        )
    _name_lines(figure, frame["label"].to_list())
    figure.update_xaxes(title_text=axis, zeroline=True, nticks=6)
    return figure

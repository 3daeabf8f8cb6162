"""Reports and comparisons as pages: the same figures as on the command line, with charts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go
import polars as pl

from analysis import adapted, credit
from analysis.compare import Comparison
from analysis.metrics import find_metric
from analysis.output import is_shown, show_interval, show_number
from analysis.page import ACCENT, INK, SECOND, Block, Line, Page, new_chart
from analysis.report import SCORED_UNDER, Report
from analysis.scored import Scored
from analysis.sums import COMPONENTS
from analysis.variance import course, distribution
from analysis.wording import counted

# Lines that can be told apart in one chart.
MOST_LINES = 6
STAKE = "Stake of equal risk: the point value that carries the same risk as 1 under the baseline."
# What rule sets are put side by side by, in a report under several.
_SIDE_BY_SIDE = ("points_per_hand", "sd_per_hand", "foul_rate", "royalties")


def report_page(every: Sequence[Scored], report: Report, *, command: str, seed: int = 0) -> Page:
    """A player's, a session's or everybody's report as a page: the figures of `report`, and charts of the hands."""
    filled = [scored for scored in every if scored.hands] or every[:1]
    # Points from single opponents have no course.
    blocks = [_course(filled[0]), _distribution(filled)] if "session" in filled[0].frame.columns else []
    table = _groups if report.by else _figures
    blocks += [table(report, scored.label) for scored in every]
    side_by_side = [name for name in _SIDE_BY_SIDE if name in report.metrics]
    if len(filled) > 1 and not report.by and side_by_side:
        blocks.insert(0, _key_figures(filled, report.figures, side_by_side))
    title = f"Open Face Chinese report: {every[0].filters.sentence()}"
    return Page(title, command, seed, [scored.label for scored in every], blocks)


def comparison_page(
    comparison: Comparison,
    *,
    command: str,
    credits: pl.DataFrame | None = None,
    both: pl.DataFrame | None = None,
    seed: int = 0,
) -> Page:
    """A comparison of rule sets as a page, with Fantasyland credit and adapted play where they were asked for."""
    systems = comparison.systems.filter(pl.col("seats") > 0)
    blocks = [
        Block(
            f"Against {comparison.baseline}",
            [*comparison.notes, STAKE],
            ("rule set", "hands", "sessions", "points per hand", "difference", "p", "sd per hand", "difference", "p"),
            [_system_line(row) for row in systems.iter_rows(named=True)],
            charts=[_stakes(systems)],
        ),
        Block(
            "Rates, and who wins",
            (),
            (
                "rule set", "fouls", "royalties a hand", "enters Fantasyland", "stays", "another winner, hands",
                "another winner, sessions", "rank correlation", "stake of equal risk",
                f"hands to show {comparison.edge:g} a hand",
            ),
            [_rates_line(row) for row in systems.iter_rows(named=True)],
        ),
        _spread(comparison, systems),
        *([] if credits is None else [_credit(credits)]),
        *([] if both is None else [_adapted(both)]),
    ]  # fmt: skip
    return Page("Rule sets side by side", command, seed, systems["rules"].to_list(), blocks)


def _with_interval(row: dict[str, object], name: str, unit: str) -> str:
    value, low, high = (row[key] for key in (name, f"{name}_low", f"{name}_high"))
    shown = show_number(value, unit)  # type: ignore[arg-type]
    if low is None or low == high:
        return shown
    return f"{shown}\n{show_interval(low, high, unit)}"  # type: ignore[arg-type]


def _system_line(row: dict[str, object]) -> Line:
    return Line(
        (
            str(row["rules"]),
            show_number(row["hands"], "hands"),  # type: ignore[arg-type]
            show_number(row["sessions"], "hands"),  # type: ignore[arg-type]
            _with_interval(row, "points_per_hand", "signed"),
            _with_interval(row, "points_difference", "signed"),
            _p_value(row["points_p"]),
            _with_interval(row, "sd", "points"),
            _with_interval(row, "sd_difference", "signed"),
            _p_value(row["sd_p"]),
        )
    )


def _rates_line(row: dict[str, object]) -> Line:
    names = ("foul_rate", "royalties", "entry_rate", "stay_rate", "winner_changed", "session_winner_changed")
    cells = [_with_interval(row, name, "points" if name == "royalties" else "share") for name in names]
    ends = (show_number(row["rank_correlation"], "points"), _with_interval(row, "stake", "points"))  # type: ignore[arg-type]
    return Line((str(row["rules"]), *cells, *ends, show_number(row["hands_for_edge"], "hands")))  # type: ignore[arg-type]


def _p_value(value: object) -> str:
    if not isinstance(value, float):
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _stakes(systems: pl.DataFrame) -> go.Figure:
    chart = new_chart("stake of equal risk", "")
    rows = systems.reverse()
    low, high, value = (rows[name].fill_null(rows["stake"]) for name in ("stake_low", "stake_high", "stake"))
    chart.add_scatter(
        x=value.to_list(),
        y=[escape(name) for name in rows["rules"]],
        mode="markers",
        marker={"color": ACCENT, "size": 9},
        error_x={"type": "data", "array": (high - value).to_list(), "arrayminus": (value - low).to_list()},
        name="stake",
    )
    chart.update_layout(height=120 + 26 * len(rows))
    return chart


def _spread(comparison: Comparison, systems: pl.DataFrame) -> Block:
    lines = []
    known = comparison.spread.join(systems.select("rules"), on="rules", how="semi", maintain_order="left")
    for (rules,), part in known.group_by("rules", maintain_order=True):
        shares = [f"{c:,.1f} ({show_number(s, 'share')})" for c, s in part.select("contribution", "share").iter_rows()]
        lines.append(Line((str(rules), f"{part['contribution'].sum():,.1f}", *shares)))
    note = "Each part's variance with its covariances with the other parts; the parts add up to the whole."
    return Block("What the variance is made of", [note], ("rule set", "variance", *COMPONENTS), lines)


def _credit(credits: pl.DataFrame) -> Block:
    lines = [
        Line(
            (
                str(row["rules"]),
                *(f"{row[name]:,}" for name in ("hands", "given", "played", "gained", "lost")),
                *(_with_interval(row, name, "signed") for name in ("points", "credit", "with_credit")),
            )
        )
        for row in credits.filter(pl.col("hands") > 0).iter_rows(named=True)
    ]
    heads = ("hands", "trips given", "trips played", "gained", "lost", "points per hand", "credit", "with credit")
    return Block("Without and with Fantasyland credit", [credit.MEANING], ("rule set", *heads), lines)


def _adapted(both: pl.DataFrame) -> Block:
    metrics = [find_metric(name) for name in both["metric"].unique(maintain_order=True)]
    lines = []
    for (rules, play), part in both.group_by("rules", "play", maintain_order=True):
        lines.append(Line((str(rules), str(play), *map(_value_and_interval, part.iter_rows(named=True)))))
    head = ("rule set", "play", *(metric.title for metric in metrics))
    return Block("Same decisions beside adapted play", [adapted.MEANING], head, lines, words=(0, 1))


def _figures(report: Report, label: str) -> Block:
    lines = []
    for row in report.figures.filter(pl.col(SCORED_UNDER) == label).iter_rows(named=True):
        metric = find_metric(row["metric"])
        if is_shown(row, metric):
            interval = "" if metric.method == "count" else show_interval(row["low"], row["high"], metric.unit)
            over = "" if metric.method == "count" else counted(row["n"], metric.over)
            more = f"{row['more_hands']:,}" if row["more_hands"] else ""
            value = show_number(row["value"], metric.unit)
            lines.append(Line((metric.title, value, interval, over, more, metric.definition), row["small"]))
    head = ("figure", "value", "95 % interval", "out of", "more hands wanted", "what it is")
    return Block(f"Figures, {label}", report.notes[label], head, lines, words=(0, 5))


def _groups(report: Report, label: str) -> Block:
    """A line per group and a column per figure, each with its interval; groups of small samples only are grey."""
    lines = []
    part = report.figures.filter(pl.col(SCORED_UNDER) == label)
    for _, group in part.group_by(report.by, maintain_order=True):
        rows = {row["metric"]: row for row in group.iter_rows(named=True)}
        cells = [_value_and_interval(rows[name]) for name in report.metrics]
        small = all(rows[name]["small"] for name in report.metrics if find_metric(name).method != "count")
        lines.append(Line((*(str(group[name][0]) for name in report.by), *cells), small))
    head = (*(name.replace("_", " ") for name in report.by), *(find_metric(name).title for name in report.metrics))
    return Block(f"Figures, {label}", report.notes[label], head, lines, words=tuple(range(len(report.by))))


def _key_figures(every: Sequence[Scored], figures: pl.DataFrame, names: Sequence[str]) -> Block:
    lines = []
    for scored in every:
        own = figures.filter(pl.col(SCORED_UNDER) == scored.label)
        rows = {row["metric"]: row for row in own.iter_rows(named=True)}
        lines.append(Line((scored.label, f"{scored.hands:,}", *(_value_and_interval(rows[name]) for name in names))))
    return Block("Side by side", (), ("scored under", "hands", *(find_metric(name).title for name in names)), lines)


def _value_and_interval(row: dict[str, object]) -> str:
    """A figure with its interval below it, as `measure` gives it."""
    metric = find_metric(str(row["metric"]))
    value, low, high = (row[name] for name in ("value", "low", "high"))
    shown = show_number(value, metric.unit)  # type: ignore[arg-type]
    if metric.method == "count" or value is None:
        return shown
    return f"{shown}\n{show_interval(low, high, metric.unit)}"  # type: ignore[arg-type]


def _course(scored: Scored) -> Block:
    counts = scored.frame.group_by("player").len().sort("len", "player", descending=[True, False])
    players = counts["player"].head(MOST_LINES).to_list()
    chart = new_chart("hands", "points, running total")
    line = course(scored)
    for player in players:
        own = line.filter(pl.col("player") == player)
        chart.add_scatter(
            x=own["hand_no"].to_list(), y=own["total"].to_list(), mode="lines", name=escape(player), line={"width": 2}
        )
    if len(players) == 1:
        for start in _session_starts(line):
            chart.add_vline(x=start, line={"color": INK, "width": 1, "dash": "dot"}, opacity=0.4)
    notes = [f"{len(counts)} players; the {MOST_LINES} with most hands are drawn."] if len(counts) > MOST_LINES else []
    return Block("Course of the points", notes, charts=[chart])


def _session_starts(line: pl.DataFrame, most: int = 60) -> list[int]:
    starts = line.filter("starts_session")["hand_no"].to_list()
    return starts if len(starts) <= most else []


def _distribution(every: Sequence[Scored]) -> Block:
    chart = new_chart("points of a hand", "share of hands")
    chart.update_yaxes(tickformat=".0%")
    for scored, colour in zip(every[:2], (ACCENT, SECOND), strict=False):
        counts = _without_gaps(distribution(scored))
        chart.add_scatter(
            x=counts["points"].to_list(),
            y=counts["share"].to_list(),
            mode="lines",
            line={"color": colour, "shape": "hvh"},
            name=escape(scored.label),
        )
    return Block("Points of a hand", [f"{counted(len(every[0].frame), 'results')}."], charts=[chart])


def _without_gaps(counts: pl.DataFrame) -> pl.DataFrame:
    """A distribution in which points that never came stand with a share of zero."""
    if counts.is_empty():
        return counts
    least, most = counts["points"][0], counts["points"][-1]
    every = pl.DataFrame({"points": range(least, most + 1)}, schema={"points": counts.schema["points"]})
    return every.join(counts, on="points", how="left", maintain_order="left").with_columns(pl.col("share").fill_null(0))

"""Answers as people read them (aligned tables) and as programs do (JSON, CSV, Parquet)."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
import polars as pl
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from analysis.metrics import METRICS, SHOWN_IF_ANY, Metric
from analysis.wording import counted
from ingest.console import print_wide
from ingest.game.errors import OFCError

UNKNOWN = "·"
_BY_NAME = {metric.name: metric for metric in METRICS}


def show_number(value: float | None, unit: str) -> str:
    """A number as its unit asks for: shares in per cent, counts in whole numbers, the rest with two or three digits."""
    if value is None or value != value:
        return UNKNOWN
    if unit == "share":
        return f"{100 * value:.1f} %" if abs(value) >= 0.001 or value == 0 else f"{100 * value:.3f} %"
    if unit == "hands":
        return f"{value:,.0f}"
    if unit in ("signed", "points_signed"):
        return f"{value:+,.2f}"
    return f"{value:,.2f}"


def show_interval(low: float | None, high: float | None, unit: str) -> str:
    """``12.1 % to 14.0 %``."""
    if low is None or high is None:
        return UNKNOWN
    return f"{show_number(low, unit)} to {show_number(high, unit)}"


def metric_of(name: str) -> Metric:
    """The metric called `name`."""
    return _BY_NAME[name]


def new_table(title: str, words: Sequence[str], numbers: Sequence[str]) -> Table:
    """An empty table without lines: columns of words to the left, of numbers to the right."""
    table = Table(
        title=Text(title, style="table.title") if title else None,
        title_justify="left",
        box=None,
        header_style="bold",
        pad_edge=False,
    )
    for name in words:
        table.add_column(name)
    for name in numbers:
        table.add_column(name, justify="right")
    return table


def is_shown(row: Mapping[str, Any], metric: Metric) -> bool:
    """Whether a figure is worth a line: there are data, and of a long list of cases this one ever came."""
    return bool(row["n"]) and not (metric.section in SHOWN_IF_ANY and not row["value"])


def figures_table(answer: pl.DataFrame, title: str) -> Table:
    """All figures of one group, a line each: value, interval, over how many, how many more hands are wanted."""
    table = new_table(title, ["figure"], ["value", "95 % interval", "out of", "more hands wanted"])
    table.columns[3].justify = "left"
    section = None
    for row in answer.iter_rows(named=True):
        metric = metric_of(row["metric"])
        if not is_shown(row, metric):
            continue
        if metric.section != section:
            section = metric.section
            table.add_row(f"[bold]{section}[/bold]")
        over = "" if metric.method == "count" else counted(row["n"], metric.over)
        more = f"{row['more_hands']:,}" if row["more_hands"] else ""
        unit = f" {metric.unit}" if metric.unit in ("points", "money", "seconds") and row["value"] is not None else ""
        table.add_row(
            Padding(metric.title, (0, 0, 0, 2)),
            show_number(row["value"], metric.unit) + unit,
            "" if metric.method == "count" else show_interval(row["low"], row["high"], metric.unit),
            over,
            more,
            style="dim" if row["small"] else None,
        )
    return table


def groups_table(answer: pl.DataFrame, by: Sequence[str], names: Sequence[str], title: str) -> Table:
    """A line per group and a column per figure, each with its interval; small samples are greyed."""
    heads = [metric_of(name).title.lower() for name in names]
    table = new_table(title, [name.replace("_", " ") for name in by], heads)
    for _, part in answer.group_by(by, maintain_order=True):
        rows = {row["metric"]: row for row in part.iter_rows(named=True)}
        cells = [escape(str(part[name][0])) for name in by]
        table.add_row(*cells, *(_cell(rows[name], metric_of(name)) for name in names))
    return table


def _cell(row: Mapping[str, Any], metric: Metric) -> str:
    shown = show_number(row["value"], metric.unit)
    if metric.method == "count" or row["value"] is None:
        return shown
    if row["low"] is not None:
        shown += f"\n[dim]{show_number(row['low'], metric.unit)} to {show_number(row['high'], metric.unit)}[/dim]"
    return f"[dim]{shown}[/dim]" if row["small"] else shown


def write_frame(frame: pl.DataFrame, *, csv: Path | None = None, parquet: Path | None = None) -> None:
    """Write a frame to a file; ``-`` as CSV is standard output. Raises OFCError where the file cannot be written."""
    try:
        if csv is not None and str(csv) == "-":
            sys.stdout.write(frame.write_csv())
        elif csv is not None:
            frame.write_csv(csv)
        if parquet is not None:
            frame.write_parquet(parquet)
    except OSError as error:
        raise OFCError(f"expected to write {csv or parquet}, got: {error.strerror or error}") from None


def write_json(data: Any) -> None:
    """Write data to standard output as JSON; a frame becomes a list of its rows."""
    sys.stdout.write(orjson.dumps(data, default=_plain, option=orjson.OPT_INDENT_2).decode() + "\n")


def _plain(value: Any) -> Any:
    if isinstance(value, pl.DataFrame):
        return value.to_dicts()
    if isinstance(value, tuple | set):
        return list(value)
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def print_notes(notes: Sequence[str]) -> None:
    """Sentences below a table."""
    print_wide(Text("\n".join(notes) + "\n", style="dim"))

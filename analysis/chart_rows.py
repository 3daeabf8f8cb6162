"""Answers as rows of charts: a label, a value with its interval, what it was counted over, whether that is little."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from analysis.compare import Comparison
from analysis.intervals import ENOUGH_SESSIONS
from analysis.luck import Luck
from analysis.metrics import BY_CATEGORY, BY_STREET, METRICS, Metric, find_metric, measure
from analysis.scored import Scored


def labelled(scored: Scored, names: Sequence[str]) -> pl.DataFrame:
    """The metrics called `names` as rows of a chart: label, value, low, high, n, sessions, small; if there is data."""
    metrics = [find_metric(name) for name in names]
    titles = {metric.name: metric.title for metric in metrics}
    found = measure(scored.frame, metrics=metrics).filter(pl.col("n") > 0)
    return found.with_columns(pl.col("metric").replace_strict(titles, return_dtype=pl.String).alias("label"))


def by_group(scored: Scored, name: str, by: str) -> pl.DataFrame:
    """One metric for each group as rows of a chart, most hands first: label, value, low, high, n, sessions, small."""
    found = measure(scored.frame, [by], [find_metric(name)])
    return found.with_columns(pl.col(by).cast(pl.String).alias("label")).sort("n", descending=True, maintain_order=True)


def _categories(row: str, prefix: str = "") -> list[Metric]:
    section = [metric for metric in METRICS if metric.section == BY_CATEGORY]
    return [metric for metric in section if metric.name.startswith(f"{prefix}{row}_")]


def row_frequencies(scored: Scored, row: str) -> pl.DataFrame:
    """How often a legal board has each kind of row that pays, strongest last: label, value, low, high, n, small.

    Kinds that never came are left out.
    """
    return _kinds(scored, row, _categories(row))


def row_royalties(scored: Scored, row: str) -> pl.DataFrame:
    """What each kind of row brings a hand in royalties; columns and order as `row_frequencies`."""
    return _kinds(scored, row, _categories(row, "royalties_"))


def _kinds(scored: Scored, row: str, metrics: list[Metric]) -> pl.DataFrame:
    ends = {metric.name: _kind(metric.title, row) for metric in metrics}
    found = measure(scored.frame, metrics=metrics).filter((pl.col("n") > 0) & (pl.col("value") > 0))
    return found.with_columns(pl.col("metric").replace_strict(ends, return_dtype=pl.String).alias("label"))


def _kind(title: str, row: str) -> str:
    """The kind of a row out of a metric's title: ``Back full house`` is full house."""
    return title[title.lower().index(row) + len(row) :].strip()


class Sealed(NamedTuple):
    """When fouls were sealed. `rows`: of a chart, earliest first, times at which none was left out."""

    rows: pl.DataFrame
    known: int  # hands with known streets
    fouls: int  # of them


def sealed(scored: Scored) -> Sealed:
    """By how many slots were still open when each foul was sealed; `scored` comes from `streets.with_streets`."""
    metrics = [metric for metric in METRICS if metric.section == BY_STREET]
    found = measure(scored.frame, metrics=metrics)
    titles = {metric.name: metric.title.removeprefix("Fouls ").removeprefix("sealed ") for metric in metrics}
    rows = found.filter(pl.col("value") > 0)
    counts = (rows["value"] * rows["n"]).round().cast(pl.Int64)
    labels = [f"{titles[name]} ({count:,})" for name, count in zip(rows["metric"], counts, strict=True)]
    known = int(found["n"].max() or 0)  # type: ignore[arg-type]
    return Sealed(rows.with_columns(pl.Series("label", labels, pl.String)), known, int(counts.sum()))


def system_rows(comparison: Comparison, figure: str) -> pl.DataFrame:
    """A figure of `Comparison.systems` as rows of a chart: label, value, low, high, n, small; unknown values out."""
    return comparison.systems.select(
        pl.col("rules").alias("label"),
        pl.col(figure).alias("value"),
        pl.col(f"{figure}_low").alias("low"),
        pl.col(f"{figure}_high").alias("high"),
        pl.col("hands").alias("n"),
        (pl.col("sessions") < ENOUGH_SESSIONS).alias("small"),
    ).filter(pl.col("value").is_not_null())


def without_baseline(rows: pl.DataFrame, comparison: Comparison) -> pl.DataFrame:
    """Rows of a chart of differences: the baseline differs from itself by nothing."""
    return rows.filter(pl.col("label") != comparison.baseline)


def spread_parts(comparison: Comparison) -> pl.DataFrame:
    """What the variance of each rule set is made of: label and a column for each component, which add up to it."""
    wide = comparison.spread.pivot("component", index="rules", values="contribution")
    order = comparison.systems.select("rules")
    return order.join(wide, on="rules", how="left", maintain_order="left").rename({"rules": "label"})


def state_parts(comparison: Comparison) -> pl.DataFrame:
    """The variance of each rule set by who is in Fantasyland: label, a column for each state, one for between them."""
    wide = comparison.states.pivot("state", index="rules", values="within")
    between = comparison.states.group_by("rules").agg(pl.col("between").sum().alias("between these"))
    order = comparison.systems.select("rules")
    joined = order.join(wide, on="rules", how="left", maintain_order="left").join(between, on="rules", how="left")
    return joined.rename({"rules": "label"})


def luck_rows(luck: Luck, most: int = 8) -> pl.DataFrame:
    """Points per hand of the players with the most hands, each as it came and without luck, as rows of a chart."""
    own = luck.players.head(most)
    rows = [
        own.select(
            pl.format("{}, {}", "player", pl.lit(words)).alias("label"),
            pl.col(figure).alias("value"),
            pl.col(f"{figure}_low").alias("low"),
            pl.col(f"{figure}_high").alias("high"),
            pl.col("hands").alias("n"),
            (pl.col("sessions") < ENOUGH_SESSIONS).alias("small"),
        ).with_row_index("place")
        for figure, words in (("points", "as it came"), ("adjusted", "without luck"))
    ]
    return pl.concat(rows).sort("place", maintain_order=True).drop("place")


def credit_rows(credits: pl.DataFrame, figure: str) -> pl.DataFrame:
    """A figure of `credit` (points, credit, with_credit) as rows of a chart: label, value, low, high, n, small."""
    return credits.select(
        pl.col("rules").alias("label"),
        pl.col(figure).alias("value"),
        pl.col(f"{figure}_low").alias("low"),
        pl.col(f"{figure}_high").alias("high"),
        pl.col("hands").alias("n"),
        pl.lit(False).alias("small"),
    ).filter(pl.col("value").is_not_null())


def play_rows(both: pl.DataFrame, metric: str) -> pl.DataFrame:
    """One metric of `same_and_adapted` as rows of a chart: label, series (which play), value, low, high, n, small."""
    own = both.filter((pl.col("metric") == metric) & pl.col("value").is_not_null())
    return own.rename({"rules": "label", "play": "series"})

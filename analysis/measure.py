"""Figures out of frames: numerators and denominators summed by session, and an interval for each ratio."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from analysis.intervals import ENOUGH_SESSIONS, Floats, anytime_interval, hands_for, rate_interval, ratio_interval

if TYPE_CHECKING:
    from analysis.metrics import Metric

# Counts every seat once, as a numerator or denominator.
HANDS = pl.lit(1.0)


def measure(
    frame: pl.DataFrame,
    by: Sequence[str] = (),
    metrics: Sequence[Metric] | None = None,
    *,
    seed: int = 0,
    anytime: bool = False,
) -> pl.DataFrame:
    """Each of `metrics`, all of them by default, for every group, one row each, groups in sorted order.

    Columns: those of `by`, metric, value, low, high, n, sessions, small, more_hands, null where nothing can be said.
    `n` is the denominator, `sessions` how many have part in it. `small`: fewer than ENOUGH_SESSIONS sessions, or an
    interval wider than wanted; `more_hands`: how many hands more would narrow it to that.
    `anytime`: intervals that hold at every look at once, for who looks again and again; none below ANYTIME_FROM
    sessions.
    """
    from analysis.metrics import METRICS

    shown = [metric for metric in metrics or METRICS if metric.can_measure(frame, by)]
    sums = _session_sums(frame, list(by), shown)
    keys = sums.select(by).to_dicts() if by else []
    parts = []
    # Without any hands: no group, but the figures of the whole, all unknown.
    for start, stop in _runs(sums, by) or ([] if by else [(0, 0)]):
        part = sums[start:stop]
        answer = _measure_group(part, shown, seed, anytime)
        if by:
            answer = answer.select(*(pl.lit(keys[start][name], sums.schema[name]).alias(name) for name in by), pl.all())
        parts.append(answer)
    if not parts:
        return (
            _measure_group(sums, shown, seed, anytime)
            .select(*(pl.lit(None).alias(name) for name in by), pl.all())
            .clear()
        )
    return pl.concat(parts)


def _session_sums(frame: pl.DataFrame, by: list[str], metrics: Sequence[Metric]) -> pl.DataFrame:
    """Numerators, denominators and, for a spread, squares, summed by group and session, in sorted order.

    Where a group's hands are all of one session, they stand apart, `unit` by `unit`: that is all there is to resample.
    """
    sums: list[pl.Expr] = [pl.len().cast(pl.Float64).alias("hands")]
    for place, metric in enumerate(metrics):
        sums.append(_sum(metric.numerator).alias(f"of{place}"))
        sums.append(_sum(metric.denominator).alias(f"over{place}"))
        if metric.method == "spread":
            sums.append(_sum(metric.numerator.cast(pl.Float64) ** 2).alias(f"squares{place}"))
    several = pl.col("cluster").min() != pl.col("cluster").max()
    alone = ~(several.over(by) if by else several)
    unit = pl.when(alone).then(pl.col("hand")).otherwise(0).cast(pl.UInt32).alias("unit")
    keys = [*by, "cluster", "unit"]
    return frame.lazy().with_columns(unit).group_by(keys).agg(sums).sort(keys).collect()


def _sum(counted: pl.Expr) -> pl.Expr:
    if counted is HANDS:
        return pl.len().cast(pl.Float64)
    return counted.cast(pl.Float64).sum()


def _runs(sums: pl.DataFrame, by: Sequence[str]) -> list[tuple[int, int]]:
    """Where each group's rows start and stop in the sorted sums."""
    if sums.is_empty():
        return []
    if not by:
        return [(0, len(sums))]
    lengths = sums.select(pl.struct(by).rle().struct.field("len")).to_series().to_numpy()
    stops = np.cumsum(lengths)
    return list(zip((stops - lengths).tolist(), stops.tolist(), strict=True))


def _measure_group(sums: pl.DataFrame, metrics: Sequence[Metric], seed: int, anytime: bool) -> pl.DataFrame:
    """All metrics of one group out of its sums by session."""
    of = sums.select(f"of{k}" for k in range(len(metrics))).to_numpy(writable=True)
    over = sums.select(f"over{k}" for k in range(len(metrics))).to_numpy()
    n = over.sum(axis=0)
    sessions = (over > 0).sum(axis=0)
    if sums["cluster"].n_unique() == 1:
        sessions = np.minimum(sessions, 1)
    methods = np.array([metric.method for metric in metrics])
    value, low, high = of.sum(axis=0), *np.full((2, len(metrics)), np.nan)
    for place in np.flatnonzero(methods == "spread"):
        mean = value[place] / max(n[place], 1.0)
        squares = sums[f"squares{place}"].to_numpy()
        of[:, place] = squares - 2 * mean * of[:, place] + mean**2 * over[:, place]
    rates = methods == "wilson"
    if rates.any():
        deviations = of[:, rates] - value[rates] / np.where(n[rates] > 0, n[rates], 1.0) * over[:, rates]
        answer = rate_interval(value[rates], n[rates], (deviations**2).sum(axis=0), sessions[rates])
        value[rates], low[rates], high[rates] = answer.value, answer.low, answer.high
    means = (methods == "sessions") | (methods == "spread")
    if means.any():
        answer = ratio_interval(of[:, means], over[:, means], seed=seed)
        value[means], low[means], high[means] = answer.value, answer.low, answer.high
    if anytime and (rates | means).any():
        _, low[rates | means], high[rates | means], _ = anytime_interval(of[:, rates | means], over[:, rates | means])
        low[rates], high[rates] = np.maximum(low[rates], 0.0), np.minimum(high[rates], 1.0)
    # One hand tells nothing of how far hands spread.
    value[(methods == "spread") & (n < 2)] = np.nan
    factor = np.array([metric.factor for metric in metrics])
    value, low, high = (
        np.where(methods == "spread", np.sqrt(np.maximum(array, 0.0)), array) * factor for array in (value, low, high)
    )
    more = _more_hands(low, high, np.array([metric.precision for metric in metrics]), float(sums["hands"].sum()))
    small = (methods != "count") & ((sessions < ENOUGH_SESSIONS) | (np.nan_to_num(more) > 0))
    return (
        pl.DataFrame(
            {
                "metric": [metric.name for metric in metrics],
                "value": value,
                "low": low,
                "high": high,
                "n": np.rint(n).astype(np.int64),
                "sessions": sessions,
                "small": small,
                "more_hands": more,
            }
        )
        .with_columns(pl.col("value", "low", "high", "more_hands").fill_nan(None))
        .cast({"more_hands": pl.Int64})
    )


def _more_hands(low: Floats, high: Floats, wanted: Floats, hands: float) -> Floats:
    """How many hands more would narrow each interval to the wanted half-width; nan where that is unknown."""
    return np.maximum(hands_for((high - low) / 2, wanted, hands) - hands, 0.0)

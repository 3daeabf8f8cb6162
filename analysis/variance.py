"""How results swing: the course of the points, their distribution, and downswings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from analysis.metrics import find_metric, measure
from analysis.scored import Scored

Floats = npt.NDArray[np.float64]

# Points in a line that a chart can draw without falling back on pixels.
MOST_SHOWN = 2_000


def course(scored: Scored, *, most: int = MOST_SHOWN) -> pl.DataFrame:
    """The running total of each player's points, thinned out to `most` rows a player that keep the extremes.

    Columns: player, hand_no (1.. of this player), played_at, session, points (of the hand), total, starts_session.
    """
    running = scored.frame.select(
        "player",
        pl.int_range(1, pl.len() + 1).over("player").alias("hand_no"),
        "played_at",
        "session",
        "points",
        pl.col("points").cum_sum().over("player").alias("total"),
        pl.struct("player", "session").is_first_distinct().alias("starts_session"),
    )
    return thin(running, "total", by="player", most=most)


def thin(frame: pl.DataFrame, value: str, *, by: str, most: int = MOST_SHOWN) -> pl.DataFrame:
    """At most about `most` rows of each group: of every stretch the first, the lowest, the highest and the last."""
    numbered = frame.with_row_index("place").with_columns(
        pl.int_range(pl.len()).over(by).alias("nth"), pl.len().over(by).alias("of")
    )
    stretches = max(most // 4, 1)
    stretch = (pl.col("nth") * stretches // pl.col("of")).alias("stretch")
    places = (
        numbered.lazy()
        .with_columns(stretch)
        .group_by(by, "stretch")
        .agg(
            pl.col("place").first().alias("first"),
            pl.col("place").last().alias("last"),
            pl.col("place").sort_by(value, maintain_order=True).first().alias("lowest"),
            pl.col("place").sort_by(value, descending=True, maintain_order=True).first().alias("highest"),
        )
        .select(pl.concat_list("first", "last", "lowest", "highest").explode().unique().alias("place"))
        .collect()
    )
    return frame[places["place"].sort()]


def distribution(scored: Scored) -> pl.DataFrame:
    """How often each number of points occurs in a hand: points, hands, share."""
    counts = scored.frame.group_by("points").agg(pl.len().alias("hands")).sort("points")
    return counts.with_columns((pl.col("hands") / pl.col("hands").sum()).alias("share"))


def spreads(every: Sequence[Scored]) -> pl.DataFrame:
    """Standard deviation per hand under each rule set: rules, value, low, high, n, sessions, small, more_hands."""
    deviation = find_metric("sd_per_hand")
    return pl.concat(
        measure(scored.frame, metrics=[deviation]).with_columns(pl.lit(scored.label).alias("rules")) for scored in every
    ).drop("metric")


@dataclass(frozen=True)
class Downswing:
    """A stretch under water: from a high of the running total to the hand that reaches it again."""

    depth: int  # points below the high, at the lowest
    started: int  # number of the hand that made the high, 0: before the first
    lowest: int  # number of the hand with the lowest total
    ended: int | None  # number of the hand that reached the high again, None: still under water
    hands: int  # length, to its end or to the last hand


def downswings(points: npt.NDArray[np.int32] | Floats, *, least: float = 1) -> list[Downswing]:
    """Every downswing of a course of points by hand, (n,), that is at least `least` deep; deepest first."""
    total = np.concatenate([[0], np.cumsum(points, dtype=np.int64)])
    high = np.maximum.accumulate(total)
    under = total < high
    edges = np.flatnonzero(np.diff(np.concatenate([[False], under, [False]]).astype(np.int8)))
    found = []
    for start, stop in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        lowest = start + int(np.argmin(total[start:stop]))
        depth = int(high[start] - total[lowest])
        if depth >= least:
            ended = stop if stop < len(total) else None
            found.append(Downswing(depth, start - 1, lowest, ended, min(stop, len(total) - 1) - (start - 1)))
    return sorted(found, key=lambda swing: -swing.depth)


def time_under_water(points: npt.NDArray[np.int32] | Floats) -> float:
    """Share of hands after which the running total stands below its highest, nan without hands."""
    total = np.concatenate([[0], np.cumsum(points, dtype=np.int64)])
    if len(total) == 1:
        return float("nan")
    return float((total < np.maximum.accumulate(total))[1:].mean())


def deepest(scored: Scored, *, count: int = 10, player: str | None = None) -> pl.DataFrame:
    """The deepest downswings of a player, of all by default: player and the fields of `Downswing`."""
    counted = scored.frame if player is None else scored.frame.filter(pl.col("player") == player)
    rows = [
        {"player": player, **asdict(swing)}
        for (player,), part in counted.group_by("player", maintain_order=True)
        for swing in downswings(part["points"].to_numpy())[:count]
    ]
    schema = {"player": pl.String, **dict.fromkeys(("depth", "started", "lowest", "ended", "hands"), pl.Int64)}
    return pl.DataFrame(rows, schema=schema).sort("depth", descending=True, maintain_order=True).head(count)

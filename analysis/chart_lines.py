"""Answers as lines and bars of charts: courses, distributions, chances of ruin."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from analysis.bankroll import bankroll_for, course_of, resample, risk_of_ruin
from analysis.luck import Luck
from analysis.scored import Scored, score_as_played
from analysis.tables import Hands
from analysis.variance import thin

# More marks than this would be a wall.
MOST_MARKS = 60


def session_starts(scored: Scored, player: str) -> list[int]:
    """The hands, counted from 1, with which a player's sessions begin; none if they are too many to tell apart."""
    own = scored.frame.filter(pl.col("player") == player)
    found = own.select(pl.col("session").is_first_distinct().arg_true() + 1).to_series().to_list()
    return found if len(found) <= MOST_MARKS else []


def result_bins(every: Sequence[Scored], most: int = 60) -> pl.DataFrame:
    """How often results of a hand fall into bins of equal width, the same for all: series, start, last, hands, share.

    A bin holds the results from `start` to `last`, both included.
    """
    results = [scored.frame.select(pl.col("points").cast(pl.Int64)) for scored in every]
    spread = pl.concat(results).select((pl.col("points").max() - pl.col("points").min() + 1).fill_null(1)).item()
    width = -(-spread // most)
    return pl.concat(
        points.group_by((pl.col("points") // width * width).alias("start"))
        .agg(pl.len().alias("hands"))
        .sort("start")
        .select(
            pl.lit(scored.label).alias("series"),
            "start",
            (pl.col("start") + width - 1).alias("last"),
            "hands",
            (pl.col("hands") / pl.col("hands").sum()).alias("share"),
        )
        for scored, points in zip(every, results, strict=True)
    )


def depths(course: pl.DataFrame) -> pl.DataFrame:
    """How far each point of one player's course lies below the best before it: hand_no, depth (0 or less)."""
    best = pl.max_horizontal(pl.col("total").cum_max(), 0)
    return course.select("hand_no", (pl.col("total") - best).alias("depth"))


def ruin_curve(hands: Hands, horizon: int, *, points: int = 40, seed: int = 0) -> pl.DataFrame:
    """The chance to lose a bankroll within `horizon` hands, for bankrolls up to one that is hardly ever lost.

    Of the one player whose results count, as played; columns: bankroll (points), value, low, high.
    """
    paths = resample(course_of(score_as_played(hands).frame), horizon, seed=seed)
    most = max(bankroll_for(paths, 0.005).high, 1.0)
    bankrolls = [most * place / points for place in range(1, points + 1)]
    return pl.DataFrame([{"bankroll": each, **risk_of_ruin(paths, each)._asdict()} for each in bankrolls])


AS_IT_CAME, WITHOUT_LUCK = "as it came", "without the luck of the deal"


def luck_course(luck: Luck, player: str) -> pl.DataFrame:
    """A player's running totals with and without luck, thinned out: player (which of the two), hand_no, total."""
    own = luck.seats.filter(pl.col("player") == player).with_row_index("hand_no", offset=1)
    both = pl.concat(
        own.select(pl.lit(name).alias("player"), "hand_no", pl.col(column).cum_sum().alias("total"))
        for name, column in ((AS_IT_CAME, "points"), (WITHOUT_LUCK, "adjusted"))
    )
    return thin(both, "total", by="player")

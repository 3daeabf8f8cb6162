"""Single figures as pages show them, and the sentences that say what they stand on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from analysis.compare import NOT_ZERO, Comparison
from analysis.filters import Filters
from analysis.metrics import Metric, find_metric, measure
from analysis.scored import Scored
from analysis.tables import Hands
from analysis.wording import counted


@dataclass(frozen=True)
class Figure:
    """One metric over some hands; None where nothing can be said."""

    metric: Metric
    value: float | None
    low: float | None
    high: float | None
    n: int
    sessions: int
    small: bool
    more_hands: int | None


# Zero by construction where the results of all seats count.
_ZERO_SUM = ("points_per_hand", "points_per_100", "net_per_hand")


def telling(names: Sequence[str], filters: Filters) -> list[str]:
    """Those of the metrics that say something about the hands that `filters` choose."""
    return [name for name in names if not (filters.everybody and name in _ZERO_SUM)]


def figures(scored: Scored, names: Sequence[str], *, anytime: bool = False) -> list[Figure]:
    """The metrics called `names`, in that order, over all hands together.

    Left out are those without data, and those that cannot be told of these hands, such as money in several currencies.
    """
    measured = measure(scored.frame, metrics=[find_metric(name) for name in names], anytime=anytime)
    return [Figure(find_metric(row.pop("metric")), **row) for row in measured.rows(named=True) if row["n"]]


def size_note(scored: Scored) -> str:
    """How many hands the figures stand on."""
    return f"{counted(scored.hands, 'hands')} of {counted(scored.sessions, 'sessions')}."


def zero_sum_notes(filters: Filters) -> list[str]:
    """What a reader must know where the results of all seats count."""
    return [NOT_ZERO] if filters.everybody else []


def left_out_sentences(hands: Hands) -> list[str]:
    """What is not in the figures, by why."""
    return [f"{counted(count, 'hands')} left out: {reason}." for reason, count in hands.left_out.items()]


def left_out_notes(comparison: Comparison) -> list[str]:
    """Which rule sets are compared on fewer hands, because the boards of the others were built for another game."""
    fewer = comparison.systems.filter(pl.col("left_out") > 0).select("rules", "left_out")
    if fewer.is_empty():
        return []
    if len(fewer) == len(comparison.systems) and fewer["left_out"].n_unique() == 1:
        return [f"{counted(fewer['left_out'][0], 'hands')} left out: their boards were built for another game."]
    each = ", ".join(f"{count:,} for {rules}" for rules, count in fewer.rows())
    return [f"Hands left out, their boards built for another game: {each}."]

"""What is likely to stand opposite: how final rows are distributed, for players in and out of Fantasyland."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.rules import Deal
from ingest.simulate.buckets import BUCKETS, row_buckets
from ingest.simulate.learned import learned_crowds

Histogram = npt.NDArray[np.float32]
Chances = npt.NDArray[np.float32]


class Crowd(NamedTuple):
    """The boards of one kind of opponent: normal play, or Fantasyland with some number of cards."""

    legal: float  # share of boards that are not fouled
    rows: Histogram  # (3, BUCKETS) by row, shares of the legal boards


def flat_crowd(low: bool) -> Crowd:
    """The crowd of which nothing is known: every bucket alike."""
    rows = np.zeros((3, BUCKETS), np.float32)
    for row, buckets in enumerate(row_buckets(low)):
        used = len(np.unique(buckets.bucket[buckets.share > 0]))
        rows[row, :used] = 1 / used
    return Crowd(0.75, rows)


def crowd_name(deal: Deal) -> str:
    """What is learned is kept by the way of dealing and the kind of middle."""
    return f"{deal.game}-{'low' if deal.middle == 'deuce_to_seven' else 'high'}"


@cache
def find_crowd(name: str, cards: int) -> Crowd:
    """The learned crowd of a way of dealing for Fantasyland with `cards` cards, 0: normal play."""
    return learned_crowds().get((name, cards)) or flat_crowd(name.endswith("low"))


def win_chances(crowd: Crowd, low: bool) -> tuple[Chances, Chances, Chances]:
    """For each strength of front, middle and back the chance to beat a legal board of the crowd, a tie counted half.

    Shapes ``(455,)``, ``(11193,)``, ``(11193,)``; 0 for a 2-7 middle that fouls.
    """
    return tuple(  # type: ignore[return-value]
        _beats(crowd.rows[row], buckets.bucket, (buckets.below + buckets.same / 2).astype(np.float32))
        for row, buckets in enumerate(row_buckets(low))
    )


def _beats(shares: Histogram, bucket: npt.NDArray[np.uint8], within: npt.NDArray[np.float32]) -> Chances:
    known = np.append(shares, 0.0).astype(np.float64)
    weaker = np.append(np.cumsum(shares) - shares, 0.0)
    place = np.minimum(bucket, len(shares))
    return np.where(bucket < len(shares), weaker[place] + known[place] * within, 0.0).astype(np.float32)

"""Row strengths in few groups: what is learned about final rows is kept by bucket, not by strength.

A bucket is a run of neighbouring strengths that pay alike, or nearly so: every pair in front has its own, a flush in
the back one of three. Within a bucket a row's place is taken to be even. Buckets of one kind of row are numbered from
the weakest; for a 2-7 middle from the highest qualified hand to 75432.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.cards import RANKS
from ingest.game.strength import CATEGORIES, RowKey, low_key, low_order, scale

# Most buckets of one row; a row with fewer leaves the last ones empty.
BUCKETS = 21

# Where a new bucket begins inside a category, by the first deciding rank.
_FRONT_STARTS = {"high_card": "2JQKA", "pair": RANKS, "trips": "28"}
_FIVE_STARTS = {
    "high_card": "2KA",
    "pair": "27JK",
    "two_pair": "29Q",
    "trips": "29",
    "straight": "2T",
    "flush": "2QA",
    "full_house": "29",
    "quads": "2",
    "straight_flush": "2",
}
# Qualified 2-7 hands by their two highest cards; 75432 stands alone behind them.
_LOW_STARTS = ("T8", "T7", "98", "97", "87", "86", "76")
# How many hands of one deck share a strength, by category.
_COUNTS = {
    "high_card": 1020,
    "pair": 384,
    "two_pair": 144,
    "trips": 64,
    "straight": 1020,
    "flush": 4,
    "full_house": 24,
    "quads": 4,
    "straight_flush": 4,
    "royal_flush": 4,
}
_FRONT_COUNTS = {"high_card": 64, "pair": 24, "trips": 4}
UNQUALIFIED = 255


class Buckets(NamedTuple):
    """One kind of row: strengths to buckets, and how a strength lies in its bucket."""

    bucket: npt.NDArray[np.uint8]  # (strengths,) UNQUALIFIED where a 2-7 middle fouls
    below: npt.NDArray[np.float32]  # (strengths,) share of the bucket's hands that are weaker
    same: npt.NDArray[np.float32]  # (strengths,) share of the bucket's hands of just this strength
    share: npt.NDArray[np.float64]  # (strengths,) share of the bucket's random hands that have this strength


def _start(starts: dict[str, str], key: RowKey) -> tuple[int, int]:
    """A number that names the bucket of a key, rising with strength."""
    category, ranks = key
    name = CATEGORIES[category]
    if name in ("royal_flush", "five_of_a_kind"):
        return CATEGORIES.index("straight_flush"), 1
    return category, sum(ranks[0] >= RANKS.index(rank) for rank in starts[name])


def _shares(groups: list[object], order: npt.NDArray[np.int64], counts: npt.NDArray[np.float64]) -> Buckets:
    """Buckets from the group of each strength (None: none), with `order` from weak to strong."""
    bucket = np.full(len(groups), UNQUALIFIED, np.uint8)
    below, same, share = (np.zeros(len(groups)) for _ in range(3))
    number = -1
    last: object = None
    members: dict[int, list[int]] = {}
    for strength in order:
        group = groups[strength]
        if group is None:
            continue
        if group != last:
            number, last = number + 1, group
        bucket[strength] = number
        members.setdefault(number, []).append(int(strength))
    for places in members.values():
        part = counts[places] / counts[places].sum()
        share[places] = same[places] = part
        below[places] = np.cumsum(part) - part
    return Buckets(bucket, below.astype(np.float32), same.astype(np.float32), share)


@cache
def front_buckets() -> Buckets:
    """Buckets of the front: five of high cards, one of each pair, two of trips."""
    keys = scale().front
    groups: list[object] = [_start(_FRONT_STARTS, key) for key in keys]
    counts = np.array([_FRONT_COUNTS[CATEGORIES[category]] for category, _ in keys], float)
    return _shares(groups, np.arange(len(keys)), counts)


def _five_counts() -> npt.NDArray[np.float64]:
    """How many one-deck hands share each five-card strength; next to none where only two decks reach it."""
    counts = []
    for category, ranks in scale().five:
        name = CATEGORIES[category]
        possible = name in _COUNTS and len(set(ranks)) == len(ranks)
        counts.append(_COUNTS[name] if possible else 1e-3)
    return np.array(counts)


@cache
def five_buckets() -> Buckets:
    """Buckets of the back and of a high middle."""
    keys = scale().five
    groups: list[object] = [_start(_FIVE_STARTS, key) for key in keys]
    return _shares(groups, np.arange(len(keys)), _five_counts())


def _low_group(key: RowKey) -> object:
    category, ranks = low_key(key)
    if CATEGORIES[category] != "high_card" or ranks[0] > RANKS.index("T"):
        return None
    if ranks == tuple(RANKS.index(rank) for rank in "75432"):
        return "75432"
    start = tuple(ranks[:2])
    return next((name for name in _LOW_STARTS if start >= tuple(RANKS.index(rank) for rank in name)), _LOW_STARTS[-1])


@cache
def low_buckets() -> Buckets:
    """Buckets of a 2-7 middle."""
    keys = scale().five
    return _shares([_low_group(key) for key in keys], np.argsort(low_order(), kind="stable"), _five_counts())


def row_buckets(low: bool) -> tuple[Buckets, Buckets, Buckets]:
    """The buckets of front, middle and back."""
    return front_buckets(), low_buckets() if low else five_buckets(), five_buckets()

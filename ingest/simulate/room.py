"""What the kernels of an agent read, and where they work: a rule set in numbers, what is seen of opponents, room."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.kernels import kernel
from ingest.simulate.buckets import BUCKETS
from ingest.simulate.features import MOST_FEATURES
from ingest.simulate.last_cards import LastRoom, make_last_room
from ingest.simulate.net import HEADS, Floats

MOST_OPPONENTS = 7
# Placements of one street, see `all_placements`.
MOST_WAYS = 256


class Worths(NamedTuple):
    """The plain numbers of Stakes."""

    row: float
    scoop: float
    majority: float
    foul: float
    row_winner: bool
    low: bool
    moon: float  # 0: not played
    moon_end: int
    opponents: int
    decks: int
    last_dealt: int  # cards of the last street
    last_kept: int


class Stakes(NamedTuple):
    """A rule set at one size of table, as the kernels need it."""

    worths: Worths
    own: Floats  # (3, BUCKETS) royalties from all opponents and the value of Fantasyland, by bucket
    royalties: Floats  # (3, BUCKETS) royalties from one opponent
    crowd_legal: Floats  # (18,) by Fantasyland cards
    crowd_rows: Floats  # (18, 3, BUCKETS)
    fronts: npt.NDArray[np.int32]
    fives: npt.NDArray[np.int32]
    natural_points: Floats
    enter: tuple[npt.NDArray[np.int8], npt.NDArray[np.uint32], npt.NDArray[np.uint32], np.uint32]
    values: Floats  # (18,) of Fantasyland by cards
    bucket: tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.uint8]]  # by row
    within: tuple[Floats, Floats, Floats]  # share of the bucket below a strength, a tie counted half
    tables: tuple[npt.NDArray[np.uint16], ...]  # StrengthTables


class Room(NamedTuple):
    """Arrays to work in, one set for each thread."""

    legal: Floats  # (7,) of each opponent
    rows: Floats  # (7, 3, BUCKETS) how his rows end
    wins: Floats  # (7, 3, BUCKETS) chance to beat his row with a bucket
    known: npt.NDArray[np.int64]  # (7, 3) place of a row of his that is full among all rows of its kind, else -1
    denied: Floats  # (7, 3, BUCKETS) his royalties that a bucket denies him, where the winner of a row takes them
    live_ranks: Floats  # (13,)
    live_suits: Floats  # (4,)
    feature: npt.NDArray[np.int64]
    value: Floats
    cards: npt.NDArray[np.int64]  # (3, 5)
    base: Floats  # (width,)
    hidden: Floats  # (width,)
    parts: Floats  # (3, 32, width) what a row with some of the dealt cards adds to the hidden layer
    looked_at: npt.NDArray[np.bool_]  # (3, 32)
    keys: npt.NDArray[np.int64]  # (3, 32) strength as it lies
    strengths: npt.NDArray[np.int64]  # (3, 32) strength of a full row, -1 where there is room
    heads: Floats  # (HEADS,)
    own: Floats  # (3, BUCKETS) what a bucket pays by itself, see Stakes
    board: npt.NDArray[np.uint8]  # (1, 13)
    mask: npt.NDArray[np.uint16]  # (1,)
    exact: npt.NDArray[np.bool_]  # (ways,) whether a placement was worked out over all last cards
    last: LastRoom


@kernel
def make_room(width):  # type: ignore[no-untyped-def]
    """Room for one thread; `width` is that of the hidden layer."""
    return Room(
        np.empty(MOST_OPPONENTS, np.float32),
        np.empty((MOST_OPPONENTS, 3, BUCKETS), np.float32),
        np.empty((MOST_OPPONENTS, 3, BUCKETS), np.float32),
        np.empty((MOST_OPPONENTS, 3), np.int64),
        np.zeros((MOST_OPPONENTS, 3, BUCKETS), np.float32),
        np.empty(13, np.float32),
        np.empty(4, np.float32),
        np.empty(MOST_FEATURES, np.int64),
        np.empty(MOST_FEATURES, np.float32),
        np.empty((3, 5), np.int64),
        np.empty(width, np.float32),
        np.empty(width, np.float32),
        np.empty((3, 32, width), np.float32),
        np.empty((3, 32), np.bool_),
        np.empty((3, 32), np.int64),
        np.empty((3, 32), np.int64),
        np.empty(HEADS, np.float32),
        np.empty((3, BUCKETS), np.float32),
        np.empty((1, 13), np.uint8),
        np.empty(1, np.uint16),
        np.empty(MOST_WAYS, np.bool_),
        make_last_room(),
    )

"""Row strengths: each row becomes a small integer that orders all rows of its kind.

Two scales, each the position of a row among all distinct rows, weakest first:

- ``front``: 0..454, high cards, pairs, trips;
- five cards (middle and back): 0..11192, for one deck and two alike. One deck reaches 7,462 of them; the others are
  flushes that hold a pair and five of a kind.

A row is looked up without sorting: three cards name one of 455 multisets of ranks, two cards one of 91, and a table
455 x 91 holds the strength; a second one serves rows of one suit.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.board import SLOTS
from ingest.game.cards import CARD_COUNT, RANKS
from ingest.game.kernels import kernel, spread

# Weak to strong. royal_flush is the ace-high straight_flush, named apart for royalties only.
CATEGORIES = (
    "high_card",
    "pair",
    "two_pair",
    "trips",
    "straight",
    "flush",
    "full_house",
    "quads",
    "straight_flush",
    "royal_flush",
    "five_of_a_kind",
)
CATEGORY_NUMBER = {name: number for number, name in enumerate(CATEGORIES)}
FRONT_CATEGORIES = ("high_card", "pair", "trips")
# A row with a slot that holds no card of the 52.
NO_STRENGTH = 65535

# A row's place in the order of poker: its category, then the ranks that decide ties, made cards first.
RowKey = tuple[int, tuple[int, ...]]
Ranks = tuple[int, ...]

_GROUPS = {
    (1, 1, 1): "high_card",
    (2, 1): "pair",
    (3,): "trips",
    (1, 1, 1, 1, 1): "high_card",
    (2, 1, 1, 1): "pair",
    (2, 2, 1): "two_pair",
    (3, 1, 1): "trips",
    (3, 2): "full_house",
    (4, 1): "quads",
    (5,): "five_of_a_kind",
}
_ACE, _FIVE = RANKS.index("A"), RANKS.index("5")
_WHEEL = frozenset({_ACE, 0, 1, 2, 3})


def straight_top(ranks: Ranks) -> int | None:
    """The highest rank of five different ranks in sequence (5 for A2345), None where they are not."""
    distinct = frozenset(ranks)
    if distinct == _WHEEL:
        return _FIVE
    if len(distinct) == 5 and max(distinct) - min(distinct) == 4:
        return max(distinct)
    return None


def row_key(ranks: Ranks, *, suited: bool = False) -> RowKey:
    """Where three or five ranks stand in the order of poker; `suited` counts for five cards only."""
    groups = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    made = tuple(rank for rank, _ in groups)
    if len(ranks) == 5:
        top = straight_top(ranks)
        if top is not None:
            royal = suited and top == _ACE
            name = "royal_flush" if royal else "straight_flush" if suited else "straight"
            return CATEGORY_NUMBER[name], (top,)
        if suited:
            return CATEGORY_NUMBER["flush"], tuple(sorted(ranks, reverse=True))
    return CATEGORY_NUMBER[_GROUPS[tuple(count for _, count in groups)]], made


def low_key(key: RowKey) -> RowKey:
    """The same row in the order of 2-7, where the ace is always high, so that A2345 is no straight."""
    wheel_ranks = (_ACE, 3, 2, 1, 0)
    if key == (CATEGORY_NUMBER["straight"], (_FIVE,)):
        return CATEGORY_NUMBER["high_card"], wheel_ranks
    if key == (CATEGORY_NUMBER["straight_flush"], (_FIVE,)):
        return CATEGORY_NUMBER["flush"], wheel_ranks
    return key


class StrengthTables(NamedTuple):
    """What the kernel looks up; the names of the indices: rank, multiset of three ranks, multiset of two."""

    triple: npt.NDArray[np.uint16]  # (13 * 13 * 13,) multiset of three ranks
    pair: npt.NDArray[np.uint16]  # (13 * 13,) multiset of two ranks
    front: npt.NDArray[np.uint16]  # (455,) front strength of a multiset of three
    plain: npt.NDArray[np.uint16]  # (455 * 91,) strength of five cards of several suits
    suited: npt.NDArray[np.uint16]  # (455 * 91,) strength of five cards of one suit


class Scale(NamedTuple):
    """Both scales as lists of keys, weakest first; the place in the list is the strength."""

    front: list[RowKey]
    five: list[RowKey]


@cache
def scale() -> Scale:
    """Every distinct row, weakest first."""
    ranks = range(len(RANKS))
    front = {row_key(row) for row in combinations_with_replacement(ranks, 3)}
    five = set()
    for row in combinations_with_replacement(ranks, 5):
        five.add(row_key(row))
        if max(Counter(row).values()) <= 2:  # two decks hold two copies of a suited card
            five.add(row_key(row, suited=True))
    return Scale(sorted(front), sorted(five))


@cache
def strength_tables() -> StrengthTables:
    """The look-up tables, derived from the order of rows."""
    count = len(RANKS)
    front_place = {key: place for place, key in enumerate(scale().front)}
    five_place = {key: place for place, key in enumerate(scale().five)}
    triples = list(combinations_with_replacement(range(count), 3))
    pairs = list(combinations_with_replacement(range(count), 2))
    triple_number = {row: number for number, row in enumerate(triples)}
    pair_number = {row: number for number, row in enumerate(pairs)}

    def places(suited: bool) -> npt.NDArray[np.uint16]:
        place: dict[Ranks, int] = {
            row: five_place.get(row_key(row, suited=suited), NO_STRENGTH)
            for row in combinations_with_replacement(range(count), 5)
        }
        return np.fromiter((place[tuple(sorted(three + two))] for three, two in product(triples, pairs)), np.uint16)

    return StrengthTables(
        triple=np.fromiter(
            (triple_number[tuple(sorted(row))] for row in product(range(count), repeat=3)),  # type: ignore[index]
            np.uint16,
        ),
        pair=np.fromiter(
            (pair_number[tuple(sorted(row))] for row in product(range(count), repeat=2)),  # type: ignore[index]
            np.uint16,
        ),
        front=np.fromiter((front_place[row_key(row)] for row in triples), np.uint16),
        plain=places(suited=False),
        suited=places(suited=True),
    )


def _category_array(keys: list[RowKey]) -> npt.NDArray[np.uint8]:
    return np.array([category for category, _ in keys], np.uint8)


@cache
def front_categories() -> npt.NDArray[np.uint8]:
    """The category (a place in CATEGORIES) of each front strength, ``(455,)``."""
    return _category_array(scale().front)


@cache
def five_categories() -> npt.NDArray[np.uint8]:
    """The category (a place in CATEGORIES) of each five-card strength, ``(11193,)``."""
    return _category_array(scale().five)


@cache
def front_floor() -> npt.NDArray[np.uint16]:
    """For each front strength the weakest five-card strength that beats it, ``(455,)``.

    Category first, then made ranks, then kickers; a row that has run out of kickers is the weaker one.
    """
    five = scale().five
    return np.array([bisect_right(five, key) for key in scale().front], np.uint16)


@cache
def low_order() -> npt.NDArray[np.uint16]:
    """For each five-card strength its place in the order of 2-7, ``(11193,)``; more is better."""
    keys = [low_key(key) for key in scale().five]
    best_last = {key: place for place, key in enumerate(sorted(keys, reverse=True))}
    return np.array([best_last[key] for key in keys], np.uint16)


@kernel
def five_strength(a: int, b: int, c: int, d: int, e: int, tables: StrengthTables) -> int:
    """The strength of five cards 0..51."""
    # Widened first: without the compiler 13 * 13 ranks overflow the eight bits of a card.
    triple = tables.triple[((np.int64(a) >> 2) * 13 + (b >> 2)) * 13 + (c >> 2)]
    pair = tables.pair[(d >> 2) * 13 + (e >> 2)]
    place = triple * 91 + pair
    if ((a ^ b) | (a ^ c) | (a ^ d) | (a ^ e)) & 3:
        return tables.plain[place]  # type: ignore[no-any-return]
    return tables.suited[place]  # type: ignore[no-any-return]


@kernel
def front_strength(a: int, b: int, c: int, tables: StrengthTables) -> int:
    """The front strength of three cards 0..51."""
    triple = tables.triple[((np.int64(a) >> 2) * 13 + (b >> 2)) * 13 + (c >> 2)]
    return tables.front[triple]  # type: ignore[no-any-return]


@kernel
def _strengths(boards, tables, out):  # type: ignore[no-untyped-def]
    for i in range(boards.shape[0]):
        card = boards[i]
        worst = max(card[0], card[1], card[2])
        out[i, 0] = front_strength(card[0], card[1], card[2], tables) if worst < CARD_COUNT else NO_STRENGTH
        for row in range(2):
            s = 3 + 5 * row
            worst = max(max(card[s], card[s + 1]), max(card[s + 2], card[s + 3]), card[s + 4])
            if worst < CARD_COUNT:
                out[i, row + 1] = five_strength(card[s], card[s + 1], card[s + 2], card[s + 3], card[s + 4], tables)
            else:
                out[i, row + 1] = NO_STRENGTH


def row_strengths(boards: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
    """The strengths of front, middle and back, ``(n, 3)`` of uint16, for boards ``(n, 13)`` of uint8.

    NO_STRENGTH where a row holds an empty slot, an unknown card or a joker. Raises ValueError for another shape.
    """
    boards = np.ascontiguousarray(boards, np.uint8)
    if boards.ndim != 2 or boards.shape[1] != SLOTS:
        raise ValueError(f"expected boards of shape (n, {SLOTS}), got {boards.shape}")
    out = np.empty((len(boards), 3), np.uint16)
    tables = strength_tables()
    spread(len(boards), lambda start, stop: _strengths(boards[start:stop], tables, out[start:stop]))
    return out

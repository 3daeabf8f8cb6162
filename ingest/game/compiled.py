"""A rule set as small arrays indexed by row strength, ready for the kernels."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.cards import RANKS
from ingest.game.naturals import NATURALS
from ingest.game.rule_files import FRONT_PAIRS, FRONT_TRIPS, HIGH_ROWS, LOW_ROWS
from ingest.game.rules import Condition, RuleSet
from ingest.game.strength import CATEGORIES, FRONT_CATEGORIES, RowKey, front_floor, low_key, low_order, scale

# Cards of a condition that says "same", and the answer where the number now is unknown.
SAME_CARDS = -2
UNKNOWN_CARDS = -1

Table = npt.NDArray[np.int32]
Bits = npt.NDArray[np.uint32]

# Columns of CompiledRules.front and .five.
FRONT_ROYALTY, FRONT_FLOOR = range(2)
MIDDLE_ROYALTY, BACK_ROYALTY, MIDDLE_ORDER, MIDDLE_QUALIFIED = range(4)
# Columns of CompiledConditions.front and .five.
FRONT_MEETS, FRONT_PAYS = range(2)
MIDDLE_MEETS, MIDDLE_PAYS, BACK_MEETS, BACK_PAYS = range(4)


class CompiledConditions(NamedTuple):
    """Fantasyland conditions; bit k of each entry is condition k.

    MEETS: the row shows what the condition asks of it, or it asks nothing of this row. PAYS: the row alone pays the
    royalty that the condition asks for.
    """

    cards: npt.NDArray[np.int8]  # (k,) cards given, SAME_CARDS for "same"
    front: Bits  # (455, 2) by front strength
    five: Bits  # (11193, 4) by five-card strength
    no_royalty: int  # bits of the conditions that ask for no royalty


class Numbers(NamedTuple):
    """The plain numbers of a rule set."""

    low: int  # 1: 2-7 middle; the back must beat the front, the middle stands apart
    row: int
    scoop: int
    majority: int
    foul: int
    row_winner: int  # 1: royalties only for the winner of the row
    naturals_instead: int  # 1: a natural takes the place of the comparison
    moon_points: int
    moon_end: int  # a back below this strength shoots the moon


class CompiledRules(NamedTuple):
    """What the scoring kernels read: tables indexed by row strength, and numbers."""

    front: Table  # (455, 2) royalty, and the weakest five-card strength that beats this front
    five: Table  # (11193, 4) royalty as middle and as back, place among middles, 0 where such a middle fouls
    natural_points: Table  # (13,)
    numbers: Numbers
    enter: CompiledConditions
    stay: CompiledConditions


def _front_name(key: RowKey) -> str:
    """What a front can be paid for: ``QQ``, ``QQQ``, or the high_card row's category."""
    category, ranks = key
    count = {"pair": 2, "trips": 3}.get(CATEGORIES[category])
    return "high_card" if count is None else RANKS[ranks[0]] * count


def _five_name(key: RowKey) -> str:
    return CATEGORIES[key[0]]


def _low_name(key: RowKey) -> str:
    """What a 2-7 middle can be paid for: its highest card, ``75432``, or "" where it is not qualified."""
    category, ranks = low_key(key)
    if CATEGORIES[category] != "high_card" or RANKS[ranks[0]] not in LOW_ROWS:
        return ""
    name = "".join(RANKS[rank] for rank in ranks)
    return name if name in LOW_ROWS else name[0]


@cache
def _front_names() -> tuple[str, ...]:
    return tuple(_front_name(key) for key in scale().front)


@cache
def _five_names(low: bool) -> tuple[str, ...]:
    return tuple((_low_name if low else _five_name)(key) for key in scale().five)


def _asked(text: str, order: tuple[str, ...]) -> frozenset[str]:
    """The names of rows that meet a condition's text, `order` being all names, weak to strong."""
    name, plus = text.removesuffix("+"), text.endswith("+")
    if name in FRONT_CATEGORIES and order[0] == FRONT_PAIRS[0]:
        names = FRONT_TRIPS if name == "trips" else FRONT_PAIRS
        return frozenset(order[order.index(names[0]) :]) if plus else frozenset(names)
    place = order.index(name)
    return frozenset(order[place:] if plus else order[place : place + 1])


def _condition_bits(
    conditions: tuple[Condition, ...], row: str, names: tuple[str, ...], order: tuple[str, ...]
) -> Bits:
    """The MEETS column of a row: `names` are what each strength is called, `order` all names, weak to strong."""
    bits = np.zeros(len(names), np.uint32)
    for number, condition in enumerate(conditions):
        text = getattr(condition, row)
        met = frozenset(names) if text is None else _asked(text, order)
        bits |= np.array([name in met for name in names], np.uint32) << np.uint32(number)
    return bits


def _royalty_bits(conditions: tuple[Condition, ...], royalty: Table) -> Bits:
    """The PAYS column of a row whose royalties by strength are `royalty`."""
    bits = np.zeros(len(royalty), np.uint32)
    for number, condition in enumerate(conditions):
        if condition.royalty is not None:
            bits |= (royalty >= condition.royalty).astype(np.uint32) << np.uint32(number)
    return bits


def _compile_conditions(
    conditions: tuple[Condition, ...], low: bool, front: Table, middle: Table, back: Table
) -> CompiledConditions:
    middle_rows = LOW_ROWS if low else HIGH_ROWS
    return CompiledConditions(
        cards=np.array([SAME_CARDS if c.cards == "same" else c.cards for c in conditions], np.int8),
        front=np.stack(
            [
                _condition_bits(conditions, "front", _front_names(), FRONT_PAIRS + FRONT_TRIPS),
                _royalty_bits(conditions, front),
            ],
            axis=1,
        ),
        five=np.stack(
            [
                _condition_bits(conditions, "middle", _five_names(low), middle_rows),
                _royalty_bits(conditions, middle),
                _condition_bits(conditions, "back", _five_names(False), HIGH_ROWS),
                _royalty_bits(conditions, back),
            ],
            axis=1,
        ),
        no_royalty=sum(1 << n for n, c in enumerate(conditions) if c.royalty is None),
    )


@cache
def compile_rules(rules: RuleSet) -> CompiledRules:
    """The arrays of a rule set; the same object for the same rule set."""
    low = rules.deal.middle == "deuce_to_seven"
    tables = rules.royalties
    fronts = {**tables.front_pair, **tables.front_trips}
    front = np.array([fronts.get(name, 0) for name in _front_names()], np.int32)
    middle = np.array([tables.middle.get(name, 0) for name in _five_names(low)], np.int32)
    back = np.array([tables.back.get(name, 0) for name in _five_names(False)], np.int32)
    order = low_order() if low else np.arange(len(back))
    qualified = np.array([not low or name != "" for name in _five_names(low)])
    moon_rank = RANKS.index(rules.moon.highest)
    return CompiledRules(
        front=np.stack([front, front_floor()], axis=1, dtype=np.int32, casting="unsafe"),
        five=np.stack([middle, back, order, qualified], axis=1, dtype=np.int32, casting="unsafe"),
        natural_points=np.array([rules.naturals.points.get(name, 0) for name in NATURALS], np.int32),
        numbers=Numbers(
            low=int(low),
            row=rules.points.row,
            scoop=rules.points.scoop,
            majority=rules.points.majority,
            foul=rules.points.foul_points,
            row_winner=int(tables.count == "row_winner"),
            naturals_instead=int(rules.naturals.pay == "instead"),
            moon_points=rules.moon.points,
            moon_end=sum(category == 0 and ranks[0] <= moon_rank for category, ranks in scale().five),
        ),
        enter=_compile_conditions(rules.fantasyland.enter, low, front, middle, back),
        stay=_compile_conditions(rules.fantasyland.stay, low, front, middle, back),
    )

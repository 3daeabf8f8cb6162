"""What final rows are worth to an agent under a rule set: the one place where rules become numbers to play by.

A board's worth is what it can expect from all opponents, plus the value of the Fantasyland hand that it earns. It is
taken apart by row, so that arrays indexed by row strength hold it: royalties, and what the row wins and loses against
the crowd, with its share of scoops and majorities. Everything comes from compiled rules; no number of any rule is
written here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.compiled import (
    BACK_MEETS,
    BACK_PAYS,
    BACK_ROYALTY,
    FRONT_MEETS,
    FRONT_PAYS,
    FRONT_ROYALTY,
    MIDDLE_MEETS,
    MIDDLE_PAYS,
    MIDDLE_ROYALTY,
    SAME_CARDS,
    CompiledConditions,
    CompiledRules,
    Numbers,
    compile_rules,
)
from ingest.game.rules import Condition, RuleSet
from ingest.simulate.buckets import row_buckets
from ingest.simulate.crowd import Crowd, crowd_name, find_crowd, win_chances

Points = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
# Numbers of Fantasyland cards that a rule can give, and an array length that they index.
MOST_CARDS = 17


@dataclass(frozen=True, eq=False)
class Setting:
    """What an agent knows before the first card: the rules as data, the table, the value of Fantasyland.

    `values` ``(18,)``: what a hand with that many Fantasyland cards is worth over a normal one, in points.
    """

    rules: RuleSet
    compiled: CompiledRules
    players: int
    values: Points

    @property
    def low(self) -> bool:
        return self.rules.deal.middle == "deuce_to_seven"

    def crowd(self, cards: int) -> Crowd:
        """The likely boards of an opponent in Fantasyland with `cards` cards, 0: in normal play."""
        return find_crowd(crowd_name(self.rules.deal), cards)


def make_setting(rules: RuleSet, players: int, values: dict[int, float]) -> Setting:
    """The setting of a rule set at a table; `values` by number of Fantasyland cards, missing ones are 0."""
    by_cards = np.zeros(MOST_CARDS + 1, np.float32)
    for cards, value in values.items():
        by_cards[cards] = value
    return Setting(rules, compile_rules(rules), players, by_cards)


class RowWorth(NamedTuple):
    """Points by strength against all opponents together; a board's worth is the sum of its three rows and `legal`."""

    front: Points  # (455,)
    middle: Points  # (11193,)
    back: Points  # (11193,)
    legal: float  # worth of being legal at all, from opponents who foul
    foul: float  # worth of a fouled board, below 0
    moon: float  # worth of shooting the moon


def _one_opponent(setting: Setting, cards: int, own_cards: int) -> RowWorth:
    """RowWorth against one opponent who plays with `cards` Fantasyland cards, for a player with `own_cards`."""
    compiled, numbers = setting.compiled, setting.compiled.numbers
    crowd = setting.crowd(cards)
    chances = win_chances(crowd, setting.low)
    usual = _usual_chances(setting, chances, own_cards)
    royalties = (
        compiled.front[:, FRONT_ROYALTY],
        compiled.five[:, MIDDLE_ROYALTY],
        compiled.five[:, BACK_ROYALTY],
    )
    rows = []
    for row in range(3):
        win = chances[row].astype(np.float64)
        points = numbers.row * (2 * win - 1) + _shared_points(numbers, usual, row, win)
        paid = (1 - crowd.legal) + crowd.legal * win if numbers.row_winner else 1.0
        rows.append((crowd.legal * points + royalties[row] * paid).astype(np.float32))
    legal, foul = (1 - crowd.legal) * numbers.foul, -crowd.legal * numbers.foul
    return RowWorth(rows[0], rows[1], rows[2], legal, foul, float(numbers.moon_points))


def _shared_points(numbers: Numbers, usual: Sequence[float], row: int, win: Doubles) -> Doubles:
    """A row's part of scoops and majorities: what they pay at the usual chances, and how it moves with this row's."""
    one, other = (usual[k] for k in range(3) if k != row)
    mine = usual[row]
    split = one * (1 - other) + other * (1 - one)
    both_won, both_lost = one * other, (1 - one) * (1 - other)
    scoop = mine * both_won - (1 - mine) * both_lost
    majority = both_won - both_lost + (2 * mine - 1) * split
    moves = numbers.scoop * (both_won + both_lost) + numbers.majority * 2 * split
    parts: Doubles = (win - mine) * moves + (numbers.scoop * scoop + numbers.majority * majority) / 3
    return parts


def _usual_chances(setting: Setting, chances: Sequence[Points], own_cards: int) -> list[float]:
    """How often a player like this one wins each row, by the crowd that he belongs to."""
    own = setting.crowd(own_cards)
    usual = []
    for row, buckets in enumerate(row_buckets(setting.low)):
        shares = np.append(own.rows[row], 0.0)[np.minimum(buckets.bucket, own.rows.shape[1])] * buckets.share
        usual.append(float((shares * chances[row]).sum() / max(shares.sum(), 1e-9)))
    return usual


@lru_cache(maxsize=512)
def row_worth(setting: Setting, others: tuple[int, ...], own_cards: int) -> RowWorth:
    """RowWorth against opponents of whom each plays with that many Fantasyland cards, 0: in normal play."""
    parts = [_one_opponent(setting, cards, own_cards) for cards in others]
    return RowWorth(*(sum(values) for values in zip(*parts, strict=True)))


class Bonus(NamedTuple):
    """By strength, a bound from above on what a row adds to the value of Fantasyland; the rows' sum bounds it."""

    front: Points
    middle: Points
    back: Points


@lru_cache(maxsize=64)
def fantasyland_bonus(setting: Setting, own_cards: int, *, bound: bool = True) -> Bonus:
    """The Bonus of rows for a player who now plays with `own_cards` Fantasyland cards, 0: in normal play.

    Without `bound` it is what to expect of a row by itself: conditions that ask for several rows are left out.
    """
    conditions, listed = conditions_for(setting, own_cards)
    bonus = Bonus(
        np.zeros(len(conditions.front), np.float32),
        np.zeros(len(conditions.five), np.float32),
        np.zeros(len(conditions.five), np.float32),
    )
    columns = (
        (conditions.front[:, FRONT_MEETS], conditions.front[:, FRONT_PAYS]),
        (conditions.five[:, MIDDLE_MEETS], conditions.five[:, MIDDLE_PAYS]),
        (conditions.five[:, BACK_MEETS], conditions.five[:, BACK_PAYS]),
    )
    for number, condition in enumerate(listed):
        cards = own_cards if conditions.cards[number] == SAME_CARDS else int(conditions.cards[number])
        value = max(float(setting.values[cards]), 0.0)
        asked = [row for row, text in enumerate((condition.front, condition.middle, condition.back)) if text]
        if len(asked) > 1 and not bound:
            continue
        # A royalty may come from any row; else the first row that is asked carries the whole value.
        carriers = [(row, 1) for row in range(3)] if condition.royalty is not None else [(asked[0], 0)]
        for row, column in carriers:
            met = (columns[row][column] >> np.uint32(number)) & 1
            np.maximum(bonus[row], value * met, out=bonus[row])
    return bonus


def conditions_for(setting: Setting, own_cards: int) -> tuple[CompiledConditions, tuple[Condition, ...]]:
    """The compiled and the listed conditions that decide a player's next hand: of entering, or of staying."""
    fantasyland = setting.rules.fantasyland
    if own_cards == 0:
        return setting.compiled.enter, fantasyland.enter
    return setting.compiled.stay, fantasyland.stay

"""Every arrangement of 13 cards and what each is worth, worked out from the scorer with nothing left out."""

from __future__ import annotations

from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from ingest.game.compiled import (
    BACK_ROYALTY,
    FRONT_FLOOR,
    FRONT_ROYALTY,
    MIDDLE_ORDER,
    MIDDLE_QUALIFIED,
    MIDDLE_ROYALTY,
)
from ingest.game.naturals import natural_masks
from ingest.game.score import score_hands
from ingest.game.strength import row_strengths
from ingest.simulate.buckets import BUCKETS, row_buckets
from ingest.simulate.worth import Setting


def all_boards(cards: np.ndarray) -> np.ndarray:
    """Every arrangement of 13 cards, ``(72072, 13)``."""
    boards = []
    for front in combinations(range(13), 3):
        rest = [k for k in range(13) if k not in front]
        for middle in combinations(rest, 5):
            back = [k for k in rest if k not in middle]
            boards.append([*front, *middle, *back])
    return cards[np.array(boards)]


class Opponent(NamedTuple):
    """What stands opposite: the chance that it is legal, and for each row of a legal board the chance of a strength."""

    legal: float
    rows: tuple[np.ndarray, np.ndarray, np.ndarray]


def likely(setting: Setting, legal: float, ends: np.ndarray) -> Opponent:
    """An Opponent whose rows end in buckets with the chances `ends` ``(3, BUCKETS)``."""
    rows = [
        np.append(ends[row], 0.0)[np.minimum(buckets.bucket, BUCKETS)] * buckets.share
        for row, buckets in enumerate(row_buckets(setting.low))
    ]
    return Opponent(legal, tuple(rows))  # type: ignore[arg-type]


def crowds(setting: Setting, others: tuple[int, ...]) -> list[Opponent]:
    """Opponents of whom nothing is seen, by their Fantasyland cards, 0 in normal play."""
    return [likely(setting, setting.crowd(cards).legal, setting.crowd(cards).rows) for cards in others]


def worths(setting: Setting, boards: np.ndarray, own_cards: int, others: list[Opponent]) -> np.ndarray:
    """What boards are worth against `others`; nan where their rows are not in legal order.

    All ways in which the three rows of each pair can come out, each with its chance.
    """
    compiled, numbers = setting.compiled, setting.compiled.numbers
    strengths, naturals = row_strengths(boards), natural_masks(boards)
    now = np.full(len(boards), own_cards, np.int8)
    scores = score_hands(compiled, strengths, naturals, now, np.arange(len(boards) + 1))
    royalties = scores.values.astype(float)
    total = np.zeros(len(boards))
    for other in others:
        outcomes = [_outcomes(setting, row, other.rows[row], strengths[:, row]) for row in range(3)]
        for signs in product((1, 0, -1), repeat=3):
            points = np.full(len(boards), numbers.row * sum(signs), float)
            points += numbers.scoop * ((signs == (1, 1, 1)) - (signs == (-1, -1, -1)))
            points += numbers.majority * ((signs.count(1) >= 2) - (signs.count(-1) >= 2))
            counted = np.array(signs) > 0 if numbers.row_winner else np.array([True] * 3)
            points += (royalties * counted).sum(axis=1)
            total += other.legal * points * np.prod([row[sign] for row, sign in zip(outcomes, signs, strict=True)], 0)
        if numbers.row_winner:
            total -= other.legal * sum(row["owed"] for row in outcomes)
        total += (1 - other.legal) * (numbers.foul + royalties.sum(axis=1))
    total = np.where(scores.moon, len(others) * numbers.moon_points, total)
    if numbers.naturals_instead:
        total = np.where(scores.natural >= 0, 0, total)
    paid = np.where(scores.natural >= 0, compiled.natural_points[np.maximum(scores.natural, 0)], 0)
    total = total + paid * len(others) + setting.values[scores.fantasyland_next]
    return np.where(_in_order(setting, strengths), total, np.nan)


def _outcomes(setting: Setting, row: int, chances: np.ndarray, strengths: np.ndarray) -> dict[int | str, np.ndarray]:
    """By sign the chance that a row comes out so, and under "owed" what its royalty is likely to pay the other side."""
    five = setting.compiled.five
    royalty = (setting.compiled.front[:, FRONT_ROYALTY], five[:, MIDDLE_ROYALTY], five[:, BACK_ROYALTY])[row]
    order = np.argsort(five[:, MIDDLE_ORDER], kind="stable") if row == 1 else np.arange(len(chances))
    weaker, owed = np.empty(len(chances)), np.empty(len(chances))
    weaker[order] = np.cumsum(chances[order]) - chances[order]
    paid = (chances * royalty)[order]
    owed[order] = paid.sum() - np.cumsum(paid)
    won, tied = weaker[strengths], chances[strengths]
    return {1: won, 0: tied, -1: chances.sum() - won - tied, "owed": owed[strengths]}


def _in_order(setting: Setting, strengths: np.ndarray) -> np.ndarray:
    front, middle, back = strengths.T
    floor = setting.compiled.front[front, FRONT_FLOOR]
    if setting.low:
        return (back >= floor) & (setting.compiled.five[middle, MIDDLE_QUALIFIED] == 1)
    return (back >= middle) & (middle >= floor)

"""Counts that are known exactly, and the whole order of rows against other people's evaluators.

All 2,598,960 five-card and all 22,100 three-card hands are looked at; orders are compared on every distinct row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from phevaluator import evaluate_cards
from pokerkit import StandardHighHand, StandardLowHand

from ingest.game.cards import CARD_NAMES
from ingest.game.compiled import compile_rules
from ingest.game.naturals import NATURAL_NUMBER, natural_masks
from ingest.game.rules import builtin_rules
from ingest.game.score import Scores, score_hands
from ingest.game.strength import CATEGORIES, five_categories, front_categories, front_floor, low_order, row_strengths
from tests.naive import RANKS, strength

FIVE_CARD_HANDS = {
    "high_card": 1_302_540,
    "pair": 1_098_240,
    "two_pair": 123_552,
    "trips": 54_912,
    "straight": 10_200,
    "flush": 5_108,
    "full_house": 3_744,
    "quads": 624,
    "straight_flush": 36,
    "royal_flush": 4,
}
# Distinct ranks that those hands show, 7,462 in all.
FIVE_CARD_ROWS = {
    "high_card": 1277,
    "pair": 2860,
    "two_pair": 858,
    "trips": 858,
    "straight": 10,
    "flush": 1277,
    "full_house": 156,
    "quads": 156,
    "straight_flush": 9,
    "royal_flush": 1,
}
# By two decks also flushes with a pair (13 * C(12, 3)) or two (C(13, 2) * 11), and five of a kind.
TWO_DECK_ROWS = FIVE_CARD_ROWS | {"flush": 1277 + 2860 + 858, "five_of_a_kind": 13}
FRONT_HANDS = {"high_card": 18_304, "pair": 3_744, "trips": 52}
FRONT_ROWS = {"high_card": 286, "pair": 156, "trips": 13}

Cards = npt.NDArray[np.uint8]


def combinations_of(size: int) -> Cards:
    """All hands of `size` cards of one deck, ``(n, size)``."""
    flat = np.fromiter((card for hand in combinations(range(52), size) for card in hand), np.uint8)
    return flat.reshape(-1, size)


def five_strengths(hands: Cards) -> npt.NDArray[np.uint16]:
    """Strengths of five-card hands ``(n, 5)``, looked up as middle and as back, which must agree."""
    strengths = row_strengths(np.concatenate([hands[:, :3], hands, hands], axis=1))
    assert np.array_equal(strengths[:, 1], strengths[:, 2])
    return strengths[:, 2]


def front_strengths(hands: Cards) -> npt.NDArray[np.uint16]:
    return row_strengths(np.concatenate([hands, hands, hands[:, :2], hands, hands[:, :2]], axis=1))[:, 0]


def by_category(strengths: npt.NDArray[Any], categories: npt.NDArray[np.uint8]) -> dict[str, int]:
    counts = np.bincount(categories[strengths], minlength=len(CATEGORIES))
    return {name: int(count) for name, count in zip(CATEGORIES, counts, strict=True) if count}


@cache
def all_five_card_hands() -> tuple[Cards, npt.NDArray[np.uint16]]:
    hands = combinations_of(5)
    return hands, five_strengths(hands)


@cache
def one_of_each_row() -> list[list[str]]:
    """A five-card hand of one deck for each of the 7,462 strengths, weakest first."""
    hands, strengths = all_five_card_hands()
    _, first = np.unique(strengths, return_index=True)
    return [[CARD_NAMES[card] for card in hands[place]] for place in first]


# ---- counts ----


def test_every_five_card_hand_by_class() -> None:
    hands, strengths = all_five_card_hands()
    assert len(hands) == 2_598_960
    assert by_category(strengths, five_categories()) == FIVE_CARD_HANDS
    assert by_category(np.unique(strengths), five_categories()) == FIVE_CARD_ROWS
    assert sum(FIVE_CARD_ROWS.values()) == 7462


def test_every_three_card_hand_by_class() -> None:
    hands = combinations_of(3)
    strengths = front_strengths(hands)
    assert len(hands) == 22_100
    assert by_category(strengths, front_categories()) == FRONT_HANDS
    assert by_category(np.unique(strengths), front_categories()) == FRONT_ROWS
    assert np.array_equal(np.unique(strengths), np.arange(455))


# ---- orders ----


def test_high_order_is_phevaluators() -> None:
    """phevaluator numbers the 7,462 rows from the best, 1, to the worst."""
    assert [evaluate_cards(*hand) for hand in one_of_each_row()] == list(range(7462, 0, -1))


def test_equal_strengths_are_equal_for_phevaluator() -> None:
    """The test above looks at one hand of each row; here hands at random, of which most share a row with others."""
    hands, strengths = all_five_card_hands()
    sample = np.random.default_rng(7).integers(0, len(hands), 100_000)
    theirs = np.array([evaluate_cards(*(CARD_NAMES[card] for card in hands[place])) for place in sample])
    _, ours = np.unique(strengths, return_inverse=True)
    assert np.array_equal(7462 - theirs, ours[sample])


def test_high_order_is_pokerkits() -> None:
    hands = [StandardHighHand("".join(hand)) for hand in one_of_each_row()]
    assert all(weaker < stronger for weaker, stronger in pairwise(hands))


def test_2_7_order_is_pokerkits() -> None:
    places = low_order()[np.unique(all_five_card_hands()[1])]
    assert len(np.unique(places)) == 7462
    in_our_order = [one_of_each_row()[place] for place in np.argsort(places)]
    assert {card[0] for card in in_our_order[-1]} == set("75432")
    hands = [StandardLowHand("".join(hand)) for hand in in_our_order]
    assert all(worse < better for worse, better in pairwise(hands))


# ---- rows of two decks, and front against middle, against the slow twin ----


@cache
def every_row() -> dict[tuple[int, ...], list[str]]:
    """Each distinct five-card row that two decks can make, by its strength as the twin sees it."""
    rows = {}
    for ranks in combinations_with_replacement(RANKS, 5):
        # Five of a kind takes one card twice, which two decks allow.
        offsuit = [rank + suit for rank, suit in zip(ranks, "cdhsc", strict=True)]
        rows[strength(offsuit)] = offsuit
        if max(Counter(ranks).values()) <= 2:
            suited = [rank + "h" for rank in ranks]
            rows[strength(suited)] = suited
    return rows


def numbers(rows: list[list[str]]) -> Cards:
    return np.array([[CARD_NAMES.index(card) for card in row] for row in rows], np.uint8)


def test_the_whole_scale_is_the_twins() -> None:
    rows = every_row()
    in_order = [rows[key] for key in sorted(rows)]
    strengths = five_strengths(numbers(in_order))
    assert np.array_equal(strengths, np.arange(11_193))
    assert by_category(strengths, five_categories()) == TWO_DECK_ROWS


def test_the_whole_2_7_order_is_the_twins() -> None:
    rows = list(every_row().values())
    low_strengths = [strength(row, ace_only_high=True) for row in rows]
    places = low_order()[five_strengths(numbers(rows))]
    # From the best: the smaller high hand is the higher place.
    best_first = np.argsort(-places.astype(np.int64))
    assert [low_strengths[place] for place in best_first] == sorted(low_strengths)
    assert len(np.unique(places)) == len(set(low_strengths)) == 11_193


def test_front_against_middle_is_the_twins() -> None:
    """Every front against every five-card row: the front is over all rows below its floor, and under the others."""
    keys = sorted(every_row())
    fronts = [
        [rank + suit for rank, suit in zip(ranks, "cdh", strict=True)]
        for ranks in combinations_with_replacement(RANKS, 3)
    ]
    floors = front_floor()[front_strengths(numbers(fronts))]
    for front, floor in zip(fronts, floors.tolist(), strict=True):
        mine = strength(front)
        assert all(key < mine for key in keys[:floor])
        assert all(key > mine for key in keys[floor:])


# ---- uniformly random settings ----

SAMPLE = 1_000_000


@cache
def random_boards() -> Cards:
    """Thirteen cards of one deck in random places, ``(SAMPLE, 13)``."""
    rng = np.random.default_rng(20_260_101)
    deck = np.tile(np.arange(52, dtype=np.uint8), (SAMPLE, 1))
    every = np.arange(SAMPLE)
    for place in range(13):
        other = rng.integers(place, 52, SAMPLE)
        deck[every, other], deck[:, place] = deck[:, place].copy(), deck[every, other].copy()
    return deck[:, :13].copy()


@cache
def scored(rules: str) -> Scores:
    """The random boards under a rule set, each alone at its table."""
    boards = random_boards()
    nobody_in = np.zeros(SAMPLE, np.int8)
    compiled = compile_rules(builtin_rules()[rules])
    return score_hands(compiled, row_strengths(boards), natural_masks(boards), nobody_in, np.arange(SAMPLE + 1))


def verify_share(count: int, of: int, known: float, rounding: float) -> None:
    """Assert that a share is the known one, within four standard errors and the rounding of what is known."""
    error = sqrt(known * (1 - known) / of)
    assert abs(count / of - known) < 4 * error + rounding, f"{count} of {of}, expected {known} +- {error}"


def test_share_of_legal_settings() -> None:
    verify_share(int((~scored("pineapple").fouled).sum()), SAMPLE, 0.3093, 0.00005)
    verify_share(int((~scored("pineapple-2-7").fouled).sum()), SAMPLE, 0.0354, 0.00005)


def test_share_of_queens_or_better_in_front() -> None:
    enters = scored("pineapple").fantasyland_next
    assert set(np.unique(enters)) == {0, 14}
    verify_share(int((enters == 14).sum()), SAMPLE, 0.000285, 0.0000005)


def test_royalties_of_a_legal_setting() -> None:
    scores = scored("pineapple")
    royalties = scores.values[~scores.fouled].sum(axis=1)
    error = royalties.std() / sqrt(len(royalties))
    assert abs(royalties.mean() - 0.103) < 4 * error + 0.0005


def ways(value: Callable[[int], int], wanted: int) -> int:
    """How many of the C(52, 13) sets of cards have ranks whose `value(times)` sums to `wanted`."""
    states = {(0, 0): 1}
    for _ in RANKS:
        longer: Counter[tuple[int, int]] = Counter()
        for (cards, total), count in states.items():
            for times in range(min(4, 13 - cards) + 1):
                longer[cards + times, total + value(times)] += count * comb(4, times)
        states = longer
    return states[13, wanted]


NATURAL_WAYS = {
    "dragon": ways(lambda times: int(times >= 1), 13),
    "all_low": comb(28, 13),
    "all_high": comb(28, 13),
    "full_colored": 2 * comb(26, 13),
    "four_triples": ways(lambda times: int(times >= 3), 4),
    "six_and_a_half_pairs": ways(lambda times: times // 2, 6),
    "no_broadway": comb(40, 13),
}


@pytest.mark.parametrize("name", NATURAL_WAYS)
def test_share_of_naturals(name: str) -> None:
    held = (natural_masks(random_boards()) >> NATURAL_NUMBER[name]) & 1
    verify_share(int(held.sum()), SAMPLE, NATURAL_WAYS[name] / comb(52, 13), 1 / SAMPLE)


def test_known_odds_of_naturals() -> None:
    """The figures that books give."""
    assert comb(52, 13) / NATURAL_WAYS["dragon"] == pytest.approx(9_462.4, abs=0.05)
    assert NATURAL_WAYS["six_and_a_half_pairs"] / comb(52, 13) == pytest.approx(0.00450, abs=0.000005)
    assert comb(52, 13) / NATURAL_WAYS["full_colored"] == pytest.approx(30_528, abs=0.5)

"""One board, and one pair of boards, under one rule set: the pieces that the scoring kernels are made of."""

from __future__ import annotations

from typing import NamedTuple

from ingest.game.compiled import (
    BACK_MEETS,
    BACK_PAYS,
    BACK_ROYALTY,
    FRONT_FLOOR,
    FRONT_MEETS,
    FRONT_PAYS,
    FRONT_ROYALTY,
    MIDDLE_MEETS,
    MIDDLE_PAYS,
    MIDDLE_QUALIFIED,
    MIDDLE_ROYALTY,
    SAME_CARDS,
    UNKNOWN_CARDS,
)
from ingest.game.kernels import piece
from ingest.game.strength import NO_STRENGTH

NO_NATURAL = -1
FACTS = 8  # fields of Facts
# The parts of a player's points, in the order of the columns of Scores.parts.
PARTS = (
    "row_front",
    "row_middle",
    "row_back",
    "scoop",
    "majority",
    "royalty_front",
    "royalty_middle",
    "royalty_back",
    "foul",
    "special",
)


class Facts(NamedTuple):
    """What a board is worth by itself under one rule set, before any opponent."""

    fouled: bool
    ordered: bool  # complete, and its rows in legal order
    front: int  # royalties, 0 in a board that is not in order
    middle: int
    back: int
    natural: int  # place in NATURALS, NO_NATURAL for none
    natural_points: int
    moon: bool


@piece
def in_order(front, middle, back, fronts, fives, numbers):  # type: ignore[no-untyped-def]
    """Whether a board of these strengths is complete and its rows stand in legal order."""
    if front == NO_STRENGTH or middle == NO_STRENGTH or back == NO_STRENGTH:
        return False
    floor = fronts[front, FRONT_FLOOR]
    if numbers.low:
        return back >= floor and fives[middle, MIDDLE_QUALIFIED] == 1
    return back >= middle and middle >= floor


@piece
def board_facts(front, middle, back, naturals, fronts, fives, natural_points, numbers):  # type: ignore[no-untyped-def]
    """The Facts of one board."""
    ordered = in_order(front, middle, back, fronts, fives, numbers)
    natural, best = NO_NATURAL, 0
    if naturals and (ordered or numbers.naturals_instead):
        for k in range(natural_points.shape[0]):
            if (naturals >> k) & 1 and natural_points[k] > best:
                natural, best = k, natural_points[k]
    instead = best > 0 and numbers.naturals_instead == 1
    front_paid = middle_paid = back_paid = 0
    moon = False
    if ordered:
        front_paid += fronts[front, FRONT_ROYALTY]
        middle_paid += fives[middle, MIDDLE_ROYALTY]
        back_paid += fives[back, BACK_ROYALTY]
        moon = numbers.moon_points > 0 and back < numbers.moon_end and not instead
    return Facts(not ordered and not instead, ordered, front_paid, middle_paid, back_paid, natural, best, moon)


@piece
def sign(a, b):  # type: ignore[no-untyped-def]
    return (1 if a > b else 0) - (1 if a < b else 0)


@piece
def counted(sign, own, other, row_winner):  # type: ignore[no-untyped-def]
    """The net royalty of a row that `sign` says who won."""
    if not row_winner:
        return own - other
    return own if sign > 0 else -other if sign < 0 else 0


@piece
def pair_parts(a, b, front, middle, back, numbers):  # type: ignore[no-untyped-def]
    """What A gets from B, as the ten PARTS, given the facts of both boards and the sign of each row's comparison."""
    special = a.natural_points - b.natural_points
    if numbers.naturals_instead and (a.natural_points > 0 or b.natural_points > 0):
        return 0, 0, 0, 0, 0, 0, 0, 0, 0, special
    if a.moon or b.moon:
        special += numbers.moon_points * ((1 if a.moon else 0) - (1 if b.moon else 0))
        return 0, 0, 0, 0, 0, 0, 0, 0, 0, special
    if a.fouled or b.fouled:
        foul = numbers.foul * ((1 if b.fouled else 0) - (1 if a.fouled else 0))
        return 0, 0, 0, 0, 0, a.front - b.front, a.middle - b.middle, a.back - b.back, foul, special
    won = (front > 0) + (middle > 0) + (back > 0)
    lost = (front < 0) + (middle < 0) + (back < 0)
    return (
        numbers.row * front,
        numbers.row * middle,
        numbers.row * back,
        numbers.scoop * ((1 if won == 3 else 0) - (1 if lost == 3 else 0)),
        numbers.majority * ((1 if won >= 2 else 0) - (1 if lost >= 2 else 0)),
        counted(front, a.front, b.front, numbers.row_winner),
        counted(middle, a.middle, b.middle, numbers.row_winner),
        counted(back, a.back, b.back, numbers.row_winner),
        0,
        special,
    )


@piece
def cards_given(cards, front, five, no_royalty, f, m, b, now):  # type: ignore[no-untyped-def]
    met = front[f, FRONT_MEETS] & five[m, MIDDLE_MEETS] & five[b, BACK_MEETS]
    met &= front[f, FRONT_PAYS] | five[m, MIDDLE_PAYS] | five[b, BACK_PAYS] | no_royalty
    most = 0
    for k in range(cards.shape[0]):
        if (met >> k) & 1:
            given = cards[k]
            if given == SAME_CARDS:
                if now == UNKNOWN_CARDS:
                    return UNKNOWN_CARDS
                given = now
            most = max(most, given)
    return most


@piece
def fantasyland_cards(front, middle, back, now, enter, stay):  # type: ignore[no-untyped-def]
    """Cards that a board in legal order gets in the next hand; `now` is the number it was played with, 0 for none."""
    if now == 0:
        return cards_given(enter.cards, enter.front, enter.five, enter.no_royalty, front, middle, back, now)
    return cards_given(stay.cards, stay.front, stay.five, stay.no_royalty, front, middle, back, now)

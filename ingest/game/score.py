"""Scoring: boards as row strengths in, points and their parts out, for whole arrays of hands at once.

Seats of all hands stand one behind the other; hand h has the seats ``first_seat[h] : first_seat[h + 1]``, in acting
order, the button last. Every pair of a hand's players is scored on its own; a player's result is the sum of his pairs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.compiled import (
    BACK_MEETS,
    BACK_PAYS,
    BACK_ROYALTY,
    FRONT_FLOOR,
    FRONT_MEETS,
    FRONT_PAYS,
    FRONT_ROYALTY,
    MIDDLE_MEETS,
    MIDDLE_ORDER,
    MIDDLE_PAYS,
    MIDDLE_QUALIFIED,
    MIDDLE_ROYALTY,
    SAME_CARDS,
    UNKNOWN_CARDS,
    CompiledRules,
)
from ingest.game.kernels import kernel, piece, spread
from ingest.game.strength import NO_STRENGTH

# The largest table: classic with two decks.
MOST_PLAYERS = 8
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

Strengths = npt.NDArray[np.uint16]
Offsets = npt.NDArray[np.int64]


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


class Scores(NamedTuple):
    """Arrays over seats; the columns of `parts` sum to `points`, and the points of a hand to zero."""

    points: npt.NDArray[np.int32]  # (s,)
    parts: npt.NDArray[np.int32]  # (s, 10), columns as PARTS; royalties are net of the opponents'
    values: npt.NDArray[np.int32]  # (s, 3) the player's own royalties by row; 0 in a board out of order
    fouled: npt.NDArray[np.bool_]  # (s,)
    moon: npt.NDArray[np.bool_]  # (s,)
    natural: npt.NDArray[np.int8]  # (s,) place in NATURALS, NO_NATURAL for none
    fantasyland_next: npt.NDArray[np.int8]  # (s,) cards of the next hand, 0 none, -1 a number unknown


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
def _sign(a, b):  # type: ignore[no-untyped-def]
    return (1 if a > b else 0) - (1 if a < b else 0)


@piece
def _counted(sign, own, other, row_winner):  # type: ignore[no-untyped-def]
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
        _counted(front, a.front, b.front, numbers.row_winner),
        _counted(middle, a.middle, b.middle, numbers.row_winner),
        _counted(back, a.back, b.back, numbers.row_winner),
        0,
        special,
    )


@piece
def _cards(cards, front, five, no_royalty, f, m, b, now):  # type: ignore[no-untyped-def]
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
        return _cards(enter.cards, enter.front, enter.five, enter.no_royalty, front, middle, back, now)
    return _cards(stay.cards, stay.front, stay.five, stay.no_royalty, front, middle, back, now)


@piece
def _facts_of(strengths, s, naturals, fronts, fives, natural_points, numbers):  # type: ignore[no-untyped-def]
    front, middle, back = strengths[s, 0], strengths[s, 1], strengths[s, 2]
    return board_facts(front, middle, back, naturals[s], fronts, fives, natural_points, numbers)


@piece
def _facts_at(place, facts):  # type: ignore[no-untyped-def]
    """Facts out of a row that `_keep_facts` wrote."""
    return Facts(
        facts[place, 0] == 1,
        facts[place, 1] == 1,
        facts[place, 2],
        facts[place, 3],
        facts[place, 4],
        facts[place, 5],
        facts[place, 6],
        facts[place, 7] == 1,
    )


@piece
def _keep_facts(fact, place, facts):  # type: ignore[no-untyped-def]
    facts[place, 0] = fact.fouled
    facts[place, 1] = fact.ordered
    facts[place, 2] = fact.front
    facts[place, 3] = fact.middle
    facts[place, 4] = fact.back
    facts[place, 5] = fact.natural
    facts[place, 6] = fact.natural_points
    facts[place, 7] = fact.moon


@piece
def _pair(i, j, a, b, strengths, fives, numbers):  # type: ignore[no-untyped-def]
    front = _sign(strengths[i, 0], strengths[j, 0])
    back = _sign(strengths[i, 2], strengths[j, 2])
    middle = 0
    if a.ordered and b.ordered:
        middle = _sign(fives[strengths[i, 1], MIDDLE_ORDER], fives[strengths[j, 1], MIDDLE_ORDER])
    return pair_parts(a, b, front, middle, back, numbers)


@piece
def _net(pair):  # type: ignore[no-untyped-def]
    return pair[0] + pair[1] + pair[2] + pair[3] + pair[4] + pair[5] + pair[6] + pair[7] + pair[8] + pair[9]


@kernel
def _score(strengths, naturals, now, first_seat, rules, points, parts, values, fouled, moon, natural, next_cards):  # type: ignore[no-untyped-def]
    fronts, fives, natural_points, numbers = rules.front, rules.five, rules.natural_points, rules.numbers
    facts = np.empty((MOST_PLAYERS, FACTS), np.int32)
    for hand in range(first_seat.shape[0] - 1):
        start, stop = first_seat[hand], first_seat[hand + 1]
        for s in range(start, stop):
            fact = _facts_of(strengths, s, naturals, fronts, fives, natural_points, numbers)
            _keep_facts(fact, s - start, facts)
            values[s, 0], values[s, 1], values[s, 2] = fact.front, fact.middle, fact.back
            fouled[s], moon[s], natural[s] = fact.fouled, fact.moon, fact.natural
            points[s] = 0
            for k in range(len(PARTS)):
                parts[s, k] = 0
            next_cards[s] = 0
            if fact.ordered:
                front, middle, back = strengths[s, 0], strengths[s, 1], strengths[s, 2]
                next_cards[s] = fantasyland_cards(front, middle, back, now[s], rules.enter, rules.stay)
        for i in range(start, stop):
            a = _facts_at(i - start, facts)
            for j in range(i + 1, stop):
                pair = _pair(i, j, a, _facts_at(j - start, facts), strengths, fives, numbers)
                for k in range(len(PARTS)):
                    parts[i, k] += pair[k]
                    parts[j, k] -= pair[k]
                net = _net(pair)
                points[i] += net
                points[j] -= net


@kernel
def _score_points(strengths, naturals, first_seat, rules, points):  # type: ignore[no-untyped-def]
    fronts, fives, natural_points, numbers = rules.front, rules.five, rules.natural_points, rules.numbers
    facts = np.empty((MOST_PLAYERS, FACTS), np.int32)
    for hand in range(first_seat.shape[0] - 1):
        start, stop = first_seat[hand], first_seat[hand + 1]
        for s in range(start, stop):
            _keep_facts(_facts_of(strengths, s, naturals, fronts, fives, natural_points, numbers), s - start, facts)
            points[s] = 0
        for i in range(start, stop):
            a = _facts_at(i - start, facts)
            for j in range(i + 1, stop):
                net = _net(_pair(i, j, a, _facts_at(j - start, facts), strengths, fives, numbers))
                points[i] += net
                points[j] -= net


@kernel
def _score_plain(strengths, first_seat, rules, points):  # type: ignore[no-untyped-def]
    """_score_points for rule sets without naturals and moon in which both keep their royalties: three times faster."""
    fronts, fives, numbers = rules.front, rules.five, rules.numbers
    row, scoop, majority, foul = numbers.row, numbers.scoop, numbers.majority, numbers.foul
    legal = np.empty(MOST_PLAYERS, np.bool_)
    royalty = np.empty(MOST_PLAYERS, np.int32)
    middles = np.empty(MOST_PLAYERS, np.int32)
    for hand in range(first_seat.shape[0] - 1):
        start, stop = first_seat[hand], first_seat[hand + 1]
        for s in range(start, stop):
            k = s - start
            front, middle, back = strengths[s, 0], strengths[s, 1], strengths[s, 2]
            points[s] = royalty[k] = middles[k] = 0
            legal[k] = in_order(front, middle, back, fronts, fives, numbers)
            if legal[k]:
                royalty[k] = fronts[front, FRONT_ROYALTY] + fives[middle, MIDDLE_ROYALTY] + fives[back, BACK_ROYALTY]
                middles[k] = fives[middle, MIDDLE_ORDER]
        for i in range(start, stop):
            for j in range(i + 1, stop):
                a, b = i - start, j - start
                net = royalty[a] - royalty[b]
                if legal[a] and legal[b]:
                    f = _sign(strengths[i, 0], strengths[j, 0])
                    m = _sign(middles[a], middles[b])
                    k = _sign(strengths[i, 2], strengths[j, 2])
                    won = (f > 0) + (m > 0) + (k > 0)
                    lost = (f < 0) + (m < 0) + (k < 0)
                    net += row * (f + m + k)
                    net += scoop * ((1 if won == 3 else 0) - (1 if lost == 3 else 0))
                    net += majority * ((1 if won >= 2 else 0) - (1 if lost >= 2 else 0))
                else:
                    net += foul * ((1 if legal[a] else 0) - (1 if legal[b] else 0))
                points[i] += net
                points[j] -= net


@kernel
def _pair_nets(strengths, naturals, first_seat, first_pair, rules, nets):  # type: ignore[no-untyped-def]
    fronts, fives, natural_points, numbers = rules.front, rules.five, rules.natural_points, rules.numbers
    for hand in range(first_seat.shape[0] - 1):
        start, stop = first_seat[hand], first_seat[hand + 1]
        place = first_pair[hand]
        for i in range(start, stop):
            a = _facts_of(strengths, i, naturals, fronts, fives, natural_points, numbers)
            for j in range(i + 1, stop):
                b = _facts_of(strengths, j, naturals, fronts, fives, natural_points, numbers)
                nets[place] = _net(_pair(i, j, a, b, strengths, fives, numbers))
                place += 1


def _checked(
    strengths: Strengths, naturals: npt.NDArray[np.uint16], first_seat: Offsets
) -> tuple[Strengths, npt.NDArray[np.uint16], Offsets]:
    """The arrays as the kernels need them; raises ValueError where shapes do not fit together."""
    strengths = np.ascontiguousarray(strengths, np.uint16)
    naturals = np.ascontiguousarray(naturals, np.uint16)
    first_seat = np.ascontiguousarray(first_seat, np.int64)
    seats = len(strengths)
    if strengths.ndim != 2 or strengths.shape[1] != 3 or naturals.shape != (seats,):
        raise ValueError(
            f"expected strengths (s, 3) and naturals (s,), got {strengths.shape} and {naturals.shape}"
        )
    if first_seat.ndim != 1 or len(first_seat) == 0 or first_seat[0] != 0 or first_seat[-1] != seats:
        raise ValueError(f"expected first_seat to run from 0 to {seats}, got {first_seat[:1]} .. {first_seat[-1:]}")
    players = np.diff(first_seat)
    if len(players) and not (players.min() >= 0 and players.max() <= MOST_PLAYERS):
        raise ValueError(f"expected at most {MOST_PLAYERS} players in a hand, got {players.min()} to {players.max()}")
    return strengths, naturals, first_seat


def score_hands(
    rules: CompiledRules,
    strengths: Strengths,
    naturals: npt.NDArray[np.uint16],
    fantasyland: npt.NDArray[np.int8],
    first_seat: Offsets,
) -> Scores:
    """Score every hand under one rule set, with the parts that its points are made of.

    `strengths` ``(s, 3)``, `naturals` ``(s,)`` bit masks, `fantasyland` ``(s,)`` cards that a seat was dealt in
    Fantasyland (0: not in it, -1: in it, number unknown), `first_seat` ``(hands + 1,)``. A board with a missing card
    has NO_STRENGTH somewhere and is fouled. Raises ValueError where shapes do not fit or a table is too large.
    """
    strengths, naturals, first_seat = _checked(strengths, naturals, first_seat)
    fantasyland = np.ascontiguousarray(fantasyland, np.int8)
    seats = len(strengths)
    if fantasyland.shape != (seats,):
        raise ValueError(f"expected fantasyland ({seats},), got {fantasyland.shape}")
    out = Scores(
        points=np.empty(seats, np.int32),
        parts=np.empty((seats, len(PARTS)), np.int32),
        values=np.empty((seats, 3), np.int32),
        fouled=np.empty(seats, np.bool_),
        moon=np.empty(seats, np.bool_),
        natural=np.empty(seats, np.int8),
        fantasyland_next=np.empty(seats, np.int8),
    )
    spread(
        len(first_seat) - 1,
        lambda start, stop: _score(strengths, naturals, fantasyland, first_seat[start : stop + 1], rules, *out),
    )
    return out


def score_points(
    rules: CompiledRules, strengths: Strengths, naturals: npt.NDArray[np.uint16], first_seat: Offsets
) -> npt.NDArray[np.int32]:
    """The points of every seat ``(s,)`` and nothing else: for comparisons over very many hands."""
    strengths, naturals, first_seat = _checked(strengths, naturals, first_seat)
    points = np.empty(len(strengths), np.int32)
    numbers = rules.numbers
    plain = not (rules.natural_points.any() or numbers.moon_points or numbers.row_winner)

    def work(start: int, stop: int) -> None:
        if plain:
            _score_plain(strengths, first_seat[start : stop + 1], rules, points)
        else:
            _score_points(strengths, naturals, first_seat[start : stop + 1], rules, points)

    spread(len(first_seat) - 1, work)
    return points


def pair_offsets(first_seat: Offsets) -> Offsets:
    """Where each hand's pairs begin ``(hands + 1,)``; the pairs of four seats: 01 02 03 12 13 23."""
    players = np.diff(first_seat)
    return np.concatenate([[0], np.cumsum(players * (players - 1) // 2)]).astype(np.int64)


def pair_nets(
    rules: CompiledRules, strengths: Strengths, naturals: npt.NDArray[np.uint16], first_seat: Offsets
) -> npt.NDArray[np.int32]:
    """What the first of each pair gets from the second, in points, ``(pairs,)`` in the order of `pair_offsets`."""
    strengths, naturals, first_seat = _checked(strengths, naturals, first_seat)
    first_pair = pair_offsets(first_seat)
    nets = np.empty(first_pair[-1], np.int32)
    spread(
        len(first_seat) - 1,
        lambda start, stop: _pair_nets(
            strengths, naturals, first_seat[start : stop + 1], first_pair[start : stop + 1], rules, nets
        ),
    )
    return nets

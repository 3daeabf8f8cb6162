"""Scoring: boards as row strengths in, points and their parts out, for whole arrays of hands at once.

Seats of all hands stand one behind the other; hand h has the seats ``first_seat[h] : first_seat[h + 1]``, in acting
order, the button last. Every pair of a hand's players is scored on its own; a player's result is the sum of his pairs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.compiled import BACK_ROYALTY, FRONT_ROYALTY, MIDDLE_ORDER, MIDDLE_ROYALTY, CompiledRules
from ingest.game.kernels import kernel, piece, spread
from ingest.game.pair import FACTS, PARTS, Facts, board_facts, counted, fantasyland_cards, in_order, pair_parts, sign

# The largest table: classic with two decks.
MOST_PLAYERS = 8

Strengths = npt.NDArray[np.uint16]
Offsets = npt.NDArray[np.int64]


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
    front = sign(strengths[i, 0], strengths[j, 0])
    back = sign(strengths[i, 2], strengths[j, 2])
    middle = 0
    if a.ordered and b.ordered:
        middle = sign(fives[strengths[i, 1], MIDDLE_ORDER], fives[strengths[j, 1], MIDDLE_ORDER])
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


@piece
def _won_royalties(f, m, k, i, j, strengths, fronts, fives):  # type: ignore[no-untyped-def]
    """The net royalties of two legal boards where a row's royalty counts only for its winner."""
    front = counted(f, fronts[strengths[i, 0], FRONT_ROYALTY], fronts[strengths[j, 0], FRONT_ROYALTY], 1)
    middle = counted(m, fives[strengths[i, 1], MIDDLE_ROYALTY], fives[strengths[j, 1], MIDDLE_ROYALTY], 1)
    back = counted(k, fives[strengths[i, 2], BACK_ROYALTY], fives[strengths[j, 2], BACK_ROYALTY], 1)
    return front + middle + back


def _without_naturals(with_moon, row_winner):  # type: ignore[no-untyped-def]
    """_score_points for rule sets without naturals, three times faster: facts in arrays of their own, no parts.

    One kernel for each way of paying, so that the usual one asks nothing about the others.
    """

    @kernel
    def score(strengths, first_seat, rules, points):  # type: ignore[no-untyped-def]
        fronts, fives, numbers = rules.front, rules.five, rules.numbers
        row, scoop, majority, foul = numbers.row, numbers.scoop, numbers.majority, numbers.foul
        moon_points, moon_end = numbers.moon_points, numbers.moon_end
        legal, moon = np.empty(MOST_PLAYERS, np.bool_), np.empty(MOST_PLAYERS, np.bool_)
        royalty, middles = np.empty(MOST_PLAYERS, np.int32), np.empty(MOST_PLAYERS, np.int32)
        for hand in range(first_seat.shape[0] - 1):
            start, stop = first_seat[hand], first_seat[hand + 1]
            for s in range(start, stop):
                k = s - start
                front, middle, back = strengths[s, 0], strengths[s, 1], strengths[s, 2]
                points[s] = royalty[k] = middles[k] = 0
                legal[k] = in_order(front, middle, back, fronts, fives, numbers)
                if with_moon:
                    moon[k] = legal[k] and back < moon_end
                if legal[k]:
                    royalty[k] = (
                        fronts[front, FRONT_ROYALTY] + fives[middle, MIDDLE_ROYALTY] + fives[back, BACK_ROYALTY]
                    )
                    middles[k] = fives[middle, MIDDLE_ORDER]
            for i in range(start, stop):
                for j in range(i + 1, stop):
                    a, b = i - start, j - start
                    net = royalty[a] - royalty[b]
                    if with_moon and (moon[a] or moon[b]):
                        net = moon_points * ((1 if moon[a] else 0) - (1 if moon[b] else 0))
                    elif legal[a] and legal[b]:
                        f = sign(strengths[i, 0], strengths[j, 0])
                        m = sign(middles[a], middles[b])
                        k = sign(strengths[i, 2], strengths[j, 2])
                        won = (f > 0) + (m > 0) + (k > 0)
                        lost = (f < 0) + (m < 0) + (k < 0)
                        if row_winner:
                            net = _won_royalties(f, m, k, i, j, strengths, fronts, fives)
                        net += row * (f + m + k)
                        net += scoop * ((1 if won == 3 else 0) - (1 if lost == 3 else 0))
                        net += majority * ((1 if won >= 2 else 0) - (1 if lost >= 2 else 0))
                    else:
                        net += foul * ((1 if legal[a] else 0) - (1 if legal[b] else 0))
                    points[i] += net
                    points[j] -= net

    return score


_PLAIN = {(moon, winner): _without_naturals(moon, winner) for moon in (False, True) for winner in (False, True)}


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
        raise ValueError(f"expected strengths (s, 3) and naturals (s,), got {strengths.shape} and {naturals.shape}")
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
    has_naturals = bool(rules.natural_points.any())
    plain = _PLAIN[rules.numbers.moon_points > 0, rules.numbers.row_winner == 1]

    def work(start: int, stop: int) -> None:
        if not has_naturals:
            plain(strengths, first_seat[start : stop + 1], rules, points)
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

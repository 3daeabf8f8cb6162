"""One pass over hands under one rule set: the sums by session, and over all, that a comparison is made of.

Nothing is kept per seat, so a million hands under every rule set take no more memory than one rule set does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from analysis.tables import Hands
from ingest.game.compiled import MIDDLE_ORDER, CompiledRules, compile_rules
from ingest.game.kernels import cores, kernel, piece
from ingest.game.pair import FACTS, Facts, board_facts, cards_given, in_order, pair_parts, sign
from ingest.game.rules import RuleSet
from ingest.game.score import MOST_PLAYERS

Sums = npt.NDArray[np.int64]

# What a player's points are made of, coarser than the scorer's parts.
COMPONENTS = ("rows", "scoops", "majority", "royalties", "fouls", "specials")
# Who plays the hand in Fantasyland, seen from a seat.
STATES = ("nobody", "only he", "only opponents", "both")
# The columns of RuleSums.sessions.
POINTS, SQUARES, FOULED, ROYALTIES, ENTRIES, STAYS = range(6)
# The columns of Frame.sessions.
SEATS, NORMAL, IN_FANTASYLAND, HANDS = range(4)
# Hands from which on another core is worth it.
FEWEST = 50_000


class Layout(NamedTuple):
    """What is the same under every rule set: who sits where, and what is counted."""

    counted: npt.NDArray[np.bool_]  # (s,)
    cluster: npt.NDArray[np.int32]  # (h,) session, or day, or hand where all are of one session
    state: npt.NDArray[np.int8]  # (s,) place in STATES
    place: npt.NDArray[np.int32]  # (s,) number of (session, player) in `players`
    players: pl.DataFrame  # session, player (number), hands, sorted: one row for each player of each session
    sessions: Sums  # (clusters, 4) seats counted, of them normal and in Fantasyland, hands


class RuleSums(NamedTuple):
    """The sums under one rule set."""

    sessions: Sums  # (clusters, 6) over seats that count
    products: Sums  # (6, 6) sums of products of the components of a seat's points
    totals: Sums  # (6,) sums of the components
    states: Sums  # (4, 3) seats, points and their squares by state
    results: Sums  # (players of sessions,) points, of all seats
    winners: npt.NDArray[np.uint8]  # (h,) the seats with the most points, as a bit mask


def layout(hands: Hands) -> Layout:
    """Prepare hands for `rule_sums`."""
    players = hands.hands["players"].to_numpy()
    hand_of = np.repeat(np.arange(len(hands)), players)
    in_it = (hands.fantasyland != 0).astype(np.int64)
    in_hand = np.add.reduceat(in_it, hands.first_seat[:-1]) if len(hands) else np.zeros(0, np.int64)
    others = in_hand[hand_of] > in_it
    session = hands.hands["session"].rank("dense").cast(pl.Int64).to_numpy() - 1
    number = session[hand_of] * (len(hands.names) + 1) + hands.seats["player"].to_numpy()
    # np.unique sorts all seats; only the few distinct numbers need it.
    distinct = pl.Series(number).unique().sort().to_numpy()
    place = np.searchsorted(distinct, number)
    clusters = hands.clusters
    cluster = hands.hands["cluster"].rank("dense").cast(pl.Int32).to_numpy() - 1
    if clusters == 1:
        # One session alone: its hands are all there is to resample.
        cluster, clusters = np.arange(len(hands), dtype=np.int32), len(hands)
    counted = hands.counted
    of_seat = cluster[hand_of]
    return Layout(
        counted=counted,
        cluster=cluster,
        state=(in_it + 2 * others).astype(np.int8),
        place=place.astype(np.int32),
        players=pl.DataFrame(
            {
                "session": distinct // (len(hands.names) + 1),
                "player": distinct % (len(hands.names) + 1),
                "hands": np.bincount(place, minlength=len(distinct)),
            }
        ),
        sessions=np.stack(
            [
                np.bincount(of_seat, counted, clusters),
                np.bincount(of_seat, counted & (in_it == 0), clusters),
                np.bincount(of_seat, counted & (in_it > 0), clusters),
                np.bincount(cluster, minlength=clusters),
            ],
            axis=1,
        ).astype(np.int64),
    )


@piece
def _keep_facts(fact, i, facts):  # type: ignore[no-untyped-def]
    facts[i, 0], facts[i, 1] = fact.fouled, fact.ordered
    facts[i, 2], facts[i, 3], facts[i, 4] = fact.front, fact.middle, fact.back
    facts[i, 5], facts[i, 6], facts[i, 7] = fact.natural, fact.natural_points, fact.moon


@piece
def _facts_at(i, facts):  # type: ignore[no-untyped-def]
    paid = facts[i, 2], facts[i, 3], facts[i, 4]
    return Facts(facts[i, 0] == 1, facts[i, 1] == 1, *paid, facts[i, 5], facts[i, 6], facts[i, 7] == 1)


@piece
def _move(part, i, j, k, points):  # type: ignore[no-untyped-def]
    part[i, k] += points
    part[j, k] -= points


@kernel
def _add_up(  # type: ignore[no-untyped-def]
    strengths, naturals, first_seat, rules,
    counted, cluster, state, place, sessions, products, totals, states, results, winners,
) -> None:  # fmt: skip
    """Score hands and add up; the arrays of sums as in RuleSums, without entries and stays."""
    fronts, fives, natural_points, numbers = rules.front, rules.five, rules.natural_points, rules.numbers
    facts = np.empty((MOST_PLAYERS, FACTS), np.int32)
    part = np.empty((MOST_PLAYERS, 6), np.int64)
    for hand in range(first_seat.shape[0] - 1):
        start, players = first_seat[hand], first_seat[hand + 1] - first_seat[hand]
        for i in range(players):
            front, middle, back = strengths[start + i, 0], strengths[start + i, 1], strengths[start + i, 2]
            fact = board_facts(front, middle, back, naturals[start + i], fronts, fives, natural_points, numbers)
            _keep_facts(fact, i, facts)
            for k in range(6):
                part[i, k] = 0
        for i in range(players):
            a, s = _facts_at(i, facts), start + i
            for j in range(i + 1, players):
                b, t = _facts_at(j, facts), start + j
                middle = 0
                if a.ordered and b.ordered:
                    middle = sign(fives[strengths[s, 1], MIDDLE_ORDER], fives[strengths[t, 1], MIDDLE_ORDER])
                front, back = sign(strengths[s, 0], strengths[t, 0]), sign(strengths[s, 2], strengths[t, 2])
                pair = pair_parts(a, b, front, middle, back, numbers)
                _move(part, i, j, 0, pair[0] + pair[1] + pair[2])
                _move(part, i, j, 1, pair[3])
                _move(part, i, j, 2, pair[4])
                _move(part, i, j, 3, pair[5] + pair[6] + pair[7])
                _move(part, i, j, 4, pair[8])
                _move(part, i, j, 5, pair[9])
        session, most, mask = cluster[hand], -(1 << 30), 0
        for i in range(players):
            s = start + i
            x = part[i, 0] + part[i, 1] + part[i, 2] + part[i, 3] + part[i, 4] + part[i, 5]
            if x > most:
                most, mask = x, 0
            if x == most:
                mask |= 1 << i
            results[place[s]] += x
            if not counted[s]:
                continue
            sessions[session, 0] += x
            sessions[session, 1] += x * x
            sessions[session, 2] += facts[i, 0]
            sessions[session, 3] += facts[i, 2] + facts[i, 3] + facts[i, 4]
            states[state[s], 0] += 1
            states[state[s], 1] += x
            states[state[s], 2] += x * x
            for k in range(6):
                value = part[i, k]
                if value != 0:
                    totals[k] += value
                    for m in range(k, 6):
                        products[k, m] += value * part[i, m]
        winners[hand] = mask


@kernel
def _add_next(strengths, first_seat, rules, counted, cluster, now, sessions):  # type: ignore[no-untyped-def]
    """Count entries into Fantasyland and stays there, by session."""
    fronts, fives, numbers = rules.front, rules.five, rules.numbers
    enter_cards, enter_front, enter_five, enter_free = rules.enter
    stay_cards, stay_front, stay_five, stay_free = rules.stay
    for hand in range(first_seat.shape[0] - 1):
        for s in range(first_seat[hand], first_seat[hand + 1]):
            front, middle, back = strengths[s, 0], strengths[s, 1], strengths[s, 2]
            if not counted[s] or not in_order(front, middle, back, fronts, fives, numbers):
                continue
            if now[s] == 0:
                cards = cards_given(enter_cards, enter_front, enter_five, enter_free, front, middle, back, 0)
                sessions[cluster[hand], 0] += cards != 0
            else:
                cards = cards_given(stay_cards, stay_front, stay_five, stay_free, front, middle, back, now[s])
                sessions[cluster[hand], 1] += cards != 0


def _in_steps(
    hands: Hands, empty: Callable[[], list[Sums]], work: Callable[[int, int, list[Sums]], None]
) -> list[Sums]:
    """Run `work(start, stop, sums)` over the hands on all cores, each with sums of its own, and add those up."""
    workers = min(cores(), 1 + len(hands) // FEWEST)
    edges = [len(hands) * worker // workers for worker in range(workers + 1)]

    def run(start: int, stop: int) -> list[Sums]:
        sums = empty()
        work(start, stop, sums)
        return sums

    with ThreadPoolExecutor(workers) as pool:
        whole, *others = pool.map(run, edges[:-1], edges[1:])
    for part in others:
        for total, more in zip(whole, part, strict=True):
            total += more
    return whole


def rule_sums(hands: Hands, given: Layout, rule_sets: Sequence[RuleSet]) -> list[RuleSums]:
    """Score all hands under each rule set and add up. Rule sets that pay alike are scored once."""
    scored: dict[bytes, RuleSums] = {}
    answers = []
    for rules in rule_sets:
        compiled = compile_rules(rules)
        key = repr(compiled.numbers).encode() + b"".join(table.tobytes() for table in compiled[:3])
        if key not in scored:
            scored[key] = _points_sums(hands, given, compiled)
        nexts = _next_sums(hands, given, compiled)
        alike = scored[key]
        answers.append(alike._replace(sessions=np.concatenate([alike.sessions, nexts], axis=1)))
    return answers


def _points_sums(hands: Hands, given: Layout, compiled: CompiledRules) -> RuleSums:
    """All of RuleSums but the last two columns of `sessions`."""
    first_seat, strengths, naturals = hands.first_seat, hands.strengths, hands.naturals
    winners = np.empty(len(hands), np.uint8)

    def empty() -> list[Sums]:
        shapes = ((len(given.sessions), 4), (6, 6), (6,), (len(STATES), 3), (len(given.players),))
        return [np.zeros(shape, np.int64) for shape in shapes]

    def work(start: int, stop: int, sums: list[Sums]) -> None:
        first, cluster = first_seat[start : stop + 1], given.cluster[start:stop]
        seats = given.counted, cluster, given.state, given.place
        sessions, products, totals, states, results = sums
        out = sessions, products, totals, states, results, winners[start:stop]
        _add_up(strengths, naturals, first, compiled, *seats, *out)

    sessions, products, totals, states, results = _in_steps(hands, empty, work)
    upper = np.triu(products)
    return RuleSums(sessions, upper + np.triu(upper, 1).T, totals, states, results, winners)


def _next_sums(hands: Hands, given: Layout, compiled: CompiledRules) -> Sums:
    """Entries and stays by session, (clusters, 2)."""
    first_seat, strengths, now = hands.first_seat, hands.strengths, hands.fantasyland

    def work(start: int, stop: int, sums: list[Sums]) -> None:
        cluster = given.cluster[start:stop]
        _add_next(strengths, first_seat[start : stop + 1], compiled, given.counted, cluster, now, sums[0])

    [sums] = _in_steps(hands, lambda: [np.zeros((len(given.sessions), 2), np.int64)], work)
    return sums

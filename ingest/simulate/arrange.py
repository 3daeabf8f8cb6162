"""Setting 13 to 17 cards at once, as well as possible: Fantasyland, and closed Chinese poker.

The best of all legal arrangements is found exactly, by bounds. All subsets of five cards are sorted by the most that
they can be worth as back and as middle, all subsets of three by what they can be worth in front. Backs are tried from
the best, for each of them middles from the best, for each pair fronts from the best, and each list is left as soon as
nothing behind can reach the best arrangement found so far. A row's bound holds all that depends on it alone
(`ingest.simulate.worth`); what needs several rows (a Fantasyland condition over two of them, naturals, the moon) is
worked out for the few arrangements whose bounds reach that far.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.compiled import FRONT_FLOOR, MIDDLE_QUALIFIED
from ingest.game.kernels import kernel, piece, spread
from ingest.game.naturals import NATURALS, _masks
from ingest.game.pair import cards_given
from ingest.game.strength import CATEGORY_NUMBER, StrengthTables, five_categories, strength_tables
from ingest.simulate.views import NO_CARD, Cards
from ingest.simulate.worth import Setting, conditions_for, fantasyland_bonus, row_worth

Points = npt.NDArray[np.float32]
Places = npt.NDArray[np.uint16]

_FIVES, _THREES = 6188, 680  # subsets of 17 cards
_STRAIGHT, _FLUSH = 1, 2


class Bounds(NamedTuple):
    """By strength: the most that a row can add, and where it stands from the most to the least."""

    front: Points
    middle: Points
    back: Points
    front_place: Places
    middle_place: Places
    back_place: Places
    form: npt.NDArray[np.uint8]  # (11193,) _STRAIGHT and _FLUSH as bits: what three naturals are made of


class Plan(NamedTuple):
    """The plain numbers of a search."""

    low: bool
    ordered: bool  # both bounds fall with strength, so that backs and middles share one list
    exact: bool  # the bounds are the worth itself
    legal: float  # added to every legal board
    moon: float  # worth of shooting the moon, 0: not played
    moon_end: int
    instead: bool  # a natural takes the place of the rows
    opponents: int
    cards: int  # dealt


@piece
def _sorted_by_place(masks, strengths, place, count, out_masks, out_strengths, spare_masks, spare_strengths):  # type: ignore[no-untyped-def]
    """Subsets by rising place, in two passes of seven bits."""
    ends = np.zeros(257, np.int32)
    for k in range(count):
        ends[(place[strengths[k]] & 127) + 1] += 1
    for k in range(128):
        ends[k + 1] += ends[k]
    for k in range(count):
        bucket = place[strengths[k]] & 127
        at = ends[bucket]
        ends[bucket] = at + 1
        spare_masks[at], spare_strengths[at] = masks[k], strengths[k]
    ends[:] = 0
    for k in range(count):
        ends[(place[spare_strengths[k]] >> 7) + 1] += 1
    for k in range(256):
        ends[k + 1] += ends[k]
    for k in range(count):
        bucket = place[spare_strengths[k]] >> 7
        at = ends[bucket]
        ends[bucket] = at + 1
        out_masks[at], out_strengths[at] = spare_masks[k], spare_strengths[k]


@piece
def _subsets(cards, n, triple, pair, front, plain, suited, threes, three_strengths, fives, five_strengths):  # type: ignore[no-untyped-def]
    """All subsets of three and five of `n` cards as bit masks with strengths; how many there are of each."""
    pairs = np.empty((136, 3), np.int32)  # index, suits, mask; by the lower card, highest first
    first_pair = np.empty(18, np.int32)  # pairs of cards from this one on come before here
    found = 0
    for d in range(n - 1, -1, -1):
        for e in range(d + 1, n):
            pairs[found, 0] = pair[(np.int64(cards[d]) >> 2) * 13 + (np.int64(cards[e]) >> 2)]
            pairs[found, 1] = (1 << (cards[d] & 3)) | (1 << (cards[e] & 3))
            pairs[found, 2] = (1 << d) | (1 << e)
            found += 1
        first_pair[d] = found
    first_pair[n] = 0
    three_count = five_count = 0
    for a in range(n):
        for b in range(a + 1, n):
            for c in range(b + 1, n):
                ranks = ((np.int64(cards[a]) >> 2) * 13 + (np.int64(cards[b]) >> 2)) * 13 + (np.int64(cards[c]) >> 2)
                index = np.int64(triple[ranks])
                suits = (1 << (cards[a] & 3)) | (1 << (cards[b] & 3)) | (1 << (cards[c] & 3))
                mask = (1 << a) | (1 << b) | (1 << c)
                threes[three_count], three_strengths[three_count] = mask, front[index]
                three_count += 1
                for k in range(first_pair[c + 1]):
                    both = suits | pairs[k, 1]
                    place = index * 91 + pairs[k, 0]
                    fives[five_count] = mask | pairs[k, 2]
                    five_strengths[five_count] = plain[place] if both & (both - 1) else suited[place]
                    five_count += 1
    return three_count, five_count


@piece
def _natural_slack(cards, n, points, slacks):  # type: ignore[no-untyped-def]
    """The most that naturals of `n` cards can pay: into slacks[0] whatever the rows, [1] straights, [2] flushes."""
    counts = np.zeros(13, np.int64)
    low, high, court, plain, red = 0, 0, 0, 0, 0
    for k in range(n):
        rank = int(cards[k]) >> 2
        counts[rank] += 1
        red += cards[k] & 3 == 1 or cards[k] & 3 == 2
        low += rank <= 6
        high += rank >= 6
        court += rank >= 9
        plain += rank < 9 or rank > 11
    ranks = pairs = triples = quads = 0
    for rank in range(13):
        count = int(counts[rank])
        ranks += count > 0
        pairs += count // 2
        triples += count >= 3
        quads += count >= 4
    possible = (
        ranks == 13,
        ranks == 13,
        court >= 13,
        False,
        quads >= 3,
        low >= 13,
        high >= 13,
        red >= 13 or n - red >= 13,
        triples >= 4,
        pairs >= 6,
        False,
        False,
        plain >= 13,
    )
    slacks[:] = 0.0
    for k in range(13):
        if possible[k]:
            slacks[0] = max(slacks[0], points[k])
    slacks[1] = max(points[3], points[10])
    slacks[2] = max(points[3], points[11])


@piece
def _write(board, cards, n, front, middle, back):  # type: ignore[no-untyped-def]
    """A board from three masks, each row from the highest card."""
    f, m, b = 0, 3, 8
    for k in range(n):
        if (front >> k) & 1:
            board[f] = cards[k]
            f += 1
        elif (middle >> k) & 1:
            board[m] = cards[k]
            m += 1
        elif (back >> k) & 1:
            board[b] = cards[k]
            b += 1


@kernel
def _arrange(dealt, search, boards, worths):  # type: ignore[no-untyped-def]
    """The best board of each hand and its worth; `search` as `_search` lays it out."""
    bounds, tables, fives_table, fronts, rows, conditions, values, natural_points, plan = search
    triple, pair, front_table, plain, suited = tables
    most_front, most_middle, most_back, front_place, middle_place, back_place, form = bounds
    front_worth, middle_worth, back_worth = rows
    met_cards, met_front, met_five, no_royalty = conditions
    low, ordered, exact, opponents, n = plan.low, plan.ordered, plan.exact, plan.opponents, plan.cards
    threes, three_strengths = np.empty(_THREES, np.uint32), np.empty(_THREES, np.uint16)
    f_masks, f_strengths = np.empty(_THREES, np.uint32), np.empty(_THREES, np.uint16)
    f_spare, f_spare_strengths = np.empty(_THREES, np.uint32), np.empty(_THREES, np.uint16)
    fives, five_strengths = np.empty(_FIVES, np.uint32), np.empty(_FIVES, np.uint16)
    b_masks, b_strengths = np.empty(_FIVES, np.uint32), np.empty(_FIVES, np.uint16)
    m_masks, m_strengths = b_masks, b_strengths
    if not ordered:
        m_masks, m_strengths = np.empty(_FIVES, np.uint32), np.empty(_FIVES, np.uint16)
    spare, spare_strengths = np.empty(_FIVES, np.uint32), np.empty(_FIVES, np.uint16)
    f_most, m_most = np.empty(_THREES, np.float32), np.empty(_FIVES, np.float32)
    f_floor, m_front = np.empty(_THREES, np.int32), np.empty(_FIVES, np.int32)
    slacks = np.zeros(3, np.float32)
    any_natural = natural_points.any()
    mask = np.zeros(1, np.uint16)
    trial = np.empty((1, 13), np.uint8)
    cards = np.empty(17, np.uint8)
    for i in range(dealt.shape[0]):
        cards[:n] = np.sort(dealt[i, :n])[::-1]
        three_count, count = _subsets(
            cards, n, triple, pair, front_table, plain, suited, threes, three_strengths, fives, five_strengths
        )
        _sorted_by_place(
            threes, three_strengths, front_place, three_count, f_masks, f_strengths, f_spare, f_spare_strengths
        )
        _sorted_by_place(fives, five_strengths, back_place, count, b_masks, b_strengths, spare, spare_strengths)
        middles = count
        if not ordered:
            if low:  # only qualified middles are ever legal
                middles = 0
                for k in range(count):
                    if fives_table[five_strengths[k], MIDDLE_QUALIFIED]:
                        fives[middles], five_strengths[middles] = fives[k], five_strengths[k]
                        middles += 1
            _sorted_by_place(
                fives, five_strengths, middle_place, middles, m_masks, m_strengths, spare, spare_strengths
            )
        for k in range(three_count):
            f_most[k] = most_front[f_strengths[k]]
            f_floor[k] = fronts[f_strengths[k], FRONT_FLOOR]
        legal_front = 0
        for k in range(middles):
            m_most[k] = most_middle[m_strengths[k]]
            # Fronts that this middle cannot stand above come first in both lists as long as both fall with strength.
            while ordered and legal_front < three_count and f_floor[legal_front] > m_strengths[k]:
                legal_front += 1
            if legal_front == three_count:
                middles = k
                break
            m_front[k] = legal_front
        if any_natural:
            _natural_slack(cards, n, natural_points, slacks)
            if plan.instead:  # a natural may save rows that lose everything
                slacks[slacks > 0] -= (front_worth.min() + middle_worth.min() + back_worth.min()) / opponents
        best = -np.float32(1e9)
        best_front = best_middle = best_back = np.uint32(0)
        for b in range(count):
            back, back_mask = b_strengths[b], b_masks[b]
            start = b + 1 if ordered else 0
            if start >= middles:
                break
            slack = slacks[0]
            if any_natural:
                slack = max(slack, slacks[1] if form[back] & _STRAIGHT else 0, slacks[2] if form[back] & _FLUSH else 0)
            mine = most_back[back] + slack * opponents
            if mine + m_most[start] + f_most[m_front[start]] <= best:
                if any_natural:
                    continue
                break
            f_start = 0
            while f_start < three_count and f_masks[f_start] & back_mask:
                f_start += 1
            if f_start == three_count or mine + m_most[start] + f_most[f_start] <= best:
                continue
            for m in range(start, middles):
                f_first = max(f_start, m_front[m])
                if mine + m_most[m] + f_most[f_first] <= best:
                    break
                if m_masks[m] & back_mask or (not low and m_strengths[m] > back):
                    continue
                middle = m_strengths[m]
                taken = back_mask | m_masks[m]
                floor = back if low else middle
                for f in range(f_first, three_count):
                    total = mine + m_most[m] + f_most[f]
                    if total <= best:
                        break
                    if f_masks[f] & taken or f_floor[f] > floor:
                        continue
                    front = f_strengths[f]
                    if not exact:
                        next_cards = cards_given(met_cards, met_front, met_five, no_royalty, front, middle, back, n)
                        value = values[next_cards] if next_cards > 0 else 0.0
                        natural = 0.0
                        if any_natural:
                            _write(trial[0], cards, n, f_masks[f], m_masks[m], back_mask)
                            _masks(trial, mask)
                            for k in range(natural_points.shape[0]):
                                if (mask[0] >> k) & 1:
                                    natural = max(natural, natural_points[k])
                        total = front_worth[front] + middle_worth[middle] + back_worth[back]
                        if natural > 0 and plan.instead:
                            total = value + natural * opponents
                        elif plan.moon > 0 and back < plan.moon_end:
                            total = value + plan.moon + natural * opponents
                        else:
                            total += value + natural * opponents
                        if total <= best:
                            continue
                    best = total
                    best_front, best_middle, best_back = f_masks[f], m_masks[m], back_mask
                    if exact:
                        break
        if best_back == 0:  # no legal board: the strongest rows where they fit, fouled all the same
            best_back, best_middle, best_front = np.uint32(0x1F), np.uint32(0x3E0), np.uint32(0x1C00)
            worths[i] = np.nan
        else:
            worths[i] = best + plan.legal
        _write(boards[i], cards, n, best_front, best_middle, best_back)


def _places(bound: Points) -> Places:
    """Where each strength stands when the largest bound comes first; equal bounds from the stronger row."""
    order = np.lexsort((-np.arange(len(bound)), -bound.astype(np.float64)))
    places = np.empty(len(bound), np.uint16)
    places[order] = np.arange(len(bound))
    return places


def _forms() -> npt.NDArray[np.uint8]:
    category = five_categories()
    straight = np.isin(category, [CATEGORY_NUMBER[name] for name in ("straight", "straight_flush", "royal_flush")])
    flush = np.isin(category, [CATEGORY_NUMBER[name] for name in ("flush", "straight_flush", "royal_flush")])
    return (straight * _STRAIGHT + flush * _FLUSH).astype(np.uint8)


def best_boards(
    setting: Setting, dealt: Cards, cards: int, others: tuple[int, ...], *, own_cards: int, rows_count: bool = True
) -> tuple[Cards, Points]:
    """The best arrangement of each hand `dealt` ``(n, cards or more)``: boards ``(n, 13)`` and what they are worth.

    `others`: how each opponent plays, by number of Fantasyland cards, 0 in normal play. `own_cards`: the player's own
    number, which decides whether he enters or stays. Without `rows_count` only royalties and Fantasyland count. The
    worth is nan where no arrangement is legal. Raises ValueError for another number of cards than 13 to 17.
    """
    if not 13 <= cards <= 17 or dealt.ndim != 2 or dealt.shape[1] < cards:
        raise ValueError(f"expected 13 to 17 cards in each hand, got {cards} of {dealt.shape}")
    search = _search(setting, cards, others, own_cards, rows_count)
    dealt = np.ascontiguousarray(dealt[:, :cards])
    boards = np.empty((len(dealt), 13), np.uint8)
    worths = np.empty(len(dealt), np.float32)
    spread(
        len(dealt),
        lambda start, stop: _arrange(dealt[start:stop], search, boards[start:stop], worths[start:stop]),
        least=200,
    )
    return boards, worths


from functools import lru_cache  # noqa: E402


@lru_cache(maxsize=256)
def _search(setting: Setting, cards: int, others: tuple[int, ...], own_cards: int, rows_count: bool):  # type: ignore[no-untyped-def]
    """The arguments of the kernel that do not depend on the hands."""
    compiled, numbers = setting.compiled, setting.compiled.numbers
    worth = row_worth(setting, others, own_cards)
    if rows_count:
        rows = (worth.front, worth.middle, worth.back)
    else:
        opponents = np.float32(len(others))
        rows = tuple(  # type: ignore[assignment]
            np.ascontiguousarray(table[:, column].astype(np.float32) * opponents)
            for table, column in ((compiled.front, 0), (compiled.five, 0), (compiled.five, 1))
        )
    bonus = fantasyland_bonus(setting, own_cards)
    conditions, listed = conditions_for(setting, own_cards)
    front, middle, back = (row + extra for row, extra in zip(rows, bonus, strict=True))
    if worth.moon > 0:
        moon = worth.moon - rows[0].min() - rows[1].min()
        back[: numbers.moon_end] = np.maximum(back[: numbers.moon_end], moon)
    if setting.rules.deal.decks == 1:  # five of a kind cannot come up, and must not spoil the order by paying nothing
        beyond = five_categories() == CATEGORY_NUMBER["five_of_a_kind"]
        middle[beyond], back[beyond] = middle[~beyond].max(), back[~beyond].max()
    ordered = not numbers.low and bool((np.diff(middle) >= 0).all() and (np.diff(back) >= 0).all())
    # One place for both where both fall together: by strength.
    by_strength = _places(np.arange(len(back)).astype(np.float32))
    bounds = Bounds(
        front,
        middle,
        back,
        _places(front),
        by_strength if ordered else _places(middle),
        by_strength if ordered else _places(back),
        _forms(),
    )
    plan = Plan(
        low=bool(numbers.low),
        ordered=ordered,
        exact=not listed and worth.moon <= 0 and not compiled.natural_points.any(),
        legal=worth.legal if rows_count else 0.0,
        moon=worth.moon,
        moon_end=numbers.moon_end,
        instead=bool(numbers.naturals_instead),
        opponents=len(others),
        cards=cards,
    )
    met = (conditions.cards, conditions.front, conditions.five, np.uint32(conditions.no_royalty))
    tables: StrengthTables = strength_tables()
    return (
        bounds,
        tuple(tables),
        compiled.five,
        compiled.front,
        rows,
        met,
        setting.values,
        compiled.natural_points.astype(np.float32),
        plan,
    )


def rows_of(boards: Cards, dealt: Cards) -> Cards:
    """Where each dealt card went, as placements ``(n, k)``, from finished boards and the cards they were made of."""
    rows = np.full(dealt.shape, NO_CARD, np.uint8)
    _rows_of(boards, dealt, rows)
    return rows


@kernel
def _rows_of(boards, dealt, rows):  # type: ignore[no-untyped-def]
    used = np.empty(13, np.bool_)
    for i in range(dealt.shape[0]):
        used[:] = False
        for k in range(dealt.shape[1]):
            if dealt[i, k] >= 52:
                continue
            rows[i, k] = 3
            for slot in range(13):
                if boards[i, slot] == dealt[i, k] and not used[slot]:
                    used[slot] = True
                    rows[i, k] = 0 if slot < 3 else 1 if slot < 8 else 2
                    break


assert len(NATURALS) == 13

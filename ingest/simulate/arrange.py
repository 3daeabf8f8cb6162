"""Setting 13 to 17 cards at once, as well as possible: Fantasyland, and closed Chinese poker.

The best of all legal arrangements is found exactly, by bounds. All subsets of five cards are sorted by the most that
they can be worth as back and as middle, all subsets of three by what they can be worth in front. Backs are tried from
the best, for each of them middles from the best, for each pair fronts from the best, and each list is left as soon as
nothing behind can reach the best arrangement found so far. A row's bound holds all that depends on it alone, and a
share of what rows win together (`ingest.simulate.opposite`); what needs several rows (scoops, a Fantasyland condition
over two of them, naturals, the moon) is worked out for the few arrangements whose bounds reach that far.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.compiled import FRONT_FLOOR, MIDDLE_QUALIFIED
from ingest.game.kernels import kernel, spread
from ingest.game.naturals import NATURALS
from ingest.game.pair import cards_given
from ingest.game.strength import CATEGORY_NUMBER, StrengthTables, five_categories, strength_tables
from ingest.simulate.ends import natural_worth
from ingest.simulate.opposite import (
    ALL_STRENGTHS,
    AT_BACK,
    AT_MIDDLE,
    FIVE_ROWS,
    FIVE_STRENGTHS,
    FRONT_STRENGTHS,
    Opposite,
    crowds_opposite,
    of_hands,
    place_bounds,
    place_few_bounds,
    row_tables,
    shared_worth,
    strongest_first,
    weigh_rows,
)
from ingest.simulate.stakes import make_stakes
from ingest.simulate.subsets import (
    FIVES,
    FLUSH,
    STRAIGHT,
    THREES,
    most_natural,
    natural_slack,
    sorted_by_place,
    subsets,
    write_board,
)
from ingest.simulate.views import NO_CARD, Cards
from ingest.simulate.worth import Setting, conditions_for, fantasyland_bonus

Points = npt.NDArray[np.float32]


class Plan(NamedTuple):
    """The plain numbers of a search."""

    low: bool
    ordered: bool  # bounds rise with strength, so that backs and middles share one list
    moon: float  # what shooting the moon pays from each opponent, 0: not played
    moon_end: int
    moon_bonus: float  # the most that Fantasyland adds to it
    instead: bool  # a natural takes the place of the rows
    opponents: int
    cards: int  # dealt


@kernel
def _arrange(dealt, search, opposite, boards, worths):  # type: ignore[no-untyped-def]
    """The best board of each hand and its worth; `search` as `_search` lays it out."""
    bonus, form, tables, fives_table, fronts, conditions, values, natural_points, plan, row_tables, pays = search
    triple, pair, front_table, plain, suited = tables
    met_cards, met_front, met_five, no_royalty = conditions
    low, ordered, opponents, n = plan.low, plan.ordered, plan.opponents, plan.cards
    won, lost = np.empty((opponents, ALL_STRENGTHS), np.float32), np.empty((opponents, ALL_STRENGTHS), np.float32)
    alone, most = np.empty(ALL_STRENGTHS, np.float32), np.empty(ALL_STRENGTHS, np.float32)
    most_front, most_middle, most_back = most[:AT_MIDDLE], most[AT_MIDDLE:AT_BACK], most[AT_BACK:]
    front_place, back_place = strongest_first(FRONT_STRENGTHS), strongest_first(FIVE_STRENGTHS)
    middle_place = back_place if ordered else back_place.copy()
    threes, three_strengths = np.empty(THREES, np.uint32), np.empty(THREES, np.uint16)
    f_masks, f_strengths = np.empty(THREES, np.uint32), np.empty(THREES, np.uint16)
    f_spare, f_spare_strengths = np.empty(THREES, np.uint32), np.empty(THREES, np.uint16)
    fives, five_strengths = np.empty(FIVES, np.uint32), np.empty(FIVES, np.uint16)
    b_masks, b_strengths = np.empty(FIVES, np.uint32), np.empty(FIVES, np.uint16)
    m_masks, m_strengths = b_masks, b_strengths
    if not ordered:
        m_masks, m_strengths = np.empty(FIVES, np.uint32), np.empty(FIVES, np.uint16)
    spare, spare_strengths = np.empty(FIVES, np.uint32), np.empty(FIVES, np.uint16)
    f_most, m_most = np.empty(THREES, np.float32), np.empty(FIVES, np.float32)
    f_floor, m_front = np.empty(THREES, np.int32), np.empty(FIVES, np.int32)
    slacks = np.zeros(3, np.float32)
    any_natural = natural_points.any()
    mask = np.zeros(1, np.uint16)
    trial = np.empty((1, 13), np.uint8)
    cards = np.empty(17, np.uint8)
    for i in range(dealt.shape[0]):
        cards[:n] = np.sort(dealt[i, :n])[::-1]
        if i < opposite.legal.shape[0]:
            legal, compared = opposite.legal[i], opposite.compared[i]
            known, theirs = opposite.known[i], opposite.royalties[i]
            weigh_rows(
                legal, opposite.ends[i], known, theirs, compared, row_tables, pays, won, lost, alone, most
            )  # fmt: skip
            fouls = ((1 - legal) * compared).sum() * pays.foul
            moon = plan.moon * (opponents - opposite.naturals[i].sum())
            beaten_moons = plan.moon * opposite.moons[i].sum()
            least = min(most_front.min() + most_middle.min() + most_back.min(), np.float32(0.0))
            most += bonus
            place_few_bounds(most_front, front_place)
            if not ordered:
                place_bounds(most_middle, middle_place)
                place_bounds(most_back, back_place)
        three_count, count = subsets(
            cards, n, triple, pair, front_table, plain, suited, threes, three_strengths, fives, five_strengths
        )
        sorted_by_place(
            threes, three_strengths, front_place, three_count, f_masks, f_strengths, f_spare, f_spare_strengths
        )
        sorted_by_place(fives, five_strengths, back_place, count, b_masks, b_strengths, spare, spare_strengths)
        middles = count
        if not ordered:
            if low:  # only qualified middles are ever legal
                middles = 0
                for k in range(count):
                    if fives_table[five_strengths[k], MIDDLE_QUALIFIED]:
                        fives[middles], five_strengths[middles] = fives[k], five_strengths[k]
                        middles += 1
            sorted_by_place(fives, five_strengths, middle_place, middles, m_masks, m_strengths, spare, spare_strengths)
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
            natural_slack(cards, n, natural_points, slacks)
            if plan.instead:  # a natural may save rows that lose everything
                slacks[slacks > 0] += (beaten_moons - least) / opponents
        best = np.float32(-1e9)
        best_front = best_middle = best_back = np.uint32(0)
        for b in range(count):
            back, back_mask = b_strengths[b], b_masks[b]
            start = b + 1 if ordered else 0
            if start >= middles:
                break
            slack = opponents * most_natural(slacks, form[back])
            moonlit = moon > 0 and back < plan.moon_end  # the moon takes the place of what rows are worth
            mine = moon + plan.moon_bonus if moonlit else most_back[back] + fouls
            rows = np.float32(0.0) if moonlit else np.float32(1.0)
            if mine + slack + rows * (m_most[start] + f_most[m_front[start]]) <= best:
                if any_natural or moon > 0:
                    continue
                break
            f_start = 0
            while f_start < three_count and f_masks[f_start] & back_mask:
                f_start += 1
            if f_start == three_count or mine + slack + rows * (m_most[start] + f_most[f_start]) <= best:
                continue
            for m in range(start, middles):
                f_first = max(f_start, m_front[m])
                if mine + slack + rows * (m_most[m] + f_most[f_first]) <= best:
                    break
                middle = m_strengths[m]
                if m_masks[m] & back_mask or (not low and middle > back):
                    continue
                both = mine + rows * m_most[m]
                natural_here = any_natural and most_natural(slacks, form[back] & form[middle]) > 0
                if natural_here:
                    both += opponents * most_natural(slacks, form[back] & form[middle])
                taken = back_mask | m_masks[m]
                floor = back if low else middle
                for f in range(f_first, three_count):
                    if both + rows * f_most[f] <= best:
                        break
                    if f_masks[f] & taken or f_floor[f] > floor:
                        continue
                    front = f_strengths[f]
                    next_cards = cards_given(met_cards, met_front, met_five, no_royalty, front, middle, back, n)
                    value = values[next_cards] if next_cards > 0 else np.float32(0.0)
                    natural = np.float32(0.0)
                    if natural_here:
                        write_board(trial[0], cards, n, f_masks[f], m_masks[m], back_mask)
                        natural = natural_worth(trial, natural_points, mask)
                    total = value + natural * opponents
                    if natural > 0 and plan.instead:
                        total += beaten_moons
                    elif moonlit:
                        total += moon
                    else:
                        at = (front, AT_MIDDLE + middle, AT_BACK + back)
                        total += fouls + alone[at[0]] + alone[at[1]] + alone[at[2]]
                        total += shared_worth(at[0], at[1], at[2], legal, compared, won, lost, pays)
                    if total > best:
                        best = total
                        best_front, best_middle, best_back = f_masks[f], m_masks[m], back_mask
        if best_back == 0:  # no legal board: the strongest rows where they fit, fouled all the same
            best_back, best_middle, best_front = np.uint32(0x1F), np.uint32(0x3E0), np.uint32(0x1C00)
            worths[i] = np.nan
        else:
            worths[i] = best
        write_board(boards[i], cards, n, best_front, best_middle, best_back)


def _forms() -> npt.NDArray[np.uint8]:
    category = five_categories()
    straight = np.isin(category, [CATEGORY_NUMBER[name] for name in ("straight", "straight_flush", "royal_flush")])
    flush = np.isin(category, [CATEGORY_NUMBER[name] for name in ("flush", "straight_flush", "royal_flush")])
    return (straight * STRAIGHT + flush * FLUSH).astype(np.uint8)


def best_boards(
    setting: Setting,
    dealt: Cards,
    cards: int,
    others: tuple[int, ...] | Opposite,
    *,
    own_cards: int,
    rows_count: bool = True,
) -> tuple[Cards, Points]:
    """The best arrangement of each hand `dealt` ``(n, cards or more)``: boards ``(n, 13)`` and what they are worth.

    `others`: how each opponent plays, by number of Fantasyland cards, 0 in normal play; or what is seen of them in each
    hand. `own_cards`: the player's own number, which decides whether he enters or stays. Without `rows_count` only
    royalties and Fantasyland count. The worth is nan where no arrangement is legal; what opponents get whatever the
    arrangement is left out. Raises ValueError for another number of cards than 13 to 17.
    """
    if not 13 <= cards <= 17 or dealt.ndim != 2 or dealt.shape[1] < cards:
        raise ValueError(f"expected 13 to 17 cards in each hand, got {cards} of {dealt.shape}")
    opposite = others if isinstance(others, Opposite) else crowds_opposite(setting, others)
    search = _search(setting, cards, opposite.legal.shape[1], own_cards, rows_count)
    dealt = np.ascontiguousarray(dealt[:, :cards])
    boards = np.empty((len(dealt), 13), np.uint8)
    worths = np.empty(len(dealt), np.float32)

    def work(start: int, stop: int) -> None:
        _arrange(dealt[start:stop], search, of_hands(opposite, start, stop), boards[start:stop], worths[start:stop])

    spread(len(dealt), work, least=200)
    return boards, worths


@lru_cache(maxsize=256)
def _search(setting: Setting, cards: int, opponents: int, own_cards: int, rows_count: bool):  # type: ignore[no-untyped-def]
    """The arguments of the kernel that do not depend on the hands."""
    compiled, numbers = setting.compiled, setting.compiled.numbers
    tables, pays = row_tables(setting), make_stakes(setting).worths
    if not rows_count:
        pays = pays._replace(row=0.0, scoop=0.0, majority=0.0, foul=0.0, row_winner=False)
    royalty, bonus = tables.royalty.copy(), np.concatenate(fantasyland_bonus(setting, own_cards))
    if setting.rules.deal.decks == 1:  # five of a kind cannot come up, and must not spoil the order by paying nothing
        beyond = np.flatnonzero(five_categories() == CATEGORY_NUMBER["five_of_a_kind"])
        for part, start in product((royalty, bonus), (AT_MIDDLE, AT_BACK)):
            part[start + beyond] = part[start : start + FIVE_STRENGTHS].max()
    # Chances to win rise with strength, and so do the bounds where royalties and Fantasyland do.
    rises = all((np.diff(part[start:stop]) >= 0).all() for part in (royalty, bonus) for start, stop in FIVE_ROWS)
    plan = Plan(
        low=bool(numbers.low),
        ordered=rises and not numbers.low,
        moon=float(numbers.moon_points),
        moon_end=numbers.moon_end,
        moon_bonus=_moon_bonus(setting, bonus),
        instead=bool(numbers.naturals_instead),
        opponents=opponents,
        cards=cards,
    )
    conditions, _ = conditions_for(setting, own_cards)
    strengths: StrengthTables = strength_tables()
    return (
        bonus,
        _forms(),
        tuple(strengths),
        compiled.five,
        compiled.front,
        (conditions.cards, conditions.front, conditions.five, np.uint32(conditions.no_royalty)),
        setting.values,
        compiled.natural_points.astype(np.float32),
        plan,
        tables._replace(royalty=royalty),
        pays,
    )


def _moon_bonus(setting: Setting, bonus: Points) -> float:
    """The most that Fantasyland adds to a board that shoots the moon: no row but a 2-7 middle is above its back."""
    end = setting.compiled.numbers.moon_end
    if end == 0:
        return 0.0
    fronts = bonus[:FRONT_STRENGTHS][setting.compiled.front[:, FRONT_FLOOR] < end]
    middles = bonus[AT_MIDDLE:AT_BACK] if setting.low else bonus[AT_MIDDLE : AT_MIDDLE + end]
    return float(fronts.max() + middles.max() + bonus[AT_BACK : AT_BACK + end].max())


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

"""What a board is worth with only the last street's cards to come: the mean over all cards that may come.

Known exactly for the two ways in which a last street is dealt: one card to place, or three of which two are kept. Cards
are alike when their rank is the same and they do, or do not, complete the same suits; so there are few kinds of cards,
and all three of them that may come together are gone through. Of three cards the best two count. What opponents will
hold stays as it looks, and naturals are not foreseen.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.compiled import BACK_ROYALTY, FRONT_ROYALTY, MIDDLE_ORDER, MIDDLE_ROYALTY
from ingest.game.kernels import kernel, piece
from ingest.game.pair import cards_given, in_order
from ingest.simulate.ends import pair_worth, row_chance
from ingest.simulate.sight import five_of, three_of

# Kinds of cards: ranks, times whether they are of the suit of each of two rows; pairs of them, one of a kind included.
_MOST_KINDS = 52
_MOST_PAIRS = _MOST_KINDS * (_MOST_KINDS + 1) // 2
_MOST_OPPONENTS = 7
_STRENGTHS = 11_193
# Sums are of whole numbers, so that they are the same in any order: points are counted in these parts.
_PARTS = 1024


@piece
def is_worked_out(dealt, kept):  # type: ignore[no-untyped-def]
    """Whether a last street is dealt in one of the two ways that are gone through here."""
    return (dealt == 1 and kept == 1) or (dealt == 3 and kept == 2)


class LastRoom(NamedTuple):
    """Arrays to work in, one set for each thread."""

    seen: npt.NDArray[np.int32]  # (strengths,) number of the option with this strength, from 1; 0: none yet
    strengths: npt.NDArray[np.int32]  # (3, options) the different strengths that a row can get
    option_of: npt.NDArray[np.int32]  # (3, kinds or pairs) which option a card or a pair of cards makes
    paid: npt.NDArray[np.float32]  # (3, options) royalties from all opponents
    chances: npt.NDArray[np.float32]  # (3, opponents, options) to beat each opponent's row
    worth: npt.NDArray[np.int32]  # (options of front x middle x back,) in parts of a point
    best: npt.NDArray[np.int32]  # (kinds, kinds) of two cards, in the better order
    kinds: npt.NDArray[np.uint8]  # (kinds,) a card of each kind
    counts: npt.NDArray[np.int64]  # (kinds,) how many are unseen
    kind_of: npt.NDArray[np.int64]  # (52,) number of a kind, -1: none yet
    in_order: npt.NDArray[np.int32]  # (strengths, 1) places of rows that stand in the order of their strengths


@kernel
def make_last_room():  # type: ignore[no-untyped-def]
    """Room for one thread."""
    return LastRoom(
        np.zeros(_STRENGTHS, np.int32),
        np.empty((3, _MOST_PAIRS), np.int32),
        np.empty((3, _MOST_PAIRS), np.int32),
        np.empty((3, _MOST_PAIRS), np.float32),
        np.empty((3, _MOST_OPPONENTS, _MOST_PAIRS), np.float32),
        np.empty(2 * _MOST_PAIRS, np.int32),
        np.empty((_MOST_KINDS, _MOST_KINDS), np.int32),
        np.empty(_MOST_KINDS, np.uint8),
        np.empty(_MOST_KINDS, np.int64),
        np.empty(52, np.int64),
        np.arange(_STRENGTHS).astype(np.int32).reshape(-1, 1),
    )


@kernel
def _find_kinds(board, pile, free, kinds, counts, kind_of):  # type: ignore[no-untyped-def]
    """A card of each kind and how many of it are in the pile; returns the number of kinds."""
    suits = np.full(2, 4, np.int64)
    for row in range(1, 3):
        if free[row] == 0:
            continue
        for slot in range(5 * row - 2, 5 * row + 3):
            card = board[slot]
            if card < 52:
                suit = card & 3
                suits[row - 1] = suit if suits[row - 1] in (4, suit) else 5
    kind_of[:] = -1
    found = 0
    for card in pile:
        suit = card & 3
        kind = (card >> 2) + 13 * (suit == suits[0]) + 26 * (suit == suits[1])
        if kind_of[kind] < 0:
            kind_of[kind] = found
            kinds[found] = card
            counts[found] = 0
            found += 1
        counts[kind_of[kind]] += 1
    return found


@kernel
def _row_options(row, free, board, kinds, counts, triple, pair, front, plain, suited, seen, strengths, option_of):  # type: ignore[no-untyped-def]
    """The different strengths that a row gets with `free` more cards of these kinds, into `strengths`; how many.

    `option_of`: by kind where one slot is free; by pair a <= b at place b (b + 1) / 2 + a where two are.
    """
    start, size = (0, 3) if row == 0 else (5 * row - 2, 5)
    cards = np.zeros(5, np.int64)
    n = 0
    for slot in range(start, start + size):
        if board[slot] < 52:
            cards[n] = board[slot]
            n += 1
    tries = 1 if free == 0 else len(kinds) if free == 1 else len(kinds) * (len(kinds) + 1) // 2
    count, first, second = 0, 0, 0
    for place in range(tries):
        if free == 1:
            cards[n] = kinds[place]
        elif free == 2:
            if first == second and counts[first] < 2:  # cannot come, and may have no strength
                option_of[place] = 0
                first, second = 0, second + 1
                continue
            cards[n], cards[n + 1] = kinds[first], kinds[second]
            first += 1
            if first > second:
                first, second = 0, second + 1
        strength = three_of(cards, front, triple) if row == 0 else five_of(cards, plain, suited, triple, pair)
        if seen[strength] == 0:
            strengths[count] = strength
            count += 1
            seen[strength] = count
        option_of[place] = seen[strength] - 1
    for k in range(count):
        seen[strengths[k]] = 0
    return count


@kernel
def _row_gains(strengths, royalties, order, bucket, within, legal, rows, wins, known, denied, worths, paid, chances):  # type: ignore[no-untyped-def]
    """What each strength of a row pays in royalties from all opponents, and its chances to beat theirs.

    `order`: the places of strengths among rows of their kind.
    """
    opponents, row_winner = worths.opponents, worths.row_winner
    for k in range(strengths.shape[0]):
        strength = strengths[k]
        place = bucket[strength]
        royalty = np.float32(royalties[strength])
        paid[k] = np.float32(0.0) if row_winner else royalty * opponents
        for o in range(opponents):
            chances[o, k] = np.float32(0.0)
            if place >= wins.shape[1]:
                continue
            chances[o, k] = row_chance(strength, order[strength], bucket, within, rows[o], wins[o], known[o])
            if row_winner:
                paid[k] += royalty * (1 - legal[o] + legal[o] * chances[o, k]) + denied[o, place]


@kernel
def _worths(counts, strengths, paid, chances, legal, known, stakes, worth):  # type: ignore[no-untyped-def]
    """The worth of every way in which the rows can end, in parts of a point."""
    worths, fronts, fives, values = stakes.worths, stakes.fronts, stakes.fives, stakes.values
    row, scoop, majority, foul = worths.row, worths.scoop, worths.majority, worths.foul
    moon, moon_end, opponents = worths.moon, worths.moon_end, worths.opponents
    met_cards, met_front, met_five, no_royalty = stakes.enter
    lost = np.float32(0.0)
    for o in range(opponents):
        lost -= legal[o] * foul
    place = 0
    for i in range(counts[0]):
        f = np.int64(strengths[0, i])
        for j in range(counts[1]):
            m = np.int64(strengths[1, j])
            for k in range(counts[2]):
                b = np.int64(strengths[2, k])
                if in_order(f, m, b, fronts, fives, worths):
                    total = values[cards_given(met_cards, met_front, met_five, no_royalty, f, m, b, 0)]
                    if moon > 0 and b < moon_end:
                        total += moon * opponents
                    else:
                        total += paid[0, i] + paid[1, j] + paid[2, k]
                        for o in range(opponents):
                            total += pair_worth(
                                chances[0, o, i], chances[1, o, j], chances[2, o, k], known[o, 0], known[o, 1],
                                known[o, 2], legal[o], row, scoop, majority, foul,
                            )  # fmt: skip
                else:
                    total = lost
                worth[place] = np.int32(np.floor(total * _PARTS + np.float32(0.5)))
                place += 1


@kernel
def _best_of_two(free, options, kinds, option_of, worth, best):  # type: ignore[no-untyped-def]
    """The worth of keeping two cards of any two of so many kinds, placed in the better order."""
    first = 0
    while free[first] == 0:
        first += 1
    second = 2 if free[2] else 1
    # How far apart the options of a row stand in `worth`.
    step_first = options[1] * options[2] if first == 0 else options[2] if first == 1 else 1
    step_second = options[2] if second == 1 else 1
    for b in range(kinds):
        for a in range(b + 1):
            if free[first] == 2:
                two = worth[option_of[first, b * (b + 1) // 2 + a] * step_first]
            else:
                two = max(
                    worth[option_of[first, a] * step_first + option_of[second, b] * step_second],
                    worth[option_of[first, b] * step_first + option_of[second, a] * step_second],
                )
            best[a, b] = two
            best[b, a] = two


@kernel
def _mean_of_three(best, counts):  # type: ignore[no-untyped-def]
    """The mean over all three cards of the best two of them, in parts of a point."""
    kinds = len(counts)
    total = ways = np.int64(0)
    for a in range(kinds):
        n, of_a, same = counts[a], best[a], best[a, a]
        three = n * (n - 1) * (n - 2) // 6
        total += three * same
        ways += three
        for b in range(a + 1, kinds):
            of_b, both = best[b], best[a, b]
            two_a, two_b = n * (n - 1) // 2 * counts[b], n * (counts[b] * (counts[b] - 1) // 2)
            total += two_a * max(same, both) + two_b * max(best[b, b], both)
            part = more = np.int64(0)
            for c in range(b + 1, kinds):
                part += counts[c] * max(both, max(of_a[c], of_b[c]))
                more += counts[c]
            total += n * counts[b] * part
            ways += two_a + two_b + n * counts[b] * more
    return total / ways


@kernel
def worth_before_last(board, pile, dealt, legal, rows, wins, known, denied, stakes, room):  # type: ignore[no-untyped-def]
    """The mean worth of a board over the last cards, of which `dealt` come: 1, or 3 of which two are kept.

    `pile`: the unseen cards; from `legal` to `denied`: what is known of opponents, see `room.Room`.
    """
    triple, pair, front, plain, suited = stakes.tables
    fronts, fives = stakes.fronts, stakes.fives
    seen, strengths, option_of, paid, chances, worth, best, all_kinds, all_counts, kind_of, _ = room
    options, free = np.zeros(3, np.int64), np.zeros(3, np.int64)
    for slot in range(13):
        if board[slot] >= 52:
            free[0 if slot < 3 else 1 if slot < 8 else 2] += 1
    found = _find_kinds(board, pile, free, all_kinds, all_counts, kind_of)
    kinds, counts = all_kinds[:found], all_counts[:found]
    for row in range(3):
        count = _row_options(
            row,
            free[row],
            board,
            kinds,
            counts,
            triple,
            pair,
            front,
            plain,
            suited,
            seen,
            strengths[row],
            option_of[row],
        )
        options[row] = count
        royalties = fronts[:, FRONT_ROYALTY] if row == 0 else fives[:, MIDDLE_ROYALTY if row == 1 else BACK_ROYALTY]
        order = fives[:, MIDDLE_ORDER] if row == 1 else room.in_order[:, 0]
        _row_gains(
            strengths[row, :count], royalties, order, stakes.bucket[row], stakes.within[row], legal, rows[:, row],
            wins[:, row], known[:, row], denied[:, row], stakes.worths, paid[row], chances[row],
        )  # fmt: skip
    _worths(options, strengths, paid, chances, legal, known, stakes, worth)
    if dealt == 3:
        _best_of_two(free, options, found, option_of, worth, best)
        return np.float32(_mean_of_three(best, counts) / _PARTS)
    only = 0 if free[0] else 1 if free[1] else 2
    total = np.int64(0)
    for kind in range(found):
        total += counts[kind] * worth[option_of[only, kind]]
    return np.float32(total / (len(pile) * _PARTS))

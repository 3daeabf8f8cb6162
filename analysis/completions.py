"""Whether a board that is still being built can become legal: decided exactly, without trying every card.

What a row is worth depends on the ranks of its cards and on whether they are all of one suit. So a row is filled up in
far fewer ways than there are cards: by ranks, each way either in a given suit ("suited") or in whatever suits
("plain"). Ways of the three rows go together when the cards that are left suffice for them:

- a suited way takes certain cards, a plain one any cards of its ranks; if the certain ones are there, and of each rank
  as many cards as all ways together ask for, they can be dealt out, for plain ways take whichever are left;
- a plain way may come out suited by chance. That makes a row only stronger, so it does the back no harm; but a middle
  that must not be too strong, or not be a flush, needs one card of another suit.

A row is looked at by itself first: mostly the weakest front and the strongest back settle the matter, or leave so few
ways that all of them together are soon looked at.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ingest.game.cards import CARD_COUNT, RANKS
from ingest.game.compiled import FRONT_FLOOR, MIDDLE_QUALIFIED
from ingest.game.kernels import kernel, piece
from ingest.game.strength import StrengthTables

# Ways to fill a row, one a line: its strength then, the suit of the new cards (PLAIN: any), their ranks.
Ways = npt.NDArray[np.int16]

PLAIN = -1
# The suit of the cards that a row holds: several, or any, as it holds none.
MIXED, ANY = -1, 4
_STRENGTH, _SUIT, _FIRST_RANK = range(3)
_RANKS, _SUITS, _LONGEST = len(RANKS), 4, 5
_FRONT, _MIDDLE, _BACK = range(3)
# Five cards to come: 6,175 rank multisets without five of a kind and 13 with it, and, from two decks, 5,005 in each
# suit that hold no rank more than twice.
_MOST_WAYS = 6_188 + _SUITS * 5_005


@kernel
def new_ways() -> Ways:
    """Room for the ways of all three rows; each thread needs its own."""
    return np.empty((3, _MOST_WAYS, _FIRST_RANK + _LONGEST), np.int16)


@piece
def _suit_of(board, start, held):  # type: ignore[no-untyped-def]
    """The suit that all `held` cards of a row share, MIXED if they share none, ANY if there are no cards."""
    if held == 0:
        return ANY
    suit = board[start] & 3
    for slot in range(start + 1, start + held):
        if board[slot] & 3 != suit:
            return MIXED
    return np.int64(suit)


@piece
def _ranks_strength(ranks, size, suited, tables):  # type: ignore[no-untyped-def]
    """The strength of a row by its ranks (5,), of which a front has three."""
    triple = tables.triple[(ranks[0] * _RANKS + ranks[1]) * _RANKS + ranks[2]]
    if size == 3:
        return tables.front[triple]
    place = np.int64(triple) * 91 + tables.pair[ranks[3] * _RANKS + ranks[4]]
    return tables.suited[place] if suited else tables.plain[place]


@kernel
def _add_ways(ranks, held, size, supply, suit, tables: StrengthTables, ways, count):  # type: ignore[no-untyped-def]
    """Append every way to fill up a row, no rank more often than `supply` (13,) says; the new number of ways.

    `ranks` (5,): those of the `held` cards that lie there come first; the rest is overwritten.
    """
    open_slots = size - held
    depth = held
    first = np.zeros(_LONGEST + 1, np.int64)  # the lowest rank still to be tried, by slot
    taken = np.zeros(_RANKS, np.int64)
    while True:
        if depth == size:
            ways[count, _STRENGTH] = _ranks_strength(ranks, size, suit != PLAIN, tables)
            ways[count, _SUIT] = suit
            for k in range(open_slots):
                ways[count, _FIRST_RANK + k] = ranks[held + k]
            count += 1
        else:
            # Cards of one row are alike, so their ranks come in rising order.
            rank = first[depth]
            while rank < _RANKS and taken[rank] >= supply[rank]:
                rank += 1
            if rank < _RANKS:
                ranks[depth], first[depth], first[depth + 1] = rank, rank + 1, rank
                taken[rank] += 1
                depth += 1
                continue
        if depth == held:
            return count
        depth -= 1
        taken[ranks[depth]] -= 1


@kernel
def _row_ways(board, row, held, left, supply, tables: StrengthTables, ways):  # type: ignore[no-untyped-def]
    """Write all ways to fill up a row that holds `held` cards into `ways`; how many there are."""
    start, size = (0, 3) if row == _FRONT else (5 * row - 2, 5)
    ranks = np.zeros(_LONGEST, np.int64)
    for k in range(held):
        ranks[k] = board[start + k] >> 2
    suit = _suit_of(board, start, held)
    if row == _FRONT:
        return _add_ways(ranks, held, size, supply, PLAIN, tables, ways, 0)
    if held == size:
        return _add_ways(ranks, held, size, supply, PLAIN if suit == MIXED else suit, tables, ways, 0)
    count = _add_ways(ranks, held, size, supply, PLAIN, tables, ways, 0)
    in_suit = np.empty(_RANKS, np.int64)
    for s in range(_SUITS):
        if suit in (s, ANY):
            for rank in range(_RANKS):
                in_suit[rank] = left[4 * rank + s]
            count = _add_ways(ranks, held, size, in_suit, s, tables, ways, count)
    return count


@piece
def _keep(ways, place, kept):  # type: ignore[no-untyped-def]
    """Move a way to the front of the list, behind those kept so far."""
    for k in range(ways.shape[1]):
        ways[kept, k] = ways[place, k]


@piece
def _take(way, open_slots, left, supply):  # type: ignore[no-untyped-def]
    """Take the cards of a way out of what is left; whether they were there. Also if not, `_put_back` undoes it."""
    there = True
    suit = way[_SUIT]
    for k in range(_FIRST_RANK, _FIRST_RANK + open_slots):
        rank = way[k]
        supply[rank] -= 1
        there &= supply[rank] >= 0
        if suit != PLAIN:
            left[4 * rank + suit] -= 1
            there &= left[4 * rank + suit] >= 0
    return there


@piece
def _put_back(way, open_slots, left, supply):  # type: ignore[no-untyped-def]
    suit = way[_SUIT]
    for k in range(_FIRST_RANK, _FIRST_RANK + open_slots):
        supply[way[k]] += 1
        if suit != PLAIN:
            left[4 * way[k] + suit] += 1


@piece
def _stays_plain(way, open_slots, suit, left):  # type: ignore[no-untyped-def]
    """Whether a plain way need not come out suited, `suit` being that of the cards which lie there already."""
    if open_slots == 0 or suit == MIXED or way[_SUIT] != PLAIN:
        return True
    suits = 0
    for k in range(_FIRST_RANK, _FIRST_RANK + open_slots):
        for s in range(_SUITS):
            if left[4 * way[k] + s] > 0:
                suits |= 1 << s
    return suits & (suits - 1) != 0 if suit == ANY else suits & ~(1 << suit) != 0


@kernel
def _qualified(ways, count, fives):  # type: ignore[no-untyped-def]
    """Keep the ways to a 2-7 middle that is good enough; how many there are."""
    kept = 0
    for k in range(count):
        if fives[ways[k, _STRENGTH], MIDDLE_QUALIFIED] == 1:
            _keep(ways, k, kept)
            kept += 1
    return kept


@kernel
def _sift(ways, counts, fronts, low):  # type: ignore[no-untyped-def]
    """Keep those ways, and in `counts` (3,) how many, that fit some way of each other row, cards aside."""
    strongest = 0
    for k in range(counts[_BACK]):
        strongest = max(strongest, ways[_BACK, k, _STRENGTH])
    lowest_floor = np.int64(1 << 15)
    for k in range(counts[_FRONT]):
        lowest_floor = min(lowest_floor, fronts[ways[_FRONT, k, _STRENGTH], FRONT_FLOOR])
    kept, weakest, highest = 0, np.int64(1 << 15), 0
    for k in range(counts[_MIDDLE]):
        strength = ways[_MIDDLE, k, _STRENGTH]
        if low or lowest_floor <= strength <= strongest:
            _keep(ways[_MIDDLE], k, kept)
            weakest, highest = min(weakest, strength), max(highest, strength)
            kept += 1
    counts[_MIDDLE] = kept
    # What the back must beat, and the front must not.
    if low:
        weakest, highest = lowest_floor, strongest
    kept = 0
    for k in range(counts[_BACK]):
        if ways[_BACK, k, _STRENGTH] >= weakest:
            _keep(ways[_BACK], k, kept)
            kept += 1
    counts[_BACK] = kept
    kept = 0
    for k in range(counts[_FRONT]):
        if fronts[ways[_FRONT, k, _STRENGTH], FRONT_FLOOR] <= highest:
            _keep(ways[_FRONT], k, kept)
            kept += 1
    counts[_FRONT] = kept


@kernel
def _go_together(ways, counts, open_slots, suit, left, supply, fronts, low):  # type: ignore[no-untyped-def]
    """Whether some front, middle and back are in order and made of different cards; `suit`: that of the middle."""
    for m in range(counts[_MIDDLE]):
        middle = ways[_MIDDLE, m]
        m_fits = _take(middle, open_slots[_MIDDLE], left, supply)
        for b in range(counts[_BACK] if m_fits else 0):
            back = ways[_BACK, b]
            if not low and back[_STRENGTH] < middle[_STRENGTH]:
                continue
            fits = _take(back, open_slots[_BACK], left, supply)
            if fits and _stays_plain(middle, open_slots[_MIDDLE], suit, left):
                bound = back[_STRENGTH] if low else middle[_STRENGTH]
                for f in range(counts[_FRONT]):
                    front = ways[_FRONT, f]
                    if fronts[front[_STRENGTH], FRONT_FLOOR] <= bound:
                        fits = _take(front, open_slots[_FRONT], left, supply)
                        _put_back(front, open_slots[_FRONT], left, supply)
                        if fits:
                            return True
            _put_back(back, open_slots[_BACK], left, supply)
        _put_back(middle, open_slots[_MIDDLE], left, supply)
    return False


@kernel
def can_become_legal(board, filled, left, fronts, fives, low, tables: StrengthTables, ways):  # type: ignore[no-untyped-def]
    """Whether some of the cards that are left, `left` (52,) of each, fill the open slots so that the board is legal.

    `board` (13,) holds `filled` (3,) cards in front, middle and back; `fronts`, `fives`: tables of CompiledRules;
    `low`: 1 for a 2-7 middle; `ways`: `new_ways()`, overwritten.
    """
    supply = np.zeros(_RANKS, np.int64)
    cards = np.empty(CARD_COUNT, np.int64)
    for card in range(CARD_COUNT):
        cards[card] = left[card]
        supply[card >> 2] += left[card]
    counts, open_slots = np.empty(3, np.int64), np.empty(3, np.int64)
    # The middle first: of low ones often none is good, whatever the other rows hold.
    for row in (_MIDDLE, _FRONT, _BACK):
        counts[row] = _row_ways(board, row, filled[row], cards, supply, tables, ways[row])
        open_slots[row] = (3 if row == _FRONT else 5) - filled[row]
        if low and row == _MIDDLE:
            counts[row] = _qualified(ways[row], counts[row], fives)
        if counts[row] == 0:
            return False
    _sift(ways, counts, fronts, low)
    suit = _suit_of(board, 3, filled[_MIDDLE])
    return _go_together(ways, counts, open_slots, suit, cards, supply, fronts, low)

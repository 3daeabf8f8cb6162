"""A simple agent to measure others by: it completes boards by hindsight and does not know that it has an opponent.

For a candidate placement it draws a few unseen cards (9, 7, 5, 3 after 5, 7, 9, 11 cards placed), completes the board
with the best legal use of them, and takes royalties plus the value of Fantasyland as its worth, a foul's points where
every completion fouls. The mean over 16 draws on the first street and 48 on later ones for every candidate, over 120
more for the best eight; the last street is exact. Pineapple only, one deck, high middle.
"""

from __future__ import annotations

import numba
import numpy as np

from ingest.game.strength import strength_tables
from ingest.simulate.fast import street_ways
from ingest.simulate.setter import set_at_once
from ingest.simulate.views import Cards, Views
from ingest.simulate.worth import Setting, fantasyland_bonus, make_setting

FOUL = -6.0
FIRST_DRAWS, LATER_DRAWS, MORE_DRAWS, BEST = 16, 48, 120, 8
SIMPLE_VALUES = {14: 10.0, 15: 14.0, 16: 19.0, 17: 24.0}


@numba.njit(cache=False, nogil=True)
def _strength(cards, n, triple, pair, front, plain, suited):
    index = np.int64(triple[((cards[0] >> 2) * 13 + (cards[1] >> 2)) * 13 + (cards[2] >> 2)])
    if n == 3:
        return np.int64(front[index])
    place = index * 91 + np.int64(pair[(cards[3] >> 2) * 13 + (cards[4] >> 2)])
    same = True
    for k in range(1, 5):
        same &= (cards[k] & 3) == (cards[0] & 3)
    return np.int64(suited[place]) if same else np.int64(plain[place])


@numba.njit(cache=False, nogil=True)
def _subsets(board, start, size, cards, k, tables, worth, masks, strengths, worths):
    """Every way to fill a row out of `k` cards, best first; by mask into strengths and worths too."""
    triple, pair, front, plain, suited = tables
    row = np.empty(5, np.int64)
    held = 0
    for slot in range(start, start + size):
        if board[slot] < 52:
            row[held] = board[slot]
            held += 1
    count = 0
    for mask in range(1 << k):
        bits = 0
        for j in range(k):
            bits += (mask >> j) & 1
        if bits != size - held:
            continue
        n = held
        for j in range(k):
            if (mask >> j) & 1:
                row[n] = cards[j]
                n += 1
        strengths[mask] = _strength(row, size, triple, pair, front, plain, suited)
        worths[mask] = worth[strengths[mask]]
        masks[count] = mask
        count += 1
    keys = np.empty(count)
    for c in range(count):
        keys[c] = -worths[masks[c]]
    masks[:count] = masks[:count][np.argsort(keys)]
    return count


@numba.njit(cache=False, nogil=True)
def _completed(board, cards, k, tables, worth, floor, masks, strengths, worths):
    """The worth of the best legal completion, FOUL if there is none."""
    front_worth, middle_worth, back_worth = worth
    fronts = _subsets(board, 0, 3, cards, k, tables, front_worth, masks[0], strengths[0], worths[0])
    middles = _subsets(board, 3, 5, cards, k, tables, middle_worth, masks[1], strengths[1], worths[1])
    backs = _subsets(board, 8, 5, cards, k, tables, back_worth, masks[2], strengths[2], worths[2])
    best = FOUL
    if fronts == 0 or middles == 0 or backs == 0:
        return best
    most_front, most_middle = worths[0, masks[0, 0]], worths[1, masks[1, 0]]
    for b in range(backs):
        back = masks[2, b]
        if worths[2, back] + most_middle + most_front <= best:
            break
        for m in range(middles):
            middle = masks[1, m]
            if worths[2, back] + worths[1, middle] + most_front <= best:
                break
            if back & middle or strengths[1, middle] > strengths[2, back]:
                continue
            for f in range(fronts):
                front = masks[0, f]
                total = worths[2, back] + worths[1, middle] + worths[0, front]
                if total <= best:
                    break
                if front & (back | middle) or floor[strengths[0, front]] > strengths[1, middle]:
                    continue
                best = total
                break
    return best


@numba.njit(cache=False, nogil=True)
def _lay(board, dealt, way, out):
    out[:] = board
    for k in range(dealt.shape[0]):
        if way[k] < 3:
            slot = 0 if way[k] == 0 else 5 * way[k] - 2
            while out[slot] < 52:
                slot += 1
            out[slot] = dealt[k]


@numba.njit(cache=False, nogil=True)
def _decide(boards, dealt, discards, others, keys, ways, tables, worth, floor, out):
    masks, strengths = np.empty((3, 512), np.int64), np.empty((3, 512), np.int64)
    worths = np.empty((3, 512))
    after = np.empty((ways.shape[0], 13), np.uint8)
    sizes = (3, 5, 5)
    for i in range(boards.shape[0]):
        np.random.seed(keys[i] & 0x7FFFFFFF)
        unseen = np.ones(52, np.bool_)
        for group in (boards[i], dealt[i], discards[i], others[i].ravel()):
            for card in group:
                if card < 52:
                    unseen[card] = False
        pile = np.flatnonzero(unseen)
        fitting = np.empty(ways.shape[0], np.int64)
        count = 0
        for w in range(ways.shape[0]):
            fits = True
            for row in range(3):
                start = 0 if row == 0 else 5 * row - 2
                free = 0
                for slot in range(start, start + sizes[row]):
                    free += boards[i, slot] >= 52
                for k in range(dealt.shape[1]):
                    free -= ways[w, k] == row
                fits &= free >= 0
            if fits:
                _lay(boards[i], dealt[i], ways[w], after[w])
                fitting[count] = w
                count += 1
        placed = 0
        for slot in range(13):
            placed += after[fitting[0], slot] < 52
        k = max(0, 14 - placed) if placed < 13 else 0
        draws = FIRST_DRAWS if placed == 5 else LATER_DRAWS if placed < 13 else 1
        totals, tries = np.zeros(ways.shape[0]), np.zeros(ways.shape[0])
        for stage in range(2):
            chosen = fitting[:count]
            if stage == 1:
                if placed == 13:
                    break
                draws = MORE_DRAWS
                chosen = chosen[np.argsort(-(totals / np.maximum(tries, 1))[chosen])][:BEST]
            for _ in range(draws):
                for j in range(k):
                    other = np.random.randint(j, pile.shape[0])
                    pile[j], pile[other] = pile[other], pile[j]
                for w in chosen:
                    totals[w] += _completed(after[w], pile, k, tables, worth, floor, masks, strengths, worths)
                    tries[w] += 1
        best = fitting[0]
        for w in fitting[:count]:
            # Only those that were looked at longest are compared.
            if tries[w] == tries[fitting[:count]].max() and (
                tries[best] < tries[w] or totals[w] / tries[w] > totals[best] / tries[best]
            ):
                best = w
        out[i] = ways[best]


class SimpleAgent:
    """The simple agent; Fantasyland is set for royalties and the value of staying."""

    name = "simple"

    def __init__(self, setting: Setting) -> None:
        # It has its own idea of what Fantasyland is worth, whatever the others believe.
        self.setting = setting = make_setting(setting.rules, setting.players, SIMPLE_VALUES)
        compiled = setting.compiled
        bonus = fantasyland_bonus(setting, 0)
        self._worth = (
            compiled.front[:, 0] + bonus.front.astype(float),
            compiled.five[:, 0] + bonus.middle.astype(float),
            compiled.five[:, 1] + bonus.back.astype(float),
        )

    def place(self, views: Views) -> Cards:
        if views.dealt.shape[1] >= 13:
            return set_at_once(self.setting, views)
        ways, _ = street_ways(*self.setting.rules.deal.streets[views.street])
        rows = np.empty(views.dealt.shape, np.uint8)
        floor = self.setting.compiled.front[:, 1].astype(np.int64)
        _decide(*views[:4], views.keys.astype(np.int64), ways, tuple(strength_tables()), self._worth, floor, rows)
        return rows

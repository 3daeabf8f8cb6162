"""The two simplest players, as floors for the others: one places at random, one only tries not to foul."""

from __future__ import annotations

import numpy as np

from ingest.game.board import EMPTY
from ingest.game.compiled import FRONT_FLOOR, MIDDLE_QUALIFIED
from ingest.game.kernels import kernel, piece, spread
from ingest.game.strength import strength_tables
from ingest.simulate.chance import below, draw
from ingest.simulate.placements import all_placements, fits, free_slots, lay
from ingest.simulate.setter import set_at_once
from ingest.simulate.views import NO_CARD, Cards, Views
from ingest.simulate.worth import Setting


@kernel
def _random(boards, dealt, ways, keys, out):  # type: ignore[no-untyped-def]
    for i in range(boards.shape[0]):
        front, middle, back = free_slots(boards[i])
        tries = 0
        while True:
            tries += 1
            way = ways[below(draw(keys[i], tries), ways.shape[0])]
            if fits(way, front, middle, back):
                out[i] = way
                break


@kernel
def _random_settings(dealt, keys, out):  # type: ignore[no-untyped-def]
    for i in range(dealt.shape[0]):
        count = 0
        while count < dealt.shape[1] and dealt[i, count] != EMPTY:
            count += 1
        for k in range(count):
            out[i, k] = 0 if k < 3 else 1 if k < 8 else 2 if k < 13 else 3
        for k in range(count - 1, 0, -1):
            other = below(draw(keys[i], k), k + 1)
            out[i, k], out[i, other] = out[i, other], out[i, k]


class RandomAgent:
    """Every placement that fits, with the same chance."""

    name = "random"

    def __init__(self, setting: Setting) -> None:
        self._streets = setting.rules.deal.streets

    def place(self, views: Views) -> Cards:
        rows = np.full(views.dealt.shape, NO_CARD, np.uint8)
        if views.dealt.shape[1] >= 13:
            _random_settings(views.dealt, views.keys, rows)
        else:
            _random(views.board, views.dealt, all_placements(*self._streets[views.street]), views.keys, rows)
        return rows


@piece
def _made(board, start, stop):  # type: ignore[no-untyped-def]
    """How strong the cards of a row are as they lie: pairs and better by count and rank, then the highest card."""
    pairs = trips = quads = best_pair = highest = 0
    for a in range(start, stop):
        if board[a] == EMPTY:
            continue
        rank = np.int64(board[a]) >> 2
        highest = max(highest, rank)
        same = 1
        for b in range(start, a):
            same += board[b] != EMPTY and np.int64(board[b]) >> 2 == rank
        if same == 2:
            pairs += 1
            best_pair = max(best_pair, rank)
        trips += same == 3
        quads += same == 4
    kind = 7 if quads else 6 if trips and pairs > 1 else 3 if trips else min(pairs, 2)
    return (kind * 13 + best_pair) * 13 + highest


@piece
def _danger(board, fronts, fives, low, triple, front_table, pair, plain, suited):  # type: ignore[no-untyped-def]
    """How far a board is from a legal one: less is safer, 0 or less is in order as far as it goes."""
    front, middle, back = free_slots(board)
    if front + middle + back == 0:
        f = front_table[_triple(board, 0, triple)]
        m_place = _triple(board, 3, triple) * 91 + _pair(board, 6, pair)
        b_place = _triple(board, 8, triple) * 91 + _pair(board, 11, pair)
        m = suited[m_place] if _one_suit(board, 3) else plain[m_place]
        b = suited[b_place] if _one_suit(board, 8) else plain[b_place]
        if low:
            legal = b >= fronts[f, FRONT_FLOOR] and fives[m, MIDDLE_QUALIFIED] == 1
        else:
            legal = b >= m and m >= fronts[f, FRONT_FLOOR]
        return -1_000_000 if legal else 1_000_000
    f, m, b = _made(board, 0, 3), _made(board, 3, 8), _made(board, 8, 13)
    if low:
        bad = 0
        for slot in range(3, 8):
            if board[slot] != EMPTY and np.int64(board[slot]) >> 2 > 8:
                bad += 2000
        if m >= 169:
            bad += 5000
        return bad + max(0, f - b) * 3 + f - b
    # A row that is full cannot grow any more; one with room may still catch up.
    danger = 0
    if f > m:
        danger += (f - m) * (6 if middle == 0 else 2)
    if m > b:
        danger += (m - b) * (6 if back == 0 else 2)
    return danger + f + m // 4 - b // 2


@piece
def _triple(board, start, triple):  # type: ignore[no-untyped-def]
    a, b, c = np.int64(board[start]) >> 2, np.int64(board[start + 1]) >> 2, np.int64(board[start + 2]) >> 2
    return np.int64(triple[(a * 13 + b) * 13 + c])


@piece
def _pair(board, start, pair):  # type: ignore[no-untyped-def]
    return np.int64(pair[(np.int64(board[start]) >> 2) * 13 + (np.int64(board[start + 1]) >> 2)])


@piece
def _one_suit(board, start):  # type: ignore[no-untyped-def]
    suit = board[start] & 3
    same = True
    for slot in range(start + 1, start + 5):
        same &= board[slot] & 3 == suit
    return same


@kernel
def _cautious(boards, dealt, ways, tables, fronts, fives, low, out):  # type: ignore[no-untyped-def]
    triple, pair, front_table, plain, suited = tables
    board = np.empty(13, np.uint8)
    for i in range(boards.shape[0]):
        front, middle, back = free_slots(boards[i])
        least = 1 << 40
        for w in range(ways.shape[0]):
            way = ways[w]
            if fits(way, front, middle, back):
                lay(boards[i], dealt[i], way, board)
                danger = _danger(board, fronts, fives, low, triple, front_table, pair, plain, suited)
                if danger < least:
                    least = danger
                    out[i] = way


class CautiousAgent:
    """Keeps its rows in order and puts its best cards at the back; it does not foul if it can help it."""

    name = "cautious"

    def __init__(self, setting: Setting) -> None:
        self._setting = setting

    def place(self, views: Views) -> Cards:
        if views.dealt.shape[1] >= 13:
            return set_at_once(self._setting, views)
        compiled = self._setting.compiled
        ways = all_placements(*self._setting.rules.deal.streets[views.street])
        rows = np.empty(views.dealt.shape, np.uint8)
        tables = tuple(strength_tables())

        def work(start: int, stop: int) -> None:
            _cautious(
                views.board[start:stop],
                views.dealt[start:stop],
                ways,
                tables,
                compiled.front,
                compiled.five,
                bool(compiled.numbers.low),
                rows[start:stop],
            )

        spread(len(rows), work, least=500)
        return rows

"""Which ways there are to place the cards of one street."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import numpy.typing as npt

from ingest.game.board import EMPTY, ROW_SIZES, SLOTS
from ingest.game.kernels import kernel, piece
from ingest.simulate.views import BACK, DISCARD, FRONT, MIDDLE, Cards

Rows = npt.NDArray[np.uint8]


@cache
def all_placements(dealt: int, kept: int) -> Rows:
    """Every way to place `kept` of `dealt` cards on an empty board, ``(ways, dealt)``: 232 for the first five."""
    ways = [
        way
        for way in product((FRONT, MIDDLE, BACK, DISCARD), repeat=dealt)
        if way.count(DISCARD) == dealt - kept and all(way.count(row) <= size for row, size in enumerate(ROW_SIZES))
    ]
    return np.array(ways, np.uint8)


@piece
def free_slots(board):  # type: ignore[no-untyped-def]
    """How many slots are free in front, middle and back."""
    front = middle = back = 0
    for slot in range(3):
        front += board[slot] == EMPTY
    for slot in range(3, 8):
        middle += board[slot] == EMPTY
    for slot in range(8, SLOTS):
        back += board[slot] == EMPTY
    return front, middle, back


@piece
def fits(way, front, middle, back):  # type: ignore[no-untyped-def]
    """Whether a placement asks for no more slots than are free."""
    for k in range(way.shape[0]):
        row = way[k]
        front -= row == FRONT
        middle -= row == MIDDLE
        back -= row == BACK
    return front >= 0 and middle >= 0 and back >= 0


@kernel
def _place(boards, shown, discards, dealt, rows, open_cards):  # type: ignore[no-untyped-def]
    ends = (3, 8, 13)
    for i in range(boards.shape[0]):
        laid = np.sum(boards[i] != EMPTY)
        for k in range(dealt.shape[1]):
            card = dealt[i, k]
            if card == EMPTY:
                continue
            row = rows[i, k]
            if row == DISCARD:
                slot = 0
                while slot < discards.shape[1] and discards[i, slot] != EMPTY:
                    slot += 1
                if slot == discards.shape[1]:
                    return i
                discards[i, slot] = card
                continue
            if row > BACK:
                return i
            end = ends[row]
            slot = end - (3 if row == FRONT else 5)
            while slot < end and boards[i, slot] != EMPTY:
                slot += 1
            if slot == end:
                return i
            boards[i, slot] = card
            shown[i, slot] = card if laid < open_cards[i] else 255
            laid += 1
    return -1


def place(boards: Cards, shown: Cards, discards: Cards, dealt: Cards, rows: Rows, open_cards: Cards) -> None:
    """Carry out placements in `boards` ``(n, 13)`` and `discards`, and in `shown`, the boards as others see them.

    `open_cards` ``(n,)``: how many of a board's cards lie open, in the order in which they were placed. Raises
    ValueError for a placement that a board has no room for.
    """
    bad = _place(boards, shown, discards, dealt, rows, open_cards)
    if bad >= 0:
        raise ValueError(f"expected a placement that fits, got {rows[bad].tolist()} for {boards[bad].tolist()}")

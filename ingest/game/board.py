"""A board: one player's 13 cards in three rows, as 13 slots: front 0-2, middle 3-7, back 8-12."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ingest.game.cards import format_cards, parse_cards
from ingest.game.errors import CardError, shown

ROWS = ("front", "middle", "back")
ROW_SIZES = (3, 5, 5)
ROW_SLICES = {"front": slice(0, 3), "middle": slice(3, 8), "back": slice(8, 13)}
SLOTS = 13
# A slot that no card reached (its player left, or the log ends): not the same as an unknown card, 255.
EMPTY = 254

Board = npt.NDArray[np.uint8]


def make_board(rows: tuple[list[int], list[int], list[int]]) -> Board:
    """A board from the cards of front, middle and back; missing cards leave EMPTY slots.

    Raises CardError where a row holds more cards than it has slots.
    """
    board = np.full(SLOTS, EMPTY, np.uint8)
    for name, size, cards in zip(ROWS, ROW_SIZES, rows, strict=True):
        if len(cards) > size:
            came = format_cards(cards[:SLOTS]) + ("" if len(cards) <= SLOTS else " ...")
            raise CardError(f"expected at most {size} cards in the {name}, got {len(cards)}: {came}")
        start = ROW_SLICES[name].start
        board[start : start + len(cards)] = cards
    return board


def board_rows(board: Board) -> tuple[list[int], list[int], list[int]]:
    """The cards of front, middle and back, without empty slots."""
    front, middle, back = ([int(card) for card in board[ROW_SLICES[name]] if card != EMPTY] for name in ROWS)
    return front, middle, back


def parse_board(text: str) -> Board:
    """A board as people type it, rows apart by ``/``: ``Kh Kd 5s / 9c 9h 4d 4s Jc / Qs Qd 7h Qh 7c``.

    Most people write the front first, some the back: the row of at most three cards tells which. Raises CardError
    where that leaves a doubt, and for anything that is no board.
    """
    parts = text.split("/")
    if len(parts) != len(ROWS):
        raise CardError(f"expected three rows with / between them (front / middle / back), got {shown(text.strip())}")
    first, second, third = (parse_cards(part) for part in parts)
    front_size = ROW_SIZES[0]
    if len(first) <= front_size and len(third) <= front_size:
        raise CardError(
            "cannot tell the front from the back: expected 3 cards in one of them and 5 in the other, "
            f"got {shown(text.strip())}"
        )
    if len(first) > front_size and len(third) > front_size:
        raise CardError(
            f"expected the first or the last row to have {front_size} cards, "
            f"got rows of {len(first)}, {len(second)} and {len(third)}"
        )
    if len(first) > front_size:
        first, third = third, first
    return make_board((first, second, third))


def format_board(board: Board) -> str:
    """A board as text, front first: ``Kh Kd 5s / 9c 9h 4d 4s Jc / Qs Qd 7h Qh 7c``."""
    return " / ".join(format_cards(row) for row in board_rows(board))


def is_complete(boards: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Which boards of an array ``(n, 13)`` have a card, known or not, in every slot."""
    complete: npt.NDArray[np.bool_] = np.asarray((boards != EMPTY).all(axis=-1))
    return complete

"""Hands as the arrays that the kernels take."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.board import make_board
from ingest.game.cards import parse_card
from ingest.game.naturals import natural_masks
from ingest.game.strength import row_strengths
from tests.naive import Board, Hand


class Seats(NamedTuple):
    """The seats of several hands, one behind the other; the fields are what `score_hands` takes after the rules."""

    strengths: npt.NDArray[np.uint16]
    naturals: npt.NDArray[np.uint16]
    fantasyland: npt.NDArray[np.int8]
    first_seat: npt.NDArray[np.int64]


def slots_of(board: Board) -> npt.NDArray[np.uint8]:
    """A board of texts as 13 slots."""
    front, middle, back = ([parse_card(card) for card in board[row]] for row in ("front", "middle", "back"))
    return make_board((front, middle, back))


def seats_of(hands: list[Hand]) -> Seats:
    boards = np.stack([slots_of(board) for hand in hands for board in hand["boards"]])
    players = [player["fantasyland"] for hand in hands for player in hand["players"]]
    now = np.array([-1 if cards is True else cards for cards in players], np.int8)
    first_seat = np.cumsum([0, *(len(hand["boards"]) for hand in hands)])
    return Seats(row_strengths(boards), natural_masks(boards), now, first_seat)

"""What a seat may see when it is to place cards, and what an agent is."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ingest.game.board import EMPTY
from ingest.game.cards import UNKNOWN
from ingest.simulate.chance import Keys

Cards = npt.NDArray[np.uint8]

# Where a dealt card goes; the first three are places in ROWS.
FRONT, MIDDLE, BACK, DISCARD, NO_CARD = range(5)
# Most cards that a player gets at once: the largest Fantasyland.
MOST_DEALT = 17
MOST_DISCARDS = 4
# A slot as others see it: free, or holding a card that lies face down.
FREE, FACE_DOWN = EMPTY, UNKNOWN


class Views(NamedTuple):
    """`n` decisions at once, all on one street and at tables of one size; nothing that the seat cannot see.

    Cards are numbers 0..51, FREE where there is none. `others` are the opponents in acting order, the one who acts
    after the seat first.
    """

    board: Cards  # (n, 13) the seat's own
    dealt: Cards  # (n, k) the cards to place, FREE behind them
    discards: Cards  # (n, 4) its own discards of earlier streets
    others: Cards  # (n, players - 1, 13) FREE, FACE_DOWN or a card
    others_fantasyland: npt.NDArray[np.int8]  # (n, players - 1) cards dealt in Fantasyland, 0: not in it
    fantasyland: npt.NDArray[np.int8]  # (n,) the seat's own
    street: int
    keys: Keys  # (n,) chance of this decision alone

    @property
    def players(self) -> int:
        return int(self.others.shape[1]) + 1


class Agent(Protocol):
    """Plays any rule set: it gets the rules as data when it is made."""

    name: str

    def place(self, views: Views) -> Cards:
        """Where each dealt card goes, ``(n, k)``: FRONT, MIDDLE, BACK or DISCARD, NO_CARD behind the dealt ones."""
        ...


def part(views: Views, which: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> Views:
    """Some of the decisions."""
    return Views(
        views.board[which],
        views.dealt[which],
        views.discards[which],
        views.others[which],
        views.others_fantasyland[which],
        views.fantasyland[which],
        views.street,
        views.keys[which],
    )

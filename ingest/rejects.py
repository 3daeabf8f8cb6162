"""Records that did not become hands: what happened to them, why, and where they stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ingest.game.errors import OFCError

# Every reason code and what it says to a person.
REASONS = {
    "not_readable": "the text is not what this format is written in",
    "cut_off": "the record ends with its file",
    "field_missing": "a field that every record has is missing or of another kind",
    "bad_card": "a text that should be a card is none",
    "row_overfull": "a row holds more cards than it has slots",
    "card_twice": "a card occurs more often than the decks hold it",
    "bad_street": "a street has another number of cards than the game deals",
    "bad_fantasyland": "Fantasyland with a number of cards that no rule gives",
    "board_differs": "the final board is not what was placed",
    "bad_seats": "the players are not in an order, or too few or too many",
    "bad_number": "a number, an amount of money or a time cannot be read",
    "bad_time": "a time cannot be read",
    "other_game": "not a hand of Open Face Chinese poker",
    "unknown_version": "written by a newer version of the format",
}


class BadRecord(OFCError):  # noqa: N818  (what it is, not that it is an error)
    """One record cannot become a hand; the reader goes on with the next."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Reject:
    """A record that did not become a hand. `outcome`: rejected, partial or skipped; `position` in bytes."""

    position: int
    reason: str
    message: str
    raw: bytes
    outcome: str = "rejected"


OnReject = Callable[[Reject], None]

"""Cards as small integers, with names beside them.

A card is ``rank * 4 + suit``, ranks 2..A = 0..12, suits c d h s = 0..3::

         2  3  4  5  6  7  8  9  T  J  Q  K  A
    c    0  4  8 12 16 20 24 28 32 36 40 44 48
    d    1  5  9 13 17 21 25 29 33 37 41 45 49
    h    2  6 10 14 18 22 26 30 34 38 42 46 50
    s    3  7 11 15 19 23 27 31 35 39 43 47 51

52 and 53 are the jokers ``X1`` and ``X2``, 255 is an unknown card ``??``; both can be stored and shown, not scored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ingest.game.errors import CardError, shown

RANKS = "23456789TJQKA"
SUITS = "cdhs"
CARD_COUNT = 52
UNKNOWN = 255
CARD_NAMES: tuple[str, ...] = (*(r + s for r in RANKS for s in SUITS), "X1", "X2")

_SUIT_SIGNS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s", "♧": "c", "♢": "d", "♡": "h", "♤": "s"}


def _spellings() -> dict[str, int]:
    """Every accepted spelling of every card."""
    spelled: dict[str, int] = {"??": UNKNOWN}
    for number, name in enumerate(CARD_NAMES[:CARD_COUNT]):
        rank, suit = name[0], name[1]
        for r in {rank, rank.lower()} | ({"10"} if rank == "T" else set()):
            for s in [suit, suit.upper(), *(sign for sign, to in _SUIT_SIGNS.items() if to == suit)]:
                spelled[r + s] = number
    for number, names in ((52, ("X1", "x1")), (53, ("X2", "x2"))):
        spelled.update(dict.fromkeys(names, number))
    return spelled


SPELLINGS: dict[str, int] = _spellings()
_CARD = re.compile("|".join(sorted(map(re.escape, SPELLINGS), key=len, reverse=True)))
# What may stand between and behind cards; U+FE0E and U+FE0F only choose how a suit sign is drawn.
_FILLER = re.compile(r"[\s,\ufe0e\ufe0f]*")


def parse_card(text: str) -> int:
    """The card that `text` names: ``As``, ``10h``, ``td``, ``K♥``, ``X1``, ``??``. Raises CardError."""
    try:
        return SPELLINGS[text.strip().rstrip("\ufe0e\ufe0f")]
    except KeyError:
        raise CardError(f"expected a card such as As, Td or 10h, got {shown(text)}") from None


def parse_cards(text: str) -> list[int]:
    """The cards of a text, glued or apart: ``KhKd5s``, ``Kh Kd 5s``. Raises CardError at the first that is none."""
    cards: list[int] = []
    at = _FILLER.match(text).end()  # type: ignore[union-attr]
    while at < len(text):
        found = _CARD.match(text, at)
        if found is None:
            raise CardError(f"expected a card such as As, Td or 10h at {shown(text[at : at + 8])} in {shown(text)}")
        cards.append(SPELLINGS[found.group()])
        at = _FILLER.match(text, found.end()).end()  # type: ignore[union-attr]
    return cards


def format_card(card: int) -> str:
    """The name of a card, ``As``. Raises CardError for a number that is no card."""
    if card == UNKNOWN:
        return "??"
    if not 0 <= card < len(CARD_NAMES):
        raise CardError(f"expected a card number 0..53 or 255, got {card!r}")
    return CARD_NAMES[card]


def format_cards(cards: Iterable[int]) -> str:
    """The names of cards with spaces between, ``Kh Kd 5s``."""
    return " ".join(format_card(int(card)) for card in cards)

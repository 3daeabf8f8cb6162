"""The card texts of collector logs, for many seats at once: rows and discards to boards and streets.

A row text is ``Kh1 Kd3 5s4/9c0 9h0 4d2 4s2 Jc4/Qs0 Qd0 7h0 Qh1 7c3``: rank, suit, street. A discard text is the same
without rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.board import EMPTY, SLOTS
from ingest.game.cards import CARD_COUNT, RANKS, SUITS, UNKNOWN
from ingest.game.kernels import kernel

Bytes = npt.NDArray[np.uint8]
Offsets = npt.NDArray[np.int64]

# Error codes of a seat's texts.
FINE, BAD_CARD, OVERFULL, NOT_THREE_ROWS, TOO_MANY_DISCARDS = range(5)
MOST_DISCARDS = 8
STREETS = 9
TEN, JOKER = RANKS.index("T"), CARD_COUNT
NO_STREET = 255
_NO_CARD = 255


def _card_table() -> tuple[Bytes, Bytes]:
    """The rank and the suit that a byte stands for, _NO_CARD for any other byte."""
    ranks, suits = np.full(256, _NO_CARD, np.uint8), np.full(256, _NO_CARD, np.uint8)
    for number, rank in enumerate(RANKS):
        ranks[ord(rank)] = ranks[ord(rank.lower())] = number
    for number, suit in enumerate(SUITS):
        suits[ord(suit)] = suits[ord(suit.upper())] = number
    return ranks, suits


_RANK_OF, _SUIT_OF = _card_table()
# First slot of each row, and where the last row ends.
_ROW_STARTS = np.array([0, 3, 8, SLOTS], np.int64)


class SeatCards(NamedTuple):
    """The cards of many seats; `street` holds NO_STREET where a slot is empty."""

    boards: Bytes  # (m, 13)
    streets: Bytes  # (m, 13)
    discards: Bytes  # (m, MOST_DISCARDS)
    discard_streets: Bytes  # (m, MOST_DISCARDS)
    discard_counts: npt.NDArray[np.int64]  # (m,)
    codes: npt.NDArray[np.uint8]  # (m,) error codes


class ActionColumns(NamedTuple):
    """The actions of many hands; card lists as all cards in a row and where each list begins."""

    counts: npt.NDArray[np.uint16]  # (n,) actions of each hand
    numbers: npt.NDArray[np.uint16]
    seats: Bytes
    streets: Bytes
    cards: list[tuple[Bytes, Offsets]]  # dealt, front, middle, back, discard


@kernel
def _parse_card(text, at, end, rank_of, suit_of):  # type: ignore[no-untyped-def]
    """The card at a place, its street, and the place behind it; card _NO_CARD if there is none."""
    if at + 3 <= end and text[at] in (88, 120) and text[at + 1] in (49, 50):  # jokers X1 and X2
        card = JOKER + text[at + 1] - 49
    else:
        if at + 1 < end and text[at] == 49 and text[at + 1] == 48:  # "10" for a ten
            at += 1
            rank = TEN
        else:
            rank = rank_of[text[at]]
        if at + 3 > end or rank == _NO_CARD or suit_of[text[at + 1]] == _NO_CARD:
            return _NO_CARD, 0, end
        card = rank * 4 + suit_of[text[at + 1]]
    street = text[at + 2] - 48
    if street < 0 or street >= STREETS or (at + 3 < end and text[at + 3] not in (32, 47)):
        return _NO_CARD, 0, end
    return card, street, at + 3


@kernel
def _parse_rows(text, ends, rank_of, suit_of, row_starts, boards, streets, codes):  # type: ignore[no-untyped-def]
    """Fill boards and streets from row texts that end at `ends`."""
    begin = 0
    for seat in range(ends.shape[0]):
        at, end = begin, ends[seat]
        begin = end
        row, slot = 0, 0
        while at < end and codes[seat] == 0:
            if text[at] == 32:
                at += 1
            elif text[at] == 47:  # "/"
                row += 1
                at += 1
                if row > 2:
                    codes[seat] = NOT_THREE_ROWS
                else:
                    slot = row_starts[row]
            else:
                card, street, at = _parse_card(text, at, end, rank_of, suit_of)
                if card == _NO_CARD:
                    codes[seat] = BAD_CARD
                elif slot >= row_starts[row + 1]:
                    codes[seat] = OVERFULL
                else:
                    boards[seat, slot] = card
                    streets[seat, slot] = street
                    slot += 1
        if codes[seat] == 0 and row != 2:
            codes[seat] = NOT_THREE_ROWS


@kernel
def _parse_discards(text, ends, rank_of, suit_of, discards, streets, counts, codes):  # type: ignore[no-untyped-def]
    """Fill discards from texts that end at `ends`."""
    begin = 0
    for seat in range(ends.shape[0]):
        at, end = begin, ends[seat]
        begin = end
        while at < end and codes[seat] == 0:
            if text[at] == 32:
                at += 1
                continue
            card, street, at = _parse_card(text, at, end, rank_of, suit_of)
            if card == _NO_CARD:
                codes[seat] = BAD_CARD
            elif counts[seat] == MOST_DISCARDS:
                codes[seat] = TOO_MANY_DISCARDS
            else:
                discards[seat, counts[seat]] = card
                streets[seat, counts[seat]] = street
                counts[seat] += 1


def parse_seats(rows: list[str], discards: list[str]) -> SeatCards:
    """The cards of m seats from their texts; a text that is none leaves an error code and no exception."""
    count = len(rows)
    cards = SeatCards(
        np.full((count, SLOTS), EMPTY, np.uint8),
        np.full((count, SLOTS), NO_STREET, np.uint8),
        np.zeros((count, MOST_DISCARDS), np.uint8),
        np.zeros((count, MOST_DISCARDS), np.uint8),
        np.zeros(count, np.int64),
        np.zeros(count, np.uint8),
    )
    text, ends = _glued(rows)
    _parse_rows(text, ends, _RANK_OF, _SUIT_OF, _ROW_STARTS, cards.boards, cards.streets, cards.codes)
    text, ends = _glued(discards)
    _parse_discards(
        text, ends, _RANK_OF, _SUIT_OF, cards.discards, cards.discard_streets, cards.discard_counts, cards.codes
    )
    return cards


def _glued(texts: list[str]) -> tuple[Bytes, Offsets]:
    """Texts as one run of bytes, one byte a character, and where each ends."""
    ends = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)))
    return np.frombuffer("".join(texts).encode("latin-1", "replace"), np.uint8), ends


@kernel
def _fill_actions(first_seat, fantasyland, cards, counts, numbers, seats, streets_out, lists, ends):  # type: ignore[no-untyped-def]
    """Actions in order of play: street by street, in acting order; Fantasyland players on the first street."""
    boards, streets = cards.boards, cards.streets
    discards, discard_streets, discard_counts = cards.discards, cards.discard_streets, cards.discard_counts
    dealt, front, middle, back, thrown = lists
    action = 0
    filled = np.zeros(5, np.int64)
    for hand in range(first_seat.shape[0] - 1):
        number = 0
        for street in range(STREETS):
            for seat in range(first_seat[hand], first_seat[hand + 1]):
                if fantasyland[seat] and street > 0:
                    continue
                before = filled[0]
                placed = 0
                for slot in range(SLOTS):
                    card = boards[seat, slot]
                    if card == EMPTY or (streets[seat, slot] != street and not fantasyland[seat]):
                        continue
                    placed += 1
                    dealt[filled[0]] = card
                    filled[0] += 1
                    if slot < 3:
                        front[filled[1]] = card
                        filled[1] += 1
                    elif slot < 8:
                        middle[filled[2]] = card
                        filled[2] += 1
                    else:
                        back[filled[3]] = card
                        filled[3] += 1
                for k in range(discard_counts[seat]):
                    if discard_streets[seat, k] == street or fantasyland[seat]:
                        dealt[filled[0]] = discards[seat, k]
                        thrown[filled[4]] = discards[seat, k]
                        filled[0] += 1
                        filled[4] += 1
                # Two cards set on a later street: a third was dealt and thrown away, unseen by the log.
                if placed == 2 and discard_counts[seat] == 0 and street > 0 and not fantasyland[seat]:
                    dealt[filled[0]] = UNKNOWN
                    thrown[filled[4]] = UNKNOWN
                    filled[0] += 1
                    filled[4] += 1
                if filled[0] == before:
                    continue
                numbers[action] = number
                seats[action] = seat - first_seat[hand]
                streets_out[action] = street
                for k in range(5):
                    ends[k, action + 1] = filled[k]
                action += 1
                number += 1
        counts[hand] = number
    return action


def actions_of(first_seat: Offsets, fantasyland: npt.NDArray[np.bool_], cards: SeatCards) -> ActionColumns:
    """What each player did on each street; the order of cards inside a street is not known."""
    hands, seats = len(first_seat) - 1, len(cards.boards)
    most = seats * STREETS
    counts = np.zeros(hands, np.uint16)
    numbers, whose, streets = np.zeros(most, np.uint16), np.zeros(most, np.uint8), np.zeros(most, np.uint8)
    dealt, front, middle, back, thrown = np.zeros((5, seats * (SLOTS + MOST_DISCARDS + STREETS)), np.uint8)
    lists = (dealt, front, middle, back, thrown)
    ends = np.zeros((5, most + 1), np.int64)
    made = _fill_actions(first_seat, fantasyland, cards, counts, numbers, whose, streets, lists, ends)
    filled = [(values[: ends[k, made]], ends[k, : made + 1]) for k, values in enumerate(lists)]
    return ActionColumns(counts, numbers[:made], whose[:made], streets[:made], filled)

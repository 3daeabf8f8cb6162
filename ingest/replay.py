"""Replay of hands: no card too often, rows never overfull, streets in order, Fantasyland of a size that exists.

Everything is checked for many hands at once; what a check found is a code for each hand, turned into a sentence only
for the few that fail.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.batch import CARD_LISTS, Batch, Offsets, list_arrays
from ingest.game.board import EMPTY, SLOTS
from ingest.game.cards import CARD_COUNT, UNKNOWN, format_card
from ingest.game.kernels import kernel

Bytes = npt.NDArray[np.uint8]

FINE, TWICE, STREET, ORDER, NOT_DEALT, DIFFERS, FANTASYLAND, PLAYERS, NO_CARD = range(9)
GAMES = {"classic": 1, "pineapple": 2, "chinese": 3}
_SMALLEST_FANTASYLAND, _LARGEST_FANTASYLAND = 13, 17
_CARDS = CARD_COUNT + 2  # with two jokers
_MOST_PLAYERS = 8


class Found(NamedTuple):
    """What is wrong with each hand, (n,): a code, the seat and the card or number that it is about."""

    codes: Bytes
    seats: Bytes
    details: npt.NDArray[np.int16]


class _Deals(NamedTuple):
    """Arrays over hands, (n,), and where the seats and actions of each begin, (n + 1,)."""

    first_seat: Offsets
    first_action: Offsets
    games: Bytes
    decks: Bytes
    complete: npt.NDArray[np.bool_]
    results_only: npt.NDArray[np.bool_]


class _Moves(NamedTuple):
    """Arrays over actions; cards as five lists (dealt, front, middle, back, discard) and where each begins."""

    seats: Bytes
    streets: Bytes
    cards: tuple[Bytes, ...]
    starts: tuple[Offsets, ...]


_MESSAGES: dict[int, tuple[str, Callable[[int, int], str]]] = {
    TWICE: ("card_twice", lambda seat, card: f"expected each card once a deck, got {format_card(card)} again"),
    STREET: (
        "bad_street",
        lambda seat, street: (
            f"expected the cards that the game deals on street {street}, got another number from player {seat}"
        ),
    ),
    ORDER: ("bad_street", lambda seat, street: f"expected streets in order, got street {street} late or twice"),
    NOT_DEALT: (
        "bad_street",
        lambda seat, street: (
            f"expected the cards dealt on street {street} to be placed or thrown away, got others from player {seat}"
        ),
    ),
    DIFFERS: (
        "board_differs",
        lambda seat, card: f"expected a board of the cards that player {seat} placed, {format_card(card)} is not there",
    ),
    FANTASYLAND: (
        "bad_fantasyland",
        lambda seat, cards: f"expected 13 to 17 cards in Fantasyland, got {cards} for player {seat}",
    ),
    PLAYERS: ("bad_seats", lambda seat, players: f"expected players as the game seats them, got {players}"),
    NO_CARD: ("bad_card", lambda seat, card: f"expected a card number, got {card} at player {seat}"),
}


def reason_of(found: Found, hand: int) -> tuple[str, str]:
    """The reason code and the sentence for a hand that failed."""
    reason, message = _MESSAGES[int(found.codes[hand])]
    return reason, message(int(found.seats[hand]), int(found.details[hand]))


@kernel
def _count_cards(cards, counts, most):  # type: ignore[no-untyped-def]
    """Count cards; the first that is there too often, or is none; -1 if all are fine."""
    for card in cards:
        if card == UNKNOWN or card == EMPTY:  # noqa: SIM109 (numba)
            continue
        if card >= _CARDS:
            return card
        counts[card] += 1
        if counts[card] > most:
            return card
    return -1


@kernel
def _missing(cards, row, taken):  # type: ignore[no-untyped-def]
    """The first card that the row does not hold, each slot used once; -1 if it holds all."""
    for card in cards:
        place = -1
        for slot in range(row.shape[0]):
            if not taken[slot] and (row[slot] == card or (place < 0 and row[slot] == UNKNOWN)):
                place = slot
                if row[slot] == card:
                    break
        if place < 0 and card != UNKNOWN:
            return card
        if place >= 0:
            taken[place] = True
    return -1


@kernel
def _is_dealt(dealt, front, middle, back, discard, exactly):  # type: ignore[no-untyped-def]
    """Whether what was placed and thrown away was dealt, and (exactly) nothing else was."""
    used = front.shape[0] + middle.shape[0] + back.shape[0] + discard.shape[0]
    if dealt.shape[0] < used or (exactly and dealt.shape[0] != used):
        return False
    taken = np.zeros(dealt.shape[0], np.bool_)
    return (
        _missing(front, dealt, taken) < 0
        and _missing(middle, dealt, taken) < 0
        and _missing(back, dealt, taken) < 0
        and _missing(discard, dealt, taken) < 0
    )


@kernel
def _fits_street(game, street, placed, discards, finished):  # type: ignore[no-untyped-def]
    """Whether a street has the cards that the game gives it; an unfinished hand may have fewer."""
    if game == 3:
        most, thrown = (13, 0) if street == 0 else (0, 0)
    elif street == 0:
        most, thrown = 5, 0
    elif game == 1:
        most, thrown = (1, 0) if street <= 8 else (0, 0)
    else:
        most, thrown = (2, 1) if street <= 4 else (0, 0)
    return (placed == most or (placed < most and not finished)) and discards <= thrown


@kernel
def _seat_fault(board, in_fantasyland, size, counts, decks):  # type: ignore[no-untyped-def]
    """What is wrong with a board or with the size of a Fantasyland hand: a code and a detail."""
    card = _count_cards(board, counts, decks)
    if card >= 0:
        return (TWICE if card < _CARDS else NO_CARD), card
    if in_fantasyland and size >= 0 and not (_SMALLEST_FANTASYLAND <= size <= _LARGEST_FANTASYLAND):
        return FANTASYLAND, size
    return FINE, 0


@kernel
def _street_fault(game, street, in_fantasyland, size, finished, dealt, front, middle, back, discard):  # type: ignore[no-untyped-def]
    """What is wrong with the numbers of cards on a street: a code and a detail."""
    if dealt.shape[0] and not _is_dealt(dealt, front, middle, back, discard, finished):
        return NOT_DEALT, street
    if in_fantasyland:
        if size >= 0 and (dealt.shape[0] > size or discard.shape[0] > size - SLOTS):
            return FANTASYLAND, dealt.shape[0]
    elif game:
        placed = front.shape[0] + middle.shape[0] + back.shape[0]
        if not _fits_street(game, street, placed, discard.shape[0], finished):
            return STREET, street
    return FINE, 0


@kernel
def _board_fault(board, taken, front, middle, back):  # type: ignore[no-untyped-def]
    """A card that was placed and is not on the board, each slot used once: a code and the card."""
    card = _missing(front, board[:3], taken[:3])
    if card < 0:
        card = _missing(middle, board[3:8], taken[3:8])
    if card < 0:
        card = _missing(back, board[8:], taken[8:])
    return (DIFFERS, card) if card >= 0 else (FINE, 0)


@kernel
def _replay(deals, boards, in_fantasyland, sizes, moves, codes, seats_out, details):  # type: ignore[no-untyped-def]
    """Fill codes, seats and details of the first thing that is wrong with each hand."""
    dealt, front, middle, back, discard = moves.cards
    dealt_at, front_at, middle_at, back_at, discard_at = moves.starts
    counts = np.zeros(256, np.int64)
    last_street = np.zeros(_MOST_PLAYERS, np.int64)
    taken = np.zeros((_MOST_PLAYERS, SLOTS), np.bool_)
    for hand in range(deals.first_seat.shape[0] - 1):
        start, stop = deals.first_seat[hand], deals.first_seat[hand + 1]
        game, decks, players = deals.games[hand], deals.decks[hand], stop - start
        counts[:], last_street[:], taken[:] = 0, -1, False
        most_players = (3 if game == 2 else 4 if game else _MOST_PLAYERS) * decks
        if players > min(most_players, _MOST_PLAYERS) or (players < 2 and not deals.results_only[hand]):
            codes[hand], details[hand] = PLAYERS, players
            continue
        for seat in range(start, stop):
            code, detail = _seat_fault(boards[seat], in_fantasyland[seat], sizes[seat], counts, decks)
            if code:
                codes[hand], seats_out[hand], details[hand] = code, seat - start, detail
        for a in range(deals.first_action[hand], deals.first_action[hand + 1]):
            if codes[hand]:
                break
            seat, street = moves.seats[a], int(moves.streets[a])
            if seat >= players:
                codes[hand], seats_out[hand], details[hand] = PLAYERS, seat, players
                break
            got, in_front = dealt[dealt_at[a] : dealt_at[a + 1]], front[front_at[a] : front_at[a + 1]]
            in_middle, in_back = middle[middle_at[a] : middle_at[a + 1]], back[back_at[a] : back_at[a + 1]]
            thrown = discard[discard_at[a] : discard_at[a + 1]]
            board, place = boards[start + seat], start + seat
            finished = deals.complete[hand] and not (board == EMPTY).any()
            code, detail = (ORDER, street) if street <= last_street[seat] else (FINE, 0)
            if code == FINE:
                code, detail = _street_fault(
                    game,
                    street,
                    in_fantasyland[place],
                    sizes[place],
                    finished,
                    got,
                    in_front,
                    in_middle,
                    in_back,
                    thrown,
                )
            if code == FINE:
                card = _count_cards(thrown, counts, decks)
                code, detail = (FINE, 0) if card < 0 else (TWICE if card < _CARDS else NO_CARD, card)
            if code == FINE:
                code, detail = _board_fault(board, taken[seat], in_front, in_middle, in_back)
            last_street[seat] = street
            codes[hand], seats_out[hand], details[hand] = code, seat, detail


def replay(batch: Batch, games: Bytes, decks: Bytes) -> Found:
    """Check every hand against the way it was dealt: `games` (n,) as numbered by GAMES, 0 unknown; `decks` (n,)."""
    count = len(batch)
    found = Found(np.zeros(count, np.uint8), np.zeros(count, np.uint8), np.zeros(count, np.int16))
    status = batch.hands["status"]
    sizes = batch.seats["fantasyland_cards"].cast(int).fill_null(-1).to_numpy()
    complete, results_only = (status == "complete").to_numpy(), (status == "results_only").to_numpy()
    deals = _Deals(batch.first_seat, batch.first_action, games, decks, complete, results_only)
    lists = [list_arrays(batch.actions[name]) for name in CARD_LISTS]
    moves = _Moves(
        batch.actions["seat"].to_numpy(),
        batch.actions["street"].to_numpy(),
        tuple(cards for cards, _ in lists),
        tuple(starts for _, starts in lists),
    )
    in_fantasyland = batch.seats["in_fantasyland"].to_numpy()
    _replay(deals, batch.boards(), in_fantasyland, sizes, moves, found.codes, found.seats, found.details)
    return found

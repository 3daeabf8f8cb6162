"""What the cards of each draw were worth beside what such a draw is worth on average: the raw material of luck.

A draw is what one player is dealt on one street. A fixed evaluator puts a few numbers on it, from the player's board
before the draw and the drawn cards alone; from each, its average over all draws from the cards that nobody had been
dealt is taken away, exactly, by counting. So every number has mean zero, however well or badly it says what cards are
worth, and whatever the players do with them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from ingest.game.board import SLOTS
from ingest.game.compiled import (
    BACK_MEETS,
    BACK_ROYALTY,
    FRONT_MEETS,
    FRONT_ROYALTY,
    MIDDLE_MEETS,
    MIDDLE_ROYALTY,
    CompiledRules,
)
from ingest.game.kernels import kernel, piece, spread
from ingest.game.pair import in_order
from ingest.game.score import MOST_PLAYERS
from ingest.game.strength import five_strength, front_strength, strength_tables

Floats = npt.NDArray[np.float64]

# What the evaluator sees in a draw: sums over its cards, and over pairs of its cards.
FEATURES = (
    "aces", "kings", "queens", "other cards by rank",
    "match in front, queens or better", "match in front, others", "match in the middle", "match in the back",
    "suit of the middle", "suit of the back",
    "pairs, queens or better", "pairs, others", "same suit",
)  # fmt: skip
# When: the first cards, the streets between, the last one, and a Fantasyland hand. They are weighed apart.
STAGES = ("first", "between", "last", "fantasyland")
FIRST, BETWEEN, LAST, AT_ONCE = range(4)
# Beside these: what the best use of the last cards is worth in points.
ENDING = len(FEATURES) * len(STAGES)
COLUMNS = ENDING + 1
# Worth of a Fantasyland hand to the evaluator, in points: near what simulation gives for 14 cards. Any number would do.
FANTASYLAND_WORTH = 10
FEATURE_COUNT = len(FEATURES)
_PER_CARD = 10
_CARDS = 52
NO_CARD = 255
_MOST_CARDS = 17


class Draws(NamedTuple):
    """Draws of many hands in the order of play; hand h has ``first[h] : first[h + 1]``."""

    first: npt.NDArray[np.int64]  # (hands + 1,)
    seat: npt.NDArray[np.uint8]  # (d,)
    dealt: npt.NDArray[np.uint8]  # (d, 17) cards, 255 unknown or none
    sizes: npt.NDArray[np.uint8]  # (d,) cards dealt
    rows: npt.NDArray[np.uint8]  # (d, 17) of the cards that were placed, in the order placed: row 0..2
    placed: npt.NDArray[np.uint8]  # (d, 17) the cards that were placed, 255 none


def draws_of(frame: pl.DataFrame, hands: int) -> Draws:
    """Actions (of `tables.actions`) as arrays; `hands`: how many hands there are, with and without actions."""
    counts = np.bincount(frame["hand"].to_numpy(), minlength=hands)
    first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    rows = [
        pl.col(name).list.eval(pl.element() * 0 + number) for number, name in enumerate(("front", "middle", "back"))
    ]
    lists = frame.select(
        "dealt",
        placed=pl.concat_list("front", "middle", "back"),
        rows=pl.concat_list(rows),
    )
    return Draws(
        first=first,
        seat=frame["seat"].to_numpy(),
        dealt=_padded(lists["dealt"]),
        sizes=lists["dealt"].list.len().to_numpy().astype(np.uint8),
        rows=_padded(lists["rows"]),
        placed=_padded(lists["placed"]),
    )


def _padded(lists: pl.Series) -> npt.NDArray[np.uint8]:
    """Lists of cards as rows of 17, filled up with NO_CARD."""
    lengths = lists.list.len().to_numpy().astype(np.int64)
    out = np.full((len(lists), _MOST_CARDS), NO_CARD, np.uint8)
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]) if len(lengths) else lengths
    places = np.arange(lengths.sum()) - np.repeat(starts, lengths)
    out[np.repeat(np.arange(len(lists)), lengths), places] = lists.explode(empty_as_null=False).to_numpy()
    return out


@piece
def _card_features(card, board, filled, values):  # type: ignore[no-untyped-def]
    """The features that a single card has beside a board, into `values` (10,)."""
    rank, suit = card >> 2, card & 3
    for k in range(_PER_CARD):
        values[k] = 0.0
    values[0], values[1], values[2] = rank == 12, rank == 11, rank == 10
    if rank < 10:
        values[3] = (rank - 4.5) / 5.5
    if filled[0] < 3:
        for slot in range(filled[0]):
            if board[slot] >> 2 == rank:
                values[4 if rank >= 10 else 5] += 1
    for row in range(1, 3):
        start = 5 * row - 2
        if filled[row] < 5:
            same = 0
            for slot in range(start, start + filled[row]):
                if board[slot] >> 2 == rank:
                    values[5 + row] += 1
                same += board[slot] & 3 == suit
            if filled[row] >= 2 and same == filled[row]:
                values[7 + row] = same


@piece
def _pair_features(dealt, size, left, remaining, out, column):  # type: ignore[no-untyped-def]
    """Pairs of one rank and of one suit among the drawn cards, less how many a draw from `left` holds on average."""
    for a in range(size):
        for b in range(a + 1, size):
            if dealt[a] >> 2 == dealt[b] >> 2:
                out[column + (0 if dealt[a] >> 2 >= 10 else 1)] += 1
            if dealt[a] & 3 == dealt[b] & 3:
                out[column + 2] += 1
    if size < 2 or remaining < 2:
        return
    high = low = suited = 0
    for rank in range(13):
        held = left[4 * rank] + left[4 * rank + 1] + left[4 * rank + 2] + left[4 * rank + 3]
        if rank >= 10:
            high += held * (held - 1)
        else:
            low += held * (held - 1)
    for suit in range(4):
        held = 0
        for rank in range(13):
            held += left[4 * rank + suit]
        suited += held * (held - 1)
    # Of all ordered pairs of different cards, so many; each of the draw's pairs is equally likely any of them.
    share = size * (size - 1) / 2 / (remaining * (remaining - 1))
    out[column] -= share * high
    out[column + 1] -= share * low
    out[column + 2] -= share * suited


@piece
def place_cards(placed, rows, board, filled):  # type: ignore[no-untyped-def]
    """Put the cards of one draw, up to the first NO_CARD, on a board whose rows hold `filled` (3,) cards."""
    for k in range(placed.shape[0]):
        if placed[k] == NO_CARD:
            break
        row = rows[k]
        if filled[row] < (3 if row == 0 else 5):
            board[(0 if row == 0 else 5 * row - 2) + filled[row]] = placed[k]
            filled[row] += 1


@piece
def open_slots(filled, empty):  # type: ignore[no-untyped-def]
    """Write the slots of a board that are still empty into `empty`; how many there are."""
    found = 0
    for row in range(3):
        start, wanted = (0, 3) if row == 0 else (5 * row - 2, 5)
        for slot in range(start + filled[row], start + wanted):
            empty[found] = slot
            found += 1
    return found


@piece
def gather_cards(left, pool):  # type: ignore[no-untyped-def]
    """Write the cards of which `left` (52,) says how many there are into `pool`; how many there are."""
    many = 0
    for card in range(_CARDS):
        for _ in range(left[card]):
            pool[many] = card
            many += 1
    return many


class Pays(NamedTuple):
    """What rows pay to the evaluator, by strength: royalties, and the entry conditions that they meet, as bits."""

    front: npt.NDArray[np.int32]
    middle: npt.NDArray[np.int32]
    back: npt.NDArray[np.int32]
    front_meets: npt.NDArray[np.uint32]
    middle_meets: npt.NDArray[np.uint32]
    back_meets: npt.NDArray[np.uint32]


def _pays(rules: CompiledRules) -> Pays:
    """Of the entry conditions only those that ask for rows: an evaluator may leave out what it likes."""
    enter = rules.enter
    columns = (enter.front[:, FRONT_MEETS] & np.uint32(enter.no_royalty), *enter.five[:, [MIDDLE_MEETS, BACK_MEETS]].T)
    royalties = (rules.front[:, FRONT_ROYALTY], *rules.five[:, [MIDDLE_ROYALTY, BACK_ROYALTY]].T)
    return Pays(*(np.ascontiguousarray(column) for column in (*royalties, *columns)))


@piece
def _worth(board, fronts, fives, numbers, pays, tables):  # type: ignore[no-untyped-def]
    """What a whole board is worth to the evaluator, in points: 0 if fouled."""
    front = front_strength(board[0], board[1], board[2], tables)
    middle = five_strength(board[3], board[4], board[5], board[6], board[7], tables)
    back = five_strength(board[8], board[9], board[10], board[11], board[12], tables)
    if not in_order(front, middle, back, fronts, fives, numbers):
        return 0
    front_pay, middle_pay, back_pay, front_meets, middle_meets, back_meets = pays
    enters = front_meets[front] & middle_meets[middle] & back_meets[back]
    bonus = FANTASYLAND_WORTH if enters != 0 else 0
    return numbers.foul + front_pay[front] + middle_pay[middle] + back_pay[back] + bonus


@piece
def _best_worth(cards, size, board, empty, empties, fronts, fives, numbers, pays, tables):  # type: ignore[no-untyped-def]
    """The most that `cards` can make of a board with one or two empty slots, the others being discarded."""
    best = 0
    for a in range(size):
        board[empty[0]] = cards[a]
        if empties == 1:
            best = max(best, _worth(board, fronts, fives, numbers, pays, tables))
            continue
        for b in range(size):
            if a != b:
                board[empty[1]] = cards[b]
                best = max(best, _worth(board, fronts, fives, numbers, pays, tables))
    return best


@kernel
def _ending(dealt, size, left, board, empty, empties, rules, pays, tables):  # type: ignore[no-untyped-def]
    """The best use of the last cards less its mean over all draws of one or three cards from `left`, exactly."""
    fronts, fives, numbers = rules.front, rules.five, rules.numbers
    actual = _best_worth(dealt, size, board, empty, empties, fronts, fives, numbers, pays, tables)
    pool = np.empty(2 * _CARDS, np.uint8)
    many = gather_cards(left, pool)
    total, draws = 0, 0
    three = np.empty(3, np.uint8)
    for a in range(many):
        three[0] = pool[a]
        if size == 1:
            total += _best_worth(three, 1, board, empty, empties, fronts, fives, numbers, pays, tables)
            draws += 1
            continue
        for b in range(a + 1, many):
            three[1] = pool[b]
            for c in range(b + 1, many):
                three[2] = pool[c]
                total += _best_worth(three, 3, board, empty, empties, fronts, fives, numbers, pays, tables)
                draws += 1
    return actual - total / draws


@piece
def _draw_features(dealt, size, left, remaining, board, filled, values, means, out, column):  # type: ignore[no-untyped-def]
    """The features of one draw less their means, added to `out` from `column` on."""
    means[:] = 0.0
    for card in range(_CARDS):
        if left[card]:
            _card_features(card, board, filled, values)
            for f in range(_PER_CARD):
                means[f] += left[card] * values[f]
    for k in range(size):
        _card_features(dealt[k], board, filled, values)
        for f in range(_PER_CARD):
            out[column + f] += values[f]
    for f in range(_PER_CARD):
        out[column + f] -= size * means[f] / remaining
    _pair_features(dealt, size, left, remaining, out, column + _PER_CARD)


@piece
def _stage(size, empties):  # type: ignore[no-untyped-def]
    """The place in STAGES of a draw of `size` cards to a board with so many empty slots."""
    if empties == SLOTS:
        return FIRST if size == 5 else AT_ONCE
    return LAST if (size == 1 and empties == 1) or (size == 3 and empties == 2) else BETWEEN


@kernel
def _centred(first, seats, dealt, sizes, rows, placed, first_seat, decks, rules, pays, tables, out):  # type: ignore[no-untyped-def]
    """Each seat's features over all its draws, each less its mean, into `out` (s, COLUMNS)."""
    left = np.empty(_CARDS, np.int64)
    board = np.empty((MOST_PLAYERS, SLOTS), np.uint8)
    filled = np.empty((MOST_PLAYERS, 3), np.int64)
    values, means = np.empty(_PER_CARD), np.empty(_PER_CARD)
    empty = np.empty(SLOTS, np.int64)
    for hand in range(first_seat.shape[0] - 1):
        left[:] = decks[hand]
        filled[:] = 0
        for d in range(first[hand], first[hand + 1]):
            seat, size, cards = seats[d], sizes[d], dealt[d]
            own, full, sums = board[seat], filled[seat], out[first_seat[hand] + seat]
            remaining = left.sum()
            seen = 0 < size <= remaining
            for k in range(size):
                seen = seen and cards[k] < _CARDS
            if seen:
                empties = open_slots(full, empty)
                stage = _stage(size, empties)
                column = stage * FEATURE_COUNT
                _draw_features(cards, size, left, remaining, own, full, values, means, sums, column)
                if stage == LAST:
                    sums[ENDING] += _ending(cards, size, left, own, empty, empties, rules, pays, tables)
            for k in range(size):
                if cards[k] < _CARDS and left[cards[k]] > 0:
                    left[cards[k]] -= 1
            place_cards(placed[d], rows[d], own, full)


def centred_features(
    draws: Draws, first_seat: npt.NDArray[np.int64], decks: npt.NDArray[np.uint8], rules: CompiledRules
) -> Floats:
    """For each seat the sum over its draws of what the cards show less what such a draw shows on average, (s, COLUMNS).

    A draw with a card that the log does not show is left out.
    """
    out = np.zeros((int(first_seat[-1]), COLUMNS))
    pays, tables = _pays(rules), strength_tables()
    first = draws.first

    def work(start: int, stop: int) -> None:
        hands = slice(start, stop + 1)
        _centred(
            first[hands], *draws[1:], first_seat[hands], decks[start:stop].astype(np.int64), rules, pays, tables, out
        )

    spread(len(first_seat) - 1, work, least=200)
    return out

"""What only street-by-street logs tell: first cards, when a foul was sealed, thinking times. As columns for figures."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import polars as pl

from analysis.draws import draws_of, gather_cards, open_slots, place_cards
from analysis.scored import Scored, scores_of
from analysis.tables import Hands, actions, first_cards, thinking_times
from ingest.game.board import SLOTS
from ingest.game.compiled import CompiledRules, compile_rules
from ingest.game.kernels import kernel, spread
from ingest.game.pair import in_order
from ingest.game.rules import RuleSet
from ingest.game.strength import StrengthTables, five_strength, front_strength, strength_tables

if TYPE_CHECKING:
    import duckdb

Cards = npt.NDArray[np.uint8]

# Kinds of first five cards, best first: a hand is called by the first kind that it is.
FIRST_FIVE = (
    "trips or better", "two pair", "pair, queens or better", "pair, others", "four of a suit", "four to a straight",
    "three of a suit", "nothing",
)  # fmt: skip
# With more slots to fill than this, it is not looked whether a legal board can still come.
MOST_LOOKED_AT = 4
# Not a foul, or streets unknown.
NOT_SEALED = -1
_CARDS, _QUEEN = 52, 10


def first_five_kinds(cards: Cards) -> pl.Series:
    """The kind of each row of five cards, (n, 5): places in FIRST_FIVE as names."""
    ranks, suits = cards >> 2, cards & 3
    counts = (ranks[:, :, None] == np.arange(13)).sum(axis=1)
    held = counts > 0
    most, pairs = counts.max(axis=1), (counts >= 2).sum(axis=1)
    suited = (suits[:, :, None] == np.arange(4)).sum(axis=1).max(axis=1)
    # The ace also stands below the deuce; four different ranks out of five in a row.
    line = np.concatenate([held[:, 12:], held], axis=1).astype(np.int64)
    straight = np.stack([line[:, start : start + 5].sum(axis=1) for start in range(10)], axis=1).max(axis=1) >= 4
    high_pair = (counts[:, _QUEEN:] == 2).any(axis=1)
    conditions = [most >= 3, pairs >= 2, high_pair, pairs == 1, suited >= 4, straight, suited == 3]
    places = np.select(conditions, list(range(len(conditions))), len(conditions)).astype(np.uint8)
    return pl.Series(places).cat.to(pl.Enum(FIRST_FIVE))


@kernel
def _is_legal(board, fronts, fives, numbers, tables: StrengthTables):  # type: ignore[no-untyped-def]
    front = front_strength(board[0], board[1], board[2], tables)
    middle = five_strength(board[3], board[4], board[5], board[6], board[7], tables)
    back = five_strength(board[8], board[9], board[10], board[11], board[12], tables)
    return in_order(front, middle, back, fronts, fives, numbers)


@kernel
def _can_be_legal(board, empty, empties, pool, many, used, fronts, fives, numbers, tables):  # type: ignore[no-untyped-def]
    """Whether cards of `pool` (many,) can fill the empty slots so that the board is legal; looks at all ways."""
    if empties == 0:
        return _is_legal(board, fronts, fives, numbers, tables)
    # Slots of one row are alike, so their cards come in rising order.
    picks = np.full(empties, -1, np.int64)
    depth = 0
    while depth >= 0:
        slot = empty[depth]
        if picks[depth] >= 0:
            used[picks[depth]] = False
        follows = depth > 0 and _row(empty[depth - 1]) == _row(slot) and picks[depth] < 0
        nxt = picks[depth - 1] + 1 if follows else picks[depth] + 1
        while nxt < many and used[nxt]:
            nxt += 1
        if nxt >= many:
            picks[depth] = -1
            depth -= 1
            continue
        picks[depth] = nxt
        used[nxt] = True
        board[slot] = pool[nxt]
        if depth + 1 < empties:
            depth += 1
            picks[depth] = -1
        elif _is_legal(board, fronts, fives, numbers, tables):
            used[:many] = False
            return True
    return False


@kernel
def _row(slot):  # type: ignore[no-untyped-def]
    return 0 if slot < 3 else 1 if slot < 8 else 2


@kernel
def _sealed(first, seats, dealt, sizes, rows, placed, first_seat, decks, rules, tables, fouled, out):  # type: ignore[no-untyped-def]
    """For each fouled seat the number of empty slots with which its foul was sealed, into `out` (s,)."""
    fronts, fives, numbers = rules.front, rules.five, rules.numbers
    left = np.empty(_CARDS, np.int64)
    pool, used = np.empty(2 * _CARDS, np.uint8), np.zeros(2 * _CARDS, np.bool_)
    board, trial = np.empty(SLOTS, np.uint8), np.empty(SLOTS, np.uint8)
    filled, empty = np.empty(3, np.int64), np.empty(SLOTS, np.int64)
    for hand in range(first_seat.shape[0] - 1):
        for s in range(first_seat[hand], first_seat[hand + 1]):
            if not fouled[s]:
                continue
            left[:] = decks[hand]
            filled[:] = 0
            known, sealed = True, False
            for d in range(first[hand], first[hand + 1]):
                if seats[d] != s - first_seat[hand]:
                    continue
                for k in range(sizes[d]):
                    card = dealt[d, k]
                    if card >= _CARDS or left[card] == 0:
                        known = False
                    else:
                        left[card] -= 1
                place_cards(placed[d], rows[d], board, filled)
                empties = open_slots(filled, empty)
                if not known or sealed or empties > MOST_LOOKED_AT:
                    continue
                trial[:] = board
                many = gather_cards(left, pool)
                if not _can_be_legal(trial, empty, empties, pool, many, used, fronts, fives, numbers, tables):
                    sealed = True
                    out[s] = empties
            if not known:
                out[s] = NOT_SEALED


def sealed_fouls(
    con: duckdb.DuckDBPyConnection, hands: Hands, rules: CompiledRules, fouled: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int8]:
    """With how many slots still empty each foul was sealed, (s,); NOT_SEALED for legal boards and unknown streets.

    Sealed: no cards other than those that the player had been dealt could still make the board legal. MOST_LOOKED_AT
    means: with that many or more.
    """
    out = np.full(len(hands.seats), NOT_SEALED, np.int8)
    draws = draws_of(actions(con, hands), len(hands))
    decks = hands.hands["decks"].to_numpy().astype(np.int64)
    tables = strength_tables()

    def work(start: int, stop: int) -> None:
        first, firsts = draws.first[start : stop + 1], hands.first_seat[start : stop + 1]
        _, seat, dealt, sizes, rows, placed = draws
        _sealed(first, seat, dealt, sizes, rows, placed, firsts, decks[start:stop], rules, tables, fouled, out)

    spread(len(hands), work, least=500)
    return out


def with_streets(con: duckdb.DuckDBPyConnection, hands: Hands, scored: Scored, rules: RuleSet | None = None) -> Scored:
    """`scored` with columns first_five, ms, decisions and sealed_with, null where a log does not say.

    `hands`: those that it was scored from; `rules`: what it was scored under, None: what each hand was played by.
    """
    places = hands.hands.select(pl.col("hand_key").alias("key")).with_row_index("of")
    keys = pl.DataFrame({"key": scored.keys}).with_row_index("hand")
    frame = scored.frame.join(keys.join(places, on="key", how="left"), on="hand", how="left", maintain_order="left")
    sealed = hands.seats.select(
        pl.col("hand").alias("of"), "seat", pl.Series("sealed_with", _sealed_with(con, hands, rules))
    )
    for more in (_first_five(con, hands), thinking_times(con, hands), sealed):
        named = more.rename({"hand": "of"}, strict=False).with_columns(pl.col("of").cast(pl.UInt32))
        frame = frame.join(named, on=["of", "seat"], how="left", maintain_order="left")
    in_it = pl.when(pl.col("fantasyland") != 0).then(pl.lit("in Fantasyland")).otherwise(pl.lit("not known"))
    return replace(scored, frame=frame.drop("of", "key").with_columns(pl.col("first_five").fill_null(in_it)))


def _sealed_with(con: duckdb.DuckDBPyConnection, hands: Hands, rules: RuleSet | None) -> npt.NDArray[np.int8]:
    """`sealed_fouls` of every seat, each hand under `rules` or under what it was played by."""
    out = np.full(len(hands.seats), NOT_SEALED, np.int8)
    keys = hands.hands["rules_key"]
    groups = (
        [(np.ones(len(hands), np.bool_), rules)]
        if rules
        else [((keys == key).fill_null(False).to_numpy(), under) for key, under in hands.rules.items()]
    )
    for mask, under in groups:
        part = hands.keep(mask, "")
        if len(part):
            fouled = scores_of(part, under).fouled
            seats = np.repeat(mask, hands.hands["players"].to_numpy())
            out[seats] = sealed_fouls(con, part, compile_rules(under), fouled)
    return out


def _first_five(con: duckdb.DuckDBPyConnection, hands: Hands) -> pl.DataFrame:
    cards = first_cards(con, hands)
    array = cards["cards"].list.to_array(5).to_numpy() if len(cards) else np.empty((0, 5), np.uint8)
    return cards.select("hand", "seat").with_columns(first_five_kinds(array).cast(pl.String).alias("first_five"))

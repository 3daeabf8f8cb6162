"""What only street-by-street logs tell: first cards, when a foul was sealed, thinking times. As columns for figures."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from analysis.completions import can_become_legal, new_ways
from analysis.draws import NO_CARD, draws_of, place_cards
from analysis.scored import Scored, scores_of
from analysis.tables import Hands, actions, first_cards, thinking_times
from ingest.game.board import SLOTS
from ingest.game.cards import CARD_COUNT
from ingest.game.compiled import CompiledRules, compile_rules
from ingest.game.kernels import kernel, piece, spread
from ingest.game.rules import RuleSet
from ingest.game.strength import NO_STRENGTH, strength_tables

if TYPE_CHECKING:
    import duckdb

Cards = npt.NDArray[np.uint8]

# Kinds of first five cards, best first: a hand is called by the first kind that it is.
FIRST_FIVE = (
    "trips or better", "two pair", "pair, queens or better", "pair, others", "four of a suit", "four to a straight",
    "three of a suit", "nothing",
)  # fmt: skip
# Beside the number of slots that were open when a foul was sealed.
NOT_SEALED, STREETS_UNKNOWN = -1, -2
_QUEEN = 10


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


@piece
def _subtract(left, card):  # type: ignore[no-untyped-def]
    """Take a card out of those that are left; whether it was there."""
    if card >= CARD_COUNT or left[card] == 0:
        return False
    left[card] -= 1
    return True


@kernel
def _follow(seat, seats, dealt, sizes, rows, placed, open_cards, board, filled, left):  # type: ignore[no-untyped-def]
    """Play a hand's actions (d of them) again as `seat` saw them; after how many own ones, or -1 if a card is unknown.

    `left` (52,): how many of each card there are. After own action k `filled[k]` (3,) says how many cards of `board`
    lie in each row, and `left[k]` (52,) how many of each card he had not seen. `open_cards` (p,): how many of each
    player's cards lie face up, the first ones.
    """
    done = 0
    shown = np.zeros(open_cards.shape[0], np.int64)
    now, unseen = np.zeros(3, np.int64), left[0].copy()
    for d in range(seats.shape[0]):
        if seats[d] == seat:
            if done == filled.shape[0]:
                return -1
            for k in range(sizes[d]):
                if not _subtract(unseen, dealt[d, k]):
                    return -1
            place_cards(placed[d], rows[d], board, now)
            filled[done], left[done] = now, unseen
            done += 1
            continue
        for k in range(placed.shape[1]):
            if placed[d, k] == NO_CARD or shown[seats[d]] == open_cards[seats[d]]:
                break
            shown[seats[d]] += 1
            if not _subtract(unseen, placed[d, k]):
                return -1
    return done


class _Played(NamedTuple):
    """What is known of the seats of many hands, beside their actions."""

    first_seat: npt.NDArray[np.int64]  # (hands + 1,) hand h has seats first_seat[h] : first_seat[h + 1]
    decks: npt.NDArray[np.int64]  # (hands,)
    open_cards: npt.NDArray[np.int64]  # (s,) cards that lie face up while the hand is played, the first ones
    complete: npt.NDArray[np.bool_]  # (s,) boards of 13 known cards
    fouled: npt.NDArray[np.bool_]  # (s,)


@kernel
def _sealed(start, stop, draws, played, rules, naturals_save, tables, out):  # type: ignore[no-untyped-def]
    """`sealed_fouls` of the hands start..stop into `out` (s,)."""
    first, seats, dealt, sizes, rows, placed = draws
    first_seat, decks, open_cards, complete, fouled = played
    fronts, fives, low = rules.front, rules.five, rules.numbers.low
    ways = new_ways()
    left = np.empty((SLOTS, CARD_COUNT), np.int64)
    filled, board = np.empty((SLOTS, 3), np.int64), np.empty(SLOTS, np.uint8)
    for hand in range(start, stop):
        a, b, of_hand = first[hand], first[hand + 1], open_cards[first_seat[hand] : first_seat[hand + 1]]
        for s in range(first_seat[hand], first_seat[hand + 1]):
            left[0] = decks[hand]
            seat = s - first_seat[hand]
            done = _follow(
                seat, seats[a:b], dealt[a:b], sizes[a:b], rows[a:b], placed[a:b], of_hand, board, filled, left
            )
            unknown = done <= 0 or (complete[s] and filled[done - 1].sum() < SLOTS)
            if unknown or (naturals_save and filled[0].sum() < SLOTS):
                out[s] = STREETS_UNKNOWN
            elif fouled[s]:
                # From the end: once some cards could still help, they could all the time before.
                for k in range(done - 1, -1, -1):
                    open_slots = SLOTS - filled[k].sum()
                    if open_slots > 0 and can_become_legal(board, filled[k], left[k], fronts, fives, low, tables, ways):
                        break
                    out[s] = open_slots


def sealed_fouls(
    con: duckdb.DuckDBPyConnection, hands: Hands, rules: CompiledRules, fouled: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int8]:
    """How many slots were still open when each foul was sealed, (s,).

    Sealed: after a player has set the cards of a street, no cards that he has not seen could make his board legal. Seen
    are those that he was dealt, and those of others that lie face up by then. 0: only the last cards did it, or all
    were set at once. NOT_SEALED for legal boards, and for those that could have become so, had their players gone on.
    STREETS_UNKNOWN where the log does not show all that the player was dealt; also under rules by which a natural is
    never fouled, as it is not looked whether one could still come.
    """
    out = np.full(len(hands.seats), NOT_SEALED, np.int8)
    draws = draws_of(actions(con, hands), len(hands))
    played = _Played(
        hands.first_seat,
        hands.hands["decks"].to_numpy().astype(np.int64),
        _open_cards(hands),
        (hands.strengths != NO_STRENGTH).all(axis=1),
        fouled,
    )
    naturals_save = bool(rules.numbers.naturals_instead) and bool(rules.natural_points.any())
    tables = strength_tables()
    spread(
        len(hands),
        lambda start, stop: _sealed(start, stop, draws, played, rules, naturals_save, tables, out),
        least=500,
    )
    return out


def _open_cards(hands: Hands) -> npt.NDArray[np.int64]:
    """How many cards of each board lie face up while the hand is played, the first ones, (s,)."""
    open_cards = np.full(len(hands), SLOTS, np.int64)
    for mask, played in hands.scored_by(None):
        open_cards[mask] -= played.deal.face_down_last
    of_seats = np.repeat(open_cards, hands.hands["players"].to_numpy())
    return np.where(hands.fantasyland == 0, of_seats, 0)


def with_streets(con: duckdb.DuckDBPyConnection, hands: Hands, scored: Scored, rules: RuleSet | None = None) -> Scored:
    """`scored` with STREET_COLUMNS, null where a log does not say.

    `hands`: those that it was scored from; `rules`: what it was scored under, None: what each hand was played by.
    Columns: first_five and sealed (names of cases), sealed_with (as `sealed_fouls`, unknown ones null), ms, decisions.
    """
    places = hands.hands.select(pl.col("hand_key").alias("key")).with_row_index("of")
    keys = pl.DataFrame({"key": scored.keys}).with_row_index("hand")
    frame = scored.frame.join(keys.join(places, on="key", how="left"), on="hand", how="left", maintain_order="left")
    sealed = hands.seats.select(
        pl.col("hand").alias("of"), "seat", pl.Series("sealed_with", _sealed_with(con, hands, rules))
    ).with_columns(pl.col("sealed_with").replace(STREETS_UNKNOWN, None))
    for more in (_first_five(con, hands), thinking_times(con, hands), sealed):
        named = more.rename({"hand": "of"}, strict=False).with_columns(pl.col("of").cast(pl.UInt32))
        frame = frame.join(named, on=["of", "seat"], how="left", maintain_order="left")
    in_it = pl.when(pl.col("fantasyland") != 0).then(pl.lit("in Fantasyland")).otherwise(pl.lit("not known"))
    frame = frame.drop("of", "key").with_columns(pl.col("first_five").fill_null(in_it), _sealed_name().alias("sealed"))
    return replace(scored, frame=frame)


def _sealed_name() -> pl.Expr:
    """What a board is called by when its foul was sealed."""
    slots = pl.col("sealed_with")
    return (
        pl.when(slots.is_null())
        .then(pl.lit("not known"))
        .when(~pl.col("fouled"))
        .then(pl.lit("legal board"))
        .when(slots == NOT_SEALED)
        .then(pl.lit("never finished"))
        .when(slots == 1)
        .then(pl.lit("1 slot open"))
        .otherwise(pl.format("{} slots open", slots))
    )


def _sealed_with(con: duckdb.DuckDBPyConnection, hands: Hands, rules: RuleSet | None) -> npt.NDArray[np.int8]:
    """`sealed_fouls` of every seat, each hand under `rules` or under what it was played by."""
    out = np.full(len(hands.seats), STREETS_UNKNOWN, np.int8)
    for mask, under in hands.scored_by(rules):
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

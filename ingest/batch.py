"""Many hands at once as columns: what formats hand to the loader.

Three frames: one row per hand, per seat (in acting order) and per action (in order of play), hands one behind
the other. `players` and `actions` of a hand say how many rows of the other two are his, so offsets are running
sums and no keys are needed. `Hand` says the same about one hand for people; both forms convert without loss.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson
import polars as pl
import pyarrow as pa

from ingest.game.board import SLOTS
from ingest.hand import CARDS_UNKNOWN, Action, Hand, Seat

Offsets = npt.NDArray[np.int64]

MONEY = pl.Decimal(18, 6)
CARDS = pl.List(pl.UInt8)
TIME = pl.Datetime("us")

HAND_COLUMNS: dict[str, Any] = {
    "site": pl.String,
    "hand_id": pl.String,
    "session_id": pl.String,
    "hand_no": pl.Int32,
    "game": pl.String,
    "rules": pl.String,
    "rules_changes": pl.String,
    "decks": pl.UInt8,
    "middle": pl.String,
    "started_at": TIME,
    "ended_at": TIME,
    "source_zone": pl.String,
    "point_value": MONEY,
    "unit": pl.String,
    "unit_price": MONEY,
    "unit_currency": pl.String,
    "pair_values": pl.String,
    "settlement": pl.String,
    "rake": MONEY,
    "status": pl.String,
    "flags": pl.List(pl.String),
    "extra": pl.String,
    "position": pl.Int64,
    "players": pl.UInt8,
    "actions": pl.UInt16,
}
SEAT_COLUMNS: dict[str, Any] = {
    "seat": pl.UInt8,
    "chair": pl.Int16,
    "player": pl.String,
    "hero": pl.Boolean,
    "stack": MONEY,
    "in_fantasyland": pl.Boolean,
    "fantasyland_cards": pl.UInt8,
    "board": pl.Array(pl.UInt8, SLOTS),
    "claimed_points": pl.Int32,
    "claimed_fouled": pl.Boolean,
    "claimed_fantasyland_next": pl.Int8,
    "net": MONEY,
}
ACTION_COLUMNS: dict[str, Any] = {
    "action_no": pl.UInt16,
    "seat": pl.UInt8,
    "street": pl.UInt8,
    "dealt": CARDS,
    "front": CARDS,
    "middle": CARDS,
    "back": CARDS,
    "discard": CARDS,
    "auto": pl.Boolean,
    "ms": pl.Int32,
}
CARD_LISTS = ("dealt", "front", "middle", "back", "discard")


def offsets(counts: pl.Series) -> Offsets:
    """Where the rows of each hand begin, (n + 1,), from how many rows each has."""
    ends = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts.to_numpy(), out=ends[1:])
    return ends


def card_lists(values: npt.NDArray[np.uint8], ends: Offsets) -> pl.Series:
    """A column of card lists from all cards in a row and where each list begins, (n + 1,)."""
    lists = pa.LargeListArray.from_arrays(pa.array(ends), pa.array(values))
    return pl.Series(pl.from_arrow(lists), dtype=CARDS)


def list_arrays(column: pl.Series) -> tuple[npt.NDArray[np.uint8], Offsets]:
    """A column of card lists as all cards in a row and where each list begins, (n + 1,)."""
    lists = column.rechunk().to_arrow()
    return np.asarray(lists.values), np.asarray(lists.offsets).astype(np.int64, copy=False)


def money(amounts: npt.NDArray[np.float64]) -> pl.Series:
    """A money column from the numbers of a JSON text, exact to the millionth; nan is NULL.

    A double holds what a person wrote to 15 digits, so rounding to millionths restores the decimal number.
    """
    known = np.isfinite(amounts)
    return exact_money(np.rint(np.where(known, amounts, 0.0) * 1e6).astype(np.int64), known)


def exact_money(millionths: npt.NDArray[np.int64], known: npt.NDArray[np.bool_]) -> pl.Series:
    """A money column from whole millionths; NULL where not `known`."""
    # Arrow's decimals are 128-bit integers: the sign fills the upper half.
    words = np.stack([millionths, millionths >> 63], axis=1)
    buffers = [pa.py_buffer(np.packbits(known, bitorder="little")), pa.py_buffer(np.ascontiguousarray(words))]
    return pl.Series(pl.from_arrow(pa.Array.from_buffers(pa.decimal128(18, 6), len(known), buffers)))


def to_millionths(column: pl.Series) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """A money column as whole millionths, 0 where it is NULL, and where it is not."""
    known = column.is_not_null().to_numpy()
    if not len(column):
        return np.zeros(0, np.int64), known
    filled = column.fill_null(Decimal(0)).cast(MONEY).rechunk().to_arrow()
    words = np.frombuffer(filled.buffers()[1], np.int64)[2 * filled.offset :]
    return words[: 2 * len(column) : 2], known


def gathered(values: Sequence[Any], places: npt.NDArray[np.integer[Any]], kind: Any) -> pl.Series:
    """A column of few different values, from the values and the place among them that each row has."""
    return pl.Series(values, dtype=kind).gather(pl.Series(places.astype(np.uint32)))


def json_text(value: Mapping[str, Any] | Sequence[Any]) -> str | None:
    """A value as JSON with sorted keys, None if it is empty."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode() if value else None


@dataclass(frozen=True, slots=True)
class Batch:
    """Hands as columns: HAND_COLUMNS, SEAT_COLUMNS and ACTION_COLUMNS; `hands` may have further columns."""

    hands: pl.DataFrame
    seats: pl.DataFrame
    actions: pl.DataFrame

    def __len__(self) -> int:
        return len(self.hands)

    @property
    def first_seat(self) -> Offsets:
        """Where the seats of each hand begin, (n + 1,)."""
        return offsets(self.hands["players"])

    @property
    def first_action(self) -> Offsets:
        """Where the actions of each hand begin, (n + 1,)."""
        return offsets(self.hands["actions"])

    def boards(self) -> npt.NDArray[np.uint8]:
        """The boards of all seats, (seats, 13)."""
        return np.ascontiguousarray(self.seats["board"].to_numpy()).reshape(-1, SLOTS)

    def keep(self, kept: npt.NDArray[np.bool_]) -> Batch:
        """Only the hands that `kept` says, (n,)."""
        if kept.all():
            return self
        return Batch(
            self.hands.filter(pl.Series(kept)),
            self.seats.filter(pl.Series(np.repeat(kept, self.hands["players"].to_numpy()))),
            self.actions.filter(pl.Series(np.repeat(kept, self.hands["actions"].to_numpy()))),
        )

    def to_hands(self) -> list[Hand]:
        """The same as records."""
        seats = iter(self.seats.iter_rows(named=True))
        actions = iter(self.actions.iter_rows(named=True))
        return [
            _hand(
                row,
                [_seat(next(seats)) for _ in range(row["players"])],
                [_action(next(actions)) for _ in range(row["actions"])],
            )
            for row in self.hands.iter_rows(named=True)
        ]


def batch_of(hands: Sequence[Hand]) -> Batch:
    """Records as columns. Raises OverflowError or polars errors for numbers that no column holds."""
    return Batch(
        pl.DataFrame([_hand_row(hand) for hand in hands], schema=HAND_COLUMNS, orient="row"),
        pl.DataFrame(
            [_seat_row(number, seat) for hand in hands for number, seat in enumerate(hand.seats)],
            schema=SEAT_COLUMNS,
            orient="row",
        ),
        pl.DataFrame(
            [_action_row(number, action) for hand in hands for number, action in enumerate(hand.actions)],
            schema=ACTION_COLUMNS,
            orient="row",
        ),
    )


def concat(batches: Iterable[Batch]) -> Batch:
    """Several batches as one."""
    parts = list(batches)
    return Batch(
        pl.concat([part.hands for part in parts]),
        pl.concat([part.seats for part in parts]),
        pl.concat([part.actions for part in parts]),
    )


def _hand_row(hand: Hand) -> tuple[Any, ...]:
    return (
        hand.site,
        hand.id,
        hand.session,
        hand.number,
        hand.game,
        hand.rules,
        json_text(hand.rules_changes),
        hand.decks,
        hand.middle,
        hand.started_at and hand.started_at.astimezone(UTC).replace(tzinfo=None),
        hand.ended_at and hand.ended_at.astimezone(UTC).replace(tzinfo=None),
        hand.source_zone,
        hand.point_value,
        hand.unit,
        hand.unit_price,
        hand.unit_currency,
        json_text([[a, b, str(value)] for a, b, value in hand.pair_values]),
        hand.settlement,
        hand.rake,
        hand.status,
        sorted(set(hand.flags)),
        json_text(hand.extra),
        hand.position,
        len(hand.seats),
        len(hand.actions),
    )


def _seat_row(number: int, seat: Seat) -> tuple[Any, ...]:
    return (
        number,
        seat.chair,
        seat.player,
        seat.hero,
        seat.stack,
        seat.fantasyland != 0,
        None if seat.fantasyland == CARDS_UNKNOWN else seat.fantasyland,
        list(seat.board),
        seat.points,
        seat.fouled,
        seat.fantasyland_next,
        seat.net,
    )


def _action_row(number: int, action: Action) -> tuple[Any, ...]:
    lists = (list(getattr(action, name)) for name in CARD_LISTS)
    return (number, action.seat, action.street, *lists, action.auto, action.ms)


def _hand(row: Mapping[str, Any], seats: list[Seat], actions: list[Action]) -> Hand:
    pair_values = orjson.loads(row["pair_values"] or "[]")
    return Hand(
        site=row["site"],
        seats=tuple(seats),
        id=row["hand_id"],
        session=row["session_id"],
        number=row["hand_no"],
        game=row["game"],
        rules=row["rules"],
        rules_changes=orjson.loads(row["rules_changes"] or "{}"),
        decks=row["decks"],
        middle=row["middle"],
        started_at=row["started_at"] and row["started_at"].replace(tzinfo=UTC),
        ended_at=row["ended_at"] and row["ended_at"].replace(tzinfo=UTC),
        source_zone=row["source_zone"],
        point_value=row["point_value"],
        unit=row["unit"],
        unit_price=row["unit_price"],
        unit_currency=row["unit_currency"],
        pair_values=tuple((a, b, Decimal(value)) for a, b, value in pair_values),
        settlement=row["settlement"],
        rake=row["rake"],
        actions=tuple(actions),
        status=row["status"],
        flags=tuple(row["flags"]),
        extra=orjson.loads(row["extra"] or "{}"),
        position=row["position"],
    )


def _seat(row: Mapping[str, Any]) -> Seat:
    cards = row["fantasyland_cards"]
    return Seat(
        player=row["player"],
        chair=row["chair"],
        hero=row["hero"],
        stack=row["stack"],
        fantasyland=CARDS_UNKNOWN if cards is None else cards,
        board=tuple(row["board"]),
        points=row["claimed_points"],
        net=row["net"],
        fouled=row["claimed_fouled"],
        fantasyland_next=row["claimed_fantasyland_next"],
    )


def _action(row: Mapping[str, Any]) -> Action:
    lists = {name: tuple(row[name]) for name in CARD_LISTS}
    return Action(seat=row["seat"], street=row["street"], auto=row["auto"], ms=row["ms"], **lists)

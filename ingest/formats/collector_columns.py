"""The picked fields of collector hands as columns: everything here works on thousands of hands at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from ingest.batch import ACTION_COLUMNS, CARD_LISTS, HAND_COLUMNS, SEAT_COLUMNS, Batch, Offsets, card_lists, money
from ingest.chunk import Bad
from ingest.flags import flag_lists
from ingest.formats import collector_cards
from ingest.formats.collector_cards import MOST_DISCARDS, ActionColumns, SeatCards
from ingest.game.board import EMPTY, SLOTS

Flags = npt.NDArray[np.bool_]

_CARD_ERRORS = {
    collector_cards.BAD_CARD: ("bad_card", "expected cards such as Kh1 (rank, suit, street)"),
    collector_cards.OVERFULL: ("row_overfull", "expected at most 3, 5 and 5 cards in the rows"),
    collector_cards.NOT_THREE_ROWS: ("bad_card", "expected three rows with / between them"),
    collector_cards.TOO_MANY_DISCARDS: ("bad_card", f"expected at most {MOST_DISCARDS} discards"),
}
# The number of a hand at its table: -0000012-1 on PPPoker, -12 on Upoker; Spartan has none.
_HAND_NO = r"-(\d{1,9})(?:-\d+)?$"


class HandFields(NamedTuple):
    """What the reader picks of a hand."""

    site: str
    hand_id: str
    session_id: str | None
    rules: str | None
    rules_changes: str | None
    ended_at: str | None
    stakes: float | None
    price: float | None
    currency: str | None
    observer: bool
    jokers: bool
    extra: str | None
    position: int
    players: int


class SeatFields(NamedTuple):
    """What the reader picks of a player."""

    order: int
    player: str
    hero: bool
    in_fantasyland: bool
    rows: str
    discards: str
    points: int | None
    net: float | None


class Picked:
    """A chunk of hands as the fields that were picked from them, still as the log writes them."""

    def __init__(self) -> None:
        self.raw: list[bytes] = []
        self.end = 0
        # A list for each field: hundreds of thousands of small tuples would keep the garbage collector busy.
        self._hands: list[list[Any]] = [[] for _ in HandFields._fields]
        self._seats: list[list[Any]] = [[] for _ in SeatFields._fields]

    def add(self, hand: HandFields, seats: Sequence[SeatFields], raw: bytes, end: int) -> None:
        """Add a hand."""
        for column, value in zip(self._hands, hand, strict=True):
            column.append(value)
        for column, values in zip(self._seats, zip(*seats, strict=True), strict=True):
            column += values
        self.raw.append(raw)
        self.end = end

    def joined(self, others: Sequence[Picked]) -> Picked:
        """This chunk and others as one."""
        whole = Picked()
        for part in (self, *others):
            for column, values in zip(whole._hands + whole._seats, part._hands + part._seats, strict=True):
                column += values
            whole.raw += part.raw
        return whole

    def columns(self) -> tuple[Batch, list[Bad]]:
        """All hands as columns, and those whose cards or time cannot be read."""
        hands = dict(zip(HandFields._fields, self._hands, strict=True))
        seats = dict(zip(SeatFields._fields, self._seats, strict=True))
        first_seat = np.concatenate([[0], np.cumsum(hands["players"])]).astype(np.int64)
        cards = collector_cards.parse_seats(seats["rows"], seats["discards"])
        actions = collector_cards.actions_of(first_seat, np.array(seats["in_fantasyland"], np.bool_), cards)
        table = _Table(hands, seats, first_seat, cards, actions)
        batch = Batch(_hand_frame(table), _seat_frame(table), _action_frame(actions))
        return batch, list(_unreadable(batch, table))


class _Table(NamedTuple):
    """Picked fields by column, and what the kernels made of the cards."""

    hands: dict[str, list[Any]]
    seats: dict[str, list[Any]]
    first_seat: Offsets
    cards: SeatCards
    actions: ActionColumns


def _any_seat(seats: Flags, first_seat: Offsets) -> Flags:
    """For each hand whether any of its seats is marked."""
    return np.logical_or.reduceat(seats, first_seat[:-1])


def _hand_frame(table: _Table) -> pl.DataFrame:
    hands = table.hands
    count = len(hands["site"])
    known = [rules is not None for rules in hands["rules"]]
    columns: dict[str, Any] = {
        "site": hands["site"],
        "hand_id": hands["hand_id"],
        "session_id": hands["session_id"],
        "hand_no": pl.Series(hands["hand_id"], dtype=pl.String).str.extract(_HAND_NO).cast(pl.Int32),
        "game": [None if rules is None else rules.split("-")[0] for rules in hands["rules"]],
        "rules": hands["rules"],
        "rules_changes": hands["rules_changes"],
        "ended_at": _times(hands["ended_at"]),
        "source_zone": ["UTC" if time is not None else None for time in hands["ended_at"]],
        "point_value": money(_numbers(hands["stakes"])),
        "unit": ["chip"] * count,
        "unit_price": money(_numbers(hands["price"])),
        "unit_currency": hands["currency"],
        "settlement": ["points"] * count,
        "status": np.where(_cancelled(table), "cancelled", "complete"),
        "flags": _flags(table, np.array(known)),
        "extra": hands["extra"],
        "position": hands["position"],
        "players": hands["players"],
        "actions": table.actions.counts,
    }
    return _frame(columns, HAND_COLUMNS, count)


def _seat_frame(table: _Table) -> pl.DataFrame:
    seats, cards = table.seats, table.cards
    fantasyland = np.array(seats["in_fantasyland"], np.bool_)
    # Without a discard the size is not 13 but unknown: some apps hide what others threw away.
    sizes = np.where(fantasyland, SLOTS + cards.discard_counts, 0)
    unknown = fantasyland & (cards.discard_counts == 0)
    columns: dict[str, Any] = {
        "seat": np.arange(len(fantasyland)) - np.repeat(table.first_seat[:-1], np.diff(table.first_seat)),
        "player": seats["player"],
        "hero": seats["hero"],
        "in_fantasyland": fantasyland,
        "fantasyland_cards": pl.Series(sizes).set(pl.Series(unknown), None),
        "board": pl.Series(cards.boards, dtype=SEAT_COLUMNS["board"]),
        "claimed_points": seats["points"],
        "net": money(_numbers(seats["net"])),
    }
    return _frame(columns, SEAT_COLUMNS, len(fantasyland))


def _action_frame(actions: ActionColumns) -> pl.DataFrame:
    columns: dict[str, Any] = {"action_no": actions.numbers, "seat": actions.seats, "street": actions.streets}
    columns |= {name: card_lists(*cards) for name, cards in zip(CARD_LISTS, actions.cards, strict=True)}
    return _frame(columns, ACTION_COLUMNS, len(actions.numbers))


def _frame(columns: dict[str, Any], types: dict[str, Any], rows: int) -> pl.DataFrame:
    """A frame with all columns of `types`, those that are not given empty."""
    return pl.DataFrame(
        [
            pl.Series(name, columns[name]).cast(kind)
            if name in columns
            else pl.Series(name, [None], kind).new_from_index(0, rows)
            for name, kind in types.items()
        ]
    )


def _numbers(values: list[float | None]) -> npt.NDArray[np.float64]:
    return np.array(values, np.float64)  # None becomes nan


def _times(texts: list[Any]) -> pl.Series:
    texts = [text if isinstance(text, str) else None for text in texts]
    return pl.Series(texts, dtype=pl.String).str.to_datetime("%Y-%m-%d %H:%M:%S", strict=False)


def _cancelled(table: _Table) -> Flags:
    """Hands that were called off: a board is incomplete, and the log states 0 for everybody."""
    incomplete = _any_seat((table.cards.boards == EMPTY).any(axis=1), table.first_seat)
    points, nets = _numbers(table.seats["points"]), _numbers(table.seats["net"])
    silent = np.isnan(points) & np.isnan(nets)
    paid = (np.nan_to_num(points) != 0) | (np.nan_to_num(nets) != 0) | silent
    cancelled: Flags = incomplete & ~_any_seat(paid, table.first_seat)
    return cancelled


def _flags(table: _Table, rules_known: Flags) -> pl.Series:
    """What the reader noticed, and `no_discards` where somebody's discards are hidden."""
    later = ((table.cards.streets > 0) & (table.cards.streets != collector_cards.NO_STREET)).any(axis=1)
    fantasyland = np.array(table.seats["in_fantasyland"], np.bool_)
    hidden = _any_seat((later | fantasyland) & (table.cards.discard_counts == 0), table.first_seat)
    return flag_lists(
        {
            "jokers": np.array(table.hands["jokers"], np.bool_),
            "no_discards": hidden,
            "observer": np.array(table.hands["observer"], np.bool_),
            "unknown_rules": ~rules_known,
        }
    )


def _unreadable(batch: Batch, table: _Table) -> Iterator[Bad]:
    """The hands whose cards or time cannot be read."""
    codes = np.maximum.reduceat(table.cards.codes, table.first_seat[:-1])
    stated = np.array([time is not None for time in table.hands["ended_at"]], np.bool_)
    bad_time = stated & batch.hands["ended_at"].is_null().to_numpy()
    for hand in np.flatnonzero(codes).tolist():
        reason, expected = _CARD_ERRORS[int(codes[hand])]
        seats = range(table.first_seat[hand], table.first_seat[hand + 1])
        seat = next(seat for seat in seats if table.cards.codes[seat] == codes[hand])
        came = f"{table.seats['rows'][seat]!r} with discards {table.seats['discards'][seat]!r}"
        yield Bad(hand, reason, f"{expected}, got {came}")
    for hand in np.flatnonzero(bad_time & (codes == 0)).tolist():
        came = table.hands["ended_at"][hand]
        yield Bad(hand, "bad_time", f"expected a time such as 2026-01-02 03:05:12, got {came!r}")

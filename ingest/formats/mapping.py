"""A user's description of a table: which column holds what, how cards are written, in which zone times are.

A TOML file; unknown keys are refused with the known ones listed::

    site = "my room"
    rows = "seats"                    # a row is one player's part of a hand; or "hands": a row is a whole hand

    [columns]                         # our field = their column
    hand = "HandNo"
    player = "Nick"
    front = "Top"                     # or board = "Board", rows apart by /
    points = "Score"

    [cards]
    suits = ["2", "1", "3", "4"]      # what stands for clubs, diamonds, hearts, spades
    order = "front-first"             # or "back-first"

    [times]
    zone = "Europe/Berlin"
    format = "%d.%m.%Y %H:%M"

    [values]                          # what no column holds
    rules = "pineapple"

    [rules]                           # their names of rule sets = ours
    "OFC Pine" = "pineapple"
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ingest.game.cards import RANKS, SUITS, UNKNOWN, parse_cards
from ingest.game.errors import CardError, OFCError, known
from ingest.hand import Cards

HAND_FIELDS = (
    "hand", "session", "number", "rules", "started_at", "ended_at", "point_value", "unit", "currency", "rake",
)  # fmt: skip
SEAT_FIELDS = (
    "player", "order", "chair", "hero", "stack", "fantasyland", "board", "front", "middle", "back", "discards",
    "points", "net", "fouled", "fantasyland_next",
)  # fmt: skip
_FACTORS = {"rank_times": 4, "first_rank": 0, "suit_times": 1, "first_suit": 0}
_KEYS = {
    "": ("site", "rows", "columns", "players", "cards", "times", "values", "rules", "delimiter"),
    "columns": (*HAND_FIELDS, *SEAT_FIELDS),
    "players": SEAT_FIELDS,
    "cards": ("ranks", "suits", "first", "order", "number"),
    "cards.number": ("rank_times", "first_rank", "suit_times", "first_suit", "suit_order"),
    "times": ("zone", "format"),
    "values": (*HAND_FIELDS, *SEAT_FIELDS),
}


class MappingError(OFCError):
    """A mapping file that says something impossible."""


@dataclass(frozen=True)
class CardNotation:
    """How a table writes cards: as we do where `table` is empty, else as it says, in lower case.

    In the file, `ranks` and `suits` are what stands for 2 to A and for clubs, diamonds, hearts, spades, `first` which
    of the two is written first. With `number`, cards are whole numbers ``rank_times * (first_rank + rank) + suit_times
    * (first_suit + suit)`` with rank 0..12 and suit 0..3 in the order of `suit_order`.
    """

    back_first: bool
    by_number: bool
    table: Mapping[str, int]

    def parse(self, text: str) -> Cards:
        """The cards of a text, glued or with spaces, commas or semicolons between them. Raises CardError."""
        if not self.table:
            return tuple(parse_cards(text.replace(";", " ")))
        parts = [part for part in re.split(r"[\s,;]+", text.strip()) if part]
        if self.by_number:
            return tuple(self._card(part) for part in parts)
        return tuple(card for part in parts for card in self._glued(part))

    def _glued(self, part: str) -> Iterator[int]:
        longest = max(map(len, self.table))
        while part:
            size = next((n for n in range(longest, 0, -1) if part[:n].lower() in self.table), len(part))
            yield self._card(part[:size])
            part = part[size:]

    def _card(self, text: str) -> int:
        try:
            return self.table[text.lower()]
        except KeyError:
            raise CardError(f"expected a card as the mapping file describes them, got {text!r}") from None


@dataclass(frozen=True)
class TableMapping:
    """A checked mapping file."""

    site: str
    row_is_hand: bool
    columns: Mapping[str, str]
    players: tuple[Mapping[str, str], ...]
    cards: CardNotation
    zone: ZoneInfo
    zone_name: str | None
    time_format: str | None
    values: Mapping[str, str]
    rules: Mapping[str, str]
    delimiter: str | None


def load_mapping(path: Path) -> TableMapping:
    """The mapping of a TOML file. Raises MappingError."""
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise MappingError(f"expected a mapping file at {path}, got: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MappingError(f"expected a TOML file at {path}, got: {error}") from None
    try:
        return _mapping(data)
    except MappingError as error:
        raise MappingError(f"{path}: {error}") from None


def _mapping(data: dict[str, Any]) -> TableMapping:
    _refuse_unknown(data, "")
    tables = {name: _table(data, name) for name in ("columns", "cards", "times", "values", "rules")}
    players = data.get("players", [])
    if not isinstance(players, list) or not all(isinstance(player, dict) for player in players):
        raise MappingError("expected players to be tables [[players]]")
    for player in players:
        _refuse_unknown(player, "players")
    rows = data.get("rows", "seats")
    if rows not in ("seats", "hands"):
        raise MappingError(f'expected rows = "seats" or "hands", got {rows!r}')
    if (rows == "hands") != bool(players):
        raise MappingError('expected [[players]] with rows = "hands", and only with it')
    columns = tables["columns"]
    if rows == "seats" and not {"hand", "player"} <= columns.keys():
        raise MappingError(f"expected columns for hand and player, got {known(columns) or 'none'}")
    zone = tables["times"].get("zone")
    return TableMapping(
        site=str(data.get("site", "mapped")),
        row_is_hand=rows == "hands",
        columns={name: str(column) for name, column in columns.items()},
        players=tuple({name: str(column) for name, column in player.items()} for player in players),
        cards=_notation(tables["cards"]),
        zone=_zone(zone),
        zone_name=zone,
        time_format=tables["times"].get("format"),
        values={name: str(value) for name, value in tables["values"].items()},
        rules={name: str(value) for name, value in tables["rules"].items()},
        delimiter=data.get("delimiter"),
    )


def _refuse_unknown(table: Mapping[str, Any], where: str) -> None:
    unknown = table.keys() - set(_KEYS[where])
    if unknown:
        place = f" in {where}" if where else ""
        raise MappingError(f"expected known keys{place}, got {known(sorted(unknown))}; known: {known(_KEYS[where])}")


def _table(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = data.get(name, {})
    if not isinstance(table, dict):
        raise MappingError(f"expected [{name}] to be a table, got {table!r}")
    if name in _KEYS:
        _refuse_unknown(table, name)
    return table


def _zone(name: str | None) -> ZoneInfo:
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError, TypeError):
        raise MappingError(f"expected a time zone such as Europe/Berlin, got {name!r}") from None


def _notation(cards: Mapping[str, Any]) -> CardNotation:
    order = cards.get("order", "front-first")
    if order not in ("front-first", "back-first"):
        raise MappingError(f'expected cards.order = "front-first" or "back-first", got {order!r}')
    first = cards.get("first", "rank")
    if first not in ("rank", "suit"):
        raise MappingError(f'expected cards.first = "rank" or "suit", got {first!r}')
    ranks, suits = _names(cards, "ranks", RANKS), _names(cards, "suits", SUITS)
    number = cards.get("number")
    if number is not None:
        if not isinstance(number, dict):
            raise MappingError(f"expected [cards.number] to be a table, got {number!r}")
        _refuse_unknown(number, "cards.number")
    told = {"ranks", "suits", "first", "number"} & cards.keys()
    table = _card_table(ranks, suits, first, number) if told else {}
    return CardNotation(order == "back-first", number is not None, table)


def _names(cards: Mapping[str, Any], key: str, usual: str) -> tuple[str, ...]:
    names = cards.get(key, usual)
    listed = tuple(map(str, names)) if isinstance(names, list | str) else ()
    if len(listed) != len(usual) or len({name.lower() for name in listed}) != len(usual):
        raise MappingError(f"expected cards.{key} to be {len(usual)} different names for {usual}, got {names!r}")
    return listed


def _card_table(
    ranks: tuple[str, ...], suits: tuple[str, ...], first: str, number: Mapping[str, Any] | None
) -> dict[str, int]:
    """Every way to write a card, in lower case, to its number."""
    table = {"??": UNKNOWN}
    for rank, rank_name in enumerate(ranks):
        for suit, suit_name in enumerate(suits):
            if number is not None:
                text = str(_number(number, rank, SUITS[suit]))
            else:
                text = rank_name + suit_name if first == "rank" else suit_name + rank_name
            if text.lower() in table:
                raise MappingError(f"expected every card to be written differently, {text!r} stands for two")
            table[text.lower()] = rank * 4 + suit
    return table


def _number(number: Mapping[str, Any], rank: int, suit: str) -> int:
    """The whole number that a card is written as."""
    order = number.get("suit_order", SUITS)
    factors = [number.get(key, usual) for key, usual in _FACTORS.items()]
    if sorted(str(order)) != sorted(SUITS) or not all(type(factor) is int for factor in factors):
        raise MappingError(f'expected whole numbers and suit_order = "cdhs" in some order, got {dict(number)!r}')
    rank_times, first_rank, suit_times, first_suit = factors
    return int(rank_times * (first_rank + rank) + suit_times * (first_suit + order.index(suit)))

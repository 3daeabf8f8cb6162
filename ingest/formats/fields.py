"""Fields of JSON records: each function returns a value of one kind or says what was expected and what came."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from ingest.game.board import EMPTY, ROW_SIZES, ROWS
from ingest.game.cards import format_cards, parse_card
from ingest.game.errors import CardError, OFCError
from ingest.game.money import format_amount, parse_amount
from ingest.hand import Cards
from ingest.rejects import BadRecord

Record = Mapping[str, Any]
# What the tables hold: 18 digits, six of them behind the point.
MOST_DECIMALS = 6
MOST_MONEY = Decimal(10) ** 11


def mapping(value: Any, what: str) -> Record:
    """A JSON object; None is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadRecord("field_missing", f"expected {what} to be an object, got {value!r}")
    return value


def items(value: Any, what: str) -> Sequence[Any]:
    """A JSON list; None is an empty one."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise BadRecord("field_missing", f"expected {what} to be a list, got {value!r}")
    return value


def text(value: Any, what: str) -> str | None:
    """A text, or None."""
    if value is not None and not isinstance(value, str):
        raise BadRecord("field_missing", f"expected {what} to be a text, got {value!r}")
    return value


def needed_text(value: Any, what: str) -> str:
    """A text that is there."""
    found = text(value, what)
    if found is None:
        raise BadRecord("field_missing", f"expected {what}, got nothing")
    return found


def number(value: Any, what: str, least: int = -(2**31) + 1, most: int = 2**31 - 1) -> int | None:
    """A whole number within bounds, or None."""
    if value is None:
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadRecord("bad_number", f"expected {what} to be a whole number {least} to {most}, got {value!r}")
    return value


def truth(value: Any, what: str) -> bool | None:
    """True, False or None."""
    if value is not None and not isinstance(value, bool):
        raise BadRecord("field_missing", f"expected {what} to be true or false, got {value!r}")
    return value


def amount(value: Any, what: str) -> Decimal | None:
    """An amount of money that the tables hold exactly, or None."""
    if value is None:
        return None
    try:
        found = parse_amount(value, what)
    except OFCError as error:
        raise BadRecord("bad_number", str(error)) from None
    if abs(found) >= MOST_MONEY or found != round(found, MOST_DECIMALS):
        raise BadRecord("bad_number", f"expected {what} with at most 11 and {MOST_DECIMALS} digits, got {value!r}")
    return found


def time(value: Any, what: str, zone: str | None = None) -> datetime | None:
    """A time in UTC from RFC 3339, or None; one without a zone is taken to be in `zone`."""
    written = text(value, what)
    if written is None:
        return None
    try:
        found = datetime.fromisoformat(written)
        if found.tzinfo is None:
            if zone is None:
                raise ValueError
            found = found.replace(tzinfo=ZoneInfo(zone))
        return found.astimezone(UTC)
    except (ValueError, OSError, OverflowError, KeyError):
        raise BadRecord("bad_time", f"expected {what} such as 2026-01-02T03:05:12Z, got {value!r}") from None


def cards(value: Any, what: str) -> Cards:
    """A list of cards by name."""
    try:
        return tuple(parse_card(needed_text(card, what)) for card in items(value, what))
    except CardError as error:
        raise BadRecord("bad_card", f"{what}: {error}") from None


def board(rows: Sequence[Cards], what: str) -> Cards:
    """The 13 slots of a board from its three rows."""
    slots: list[int] = []
    for name, size, row in zip(ROWS, ROW_SIZES, rows, strict=True):
        if len(row) > size:
            raise BadRecord(
                "row_overfull", f"expected at most {size} cards in the {name} of {what}, got {format_cards(row)}"
            )
        slots += [*row, *[EMPTY] * (size - len(row))]
    return tuple(slots)


def money_text(value: Decimal | None) -> str | None:
    """An amount as we write it."""
    return None if value is None else format_amount(value)

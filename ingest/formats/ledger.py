"""Session ledgers: tables in which people write down what a session brought, without its hands.

A first line names the columns, in one of several languages; what is between them is found out from it. Points and money
are kept apart, and none of it is ever mixed into figures per hand.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from zoneinfo import ZoneInfo

from ingest.chunk import Entries
from ingest.formats import fields
from ingest.formats.dates import day_first, parse_time
from ingest.formats.numbers import NumberStyle, style_of
from ingest.formats.options import ReadOptions
from ingest.hand import LedgerEntry
from ingest.rejects import BadRecord, OnReject, Reject
from ingest.text import Line, LogText, decode

NAME = "ledger"
VERSION = 1
TITLE = "session ledger (CSV)"
HOLDS = "results of sessions, kept apart from hands"
# Columns and the way of writing numbers are found out from the whole file.
RESUMES = False
WRITES = False

SITE = "ledger"
# What columns are called, in lower case and without punctuation.
HEADINGS = {
    "played_at": "date datetime time start started startedat starttime when day datum beginn data inicio início fecha "
    "дата время 日付 日期",
    "site": "site room app platform club klub raum plattform plataforma sala sitio клуб комната サイト",
    "player": "player name nick nickname spieler jogador jugador игрок プレイヤー",
    "rules": "rules game variant type gametype spiel variante jogo juego игра ゲーム",
    "point_value": "stake stakes pointvalue perpoint stakeperpoint tablesize blinds einsatz punktwert aposta apuesta "
    "ставка レート",
    "hands": "hands handsplayed handcount hände haende mãos maos manos рук раздач ハンド",
    "points": "points pts units score kush punkte pontos puntos очки ポイント",
    "net": "net profit result money moneyamount amount winnings won gewinn ergebnis lucro ganhos resultado ganancia "
    "прибыль результат выигрыш 収支",
    "currency": "currency moneycurrency währung waehrung moeda moneda divisa валюта 通貨",
    "rake": "rake fee fees gebühr taxa comisión comision рейк комиссия レーキ",
    "notes": "notes note comment comments remark bemerkung notiz notas observações comentario заметки メモ",
}
_FIELD_OF = {heading: field for field, headings in HEADINGS.items() for heading in headings.split()}
_NUMBERS = ("point_value", "points", "net", "rake")
_MOST_ROWS = 2_000_000
# Lines that a quoted cell may go over.
_MOST_LINES = 20


# Three cards in a row, glued or apart.
_CARDS = re.compile(r"(?<![0-9A-Za-z])(?:(?:10|[2-9TJQKA])[cdhs♣♦♥♠][ ,]?){3}", re.IGNORECASE)


def sniff(head: bytes) -> str:
    """Why this is a ledger, empty if it is none: a table that shows cards holds hands, and wants a mapping."""
    text = decode(head)
    if _CARDS.search(text):
        return ""
    first = next((line for line in text.removeprefix("\ufeff").splitlines() if line.strip()), "")
    try:
        found = set(_columns(_cells(first, _delimiter(first))).values())
    except BadRecord:
        return ""
    if "played_at" in found and found & {"points", "net"}:
        return f"a table with the columns {', '.join(sorted(found))}"
    return ""


def read(text: LogText, on_reject: OnReject, options: ReadOptions) -> Iterator[Entries]:
    """All entries of a ledger."""
    zone = ZoneInfo(options.zone or "UTC")
    lines = _lines(text)
    if not lines:
        return
    header, *lines = lines
    delimiter = _delimiter(header.text)
    names = [name.strip() for name in _cells(header.text, delimiter)]
    columns = _columns(names)
    rows = list(_rows(lines, len(names), delimiter))
    cells = [(columns.get(place), cell) for _, row in rows if isinstance(row, list) for place, cell in enumerate(row)]
    style = style_of(
        (cell for column, cell in cells if column in _NUMBERS),
        # Where semicolons part the columns it is because commas stand in the numbers.
        "," if delimiter == ";" else "." if delimiter == "," else None,
    )
    days = day_first(cell for column, cell in cells if column == "played_at")
    chunk = Entries([], [], text.position)
    for line, row in rows:
        try:
            if isinstance(row, BadRecord):
                raise row
            if len(row) > len(names):
                raise BadRecord("not_readable", f"expected {len(names)} columns, got {len(row)}: {line.text[:80]!r}")
            entry = _entry(row, columns, names, style, zone, days, line.position, options.zone)
        except BadRecord as bad:
            on_reject(Reject(line.position, bad.reason, str(bad), header.raw + b"\n" + line.raw))
            continue
        chunk.entries.append(entry)
        chunk.raw.append(line.raw)
        chunk.end = line.position + len(line.raw) + 1
    if chunk.raw:
        yield chunk


def _lines(text: LogText) -> list[Line]:
    """The lines of a table that say anything."""
    lines = []
    for count, line in enumerate(text.lines()):
        if count > _MOST_ROWS:
            raise BadRecord("not_readable", f"expected at most {_MOST_ROWS} lines in a ledger, got more")
        if line.text.strip(" \t,;"):
            lines.append(line)
    return lines


def _rows(lines: Sequence[Line], columns: int, delimiter: str) -> Iterator[tuple[Line, list[str] | BadRecord]]:
    """Each row with its cells, or with what is wrong with it.

    A quoted cell may hold line ends. A stray quote costs its own line only: what follows is taken into a row where that
    gives a whole one.
    """
    at = 0
    while at < len(lines):
        taken, found = _row_at(lines, at, columns, delimiter)
        raw = b"\n".join(line.raw for line in lines[at : at + taken])
        yield Line(lines[at].position, raw, lines[at + taken - 1].ended), found
        at += taken


def _row_at(lines: Sequence[Line], at: int, columns: int, delimiter: str) -> tuple[int, list[str] | BadRecord]:
    """How many lines the row takes that begins at one of them, and its cells."""
    first: BadRecord | None = None
    for taken in range(1, min(_MOST_LINES, len(lines) - at) + 1):
        whole = "\n".join(line.text for line in lines[at : at + taken])
        try:
            cells = _cells(whole, delimiter)
        except BadRecord as bad:
            first = first or bad
            if whole.count('"') % 2 == 0:
                break
        else:
            if taken == 1 or len(cells) == columns:
                return taken, cells
            break
    assert first is not None
    return 1, first


def _delimiter(header: str) -> str:
    """What parts the columns: what stands most often in the first line."""
    return max("\t;,|", key=header.count)


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader(io.StringIO(line, newline=""), delimiter=delimiter, strict=True), [])
    except csv.Error as error:
        raise BadRecord("not_readable", f"expected a line of a table, got {line[:80]!r}: {error}") from None


def _columns(names: Sequence[str]) -> dict[int, str]:
    """The field that each column holds, by place; the first of several that hold the same."""
    columns: dict[int, str] = {}
    for place, name in enumerate(names):
        plain = "".join(char for char in name.removeprefix("\ufeff").lower() if char.isalnum())
        field = _FIELD_OF.get(plain)
        if field is not None and field not in columns.values():
            columns[place] = field
    return columns


def _entry(
    row: Sequence[str],
    columns: Mapping[int, str],
    names: Sequence[str],
    style: NumberStyle,
    zone: ZoneInfo,
    days: bool | None,
    position: int,
    zone_name: str | None,
) -> LedgerEntry:
    """The entry of one row. Raises BadRecord."""
    cells = {columns[place]: cell.strip() for place, cell in enumerate(row) if place in columns and cell.strip()}
    numbers: dict[str, Decimal] = {}
    currencies = {cells["currency"].upper()} if "currency" in cells else set()
    for name in _NUMBERS:
        if name in cells:
            numbers[name], currency = style.parse(cells[name], name)
            _verify_exact(numbers[name], name, cells[name])
            if currency is not None and name != "points":
                currencies.add(currency)
    if len(currencies) > 1:
        raise BadRecord("bad_number", f"expected amounts in one currency, got {', '.join(sorted(currencies))}")
    if "points" not in numbers and "net" not in numbers:
        raise BadRecord("field_missing", f"expected points or money, got {row!r}")
    extra = {
        names[place] or f"column {place + 1}": cell.strip()
        for place, cell in enumerate(row)
        if place not in columns and cell.strip()
    }
    return LedgerEntry(
        site=cells.get("site", SITE),
        player=cells.get("player"),
        played_at=parse_time(cells["played_at"], zone, days) if "played_at" in cells else None,
        source_zone=zone_name,
        rules=cells.get("rules"),
        currency=next(iter(currencies), None),
        hands=_whole(cells.get("hands"), style),
        notes=cells.get("notes"),
        extra=extra,
        position=position,
        **numbers,
    )


def _verify_exact(value: Decimal, name: str, text: str) -> None:
    """Raise BadRecord for an amount with more digits than the tables hold."""
    decimals = 2 if name == "points" else fields.MOST_DECIMALS
    if abs(value) >= fields.MOST_MONEY or value != round(value, decimals):
        raise BadRecord("bad_number", f"expected {name} with at most 11 and {decimals} digits, got {text!r}")


def _whole(text: str | None, style: NumberStyle) -> int | None:
    if text is None:
        return None
    value, _ = style.parse(text, "hands")
    if value != int(value) or not 0 <= value < 2**31:
        raise BadRecord("bad_number", f"expected hands to be a whole number, got {text!r}")
    return int(value)

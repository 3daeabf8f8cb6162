"""Any table of hands, by a user's description of its columns: CSV, JSON lines or a JSON list, see `mapping`."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import orjson

from ingest.chunk import Hands
from ingest.formats import fields
from ingest.formats.dates import day_first, parse_time
from ingest.formats.json_stream import parse_object
from ingest.formats.mapping import HAND_FIELDS, SEAT_FIELDS, TableMapping
from ingest.formats.numbers import NumberStyle, style_of
from ingest.formats.options import ReadOptions
from ingest.game.board import EMPTY, ROWS
from ingest.game.errors import CardError, OFCError, known
from ingest.hand import CARDS_UNKNOWN, EMPTY_BOARD, Cards, Hand, Seat
from ingest.rejects import BadRecord, OnReject, Reject
from ingest.text import LogText, decode

NAME = "mapped"
VERSION = 1
TITLE = "any table, with a mapping file (--map)"
HOLDS = "whatever its columns hold: boards, points, money"
# Whether commas part decimals is found out from the whole file.
RESUMES = False
WRITES = False

BATCH = 1_000
_TRUE, _FALSE = (
    {"1", "true", "yes", "y", "x", "ja", "sim", "si", "sí", "да"},
    {"0", "false", "no", "n", "", "-", "nein"},
)
_AMOUNTS = ("point_value", "stack", "net", "rake")


def sniff(head: bytes) -> str:
    """Never by itself: the user names the mapping."""
    return ""


@dataclass(frozen=True, slots=True)
class _Row:
    """One row: its cells by column, where it starts, and its text."""

    cells: Mapping[str, str]
    position: int
    raw: bytes


@dataclass
class _Table:
    """A table with what the whole of it tells about its numbers and dates."""

    mapping: TableMapping
    rows: list[_Row] = field(default_factory=list)
    style: NumberStyle = field(default_factory=lambda: NumberStyle(None))
    days_first: bool | None = None

    def look(self) -> None:
        """Find out how numbers and dates are written."""
        maps = [self.mapping.columns, *self.mapping.players]
        numbers = [column for names in maps for name, column in names.items() if name in _AMOUNTS]
        times = [column for name, column in self.mapping.columns.items() if name.endswith("_at")]
        self.style = style_of((row.cells.get(column, "") for row in self.rows for column in numbers), ".")
        self.days_first = day_first(row.cells.get(column, "") for row in self.rows for column in times)


def read(text: LogText, on_reject: OnReject, options: ReadOptions) -> Iterator[Hands]:
    """The hands of a table, BATCH at a time."""
    mapping = options.mapping
    if mapping is None:
        raise OFCError("expected a mapping file (--map) for a table of one's own")
    table = _Table(mapping, list(_rows(text, mapping, on_reject)))
    table.look()
    chunk = Hands([], [], text.position)
    for rows in _by_hand(table):
        raw = b"\n".join(row.raw for row in rows)
        try:
            hand = _hand(rows, table)
        except (BadRecord, CardError) as bad:
            reason = bad.reason if isinstance(bad, BadRecord) else "bad_card"
            on_reject(Reject(rows[0].position, reason, str(bad), raw))
            continue
        chunk.hands.append(hand)
        chunk.raw.append(raw)
        if len(chunk.raw) == BATCH:
            yield chunk
            chunk = Hands([], [], 0)
    if chunk.raw:
        yield chunk


def _rows(text: LogText, mapping: TableMapping, on_reject: OnReject) -> Iterator[_Row]:
    head = text.head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(b"["):
        yield from _json_list(text)
    elif head.startswith(b"{"):
        yield from _json_lines(text, on_reject)
    else:
        yield from _csv_rows(text, mapping, on_reject)


def _json_list(text: LogText) -> Iterator[_Row]:
    try:
        records = orjson.loads(text.whole())
    except orjson.JSONDecodeError as error:
        raise BadRecord("not_readable", f"expected a JSON list, got {error}") from None
    for number, record in enumerate(records):
        if isinstance(record, dict):
            yield _Row(_texts(record), number, orjson.dumps(record))


def _json_lines(text: LogText, on_reject: OnReject) -> Iterator[_Row]:
    for line in text.lines():
        if not line.raw.strip():
            continue
        record = parse_object(line.raw)
        if record is None:
            message = f"expected a line of JSON, got {decode(line.raw[:60])!r}"
            on_reject(Reject(line.position, "not_readable", message, line.raw))
        else:
            yield _Row(_texts(record), line.position, line.raw)


def _texts(record: Mapping[str, Any]) -> dict[str, str]:
    """The values of a JSON object as texts; lists of cards with spaces between them."""
    return {
        key: " ".join(map(str, value)) if isinstance(value, list) else str(value)
        for key, value in record.items()
        if value is not None
    }


def _csv_rows(text: LogText, mapping: TableMapping, on_reject: OnReject) -> Iterator[_Row]:
    lines = (line for line in text.lines() if line.text.strip())
    header = next(lines, None)
    if header is None:
        return
    delimiter = mapping.delimiter or max("\t;,|", key=header.text.count)
    names = [name.strip() for name in _cells(header.text.removeprefix("\ufeff"), delimiter)]
    wanted = {column for columns in (mapping.columns, *mapping.players) for column in columns.values()}
    if not wanted <= set(names):
        raise BadRecord(
            "field_missing", f"expected the columns {known(sorted(wanted - set(names)))}; the table has {known(names)}"
        )
    for line in lines:
        try:
            cells = _cells(line.text, delimiter)
            if len(cells) > len(names):
                raise BadRecord("not_readable", f"expected {len(names)} columns, got {len(cells)}")
        except BadRecord as bad:
            on_reject(Reject(line.position, bad.reason, str(bad), header.raw + b"\n" + line.raw))
        else:
            yield _Row(dict(zip(names, cells, strict=False)), line.position, line.raw)


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader(io.StringIO(line), delimiter=delimiter, strict=True), [])]
    except csv.Error as error:
        raise BadRecord("not_readable", f"expected a line of a table, got {line[:80]!r}: {error}") from None


def _by_hand(table: _Table) -> Iterator[list[_Row]]:
    """The rows of each hand: one, or those with the same hand id, wherever they stand."""
    if table.mapping.row_is_hand:
        for row in table.rows:
            yield [row]
        return
    hands: dict[str, list[_Row]] = {}
    for row in table.rows:
        hands.setdefault(row.cells.get(table.mapping.columns["hand"], ""), []).append(row)
    yield from hands.values()


def _hand(rows: Sequence[_Row], table: _Table) -> Hand:
    """The hand of its rows. Raises BadRecord and CardError."""
    mapping = table.mapping
    facts = _facts(rows[0], mapping.columns, HAND_FIELDS, mapping)
    if mapping.row_is_hand:
        told = [_facts(rows[0], player, SEAT_FIELDS, mapping) for player in mapping.players]
        told = [player for player in told if player.get("player")]
    else:
        told = [_facts(row, mapping.columns, SEAT_FIELDS, mapping) for row in rows]
    if all("order" in player for player in told):
        told.sort(key=lambda player: _number(player["order"], "order", table) or 0)
        unordered = False
    else:
        unordered = True
    currencies = {facts["currency"].upper()} if "currency" in facts else set()
    seats = tuple(_seat(player, table, currencies) for player in told)
    rules = facts.get("rules")
    values = _money(facts, ("point_value", "rake"), table, currencies)
    if len(currencies) > 1:
        raise BadRecord("bad_number", f"expected amounts in one currency, got {known(sorted(currencies))}")
    boards = [seat.board for seat in seats]
    flags = {
        "order_unknown": unordered and not mapping.row_is_hand,
        "unknown_rules": rules is None,
        "results_only": all(board == EMPTY_BOARD for board in boards),
    }
    return Hand(
        site=mapping.site,
        id=facts.get("hand") or None,
        session=facts.get("session"),
        number=_number(facts.get("number"), "number", table),
        seats=seats,
        rules=mapping.rules.get(rules, rules) if rules else None,
        started_at=_time(facts.get("started_at"), table),
        ended_at=_time(facts.get("ended_at"), table),
        source_zone=mapping.zone_name,
        point_value=values["point_value"],
        rake=values["rake"],
        unit=facts.get("unit") or next(iter(currencies), None),
        status="results_only" if flags["results_only"] else "complete",
        flags=tuple(sorted(flag for flag, raised in flags.items() if raised)),
        position=rows[0].position,
    )


def _facts(row: _Row, columns: Mapping[str, str], names: Sequence[str], mapping: TableMapping) -> dict[str, str]:
    """What a row says of the fields `names`; what no column holds comes from the mapping's values."""
    said = {name: row.cells.get(columns[name], "").strip() for name in names if name in columns}
    usual = {name: mapping.values[name] for name in names if name in mapping.values}
    return usual | {name: text for name, text in said.items() if text}


def _seat(facts: Mapping[str, str], table: _Table, currencies: set[str]) -> Seat:
    amounts = _money(facts, ("stack", "net"), table, currencies)
    discards = table.mapping.cards.parse(facts.get("discards", ""))
    fantasyland = _fantasyland(facts.get("fantasyland"), table)
    if fantasyland == CARDS_UNKNOWN and discards:
        fantasyland = 13 + len(discards)
    return Seat(
        player=fields.needed_text(facts.get("player"), "player"),
        chair=_number(facts.get("chair"), "chair", table),
        hero=_truth(facts.get("hero"), "hero") or False,
        stack=amounts["stack"],
        fantasyland=fantasyland or 0,
        board=_board(facts, table.mapping),
        points=_number(facts.get("points"), "points", table),
        net=amounts["net"],
        fouled=_truth(facts.get("fouled"), "fouled"),
        fantasyland_next=_fantasyland(facts.get("fantasyland_next"), table),
    )


def _board(facts: Mapping[str, str], mapping: TableMapping) -> Cards:
    rows = facts["board"].split("/") if "board" in facts else [facts.get(row, "") for row in ROWS]
    if len(rows) != len(ROWS):
        raise BadRecord("bad_card", f"expected three rows with / between them, got {facts['board']!r}")
    if mapping.cards.back_first and "board" in facts:
        rows.reverse()
    board = fields.board([mapping.cards.parse(row) for row in rows], facts.get("player", "a player"))
    return EMPTY_BOARD if all(card == EMPTY for card in board) else board


def _money(
    facts: Mapping[str, str], names: Sequence[str], table: _Table, currencies: set[str]
) -> dict[str, Decimal | None]:
    """Amounts by name; what currencies are glued to them is added to `currencies`."""
    amounts: dict[str, Decimal | None] = {}
    for name in names:
        amounts[name] = None
        if name in facts:
            value, currency = table.style.parse(facts[name], name)
            amounts[name] = fields.amount(format(value, "f"), name)
            currencies |= {currency} if currency else set()
    return amounts


def _number(text: str | None, what: str, table: _Table) -> int | None:
    if text is None:
        return None
    value, _ = table.style.parse(text, what)
    if value != int(value) or abs(value) > 1_000_000_000:
        raise BadRecord("bad_number", f"expected {what} to be a whole number, got {text!r}")
    return int(value)


def _truth(text: str | None, what: str) -> bool | None:
    if text is None:
        return None
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise BadRecord("field_missing", f"expected {what} to be yes or no, got {text!r}")


def _fantasyland(text: str | None, table: _Table) -> int | None:
    """A number of cards; yes: in Fantasyland with an unknown number."""
    if text is None:
        return None
    if text.isdigit() and text not in ("0", "1"):
        return _number(text, "fantasyland", table)
    return CARDS_UNKNOWN if _truth(text, "fantasyland") else 0


def _time(text: str | None, table: _Table) -> datetime | None:
    if text is None:
        return None
    mapping = table.mapping
    if mapping.time_format is None:
        return parse_time(text, mapping.zone, table.days_first)
    try:
        found = datetime.strptime(text, mapping.time_format)
        return (found if found.tzinfo else found.replace(tzinfo=mapping.zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadRecord("bad_time", f"expected a time like {mapping.time_format}, got {text!r}") from None

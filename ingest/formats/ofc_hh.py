"""Our own open format, ``ofc-hh/1``: one hand a line, JSON, UTF-8, ``.ofc.jsonl``; read and written without loss.

Cards are ``As``, ``??`` is unknown; money is a decimal text, times are RFC 3339. Players stand in acting order, the
button last. Fields that are not known here are kept in `extra`, under their path: ``players[0].club``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, TextIO

import orjson

from ingest.chunk import Hands
from ingest.formats import fields
from ingest.formats.json_stream import is_cut_off, parse_object
from ingest.formats.options import ReadOptions
from ingest.game.board import EMPTY, ROW_SLICES, ROWS
from ingest.game.cards import format_card
from ingest.hand import CARDS_UNKNOWN, EMPTY_BOARD, STATUSES, Action, Cards, Hand, Seat
from ingest.rejects import BadRecord, OnReject, Reject
from ingest.text import Line, LogText, decode

NAME = "ofc-hh"
VERSION = 1
TITLE = "ofc-hh/1, our own open format"
HOLDS = "everything, street by street; nothing is lost"
RESUMES = True
WRITES = True

BATCH = 2_000
MARK = "ofc-hh/1"
# How the format names ways of dealing: by game and middle.
GAMES = {
    "classic": ("classic", None),
    "pineapple": ("pineapple", None),
    "pineapple-2-7": ("pineapple", "deuce_to_seven"),
    "chinese": ("chinese", None),
}
_HAND_FIELDS = {
    "v", "site", "id", "session", "hand_no", "game", "rules", "rules_changes", "decks", "middle", "started_at",
    "ended_at", "source_zone", "point_value", "unit", "unit_price", "pair_values", "settlement", "players", "actions",
    "boards", "result", "status", "flags", "extra",
}  # fmt: skip
_PLAYER_FIELDS = {"name", "seat", "hero", "stack", "fantasyland"}
_ACTION_FIELDS = {"player", "street", "dealt", *ROWS, "discard", "auto", "ms"}
_RESULT_FIELDS = {"points", "net", "rake", "fouled", "fantasyland_next"}
_PRICE_FIELDS = {"amount", "currency"}


def sniff(head: bytes) -> str:
    """Why this is ofc-hh, empty if it is not."""
    first = head.lstrip(b"\xef\xbb\xbf \t\r\n").split(b"\n", 1)[0]
    compact = first.replace(b" ", b"")
    return 'lines of JSON with "v": "ofc-hh/..."' if b'"v":"ofc-hh/' in compact else ""


def read(text: LogText, on_reject: OnReject, options: ReadOptions) -> Iterator[Hands]:
    """The hands of a file, BATCH at a time."""
    hands: list[Hand] = []
    raw: list[bytes] = []
    end = text.position
    for line in text.lines():
        if line.raw.strip(b" \t\r\x00\x1a"):
            try:
                hands.append(_read_line(line))
                raw.append(line.raw)
            except BadRecord as bad:
                partial = bad.reason == "cut_off"
                on_reject(Reject(line.position, bad.reason, str(bad), line.raw, "partial" if partial else "rejected"))
                if partial:
                    break
        end = line.position + len(line.raw) + 1
        if len(hands) == BATCH:
            yield Hands(hands, raw, end)
            hands, raw = [], []
    if hands:
        yield Hands(hands, raw, end)


def _read_line(line: Line) -> Hand:
    record = parse_object(line.raw)
    if record is None:
        if not line.ended and is_cut_off(line.raw):
            raise BadRecord("cut_off", "expected the end of a line of JSON, the file ends before it")
        raise BadRecord("not_readable", f"expected a line of JSON, got {decode(line.raw[:60])!r}")
    return hand_of(record, line.position)


def write(hands: Iterable[Hand], out: TextIO) -> int:
    """Write hands, one a line; how many."""
    count = 0
    for hand in hands:
        out.write(format_hand(hand) + "\n")
        count += 1
    return count


def parse_hand(line: str) -> Hand:
    """The hand of one line. Raises BadRecord."""
    return _read_line(Line(0, line.encode(), True))


def hand_of(record: Mapping[str, Any], position: int = 0) -> Hand:
    """The hand of one JSON object. Raises BadRecord."""
    version = fields.text(record.get("v"), "v")
    if version != MARK:
        raise BadRecord("unknown_version", f'expected "v": "{MARK}", got {version!r}')
    extra = dict(fields.mapping(record.get("extra"), "extra"))
    extra |= {key: value for key, value in record.items() if key not in _HAND_FIELDS}
    zone = fields.text(record.get("source_zone"), "source_zone")
    game, middle = _game(record)
    price = fields.mapping(record.get("unit_price"), "unit_price")
    result = fields.mapping(record.get("result"), "result")
    for part, known, where in ((price, _PRICE_FIELDS, "unit_price"), (result, _RESULT_FIELDS, "result")):
        extra |= {f"{where}.{key}": value for key, value in part.items() if key not in known}
    status = fields.text(record.get("status"), "status") or "complete"
    if status not in STATUSES:
        raise BadRecord("field_missing", f"expected status to be one of {', '.join(STATUSES)}, got {status!r}")
    return Hand(
        site=fields.needed_text(record.get("site"), "site"),
        seats=_seats(record, result, extra),
        id=fields.text(record.get("id"), "id"),
        session=fields.text(record.get("session"), "session"),
        number=fields.number(record.get("hand_no"), "hand_no"),
        game=game,
        rules=fields.text(record.get("rules"), "rules"),
        rules_changes=fields.mapping(record.get("rules_changes"), "rules_changes"),
        decks=fields.number(record.get("decks"), "decks", 1, 2),
        middle=middle,
        started_at=fields.time(record.get("started_at"), "started_at", zone),
        ended_at=fields.time(record.get("ended_at"), "ended_at", zone),
        source_zone=zone,
        point_value=fields.amount(record.get("point_value", "1"), "point_value"),
        unit=fields.text(record.get("unit"), "unit"),
        unit_price=fields.amount(price.get("amount"), "unit_price.amount"),
        unit_currency=fields.text(price.get("currency"), "unit_price.currency"),
        pair_values=tuple(_pair_value(pair) for pair in fields.items(record.get("pair_values"), "pair_values")),
        settlement=fields.text(record.get("settlement"), "settlement"),
        rake=fields.amount(result.get("rake"), "result.rake"),
        actions=tuple(
            _action(action, number, extra)
            for number, action in enumerate(fields.items(record.get("actions"), "actions"))
        ),
        status=status,
        flags=tuple(sorted({fields.needed_text(flag, "flags") for flag in fields.items(record.get("flags"), "flags")})),
        extra=extra,
        position=position,
    )


def _game(record: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The way of dealing, and the middle where it is named apart or with the game."""
    label = fields.text(record.get("game"), "game")
    if label is not None and label not in GAMES:
        raise BadRecord("field_missing", f"expected game to be one of {', '.join(GAMES)}, got {label!r}")
    game, middle = GAMES[label] if label else (None, None)
    named = fields.text(record.get("middle"), "middle")
    if named not in (None, "high", "deuce_to_seven"):
        raise BadRecord("field_missing", f"expected middle to be high or deuce_to_seven, got {named!r}")
    return game, named or middle


def _seats(record: Mapping[str, Any], result: Mapping[str, Any], extra: dict[str, Any]) -> tuple[Seat, ...]:
    players = [fields.mapping(player, "players") for player in fields.items(record.get("players"), "players")]
    boards = fields.items(record.get("boards"), "boards")
    claims = {name: fields.items(result.get(name), f"result.{name}") for name in _RESULT_FIELDS - {"rake"}}
    for name, values in (("boards", boards), *claims.items()):
        if values and len(values) != len(players):
            raise BadRecord("bad_seats", f"expected {len(players)} {name}, one a player, got {len(values)}")
    seats = []
    for number, player in enumerate(players):
        extra |= {f"players[{number}].{key}": value for key, value in player.items() if key not in _PLAYER_FIELDS}
        claim = {name: values[number] if values else None for name, values in claims.items()}
        seats.append(
            Seat(
                player=fields.needed_text(player.get("name"), "players.name"),
                chair=fields.number(player.get("seat"), "players.seat", -(2**15), 2**15 - 1),
                hero=fields.truth(player.get("hero"), "players.hero") or False,
                stack=fields.amount(player.get("stack"), "players.stack"),
                fantasyland=_fantasyland(player.get("fantasyland"), "players.fantasyland") or 0,
                board=_board(boards[number], number, extra) if boards else EMPTY_BOARD,
                points=fields.number(claim["points"], "result.points", -1_000_000, 1_000_000),
                net=fields.amount(claim["net"], "result.net"),
                fouled=fields.truth(claim["fouled"], "result.fouled"),
                fantasyland_next=_fantasyland(claim["fantasyland_next"], "result.fantasyland_next"),
            )
        )
    return tuple(seats)


def _fantasyland(value: Any, what: str) -> int | None:
    """Cards in Fantasyland; true: in it with an unknown number."""
    if value is True:
        return CARDS_UNKNOWN
    return 0 if value is False else fields.number(value, what, 0, 100)


def _board(value: Any, seat: int, extra: dict[str, Any]) -> Cards:
    rows = fields.mapping(value, "boards")
    extra |= {f"boards[{seat}].{key}": row for key, row in rows.items() if key not in ROWS}
    return fields.board([fields.cards(rows.get(row), f"boards.{row}") for row in ROWS], f"player {seat}")


def _pair_value(value: Any) -> tuple[int, int, Any]:
    pair = fields.items(value, "pair_values")
    if len(pair) != 3:
        raise BadRecord("field_missing", f'expected pair_values such as [0, 1, "10"], got {value!r}')
    first, second = (fields.number(seat, "pair_values", 0, 7) for seat in pair[:2])
    worth = fields.amount(pair[2], "pair_values")
    if first is None or second is None or worth is None or first == second:
        raise BadRecord("field_missing", f'expected pair_values such as [0, 1, "10"], got {value!r}')
    return first, second, worth


def _action(value: Any, number: int, extra: dict[str, Any]) -> Action:
    action = fields.mapping(value, "actions")
    extra |= {f"actions[{number}].{key}": field for key, field in action.items() if key not in _ACTION_FIELDS}
    seat = fields.number(action.get("player"), "actions.player", 0, 7)
    street = fields.number(action.get("street"), "actions.street", 0, 20)
    if seat is None or street is None:
        raise BadRecord("field_missing", f"expected player and street of action {number}, got {value!r}")
    lists = {name: fields.cards(action.get(name), f"actions.{name}") for name in ("dealt", *ROWS, "discard")}
    return Action(
        seat=seat,
        street=street,
        auto=fields.truth(action.get("auto"), "actions.auto"),
        ms=fields.number(action.get("ms"), "actions.ms", 0),
        **lists,
    )


def format_hand(hand: Hand) -> str:
    """One line of ofc-hh/1, without its end."""
    return orjson.dumps(record_of(hand)).decode()


def record_of(hand: Hand) -> dict[str, Any]:
    """The JSON object of a hand."""
    game, middle = hand.game, hand.middle
    if (game, middle) == ("pineapple", "deuce_to_seven"):
        game, middle = "pineapple-2-7", None
    seats = hand.seats
    record: dict[str, Any] = {
        "v": MARK,
        "site": hand.site,
        "id": hand.id,
        "session": hand.session,
        "hand_no": hand.number,
        "game": game,
        "rules": hand.rules,
        "rules_changes": hand.rules_changes,
        "decks": hand.decks,
        "middle": middle,
        "started_at": _time_text(hand.started_at),
        "ended_at": _time_text(hand.ended_at),
        "source_zone": hand.source_zone,
        "point_value": fields.money_text(hand.point_value),
        "unit": hand.unit,
        "unit_price": {"amount": fields.money_text(hand.unit_price), "currency": hand.unit_currency},
        "pair_values": [[a, b, fields.money_text(value)] for a, b, value in hand.pair_values],
        "settlement": hand.settlement,
        "players": [_player_record(seat) for seat in seats],
        "actions": [_action_record(action) for action in hand.actions],
        "boards": [_board_record(seat.board) for seat in seats if any(s.board != EMPTY_BOARD for s in seats)],
        "result": {
            "points": [seat.points for seat in seats],
            "net": [fields.money_text(seat.net) for seat in seats],
            "rake": fields.money_text(hand.rake),
            "fouled": [seat.fouled for seat in seats],
            "fantasyland_next": [_fantasyland_field(seat.fantasyland_next) for seat in seats],
        },
        "status": hand.status,
        "flags": list(hand.flags),
    }
    # Where a middle is named with the game, or not at all, the field would only puzzle.
    for name in ("decks", "middle"):
        if record[name] is None:
            del record[name]
    extra = dict(hand.extra)
    if "source" in extra:
        record["source"] = extra.pop("source")
    if extra:
        record["extra"] = extra
    return record


def _time_text(time: datetime | None) -> str | None:
    return None if time is None else time.isoformat().replace("+00:00", "Z")


def _player_record(seat: Seat) -> dict[str, Any]:
    return {
        "name": seat.player,
        "seat": seat.chair,
        "hero": seat.hero,
        "stack": fields.money_text(seat.stack),
        "fantasyland": _fantasyland_field(seat.fantasyland),
    }


def _fantasyland_field(cards: int | None) -> int | bool | None:
    return True if cards == CARDS_UNKNOWN else cards


def _action_record(action: Action) -> dict[str, Any]:
    record: dict[str, Any] = {"player": action.seat, "street": action.street}
    for name in ("dealt", *ROWS, "discard"):
        if getattr(action, name):
            record[name] = [format_card(card) for card in getattr(action, name)]
    for name in ("auto", "ms"):
        if getattr(action, name) is not None:
            record[name] = getattr(action, name)
    return record


def _board_record(board: Cards) -> dict[str, list[str]]:
    return {name: [format_card(card) for card in board[part] if card != EMPTY] for name, part in ROW_SLICES.items()}

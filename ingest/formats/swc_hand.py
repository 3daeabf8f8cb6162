"""SwC hands as a tracker writes them beside its captures: ``hand_<id>.json``, one object a hand.

The game's label says what was played, the category does not. Tens are written ``10s``, empty slots ``--``; amounts
are JSON numbers in thousandths of a bitcoin.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from ingest.chunk import Hands
from ingest.formats import fields
from ingest.formats.json_stream import read_objects
from ingest.formats.options import ReadOptions
from ingest.formats.swc import Glimpse, Player, Rows, Table, hand_of, needed_number, settled_points
from ingest.hand import Cards, Hand
from ingest.rejects import BadRecord, OnReject, Reject
from ingest.text import LogText

NAME = "swc-hand"
VERSION = 1
TITLE = "SwC hand_ID.json"
HOLDS = "boards, streets as far as seen, points, stacks"
RESUMES = True
WRITES = False

BATCH = 200
_ROWS = ("top", "middle", "bottom")
_EMPTY = {"--", ""}
_MARKER = "ofc_rounds"


def sniff(head: bytes) -> str:
    """Why this is an SwC hand, empty if it is none."""
    begins = head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    known = b'"ofc_rounds"' in head or (b'"SealsWithClubs"' in head and b'"game_type"' in head and b'"steps"' in head)
    return 'an object with "ofc_rounds" or SwC\'s "game_type" and "steps"' if begins and known else ""


def read(text: LogText, on_reject: OnReject, options: ReadOptions) -> Iterator[Hands]:
    """The hands of a file, nearly always one."""
    chunk = Hands([], [], text.position)
    for record in read_objects(text.blocks(), text.position, _MARKER, on_reject):
        try:
            hand = _hand(record.data, record.position)
        except BadRecord as bad:
            outcome = "skipped" if bad.reason == "other_game" else "rejected"
            on_reject(Reject(record.position, bad.reason, str(bad), record.raw, outcome))
            continue
        chunk.hands.append(hand)
        chunk.raw.append(record.raw)
        chunk.end = record.position + len(record.raw)
        if len(chunk.raw) == BATCH:
            yield chunk
            chunk = Hands([], [], chunk.end)
    if chunk.raw:
        yield chunk


def _hand(data: Mapping[str, Any], position: int) -> Hand:
    game = fields.mapping(data.get("game"), "game")
    if game.get("base", "ofc") != "ofc" or _MARKER not in data:
        raise BadRecord("other_game", f"expected a hand of open-face, got {data.get('game_type')!r}")
    players = [_player(fields.mapping(player, "players")) for player in fields.items(data.get("players"), "players")]
    steps = [fields.mapping(step, "steps") for step in fields.items(data.get("steps"), "steps")]
    for step in steps:
        _see(step, players)
    showdown = fields.mapping(data.get("showdown"), "showdown")
    points = fields.mapping(showdown.get("points_settled"), "points_settled")
    rows = fields.mapping(showdown.get("rows"), "rows")
    for player in players:
        player.points = settled_points(points, player.name)
        texts = [str(text) for text in fields.mapping(rows.get(player.name), "rows").values()]
        player.fouled = any(text.upper() == "FOUL" for text in texts) if texts else None
    unit = fields.mapping(data.get("gametype"), "gametype").get("currency")
    extra = {"timestamp_is": "capture"} if data.get("timestamp") else {}
    return hand_of(
        Table(
            id=str(needed_number(data.get("hand_id"), "hand_id")),
            game=fields.text(data.get("game_type"), "game_type"),
            table=None if data.get("table_id") is None else str(data["table_id"]),
            dealer=fields.number(data.get("dealer_idx"), "dealer_idx"),
            time=fields.time(data.get("timestamp"), "timestamp", "UTC"),
            players=players,
            settled=bool(points),
            unit=fields.text(unit, "currency"),
            position=position,
            extra=extra,
        )
    )


def _player(player: Mapping[str, Any]) -> Player:
    return Player(
        name=fields.needed_text(player.get("name"), "players.name"),
        chair=needed_number(player.get("seat_idx"), "players.seat_idx"),
        stack=_amount(player.get("starting_stack"), "starting_stack"),
    )


def _amount(value: Any, what: str) -> Decimal | None:
    """An amount out of a JSON number, which may carry the dust of binary fractions."""
    return fields.amount(round(value, fields.MOST_DECIMALS) if isinstance(value, float) else value, what)


def _see(step: Mapping[str, Any], players: list[Player]) -> None:
    """Add one snapshot to the players."""
    placed = fields.mapping(step.get("placed"), "placed")
    stacks = fields.mapping(step.get("stacks"), "stacks")
    for player in players:
        seen = fields.mapping(placed.get(player.name), "placed")
        front, middle, back = (_cards(seen.get(row), row) for row in _ROWS)
        rows: Rows = (front, middle, back)
        player.glimpses.append(Glimpse(rows, _cards(seen.get("active"), "active")))
        if player.name in stacks:
            player.final_stack = _amount(stacks[player.name], "stacks")


def _cards(value: Any, what: str) -> Cards:
    return fields.cards([card for card in fields.items(value, what) if card not in _EMPTY], what)

"""Event logs of poker-arena: JSON lines, a header ``{"hand", "seats"}`` and then events ``{"hand", "ev"}``.

Seat 0 is the button and acts last. The log does not say what was played: the file's name does, or the user. Hand
numbers begin again with each run, so hands have no id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from ingest.chunk import Hands
from ingest.formats import fields
from ingest.formats.json_stream import is_cut_off, parse_object
from ingest.formats.options import ReadOptions
from ingest.game.cards import UNKNOWN
from ingest.hand import Action, Cards, Hand, Seat
from ingest.rejects import BadRecord, OnReject, Reject
from ingest.text import Line, LogText, decode

NAME = "poker-arena"
VERSION = 1
TITLE = "poker-arena event log"
HOLDS = "boards, discards, streets, points; the game from the file's name or --game"
RESUMES = True
WRITES = False

BATCH = 500
SITE = "poker-arena"
# What the file names of this program stand for.
RULES = {
    "ofc-pineapple": "pineapple-strict-stay",
    "ofc-progressive": "pineapple-refant-14",
    "ofc-27": "pineapple-2-7",
    "ofc": "classic",
}
_ROWS = {"top": "front", "middle": "middle", "bottom": "back"}
_NAME = re.compile(r"(?<![a-z])(ofc-pineapple|ofc-progressive|ofc-27|ofc)(?![a-z0-9-])")


def sniff(head: bytes) -> str:
    """Why this is a poker-arena log, empty if it is none."""
    begins = head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    return 'lines of JSON with "seats" and "ev"' if begins and b'"seats"' in head and b'"ev"' in head else ""


def read(text: LogText, on_reject: OnReject, options: ReadOptions) -> Iterator[Hands]:
    """The hands of a log, BATCH at a time."""
    rules = options.game or _rules_of(text.name)
    chunk = Hands([], [], text.position)
    for events in _events_by_hand(text, on_reject):
        try:
            hand = _hand(events, RULES.get(rules, rules) if rules else None)
        except BadRecord as bad:
            partial = bad.reason == "cut_off"
            on_reject(
                Reject(events.position, bad.reason, str(bad), events.text(), "partial" if partial else "rejected")
            )
            continue
        chunk.hands.append(hand)
        chunk.raw.append(events.text())
        chunk.end = events.end
        if len(chunk.raw) == BATCH:
            yield chunk
            chunk = Hands([], [], chunk.end)
    if chunk.raw:
        yield chunk


def _rules_of(name: str) -> str | None:
    """The game that a file's name names."""
    found = _NAME.search(PurePath(name).name.lower().replace("_", " "))
    return found[1] if found else None


@dataclass
class _Events:
    """The lines of one hand."""

    position: int
    number: Any
    names: list[Any]
    events: list[dict[str, Any]] = field(default_factory=list)
    lines: list[bytes] = field(default_factory=list)
    end: int = 0
    last: bool = False

    def text(self) -> bytes:
        return b"\n".join(self.lines)

    def add(self, line: Line) -> None:
        self.lines.append(line.raw)
        self.end = line.position + len(line.raw) + 1


def _events_by_hand(text: LogText, on_reject: OnReject) -> Iterator[_Events]:
    """The events of each hand; lines that are no JSON are rejected, unknown ones passed over."""
    current: _Events | None = None
    for line in text.lines():
        if not line.raw.strip():
            continue
        record = parse_object(line.raw)
        if record is None:
            cut = not line.ended and is_cut_off(line.raw)
            if cut and current is not None:
                break
            message = f"expected a line of JSON, got {decode(line.raw[:60])!r}"
            on_reject(
                Reject(
                    line.position,
                    "cut_off" if cut else "not_readable",
                    message,
                    line.raw,
                    "partial" if cut else "rejected",
                )
            )
            continue
        if isinstance(record.get("seats"), list):
            if current is not None:
                yield current
            current = _Events(line.position, record.get("hand"), record["seats"])
            current.add(line)
        elif current is not None and isinstance(record.get("ev"), dict) and record.get("hand") == current.number:
            current.events.append(record["ev"])
            current.add(line)
    if current is not None:
        current.last = True
        yield current


@dataclass
class _Player:
    """What the events say of one player."""

    dealt: list[tuple[Cards, int]] = field(default_factory=list)
    streets: int = 0
    actions: list[Action] = field(default_factory=list)
    board: Cards | None = None
    fantasyland: int = 0
    points: int | None = None
    fouled: bool | None = None
    next: int | None = None


def _hand(events: _Events, rules: str | None) -> Hand:
    """The hand of its events. Raises BadRecord."""
    names = [fields.needed_text(name, "seats") for name in events.names]
    count = len(names)
    players = [_Player() for _ in names]
    order: list[Action] = []
    for event in events.events:
        seat = fields.number(event.get("seat"), "seat", 0, max(count - 1, 0))
        if seat is None:
            continue
        # Seat 1 acts first, the button (seat 0) last.
        _apply(event, players[seat], (seat - 1) % count, order)
    over = count > 0 and all(player.points is not None and player.board is not None for player in players)
    if events.last and not over:
        raise BadRecord("cut_off", f"expected the scores of {count} players, the file ends before them")
    acting = [*range(1, count), 0] if count else []
    hidden = any(UNKNOWN in action.discard for action in order)
    flags = [] if rules else ["unknown_rules"]
    return Hand(
        site=SITE,
        seats=tuple(_seat(names[seat], seat, players[seat]) for seat in acting),
        number=fields.number(events.number, "hand"),
        game=_game(order) if rules is None else None,
        rules=rules,
        actions=tuple(order),
        status="complete" if over else "partial",
        flags=tuple(sorted([*flags, *(["no_discards"] if hidden else [])])),
        position=events.position,
    )


def _seat(name: str, chair: int, player: _Player) -> Seat:
    return Seat(
        player=name,
        chair=chair,
        fantasyland=player.fantasyland,
        board=player.board or _board_of(player.actions),
        points=player.points,
        fouled=player.fouled,
        fantasyland_next=player.next,
    )


def _apply(event: dict[str, Any], player: _Player, seat: int, order: list[Action]) -> None:
    """Add one event to what is known of a player; events of other kinds are passed over."""
    kind = event.get("event")
    if kind == "fantasyland":
        player.fantasyland = fields.number(event.get("cards"), "fantasyland.cards", 0, 100) or 0
    elif kind == "deal":
        player.dealt.append((fields.cards(event.get("cards"), "deal.cards"), _count(event, "deal")))
    elif kind == "place":
        action = _action(event, player, seat)
        player.streets += 1
        if action is not None:
            player.actions.append(action)
            order.append(action)
    elif kind == "showdown":
        rows = [fields.cards(event.get(row), row) for row in _ROWS]
        player.board = fields.board(rows, f"seat {event.get('seat')}")
        player.fouled = fields.truth(event.get("fouled"), "fouled")
        player.next = fields.number(event.get("next_fantasyland"), "next_fantasyland", 0, 100) or 0
    elif kind == "score":
        player.points = fields.number(event.get("points"), "points", -1_000_000, 1_000_000)


def _count(event: dict[str, Any], what: str) -> int:
    return fields.number(event.get("count"), f"{what}.count", 0, 100) or 0


def _action(event: dict[str, Any], player: _Player, seat: int) -> Action | None:
    """What was done with the cards dealt last; None where the log hides it. A bot's own log hides others' cards."""
    rows: dict[str, list[int]] = {row: [] for row in _ROWS.values()}
    for placement in fields.items(event.get("placements"), "placements"):
        placed = fields.mapping(placement, "placements")
        row = _ROWS.get(str(placed.get("row")))
        if row is None:
            raise BadRecord("field_missing", f"expected row top, middle or bottom, got {placed.get('row')!r}")
        rows[row] += fields.cards([placed.get("card")], "placements.card")
    discarded = fields.cards(event.get("discarded"), "discarded") or (UNKNOWN,) * _count(event, "place")
    street = player.streets
    dealt, count = player.dealt[street] if street < len(player.dealt) else ((), 0)
    placed_cards = [card for row in rows.values() for card in row]
    if not placed_cards:
        return None
    if not dealt:
        dealt = (*placed_cards, *discarded, *[UNKNOWN] * (count - len(placed_cards) - len(discarded)))
    front, middle, back = (tuple(row) for row in rows.values())
    return Action(seat, street, dealt, front, middle, back, discarded)


def _board_of(actions: list[Action]) -> Cards:
    rows = [tuple(card for action in actions for card in getattr(action, row)) for row in _ROWS.values()]
    return fields.board(rows, "a player")


def _game(actions: list[Action]) -> str | None:
    """How the cards were dealt, from the second street of anyone."""
    sizes = {len(action.dealt) for action in actions if action.street > 0}
    return "pineapple" if 3 in sizes else "classic" if 1 in sizes else None

"""Raw captures of SwC Poker: lines of JSON, each with a frame of the connection, some of which are GameStates.

A frame is ``42/poker/,["proxy-message","{...}"]`` with the message as JSON inside a JSON text. A GameState shows one
table; those of one hand carry the same `gi`. Amounts are whole hundredths, card ids are rank * 4 + suit with suits
c d h s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

import orjson

from ingest.chunk import Hands
from ingest.formats import fields
from ingest.formats.json_stream import is_cut_off, parse_object
from ingest.formats.options import ReadOptions
from ingest.formats.swc import Glimpse, Player, Rows, Table, hand_of, needed_number
from ingest.game.cards import CARD_COUNT
from ingest.hand import Cards, Hand
from ingest.rejects import BadRecord, OnReject, Reject
from ingest.text import Line, LogText, decode

NAME = "swc-raw"
VERSION = 1
TITLE = "SwC raw GameState capture"
HOLDS = "boards, streets as far as seen, points, stacks"
# A hand's states may lie among those of other tables, so reading begins at the start of the file.
RESUMES = False
WRITES = False

BATCH = 200
GAMES = {
    70: "OFC",
    73: "Turbo OFC",
    74: "OFC/P",
    75: "OFC/P Progressive",
    76: "OFC/P 2-7",
    77: "OFC/P Variant",
    84: "OFC Variant",
}
_CARDS = re.compile(r"((?:\d{1,2}(?:;\d{1,2})*)?)-(\d)-(\d)-(\d)")
_HUNDREDTH = Decimal("0.01")


def sniff(head: bytes) -> str:
    """Why this is a raw capture, empty if it is none."""
    begins = head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    return (
        'lines of JSON with "proxy-message" or "gameState"'
        if begins and (b"proxy-message" in head or b"gameState" in head)
        else ""
    )


@dataclass
class _States:
    """The states of one hand, and the lines that they came on."""

    position: int
    states: list[dict[str, Any]] = field(default_factory=list)
    lines: list[bytes] = field(default_factory=list)
    time: datetime | None = None

    @property
    def settled(self) -> bool:
        """Whether the last state is after the showdown."""
        return self.states[-1].get("ts") == 0


def read(text: LogText, on_reject: OnReject, options: ReadOptions) -> Iterator[Hands]:
    """The hands of a capture, in the order in which they began."""
    hands: dict[Any, _States] = {}
    current: dict[Any, Any] = {}
    chunk = Hands([], [], text.position)
    for line in text.lines():
        state, time = _state(line, on_reject)
        if state is None:
            continue
        table, name = state.get("ti"), state.get("gi")
        states = hands.setdefault(name, _States(line.position, time=time))
        states.states.append(state)
        states.lines.append(line.raw)
        if current.setdefault(table, name) != name:
            # The table plays its next hand, so the one before is over.
            _finish(hands.pop(current[table], None), chunk, on_reject, at_end=False)
            current[table] = name
        if len(chunk.raw) >= BATCH:
            yield chunk
            chunk = Hands([], [], chunk.end)
    for states in hands.values():
        _finish(states, chunk, on_reject, at_end=True)
    if chunk.raw:
        yield chunk


def _finish(states: _States | None, chunk: Hands, on_reject: OnReject, *, at_end: bool) -> None:
    """Make a hand of its states, or say why not."""
    if states is None:
        return
    raw = b"\n".join(states.lines)
    if at_end and not states.settled:
        message = "expected a state after the showdown, the file ends before it"
        on_reject(Reject(states.position, "cut_off", message, raw, "partial"))
        return
    try:
        hand = _hand(states)
    except BadRecord as bad:
        outcome = "skipped" if bad.reason == "other_game" else "rejected"
        on_reject(Reject(states.position, bad.reason, str(bad), raw, outcome))
        return
    chunk.hands.append(hand)
    chunk.raw.append(raw)


def _state(line: Line, on_reject: OnReject) -> tuple[dict[str, Any] | None, datetime | None]:
    """The GameState on a line, if there is one, and when it was captured."""
    if not line.raw.strip():
        return None, None
    record = parse_object(line.raw)
    if record is None:
        cut = not line.ended and is_cut_off(line.raw)
        message = f"expected a line of JSON, got {decode(line.raw[:60])!r}"
        on_reject(
            Reject(
                line.position, "cut_off" if cut else "not_readable", message, line.raw, "partial" if cut else "rejected"
            )
        )
        return None, None
    try:
        time = fields.time(record.get("captured_at"), "captured_at", "UTC")
    except BadRecord:
        time = None
    state = record.get("gameState") or _message(record.get("payload")).get("gameState")
    return (
        (state, time)
        if isinstance(state, dict) and "gi" in state and isinstance(state.get("s"), list)
        else (None, time)
    )


def _message(payload: Any) -> dict[str, Any]:
    """The message inside a frame, empty if it is of another kind."""
    if isinstance(payload, dict):
        return payload
    if not isinstance(payload, str) or "[" not in payload:
        return {}
    try:
        frame = orjson.loads(payload[payload.index("[") :])
        message = frame[1] if isinstance(frame, list) and len(frame) > 1 else None
        message = orjson.loads(message) if isinstance(message, str) else message
    except orjson.JSONDecodeError:
        return {}
    return message if isinstance(message, dict) else {}


def _hand(states: _States) -> Hand:
    """The hand that its states tell of. Raises BadRecord."""
    first, last = states.states[0], states.states[-1]
    code = fields.number(first.get("gt"), "gt")
    if code not in GAMES:
        raise BadRecord("other_game", f"expected a game of open-face (gt {', '.join(map(str, GAMES))}), got {code!r}")
    names = [fields.mapping(seat, "s").get("n") for seat in first["s"]]
    players = [
        Player(fields.needed_text(name, "s.n"), chair, stack=_money(first["s"][chair].get("c")))
        for chair, name in enumerate(names)
        if name
    ]
    for state in states.states:
        _see(state, players)
    texts = _row_texts(last)
    for player in players:
        seat = fields.mapping(last["s"][player.chair], "s")
        player.final_stack = _money(seat.get("c"))
        player.points = fields.number(seat.get("p"), "s.p", -1_000_000, 1_000_000)
        rows = texts[3 * player.chair : 3 * player.chair + 3]
        player.fouled = any(text.upper() == "FOUL" for text in rows) if len(rows) == 3 else None
    dealer = fields.mapping(first.get("m"), "m").get("di")
    return hand_of(
        Table(
            id=str(needed_number(first.get("gi"), "gi")),
            game=GAMES[code],
            table=None if first.get("ti") is None else str(first["ti"]),
            dealer=fields.number(dealer, "m.di"),
            time=states.time,
            players=players,
            settled=states.settled,
            unit=None,
            position=states.position,
            extra={"timestamp_is": "capture"} if states.time else {},
        )
    )


def _money(value: Any) -> Decimal | None:
    cents = fields.number(value, "c", 0, 2**53)
    return None if cents is None else cents * _HUNDREDTH


def _see(state: Mapping[str, Any], players: list[Player]) -> None:
    """Add one state to the players; a seat that another player has taken shows nothing of this hand."""
    for player in players:
        seat = fields.mapping(state["s"][player.chair], "s") if player.chair < len(state["s"]) else {}
        if seat.get("n") == player.name and seat.get("d"):
            player.glimpses.append(_glimpse(fields.needed_text(seat["d"], "s.d")))
        else:
            player.glimpses.append(player.glimpses[-1] if player.glimpses else Glimpse(((), (), ())))


def _glimpse(text: str) -> Glimpse:
    """``43;29;30;44;45;42;8;23-1-2-2``: cards of front, middle, back and hand, and how many lie in each row."""
    found = _CARDS.fullmatch(text)
    if found is None:
        raise BadRecord("bad_card", f"expected cards such as 43;29;30-1-1-1, got {text!r}")
    cards: Cards = tuple(int(card) for card in found[1].split(";")) if found[1] else ()
    if any(card >= CARD_COUNT for card in cards):
        raise BadRecord("bad_card", f"expected card ids 0 to 51, got {text!r}")
    front, middle, back = (int(found[group]) for group in (2, 3, 4))
    if front + middle + back > len(cards):
        raise BadRecord("bad_card", f"expected at least as many cards as lie in the rows, got {text!r}")
    rows: Rows = (cards[:front], cards[front : front + middle], cards[front + middle : front + middle + back])
    return Glimpse(rows, cards[front + middle + back :])


def _row_texts(state: Mapping[str, Any]) -> list[str]:
    """The names of the rows at the showdown, three a seat; empty where the state has none."""
    texts = fields.mapping(state.get("ss"), "ss").get("hc")
    return [text or "FOUL" for text in texts.split("\t")] if isinstance(texts, str) and texts else []

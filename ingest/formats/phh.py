"""Hands in the manner of PHH, the poker hand history format of TOML files (``.phhs``: many hands): written only.

PHH has no code for open-face, nor an action for placing cards. The codes and the action ``pl`` are ours, which each
file says at its top; fields that begin with an underscore are PHH's own way for additions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from ingest.formats.fields import money_text
from ingest.game.board import EMPTY, ROW_SLICES
from ingest.game.cards import format_card
from ingest.hand import Cards, Hand

NAME = "phh"
TITLE = "in the manner of PHH (.phhs)"
HOLDS = "hands street by street, points, money"

_NOTE = """\
# Open-face hands in the manner of PHH. Not valid PHH: the standard has no variant code for open-face and no action for
# placing cards. "pl" places cards in the rows t (front), m (middle), b (back); the codes OFC, OFCP, OFCPP, OFC27 and
# OFCC are proposals.
"""
_CODES = {"classic": "OFC", "pineapple": "OFCP", "chinese": "OFCC"}
_ROW_LETTERS = {"front": "t", "middle": "m", "back": "b"}


def write(hands: Iterable[Hand], out: TextIO) -> int:
    """Write hands as numbered tables; how many."""
    out.write(_NOTE)
    count = 0
    for count, hand in enumerate(hands, start=1):
        out.write(f"\n[{count}]\n")
        for name, value in _fields(hand):
            out.write(f"{name} = {value}\n")
    return count


def _fields(hand: Hand) -> Iterable[tuple[str, str]]:
    yield "variant", _text(_code(hand))
    yield "players", _list(_text(seat.player) for seat in hand.seats)
    if hand.id is not None:
        yield "hand", _text(hand.id)
    yield "venue", _text(hand.site)
    time = hand.ended_at or hand.started_at
    if time is not None:
        yield "time_zone", _text("UTC")
        yield "day", str(time.day)
        yield "month", str(time.month)
        yield "year", str(time.year)
        yield "time", time.strftime("%H:%M:%S")
    yield "actions", "[\n" + "".join(f"  {_text(action)},\n" for action in _actions(hand)) + "]"
    yield "_ofc_boards", _list(_text(_board(seat.board)) for seat in hand.seats)
    yield "_ofc_fl_cards", _list(str(seat.fantasyland) for seat in hand.seats)
    if all(seat.points is not None for seat in hand.seats):
        yield "_ofc_points", _list(str(seat.points) for seat in hand.seats)
    if all(seat.net is not None for seat in hand.seats):
        yield "_ofc_net", _list(_text(money_text(seat.net) or "0") for seat in hand.seats)
    if hand.point_value is not None:
        yield "_ofc_point_value", _text(money_text(hand.point_value) or "0")
    if hand.rules is not None:
        yield "_ofc_rules", _text(hand.rules)


def _code(hand: Hand) -> str:
    game = hand.game or (hand.rules or "").split("-")[0]
    if game == "pineapple" and (hand.middle == "deuce_to_seven" or "2-7" in (hand.rules or "")):
        return "OFC27"
    progressive = any(name in (hand.rules or "") for name in ("progressive", "ultimate", "refant"))
    return "OFCPP" if game == "pineapple" and progressive else _CODES.get(game, "OFC")


def _actions(hand: Hand) -> Iterable[str]:
    for action in hand.actions:
        player = f"p{action.seat + 1}"
        if action.dealt:
            yield f"d dh {player} {_cards(action.dealt)}"
        placed = [
            f"{letter}:{_cards(getattr(action, row))}" for row, letter in _ROW_LETTERS.items() if getattr(action, row)
        ]
        if placed:
            yield f"{player} pl {' '.join(placed)}"
        if action.discard:
            yield f"{player} sd {_cards(action.discard)}"


def _board(board: Cards) -> str:
    return "/".join(_cards(tuple(card for card in board[part] if card != EMPTY)) for part in ROW_SLICES.values())


def _cards(cards: Cards) -> str:
    return "".join(format_card(card) for card in cards)


def _list(values: Iterable[str]) -> str:
    return f"[{', '.join(values)}]"


def _text(text: str) -> str:
    """A TOML string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return (
        '"' + "".join(char if ord(char) >= 32 and ord(char) != 127 else f"\\u{ord(char):04x}" for char in escaped) + '"'
    )

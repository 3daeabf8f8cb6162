"""Hands written as collector logs: what a club app's collector would have written of them.

The format knows only some sites and rule sets, no classic streets of one card, and no stacks; hands that do not fit are
refused. Times are written to the second.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TextIO

from ingest.batch import json_text
from ingest.formats.fields import money_text
from ingest.game.board import EMPTY, ROW_SLICES
from ingest.game.cards import CARD_COUNT, CARD_NAMES
from ingest.game.errors import OFCError
from ingest.hand import Action, Hand

_FANTASYLAND_STREET = 0


def write_hands(hands: Iterable[Hand], out: TextIO, apps: dict[str, str], rules: dict[str, str]) -> int:
    """Write hands one behind the other; how many. `apps` and `rules` are the format's names by ours."""
    count = 0
    for hand in hands:
        out.write(json.dumps(_record(hand, apps, rules), indent=4, ensure_ascii=False) + "\n\n\n")
        count += 1
    return count


def _record(hand: Hand, apps: dict[str, str], rules: dict[str, str]) -> dict[str, Any]:
    if hand.id is None or hand.status not in ("complete", "cancelled"):
        raise OFCError(f"expected a finished hand with an id, got {hand.id!r} ({hand.status})")
    record: dict[str, Any] = {
        "stakes": _number(money_text(hand.point_value)),
        "handData": {hand.id: [_player(hand, seat) for seat in range(len(hand.seats))]},
    }
    if hand.site in apps:
        record["appName"] = apps[hand.site]
    if hand.unit_price is not None:
        record["price"] = f"{money_text(hand.unit_price)}{hand.unit_currency or ''}"
    record |= {
        "joined": any(seat.hero for seat in hand.seats),
        "clubId": str(hand.extra.get("clubId", "0")),
        "rules": rules.get(str(json_text([hand.rules, hand.rules_changes])), hand.rules),
    }
    if hand.ended_at is not None:
        record["endDateTime"] = hand.ended_at.strftime("%Y-%m-%d %H:%M:%S")
    return record | {"roomId": hand.session or "0"}


def _number(text: str | None) -> int | float | None:
    """An amount as the log writes it: a whole number where it is one."""
    if text is None:
        return None
    return float(text) if "." in text else int(text)


def _player(hand: Hand, number: int) -> dict[str, Any]:
    seat = hand.seats[number]
    actions = [action for action in hand.actions if action.seat == number]
    streets = _streets(actions)
    rows = []
    for part in ROW_SLICES.values():
        cards = [card for card in seat.board[part] if card != EMPTY]
        rows.append(" ".join(f"{_name(card)}{streets.get(card, 0)}" for card in cards))
    player: dict[str, Any] = {"inFantasy": seat.fantasyland != 0}
    if seat.points is not None:
        player["result"] = seat.points
    player |= {
        "playerName": seat.player,
        "orderIndex": number,
        "hero": seat.hero,
        "dead": _dead(actions, seat.fantasyland != 0),
        "rows": "/".join(rows),
    }
    if seat.net is not None:
        player["win"] = _number(money_text(seat.net))
    return player | {"playerId": seat.player}


def _streets(actions: list[Action]) -> dict[int, int]:
    """The street on which each card was placed."""
    return {card: action.street for action in actions for card in (*action.front, *action.middle, *action.back)}


def _dead(actions: list[Action], fantasyland: bool) -> str:
    thrown = [(card, action.street) for action in actions for card in action.discard if card < CARD_COUNT]
    if fantasyland:
        thrown = [(card, number) for number, (card, _) in enumerate(thrown)]
    return " ".join(f"{_name(card)}{street}" for card, street in thrown)


def _name(card: int) -> str:
    if card >= len(CARD_NAMES):
        raise OFCError("expected known cards: a collector log has no way to write an unknown one")
    return CARD_NAMES[card]

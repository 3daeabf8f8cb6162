"""Hands of SwC Poker from snapshots of the table: streets are found again by counting cards.

Two programs write such snapshots down, see `swc_hand` and `swc_raw`. A snapshot shows the rows of every player and, for
the log's owner, the cards that he holds and has not placed. Snapshots may be missed; then the cards of a street that
cannot be told apart stand on the board only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from itertools import pairwise
from typing import Any

from ingest.formats import fields
from ingest.game.board import EMPTY
from ingest.game.cards import UNKNOWN
from ingest.hand import CARDS_UNKNOWN, EMPTY_BOARD, Action, Cards, Hand, Seat
from ingest.rejects import BadRecord

SITE = "swc"
# What the names of the games stand for; the two "Variant" games are not known.
RULES = {
    "ofc": "classic",
    "turbo ofc": "classic",
    "ofc/p": "pineapple",
    "ofc/p progressive": "pineapple-progressive",
    "ofc/p 2-7": "pineapple-2-7",
}
# Cards on a board after each street.
_BOUNDS = {"classic": (5, 6, 7, 8, 9, 10, 11, 12, 13), "pineapple": (5, 7, 9, 11, 13)}
_FULL_BOARD = 13
_MOST_HELD = 5

Rows = tuple[Cards, Cards, Cards]


@dataclass(frozen=True, slots=True)
class Glimpse:
    """One player in one snapshot: front, middle and back, and the cards in his hand."""

    rows: Rows
    held: Cards = ()

    @property
    def placed(self) -> int:
        """Cards in the rows."""
        return sum(map(len, self.rows))


@dataclass
class Player:
    """One player of a hand with all glimpses of him, in the order of the snapshots."""

    name: str
    chair: int
    stack: Decimal | None = None
    final_stack: Decimal | None = None
    points: int | None = None
    fouled: bool | None = None
    glimpses: list[Glimpse] = field(default_factory=list)


@dataclass
class Table:
    """A hand as snapshots tell it. `settled`: the last snapshot is after the showdown."""

    id: str
    game: str | None
    table: str | None
    dealer: int | None
    time: datetime | None
    players: list[Player]
    settled: bool
    unit: str | None
    position: int
    extra: dict[str, Any] = field(default_factory=dict)


def hand_of(table: Table) -> Hand:
    """The hand that snapshots tell of. Raises BadRecord."""
    players = _in_acting_order(table)
    rules = RULES.get((table.game or "").lower())
    game = None if rules is None else rules.split("-")[0]
    streets = [_streets(player, number, game or "pineapple", players) for number, player in enumerate(players)]
    boards = [_board(player) for player in players]
    point_value = _point_value(players) if table.settled else None
    seats = tuple(
        Seat(
            player=player.name,
            chair=player.chair,
            hero=_is_hero(player, players),
            stack=player.stack,
            fantasyland=_fantasyland(player, players),
            board=board,
            points=player.points if table.settled else None,
            fouled=player.fouled if table.settled else None,
            net=_net(player, players) if table.settled else None,
        )
        for player, board in zip(players, boards, strict=True)
    )
    actions = tuple(sorted((action for told in streets for action in told), key=lambda a: (a.street, a.seat)))
    flags = {
        "unknown_rules": rules is None,
        "no_discards": any(UNKNOWN in action.discard for action in actions),
        "streets_missing": _has_gaps(boards, actions),
        "stake_inferred": point_value is not None,
        "order_unknown": table.dealer is None,
    }
    return Hand(
        site=SITE,
        id=table.id,
        session=table.table,
        seats=seats,
        rules=rules,
        started_at=table.time,
        source_zone="UTC" if table.time else None,
        point_value=point_value,
        unit=table.unit,
        actions=actions,
        status=_status(table, boards),
        flags=tuple(sorted(flag for flag, raised in flags.items() if raised)),
        extra=table.extra | ({"game_type": table.game} if rules is None and table.game else {}),
        position=table.position,
    )


def _status(table: Table, boards: Sequence[Cards]) -> str:
    if not table.settled:
        return "partial"
    return "complete" if any(board != EMPTY_BOARD for board in boards) else "results_only"


def _in_acting_order(table: Table) -> list[Player]:
    """Players from the left of the button to the button."""
    players = sorted(table.players, key=lambda player: player.chair)
    if table.dealer is None:
        return players
    return [player for player in players if player.chair > table.dealer] + [
        player for player in players if player.chair <= table.dealer
    ]


def _board(player: Player) -> Cards:
    return fields.board(player.glimpses[-1].rows, player.name) if player.glimpses else EMPTY_BOARD


def _is_hero(player: Player, players: Sequence[Player]) -> bool:
    """The only one whose held cards are ever seen is the log's owner."""
    seen = [other for other in players if any(glimpse.held for glimpse in other.glimpses)]
    return seen == [player]


def _fantasyland(player: Player, players: Sequence[Player]) -> int:
    """Cards dealt in Fantasyland, 0 outside it: nobody else holds more than the five cards of the first street."""
    if any(len(glimpse.held) > _MOST_HELD for glimpse in player.glimpses):
        return max(len(glimpse.held) + glimpse.placed for glimpse in player.glimpses)
    counts = [glimpse.placed for glimpse in player.glimpses]
    # From an empty board to a full one while somebody else was still on his way.
    for place, (before, after) in enumerate(pairwise(counts), start=1):
        others = [other.glimpses[place].placed for other in players if other is not player]
        if before == 0 and after == _FULL_BOARD and any(0 < count < _FULL_BOARD for count in others):
            return CARDS_UNKNOWN
    return 0


def _streets(player: Player, seat: int, game: str, players: Sequence[Player]) -> list[Action]:
    """The streets that can be told apart: those at whose two ends the board was seen."""
    if _fantasyland(player, players):
        return _fantasyland_street(player, seat)
    bounds = _BOUNDS[game]
    actions: list[Action] = []
    before: Rows = ((), (), ())
    held: list[int] = []
    for glimpse in player.glimpses:
        count = glimpse.placed
        if count not in bounds or count == sum(map(len, before)):
            held += [card for card in glimpse.held if card not in held]
            continue
        street = bounds.index(count)
        last = bounds[street - 1] if street else 0
        if sum(map(len, before)) == last:
            actions.append(_action(seat, street, before, glimpse.rows, held, game))
        # What he holds now belongs to the next street, but for a card that he is about to throw away.
        before, held = glimpse.rows, [card for card in glimpse.held if card not in held]
    return actions


def _fantasyland_street(player: Player, seat: int) -> list[Action]:
    full = [glimpse for glimpse in player.glimpses if glimpse.placed == _FULL_BOARD]
    if not full:
        return []
    rows = full[-1].rows
    placed = [card for row in rows for card in row]
    held = dict.fromkeys(card for glimpse in player.glimpses for card in glimpse.held)
    thrown = tuple(card for card in held if card not in placed)
    return [Action(seat, 0, (*placed, *thrown), *rows, thrown)]


def _action(seat: int, street: int, before: Rows, after: Rows, held: Sequence[int], game: str) -> Action:
    front, middle, back = (
        tuple(card for card in row if card not in earlier) for row, earlier in zip(after, before, strict=True)
    )
    placed = (*front, *middle, *back)
    thrown = tuple(card for card in held if card not in placed)
    if street and game == "pineapple" and len(thrown) != 1:
        thrown = (UNKNOWN,)
    return Action(seat, street, (*placed, *thrown), front, middle, back, thrown)


def _has_gaps(boards: Sequence[Cards], actions: Sequence[Action]) -> bool:
    """Whether some cards stand on a board of which no street tells."""
    told = sum(len(action.front) + len(action.middle) + len(action.back) for action in actions)
    return told < sum(len(board) - board.count(EMPTY) for board in boards)


def _net(player: Player, players: Sequence[Player]) -> Decimal | None:
    """What a player won, by his stack; None where no stack moved: a match is settled at its end."""
    changes = [_change(other) for other in players]
    return _change(player) if None not in changes and any(changes) else None


def _change(player: Player) -> Decimal | None:
    if player.stack is None or player.final_stack is None:
        return None
    return player.final_stack - player.stack


def _point_value(players: Sequence[Player]) -> Decimal | None:
    """The stake, where every loser paid the same for a point."""
    values = set()
    for player in players:
        net = _net(player, players)
        if net is None or player.points is None:
            return None
        if player.points < 0:
            values.add(net / player.points)
    [value] = values if len(values) == 1 else {None}
    return value if value is not None and value > 0 and value == round(value, 6) else None


def settled_points(points: Mapping[str, Any], name: str) -> int | None:
    """Points of a player out of a table of names."""
    return fields.number(points.get(name), "points", -1_000_000, 1_000_000)


def needed_number(value: Any, what: str) -> int:
    """A whole number that is there."""
    found = fields.number(value, what)
    if found is None:
        raise BadRecord("field_missing", f"expected {what}, got nothing")
    return found

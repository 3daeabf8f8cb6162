"""Several records of one hand as one: two heroes' views are united; where records contradict each other, one story is
preferred and the hand is flagged. All records are kept beside it.

The outcome depends on the set of records alone, not on the order in which they came.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from ingest.game.board import EMPTY, ROW_SLICES
from ingest.game.cards import UNKNOWN
from ingest.hand import CARDS_UNKNOWN, Action, Cards, Hand, Seat

_ROWS = tuple(ROW_SLICES.values())
_STATUS_ORDER = ("complete", "cancelled", "partial", "results_only")
# Fields that only one record may know; where two know different things about them, the first record is believed.
_FILLED = (
    "session", "number", "game", "rules", "decks", "middle", "source_zone", "point_value", "unit", "unit_price",
    "unit_currency", "settlement", "rake",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class View:
    """One record of a hand and the hash of what it says."""

    key: int
    hand: Hand


def merge_views(views: Iterable[View]) -> Hand:
    """The hand that records tell of, flagged where they are several or contradict each other.

    Of contradicting stories the one that most records tell is preferred, then the one that knows most.
    """
    stories: list[tuple[Hand, int]] = []
    for view in sorted(views, key=_preference):
        for number, (told, records) in enumerate(stories):
            if not contradicts(told, view.hand):
                stories[number] = (unite(told, view.hand), records + 1)
                break
        else:
            stories.append((view.hand, 1))
    hand, records = max(stories, key=lambda story: story[1])
    flags = {*hand.flags, *(["contradicting_views"] if len(stories) > 1 else ["merged_views"] if records > 1 else [])}
    return replace(hand, flags=tuple(sorted(flags)))


def _preference(view: View) -> tuple[int, int, int]:
    """Complete hands first, then those that know most."""
    known = sum(card < UNKNOWN - 1 for seat in view.hand.seats for card in seat.board)
    known += sum(card < UNKNOWN - 1 for action in view.hand.actions for card in action.discard)
    return _STATUS_ORDER.index(view.hand.status), -known, view.key


def contradicts(a: Hand, b: Hand) -> bool:
    """Whether two records cannot both be true of one hand."""
    if [seat.player for seat in a.seats] != [seat.player for seat in b.seats]:
        return True
    pairs = list(zip(a.seats, b.seats, strict=True))
    over = a.status == b.status == "complete"
    if any(_seats_contradict(x, y) or (over and _length(x) != _length(y)) for x, y in pairs):
        return True
    others = {(action.seat, action.street): action for action in b.actions}
    return any(
        _actions_contradict(action, others[action.seat, action.street])
        for action in a.actions
        if (action.seat, action.street) in others
    )


def _seats_contradict(a: Seat, b: Seat) -> bool:
    if (a.fantasyland != 0) != (b.fantasyland != 0) or _differ(a.fantasyland, b.fantasyland, CARDS_UNKNOWN):
        return True
    stated = ((a.points, b.points), (a.net, b.net), (a.fouled, b.fouled), (a.stack, b.stack))
    if any(x is not None and y is not None and x != y for x, y in stated):
        return True
    return any(not _may_be_same(a.board[row], b.board[row]) for row in _ROWS)


def _length(seat: Seat) -> int:
    """Cards on a board, known or not."""
    return len(seat.board) - seat.board.count(EMPTY)


def _actions_contradict(a: Action, b: Action) -> bool:
    if a.discard and b.discard and not _may_be_same(a.discard, b.discard):
        return True
    # A discard that is not there may be hidden; a row that got no card got none.
    placed = ((a.front, b.front), (a.middle, b.middle), (a.back, b.back))
    return any(len(x) != len(y) or not _may_be_same(x, y) for x, y in placed)


def _differ(a: int, b: int, unknown: int) -> bool:
    return unknown not in (a, b) and a != b


def _may_be_same(a: Cards, b: Cards) -> bool:
    """Whether two lists of cards can be the same cards, where some of either are not known or not there yet."""
    left, right = _known(a), _known(b)
    only_a, only_b = _minus(left, right), _minus(right, left)
    return len(only_a) <= len(b) - len(right) and len(only_b) <= len(a) - len(left)


def _known(cards: Cards) -> list[int]:
    return [card for card in cards if card not in (UNKNOWN, EMPTY)]


def _minus(cards: list[int], others: list[int]) -> list[int]:
    left = list(others)
    rest = []
    for card in cards:
        if card in left:
            left.remove(card)
        else:
            rest.append(card)
    return rest


def unite(a: Hand, b: Hand) -> Hand:
    """One hand that knows what either record knows; where they differ in small things, `a` is believed."""
    seats = tuple(_unite_seats(x, y) for x, y in zip(a.seats, b.seats, strict=True))
    actions = _unite_actions(a.actions, b.actions)
    flags = set(a.flags) | set(b.flags)
    if any(seat.hero for seat in seats):
        flags.discard("observer")
    if "no_discards" in flags and not _has_hidden_discards(seats, actions):
        flags.discard("no_discards")
    if "unknown_rules" in flags and (a.rules or b.rules):
        flags.discard("unknown_rules")
    filled = {name: _first(getattr(a, name), getattr(b, name)) for name in _FILLED}
    rules_changes = a.rules_changes if a.rules else b.rules_changes
    return replace(
        a,
        **filled,
        seats=seats,
        actions=actions,
        rules_changes=rules_changes,
        pair_values=a.pair_values or b.pair_values,
        started_at=_earlier(a.started_at, b.started_at),
        ended_at=_earlier(a.ended_at, b.ended_at),
        flags=tuple(sorted(flags)),
        extra={**b.extra, **a.extra},
    )


def _first(a: Any, b: Any) -> Any:
    return b if a is None else a


def _earlier(a: Any, b: Any) -> Any:
    return min(a, b) if a is not None and b is not None else _first(a, b)


def _unite_seats(a: Seat, b: Seat) -> Seat:
    filled = {field.name: _first(getattr(a, field.name), getattr(b, field.name)) for field in fields(Seat)}
    filled["hero"] = a.hero or b.hero
    filled["fantasyland"] = b.fantasyland if a.fantasyland == CARDS_UNKNOWN else a.fantasyland
    if a.fantasyland_next == CARDS_UNKNOWN and b.fantasyland_next:
        filled["fantasyland_next"] = b.fantasyland_next
    filled["board"] = tuple(card for row in _ROWS for card in _unite_cards(a.board[row], b.board[row]))
    return Seat(**filled)


def _unite_cards(a: Cards, b: Cards) -> Cards:
    """`a` with its unknown or empty places filled from what only `b` knows."""
    news = iter(_minus(_known(b), _known(a)))
    united = [next(news, card) if card in (UNKNOWN, EMPTY) else card for card in a]
    return (*united, *(news if len(b) > len(a) else ()))


def _unite_actions(a: Sequence[Action], b: Sequence[Action]) -> tuple[Action, ...]:
    """The actions of `a`, with cards that only `b` knows; then streets that only `b` has, in their place."""
    others = {(action.seat, action.street): action for action in b}
    united = []
    for action in a:
        other = others.pop((action.seat, action.street), None)
        united.append(action if other is None else _unite_action(action, other))
    if not others:
        return tuple(united)
    order = {(action.seat, action.street): place for place, action in enumerate([*a, *b])}
    united += others.values()
    return tuple(sorted(united, key=lambda action: (action.street, order[action.seat, action.street])))


def _unite_action(a: Action, b: Action) -> Action:
    filled: dict[str, Any] = {
        name: _unite_cards(getattr(a, name), getattr(b, name))
        for name in ("front", "middle", "back", "discard", "dealt")
    }
    return replace(a, **filled, auto=_first(a.auto, b.auto), ms=_first(a.ms, b.ms))


def _has_hidden_discards(seats: Sequence[Seat], actions: Sequence[Action]) -> bool:
    if any(UNKNOWN in action.discard for action in actions):
        return True
    return any(seat.fantasyland == CARDS_UNKNOWN for seat in seats)

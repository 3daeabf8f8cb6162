"""Hands for hypothesis: any that the tables can hold, dealt from one deck, with names that bite."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from ingest.game.board import EMPTY
from ingest.game.cards import CARD_COUNT
from ingest.hand import CARDS_UNKNOWN, STATUSES, Action, Hand, Seat

NAMES = st.one_of(
    st.sampled_from(
        ["Ann", "player: b", "a, b", "x/y", "<script>alert(1)</script>", "🦭 ♠", "zwölf", '"q"', "a\tb", "}{"]
    ),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12),
)
MONEY = st.decimals(-(10**9), 10**9, places=6, allow_nan=False, allow_infinity=False)
TIMES = st.datetimes(datetime(2005, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC))
_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_KEYS = st.text("abcxyz", min_size=1, max_size=4)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3),
    max_leaves=6,
)
_STREETS = (5, 7, 9, 11, 13)


def _maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


@st.composite
def seats_and_actions(draw: st.DrawFn, players: int) -> tuple[tuple[Seat, ...], tuple[Action, ...]]:
    """Players with boards from one deck, some of them incomplete, and what they did on each street."""
    deck = draw(st.permutations(range(CARD_COUNT)))
    seats, actions = [], []
    for number in range(players):
        cards, thrown = deck[17 * number : 17 * number + 13], deck[17 * number + 13 : 17 * number + 17]
        slots = draw(st.permutations(range(13)))
        streets = draw(st.integers(0, 5)) if draw(st.integers(0, 3)) == 0 else 5
        placed = 0 if streets == 0 else _STREETS[streets - 1]
        street_of = {slot: next(s for s, end in enumerate(_STREETS) if place < end) for place, slot in enumerate(slots)}
        by_row: dict[tuple[int, int], list[int]] = {}
        rows: list[list[int]] = [[], [], []]
        for place, slot in enumerate(slots[:placed]):
            row = 0 if slot < 3 else 1 if slot < 8 else 2
            rows[row].append(cards[place])
            by_row.setdefault((street_of[slot], row), []).append(cards[place])
        board = tuple(
            card for row, size in zip(rows, (3, 5, 5), strict=True) for card in (*row, *[EMPTY] * (size - len(row)))
        )
        for street in range(streets):
            front, middle, back = (tuple(by_row.get((street, row), ())) for row in range(3))
            discard = () if street == 0 else (thrown[street - 1],)
            dealt = (*front, *middle, *back, *discard)
            auto, ms = draw(_maybe(st.booleans())), draw(_maybe(st.integers(0, 10**6)))
            actions.append(Action(number, street, dealt, front, middle, back, discard, auto, ms))
        seats.append(
            Seat(
                player=f"{draw(NAMES)}{number}",
                chair=draw(_maybe(st.integers(0, 9))),
                hero=draw(st.booleans()),
                stack=draw(_maybe(MONEY)),
                board=board,
                points=draw(_maybe(st.integers(-300, 300))),
                net=draw(_maybe(MONEY)),
                fouled=draw(_maybe(st.booleans())),
                fantasyland_next=draw(_maybe(st.sampled_from([0, 13, 17, CARDS_UNKNOWN]))),
            )
        )
    actions.sort(key=lambda action: (action.street, action.seat))
    return tuple(seats), tuple(actions)


@st.composite
def hands(draw: st.DrawFn) -> Hand:
    """Any hand."""
    players = draw(st.integers(2, 3))
    seats, actions = draw(seats_and_actions(players))
    texts = _maybe(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=10))
    times = draw(st.tuples(_maybe(TIMES), _maybe(TIMES)))
    return Hand(
        site=draw(st.sampled_from(["pppoker", "home game", "x"])),
        seats=seats,
        id=draw(texts),
        session=draw(texts),
        number=draw(_maybe(st.integers(0, 10**6))),
        game=draw(st.sampled_from([None, "pineapple"])),
        rules=draw(st.sampled_from([None, "pineapple", "pineapple-ultimate", "no such rules"])),
        rules_changes=draw(st.sampled_from([{}, {"points": {"scoop": 0}}, {"fantasyland": {"button_moves": True}}])),
        decks=draw(st.sampled_from([None, 1, 2])),
        middle=draw(st.sampled_from([None, "high", "deuce_to_seven"])),
        started_at=times[0],
        ended_at=times[1],
        source_zone=draw(st.sampled_from([None, "UTC", "Europe/Berlin"])),
        point_value=draw(_maybe(st.decimals(0, 1000, places=2))),
        unit=draw(st.sampled_from([None, "chip", "mBTC"])),
        unit_price=draw(_maybe(st.decimals(0, 100, places=2))),
        unit_currency=draw(st.sampled_from([None, "USD"])),
        pair_values=draw(st.sampled_from([(), ((0, 1, Decimal("2.5")),)])),
        settlement=draw(st.sampled_from([None, "points", "table_stakes"])),
        rake=draw(_maybe(MONEY)),
        actions=actions,
        status=draw(st.sampled_from([*STATUSES[:3], "complete", "complete"])),
        flags=tuple(sorted(draw(st.sets(st.sampled_from(["observer", "no_discards", "order_unknown"]))))),
        extra=draw(st.dictionaries(st.text("abcxyz.", min_size=1, max_size=5), JSON, max_size=3)),
    )

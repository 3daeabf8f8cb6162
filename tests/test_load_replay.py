"""The replay: every sound hand passes, and each thing that cannot be is found and said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.batch import batch_of
from ingest.game.board import EMPTY
from ingest.game.cards import UNKNOWN, parse_cards
from ingest.hand import Action, Hand, Seat
from ingest.replay import GAMES, reason_of, replay
from tests.hand_strategies import hands


def faults(*some: Hand, decks: int = 1) -> list[tuple[str, str] | None]:
    """What the replay says about each hand, None for nothing."""
    games = np.array([GAMES.get(hand.game or "", 0) for hand in some], np.uint8)
    found = replay(batch_of(some), games, np.full(len(some), decks, np.uint8))
    return [reason_of(found, number) if found.codes[number] else None for number in range(len(some))]


@settings(max_examples=80, deadline=None)
@given(st.lists(hands(), min_size=1, max_size=3))
def test_what_can_be_dealt_passes(some: list[Hand]) -> None:
    sound = [replace(hand, status="complete" if _is_over(hand) else "partial") for hand in some]
    assert faults(*sound) == [None] * len(some)


def _is_over(hand: Hand) -> bool:
    return all(EMPTY not in seat.board for seat in hand.seats)


def cards(text: str) -> tuple[int, ...]:
    return tuple(parse_cards(text))


BOARDS = ("KhKd5s 9c9h4d4sJc QsQd7hQh7c", "As8c6d 5h5dTc2sTh JsJd3c3dJh")
# Front, middle, back and discard of each street.
STREETS = (
    ("/9c9h/QsQd7h/", "Kh//Qh/2c", "/4d4s//8d", "Kd//7c/Ts", "5s/Jc//3h"),
    ("As/5h5d/JsJd/", "/Tc/3c/2d", "//3dJh/9s", "8c/2s//Kc", "6d/Th//4h"),
)


def actions(seat: int) -> list[Action]:
    told = []
    for street, rows in enumerate(STREETS[seat]):
        front, middle, back, discard = map(cards, rows.split("/"))
        told.append(Action(seat, street, (*front, *middle, *back, *discard), front, middle, back, discard))
    return told


def hand(**changes: object) -> Hand:
    seats = tuple(Seat(f"p{number}", board=cards(board)) for number, board in enumerate(BOARDS))
    told = tuple(sorted([*actions(0), *actions(1)], key=lambda action: action.street))
    return replace(Hand(site="x", game="pineapple", seats=seats, actions=told), **changes)  # type: ignore[arg-type]


def with_seat(number: int = 0, **changes: object) -> Hand:
    seats = list(hand().seats)
    seats[number] = replace(seats[number], **changes)  # type: ignore[arg-type]
    return hand(seats=tuple(seats))


def with_action(place: int, **changes: object) -> Hand:
    told = list(hand().actions)
    told[place] = replace(told[place], **changes)  # type: ignore[arg-type]
    return hand(actions=tuple(told))


def test_the_example_passes_and_so_does_what_is_hidden_or_missing() -> None:
    hidden = with_action(2, dealt=(*cards("KhQh"), UNKNOWN), discard=(UNKNOWN,))
    fine = [
        hand(),
        hidden,
        hand(game=None),
        hand(actions=hand().actions[:4]),  # later streets were not seen
        with_action(2, dealt=()),
        hand(
            status="partial",
            actions=(replace(hand().actions[0], dealt=(*cards("9c9hQsQd7h"), 47)), *hand().actions[1:]),
        ),
        hand(seats=(replace(hand().seats[0], board=(UNKNOWN,) * 13), hand().seats[1])),
        hand(
            seats=tuple(replace(seat, board=(EMPTY,) * 13) for seat in hand().seats), actions=(), status="results_only"
        ),
    ]
    assert faults(*fine) == [None] * len(fine)


@pytest.mark.parametrize(
    ("bad", "reason", "says"),
    [
        (lambda: with_seat(board=cards("KhKd5s 9c9h4d4sJc QsQd7hQh7c")[:-1] + cards("As")), "card_twice", "As again"),
        (lambda: with_action(2, discard=cards("As"), dealt=cards("KhQhAs")), "card_twice", "As again"),
        (lambda: with_action(2, discard=cards("4h"), dealt=cards("KhQh4h")), "card_twice", "4h again"),
        (lambda: with_seat(board=(99, *hand().seats[0].board[1:])), "bad_card", "99"),
        (lambda: hand(seats=hand().seats[:1], actions=()), "bad_seats", "got 1"),
        (lambda: hand(seats=tuple(Seat(str(n)) for n in range(4)), actions=()), "bad_seats", "got 4"),
        (lambda: hand(game=None, seats=tuple(Seat(str(n)) for n in range(9)), actions=()), "bad_seats", "got 9"),
        (lambda: with_action(3, seat=2), "bad_seats", "got 2"),
        (lambda: with_action(2, street=0), "bad_street", "street 0 late or twice"),
        (lambda: with_action(8, street=5), "bad_street", "street 5"),
        (lambda: with_action(2, dealt=cards("KhQhAc")), "bad_street", "player 0"),
        (lambda: with_action(2, dealt=cards("KhQh2cAc")), "bad_street", "placed or thrown away"),
        (lambda: with_action(2, dealt=cards("KhQh2cAc"), discard=cards("2cAc")), "bad_street", "street 1"),
        (lambda: hand(game="classic"), "bad_street", "street 1"),
        (lambda: hand(game="chinese"), "bad_street", "street 0"),
        (lambda: with_action(2, front=cards("Ac"), dealt=cards("AcQh2c")), "board_differs", "Ac is not there"),
        (lambda: with_action(2, front=(), middle=cards("Kh")), "board_differs", "Kh is not there"),
        (lambda: with_seat(fantasyland=12), "bad_fantasyland", "got 12"),
        (lambda: with_seat(fantasyland=18), "bad_fantasyland", "got 18"),
        (lambda: _fantasyland(14, "2c8d"), "bad_fantasyland", "got 15"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_found(bad: Callable[[], Hand], reason: str, says: str) -> None:
    before, found, after = faults(hand(), bad(), hand())
    assert (before, after) == (None, None)
    assert found is not None
    assert found[0] == reason
    assert says in found[1]
    assert found[1].startswith("expected")


def _fantasyland(size: int, thrown: str) -> Hand:
    front, middle, back = map(cards, BOARDS[0].split())
    told = Action(0, 0, cards(BOARDS[0].replace(" ", "") + thrown), front, middle, back, cards(thrown))
    seats = (replace(hand().seats[0], fantasyland=size), hand().seats[1])
    return hand(seats=seats, actions=(told, *actions(1)))


def test_fantasyland_of_every_size_and_of_an_unknown_one() -> None:
    sizes = [(14, "2c"), (15, "2c8d"), (16, "2c8dTs"), (17, "2c8dTs3h"), (-1, ""), (-1, "2c8d"), (16, "")]
    assert faults(*(_fantasyland(size, thrown) for size, thrown in sizes)) == [None] * len(sizes)


def test_two_decks_hold_every_card_twice() -> None:
    twice = hand(seats=(hand().seats[0], replace(hand().seats[0], player="other")), actions=())
    assert faults(twice)[0] is not None
    assert faults(twice, decks=2) == [None]

"""Cards and boards: every name of the table round trips, and what is no card is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.game.board import EMPTY, board_rows, format_board, is_complete, make_board, parse_board
from ingest.game.cards import CARD_NAMES, UNKNOWN, format_card, format_cards, parse_card, parse_cards
from ingest.game.errors import CardError


def test_every_card_has_its_name() -> None:
    assert [parse_card(name) for name in CARD_NAMES] == list(range(54))
    assert [format_card(card) for card in range(54)] == list(CARD_NAMES)
    assert parse_card("2c") == 0
    assert parse_card("As") == 51
    assert parse_card("Td") == 8 * 4 + 1
    assert parse_card("??") == UNKNOWN


@pytest.mark.parametrize("text", ["10h", "Th", "th", "TH", "T♥", " 10♥ ", "10♥\ufe0f", "T♡"])
def test_spellings_of_one_card(text: str) -> None:
    assert format_card(parse_card(text)) == "Th"


@pytest.mark.parametrize("text", ["", "1h", "A", "Ahh", "xx", "11c", "Kx"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(CardError, match="expected a card"):
        parse_card(text)


@given(st.lists(st.integers(0, 53), max_size=13), st.sampled_from(["", " ", ", "]))
def test_cards_glued_or_apart(cards: list[int], between: str) -> None:
    assert parse_cards(between.join(map(format_card, cards))) == cards
    assert parse_cards(format_cards(cards)) == cards


def test_boards_front_first_or_back_first() -> None:
    front_first = parse_board("Kh Kd 5s / 9c 9h 4d 4s Jc / Qs Qd 7h Qh 7c")
    back_first = parse_board("QsQd7hQh7c/9c9h4d4sJc/KhKd5s")
    assert (front_first == back_first).all()
    assert format_board(front_first) == "Kh Kd 5s / 9c 9h 4d 4s Jc / Qs Qd 7h Qh 7c"


def test_an_incomplete_board_keeps_its_rows() -> None:
    board = parse_board("Kh / 9c 9h / Qs Qd 7h Qh")
    assert board_rows(board) == ([46], [28, 30], [43, 41, 22, 42])
    assert (board == EMPTY).sum() == 6
    assert not is_complete(board[None])[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Kh Kd 5s / 9c 9h 4d 4s Jc", "three rows"),
        ("Kh Kd 5s / 9c / Qs Qd 7h", "cannot tell the front"),
        ("Kh Kd 5s / 9c 9h 4d 4s Jc 2c / Qs Qd 7h Qh 7c", "at most 5 cards in the middle"),
        ("Kh Kd Zs / 9c 9h 4d 4s Jc / Qs Qd 7h Qh 7c", "expected a card"),
    ],
)
def test_what_is_no_board_is_refused(text: str, said: str) -> None:
    with pytest.raises(CardError, match=said):
        parse_board(text)


def test_make_board_and_board_rows_are_inverse() -> None:
    rows = ([1, 2], [3, 4, 5, 6, 7], [8])
    assert board_rows(make_board(rows)) == rows
    assert make_board(rows).dtype == np.uint8

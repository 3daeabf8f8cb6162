"""Boards as people type them."""

from __future__ import annotations

import pytest

from ingest.formats import boards
from ingest.formats.options import ReadOptions
from ingest.game.cards import parse_cards
from ingest.hand import CARDS_UNKNOWN
from tests.logs import read

BOARD = "Kh Kd 5s / 9c 9h 4d 4s Jc / Qs Qd 7h Qh 7c"
CARDS = tuple(parse_cards(BOARD.replace("/", "")))
OTHER = "As 8c 6d / 5h 5d Tc 2s Th / Js Jd 3c 3d Jh"


@pytest.mark.parametrize(
    ("line", "name", "fantasyland"),
    [
        (BOARD, "player 1", 0),
        (f"Ann: {BOARD}", "Ann", 0),
        (f"Ann: the second/third : {BOARD}", "Ann: the second/third", 0),
        (f"🦭 FL14: {BOARD}", "🦭", 14),
        (f"Ann fl : {BOARD}", "Ann", CARDS_UNKNOWN),
        ("KhKd5s/9c9h4d4sJc/QsQd7hQh7c", "player 1", 0),
        ("kh KD 5♠ / 9♣ 9♥ 4d 4s Jc / Qs Qd 7h Qh 7c", "player 1", 0),
        ("Qs Qd 7h Qh 7c / 9c 9h 4d 4s Jc / Kh Kd 5s", "player 1", 0),
    ],
)
def test_a_line_is_a_player(line: str, name: str, fantasyland: int) -> None:
    [hand], rejects = read(boards, f"{line}\n{OTHER}\n".encode())
    assert rejects == []
    assert (hand.seats[0].player, hand.seats[0].fantasyland, hand.seats[0].board) == (name, fantasyland, CARDS)
    assert boards.sniff(f"# remark\n\n{line}\n".encode())


def test_an_empty_line_ends_a_deal() -> None:
    text = f"{BOARD}\n{OTHER}\n\n# remark\n\n\n{OTHER}\n# remark\n{BOARD}"
    hands, rejects = read(boards, text.encode(), options=ReadOptions(game="pineapple"))
    assert rejects == []
    assert [len(hand.seats) for hand in hands] == [2, 2]
    assert {hand.rules for hand in hands} == {"pineapple"}
    assert hands[0].seats[0].board == hands[1].seats[1].board


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("8T / x / y", "bad_card"),
        ("Kh Kd / 9c 9h 4d / Qs Qd", "bad_card"),
        ("Kh Kd 5s 2c / 9c 9h 4d 4s Jc / Qs Qd 7h Qh 7c", "bad_card"),
        ("Kh Kd 5s / 9c 9h 4d 4s Jc 2c / Qs Qd 7h Qh 7c", "row_overfull"),
        ("a line of prose", "bad_card"),
    ],
)
def test_a_bad_line_costs_its_deal(line: str, reason: str) -> None:
    hands, [reject] = read(boards, f"{BOARD}\n{OTHER}\n\n{line}\n{OTHER}\n\n{OTHER}\n{BOARD}\n".encode())
    assert len(hands) == 2
    assert reject.reason == reason
    assert reject.raw == f"{line}\n{OTHER}".encode()


@pytest.mark.parametrize("text", ["", "\n\n", "# only a remark", "a/b/c", "https://a/b", "{}", "1/2/2026"])
def test_other_texts_are_not_boards(text: str) -> None:
    assert not boards.sniff(text.encode())

"""The referee at the table, through the command line: what it reads, what it prints, what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

FIRST = "Kh Kd 5s / 9c 9h 4d 4s Jc / Qs Qd 7h Qh 7c"
SECOND = "As 8c 6d / 5h 5d Tc 2s Th / Js Jd 3c 3d Jh"


def rows(text: str) -> dict[str, list[str]]:
    front, middle, back = (part.split() for part in text.split("/"))
    return {"front": front, "middle": middle, "back": back}


def hand(*boards: str, **fields: Any) -> dict[str, Any]:
    players = [{"name": f"player {place}"} for place in range(len(boards))]
    return {"id": "h1", "players": players, "boards": [rows(board) for board in boards], **fields}


def lines(*hands: object) -> str:
    return "".join(json.dumps(item) + "\n" for item in hands)


def test_typed_boards_for_people(ofc: Callable) -> None:
    run = ofc("score", "--rules", "pineapple-ultimate", stdin=f"{FIRST}\nAnna: {SECOND}\n")
    assert run.code == 0
    assert "player 1    +9 points  royalties front 8, back 6; Fantasyland next with 15 cards" in run.out
    assert "player 1 gets 9 from Anna" in run.out


def test_an_empty_line_ends_a_deal(ofc: Callable) -> None:
    run = ofc("score", "--rules", "classic", "--json", stdin=f"{FIRST}\n{SECOND}\n\n{SECOND}\n{FIRST}\n")
    assert [json.loads(line)["points"] for line in run.out.splitlines()] == [[9, -9], [-9, 9]]


def test_remarks_and_fantasyland_in_typed_boards(ofc: Callable) -> None:
    text = f"# the last deal of the night\nAnna FL16: 2h 3h 5s / 9c 9h 4d 4s Jc / Qs Qd Qc Qh 7c\n# he left\n{SECOND}\n"
    answer = json.loads(ofc("score", "--rules", "pineapple-ultimate", "--json", stdin=text).out)
    assert answer["fantasyland_next"] == [16, 0]


def test_one_object_a_line(ofc: Callable) -> None:
    record = hand(FIRST, SECOND, rules="pineapple-ultimate", point_value="2.50")
    run = ofc("score", "-", "--json", stdin=lines(record))
    assert json.loads(run.out) == {
        "id": "h1",
        "rules": "pineapple-ultimate",
        "points": [9, -9],
        "fouled": [False, False],
        "royalties": [{"front": 8, "middle": 0, "back": 6}, {"front": 0, "middle": 0, "back": 6}],
        "natural": [None, None],
        "moon": [False, False],
        "fantasyland_next": [15, 0],
        "pairs": [[0, 1, 9]],
        "chips": ["22.5", "-22.5"],
        "built_for_another_game": False,
    }


def test_rules_win_over_what_the_line_names(ofc: Callable) -> None:
    record = hand(FIRST, SECOND, rules="pineapple-ultimate")
    answer = json.loads(ofc("score", "--rules", "classic", "--json", stdin=lines(record)).out)
    assert answer["rules"] == "classic"
    assert answer["fantasyland_next"] == [13, 0]
    assert answer["built_for_another_game"] is True


@pytest.mark.parametrize(
    ("fields", "rules", "marked"),
    [
        ({}, "classic", False),
        ({"game": "classic"}, "classic", False),
        ({"game": "pineapple"}, "classic", True),
        ({"game": "pineapple-2-7"}, "pineapple", True),
        ({"rules": "pineapple", "rules_changes": {"deal": {"decks": 2}}}, "pineapple", True),
        ({"rules": "double-deck-pineapple"}, "double-deck-pineapple", False),
        ({"game": "pineapple", "decks": 2}, "double-deck-pineapple", False),
        ({"rules": "somebody's own"}, "pineapple", False),
    ],
)
def test_built_for_another_game(ofc: Callable, fields: dict[str, Any], rules: str, marked: bool) -> None:
    run = ofc("score", "--rules", rules, "--json", stdin=lines(hand(FIRST, SECOND, **fields)))
    assert json.loads(run.out)["built_for_another_game"] is marked


def test_set_changes_one_rule(ofc: Callable) -> None:
    run = ofc("score", "--rules", "classic", "--set", "points.row=2", "--json", stdin=f"{FIRST}\n{SECOND}\n")
    assert json.loads(run.out)["points"] == [10, -10]
    named = hand(FIRST, SECOND, rules="classic")
    run = ofc("score", "--set", "points.row=2", "--json", stdin=lines(named))
    assert json.loads(run.out)["points"] == [10, -10]


def test_table_stakes_and_pair_values(ofc: Callable) -> None:
    record = hand(FIRST, SECOND, point_value="1", pair_values=[[1, 0, "10"]])
    record["players"] = [{"name": "a", "stack": "100"}, {"name": "b", "stack": "35.5"}]
    answer = json.loads(ofc("score", "--rules", "table-stakes", "--json", stdin=lines(record)).out)
    assert answer["chips"] == ["35.5", "-35.5"]
    assert answer["points"] == [9, -9]
    assert "stack_unknown" not in answer
    del record["players"][1]["stack"]
    answer = json.loads(ofc("score", "--rules", "table-stakes", "--json", stdin=lines(record)).out)
    assert answer["chips"] == ["90", "-90"]
    assert answer["stack_unknown"] is True


def test_fantasyland_is_a_fact(ofc: Callable) -> None:
    quads = "2h 3h 5s / 9c 9h 4d 4s Jc / Qs Qd Qc Qh 7c"
    for now, then in ((0, 0), (16, 16), (True, None), (5, 5)):
        record = hand(quads, SECOND)
        record["players"][0]["fantasyland"] = now
        run = ofc("score", "--rules", "pineapple-ultimate", "--json", stdin=lines(record))
        assert json.loads(run.out)["fantasyland_next"] == [then, 0]
    for wrong in (18, -1, "yes"):
        record = hand(quads, SECOND)
        record["players"][0]["fantasyland"] = wrong
        run = ofc("score", "--rules", "pineapple-ultimate", "--json", stdin=lines(record))
        assert run.code == 3
        assert "from 0 to 17" in run.err


BAD = [
    ("{not json", "expected a hand as one JSON object"),
    (
        lines(hand("Kh Kd 5s / 9c 9h 4d 4s Jc / Qs Qd 7h Qh 7c", "Kh 8c 6d / 5h 5d Tc 2s Th / Js Jd 3c 3d Jh")),
        "Kh 2 times",
    ),
    (lines(hand("Kh Kd 5s 2h / 9c 9h 4d 4s Jc / Qs Qd 7h Qh 7c", SECOND)), "at most 3 cards in the front"),
    (lines(hand("Kh Kd ?? / 9c 9h 4d 4s Jc / Qs Qd 7h Qh 7c", SECOND)), "got ??"),
    (lines(hand("Kh Kd X1 / 9c 9h 4d 4s Jc / Qs Qd 7h Qh 7c", SECOND)), "got X1"),
    (lines({"id": 7, "players": [{"name": "a"}], "boards": []}), "1 players and 0 boards"),
    (lines({"id": 7, "boards": []}), "expected players as a list"),
    (lines(hand(FIRST, SECOND, point_value="two")), "expected point_value to be a decimal number"),
    (lines(hand(FIRST, SECOND, pair_values=[[0, 5, "2"]])), "expected pair_values"),
    ("Kh Kd 5s / 9c 9h 4d 4s Jc\n", "three rows"),
]


@pytest.mark.parametrize(("text", "said"), BAD)
def test_a_bad_hand_is_told_and_its_neighbours_are_scored(ofc: Callable, text: str, said: str) -> None:
    good = lines(hand(FIRST, SECOND))
    run = ofc("score", "--rules", "pineapple", "--json", stdin=good + text.rstrip() + "\n\n" + good)
    assert run.code == 3
    assert said in run.err
    assert len(run.out.splitlines()) == 2


def test_two_decks_hold_a_card_twice(ofc: Callable) -> None:
    text = lines(hand(FIRST, FIRST))
    assert ofc("score", "--rules", "double-deck", "--json", stdin=text).code == 0
    assert ofc("score", "--rules", "classic", "--json", stdin=text).code == 3


def test_an_incomplete_board_is_fouled_unless_the_hand_was_cancelled(ofc: Callable) -> None:
    short = "Kh Kd / 9c 9h 4d 4s Jc / Qs Qd 7h Qh 7c"
    answer = json.loads(ofc("score", "--rules", "pineapple", "--json", stdin=lines(hand(short, SECOND))).out)
    assert answer["fouled"] == [True, False]
    assert answer["points"] == [-12, 12]
    cancelled = ofc(
        "score", "--rules", "pineapple", "--json", stdin=lines(hand(short, SECOND, result={"points": [0, 0]}))
    )
    assert cancelled.code == 0
    assert cancelled.out == ""
    assert "cancelled" in cancelled.err


def test_nothing_to_score(ofc: Callable) -> None:
    run = ofc("score", "--rules", "classic", stdin="\n")
    assert run.code == 2
    assert "got nothing" in run.err
    run = ofc("score", stdin=f"{FIRST}\n{SECOND}\n")
    assert run.code == 3
    assert "expected a rule set to score by" in run.err

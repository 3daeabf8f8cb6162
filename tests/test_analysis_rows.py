"""Rows against rows, and what people call them: counted again one pair at a time."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.rows import FIVE_NAMES, FRONT_NAMES, row_places, row_results
from ingest.game.board import parse_board
from ingest.game.compiled import MIDDLE_ORDER, compile_rules
from ingest.game.rules import builtin_rules
from ingest.game.strength import row_strengths
from tests.made_hands import made_boards

RULES = builtin_rules()


@pytest.mark.parametrize(
    ("rules", "players"), [("pineapple", 2), ("pineapple", 3), ("classic", 4), ("pineapple-2-7", 3)]
)
def test_row_results_are_those_of_every_pair(rules: str, players: int) -> None:
    """Fouls are drawn by lot: the comparison takes them as they are."""
    rng = np.random.default_rng(players)
    hands = 60
    strengths = row_strengths(made_boards(hands, players, rng))
    fouled = rng.random(len(strengths)) < 0.3
    compiled = compile_rules(RULES[rules])
    found = row_results(compiled, strengths, fouled, np.arange(0, len(strengths) + 1, players))
    order = compiled.five[:, MIDDLE_ORDER]
    for hand in range(hands):
        seats = range(hand * players, (hand + 1) * players)
        for i in seats:
            others = [j for j in seats if j != i]
            legal = [j for j in others if not fouled[i] and not fouled[j]]

            def rows(seat: int) -> tuple[int, ...]:
                front, middle, back = (int(s) for s in strengths[seat])
                return front, int(order[middle]), back

            won = [[a > b for a, b in zip(rows(i), rows(j), strict=True)] for j in legal]
            lost = [[a < b for a, b in zip(rows(i), rows(j), strict=True)] for j in legal]
            assert (found.opponents[i], found.compared[i]) == (len(others), len(legal))
            assert found.won[i].tolist() == [sum(row) for row in zip(*won, strict=True)] or not legal
            assert found.lost[i].tolist() == [sum(row) for row in zip(*lost, strict=True)] or not legal
            only_he = sum(bool(fouled[i] and not fouled[j]) for j in others)
            only_they = sum(bool(fouled[j] and not fouled[i]) for j in others)
            assert found.scoops[i] == sum(all(pair) for pair in won) + only_they
            assert found.scooped[i] == sum(all(pair) for pair in lost) + only_he


@pytest.mark.parametrize(
    ("board", "low", "names"),
    [
        ("Qh Qd 5s / 9c 9h 4d 4s Jc / Ks Kd 7h Kh 7c", False, ("QQ", "two_pair", "full_house")),
        ("2h 2d 2s / Tc Jh Qd Ks Ac / 9s 9d 9h 9c 7c", False, ("222", "straight", "quads")),
        ("Ah Kd 5s / Ac 2h 3d 4s 5c / 6s 7s 8s 9s Ts", False, ("high_card", "straight", "straight_flush")),
        ("Ah Kd 5s / 7c 5h 4d 3s 2c / Ts Js Qs Ks As", True, ("high_card", "75432", "royal_flush")),
        ("Ah Ad 5s / 7c 6h 4d 3s 2c / 2s 3s 4s 5d 9s", True, ("AA", "7", "high_card")),
        ("Ah Ad 5s / Tc 6h 4d 3s 2c / 2s 3s 4s 8s 9s", True, ("AA", "T", "flush")),
        ("Ah Ad 5s / Ac 2h 3d 4s 5c / 2s 2d 4s 8s 9s", True, ("AA", "no low", "pair")),
        ("Ah Ad 5s / Tc 9h 8d 7s 6c / 2s 2d 4s 4c 9s", True, ("AA", "no low", "two_pair")),
        ("Ah Ad / Tc 9h 8d 7s 6c / 2s 2d 4s 4c 9s", False, ("no row", "straight", "two_pair")),
    ],
)
def test_rows_are_called_by_their_names(board: str, low: bool, names: tuple[str, ...]) -> None:
    strengths = row_strengths(parse_board(board)[None])
    places = row_places(strengths, low=low)
    shown = [table[int(place[0])] for table, place in zip((FRONT_NAMES, FIVE_NAMES, FIVE_NAMES), places, strict=True)]
    assert tuple(shown) == names

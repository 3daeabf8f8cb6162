"""Golden cases: deals that a person can score with a pencil, against the slow twin and against the scorer.

One file of `tests/golden` per rule set, named like it, and one for the worked examples of the rule books. A
case has an `id`, the reasoning in `why`, the `boards` (front / middle / back, acting order, the button last) and what
is expected: `points`, `royalties` (what the table pays for front, middle, back), `fantasyland_next` (cards, 0, or
"unknown"). What is left out is expected to be nothing special: `fouled` false, `natural` none (""), `moon` false;
`pairs` and `chips` are compared where they are given. Further input: `rules` (else the name of the file), `set`
(changes to the rule set), `fantasyland` (cards of this hand, 0, or true for an unknown number), `stacks` ("" for
an unknown one), `point_value`, `pair_values`.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ingest.game.referee import judge_hands
from ingest.game.rules import BUILTIN_FOLDER, BUILTIN_NAMES, builtin_rules, with_changes
from tests.naive import ROWS, changed, load_rules, score

GOLDEN_FOLDER = Path(__file__).parent / "golden"
INPUTS = {"id", "why", "boards", "rules", "set", "fantasyland", "stacks", "point_value", "pair_values"}
EXPECTED = {"points", "royalties", "fantasyland_next", "fouled", "natural", "moon", "pairs", "chips"}


def read_cases() -> list[dict[str, Any]]:
    """All cases of all files, each with the name of its file and of its rule set."""
    cases = []
    for path in sorted(GOLDEN_FOLDER.glob("*.toml")):
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]:
            cases.append({"rules": path.stem, "set": {}} | case | {"file": path.stem})
    return cases


CASES = read_cases()
every_case = pytest.mark.parametrize("case", CASES, ids=[f"{case['file']}: {case['id']}" for case in CASES])


def hand_of(case: dict[str, Any]) -> dict[str, Any]:
    """The case as an ``ofc-hh/1`` record."""
    count = len(case["boards"])
    rows = [[row.split() for row in board.split("/")] for board in case["boards"]]
    seats = zip(case.get("fantasyland", [0] * count), case.get("stacks", [""] * count), strict=True)
    return {
        "id": case["id"],
        "players": [
            {"name": f"player{at}", "fantasyland": now, "stack": stack or None} for at, (now, stack) in enumerate(seats)
        ],
        "boards": [dict(zip(ROWS, board, strict=True)) for board in rows],
        "point_value": case.get("point_value"),
        "pair_values": case.get("pair_values", []),
    }


def expected_of(case: dict[str, Any]) -> dict[str, Any]:
    """What the case expects, in the words of a result."""
    count = len(case["boards"])
    expected = {
        "points": case["points"],
        "royalties": [dict(zip(ROWS, values, strict=True)) for values in case["royalties"]],
        "fantasyland_next": [None if cards == "unknown" else cards for cards in case["fantasyland_next"]],
        "fouled": case.get("fouled", [False] * count),
        "natural": [name or None for name in case.get("natural", [""] * count)],
        "moon": case.get("moon", [False] * count),
    }
    return expected | {key: case[key] for key in ("pairs", "chips") if key in case}


def by_the_twin(case: dict[str, Any]) -> dict[str, Any]:
    rules = changed(load_rules(BUILTIN_FOLDER / f"{case['rules']}.toml"), case["set"])
    return score(hand_of(case), rules)


def by_the_scorer(case: dict[str, Any]) -> dict[str, Any]:
    rules = with_changes(builtin_rules()[case["rules"]], case["set"])
    return judge_hands([hand_of(case)], rules)[0]


@every_case
@pytest.mark.parametrize("scored", [by_the_twin, by_the_scorer])
def test_case(case: dict[str, Any], scored: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    expected = expected_of(case)
    got = {key: scored(case)[key] for key in expected}
    assert got == expected, f"{case['file']}: {case['id']}\nexpected {expected}\ngot      {got}"


@every_case
def test_case_is_a_possible_deal(case: dict[str, Any]) -> None:
    decks = load_rules(BUILTIN_FOLDER / f"{case['rules']}.toml")["deal"]["decks"]
    times = Counter(card for board in hand_of(case)["boards"] for row in ROWS for card in board[row])
    assert max(times.values()) <= decks, f"more often than {decks}: {times.most_common(3)}"
    assert sum(case["points"]) == 0


def test_every_key_of_every_case_is_known() -> None:
    unknown = {key for case in CASES for key in case} - INPUTS - EXPECTED - {"file"}
    assert not unknown


def test_every_rule_set_has_three_cases() -> None:
    counts = Counter(case["rules"] for case in CASES if case["file"] == case["rules"])
    assert {name: counts[name] for name in BUILTIN_NAMES if counts[name] < 3} == {}

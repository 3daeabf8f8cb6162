"""The compiled scorer against the slow twin, on random and on adversarial deals, under every rule set.

Everything that a score consists of is compared: points and their parts, pairs, fouls, royalties, naturals, moons,
Fantasyland, chips, and the short way that computes points alone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ingest.game.compiled import compile_rules
from ingest.game.pair import PARTS
from ingest.game.referee import judge_hands
from ingest.game.score import score_hands, score_points
from tests.deals import adversarial_deal, random_deal
from tests.house_rules import ALL_RULES, rules_of
from tests.naive import ROWS, Hand, Rules, score
from tests.seats import seats_of

every_rule_set = pytest.mark.parametrize(
    ("base", "changes"), [rule_set[1:] for rule_set in ALL_RULES], ids=[rule_set[0] for rule_set in ALL_RULES]
)

Deal = Callable[[int, Rules], Hand]


def flat_parts(parts: dict[str, Any]) -> list[int]:
    """The twin's parts of one seat in the order of PARTS."""
    front, middle, back = parts["royalties"]
    named = dict(zip(PARTS[:3], parts["rows"], strict=True)) | {
        "scoop": parts["scoop"],
        "majority": parts["majority"],
        "royalty_front": front,
        "royalty_middle": middle,
        "royalty_back": back,
        "foul": parts["foul"],
        "special": parts["special"],
    }
    return [named[part] for part in PARTS]


def compare(deal: Deal, seeds: range, base: str, changes: dict[str, Any]) -> None:
    """Assert that twin and scorer say the same of a deal for each seed."""
    twin_rules, rules = rules_of(base, changes)
    hands = [{"id": seed} | deal(seed, twin_rules) for seed in seeds]
    expected = [score(hand, twin_rules) for hand in hands]
    compiled, seats = compile_rules(rules), seats_of(hands)
    parts = score_hands(compiled, *seats).parts.tolist()
    points = score_points(compiled, seats.strengths, seats.naturals, seats.first_seat).tolist()
    answers = judge_hands(hands, rules)
    for at, (hand, twin) in enumerate(zip(hands, expected, strict=True)):
        here = slice(seats.first_seat[at], seats.first_seat[at + 1])
        got = {"stack_unknown": False} | answers[at]
        got |= {"parts": parts[here], "points alone": points[here]}
        twin |= {"parts": [flat_parts(p) for p in twin["parts"]], "points alone": twin["points"]}
        wrong = {key: f"twin {twin[key]}, scorer {got[key]}" for key in twin if twin[key] != got[key]}
        assert not wrong, f"{base} {changes}\n{deal.__name__} {hand['id']}\n{json.dumps(hand)}\n{wrong}"


@every_rule_set
def test_rule_sets_are_read_alike(base: str, changes: dict[str, Any]) -> None:
    """What a file says, its base's below it and the defaults below that, is the same table for both."""
    twin, rules = rules_of(base, changes)
    # Where the middle becomes another kind of hand, the scorer drops what was said of the other; the twin, which
    # asks such rows for what they cannot hold, need not.
    if "deal.middle" in changes:
        pytest.skip("a middle of another kind than the base's")
    for table in ("deal", "points", "naturals", "moon", "fantasyland"):
        assert rules.data[table] == twin[table]
    rows = ("front", "back") if rules.deal.middle == "deuce_to_seven" else ROWS
    assert {row: rules.data["royalties"][row] for row in rows} == {row: twin["royalties"][row] for row in rows}


@every_rule_set
def test_random_deals(base: str, changes: dict[str, Any]) -> None:
    compare(random_deal, range(60), base, changes)


@every_rule_set
def test_adversarial_deals(base: str, changes: dict[str, Any]) -> None:
    compare(adversarial_deal, range(140), base, changes)


@every_rule_set
def test_few_deals(base: str, changes: dict[str, Any]) -> None:
    """Not from the other tests' seeds; this one also runs without the compiler, see below."""
    compare(adversarial_deal, range(-8, 0), base, changes)


def run_without_compiler(seeds: str) -> None:
    """Run `test_few_deals` where numba leaves the kernels as plain Python: they must mean the same."""
    root = Path(__file__).parents[1]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", __file__, "-k", seeds]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


def test_without_the_compiler() -> None:
    run_without_compiler("test_few_deals")


@pytest.mark.full
@every_rule_set
def test_many_deals(base: str, changes: dict[str, Any]) -> None:
    compare(random_deal, range(1000, 2000), base, changes)
    compare(adversarial_deal, range(1000, 5000), base, changes)


@pytest.mark.full
def test_more_without_the_compiler() -> None:
    run_without_compiler("test_random_deals or test_adversarial_deals")

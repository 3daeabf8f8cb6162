"""How fast agents play and how well, run with ``pytest tests/bench -s``; speeds are printed by agent, game and table.

The floors of speed are those for two cores, by processor time, so that other work on the machine does not count.
"""

from __future__ import annotations

import time

import numpy as np
import pytest

from ingest.game.rules import builtin_rules
from ingest.simulate.agents import AGENTS
from ingest.simulate.arrange import best_boards
from ingest.simulate.chance import fold, shuffled_decks
from ingest.simulate.duel import MakeAgent, play_duel
from ingest.simulate.run import agent_for
from ingest.simulate.session import Plan, Sessions
from ingest.simulate.worth import make_setting
from tests.simple_agent import SimpleAgent

CORES = 2
MAKERS: dict[str, MakeAgent] = {**AGENTS, "simple": SimpleAgent}


def hands_per_second(rules: str, players: int, agent: str, hands: int) -> float:
    """Hands a second on two cores, from the processor time of one run."""
    plan = Plan(builtin_rules()[rules], (agent,) * players, hands, 1, session_hands=10)
    made = agent_for(plan, agent, players)
    Sessions(plan, np.arange(2), lambda name, count: made).play()  # compiles
    sessions = Sessions(plan, np.arange(plan.sessions), lambda name, count: made)
    start = time.process_time()
    sessions.play()
    speed = CORES * hands / (time.process_time() - start)
    print(f"{agent:>8} {rules:<22} {players} players: {speed:8,.0f} hands/s on {CORES} cores")
    return speed


@pytest.mark.parametrize(
    ("agent", "rules", "players", "hands", "floor"),
    [
        ("random", "pineapple", 2, 20_000, 4_000),
        ("cautious", "pineapple", 2, 4_000, 2_000),
        ("fast", "pineapple", 2, 8_000, 4_000),
        ("fast", "pineapple", 3, 4_000, 2_000),
        ("fast", "pineapple-2-7", 2, 4_000, 2_000),
        ("fast", "classic", 2, 4_000, 2_000),
        ("fast", "classic", 4, 2_000, 1_000),
        ("fast", "double-deck", 8, 500, 100),
        ("fast", "chinese-1-6", 4, 400, 20),
        ("rollout", "pineapple", 2, 60, 20),
        ("rollout", "classic", 2, 60, 20),
    ],
)
def test_agents_are_fast_enough(agent: str, rules: str, players: int, hands: int, floor: float) -> None:
    assert hands_per_second(rules, players, agent, hands) >= floor


@pytest.mark.parametrize(("cards", "floor"), [(13, 2_000), (14, 2_000), (15, 1_000), (16, 1_000), (17, 1_000)])
def test_fantasyland_is_set_fast_enough(cards: int, floor: float) -> None:
    setting = make_setting(builtin_rules()["pineapple"], 2, {14: 10.0})
    decks = shuffled_decks(fold(1, np.arange(2_000)), 1)
    best_boards(setting, decks[:2], cards, (0,), own_cards=cards)
    start = time.process_time()
    best_boards(setting, decks, cards, (0,), own_cards=cards)
    speed = len(decks) / (time.process_time() - start)
    print(f"Fantasyland with {cards} cards: {speed:8,.0f} hands/s a core")
    assert speed >= floor


def show(rules: str, first: str, second: str, hands: int, seed: int = 5) -> tuple[float, float]:
    """Points a hand that the first wins from the second on the same cards, with the error; printed."""
    duel = play_duel(
        builtin_rules()[rules], {first: MAKERS[first], second: MAKERS[second]}, hands, seed, session_hands=10
    )
    print(f"{rules}: {first} wins {duel.mean:+.2f} +- {duel.error:.2f} a hand from {second}, {duel.hands:,} hands")
    for name, style in zip((first, second), duel.styles, strict=True):
        print(f"  {name}: fouls {style.fouled:.3f}, enters {style.enters:.3f}, royalties {style.royalties:.2f}")
    return duel.mean, duel.error


@pytest.mark.parametrize("rules", ["pineapple", "pineapple-progressive"])
@pytest.mark.parametrize(("agent", "hands"), [("fast", 4_000), ("rollout", 400)])
def test_agents_beat_random_by_nine_points(rules: str, agent: str, hands: int) -> None:
    mean, error = show(rules, agent, "random", hands)
    assert mean > 9 - 2 * error


@pytest.mark.parametrize("rules", ["pineapple", "pineapple-progressive"])
def test_fast_does_not_lose_to_the_simple_agent(rules: str) -> None:
    mean, error = show(rules, "fast", "simple", 2_000)
    assert mean - 2 * error > -0.3


@pytest.mark.parametrize("rules", ["pineapple", "pineapple-progressive"])
def test_rollouts_beat_the_simple_agent(rules: str) -> None:
    mean, error = show(rules, "rollout", "simple", 3_000)
    assert mean > 3 * error

"""Simulations from a plan to batches of hands: the way in for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ingest.batch import Batch
from ingest.simulate.agents import make_agent, verify_agents
from ingest.simulate.record import batches_of
from ingest.simulate.rollout import RolloutAgent
from ingest.simulate.session import Plan, Sessions
from ingest.simulate.values import fantasyland_values
from ingest.simulate.views import Agent
from ingest.simulate.worth import make_setting

# Hands that are played before they are handed on: bounds the memory of a run of any length, and what an interruption
# can cost where agents think long.
CHUNK, SLOW_CHUNK = 20_000, 400


def simulate(plan: Plan, on_round: Callable[[int], None] = lambda hands: None) -> Iterator[Batch]:
    """Play the hands of a plan; batches of finished hands, session by session.

    `on_round` gets the number of hands of every round that is finished. A KeyboardInterrupt ends the simulation after
    a last batch with all hands that were finished, and is raised again.
    """
    verify_agents(list(plan.agents))
    slow = any(name.startswith(RolloutAgent.name) for name in plan.agents)
    at_once = max(1, (SLOW_CHUNK if slow else CHUNK) // plan.session_hands)
    for start in range(0, plan.sessions, at_once):
        numbers = np.arange(start, min(start + at_once, plan.sessions))
        sessions = Sessions(plan, numbers, lambda name, players: agent_for(plan, name, players))
        try:
            sessions.play(on_round)
            batch = batches_of(plan, sessions.rounds)
        except KeyboardInterrupt:
            if sessions.rounds:
                yield batches_of(plan, sessions.rounds)
            raise
        yield batch


def agent_for(plan: Plan, name: str, players: int) -> Agent:
    """The agent of a plan for a table of that size."""
    return make_agent(name, make_setting(plan.rules, players, fantasyland_values(plan.rules, players)))

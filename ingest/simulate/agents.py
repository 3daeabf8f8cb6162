"""The agents by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from ingest.game.errors import OFCError, known
from ingest.simulate.fast import CautiousAgent, FastAgent
from ingest.simulate.floors import RandomAgent
from ingest.simulate.rollout import RolloutAgent
from ingest.simulate.views import Agent
from ingest.simulate.worth import Setting

AGENTS: dict[str, Callable[[Setting], Agent]] = {
    "random": RandomAgent,
    "cautious": CautiousAgent,
    "fast": FastAgent,
    "rollout": RolloutAgent,
    "rollout-deep": partial(RolloutAgent, level="deep"),
    "rollout-full": partial(RolloutAgent, level="full"),
}


class AgentError(OFCError):
    """An agent that is not known."""


def verify_agents(names: Iterable[str]) -> None:
    """Raise AgentError for a name that is no agent's."""
    for name in names:
        if name not in AGENTS:
            raise AgentError(f"expected the name of an agent, got {name!r}; known: {known(AGENTS)}")


def make_agent(name: str, setting: Setting) -> Agent:
    """The agent of that name, for one rule set and one size of table. Raises AgentError with the known names."""
    verify_agents([name])
    return AGENTS[name](setting)

"""Who plays better: two agents on the same cards, with the seats swapped the second time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.rules import RuleSet
from ingest.simulate.session import Plan, Round, Sessions
from ingest.simulate.values import fantasyland_values
from ingest.simulate.views import Agent
from ingest.simulate.worth import Setting, make_setting

MakeAgent = Callable[[Setting], Agent]


class Style(NamedTuple):
    """How boards outside Fantasyland came out: shares of boards, royalties with 0 for a fouled board."""

    boards: int
    fouled: float
    enters: float
    royalties: float


class Duel(NamedTuple):
    """Points a hand that the first agent wins from the second, with the standard error over pairs of sessions."""

    mean: float
    error: float
    hands: int
    styles: tuple[Style, Style]


def play_duel(
    rules: RuleSet, agents: Mapping[str, MakeAgent], hands: int, seed: int, *, session_hands: int = 20
) -> Duel:
    """Two named agents over `hands` hands on each side of the table, heads-up. Points are won by the first of them."""
    first, second = agents
    values = fantasyland_values(rules, 2)
    made = {name: make(make_setting(rules, 2, values)) for name, make in agents.items()}
    sums, styles = [], []
    for chairs in ((first, second), (second, first)):
        plan = Plan(rules, chairs, hands, seed, session_hands)
        sessions = Sessions(plan, np.arange(plan.sessions), lambda name, players: made[name])
        sessions.play()
        chair = chairs.index(first)
        sums.append(session_points(sessions.rounds, plan.sessions, chair))
        styles.append(sessions.rounds)
    pairs = (sums[0] + sums[1]) / (2 * session_hands)
    return Duel(
        float(pairs.mean()),
        float(pairs.std(ddof=1) / np.sqrt(len(pairs))),
        2 * hands,
        (
            style_of([(rounds, chair) for chair, rounds in enumerate(styles)]),
            style_of([(rounds, 1 - chair) for chair, rounds in enumerate(styles)]),
        ),
    )


def session_points(rounds: list[Round], sessions: int, chair: int) -> npt.NDArray[np.float64]:
    """The points of a chair in each session."""
    sums = np.zeros(sessions)
    for part in rounds:
        at = part.chairs == chair
        sums[part.sessions] += np.where(at, part.points, 0).sum(axis=1)
    return sums


def style_of(seats: list[tuple[list[Round], int]]) -> Style:
    """The style of a chair in each of some rounds."""
    fouled, enters, royalties = [], [], []
    for rounds, chair in seats:
        for part in rounds:
            at = (part.chairs == chair) & (part.dealt.fantasyland == 0)
            fouled.append(part.fouled[at])
            enters.append(part.fantasyland_next[at] > 0)
            royalties.append(part.royalties[at])
    return Style(
        sum(map(len, fouled)),
        float(np.concatenate(fouled).mean()),
        float(np.concatenate(enters).mean()),
        float(np.concatenate(royalties).mean()),
    )

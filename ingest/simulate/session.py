"""Whole sessions: the button, Fantasyland chains, stacks, rebuys, levels; many sessions played side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.compiled import CompiledRules, compile_rules
from ingest.game.naturals import natural_masks
from ingest.game.rules import RuleSet
from ingest.game.score import Scores, pair_nets, score_hands
from ingest.game.settle import UNKNOWN_STACK, settle
from ingest.game.strength import row_strengths
from ingest.simulate.deal import Dealt, deal_hands, verify_table
from ingest.simulate.views import Agent

Ints = npt.NDArray[np.int64]

# What a player buys in for under table stakes, in points of the first level: a few fouls and scoops deep.
BUY_IN = 100
# Hands of a tournament level.
LEVEL_HANDS = 10


@dataclass(frozen=True)
class Plan:
    """What is to be simulated: `agents` by chair; `levels`: point values of a tournament, empty for a cash game."""

    rules: RuleSet
    agents: tuple[str, ...]
    hands: int
    seed: int
    session_hands: int = 100
    levels: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        verify_table(self.rules, self.players)

    @property
    def players(self) -> int:
        return len(self.agents)

    @property
    def sessions(self) -> int:
        return -(-self.hands // self.session_hands)

    @property
    def table_stakes(self) -> bool:
        return bool(self.levels) or self.rules.points.settlement == "table_stakes"


class Round(NamedTuple):
    """One hand at each of `n` tables with `p` players left, seats in acting order."""

    sessions: Ints  # (n,)
    hand: int
    chairs: Ints  # (n, p)
    dealt: Dealt
    points: npt.NDArray[np.int32]  # (n, p)
    chips: Ints  # (n, p) won or lost
    stacks: Ints  # (n, p) at the start, UNKNOWN_STACK where stacks do not matter
    fouled: npt.NDArray[np.bool_]  # (n, p)
    royalties: npt.NDArray[np.int32]  # (n, p) the board's own
    fantasyland_next: npt.NDArray[np.int8]  # (n, p)
    point_value: int


MakeAgent = Callable[[str, int], Agent]


@dataclass
class Sessions:
    """Some sessions that are played side by side; `play` goes on hand by hand and keeps the finished rounds."""

    plan: Plan
    numbers: Ints
    make_agent: MakeAgent
    rounds: list[Round] = field(default_factory=list)

    def __post_init__(self) -> None:
        n, players = len(self.numbers), self.plan.players
        self._compiled: CompiledRules = compile_rules(self.plan.rules)
        self._button = np.full(n, players - 1, np.int64)
        self._fantasyland = np.zeros((n, players), np.int8)
        self._stacks = np.full((n, players), self._first_stack(), np.int64)
        self._names = sorted(set(self.plan.agents))
        self._agent_of = np.array([self._names.index(name) for name in self.plan.agents])
        self._agents: dict[int, Sequence[Agent]] = {}

    def _first_stack(self) -> int:
        first_value = self.plan.levels[0] if self.plan.levels else 1
        return BUY_IN * first_value if self.plan.table_stakes else UNKNOWN_STACK

    def play(self, on_round: Callable[[int], None] = lambda hands: None) -> None:
        """Play all sessions to their end; `on_round` gets the number of hands of each round. May be interrupted."""
        for hand in range(self.plan.session_hands):
            left = self.plan.hands - self.numbers * self.plan.session_hands
            going = (left > hand) & (self._alive().sum(axis=1) > 1)
            if not going.any():
                return
            for players in np.unique(self._alive()[going].sum(axis=1)):
                tables = np.flatnonzero(going & (self._alive().sum(axis=1) == players))
                self._play_round(tables, hand, int(players))
                on_round(len(tables))

    def _alive(self) -> npt.NDArray[np.bool_]:
        """Who still has chips, ``(n, players)``."""
        alive: npt.NDArray[np.bool_] = self._stacks != 0
        return alive

    def _chairs(self, tables: Ints, players: int) -> Ints:
        """The chairs of those who play in acting order, the button last, ``(n, players)``."""
        seats = self.plan.players
        order = (self._button[tables, None] + 1 + np.arange(seats)) % seats
        playing = np.take_along_axis(self._alive()[tables], order, axis=1)
        return order[playing].reshape(len(tables), players)

    def _play_round(self, tables: Ints, hand: int, players: int) -> None:
        chairs = self._chairs(tables, players)
        at = (tables[:, None], chairs)
        if players not in self._agents:
            self._agents[players] = [self.make_agent(name, players) for name in self._names]
        hands = np.full(len(tables), hand)
        dealt = deal_hands(
            self.plan.rules,
            self._agents[players],
            self._agent_of[chairs],
            self._fantasyland[at],
            self.plan.seed,
            self.numbers[tables],
            hands,
        )
        value = self._point_value(hand)
        scores, chips = self._settled(dealt, value, self._stacks[at])
        shape = chairs.shape
        next_cards = scores.fantasyland_next.reshape(shape)
        self.rounds.append(
            Round(
                self.numbers[tables],
                hand,
                chairs,
                dealt,
                scores.points.reshape(shape),
                chips,
                self._stacks[at],
                scores.fouled.reshape(shape),
                scores.values.sum(axis=1, dtype=np.int32).reshape(shape),
                next_cards,
                value,
            )
        )
        self._fantasyland[at] = next_cards
        if self.plan.table_stakes:
            self._stacks[at] += chips
            if not self.plan.levels:  # a cash game: who has lost everything buys in again
                self._stacks[at] = np.where(self._stacks[at] == 0, BUY_IN, self._stacks[at])
        self._move_button(tables)

    def _point_value(self, hand: int) -> int:
        levels = self.plan.levels
        return levels[min(hand // LEVEL_HANDS, len(levels) - 1)] if levels else 1

    def _settled(self, dealt: Dealt, value: int, stacks: Ints) -> tuple[Scores, Ints]:
        n, players = dealt.fantasyland.shape
        boards = dealt.boards.reshape(-1, 13)
        strengths, naturals = row_strengths(boards), natural_masks(boards)
        first_seat = np.arange(n + 1, dtype=np.int64) * players
        scores = score_hands(self._compiled, strengths, naturals, dealt.fantasyland.reshape(-1), first_seat)
        if not self.plan.table_stakes:
            return scores, scores.points.reshape(n, players).astype(np.int64) * value
        dues = pair_nets(self._compiled, strengths, naturals, first_seat).astype(np.int64) * value
        chips = settle(dues, first_seat, stacks.reshape(-1), table_stakes=True)
        return scores, chips.reshape(n, players)

    def _move_button(self, tables: Ints) -> None:
        """The button stays for a hand with somebody in Fantasyland, unless the rules move it; empty chairs go by."""
        seats = self.plan.players
        self._fantasyland[~self._alive()] = 0
        stays = (self._fantasyland[tables] > 0).any(axis=1) & ~np.bool_(self.plan.rules.fantasyland.button_moves)
        alive = self._alive()[tables]
        order = (self._button[tables, None] + 1 + np.arange(seats)) % seats
        following = order[np.arange(len(tables)), np.take_along_axis(alive, order, axis=1).argmax(axis=1)]
        self._button[tables] = np.where(stays, self._button[tables], following)

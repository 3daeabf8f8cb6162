"""One hand at each of many tables: dealing, asking the agents in turn, carrying out what they say.

All tables of a call have the same number of players and stand at the same point of their hand, so that each question
to an agent is one call for all of them. Seats are numbered in acting order, the button last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ingest.game.board import EMPTY, SLOTS
from ingest.game.errors import OFCError
from ingest.game.rules import RuleSet
from ingest.simulate.chance import Keys, fold, shuffled_decks
from ingest.simulate.placements import place
from ingest.simulate.views import MOST_DEALT, MOST_DISCARDS, NO_CARD, Agent, Cards, Views


@dataclass(frozen=True)
class Dealt:
    """What happened in one hand at each of `n` tables of `p` players with `s` streets."""

    boards: Cards  # (n, p, 13)
    dealt: Cards  # (n, p, s, 17) EMPTY behind the cards of a street; Fantasyland has all on street 0
    rows: Cards  # (n, p, s, 17) where each of them went, NO_CARD behind them
    fantasyland: npt.NDArray[np.int8]  # (n, p) cards dealt in Fantasyland, 0: normal play


class TableError(OFCError):
    """A table that cannot be dealt."""


def verify_table(rules: RuleSet, players: int) -> None:
    """Raise TableError where the cards do not serve so many players, or not with these Fantasyland hands."""
    deal = rules.deal
    if not 2 <= players <= deal.most_players:
        raise TableError(f"expected 2 to {deal.most_players} players for {rules.name}, got {players}")
    normal = sum(dealt for dealt, _ in deal.streets)
    conditions = (*rules.fantasyland.enter, *rules.fantasyland.stay)
    most = max([normal, *(c.cards for c in conditions if isinstance(c.cards, int))])
    if players * most > 52 * deal.decks:
        raise TableError(
            f"expected {52 * deal.decks} cards to serve all players, got {players} players who may all get {most} "
            f"cards under {rules.name}"
        )


def deal_hands(
    rules: RuleSet,
    agents: Sequence[Agent],
    agent_at: npt.NDArray[np.int64],
    fantasyland: npt.NDArray[np.int8],
    seed: int,
    tables: npt.NDArray[np.int64],
    hand: npt.NDArray[np.int64],
) -> Dealt:
    """Deal and play one hand at each table.

    `agent_at` ``(n, p)``: which of the agents plays each seat. `fantasyland` ``(n, p)``: cards of those in Fantasyland.
    `tables` and `hand` ``(n,)`` name the hand: with the seed they decide its cards and the chance of its agents.
    """
    return _Play(rules, agents, agent_at, fantasyland, seed, tables, hand).run()


class _Play:
    """The state of one hand at `n` tables while it is played."""

    def __init__(
        self,
        rules: RuleSet,
        agents: Sequence[Agent],
        agent_at: npt.NDArray[np.int64],
        fantasyland: npt.NDArray[np.int8],
        seed: int,
        tables: npt.NDArray[np.int64],
        hand: npt.NDArray[np.int64],
    ) -> None:
        n, players = agent_at.shape
        self.rules, self.agents, self.agent_at, self.fantasyland = rules, agents, agent_at, fantasyland
        self.streets = rules.deal.streets
        self.in_turn = rules.fantasyland.sets == "in_turn"
        self.seed, self.tables, self.hand = seed, tables, hand
        self.deck = shuffled_decks(fold(seed, 0, tables, hand), rules.deal.decks)
        need = np.where(fantasyland > 0, fantasyland.astype(np.int64), sum(dealt for dealt, _ in self.streets))
        # Each seat's cards lie together in the deck: who is in Fantasyland moves only the cards behind his.
        self.first_card = np.cumsum(need, axis=1) - need
        self.boards = np.full((n, players, SLOTS), EMPTY, np.uint8)
        self.shown = self.boards.copy()
        self.discards = np.full((n, players, MOST_DISCARDS), EMPTY, np.uint8)
        self.dealt = np.full((n, players, len(self.streets), MOST_DEALT), EMPTY, np.uint8)
        self.rows = np.full(self.dealt.shape, NO_CARD, np.uint8)

    def run(self) -> Dealt:
        players = range(self.agent_at.shape[1])
        if not self.in_turn:
            for seat in players:
                self._set(seat)
        start = 0
        for street, (dealt, _) in enumerate(self.streets):
            for seat in players:
                if self.in_turn and street == 0:
                    self._set(seat)
                normal = np.flatnonzero(self.fantasyland[:, seat] == 0)
                self._ask(normal, seat, street, self._cards(normal, seat, start, dealt))
            start += dealt
        return Dealt(self.boards, self.dealt, self.rows, self.fantasyland)

    def _cards(self, which: npt.NDArray[np.int64], seat: int, start: int, count: int) -> Cards:
        """The next cards of a seat, ``(len(which), count)``."""
        places = self.first_card[which, seat][:, None] + start + np.arange(count)
        return np.take_along_axis(self.deck[which], places, axis=1)

    def _set(self, seat: int) -> None:
        """Let those who are in Fantasyland set their cards."""
        for cards in np.unique(self.fantasyland[:, seat]):
            if cards > 0:
                which = np.flatnonzero(self.fantasyland[:, seat] == cards)
                self._ask(which, seat, 0, self._cards(which, seat, 0, int(cards)))

    def _ask(self, which: npt.NDArray[np.int64], seat: int, street: int, dealt: Cards) -> None:
        """Ask the agents at `seat` of some tables for placements and carry them out."""
        for number, agent in enumerate(self.agents):
            asked = np.flatnonzero(self.agent_at[which, seat] == number)
            if len(asked) == 0:
                continue
            tables, cards = which[asked], np.ascontiguousarray(dealt[asked])
            rows = agent.place(self._views(tables, seat, street, cards))
            boards, shown, discards = (part[tables, seat] for part in (self.boards, self.shown, self.discards))
            place(boards, shown, discards, cards, rows, self._open_cards(tables, seat))
            self.boards[tables, seat], self.shown[tables, seat], self.discards[tables, seat] = boards, shown, discards
            self.dealt[tables, seat, street, : cards.shape[1]] = cards
            self.rows[tables, seat, street, : cards.shape[1]] = rows

    def _open_cards(self, tables: npt.NDArray[np.int64], seat: int) -> Cards:
        """How many of each board's cards lie open, the first ones."""
        open_cards = 0 if self.rules.deal.game == "chinese" else SLOTS - self.rules.deal.face_down_last
        return np.where(self.fantasyland[tables, seat] > 0, 0, open_cards).astype(np.uint8)

    def _views(self, tables: npt.NDArray[np.int64], seat: int, street: int, cards: Cards) -> Views:
        players = self.agent_at.shape[1]
        others = [(seat + k) % players for k in range(1, players)]
        return Views(
            board=self.boards[tables, seat],
            dealt=cards,
            discards=self.discards[tables, seat],
            others=np.ascontiguousarray(self.shown[tables][:, others]),
            others_fantasyland=np.ascontiguousarray(self.fantasyland[tables][:, others]),
            fantasyland=self.fantasyland[tables, seat],
            street=street,
            keys=self._keys(tables, seat, street),
        )

    def _keys(self, tables: npt.NDArray[np.int64], seat: int, street: int) -> Keys:
        return fold(self.seed, 1 + seat * 16 + street, self.tables[tables], self.hand[tables])

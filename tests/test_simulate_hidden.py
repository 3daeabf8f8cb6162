"""Hidden cards stay hidden: whatever a seat cannot see is changed, and its choice does not change.

Cards face down, discards, Fantasyland hands, hands of closed Chinese poker, cards that are still to come: all of them
at once are dealt differently, while the other seats do again what they did before, so that all that lies open stays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from ingest.game.rules import RuleSet, builtin_rules, with_changes
from ingest.simulate import deal
from ingest.simulate.agents import make_agent
from ingest.simulate.deal import Dealt, deal_hands
from ingest.simulate.views import DISCARD, Agent, Cards, Views
from ingest.simulate.worth import make_setting
from tests.fantasyland_values import VALUES

TABLES = np.arange(3)


class Case(NamedTuple):
    """A table, the Fantasyland cards of its seats, and the decisions to look at, as pairs of seat and street."""

    base: str
    changes: dict[str, Any]
    fantasyland: tuple[int, ...]
    decisions: tuple[tuple[int, int], ...]


CASES = {
    "first cards, cards to come": Case("classic", {}, (0, 0, 0, 0), ((0, 0), (2, 3), (1, 8))),
    "discards": Case("pineapple", {}, (0, 0, 0), ((0, 0), (2, 0), (1, 2), (2, 4))),
    "a 2-7 middle": Case("pineapple-2-7", {}, (0, 0), ((1, 1), (0, 4))),
    "last three face down": Case("face-down-last-three", {}, (0, 0, 0), ((0, 6), (1, 7), (2, 8))),
    "two decks": Case("double-deck", {}, (0, 0, 0, 0, 0), ((4, 0), (1, 5))),
    "closed Chinese": Case("chinese-1-6", {}, (0, 0, 0), ((0, 0), (2, 0))),
    "Fantasyland set first": Case("pineapple", {}, (0, 15, 0), ((0, 0), (1, 0), (2, 3))),
    "Fantasyland set in turn": Case(
        "pineapple", {"fantasyland.sets": "in_turn"}, (0, 15, 0), ((0, 0), (1, 0), (2, 0), (0, 3))
    ),
    "two in Fantasyland, set in turn": Case(
        "classic", {"fantasyland.sets": "in_turn"}, (13, 0, 13), ((0, 0), (1, 0), (2, 0), (1, 8))
    ),
}


class Again:
    """A player who does again what he did before, whatever he is dealt."""

    name = "again"

    def __init__(self, before: Dealt, seat: int) -> None:
        self.rows = before.rows[:, seat]

    def place(self, views: Views) -> Cards:
        return self.rows[:, views.street, : views.dealt.shape[1]]


def played(rules: RuleSet, agents: list[Agent], fantasyland: tuple[int, ...]) -> Dealt:
    """One hand at each of TABLES; `agents` by seat."""
    seats = np.tile(np.arange(len(fantasyland)), (len(TABLES), 1))
    cards = np.tile(np.array(fantasyland, np.int8), (len(TABLES), 1))
    return deal_hands(rules, agents, seats, cards, 9, TABLES, TABLES)


def seen_by(rules: RuleSet, before: Dealt, table: int, seat: int, street: int) -> set[tuple[int, int, int]]:
    """What a seat may know when it acts: seat, street and number of each card that it was dealt or that lies open."""
    seen = set()
    in_turn = rules.fantasyland.sets == "in_turn"
    for other in range(before.boards.shape[1]):
        placed = 0
        for when, (rows, dealt) in enumerate(zip(before.rows[table, other], before.dealt[table, other], strict=True)):
            has_acted = when < street or (when == street and other < seat)
            if before.fantasyland[table, seat] > 0 and not in_turn:
                has_acted = False  # he sets before play begins
            for number in np.flatnonzero(dealt < 52):
                if other == seat:
                    if when <= street:
                        seen.add((other, when, int(number)))
                    continue
                if rows[number] == DISCARD:
                    continue
                placed += 1
                face_down = before.fantasyland[table, other] > 0 or rules.deal.game == "chinese"
                if has_acted and not face_down and placed <= 13 - rules.deal.face_down_last:
                    seen.add((other, when, int(number)))
    return seen


def places_in_the_deck(rules: RuleSet, fantasyland: tuple[int, ...]) -> dict[tuple[int, int, int], int]:
    """Where each card of a hand lies in the deck, by seat, street and number: each seat's cards lie together."""
    places = {}
    at = 0
    for seat, cards in enumerate(fantasyland):
        for street, (dealt, _) in enumerate(rules.deal.streets):
            if cards and street:
                break
            for number in range(cards or dealt):
                places[seat, street, number] = at
                at += 1
    return places


@pytest.mark.parametrize("agent", ["random", "cautious", "fast", "rollout"])
@pytest.mark.parametrize("name", list(CASES))
def test_what_a_seat_cannot_see_does_not_change_its_choice(
    name: str, agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, changes, fantasyland, decisions = CASES[name]
    rules = with_changes(builtin_rules()[base], changes)
    tested = make_agent(agent, make_setting(rules, len(fantasyland), VALUES))
    before = played(rules, [tested] * len(fantasyland), fantasyland)
    places = places_in_the_deck(rules, fantasyland)
    real = deal.shuffled_decks
    for seat, street in decisions:
        hidden = [
            np.array(sorted(set(range(52 * rules.deal.decks)) - {places[key] for key in keys}))
            for keys in (seen_by(rules, before, table, seat, street) for table in TABLES)
        ]

        def other_decks(keys: np.ndarray, decks: int, hidden: list[np.ndarray] = hidden) -> np.ndarray:
            changed = real(keys, decks)
            for deck, places in zip(changed, hidden, strict=True):
                deck[places] = deck[np.roll(places, 1)]
            return changed

        monkeypatch.setattr(deal, "shuffled_decks", other_decks)
        others: list[Agent] = [Again(before, other) for other in range(len(fantasyland))]
        others[seat] = tested
        after = played(rules, others, fantasyland)
        monkeypatch.setattr(deal, "shuffled_decks", real)
        assert (before.dealt[:, seat, : street + 1] == after.dealt[:, seat, : street + 1]).all()
        assert (before.dealt != after.dealt).any(axis=(1, 2, 3)).all()
        assert (before.rows[:, seat, : street + 1] == after.rows[:, seat, : street + 1]).all(), (seat, street)


@pytest.mark.parametrize("sets", ["first", "in_turn"])
def test_who_sets_in_turn_looks_at_what_lies_open(sets: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other half: what he may see does matter to him, and only if he sets in turn."""
    rules = with_changes(builtin_rules()["row-winner"], {"fantasyland.sets": sets})
    tables = np.arange(60)
    agent = make_agent("fast", make_setting(rules, 2, VALUES))
    fantasyland = np.tile(np.array([0, 13], np.int8), (60, 1))
    runs = [deal_hands(rules, [agent], np.zeros((60, 2), int), fantasyland, 4, tables, tables)]
    real = deal.shuffled_decks

    def other_decks(keys: np.ndarray, decks: int) -> np.ndarray:
        changed = real(keys, decks)
        changed[:, :13], changed[:, 26:39] = real(keys, decks)[:, 26:39], real(keys, decks)[:, :13]
        return changed

    monkeypatch.setattr(deal, "shuffled_decks", other_decks)
    runs.append(deal_hands(rules, [agent], np.zeros((60, 2), int), fantasyland, 4, tables, tables))
    assert (runs[0].dealt[:, 1] == runs[1].dealt[:, 1]).all()
    differs = (runs[0].boards[:, 1] != runs[1].boards[:, 1]).any(axis=1)
    assert differs.any() == (sets == "in_turn")

"""Who acts later has seen more: 8 8 J 3 5 with three clubs at a four-handed classic table, as a good player plays it.

First to act he goes for the flush only if the jack is a club, so that the eights stay together; else 8 8 J go to the
back. Second, with no club out, he goes for it, third also with one dead. The jack never lies alone in the middle.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from ingest.game.cards import parse_card, parse_cards
from ingest.game.naturals import natural_masks
from ingest.game.rules import builtin_rules
from ingest.game.score import score_hands
from ingest.game.strength import row_strengths
from ingest.simulate import deal
from ingest.simulate.deal import deal_hands
from ingest.simulate.fast import FastAgent, street_ways
from ingest.simulate.rollout import RolloutAgent
from ingest.simulate.values import fantasyland_values
from ingest.simulate.views import BACK, MIDDLE, Cards, Views
from ingest.simulate.worth import make_setting

RULES, PLAYERS = builtin_rules()["classic"], 4
WITH_CLUB_JACK, WITHOUT = "8d 8h Jc 3c 5c", "8c 8d Jh 3c 5c"
# What else one may do with these cards.
OTHERS = {
    WITH_CLUB_JACK: ("Jc / 5c / 8d 8h 3c", "/ Jc 5c / 8d 8h 3c", "5c / 3c / 8d 8h Jc"),
    WITHOUT: ("Jh / 5c / 8c 8d 3c", "/ Jh 5c / 8c 8d 3c", "/ 8d Jh / 8c 3c 5c"),
}
ALONE = {WITH_CLUB_JACK: "5c / Jc / 8d 8h 3c", WITHOUT: "5c / Jh / 8c 8d 3c"}


@dataclass(frozen=True)
class Case:
    """A seat in acting order, its cards, the clubs that lie open before it, and what is advised."""

    seat: int
    cards: str
    clubs: int
    advised: str


CASES = {
    "first, the jack a club": Case(0, WITH_CLUB_JACK, 0, "/ 8d 8h / Jc 3c 5c"),
    "first, the jack none": Case(0, WITHOUT, 0, "/ 3c 5c / 8c 8d Jh"),
    "second, no club out": Case(1, WITH_CLUB_JACK, 0, "/ 8d 8h / Jc 3c 5c"),
    "third, one club dead": Case(2, WITH_CLUB_JACK, 1, "/ 8d 8h / Jc 3c 5c"),
}


def placement(cards: str, text: str) -> Cards:
    """Where each card goes, from rows apart by ``/``."""
    rows = [parse_cards(row) for row in text.split("/")]
    return np.array([next(k for k, row in enumerate(rows) if card in row) for card in parse_cards(cards)], np.uint8)


class First:
    """Places its first cards as it is told, and then plays on."""

    name = "first"

    def __init__(self, agent: FastAgent, way: Cards) -> None:
        self.agent, self.way = agent, way

    def place(self, views: Views) -> Cards:
        if views.street == 0:
            return np.tile(self.way, (len(views.board), 1))
        return self.agent.place(views)


def arranged(deck: Cards, case: Case) -> Cards:
    """A deck in which the case comes up; no eight and no jack lies open before the seat."""
    mine = parse_cards(case.cards)
    rest = [int(card) for card in deck if card not in mine]
    quiet = [card for card in rest if card >> 2 not in {parse_card(rank) >> 2 for rank in ("8c", "Jc")}]
    clubs = [card for card in quiet if card & 3 == 0][: case.clubs]
    open_cards = (clubs + [card for card in quiet if card & 3])[: 5 * case.seat]
    rest = [card for card in rest if card not in open_cards]
    for seat in range(PLAYERS):
        first = open_cards[5 * seat : 5 * seat + 5] if seat < case.seat else mine if seat == case.seat else []
        place = 13 * seat
        rest[place:place] = first  # everything before this place is dealt already
    return np.array(rest, np.uint8)


@pytest.mark.parametrize("name", list(CASES))
def test_what_is_advised_wins_most(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Played on by agents that do not look ahead, on the same decks for each way to place the first cards."""
    case, hands = CASES[name], 1_500
    setting = make_setting(RULES, PLAYERS, fantasyland_values(RULES, PLAYERS))
    agent = FastAgent(setting)
    real = deal.shuffled_decks
    monkeypatch.setattr(
        deal, "shuffled_decks", lambda keys, decks: np.stack([arranged(deck, case) for deck in real(keys, decks)])
    )
    at = np.zeros((hands, PLAYERS), np.int64)
    at[:, case.seat] = 1
    tables = np.arange(hands)
    worth = {}
    for text in (case.advised, *OTHERS[case.cards], ALONE[case.cards]):
        agents = [agent, First(agent, placement(case.cards, text))]
        dealt = deal_hands(setting.rules, agents, at, np.zeros((hands, PLAYERS), np.int8), 5, tables, tables)
        assert (dealt.dealt[:, case.seat, 0, :5] == parse_cards(case.cards)).all()
        boards = dealt.boards.reshape(-1, 13)
        scores = score_hands(
            setting.compiled,
            row_strengths(boards),
            natural_masks(boards),
            np.zeros(len(boards), np.int8),
            np.arange(hands + 1) * PLAYERS,
        )
        earned = scores.points + setting.values[scores.fantasyland_next]
        worth[text] = earned.reshape(hands, PLAYERS)[:, case.seat]
    for text in OTHERS[case.cards]:
        gap = worth[case.advised] - worth[text]
        assert gap.mean() > -2 * gap.std() / np.sqrt(hands), text
    gap = worth[case.advised] - worth[ALONE[case.cards]]
    assert gap.mean() > 2 * gap.std() / np.sqrt(hands)


class Watcher:
    """Remembers its first decision."""

    name = "watcher"

    def __init__(self, agent: FastAgent) -> None:
        self.agent = agent
        self.seen: list[Views] = []

    def place(self, views: Views) -> Cards:
        self.seen.append(views)
        return self.agent.place(views)


@pytest.mark.parametrize("name", CASES)
def test_rollouts_find_what_is_advised(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The advised row of the back holds the best placement, or one that is not worse beyond doubt."""
    case, tables = CASES[name], np.arange(8)
    setting = make_setting(RULES, PLAYERS, fantasyland_values(RULES, PLAYERS))
    agent = RolloutAgent(setting, "deep")
    watcher = Watcher(FastAgent(setting))
    real = deal.shuffled_decks
    monkeypatch.setattr(
        deal, "shuffled_decks", lambda keys, decks: np.stack([arranged(deck, case) for deck in real(keys, decks)])
    )
    at = np.zeros((8, PLAYERS), np.int64)
    at[:, case.seat] = 1
    deal_hands(setting.rules, [FastAgent(setting), watcher], at, np.zeros((8, PLAYERS), np.int8), 5, tables, tables)
    values = agent.weigh(watcher.seen[0])
    ways, _ = street_ways(5, 5)
    cards = parse_cards(case.cards)
    advised = placement(case.cards, case.advised)
    to_back = np.flatnonzero(advised == BACK)
    agrees = (ways[:, to_back] == BACK).all(axis=1)
    jack = next(k for k, card in enumerate(cards) if card >> 2 == parse_card("Jc") >> 2)
    alone = (ways[:, jack] == MIDDLE) & ((ways == MIDDLE).sum(axis=1) == 1)
    losses, errors = [], []
    for table in tables:
        looked_at = agrees & (values.futures[table] > 0)
        assert looked_at.any(), "what is advised was not even looked at"
        best = np.flatnonzero(looked_at)[values.mean[table, looked_at].argmax()]
        losses.append(values.mean[table, values.best[table]] - values.mean[table, best])
        errors.append(values.loss_error[table, best])
    assert not alone[values.best].any()
    assert np.mean(losses) <= 2 * np.sqrt(np.square(errors).sum()) / len(tables)

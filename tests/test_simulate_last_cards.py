"""Before the last street nothing is guessed: the worth of a board against every single last deal, judged one by one."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from ingest.game.board import parse_board
from ingest.game.cards import CARD_COUNT, parse_cards
from ingest.game.rules import builtin_rules
from ingest.simulate.chance import fold
from ingest.simulate.fast import FastAgent, street_ways
from ingest.simulate.judge import lay
from ingest.simulate.rollout import RolloutAgent
from ingest.simulate.views import DISCARD, FREE, Cards, Views
from ingest.simulate.worth import make_setting

VALUES = {13: 6.0, 14: 10.0, 15: 14.0, 16: 19.0, 17: 24.0}


def views(boards: Cards, dealt: Cards, discards: Cards, street: int, players: int) -> Views:
    n = len(boards)
    return Views(
        boards, dealt, discards, np.full((n, players - 1, 13), FREE, np.uint8), np.zeros((n, players - 1), np.int8),
        np.zeros(n, np.int8), street, fold(3, np.arange(n)),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("rules", "players", "board", "dealt", "discards"),
    [
        ("pineapple", 2, "Qc Qd / 7c 7d 8h / Kc Kd 5c 5d", "As 9d 2c", "2h 3h"),
        ("pineapple", 3, "Qc / 7c 7d 8h 9s / Kc Jc 5c 4c", "As 9d 2c", "2h 3h"),
        ("pineapple-progressive", 2, "Qc Qh / 7c 6c 8c / Kc Kd 2c 2d", "As 9d Kh", "2h 3h"),
        ("pineapple-2-7", 2, "Qc / 7c 5d 8h 2s / Kc Kd 5c 4c", "As 9d 3c", "2h 3h"),
        ("double-deck-pineapple", 2, "Qc / 7c 7c 8h 8h / Kc Kc Kd 5c", "Kh 9d 2c", "2h 3h"),
        ("classic", 4, "Qc Qd / 7c 7d 8h 9h / Kc Kd 5c 5d Ks", "As", ""),
        ("row-winner", 2, "Qc Qd / 7c 7d 8h 8c / Kc Jc 5c 4c 2c", "As", ""),
        ("shoot-the-moon", 2, "Qc Qd / 7c 7d 8h 8c / 2c 3c 4d 6d 8s", "As", ""),
    ],
)
def test_the_worth_before_the_last_street_is_the_mean_over_all_last_cards(
    rules: str, players: int, board: str, dealt: str, discards: str
) -> None:
    setting = make_setting(builtin_rules()[rules], players, VALUES)
    streets, decks = setting.rules.deal.streets, setting.rules.deal.decks
    start = parse_board(board)[None]
    cards = np.array([parse_cards(dealt)], np.uint8)
    thrown = np.full((1, 4), FREE, np.uint8)
    thrown[0, : len(parse_cards(discards))] = parse_cards(discards)
    placed = int((start < CARD_COUNT).sum())
    street = int(np.flatnonzero(np.cumsum([kept for _, kept in streets]) == placed)[0]) + 1
    values = RolloutAgent(setting).weigh(views(start, cards, thrown, street, players))
    ways, _ = street_ways(*streets[street])
    left = np.full(CARD_COUNT, decks)
    for seen in (*start[0], *cards[0], *thrown[0]):
        if seen < CARD_COUNT:
            left[seen] -= 1
    # Two decks: cards that are there twice come twice as often.
    last = np.array(list(combinations(np.repeat(np.arange(CARD_COUNT), left), streets[-1][0])), np.uint8)
    last, times = np.unique(last, axis=0, return_counts=True)
    checked = 0
    for way, rows in enumerate(ways):
        if np.isnan(values.mean[0, way]):
            continue
        after, gone = np.empty(13, np.uint8), thrown[0].copy()
        lay(start[0], cards[0], rows, after)
        gone[(gone < CARD_COUNT).sum() :][: (rows == DISCARD).sum()] = cards[0][rows == DISCARD]
        n = len(last)
        every, _ = FastAgent(setting).values(
            views(np.repeat(after[None], n, 0), last, np.repeat(gone[None], n, 0), street + 1, players)
        )
        assert values.mean[0, way] == pytest.approx(np.average(every.max(axis=1), weights=times), abs=2e-3)
        assert values.error[0, way] == 0
        checked += 1
    assert checked > 1

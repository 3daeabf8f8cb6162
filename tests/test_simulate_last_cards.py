"""Where nothing is left to guess nothing is guessed.

The worth of a board before the last street, against every single last deal judged one by one; the worth of a last
placement against complete boards, against the scorer.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from ingest.game.board import parse_board
from ingest.game.cards import CARD_COUNT, parse_cards
from ingest.game.rules import builtin_rules
from ingest.game.score import score_hands
from ingest.game.strength import row_strengths
from ingest.simulate.chance import fold, shuffled_decks
from ingest.simulate.fast import FastAgent, street_ways
from ingest.simulate.judge import lay
from ingest.simulate.rollout import RolloutAgent
from ingest.simulate.views import DISCARD, FREE, Cards, Views
from ingest.simulate.worth import make_setting
from tests.fantasyland_values import VALUES

ROWS = ((0, 0, 3), (1, 3, 8), (2, 8, 13))


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


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize(
    "rules", ["pineapple", "pineapple-progressive", "pineapple-2-7", "classic", "classic-2-4", "row-winner"]
)
def test_the_last_to_act_knows_what_each_placement_pays(rules: str, players: int) -> None:
    """All opponents' boards are complete: a placement is worth the points that it scores and what it earns next."""
    setting = make_setting(builtin_rules()[rules], players, VALUES)
    streets, compiled, n = setting.rules.deal.streets, setting.compiled, 400
    ways, _ = street_ways(*streets[-1])
    packs = shuffled_decks(fold(11, np.arange(n)), 1)
    others = np.stack([packs[:, 13 * k : 13 * k + 13] for k in range(players - 1)], axis=1)
    # Boards in the order of their cards are often legal: weak in front, strong in the back.
    others = np.sort(others, axis=2)
    own = np.sort(packs[:, 26:39], axis=1)
    dealt, kept = streets[-1]
    own[:, [2, 7, 12][:kept]] = FREE
    given = views(
        own, np.ascontiguousarray(packs[:, 39 : 39 + dealt]), np.full((n, 4), FREE, np.uint8), len(streets) - 1, players
    )
    worths, _ = FastAgent(setting).values(given._replace(others=np.ascontiguousarray(others)))
    truth = np.full(worths.shape, np.nan)
    for i in range(n):
        after = [np.empty(13, np.uint8) for _ in ways]
        for board, rows in zip(after, ways, strict=True):
            if all((rows == row).sum() == (own[i, start:stop] == FREE).sum() for row, start, stop in ROWS):
                lay(own[i], given.dealt[i], rows, board)
            else:
                board[:] = FREE
        boards = np.concatenate([np.vstack([board, others[i]]) for board in after])
        scores = score_hands(
            compiled, row_strengths(boards), np.zeros(len(boards), np.uint16), np.zeros(len(boards), np.int8),
            np.arange(len(ways) + 1) * players,
        )  # fmt: skip
        mine = slice(None, None, players)
        fits = (boards[mine] != FREE).all(axis=1)
        # What opponents' royalties cost in any case is no matter of a placement.
        paid = scores.values.sum(axis=1).reshape(-1, players)[:, 1:].sum(axis=1)
        truth[i, fits] = (scores.points[mine] + setting.values[scores.fantasyland_next[mine]] + paid)[fits]
    known = ~np.isnan(truth)
    off = np.abs(worths - truth)[known]
    assert known.sum() >= n
    if setting.rules.royalties.count == "row_winner":  # two rows of one bucket: half of the royalty is denied
        assert (off > 0.01).mean() < 0.02
    else:
        assert off.max() < 0.01

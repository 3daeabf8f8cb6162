"""Setting 13 to 17 cards: the best of all arrangements, and the known figures of it."""

from __future__ import annotations

import numpy as np
import pytest

from ingest.game.naturals import natural_masks
from ingest.game.rules import RuleSet, builtin_rules, with_changes
from ingest.game.score import score_hands
from ingest.game.strength import row_strengths
from ingest.simulate.arrange import best_boards, rows_of
from ingest.simulate.chance import fold, shuffled_decks
from ingest.simulate.worth import make_setting
from tests.arrangements import all_boards, crowds, worths
from tests.fantasyland_values import VALUES

# Rule sets that ask for something more than rows that pay more when they are stronger.
ODD = {
    "naturals": builtin_rules()["naturals"],
    "shoot-the-moon": builtin_rules()["shoot-the-moon"],
    "chinese-2-4": builtin_rules()["chinese-2-4"],
    "row-winner": builtin_rules()["row-winner"],
    "royalty-stay": builtin_rules()["royalty-stay"],
    "upside down": with_changes(builtin_rules()["classic"], {"royalties.back.straight": 9, "royalties.back.flush": 1}),
    "2-4, row winner": with_changes(builtin_rules()["classic-2-4"], {"royalties.count": "row_winner"}),
    "pineapple-2-7": builtin_rules()["pineapple-2-7"],
    "stay by two rows": with_changes(
        builtin_rules()["classic"],
        {"fantasyland.stay": [{"front": "66+", "back": "flush+", "cards": 13}, {"royalty": 20, "cards": 17}]},
    ),
}


@pytest.mark.parametrize("rules", [builtin_rules()["classic"], *ODD.values()], ids=["classic", *ODD])
def test_no_arrangement_is_better_than_the_one_found(rules: RuleSet) -> None:
    own = 0 if rules.deal.game == "chinese" else 13
    for others in ((0,), (own, 0, 0)):
        setting = make_setting(rules, len(others) + 1, VALUES)
        decks = shuffled_decks(fold(len(others), np.arange(6)), 1)[:, :13]
        boards, found = best_boards(setting, decks, 13, others, own_cards=own)
        for cards, board, worth in zip(decks, boards, found, strict=True):
            if np.isnan(worth):  # a 2-7 hand of which nothing legal can be made
                assert np.isnan(worths(setting, all_boards(cards), own, crowds(setting, others))).all()
                continue
            every = worths(setting, all_boards(cards), own, crowds(setting, others))
            assert worth == pytest.approx(np.nanmax(every), abs=1e-3)
            assert worths(setting, board[None], own, crowds(setting, others))[0] == pytest.approx(worth, abs=1e-3)


def test_no_choice_of_13_out_of_14_cards_is_better_than_the_one_found() -> None:
    setting = make_setting(builtin_rules()["pineapple-ultimate"], 2, VALUES)
    decks = shuffled_decks(fold(4, np.arange(2)), 1)[:, :14]
    _, found = best_boards(setting, decks, 14, (0,), own_cards=14)
    for cards, worth in zip(decks, found, strict=True):
        chosen = [np.delete(cards, left_out) for left_out in range(14)]
        best = max(np.nanmax(worths(setting, all_boards(some), 14, crowds(setting, (0,)))) for some in chosen)
        assert worth == pytest.approx(best, abs=1e-3)


def test_special_boards_are_found() -> None:
    dragon = np.array([[*range(0, 52, 4)]], np.uint8)  # A to 2 in clubs
    setting = make_setting(builtin_rules()["naturals"], 2, VALUES)
    _, [worth] = best_boards(setting, dragon, 13, (0,), own_cards=13)
    assert worth > 108
    low = np.array([[0, 5, 10, 15, 16, 21, 26, 31, 33, 38, 2, 7, 9]], np.uint8)
    moon = make_setting(with_changes(builtin_rules()["shoot-the-moon"], {"moon.points": 500}), 2, VALUES)
    boards, _ = best_boards(moon, low, 13, (0,), own_cards=13)
    best = np.nanmax(worths(moon, all_boards(low[0]), 13, crowds(moon, (0,))))
    assert worths(moon, boards, 13, crowds(moon, (0,)))[0] == pytest.approx(best, abs=1e-3)
    assert best > 499


# Royalties (mean, its error, standard deviation) and stays (share, error) by number of cards, with staying valued at
# ten points: two programs agree on them within noise. Staying so costs 0.05 to 0.15 of the mean for royalties alone.
KNOWN = {
    13: (8.94, 0.02, 4.7, 0.0602, 0.0008),
    14: (12.36, 0.02, 5.5, 0.1029, 0.0010),
    15: (16.23, 0.02, 6.3, 0.194, 0.001),
    16: (20.34, 0.02, 6.9, 0.347, 0.002),
    17: (24.35, 0.02, 7.2, 0.548, 0.002),
}


@pytest.mark.parametrize("cards", list(KNOWN))
def test_royalties_and_stays_are_the_known_ones(cards: int) -> None:
    mean, mean_error, deviation, stays, stays_error = KNOWN[cards]
    deals = 20_000
    decks = shuffled_decks(fold(8, np.arange(deals)), 1)
    rules = builtin_rules()["pineapple-strict-stay"]
    for value, check_royalties in ((0.0, True), (10.0, False)):
        setting = make_setting(rules, 2, {cards: value, 14: value})
        boards, _ = best_boards(setting, decks, cards, (0,), own_cards=cards, rows_count=False)
        strengths = row_strengths(boards)
        now = np.full(deals, cards, np.int8)
        scores = score_hands(setting.compiled, strengths, natural_masks(boards), now, np.arange(deals + 1))
        assert not scores.fouled.any()
        royalties = scores.values.sum(axis=1)
        if check_royalties:
            error = np.hypot(mean_error, royalties.std() / np.sqrt(deals))
            assert abs(royalties.mean() - mean) < 3 * error
            assert royalties.std() == pytest.approx(deviation, abs=0.15)
        else:
            rate = (scores.fantasyland_next > 0).mean()
            assert abs(rate - stays) < 3 * np.hypot(stays_error, np.sqrt(stays * (1 - stays) / deals))


def test_a_low_middle_fouls_as_often_as_is_known() -> None:
    deals = 20_000
    setting = make_setting(builtin_rules()["pineapple-2-7"], 2, VALUES)
    decks = shuffled_decks(fold(8, np.arange(deals)), 1)
    for cards, legal in ((14, 0.969), (15, 0.984)):
        boards, worth = best_boards(setting, decks, cards, (0,), own_cards=cards)
        rate = 1 - np.isnan(worth).mean()
        assert abs(rate - legal) < 3 * np.sqrt(legal * (1 - legal) / deals) + 0.0005
        fouled = np.isnan(worth)
        strengths = row_strengths(boards)
        scores = score_hands(
            setting.compiled, strengths, natural_masks(boards), np.full(deals, cards, np.int8), np.arange(deals + 1)
        )
        assert (scores.fouled == fouled).all()


def test_two_decks_can_be_set_and_every_card_is_accounted_for() -> None:
    setting = make_setting(builtin_rules()["double-deck-pineapple"], 2, VALUES)
    decks = shuffled_decks(fold(3, np.arange(300)), 2)[:, :17]
    boards, _ = best_boards(setting, decks, 17, (0,), own_cards=17)
    rows = rows_of(boards, decks)
    assert (np.sort((rows == 3).sum(axis=1)) == 4).all()
    for board, cards, placed in zip(boards, decks, rows, strict=True):
        assert sorted(board.tolist()) == sorted(cards[placed < 3].tolist())


def test_a_wrong_number_of_cards_is_refused() -> None:
    setting = make_setting(builtin_rules()["classic"], 2, VALUES)
    with pytest.raises(ValueError, match="expected 13 to 17 cards in each hand, got 12"):
        best_boards(setting, np.zeros((1, 17), np.uint8), 12, (0,), own_cards=13)

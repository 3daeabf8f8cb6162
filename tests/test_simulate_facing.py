"""Setting all cards at once by one who has seen what stands opposite: nothing that he may know is left unused."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from ingest.game.board import make_board
from ingest.game.cards import format_card, parse_cards
from ingest.game.naturals import natural_masks
from ingest.game.rules import builtin_rules
from ingest.game.score import score_hands
from ingest.game.strength import NO_STRENGTH, row_strengths
from ingest.simulate.arrange import best_boards, rows_of
from ingest.simulate.chance import fold, shuffled_decks
from ingest.simulate.opposite import look_across
from ingest.simulate.setter import set_at_once, usual_net
from ingest.simulate.views import FACE_DOWN, FREE, Cards, Views, part
from ingest.simulate.worth import Setting, make_setting
from tests import naive
from tests.arrangements import Opponent, all_boards, likely, worths
from tests.deals import deal, recipes_for
from tests.fantasyland_values import VALUES
from tests.house_rules import rules_of
from tests.seats import slots_of

# Rule sets in which rows win alone and together, for their winner only, or are set aside.
RULES: list[tuple[str, dict[str, Any]]] = [
    ("classic", {}),
    ("classic-2-4", {}),
    ("pineapple-ultimate", {}),
    ("pineapple-2-7", {}),
    ("row-winner", {}),
    ("classic-2-4", {"royalties.count": "row_winner", "points.scoop": 2}),
    ("naturals", {"moon.points": 20}),
    ("naturals", {"naturals.pay": "instead", "moon.points": 20}),
    ("double-deck", {}),
]


def views_of(dealt: Cards, others: Cards, others_fantasyland: np.ndarray | None = None) -> Views:
    """Hands that are to be set by players in Fantasyland who see `others` ``(n, o, 13)``."""
    n, opponents = others.shape[:2]
    if others_fantasyland is None:
        others_fantasyland = np.zeros((n, opponents), np.int8)
    return Views(
        board=np.full((n, 13), FREE, np.uint8),
        dealt=dealt,
        discards=np.full((n, 4), FREE, np.uint8),
        others=others,
        others_fantasyland=others_fantasyland,
        fantasyland=np.full(n, dealt.shape[1], np.int8),
        street=0,
        keys=fold(3, np.arange(n)),
    )


def boards_from(dealt: Cards, rows: Cards) -> Cards:
    return np.stack(
        [np.concatenate([cards[row == k] for k in range(3)]) for cards, row in zip(dealt, rows, strict=True)]
    )


def remembered(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of lists of cards that remembers its answers: every row is asked for many times."""
    answers: dict[Any, Any] = {}

    def ask(cards: list[str], *more: Any, **named: Any) -> Any:
        key = (tuple(cards), more, tuple(named.items()))
        if key not in answers:
            answers[key] = function(cards, *more, **named)
        return answers[key]

    return ask


@pytest.mark.parametrize(("base", "changes"), RULES, ids=[f"{base} {changes}" for base, changes in RULES])
def test_nothing_gets_more_from_boards_that_lie_open(
    base: str, changes: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of all 72,072 arrangements none gets more from complete boards opposite, says the slow twin."""
    for name in ("strength", "sequence_top"):
        monkeypatch.setattr(naive, name, remembered(getattr(naive, name)))
    twin, rules = rules_of(base, changes)
    for seed in range(3):
        rng = random.Random(f"facing {base} {seed}")
        hand = deal(rng, twin, recipes_for(twin), incomplete=False)
        mine, *others = hand["boards"][: 2 + seed % 3]
        setting = make_setting(rules, len(others) + 1, VALUES)
        cards = np.sort(slots_of(mine))[None]
        views = views_of(cards, np.stack([slots_of(board) for board in others])[None])
        opposite = [naive.facts_of(board, twin) for board in others]
        best = max(twin_worth(texts, opposite, twin) for texts in every_arrangement(cards[0]))
        [found] = boards_from(cards, set_at_once(setting, views))
        assert twin_worth([format_card(int(card)) for card in found], opposite, twin) == best, f"seed {seed}"


def every_arrangement(cards: Cards) -> Iterator[list[str]]:
    texts = [format_card(int(card)) for card in cards]
    for board in all_boards(np.arange(13)).tolist():
        yield [texts[k] for k in board]


def twin_worth(texts: list[str], opposite: list[Any], rules: naive.Rules) -> float:
    """Points of a board against others and the value of the next hand, as the slow twin sees it."""
    board = {"front": texts[:3], "middle": texts[3:8], "back": texts[8:]}
    if not naive.is_legal(board, rules):
        return -np.inf
    facts = naive.facts_of(board, rules)
    points = sum(naive.total(naive.pair_parts(facts, other, rules)) for other in opposite)
    return points + VALUES.get(naive.fantasyland_next(board, 13, rules) or 0, 0)


def open_five(boards: Cards) -> Cards:
    """Boards ``(n, 13)`` of which five cards lie: one in front, two in the middle, two in the back."""
    shown = boards.copy()
    shown[:, [1, 2, 5, 6, 7, 10, 11, 12]] = FREE
    return shown


@pytest.mark.parametrize("name", ["classic", "classic-2-4", "pineapple-2-7", "row-winner"])
@pytest.mark.parametrize("lie", ["five cards", "a full back", "one complete board, one of five"])
def test_no_arrangement_is_better_against_what_is_likely(name: str, lie: str) -> None:
    """Boards that have room are what the net says of them, full rows in them are what they are."""
    rules = builtin_rules()[name]
    decks = shuffled_decks(fold(5, np.arange(3)), 1)
    others = np.stack([decks[:, 13:26], decks[:, 26:39]], axis=1)
    if lie == "a full back":
        others[:, 0, 3:8], others[:, 1] = FREE, open_five(others[:, 1])
    elif lie == "five cards":
        others[:, 0], others[:, 1] = open_five(others[:, 0]), FREE
    else:
        others[:, 1] = open_five(others[:, 1])
    setting = make_setting(rules, 3, VALUES)
    views = views_of(np.ascontiguousarray(decks[:, :13]), others)
    seen = look_across(setting, views, usual_net(setting))
    found, worth = best_boards(setting, views.dealt, 13, seen, own_cards=13)
    assert (
        boards_from(views.dealt, set_at_once(setting, views)) == boards_from(views.dealt, rows_of(found, views.dealt))
    ).all()
    for i in range(3):
        opposite = [opponent(setting, others[i, o], seen.legal[i, o], seen.ends[i, o]) for o in range(2)]
        every = worths(setting, all_boards(views.dealt[i]), 13, opposite)
        if np.isnan(worth[i]):
            assert np.isnan(every).all()
            continue
        assert worth[i] == pytest.approx(np.nanmax(every), abs=1e-3)
        assert worths(setting, found[i][None], 13, opposite)[0] == pytest.approx(worth[i], abs=1e-3)


def opponent(setting: Setting, board: Cards, legal: float, ends: np.ndarray) -> Opponent:
    """The Opponent that a board is of which some cards lie open."""
    guessed = likely(setting, legal, ends)
    [strengths] = row_strengths(board[None])
    rows = []
    for row, strength in enumerate(strengths):
        if strength == NO_STRENGTH:
            rows.append(guessed.rows[row])
        else:
            rows.append((np.arange(len(guessed.rows[row])) == strength).astype(float))
    return Opponent(legal, (rows[0], rows[1], rows[2]))


def lying(text: str) -> Cards:
    """A board of which some cards lie, rows apart by ``/``."""
    front, middle, back = (parse_cards(row) for row in text.split("/"))
    return make_board((front, middle, back))


def test_what_is_known_of_boards_that_lie_open() -> None:
    setting = make_setting(builtin_rules()["pineapple"], 2, VALUES)
    texts = {
        "legal": "2c 3d 5h / 6c 6d 8s 9h Th / Ac Kc 9c 4c 3c",
        "fouled": "Ac Ad 5h / 6c 6d 8s 9h Th / Kc Kd 9c 4c 3c",
        "back below middle": "/ 6c 6d 8s 8h Th / Kc Kd 9c 4c 3c",
        "middle below front": "Ac Ad 5h / 6c 6d 8s 9h Th /",
        "room": "2c / 6c 6d / Ac Kc",
        "three face down": "2c 3d ?? / 6c 6d 8s 9h Th / Ac Kc 9c ?? ??",
        "nothing": "/ /",
    }
    others = np.stack([lying(text) for text in texts.values()])[:, None]
    dealt = np.tile(np.array(parse_cards("Ah As 2d 2h 2s 4d 4h 4s 7d 7h 7s Jd Jh Js"), np.uint8), (len(texts), 1))
    seen = look_across(setting, views_of(dealt, others), usual_net(setting))
    legal = dict(zip(texts, seen.legal[:, 0], strict=True))
    full = dict(zip(texts, (seen.known[:, 0] >= 0).tolist(), strict=True))
    assert legal["legal"] == 1
    assert legal["fouled"] == legal["back below middle"] == legal["middle below front"] == 0
    assert 0 < legal["room"] < 1
    assert 0 < legal["three face down"] < 1
    assert legal["nothing"] == setting.crowd(0).legal
    assert full["legal"] == [True, True, True]
    assert full["three face down"] == [False, True, False]
    assert full["room"] == full["nothing"] == [False, False, False]


def test_hands_that_see_something_and_hands_that_do_not_are_set_side_by_side() -> None:
    setting = make_setting(builtin_rules()["pineapple"], 3, VALUES)
    decks = shuffled_decks(fold(6, np.arange(40)), 1)
    others = np.full((40, 2, 13), FREE, np.uint8)
    others[::2, 1] = open_five(decks[::2, 20:33])
    in_fantasyland = np.zeros((40, 2), np.int8)
    in_fantasyland[::3, 0] = 15
    views = views_of(np.ascontiguousarray(decks[:, :14]), others, in_fantasyland)
    together = set_at_once(setting, views)
    alone = [set_at_once(setting, part(views, np.array([i])))[0] for i in range(40)]
    assert (together == np.stack(alone)).all()
    # A card that lies face down is no card that is seen.
    hidden = np.where(others < 52, FACE_DOWN, FREE).astype(np.uint8)
    blind = set_at_once(setting, views._replace(others=hidden))
    assert (blind == set_at_once(setting, views._replace(others=np.full_like(others, FREE)))).all()
    assert (blind[1::2] == together[1::2]).all()
    assert (blind[::2] != together[::2]).any()


def test_what_is_seen_is_worth_points() -> None:
    """Against complete boards that lie open never a point less than blind, and often more."""
    setting = make_setting(builtin_rules()["row-winner"], 2, VALUES)
    decks = shuffled_decks(fold(7, np.arange(400)), 1)
    others, _ = best_boards(setting, np.ascontiguousarray(decks[:, 14:28]), 14, (0,), own_cards=13)
    views = views_of(np.ascontiguousarray(decks[:, :13]), others[:, None])
    blind = views._replace(others=np.full_like(views.others, FREE))
    seen, unseen = (worth_against(setting, v.dealt, set_at_once(setting, v), others) for v in (views, blind))
    assert (seen >= unseen).all()
    assert (seen - unseen).mean() > 0.5


def worth_against(setting: Setting, dealt: Cards, rows: Cards, others: Cards) -> np.ndarray:
    """Points against one complete board and the value of the next hand."""
    boards = np.stack([boards_from(dealt, rows), others], axis=1).reshape(-1, 13)
    now = np.tile(np.array([dealt.shape[1], 0], np.int8), len(dealt))
    first_seat = np.arange(0, len(boards) + 1, 2)
    scores = score_hands(setting.compiled, row_strengths(boards), natural_masks(boards), now, first_seat)
    return (scores.points + setting.values[scores.fantasyland_next])[::2]

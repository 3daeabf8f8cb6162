"""Whether a board can still become legal: against trying every card, and by hand."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from analysis.completions import can_become_legal, new_ways
from ingest.game import rules as game_rules
from ingest.game.cards import CARD_COUNT, parse_cards
from ingest.game.compiled import compile_rules
from ingest.game.rules import builtin_rules
from ingest.game.strength import strength_tables
from tests import naive

RULES = builtin_rules()
WAYS = new_ways()
ROWS = naive.ROWS
DECK = [rank + suit for rank in naive.RANKS for suit in "cdhs"]
# One deck, two decks, and a middle that plays for a low hand.
GAMES = ("classic", "double-deck", "pineapple-2-7")

Board = dict[str, list[str]]


def found(board: Board, pool: list[str], game: str) -> bool:
    """What the fast search says."""
    cards = np.zeros(13, np.uint8)
    for row, start in zip(ROWS, (0, 3, 8), strict=True):
        cards[start : start + len(board[row])] = parse_cards(" ".join(board[row]))
    filled = np.array([len(board[row]) for row in ROWS])
    left = np.bincount(parse_cards(" ".join(pool)), minlength=CARD_COUNT).astype(np.int64)
    before = left.copy()
    rules = compile_rules(RULES[game])
    answer = can_become_legal(
        cards, filled, left, rules.front, rules.five, rules.numbers.low, strength_tables(), WAYS
    )  # fmt: skip
    assert (left == before).all()
    return bool(answer)


def naive_rules(game: str) -> naive.Rules:
    return naive.load_rules(Path(game_rules.__file__).parent / "rules" / f"{game}.toml")


def slow_answer(board: Board, pool: list[str], game: str) -> bool:
    """Every way to hand out cards of the pool to the rows; each row's hands are judged once."""
    low = naive.is_low_middle(naive_rules(game))
    open_slots = {row: naive.SIZES[row] - len(board[row]) for row in ROWS}

    def hands(row: str) -> Iterator[tuple[frozenset[int], naive.Strength]]:
        for chosen in combinations(range(len(pool)), open_slots[row]):
            cards = board[row] + [pool[k] for k in chosen]
            yield frozenset(chosen), naive.strength(cards, ace_only_high=low and row == "middle")

    fronts, backs = list(hands("front")), list(hands("back"))
    for used, middle in hands("middle"):
        if low and (middle[0] != naive.HIGH_CARD or middle[1] > 10):
            continue
        for more, back in backs:
            if used & more or (not low and back < middle):
                continue
            if any(not (chosen & (used | more)) and front < (back if low else middle) for chosen, front in fronts):
                return True
    return False


def set_out(rng: random.Random, own: list[str], game: str, *, tidy: bool) -> Board:
    """Cards at random places, the rows as full as it comes; `tidy`: low ones where they do least harm."""
    slots = [row for row in ROWS for _ in range(naive.SIZES[row])]
    placed = rng.sample(slots, len(own))
    cards = sorted(own, key=naive.rank) if tidy else list(own)
    board: Board = {}
    for row in ("middle", "front", "back") if game == "pineapple-2-7" else ROWS:
        held = placed.count(row)
        board[row], cards = cards[:held], cards[held:]
    return board


def scarce(rng: random.Random, game: str, open_slots: int, pool_size: int) -> tuple[Board, list[str]]:
    """A board and so few other cards, mostly of few ranks or few suits, that rows fight for them."""
    decks = 2 if game == "double-deck" else 1
    suits = rng.choice(("cdhs", "cdhs", "cd", "s"))
    ranks = "".join(sorted(rng.sample(naive.RANKS, rng.choice((5, 7, 9, 13))), key=naive.RANKS.index))
    if game == "pineapple-2-7":
        ranks = "23456789T" + rng.choice(("", "A", "K"))
    some = [card for card in DECK if card[0] in ranks and card[1] in suits] * decks
    while len(some) < 13 - open_slots + pool_size:
        some += rng.sample(sorted(set(DECK) - set(some)), 5)
    cards = rng.sample(some, 13 - open_slots + pool_size)
    own, pool = cards[: 13 - open_slots], cards[13 - open_slots :]
    return set_out(rng, own, game, tidy=rng.random() < 0.5), pool


@pytest.mark.parametrize("game", GAMES)
def test_the_search_agrees_with_trying_every_card(game: str) -> None:
    rng = random.Random(game)
    answers = {True: 0, False: 0}
    for _ in range(1500):
        open_slots = rng.randint(1, 8)
        board, pool = scarce(rng, game, open_slots, rng.randint(open_slots, 9))
        expected = slow_answer(board, pool, game)
        answers[expected] += 1
        assert found(board, pool, game) == expected, (board, pool)
    assert min(answers.values()) > 150


@pytest.mark.parametrize("game", GAMES)
def test_the_search_agrees_with_trying_a_whole_deck(game: str) -> None:
    """Few open slots, all unseen cards: what the last streets of a hand are like."""
    rng = random.Random(game)
    decks = 2 if game == "double-deck" else 1
    answers = {True: 0, False: 0}
    for open_slots in [1, 2] * 40:
        cards = rng.sample(DECK * decks, 52 * decks)
        own, pool = cards[: 13 - open_slots], cards[13 - open_slots :]
        board = set_out(rng, own, game, tidy=True)
        expected = slow_answer(board, pool, game)
        answers[expected] += 1
        assert found(board, pool, game) == expected, (board, pool)
    assert min(answers.values()) > 3


@pytest.mark.parametrize(("game", "least"), [("classic", 1500), ("double-deck", 1500), ("pineapple-2-7", 100)])
def test_no_board_that_chance_completes_is_said_to_be_beyond_help(game: str, least: int) -> None:
    rng = random.Random(game)
    rules = naive_rules(game)
    decks = 2 if game == "double-deck" else 1
    completed = 0
    for _ in range(400):
        open_slots = rng.choice((4, 5, 6, 7, 8))
        cards = rng.sample(DECK * decks, 52 * decks)
        own, pool = cards[: 13 - open_slots], cards[13 - open_slots :]
        board = set_out(rng, own, game, tidy=game == "pineapple-2-7")
        answer = found(board, pool, game)
        for _ in range(60):
            more = rng.sample(pool, open_slots)
            whole = {}
            for row in ROWS:
                wanted = naive.SIZES[row] - len(board[row])
                whole[row], more = board[row] + more[:wanted], more[wanted:]
            if naive.is_legal(whole, rules):
                completed += 1
                assert answer, board
    assert completed > least


def made(text: str) -> Board:
    return dict(zip(ROWS, (row.split() for row in text.split("/")), strict=True))


@pytest.mark.parametrize(
    ("game", "board", "dead", "legal"),
    [
        # Eight slots open. Queens in front, a pair of deuces in the middle, a seven behind: all is possible.
        ("classic", "Qh Qs / 2c 2d / 7h", "", True),
        # Four aces in the middle, king beside: only a straight flush behind is good enough, which a deuce and a three
        # of one suit can still become through four, five, six; of two suits they cannot.
        ("classic", "/ Ac Ad Ah As Kc / 2d 3d", "", True),
        ("classic", "/ Ac Ad Ah As Kc / 2d 3h", "", False),
        # The same with an empty back: any straight flush, as long as one of four suits and ten ranges is there.
        ("classic", "/ Ac Ad Ah As Kc /", "", True),
        ("classic", "/ Ac Ad Ah As Kc /", "5c 5d 5h 5s Tc Td Th Ts", False),
        ("classic", "/ Ac Ad Ah As Kc /", "5c 5d 5h 5s Tc Td Th", True),
        # A full house of aces in the middle; a seven and a deuce behind become four of a kind of either.
        ("classic", "/ Ac Ad Ah Ks Kc / 7d 2h", "", True),
        ("classic", "/ Ac Ad Ah Ks Kc / 7d 2h", "7c", True),
        ("classic", "/ Ac Ad Ah Ks Kc / 7d 2h", "7c 2c", False),
        # Three aces in front want a straight or better in the middle: 7 and 2 become a full house, 7, 2 and 3 nothing.
        ("classic", "Ac Ad Ah / 7c 2d /", "", True),
        ("classic", "Ac Ad Ah / 7c 2d 3h /", "", False),
        # The middle must be a straight and no flush, for a straight lies behind: a six will do, but not that of hearts.
        ("classic", "2c 2d 3c / 2h 3h 4h 5h / Tc Jd Qs Kc As", "2s 3d 3s 4c 4d 4s 5c 5d 5s Ac Ad Ah 6c 6d", True),
        ("classic", "2c 2d 3c / 2h 3h 4h 5h / Tc Jd Qs Kc As", "2s 3d 3s 4c 4d 4s 5c 5d 5s Ac Ad Ah 6c 6d 6s", False),
        # Middle and back both want the last king, or the back an eight.
        (
            "classic", "Ac Ad 3c / Kc Kd 5h 7s / Qh Jh Th 9h",
            "5c 5d 5s 7c 7d 7h Ks 2h 3h 4h 6h 8h Ah 8c 8d", True,
        ),
        (
            "classic", "Ac Ad 3c / Kc Kd 5h 7s / Qh Jh Th 9h",
            "5c 5d 5s 7c 7d 7h Ks 2h 3h 4h 6h 8h Ah 8c 8d 8s", False,
        ),
        # One heart for two flushes, and a second one.
        ("classic", "Kc Kd Ks / 2h 3h 4h 5h / 7h 8h 9h Th", "Ac Ad Ah As 6c 6d 6h 6s Qh Kh", False),
        ("classic", "Kc Kd Ks / 2h 3h 4h 5h / 7h 8h 9h Th", "Ac Ad Ah As 6c 6d 6h 6s Kh", True),
        # The weakest rows that beat aces and a king, and with a card less the strongest that do not.
        ("classic", "Ac Ad Kc / As Ah Ks 3c 2d / Qc Qd Qh Qs", "", True),
        ("pineapple-2-7", "Ac Ad Kc / 2c 4d 5h 7s / As Ah Ks 3c 2d", "", True),
        ("classic", "Ac Ad Kc / As Ah Qs Jc Td / Qc Qd Qh 7s", "", False),
        ("pineapple-2-7", "Ac Ad Kc / 2c 4d 5h 7s / As Ah Qs Jc Td", "", False),
        # With two decks five aces in the middle leave three: no back is as good. In one deck a royal flush is equalled.
        ("double-deck", "/ Ac Ac Ad Ad Ah /", "", False),
        ("double-deck", "/ Kc Kc Kd Kd Kh /", "", True),
        ("classic", "/ Ts Js Qs Ks As /", "", True),
        ("classic", "/ Ts Js Qs Ks As /", "Tc Td Th", False),
        # A low middle with a pair, or with a face card, is lost at once; a ten is not, but nine, eight, seven, six is.
        ("pineapple-2-7", "Ah / 5c 5d / 7h 7c", "", False),
        ("pineapple-2-7", "Ah / 5c Jd / 7h 7c", "", False),
        ("pineapple-2-7", "Ah / 5c Td / 7h 7c", "", True),
        ("pineapple-2-7", "Ah / 9c 8d 7s 6h / 7h 7c", "Tc Td Th Ts 5c 5d 5h 5s", True),
        ("pineapple-2-7", "Ah / Tc 9d 8s 7h / 5h 5c", "5d 5s 4c 4d 4h 4s 3c 3d 3h 3s 2c 2d 2h 2s", False),
        # Aces in front: kings behind can still be helped, four different cards and no ace cannot.
        ("pineapple-2-7", "Ah Ac / 2c 3d / Ks Kd", "", True),
        ("pineapple-2-7", "Ah Ac 4h / 2c 3d / Ks Qd Jh 8c", "Ad As", False),
    ],
)  # fmt: skip
def test_boards_that_a_person_can_judge(game: str, board: str, dead: str, legal: bool) -> None:
    rows = made(board)
    gone = [*dead.split(), *(card for row in rows.values() for card in row)]
    pool = DECK * (2 if game == "double-deck" else 1)
    for card in gone:
        pool.remove(card)
    assert found(rows, pool, game) == legal


def test_a_suited_row_is_stronger_than_its_ranks() -> None:
    """What lets a back come out suited by chance: each row of one suit beats the same ranks in several."""
    tables = strength_tables()
    possible = tables.suited != 65535
    assert possible.any()
    assert (tables.suited[possible] > tables.plain[possible]).all()


def test_too_few_cards_complete_nothing() -> None:
    for game, board in product(GAMES, ("Qh Qs / 2c 3d 4c 5h / 7h 7c 7d 6c", "Qh / 2c 3d 4c 5h 7s / 7h 7c 7d 6c 6d")):
        assert not found(made(board), ["9c"], game)

"""Deals to test a scorer with: random ones, and adversarial ones that sit on the edges of the rules.

Everything comes out of one `random.Random`, so a seed names a deal. A hand is an ``ofc-hh/1`` record with `players`
and `boards`; no card occurs more often than the decks allow.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from tests.naive import ROWS, Board, Hand, Rules, is_low_middle
from tests.recipes import (
    Stock,
    equal_rows,
    kickers,
    kinds_of_rows,
    legal_by_search,
    low_middle,
    moon,
    natural,
    of_rows,
    random_cards,
    replace_one,
    strong_rows,
    two_deck_rows,
)

Recipe = Callable[[Stock, Rules], Board | None]
RECIPES: tuple[Recipe, ...] = (
    legal_by_search,
    legal_by_search,
    kinds_of_rows,
    kinds_of_rows,
    strong_rows,
    strong_rows,
    equal_rows,
    kickers,
    moon,
    natural,
    natural,
)


def recipes_for(rules: Rules) -> tuple[Recipe, ...]:
    """The recipes that meet what a rule set is about, more often where it is about that."""
    recipes = RECIPES
    if is_low_middle(rules):
        # Of the others almost all would foul.
        recipes = (legal_by_search, kinds_of_rows, equal_rows, *(kickers, low_middle, low_middle, strong_rows) * 4)
    if rules["deal"]["decks"] == 2:
        recipes += (two_deck_rows,) * 3
    if rules["moon"]["points"]:
        recipes += (moon,) * 5
    if rules["naturals"]["points"]:
        recipes += (natural,) * 8
    return recipes


def mirrored(stock: Stock, board: Board) -> Board | None:
    """A board with the ranks of another, so that rows are tied, or tied but for one card."""
    rows = [stock.take([card[0] for card in board[row]]) for row in ROWS]
    copy = of_rows(stock, *rows)
    if copy and stock.rng.random() < 0.4:
        replace_one(stock, copy[stock.rng.choice(ROWS)])
    return copy


def seats(rng: random.Random, count: int) -> list[dict[str, Any]]:
    """Players with Fantasyland and stacks of every kind: none, empty, short, with decimals, deep."""
    players = []
    deep = rng.random() < 0.2
    for place in range(count):
        now = rng.choice([0, 0, 0, 0, 13, 14, 15, 16, 17, True])
        short = rng.choice([None, "0", "1", "5", "12", "12.5", "30", "0.75", "60"])
        players.append({"name": f"player{place}", "fantasyland": now, "stack": "10000" if deep else short})
    return players


def values(rng: random.Random, count: int) -> dict[str, Any]:
    """A point value, and now and then another one for some pairs."""
    pairs = [(i, j) for i in range(count) for j in range(count) if i != j]
    special = {frozenset(pair): pair for pair in rng.sample(pairs, rng.choice([0, 0, 1, min(3, len(pairs))]))}
    return {
        "point_value": rng.choice([None, "1", "2", "0.5", "200", "0.25", "1.005"]),
        "pair_values": [[i, j, rng.choice(["0", "1", "10", "0.1"])] for i, j in special.values()],
    }


def most_players(rules: Rules) -> int:
    return 4 * int(rules["deal"]["decks"])


def deal(rng: random.Random, rules: Rules, recipes: Sequence[Recipe], incomplete: bool = True) -> Hand:
    """One hand whose boards are made by random ones of `recipes`; some mirror the board before, some lack cards."""
    stock = Stock(rng, rules["deal"]["decks"])
    count = rng.randint(2, most_players(rules))
    boards: list[Board] = []
    for _ in range(count):
        board = mirrored(stock, boards[-1]) if boards and rng.random() < 0.25 else None
        for _ in range(10):
            board = board or rng.choice(recipes)(stock, rules)
        boards.append(board or random_cards(stock, rules))
    for board in boards:
        for row in ROWS:
            rng.shuffle(board[row])
        if incomplete and rng.random() < 0.03:
            del board[rng.choice(ROWS)][rng.randrange(3) :]
    return {"players": seats(rng, count), "boards": boards, **values(rng, count)}


def random_deal(seed: int, rules: Rules) -> Hand:
    """Cards at random, set at random: mostly fouls, everything possible."""
    return deal(random.Random(f"random {seed}"), rules, (random_cards,))


def adversarial_deal(seed: int, rules: Rules) -> Hand:
    """Ties, wheels, kicker fights, naturals, moons, 2-7 edges, quintuplets: what a scorer may get wrong."""
    return deal(random.Random(f"adversarial {seed}"), rules, recipes_for(rules))

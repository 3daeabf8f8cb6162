"""Boards on the edges of the rules, each made by a recipe from the cards that are left in a deal.

A recipe is a function of the stock of cards; one that finds its cards gone returns None, and gives back what it took.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tests.naive import RANKS, ROWS, Board, Rules, is_legal, is_low_middle, strength

SUITS = "cdhs"
RED, BLACK = "dh", "cs"
# Ranks of rows at the edges of 2-7; the straights come first, A2345 is ace high.
QUALIFIED = ("75432", "76432", "76542", "85432", "87642", "98654", "97532", "T5432", "T9872", "T8765", "T9874")
UNQUALIFIED = (
    *("65432", "76543", "98765", "T9876", "KQJT9", "AKQJT"),
    *("A2345", "J5432", "Q7432", "66543", "72222"),
)


class Stock:
    """The cards that are left in a deal."""

    def __init__(self, rng: random.Random, decks: int) -> None:
        self.rng = rng
        self.cards = [rank + suit for rank in RANKS for suit in SUITS] * decks
        rng.shuffle(self.cards)

    def take(self, ranks: Sequence[str], suits: str = SUITS) -> list[str] | None:
        """A card of each rank in one of `suits`, in order, or None (and nothing taken) where one is gone."""
        taken: list[str] = []
        for rank in ranks:
            card = next((card for card in self.cards if card[0] == rank and card[1] in suits), None)
            if card is None:
                self.cards += taken
                return None
            self.cards.remove(card)
            taken.append(card)
        self.rng.shuffle(self.cards)
        return taken

    def take_any(self, count: int, allowed: Callable[[str], bool] = lambda card: True) -> list[str] | None:
        """`count` cards of those allowed, or None where there are not so many."""
        cards = [card for card in self.cards if allowed(card)][:count]
        if len(cards) < count:
            return None
        for card in cards:
            self.cards.remove(card)
        return cards

    def put_back(self, *rows: list[str] | None) -> None:
        for row in rows:
            self.cards += row or []
        self.rng.shuffle(self.cards)


def as_board(cards: Sequence[str]) -> Board:
    """Thirteen cards, front first, as a board."""
    return {"front": list(cards[:3]), "middle": list(cards[3:8]), "back": list(cards[8:])}


def of_rows(stock: Stock, *rows: list[str] | None) -> Board | None:
    """A board of rows that have all been found; else they go back."""
    if any(row is None for row in rows):
        stock.put_back(*rows)
        return None
    return dict(zip(ROWS, [list(row or []) for row in rows], strict=True))


def replace_one(stock: Stock, row: list[str]) -> None:
    """Another card for the last of a row, where one is left."""
    new = stock.take_any(1)
    if new:
        stock.put_back([row.pop()])
        row += new


def arranged(rng: random.Random, cards: list[str]) -> Board:
    """Cards as a board, mostly with what they hold most often in the back, so that it tends to be legal."""
    shuffled = rng.sample(cards, len(cards))
    if rng.random() < 0.3:
        return as_board(shuffled)
    ranks = [card[0] for card in cards]
    return as_board(sorted(shuffled, key=lambda card: (ranks.count(card[0]), RANKS.index(card[0]))))


# ---- rows of a wanted kind ----


def straight_ranks(top: int, length: int) -> list[str]:
    """Ranks in sequence that end with the `top`-th of RANKS; the ace below the deuce where it must be."""
    return [RANKS[place] for place in range(top - length + 1, top + 1)]


def some_ranks(rng: random.Random, counts: Sequence[int]) -> list[str]:
    """Different ranks, as often as `counts` says: ``[3, 2]`` a full house."""
    chosen = zip(rng.sample(RANKS, len(counts)), counts, strict=True)
    return [rank for rank, count in chosen for _ in range(count)]


def draw_five(stock: Stock, weakest: int = 0) -> list[str] | None:
    """Five cards of a random kind, every kind about as often; by two decks also paired flushes and quintuplets.

    `weakest` 0 begins with high cards, 2 with two pairs.
    """
    rng = stock.rng
    kind = rng.randrange(weakest, 12)
    suit = rng.choice(SUITS)
    if kind < 6:
        counts = [[1] * 5, [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], [3, 2], [4, 1]][kind]
        return stock.take(some_ranks(rng, counts))
    # Wheels and broadways are the ends of the scale: they come more often than their share.
    run = straight_ranks(rng.choice([3, 3, 12, *range(3, 13)]), 5)
    if kind < 8:
        return stock.take(run)
    if kind < 10:
        return stock.take(run, suit)
    if kind == 10:
        return stock.take(some_ranks(rng, rng.choice([[1] * 5, [1] * 5, [2, 1, 1, 1], [2, 2, 1]])), suit)
    return stock.take(some_ranks(rng, [5]))


def draw_front(stock: Stock) -> list[str] | None:
    """Three cards of a random kind, high pairs and sequences more often than their share."""
    rng = stock.rng
    kind = rng.randrange(6)
    if kind == 0:
        return stock.take(some_ranks(rng, [1, 1, 1]))
    if kind == 1:
        return stock.take(some_ranks(rng, [2, 1]))
    if kind == 2:
        return stock.take([rank := rng.choice("56QKA"), rank, rng.choice(RANKS)])
    if kind == 3:
        return stock.take(some_ranks(rng, [3]))
    return stock.take(straight_ranks(rng.randrange(1, 13), 3), rng.choice(SUITS) if kind == 4 else SUITS)


# ---- boards on the edges ----


def random_cards(stock: Stock, rules: Rules) -> Board:
    return as_board(stock.take_any(13) or [])


def legal_by_search(stock: Stock, rules: Rules) -> Board:
    """Random cards, set at random until they are legal (or patience ends)."""
    board = random_cards(stock, rules)
    for _ in range(60):
        if is_legal(board, rules):
            break
        board = as_board(stock.rng.sample([card for row in ROWS for card in board[row]], 13))
    return board


def kinds_of_rows(stock: Stock, rules: Rules) -> Board | None:
    """A row of any kind in each place, the stronger five mostly in the back."""
    fives = [draw_five(stock), draw_five(stock)]
    if None not in fives and stock.rng.random() < 0.8:
        fives.sort(key=lambda row: strength(row or []))
    return of_rows(stock, draw_front(stock), *fives)


def equal_rows(stock: Stock, rules: Rules) -> Board | None:
    """Equal back and middle, or unequal in the last kicker only."""
    middle = draw_five(stock)
    back = stock.take([card[0] for card in middle]) if middle else None
    if back and stock.rng.random() < 0.4:
        replace_one(stock, back)
    return of_rows(stock, draw_front(stock), middle, back)


def kickers(stock: Stock, rules: Rules) -> Board | None:
    """A front, and behind it a row that shares its made ranks and first kickers: who has run out of them is weaker.

    That row is the middle, or the back where the middle is a 2-7 hand.
    """
    rng = stock.rng
    made = some_ranks(rng, rng.choice([[1], [2], [2], [3]]))
    shared = rng.sample(RANKS, 3 - len(made))
    front = stock.take(made + shared)
    if rng.random() < 0.4:
        shared = [rng.choice(RANKS) for _ in shared]
    # The least that can follow is as near as the two can come.
    rest = ["2", "3"] if rng.random() < 0.3 else rng.sample(RANKS, 2)
    rival = stock.take([*made, *shared, *rest])
    if is_low_middle(rules):
        return of_rows(stock, front, draw_low(stock), rival)
    return of_rows(stock, front, rival, draw_five(stock))


def moon(stock: Stock, rules: Rules) -> Board | None:
    """No pair anywhere, the back about as high as a moon may be; the front and the middle mostly weaker still."""
    rng = stock.rng
    highest = RANKS.index(rules["moon"]["highest"])
    top = max(5, min(12, highest + rng.choice([-1, 0, 0, 0, 1])))
    below = RANKS[:top]
    # The best row below a rank that is no straight, the worst with it, or any.
    others = rng.choice([below[-3:] + below[-5], "2345", rng.sample(below, 4), rng.sample(below, 4)])
    back = stock.take([RANKS[top], *others])
    low = RANKS[: min(top, 9)]
    middle = draw_low(stock) if is_low_middle(rules) else stock.take(rng.sample(low, 5))
    front = stock.take(rng.sample(low[: rng.randrange(4, len(low))], 3))
    return of_rows(stock, front, middle, back)


def draw_low(stock: Stock) -> list[str] | None:
    """A 2-7 row at an edge, mostly a qualified one, now and then suited."""
    rng = stock.rng
    low = rng.choice(QUALIFIED) if rng.random() < 0.75 else rng.choice(UNQUALIFIED)
    return stock.take(list(low), rng.choice(SUITS) if rng.random() < 0.1 else SUITS)


def low_middle(stock: Stock, rules: Rules) -> Board | None:
    """A 2-7 middle; the back may be as weak as it likes while the front is under it."""
    rng = stock.rng
    weak = rng.random() < 0.5
    back = stock.take(some_ranks(rng, rng.choice([[1] * 5, [2, 1, 1, 1]]))) if weak else draw_five(stock)
    front = stock.take(some_ranks(rng, rng.choice([[1, 1, 1], [2, 1]]))) if weak else draw_front(stock)
    return of_rows(stock, front, draw_low(stock), back)


def strong_rows(stock: Stock, rules: Rules) -> Board | None:
    """Rows that pay and lead to Fantasyland: queens or better in front, two pairs or better behind it."""
    rng = stock.rng
    rank = rng.choice("QKA")
    front = stock.take([rank, rank, rng.choice(RANKS)] if rng.random() < 0.6 else [rng.choice(RANKS)] * 3)
    if is_low_middle(rules):
        return of_rows(stock, front, draw_low(stock), draw_five(stock, weakest=2))
    fives = [draw_five(stock, weakest=2), draw_five(stock, weakest=2)]
    if None not in fives:
        fives.sort(key=lambda row: strength(row or []))
    return of_rows(stock, front, *fives)


def two_deck_rows(stock: Stock, rules: Rules) -> Board | None:
    """Five of a kind and paired flushes against each other; by one deck there are none."""
    rng = stock.rng

    def five() -> list[str] | None:
        if rng.random() < 0.5:
            return stock.take(some_ranks(rng, [5]))
        ranks = some_ranks(rng, [2, 2, 1]) if rng.random() < 0.7 else some_ranks(rng, [2, 1, 1, 1])
        return stock.take(ranks, rng.choice(SUITS))

    return of_rows(stock, draw_front(stock), five(), five())


# ---- naturals ----


def natural(stock: Stock, rules: Rules) -> Board | None:
    """A board that holds a natural of a random kind, or misses it by one card."""
    board = stock.rng.choice(NATURAL_RECIPES)(stock)
    if board and stock.rng.random() < 0.15:
        replace_one(stock, board[stock.rng.choice(ROWS)])
    return board


def set_of(stock: Stock, cards: list[str] | None) -> Board | None:
    return arranged(stock.rng, cards) if cards else None


def clean_dragon(stock: Stock) -> Board | None:
    return set_of(stock, stock.take(RANKS, stock.rng.choice(SUITS)))


def dragon(stock: Stock) -> Board | None:
    return set_of(stock, stock.take(RANKS))


def only(*parts: str) -> Callable[[Stock], Board | None]:
    """Thirteen cards whose rank or suit is in one of the parts, chosen anew each time."""

    def recipe(stock: Stock) -> Board | None:
        allowed = stock.rng.choice(parts)
        return set_of(stock, stock.take_any(13, lambda card: card[0] in allowed or card[1] in allowed))

    return recipe


def ranks_often(*counts: int) -> Callable[[Stock], Board | None]:
    """Thirteen cards with ranks that occur so often."""
    return lambda stock: set_of(stock, stock.take(some_ranks(stock.rng, counts)))


def three_rows(in_sequence: bool, suited: bool) -> Callable[[Stock], Board | None]:
    """Three rows in sequence, suited, or both; the front may be A23 or QKA."""

    def row(stock: Stock, size: int) -> list[str] | None:
        suits = stock.rng.choice(SUITS) if suited else SUITS
        if in_sequence:
            return stock.take(straight_ranks(stock.rng.randrange(size - 2, 13), size), suits)
        return stock.take(stock.rng.sample(RANKS, size), suits)

    def recipe(stock: Stock) -> Board | None:
        fives = [row(stock, 5), row(stock, 5)]
        if None not in fives:
            fives.sort(key=lambda cards: strength(cards or []))
        return of_rows(stock, row(stock, 3), *fives)

    return recipe


NATURAL_RECIPES: tuple[Callable[[Stock], Board | None], ...] = (
    clean_dragon,
    dragon,
    only("JQKA"),
    three_rows(in_sequence=True, suited=True),
    ranks_often(4, 4, 4, 1),
    only("2345678", "89TJQKA"),
    only(RED, BLACK),
    ranks_often(3, 3, 3, 3, 1),
    ranks_often(4, 3, 3, 3),
    ranks_often(2, 2, 2, 2, 2, 2, 1),
    ranks_often(4, 3, 2, 2, 2),
    ranks_often(3, 2, 2, 2, 2, 2),
    three_rows(in_sequence=True, suited=False),
    three_rows(in_sequence=False, suited=True),
    only("23456789TA"),
)

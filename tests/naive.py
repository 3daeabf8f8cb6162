"""The slow twin of the scorer: every rule once more, in plain Python, with nothing of the project imported.

It is written from the rules alone, with no tables, no numpy and no thought of speed, so that a mistake here
and the same mistake in the compiled scorer are two accidents, not one. `load_rules` reads a rule file,
`score` scores one hand, given as an ``ofc-hh/1`` record of which `players` and `boards` are needed. Cards are
texts such as ``As``.

Strength of a row here: a tuple ``(category, rank, rank, ...)`` that Python compares from the left, made ranks
before kickers; a tuple that ends early is the smaller one, which is just what front against middle asks for.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from decimal import Context, Decimal, Inexact
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

Rules = dict[str, Any]
Hand = dict[str, Any]
Board = dict[str, list[str]]
Strength = tuple[int, ...]

ROWS = ("front", "middle", "back")
SIZES = {"front": 3, "middle": 5, "back": 5}
RANKS = "23456789TJQKA"
CATEGORIES = (
    "high_card", "pair", "two_pair", "trips", "straight",
    "flush", "full_house", "quads", "straight_flush", "five_of_a_kind",
)  # fmt: skip
HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT = range(5)
FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, FIVE_OF_A_KIND = range(5, 10)
# Money is exact: a hundred digits are more than any deal needs, and an inexact result would be an error.
MONEY = Context(prec=100, traps=[Inexact])


# ---- rule files ----

DEFAULTS: Rules = {
    "deal": {"game": "classic", "decks": 1, "middle": "high", "face_down_last": 0},
    "points": {
        "row": 1, "scoop": 3, "majority": 0, "foul": "scoop", "incomplete": "foul", "settlement": "points",
    },
    "royalties": {"count": "both", "front": {"pair": {}, "trips": {}}, "middle": {}, "back": {}},
    "naturals": {"pay": "instead", "points": {}},
    "moon": {"points": 0, "highest": "J"},
    "fantasyland": {"enter": [], "stay": [], "button_moves": False, "sets": "first"},
}  # fmt: skip


def merged(under: Rules, over: Rules) -> Rules:
    """`under` with what `over` says: tables merge key by key, everything else (lists too) is replaced."""
    result = dict(under)
    for key, value in over.items():
        below = result.get(key)
        result[key] = merged(below, value) if isinstance(value, dict) and isinstance(below, dict) else value
    return result


def load_rules(path: Path | str) -> Rules:
    """A rule set, whole: a file over its `base` (a file of the same folder) over the defaults."""
    path = Path(path)
    own = tomllib.loads(path.read_text(encoding="utf-8"))
    base = load_rules(path.with_name(own["base"] + ".toml")) if "base" in own else DEFAULTS
    return merged(base, own)


def changed(rules: Rules, changes: dict[str, Any]) -> Rules:
    """`rules` with single keys changed by their paths: ``{"points.scoop": 0}``."""
    for path, value in changes.items():
        for key in reversed(path.split(".")):
            value = {key: value}
        rules = merged(rules, value)
    return rules


# ---- rows and fouls ----


def rank(card: str) -> int:
    """2..14; the ace is high."""
    return RANKS.index(card[0]) + 2


def suited(cards: list[str]) -> bool:
    return len({card[1] for card in cards}) == 1


def sequence_top(cards: list[str]) -> int:
    """The highest rank of cards in sequence, 0 where they are not; the ace may stand below the two."""
    ranks = sorted(rank(card) for card in cards)
    if all(high == low + 1 for low, high in pairwise(ranks)):
        return ranks[-1]
    ranks = sorted(1 if r == 14 else r for r in ranks)
    if all(high == low + 1 for low, high in pairwise(ranks)):
        return ranks[-1]
    return 0


def strength(cards: list[str], ace_only_high: bool = False) -> Strength:
    """How strong a full row is as a high hand; with `ace_only_high` A2345 is no sequence (2-7 ranking)."""
    ranks = sorted((rank(card) for card in cards), reverse=True)
    times = Counter(ranks)
    # Made ranks first: by how often they occur, then by rank.
    grouped = tuple(sorted(times, key=lambda r: (times[r], r), reverse=True))
    shape = [times[r] for r in grouped]
    top = sequence_top(cards) if len(cards) == 5 else 0
    if ace_only_high and 14 in ranks and top == 5:
        top = 0
    if len(cards) == 5 and suited(cards):
        # Whatever pairs two decks put into it, a suited row is a flush, rank by rank.
        return (STRAIGHT_FLUSH, top) if top else (FLUSH, *ranks)
    if top:
        return (STRAIGHT, top)
    by_shape = {
        (5,): FIVE_OF_A_KIND, (4, 1): QUADS, (3, 2): FULL_HOUSE, (3, 1, 1): TRIPS, (3,): TRIPS,
        (2, 2, 1): TWO_PAIR, (2, 1, 1, 1): PAIR, (2, 1): PAIR,
    }  # fmt: skip
    return (by_shape.get(tuple(shape), HIGH_CARD), *grouped)


def is_low_middle(rules: Rules) -> bool:
    return bool(rules["deal"]["middle"] == "deuce_to_seven")


def is_complete(board: Board) -> bool:
    return all(len(board.get(row) or []) == SIZES[row] for row in ROWS)


def is_legal(board: Board, rules: Rules) -> bool:
    """Whether a board is complete and its rows are in the order that the rule set asks for."""
    if not is_complete(board):
        return False
    front, back = strength(board["front"]), strength(board["back"])
    if is_low_middle(rules):
        low = strength(board["middle"], ace_only_high=True)
        ten_high_or_lower = low[0] == HIGH_CARD and low[1] <= 10
        return back > front and ten_high_or_lower
    middle = strength(board["middle"])
    return back >= middle and middle > front


def row_winner(row: str, mine: Board, other: Board, rules: Rules) -> int:
    """1 where my row is the better one, -1 where the other's is, 0 where they are equal."""
    low = row == "middle" and is_low_middle(rules)
    a, b = (strength(board[row], ace_only_high=low) for board in (mine, other))
    if low:
        a, b = b, a  # the weakest high hand is the best low one
    return (a > b) - (a < b)


# ---- royalties ----


def front_name(cards: list[str]) -> str:
    """What a front row can be paid for: ``QQ``, ``222``, "" for a high card."""
    category, made = strength(cards)[:2]
    return RANKS[made - 2] * {HIGH_CARD: 0, PAIR: 2, TRIPS: 3}[category]


def five_name(cards: list[str]) -> str:
    """The category of a high row of five; only here does the royal flush stand apart."""
    category, top = strength(cards)[:2]
    return "royal_flush" if (category, top) == (STRAIGHT_FLUSH, 14) else CATEGORIES[category]


def low_name(cards: list[str]) -> str:
    """What a 2-7 row is called: by its highest card, the best ``75432``; "" with a pair or the like."""
    low = strength(cards, ace_only_high=True)
    if low[0] != HIGH_CARD:
        return ""
    return "75432" if low[1:] == (7, 5, 4, 3, 2) else RANKS[low[1] - 2]


def royalty(row: str, board: Board, rules: Rules) -> int:
    """What the royalty table pays for a row, legal board or not; 0 for what it lacks."""
    cards, table = board[row], rules["royalties"][row]
    if row == "front":
        name = front_name(cards)
        return int(table["trips" if len(name) == 3 else "pair"].get(name, 0))
    low = row == "middle" and is_low_middle(rules)
    return int(table.get(low_name(cards) if low else five_name(cards), 0))


# ---- whole-board specials ----


def natural_names(board: Board) -> list[str]:
    """All naturals that a complete board holds, in the order in which they are named among equal points."""
    cards = [card for row in ROWS for card in board[row]]
    ranks = [rank(card) for card in cards]
    times = Counter(ranks)
    suits = {card[1] for card in cards}
    rows = [board[row] for row in ROWS]
    all_in_sequence, all_suited = all(map(sequence_top, rows)), all(map(suited, rows))
    holds = {
        "clean_dragon": len(times) == 13 and len(suits) == 1,
        "dragon": len(times) == 13,
        "twelve_royalties": min(ranks) >= 11,
        "three_straight_flushes": all(sequence_top(row) and suited(row) for row in rows),
        "three_quads": sum(count >= 4 for count in times.values()) >= 3,
        "all_low": max(ranks) <= 8,
        "all_high": min(ranks) >= 8,
        "full_colored": suits <= {"d", "h"} or suits <= {"c", "s"},
        "four_triples": sum(count >= 3 for count in times.values()) >= 4,
        "six_and_a_half_pairs": sum(count // 2 for count in times.values()) >= 6,
        "three_straights": all_in_sequence,
        "three_flushes": all_suited,
        "no_broadway": not {11, 12, 13} & set(ranks),
    }
    return [name for name, held in holds.items() if held]


def best_natural(board: Board, rules: Rules) -> str | None:
    """The natural that counts: most points, of equal ones the first named; one without points is off."""
    paid = rules["naturals"]["points"]
    if not is_complete(board):
        return None
    if rules["naturals"]["pay"] == "on_top" and not is_legal(board, rules):
        return None
    names = [name for name in natural_names(board) if paid.get(name, 0) > 0]
    # max() keeps the first of several equal ones.
    return max(names, key=lambda name: int(paid[name]), default=None)


def shoots_moon(board: Board, natural: str | None, rules: Rules) -> bool:
    """Whether a board collects the moon: legal, its back no better than a high card of `moon.highest`."""
    if rules["moon"]["points"] == 0 or not is_legal(board, rules):
        return False
    if natural is not None and rules["naturals"]["pay"] == "instead":
        return False
    category, top = strength(board["back"])[:2]
    return category == HIGH_CARD and top <= RANKS.index(rules["moon"]["highest"]) + 2


# ---- Fantasyland ----


def meets(row: str, text: str, board: Board, rules: Rules) -> bool:
    """Whether a row of a legal board is what a condition names: ``QQ+``, ``quads+``, ``75432``."""
    name, or_better = text.removesuffix("+"), text.endswith("+")
    if row == "middle" and is_low_middle(rules):
        order = ["T", "9", "8", "7", "75432"]
        held = low_name(board[row])
    elif row == "front":
        pairs, trips = ([r * times for r in RANKS] for times in (2, 3))
        order = ["", *pairs, *trips]
        held = front_name(board[row])
        if name in ("pair", "trips"):
            kinds = pairs if name == "pair" else trips
            return held in kinds or (or_better and held in trips)
    else:
        order = [*CATEGORIES[:-1], "royal_flush", CATEGORIES[-1]]
        held = five_name(board[row])
    # What such a row cannot hold (a condition written for another middle) it never holds.
    if name not in order:
        return False
    return order.index(held) >= order.index(name) if or_better else held == name


def fantasyland_next(board: Board, now: int | bool, rules: Rules) -> int | None:
    """Cards of the next hand in Fantasyland: 0 not in it, None an unknown number (`now` is then True)."""
    if not is_legal(board, rules):
        return 0
    gained: list[int | None] = []
    for condition in rules["fantasyland"]["enter" if now == 0 else "stay"]:
        held = all(meets(row, condition[row], board, rules) for row in ROWS if row in condition)
        if "royalty" in condition:
            held = held and any(royalty(row, board, rules) >= condition["royalty"] for row in ROWS)
        if held:
            as_now = None if now is True else int(now)
            gained.append(as_now if condition["cards"] == "same" else int(condition["cards"]))
    if None in gained:
        return None
    return max((cards for cards in gained if cards is not None), default=0)


# ---- pairs, and a hand ----


def no_parts() -> dict[str, Any]:
    return {"rows": [0, 0, 0], "scoop": 0, "majority": 0, "royalties": [0, 0, 0], "foul": 0, "special": 0}


def total(parts: dict[str, Any]) -> int:
    return int(sum(sum(part) if isinstance(part, list) else part for part in parts.values()))


def opposite(parts: dict[str, Any]) -> dict[str, Any]:
    return {name: [-x for x in part] if isinstance(part, list) else -part for name, part in parts.items()}


def added(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    result = {}
    for name, part in one.items():
        if isinstance(part, list):
            result[name] = [x + y for x, y in zip(part, other[name], strict=True)]
        else:
            result[name] = part + other[name]
    return result


def facts_of(board: Board, rules: Rules) -> dict[str, Any]:
    """What a board is worth by itself, before anybody is compared with anybody."""
    natural = best_natural(board, rules)
    instead = natural is not None and rules["naturals"]["pay"] == "instead"
    legal = is_legal(board, rules)
    return {
        "board": board,
        "natural": natural,
        "natural_points": int(rules["naturals"]["points"][natural]) if natural else 0,
        "instead": instead,
        "fouled": not legal and not instead,
        "moon": shoots_moon(board, natural, rules),
        "royalties": [royalty(row, board, rules) if legal else 0 for row in ROWS],
    }


def compared(mine: dict[str, Any], other: dict[str, Any], rules: Rules) -> dict[str, Any]:
    """What one player gets from another by the ordinary comparison, neither moon nor natural looked at."""
    parts, points = no_parts(), rules["points"]
    if mine["fouled"] and other["fouled"]:
        return parts
    if mine["fouled"]:
        return opposite(compared(other, mine, rules))
    if other["fouled"]:
        whole = 3 * points["row"] + points["scoop"] + points["majority"]
        parts["foul"] = whole if points["foul"] == "scoop" else points["foul"]
        parts["royalties"] = list(mine["royalties"])
        return parts
    wins = [row_winner(row, mine["board"], other["board"], rules) for row in ROWS]
    parts["rows"] = [points["row"] * win for win in wins]
    if abs(sum(wins)) == 3:
        parts["scoop"] = points["scoop"] * wins[0]
    for sign in (1, -1):
        if wins.count(sign) >= 2:
            parts["majority"] = points["majority"] * sign
    both = rules["royalties"]["count"] == "both"
    for at, win in enumerate(wins):
        paid = mine["royalties"][at] if both or win > 0 else 0
        owed = other["royalties"][at] if both or win < 0 else 0
        parts["royalties"][at] = paid - owed
    return parts


def pair_parts(mine: dict[str, Any], other: dict[str, Any], rules: Rules) -> dict[str, Any]:
    """What one player gets from another, all in."""
    if mine["instead"] or other["instead"]:
        parts = no_parts()
    elif mine["moon"] or other["moon"]:
        parts = no_parts()
        parts["special"] = rules["moon"]["points"] * (mine["moon"] - other["moon"])
    else:
        parts = compared(mine, other, rules)
    parts["special"] += mine["natural_points"] - other["natural_points"]
    return parts


def score(hand: Hand, rules: Rules) -> dict[str, Any]:
    """Everything that a rule set says about one hand; players in acting order, the button last."""
    seats = [facts_of(board, rules) for board in hand["boards"]]
    parts = [no_parts() for _ in seats]
    pairs = []
    for i, j in combinations(range(len(seats)), 2):
        mine = pair_parts(seats[i], seats[j], rules)
        parts[i], parts[j] = added(parts[i], mine), added(parts[j], opposite(mine))
        pairs.append([i, j, total(mine)])
    in_fantasyland = [player.get("fantasyland", 0) for player in hand["players"]]
    chips, stack_unknown = settled(hand, pairs, rules)
    return {
        "points": [total(part) for part in parts],
        "fouled": [seat["fouled"] for seat in seats],
        "royalties": [dict(zip(ROWS, seat["royalties"], strict=True)) for seat in seats],
        "natural": [seat["natural"] for seat in seats],
        "moon": [seat["moon"] for seat in seats],
        "fantasyland_next": [
            fantasyland_next(board, now, rules) for board, now in zip(hand["boards"], in_fantasyland, strict=True)
        ],
        "pairs": pairs,
        "chips": chips,
        "stack_unknown": stack_unknown,
        "parts": parts,
    }


# ---- settlement ----


def plain(amount: Decimal) -> str:
    """A decimal in plain notation without trailing zeros: ``0``, ``-12.5``, ``3600``."""
    text = format(amount, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def settled(hand: Hand, pairs: list[list[int]], rules: Rules) -> tuple[list[str], bool]:
    """Chips that each player wins or loses, and whether a cap could not be applied for want of a stack."""
    value = hand.get("point_value")
    usual = Decimal("1" if value is None else str(value))
    special = {frozenset((i, j)): Decimal(str(other)) for i, j, other in hand.get("pair_values") or []}
    capped = rules["points"]["settlement"] == "table_stakes"
    stacks = [player.get("stack") for player in hand["players"]]
    # The known stakes by player; who is not in it has no cap.
    stakes = {p: Decimal(str(stack)) for p, stack in enumerate(stacks) if capped and stack is not None}
    won = [Decimal(0) for _ in stacks]
    # The pairs come in the strict order: left of the button against each other clockwise, then the next, ...
    for i, j, net in pairs:
        if any(p in stakes and won[p] >= stakes[p] for p in (i, j)):
            continue  # one of the two is complete
        winner, loser = (i, j) if net > 0 else (j, i)
        paid = MONEY.multiply(Decimal(abs(net)), special.get(frozenset((i, j)), usual))
        if loser in stakes:
            paid = min(paid, MONEY.add(stakes[loser], won[loser]))
        if winner in stakes:
            paid = min(paid, MONEY.subtract(stakes[winner], won[winner]))
        won[winner], won[loser] = MONEY.add(won[winner], paid), MONEY.subtract(won[loser], paid)
    return [plain(amount) for amount in won], capped and None in stacks

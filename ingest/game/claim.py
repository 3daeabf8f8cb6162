"""Claims: hands as they are laid before the referee, ``ofc-hh/1`` records read and checked.

Of a record only `players` (name, stack, fantasyland) and `boards` are needed; players stand in acting order, the button
last. What else a record says is checked where the score depends on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from ingest.game.board import EMPTY, ROW_SIZES, ROWS, Board, make_board
from ingest.game.cards import CARD_COUNT, SPELLINGS, format_card, parse_card
from ingest.game.compiled import UNKNOWN_CARDS
from ingest.game.errors import CardError, OFCError, RuleError, known, plain, shown
from ingest.game.money import decimals, parse_amount
from ingest.game.rules import Deal, RuleSet, find_rules, with_changes
from ingest.game.score import MOST_PLAYERS

Record = Mapping[str, Any]

VERSION = "ofc-hh/1"
STATUSES = ("complete", "partial", "cancelled", "results_only")
MOST_FANTASYLAND_CARDS = 17
# Counted in the smallest unit that a hand's amounts need. A pair moves less than a million points under any rule set
# (MOST_POINTS of a rule file is 100,000), a player has seven pairs: with these, chips fit in 64 bits.
MOST_VALUE, MOST_STACK = 10**12, 10**18
_MOST_NAME = 60
_GAMES = {
    "classic": ("classic", "high"),
    "pineapple": ("pineapple", "high"),
    "pineapple-2-7": ("pineapple", "deuce_to_seven"),
    "chinese": ("chinese", "high"),
}


class NotScoredError(OFCError):
    """A hand that is no error and has no score either: cancelled, partial, or without boards."""

    exit_code = 0


@dataclass(frozen=True)
class Claim:
    """One hand as it was laid before the referee, checked."""

    id: Any
    names: tuple[str, ...]
    boards: tuple[Board, ...]
    fantasyland: tuple[int, ...]  # cards, 0 not in it, -1 in it with a number unknown
    stacks: tuple[Decimal | None, ...]
    point_value: Decimal
    pair_values: Mapping[tuple[int, int], Decimal]
    played: Deal | None  # how it was dealt, None where the record does not say
    rules: RuleSet  # what it is scored by

    @property
    def decimals(self) -> int:
        """How many digits behind the point the amounts of this hand need."""
        stacks = [stack for stack in self.stacks if stack is not None]
        return decimals([self.point_value, *self.pair_values.values(), *stacks])


class RuleShelf:
    """The rule sets that records name, with their `rules_changes`, each looked up once."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self.folders = folders
        self._found: dict[tuple[str, str], RuleSet | RuleError] = {}

    def named(self, record: Record) -> RuleSet | RuleError | None:
        """What a record says it was played by; the error where that is not known, None where it does not say."""
        name, changes = record.get("rules"), record.get("rules_changes")
        if name is None:
            return None
        return self._look_up(name, changes or {})

    def deal_of(self, record: Record) -> Deal | None:
        """How the rule set of a record's name deals, whatever its `rules_changes` are."""
        found = self._look_up(record["rules"], {})
        return found.deal if isinstance(found, RuleSet) else None

    def _look_up(self, name: Any, changes: Any) -> RuleSet | RuleError:
        try:
            asked = repr(name), repr(changes)
            if asked not in self._found:
                self._found[asked] = self._find(name, changes)
        except RecursionError:
            return RuleError("expected rules_changes as a rule file has them, got one too deep to read")
        return self._found[asked]

    def _find(self, name: Any, changes: Any) -> RuleSet | RuleError:
        # A name, never a path: a hand out of somebody's log must not make us open files of its choice.
        if not isinstance(name, str) or not name or name.endswith(".toml") or "/" in name or "\\" in name:
            return RuleError(f"expected rules to be the name of a rule set, got {shown(name)}")
        try:
            return with_changes(find_rules(name, self.folders), changes)
        except RuleError as error:
            return error


def _played(record: Record, shelf: RuleShelf, named: RuleSet | RuleError | None, otherwise: Deal) -> Deal | None:
    """How a hand was dealt, None where its record does not say; `otherwise` fills in where it tells the decks alone."""
    game = record.get("game")
    if game is not None and (not isinstance(game, str) or game not in _GAMES):
        raise OFCError(f"expected game to be one of {known(_GAMES)}, got {shown(game)}")
    deal = named.deal if isinstance(named, RuleSet) else None
    if deal is None and game is not None:
        dealt, middle = _GAMES[game]
        deal = Deal(game=dealt, decks=1, middle=middle, face_down_last=0)  # type: ignore[arg-type]
    if deal is None and named is not None:
        deal = shelf.deal_of(record)
    decks = record.get("decks")
    if decks is None:
        return deal
    if isinstance(decks, bool) or decks not in (1, 2):
        raise OFCError(f"expected decks to be 1 or 2, got {shown(decks)}")
    return replace(deal or otherwise, decks=int(decks))


def _chosen(rules: RuleSet | None, named: RuleSet | RuleError | None) -> RuleSet:
    if rules is not None:
        return rules
    if isinstance(named, RuleError):
        raise named
    if named is None:
        raise OFCError("expected a rule set to score by, got a hand that names none: choose one with --rules")
    return named


def _row(rows: Mapping[str, Any], row: str, size: int, player: str) -> list[int]:
    names = rows.get(row)
    if names is None:
        return []
    try:
        if isinstance(names, list):
            return [SPELLINGS[name] for name in names]
    except (KeyError, TypeError):
        pass
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise OFCError(f"expected the {row} of {player} as a list of up to {size} cards, got {shown(names)}")
    return [parse_card(name) for name in names]


def _board(rows: Any, player: str) -> Board:
    if not isinstance(rows, Mapping):
        raise OFCError(f"expected the board of {player} as front, middle and back, got {shown(rows)}")
    # A row left out has no cards; but where one is left out and another is called something else, it was misspelt.
    if not all(row in rows for row in ROWS) and not all(row in ROWS for row in rows):
        raise OFCError(f"expected the rows of {player} to be called front, middle and back, got {shown(list(rows))}")
    front, middle, back = (_row(rows, row, size, player) for row, size in zip(ROWS, ROW_SIZES, strict=True))
    board = make_board((front, middle, back))
    for card in (*front, *middle, *back):
        if card >= CARD_COUNT:
            raise OFCError(f"expected known cards of the 52 on the board of {player}, got {format_card(card)}")
    return board


def _discards(record: Record) -> list[int]:
    """The discards that a record's actions tell of; what is no card there is nobody's business here."""
    actions = record.get("actions")
    cards: list[int] = []
    for action in actions if isinstance(actions, list) else []:
        names = action.get("discard") if isinstance(action, Mapping) else None
        for name in names if isinstance(names, list) else []:
            try:
                card = parse_card(name)
            except (CardError, AttributeError):
                continue
            if card < CARD_COUNT:
                cards.append(card)
    return cards


def _verify_cards(boards: Sequence[Board], discards: Sequence[int], decks: int) -> None:
    counts = Counter(card for board in boards for card in board.tolist() if card != EMPTY)
    counts.update(discards)
    card, times = max(counts.items(), key=lambda item: item[1], default=(0, 0))
    if times > decks:
        most = "once" if decks == 1 else "twice"
        raise OFCError(f"expected each card at most {most} in a deal, got {format_card(card)} {times} times")


def _name(value: Any, place: int) -> str:
    if value is not None and (isinstance(value, bool) or not isinstance(value, str | int)):
        raise OFCError(f"expected the name of player {place} to be a text, got {shown(value)}")
    text = "" if value is None else str(value).strip()
    return plain(text, _MOST_NAME) or f"player {place}"


def _fantasyland(value: Any, player: str) -> int:
    if value is None or value is False:
        return 0
    if value is True:
        return UNKNOWN_CARDS
    if not isinstance(value, int | float) or not 0 <= value <= MOST_FANTASYLAND_CARDS or value != int(value):
        raise OFCError(
            f"expected fantasyland of {player} to be a number of cards from 0 to {MOST_FANTASYLAND_CARDS}, "
            f"or true where it is unknown, got {shown(value)}"
        )
    return int(value)


def _stack(value: Any, player: str) -> Decimal | None:
    return None if value is None else _at_least_zero(value, f"the stack of {player}")


def _at_least_zero(value: Any, what: str) -> Decimal:
    amount = parse_amount(value, what)
    if amount < 0:
        raise OFCError(f"expected {what} to be 0 or more, got {shown(value)}")
    return amount


def _pair_values(value: Any, players: int) -> dict[tuple[int, int], Decimal]:
    if value is not None and not isinstance(value, list):
        raise OFCError(f'expected pair_values as [[0, 1, "10"], ...], got {shown(value)}')
    values: dict[tuple[int, int], Decimal] = {}
    for entry in value or []:
        places = entry[:2] if isinstance(entry, list) and len(entry) == 3 else ()
        if len({place for place in places if type(place) is int and 0 <= place < players}) != 2:
            raise OFCError(
                f'expected pair_values as [[0, 1, "10"], ...] with two of the {players} players, got {shown(entry)}'
            )
        pair = min(places), max(places)
        amount = _at_least_zero(entry[2], "a pair's value")
        if values.setdefault(pair, amount) != amount:
            raise OFCError(f"expected one value for the pair {pair[0]}, {pair[1]}, got {values[pair]} and {amount}")
    return values


def _verify_amounts(claim: Claim) -> None:
    unit = Decimal(10) ** claim.decimals
    most_value = max([claim.point_value, *claim.pair_values.values()])
    most_stack = max((stack for stack in claim.stacks if stack is not None), default=Decimal(0))
    if most_value * unit > MOST_VALUE or most_stack * unit > MOST_STACK:
        raise OFCError(
            "expected amounts of up to 12 digits for a point and 18 for a stack, decimals included, "
            f"got up to {most_value:f} a point and a stack of up to {most_stack:f}, with {claim.decimals} decimals"
        )


def _verify_status(record: Record) -> None:
    status = record.get("status")
    if status is not None and status not in STATUSES:
        raise OFCError(f"expected status to be one of {known(STATUSES)}, got {shown(status)}")
    if status not in (None, "complete"):
        raise NotScoredError(f"it is {str(status).replace('_', ' ')} and not scored")


def _verify_not_cancelled(record: Record, boards: Sequence[Board]) -> None:
    """A board that lacks cards is fouled, but not where the source gave everybody 0: then the hand did not count."""
    result = record.get("result")
    if not isinstance(result, Mapping) or not any((board == EMPTY).any() for board in boards):
        return
    points, net = result.get("points"), result.get("net")
    paid = [parse_amount(amount, "net") for amount in net if amount is not None] if isinstance(net, list) else []
    if points and isinstance(points, list) and not any(points) and not any(paid):
        raise NotScoredError("a board is incomplete and everybody got 0, so it is cancelled and not scored")


def read_claim(record: Record, rules: RuleSet | None, shelf: RuleShelf) -> Claim:
    """Check one record; `rules` wins over what the record names.

    Raises OFCError, one sentence, for a record that cannot be scored, NotScoredError for one that has nothing to score.
    """
    if not isinstance(record, Mapping):
        raise OFCError(f"expected a hand as an object with players and boards, got {shown(record)}")
    if record.get("v") not in (None, VERSION):
        raise OFCError(f'expected a hand of the format "{VERSION}", got {shown(record["v"])}')
    _verify_status(record)
    players, rows = record.get("players"), record.get("boards")
    if not isinstance(players, list) or not all(isinstance(player, Mapping) for player in players):
        raise OFCError(f"expected players as a list of objects with name, stack and fantasyland, got {shown(players)}")
    if not isinstance(rows, list):
        raise OFCError(f"expected boards as a list, one for each player, got {shown(rows)}")
    if len(rows) != len(players) or not 1 <= len(players) <= MOST_PLAYERS:
        raise OFCError(
            f"expected 1 to {MOST_PLAYERS} players with a board each, got {len(players)} players and {len(rows)} boards"
        )
    names = tuple(_name(player.get("name"), place) for place, player in enumerate(players, 1))
    boards = tuple(_board(board, name) for board, name in zip(rows, names, strict=True))
    named = shelf.named(record)
    chosen = _chosen(rules, named)
    played = _played(record, shelf, named, chosen.deal)
    _verify_cards(boards, _discards(record), (played or chosen.deal).decks)
    _verify_not_cancelled(record, boards)
    stated = record.get("point_value")
    claim = Claim(
        id=record.get("id"),
        names=names,
        boards=boards,
        fantasyland=tuple(_fantasyland(p.get("fantasyland"), name) for p, name in zip(players, names, strict=True)),
        stacks=tuple(_stack(player.get("stack"), name) for player, name in zip(players, names, strict=True)),
        point_value=Decimal(1) if stated is None else _at_least_zero(stated, "point_value"),
        pair_values=_pair_values(record.get("pair_values"), len(players)),
        played=played,
        rules=chosen,
    )
    _verify_amounts(claim)
    return claim

"""The referee at the table: hands as ``ofc-hh/1`` records in, the score of each under a rule set out.

Of a record only `players` (name, stack, fantasyland) and `boards` are needed; players stand in acting order, the button
last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from ingest.game.board import ROW_SIZES, ROWS, Board, make_board
from ingest.game.cards import CARD_COUNT, format_card, parse_card
from ingest.game.compiled import UNKNOWN_CARDS, compile_rules
from ingest.game.errors import CardError, OFCError, RuleError
from ingest.game.money import decimals, format_amount, parse_amount
from ingest.game.naturals import NATURALS, natural_masks
from ingest.game.pair import NO_NATURAL
from ingest.game.rules import Deal, RuleSet, find_rules, with_changes
from ingest.game.score import MOST_PLAYERS, Scores, pair_nets, pair_offsets, score_hands
from ingest.game.settle import UNKNOWN_STACK, settle
from ingest.game.strength import row_strengths

Record = Mapping[str, Any]

MOST_FANTASYLAND_CARDS = 17
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


def played_rules(record: Record, folders: Sequence[Path] = ()) -> RuleSet | None:
    """The rule set that a record names, with its `rules_changes`; None where it names none that is known."""
    name = record.get("rules")
    if not isinstance(name, str):
        return None
    try:
        return with_changes(find_rules(name, folders), record.get("rules_changes") or {})
    except RuleError:
        return None


def played_deal(record: Record, rules: RuleSet | None) -> Deal | None:
    """How a record's hand was dealt, None where it does not say; `rules` is what `played_rules` found."""
    game = record.get("game")
    if rules is not None:
        deal = rules.deal
    elif game is None:
        return None
    elif game in _GAMES:
        dealt, middle = _GAMES[game]
        deal = Deal(game=dealt, decks=1, middle=middle, face_down_last=0)  # type: ignore[arg-type]
    else:
        raise OFCError(f"expected game to be one of {', '.join(_GAMES)}, got {game!r}")
    return replace(deal, decks=_decks(record, deal.decks))


def _decks(record: Record, otherwise: int) -> int:
    decks = record.get("decks")
    if decks is None:
        return otherwise
    if isinstance(decks, bool) or decks not in (1, 2):
        raise OFCError(f"expected decks to be 1 or 2, got {decks!r}")
    return int(decks)


def _board(rows: Any, player: str) -> Board:
    if not isinstance(rows, Mapping):
        raise OFCError(f"expected the board of {player} as front, middle and back, got {rows!r}")
    cards: list[list[int]] = []
    for row, size in zip(ROWS, ROW_SIZES, strict=True):
        names = rows.get(row) or []
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise OFCError(f"expected the {row} of {player} as a list of up to {size} cards, got {names!r}")
        cards.append([parse_card(name) for name in names])
    board = make_board((cards[0], cards[1], cards[2]))
    for card in [card for row_cards in cards for card in row_cards]:
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
    counts = Counter(int(card) for board in boards for card in board if card < CARD_COUNT)
    counts.update(discards)
    card, times = max(counts.items(), key=lambda item: item[1], default=(0, 0))
    if times > decks:
        most = "once" if decks == 1 else "twice"
        raise OFCError(f"expected each card at most {most} in a deal, got {format_card(card)} {times} times")


def _fantasyland(value: Any, player: str) -> int:
    if value is None or value is False:
        return 0
    if value is True:
        return UNKNOWN_CARDS
    if not isinstance(value, int) or not 0 <= value <= MOST_FANTASYLAND_CARDS:
        raise OFCError(
            f"expected fantasyland of {player} to be a number of cards from 0 to {MOST_FANTASYLAND_CARDS}, "
            f"or true where it is unknown, got {value!r}"
        )
    return value


def _pair_values(value: Any, players: int) -> dict[tuple[int, int], Decimal]:
    values: dict[tuple[int, int], Decimal] = {}
    for entry in value or []:
        if (
            not isinstance(entry, list)
            or len(entry) != 3
            or not all(isinstance(place, int) and 0 <= place < players for place in entry[:2])
            or entry[0] == entry[1]
        ):
            raise OFCError(
                f'expected pair_values as [[0, 1, "10"], ...] with two of the {players} players, got {entry!r}'
            )
        amount = parse_amount(entry[2], "a pair's value")
        if amount < 0:
            raise OFCError(f"expected a pair's value of 0 or more, got {entry[2]!r}")
        values[min(entry[:2]), max(entry[:2])] = amount
    return values


def _verify_scorable(record: Record, boards: Sequence[Board]) -> None:
    status = record.get("status")
    if status in ("cancelled", "partial", "results_only"):
        raise NotScoredError(f"it is {str(status).replace('_', ' ')} and not scored")
    complete = all((board < CARD_COUNT).all() for board in boards)
    result = record.get("result")
    if complete or not isinstance(result, Mapping):
        return
    points, net = result.get("points"), result.get("net")
    paid = [parse_amount(amount, "net") for amount in net or [] if amount is not None]
    if points and not any(points) and not any(paid):
        raise NotScoredError("a board is incomplete and everybody got 0, so it is cancelled and not scored")


def read_claim(record: Record, rules: RuleSet | None, folders: Sequence[Path] = ()) -> Claim:
    """Check one record; `rules` wins over what the record names.

    Raises OFCError, one sentence, for a record that cannot be scored, NotScoredError for one that has nothing to score.
    """
    if not isinstance(record, Mapping):
        raise OFCError(f"expected a hand as an object with players and boards, got {record!r}")
    players, rows = record.get("players"), record.get("boards")
    if not isinstance(players, list) or not all(isinstance(player, Mapping) for player in players):
        raise OFCError(f"expected players as a list of objects with name, stack and fantasyland, got {players!r}")
    if not rows and record.get("status") == "results_only":
        raise NotScoredError("it is results only and not scored")
    if not isinstance(rows, list) or len(rows) != len(players) or not 1 <= len(players) <= MOST_PLAYERS:
        boards_came = len(rows) if isinstance(rows, list) else rows
        raise OFCError(
            f"expected 1 to {MOST_PLAYERS} players with a board each, "
            f"got {len(players)} players and {boards_came!r} boards"
        )
    names = tuple(str(player.get("name") or f"player {place + 1}") for place, player in enumerate(players))
    boards = tuple(_board(board, name) for board, name in zip(rows, names, strict=True))
    played = played_rules(record, folders)
    deal = played_deal(record, played)
    chosen = rules or played
    if chosen is None:
        raise OFCError(f"expected a rule set to score by, got a hand that names {record.get('rules')!r}")
    _verify_cards(boards, _discards(record), deal.decks if deal else _decks(record, chosen.deal.decks))
    _verify_scorable(record, boards)
    stated = record.get("point_value")
    point_value = Decimal(1) if stated is None else parse_amount(stated, "point_value")
    if point_value < 0:
        raise OFCError(f"expected point_value of 0 or more, got {record.get('point_value')!r}")
    return Claim(
        id=record.get("id"),
        names=names,
        boards=boards,
        fantasyland=tuple(_fantasyland(p.get("fantasyland"), name) for p, name in zip(players, names, strict=True)),
        stacks=tuple(_stack(player.get("stack"), name) for player, name in zip(players, names, strict=True)),
        point_value=point_value,
        pair_values=_pair_values(record.get("pair_values"), len(players)),
        played=deal,
        rules=chosen,
    )


def _stack(value: Any, player: str) -> Decimal | None:
    if value is None:
        return None
    stack = parse_amount(value, f"the stack of {player}")
    if stack < 0:
        raise OFCError(f"expected a stack of 0 or more for {player}, got {value!r}")
    return stack


def judge(claims: Sequence[Claim]) -> list[dict[str, Any]]:
    """The score of each claim, in their order; see `judge_hands` for what it holds."""
    answers: dict[int, dict[str, Any]] = {}
    by_rules: dict[RuleSet, list[int]] = {}
    for place, claim in enumerate(claims):
        by_rules.setdefault(claim.rules, []).append(place)
    for rules, places in by_rules.items():
        answers.update(zip(places, _judge_under(rules, [claims[place] for place in places]), strict=True))
    return [answers[place] for place in range(len(claims))]


def _judge_under(rules: RuleSet, claims: Sequence[Claim]) -> list[dict[str, Any]]:
    compiled = compile_rules(rules)
    first_seat = np.concatenate([[0], np.cumsum([len(claim.boards) for claim in claims])]).astype(np.int64)
    boards = np.stack([board for claim in claims for board in claim.boards])
    strengths, naturals = row_strengths(boards), natural_masks(boards)
    now = np.array([cards for claim in claims for cards in claim.fantasyland], np.int8)
    scores = score_hands(compiled, strengths, naturals, now, first_seat)
    nets = pair_nets(compiled, strengths, naturals, first_seat)
    first_pair = pair_offsets(first_seat)
    capped = rules.points.settlement == "table_stakes"
    chips = _chips(claims, nets.tolist(), first_seat, capped)
    seats = zip(first_seat[:-1].tolist(), first_seat[1:].tolist(), first_pair[:-1].tolist(), strict=True)
    lists = Scores(*(array.tolist() for array in scores))
    answers = []
    for claim, (start, stop, pair) in zip(claims, seats, strict=True):
        answer = _answer(claim, rules, lists, slice(start, stop))
        answer["pairs"] = [[i, j, int(nets[pair + k])] for k, (i, j) in enumerate(_pairs(stop - start))]
        answer["chips"] = chips[start:stop]
        answer["built_for_another_game"] = claim.played is not None and not rules.is_built_for(claim.played)
        if capped and None in claim.stacks:
            answer["stack_unknown"] = True
        answers.append(answer)
    return answers


def _pairs(players: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(players) for j in range(i + 1, players)]


def _answer(claim: Claim, rules: RuleSet, lists: Any, seats: slice) -> dict[str, Any]:
    return {
        "id": claim.id,
        "rules": rules.name,
        "points": lists.points[seats],
        "fouled": lists.fouled[seats],
        "royalties": [dict(zip(ROWS, values, strict=True)) for values in lists.values[seats]],
        "natural": [None if place == NO_NATURAL else NATURALS[place] for place in lists.natural[seats]],
        "moon": lists.moon[seats],
        "fantasyland_next": [None if n == UNKNOWN_CARDS else n for n in lists.fantasyland_next[seats]],
    }


def _chips(claims: Sequence[Claim], nets: list[int], first_seat: Any, table_stakes: bool) -> list[str]:
    """Chips of every seat as decimal text, counted in the smallest unit that all amounts need."""
    amounts = [claim.point_value for claim in claims]
    amounts += [value for claim in claims for value in claim.pair_values.values()]
    stacks = [stack for claim in claims for stack in claim.stacks]
    places = decimals([*amounts, *(stack for stack in stacks if stack is not None)])
    unit = Decimal(10) ** places
    values = [
        int(claim.pair_values.get(pair, claim.point_value) * unit)
        for claim in claims
        for pair in _pairs(len(claim.boards))
    ]
    dues = [net * value for net, value in zip(nets, values, strict=True)]
    held = [UNKNOWN_STACK if stack is None else int(stack * unit) for stack in stacks]
    most = max((abs(amount) for amount in (*dues, *held)), default=0)
    if most > np.iinfo(np.int64).max // MOST_PLAYERS:
        raise OFCError(f"expected amounts of at most 18 digits in all, got {most / unit:f}")
    chips = settle(np.array(dues, np.int64), first_seat, np.array(held, np.int64), table_stakes=table_stakes)
    return [format_amount(Decimal(amount).scaleb(-places)) for amount in chips.tolist()]


def judge_hands(
    records: Sequence[Record], rules: RuleSet | None = None, folders: Sequence[Path] = ()
) -> list[dict[str, Any]]:
    """Score records under `rules`, or under what each names.

    Each answer holds id, rules, points, fouled, royalties, natural, moon, fantasyland_next (None: a number unknown),
    pairs ``[i, j, what i gets from j]``, chips (decimal text: what each wins or loses in money) and
    built_for_another_game. Points and pairs are before point value and caps; ``stack_unknown`` is there, and true,
    where a cap could not be known. Raises OFCError at the first record that cannot be scored.
    """
    return judge([read_claim(record, rules, folders) for record in records])

"""The referee at the table: claims in, the score of each under its rule set out."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from ingest.game.board import ROWS
from ingest.game.claim import Claim, Record, RuleShelf, read_claim
from ingest.game.compiled import UNKNOWN_CARDS, compile_rules
from ingest.game.money import format_amount
from ingest.game.naturals import NATURALS, natural_masks
from ingest.game.pair import NO_NATURAL
from ingest.game.rules import RuleSet
from ingest.game.score import Scores, pair_nets, pair_offsets, score_hands
from ingest.game.settle import UNKNOWN_STACK, settle
from ingest.game.strength import row_strengths


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
    """Chips of every seat as decimal text; each hand is counted in the smallest unit that its amounts need."""
    dues: list[int] = []
    held: list[int] = []
    places: list[int] = []
    for claim in claims:
        digits = claim.decimals
        unit = Decimal(10) ** digits
        for pair in _pairs(len(claim.boards)):
            dues.append(nets[len(dues)] * int(claim.pair_values.get(pair, claim.point_value) * unit))
        held += [UNKNOWN_STACK if stack is None else int(stack * unit) for stack in claim.stacks]
        places += [digits] * len(claim.boards)
    chips = settle(np.array(dues, np.int64), first_seat, np.array(held, np.int64), table_stakes=table_stakes)
    amounts = zip(chips.tolist(), places, strict=True)
    return [format_amount(Decimal(amount).scaleb(-digits)) for amount, digits in amounts]


def judge_hands(
    records: Sequence[Record], rules: RuleSet | None = None, folders: Sequence[Path] = ()
) -> list[dict[str, Any]]:
    """Score records under `rules`, or under what each names.

    Each answer holds id, rules, points, fouled, royalties, natural, moon, fantasyland_next (None: a number unknown),
    pairs ``[i, j, what i gets from j]``, chips (decimal text: what each wins or loses in money) and
    built_for_another_game. Points and pairs are before point value and caps; ``stack_unknown`` is there, and true,
    where a cap could not be known. Raises OFCError at the first record that cannot be scored.
    """
    shelf = RuleShelf(folders)
    return judge([read_claim(record, rules, shelf) for record in records])

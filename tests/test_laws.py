"""Laws that every score obeys, whatever the rule set: no expected numbers, only what must not change or must cancel."""

from __future__ import annotations

import random
from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ingest.game.compiled import compile_rules
from ingest.game.referee import judge_hands
from ingest.game.rules import RuleSet
from ingest.game.score import score_hands
from tests.deals import adversarial_deal, random_deal
from tests.house_rules import ALL_RULES, rules_of
from tests.naive import ROWS, Hand
from tests.seats import seats_of


class Case(NamedTuple):
    """A deal, and a rule set to score it by."""

    rules: RuleSet
    hand: Hand


def case_of(rule_set: tuple[str, str, dict[str, Any]], kind: Callable[..., Hand], seed: int) -> Case:
    twin, rules = rules_of(*rule_set[1:])
    return Case(rules, kind(seed, twin))


cases = st.builds(
    case_of,
    st.sampled_from(ALL_RULES),
    st.sampled_from([adversarial_deal, adversarial_deal, random_deal]),
    st.integers(0, 10**9),
)
law = settings(max_examples=150, deadline=None)


def judged(case: Case, hand: Hand | None = None) -> dict[str, Any]:
    return judge_hands([hand or case.hand], case.rules)[0]


def of_cards(result: dict[str, Any]) -> dict[str, Any]:
    """What the cards and the rule set alone decide."""
    keys = ("points", "fouled", "royalties", "natural", "moon", "fantasyland_next", "pairs")
    return {key: result[key] for key in keys}


def with_boards(hand: Hand, change: Callable[[list[str]], list[str]]) -> Hand:
    """The hand with every row changed."""
    return hand | {"boards": [{row: change(board[row]) for row in ROWS} for board in hand["boards"]]}


@law
@given(cases)
def test_points_and_chips_sum_to_zero(case: Case) -> None:
    result = judged(case)
    assert sum(result["points"]) == 0
    assert sum(map(Decimal, result["chips"])) == 0


@law
@given(cases)
def test_parts_sum_to_points_and_each_part_to_zero(case: Case) -> None:
    scores = score_hands(compile_rules(case.rules), *seats_of([case.hand]))
    assert np.array_equal(scores.parts.sum(axis=1), scores.points)
    rows = scores.parts[:, :3].sum(axis=1)
    royalties = scores.parts[:, 5:8].sum(axis=1)
    for part in (rows, royalties, *scores.parts[:, [3, 4, 8, 9]].T):
        assert part.sum() == 0


@law
@given(cases)
def test_pairs_sum_to_points(case: Case) -> None:
    result = judged(case)
    points = [0] * len(result["points"])
    for i, j, net in result["pairs"]:
        points[i] += net
        points[j] -= net
    assert points == result["points"]


@law
@given(cases)
def test_a_pair_does_not_depend_on_the_others(case: Case) -> None:
    for i, j, net in judged(case)["pairs"]:
        alone = {key: [case.hand[key][i], case.hand[key][j]] for key in ("players", "boards")}
        assert judged(case, alone)["points"] == [net, -net]


@law
@given(cases, st.randoms(use_true_random=False))
def test_changing_seats_changes_the_points_with_them(case: Case, rng: random.Random) -> None:
    """Chips too, but not under table stakes, where the order of the pairs decides who is paid first."""
    hand, count = case.hand, len(case.hand["boards"])
    order = rng.sample(range(count), count)  # new seat k is taken by the player of seat order[k]
    moved = hand | {key: [hand[key][seat] for seat in order] for key in ("players", "boards")}
    moved["pair_values"] = [[order.index(i), order.index(j), value] for i, j, value in hand["pair_values"]]
    before, after = judged(case), judged(case, moved)
    keys = ["points", "fouled", "royalties", "natural", "moon", "fantasyland_next"]
    if case.rules.points.settlement == "points":
        keys.append("chips")
    for key in keys:
        assert after[key] == [before[key][seat] for seat in order]


@law
@given(cases, st.permutations("cdhs"))
def test_suits_are_only_names(case: Case, suits: list[str]) -> None:
    """Except for naturals that ask for a colour (full_colored): there red and black may change places as a whole."""
    renamed = dict(zip("cdhs", suits, strict=True))
    asks_for_colour = case.rules.naturals.points.get("full_colored", 0) > 0
    assume(not asks_for_colour or {renamed["d"], renamed["h"]} in ({"d", "h"}, {"c", "s"}))
    other = with_boards(case.hand, lambda row: [card[0] + renamed[card[1]] for card in row])
    assert of_cards(judged(case, other)) == of_cards(judged(case))


@law
@given(cases, st.randoms(use_true_random=False))
def test_order_within_a_row_does_not_matter(case: Case, rng: random.Random) -> None:
    other = with_boards(case.hand, lambda row: rng.sample(row, len(row)))
    assert of_cards(judged(case, other)) == of_cards(judged(case))


@law
@given(cases)
def test_table_stakes_bound_every_player(case: Case) -> None:
    """Nobody loses more than he had, nobody wins more than he had; with deep stacks the caps change nothing."""
    twin_stakes = {"points.settlement": "table_stakes"}
    capped = Case(rules_of("classic", twin_stakes)[1], case.hand)
    assume(case.rules.deal.decks == 1)
    for player, chips in zip(case.hand["players"], judged(capped)["chips"], strict=True):
        if player["stack"] is not None:
            assert abs(Decimal(chips)) <= Decimal(player["stack"])
    deep = case.hand | {"players": [player | {"stack": "1000000"} for player in case.hand["players"]]}
    free = Case(rules_of("classic", {})[1], deep)
    assert judged(capped, deep)["chips"] == judged(free)["chips"]


@law
@given(cases)
def test_a_fouled_board_has_nothing(case: Case) -> None:
    """No royalty, no natural, no moon, no Fantasyland, and no point from anybody who did not foul."""
    result = judged(case)
    fouled = result["fouled"]
    for seat in range(len(fouled)):
        if fouled[seat]:
            assert set(result["royalties"][seat].values()) == {0}
            assert result["natural"][seat] is None
            assert not result["moon"][seat]
            assert result["fantasyland_next"][seat] == 0
    for i, j, net in result["pairs"]:
        if fouled[i] and fouled[j]:
            assert net == 0
        elif fouled[i] or fouled[j]:
            assert (net if fouled[j] else -net) >= 0

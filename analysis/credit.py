"""Fantasyland credit: what trips that a rule set gives, and the log does not contain, would have been worth.

A hand scored under other rules may earn a trip that was never played, or not earn one that was. Each trip has a value
for the rule set and size of table (found by simulation and kept, see `ingest.simulate.values`), in points over a normal
hand. A seat's credit is the value of the trip that the rule set gives less the value of the trip that the log goes on
with; its opponents pay it in equal parts. Results with credit are estimates and stand beside those without, never
mixed with them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from analysis.intervals import ratio_interval
from analysis.scored import ANOTHER_GAME, RULES_UNKNOWN, scores_of
from analysis.tables import Hands
from ingest.game.compiled import UNKNOWN_CARDS
from ingest.game.rules import RuleSet

Floats = npt.NDArray[np.float64]
Values = Callable[[RuleSet, int], Mapping[int, float]]

# A trip of which the number of cards is not known counts as one of so many.
USUAL_CARDS = 14
_MOST_CARDS = 17

MEANING = (
    "Credit: the value of trips to Fantasyland that the rule set gives less that of the trips that the log goes on "
    "with, as simulated players value them; an estimate, which the plain results do not contain."
)


def simulated_values(rules: RuleSet, players: int) -> Mapping[int, float]:
    """Values by number of cards, from what travels with the program or from a simulation that is then kept."""
    from ingest.simulate.values import fantasyland_values

    return fantasyland_values(rules, players)


def credit(
    hands: Hands,
    rule_sets: Sequence[RuleSet],
    *,
    another_game: bool = False,
    values: Values = simulated_values,
    seed: int = 0,
) -> pl.DataFrame:
    """Results of the seats that count, without and with credit, a row per rule set.

    Columns: rules, hands, left_out (another game, or the played rules unknown), given (trips that the rule set gives),
    played (trips that the log goes on with), gained, lost (trips only in one of them), unknown (trips of an unknown
    number of cards), and points, credit, with_credit per hand with _low and _high.
    """
    rows = []
    for rules in rule_sets:
        kept = hands if another_game else hands.keep(hands.built_for(rules), ANOTHER_GAME)
        known = kept.hands["rules_key"].is_in(list(kept.rules)).fill_null(False).to_numpy()
        kept = kept.keep(known, RULES_UNKNOWN)
        row: dict[str, object] = {"rules": rules.name, "hands": len(kept), "left_out": len(hands) - len(kept)}
        rows.append(row | _results(kept, rules, values, seed))
    return pl.DataFrame(rows, infer_schema_length=None)


def _results(hands: Hands, rules: RuleSet, values: Values, seed: int) -> dict[str, object]:
    if not len(hands):
        return {}
    scores = scores_of(hands, rules)
    players = hands.hands["players"].to_numpy()
    played, played_worth = _played_next(hands, rules, values)
    own = _worth(rules, players, scores.fantasyland_next, values) - played_worth
    moved = shared(own, hands.first_seat)
    counted = hands.counted
    given, gone = scores.fantasyland_next[counted] != 0, played[counted] != 0
    unknown = (scores.fantasyland_next == UNKNOWN_CARDS) | (played == UNKNOWN_CARDS)
    seats = pl.DataFrame(
        {
            "cluster": np.repeat(hands.hands["cluster"].to_numpy(), players),
            "points": scores.points.astype(np.float64),
            "credit": moved,
            "with_credit": scores.points + moved,
        }
    ).filter(pl.Series(counted))
    sums = seats.group_by("cluster").agg(pl.len().alias("n"), pl.all().exclude("cluster").sum()).sort("cluster")
    columns = ("points", "credit", "with_credit")
    found = ratio_interval(
        sums.select(columns).to_numpy(), sums.select(pl.col("n").cast(pl.Float64)).to_numpy(), seed=seed
    )
    answer: dict[str, object] = {
        "given": int(given.sum()),
        "played": int(gone.sum()),
        "gained": int((given & ~gone).sum()),
        "lost": int((gone & ~given).sum()),
        "unknown": int(unknown[counted].sum()),
    }
    for place, name in enumerate(columns):
        for end, numbers in (("", found.value), ("_low", found.low), ("_high", found.high)):
            answer[name + end] = float(numbers[place]) if np.isfinite(numbers[place]) else None
    return answer


def _played_next(hands: Hands, rules: RuleSet, values: Values) -> tuple[npt.NDArray[np.int8], Floats]:
    """The trip that each seat's board earned under the rules that the hand was played by, (s,), and what it is worth.

    It is worth what trips are worth under `rules`; where those give none, what they were worth where it was played.
    """
    played, worth = np.zeros(len(hands.seats), np.int8), np.zeros(len(hands.seats))
    keys, players = hands.hands["rules_key"], hands.hands["players"].to_numpy()
    gives = bool(rules.fantasyland.enter or rules.fantasyland.stay)
    for key in keys.unique():
        mask = (keys == key).to_numpy()
        seats = np.repeat(mask, players)
        own_rules = hands.rules[key]
        played[seats] = scores_of(hands.keep(mask, ""), own_rules).fantasyland_next
        worth[seats] = _worth(rules if gives else own_rules, players[mask], played[seats], values)
    return played, worth


def _worth(rules: RuleSet, players: npt.NDArray[np.uint8], cards: npt.NDArray[np.int8], values: Values) -> Floats:
    """What each seat's trip is worth, (s,), 0 for none; by the size of its table."""
    worth = np.zeros(len(cards))
    table_of = np.repeat(players, players)
    for table in np.unique(players).tolist():
        found = values(rules, table)
        by_cards = np.zeros(_MOST_CARDS + 1)
        for number in range(1, _MOST_CARDS + 1):
            by_cards[number] = _nearest(found, number)
        at_table = table_of == table
        numbers = np.where(cards == UNKNOWN_CARDS, USUAL_CARDS, cards)
        worth[at_table] = by_cards[numbers[at_table]]
    return worth


def _nearest(values: Mapping[int, float], cards: int) -> float:
    """The value of a trip; one of a number that the rule set does not give counts as the nearest that it gives."""
    if not values:
        return 0.0
    return float(values[min(values, key=lambda known: (abs(known - cards), known))])


def shared(own: Floats, first_seat: npt.NDArray[np.int64]) -> Floats:
    """Each seat's own credit less its part of what the opponents are credited; sums to zero in each hand."""
    players = np.diff(first_seat)
    hand_of = np.repeat(np.arange(len(players)), players)
    others = np.add.reduceat(own, first_seat[:-1])[hand_of] - own
    moved: Floats = own - others / np.maximum(players[hand_of] - 1, 1)
    return moved

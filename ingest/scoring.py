"""Stored hands under one rule set: rows of the table `scores` from rows of `hands` and `seats`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import orjson
import polars as pl

from ingest.batch import MONEY, Offsets, exact_money, offsets, to_millionths
from ingest.game.compiled import compile_rules
from ingest.game.pair import PARTS
from ingest.game.rules import RuleSet
from ingest.game.score import Scores, pair_nets, pair_offsets, score_hands
from ingest.game.settle import UNKNOWN_STACK, settle
from ingest.game.strength import NO_STRENGTH
from ingest.hand import CARDS_UNKNOWN

# What of `hands` and `seats` scoring needs.
HAND_INPUT = ("hand_key", "players", "game", "decks", "middle", "point_value", "pair_values")
SEAT_INPUT = (
    "seat", "stack", "in_fantasyland", "fantasyland_cards", "front_strength", "middle_strength", "back_strength",
    "naturals",
)  # fmt: skip


class Scorable(NamedTuple):
    """Hands ready for the scorer; seats of all hands one behind the other."""

    hands: pl.DataFrame  # HAND_INPUT, one row a hand
    seats: pl.DataFrame  # SEAT_INPUT, in the order of the hands
    first_seat: Offsets  # (n + 1,)
    strengths: npt.NDArray[np.uint16]  # (s, 3)
    naturals: npt.NDArray[np.uint16]  # (s,)
    fantasyland: npt.NDArray[np.int8]  # (s,) 0, number of cards, or -1 for an unknown number


def rules_key(rules: RuleSet) -> int:
    """The key of a rule set in the database."""
    return int.from_bytes(bytes.fromhex(rules.key)[:8], "big", signed=True)


def scorable(hands: pl.DataFrame, seats: pl.DataFrame) -> Scorable:
    """Rows of `hands` (all of them `scored`) and their `seats`, in the same order, as arrays."""
    names = ("front_strength", "middle_strength", "back_strength")
    strengths = seats.select(pl.col(name).fill_null(NO_STRENGTH) for name in names).to_numpy()
    fantasyland = seats.select(
        pl.when("in_fantasyland").then(pl.col("fantasyland_cards").cast(pl.Int8).fill_null(CARDS_UNKNOWN)).otherwise(0)
    ).to_series()
    return Scorable(
        hands,
        seats,
        offsets(hands["players"]),
        np.ascontiguousarray(strengths, np.uint16),
        seats["naturals"].to_numpy(),
        fantasyland.cast(pl.Int8).to_numpy(),
    )


def score_frame(rules: RuleSet, given: Scorable) -> pl.DataFrame:
    """The rows of `scores` for hands under one rule set, in the order of their seats."""
    scores = score_hands(compile_rules(rules), given.strengths, given.naturals, given.fantasyland, given.first_seat)
    players = np.diff(given.first_seat)
    columns: dict[str, Any] = {
        "rules_key": np.full(len(scores.points), rules_key(rules)),
        "hand_key": np.repeat(given.hands["hand_key"].to_numpy(), players),
        "seat": given.seats["seat"],
        "points": scores.points,
        **{name: scores.parts[:, number] for number, name in enumerate(PARTS)},
        **{f"value_{row}": scores.values[:, number] for number, row in enumerate(("front", "middle", "back"))},
        "fouled": scores.fouled,
        "best_natural": scores.natural,
        "moon": scores.moon,
        "fantasyland_next": scores.fantasyland_next,
        "chips": _chips(rules, given, scores),
        "built_for_another_game": np.repeat(_another_game(rules, given.hands), players),
    }
    small = {name: pl.Int16 for name in columns if name in PARTS or name == "points" or name.startswith("value_")}
    return pl.DataFrame(columns).cast(small)  # type: ignore[arg-type]


def _another_game(rules: RuleSet, hands: pl.DataFrame) -> npt.NDArray[np.bool_]:
    """Hands that were dealt in another way than this rule set deals; a hand that does not say is not marked."""
    deal = rules.deal
    other = (pl.col("game") != deal.game) | (pl.col("decks") != deal.decks) | (pl.col("middle") != deal.middle)
    return hands.select((pl.col("game").is_not_null() & other).fill_null(False)).to_series().to_numpy()


def _chips(rules: RuleSet, given: Scorable, scores: Scores) -> pl.Series:
    """What every seat wins or loses in money under this rule set; NULL where the stake is unknown."""
    table_stakes = rules.points.settlement == "table_stakes"
    values, known = to_millionths(given.hands["point_value"])
    per_seat = np.repeat(known, np.diff(given.first_seat))
    pairs = given.hands["pair_values"].is_not_null()
    if not table_stakes and not pairs.any():
        return exact_money(scores.points.astype(np.int64) * np.repeat(values, np.diff(given.first_seat)), per_seat)
    nets = pair_nets(compile_rules(rules), given.strengths, given.naturals, given.first_seat)
    first_pair = pair_offsets(given.first_seat)
    dues = nets * _pair_values(values, first_pair, given.hands)
    stacks, has_stack = to_millionths(given.seats["stack"])
    stacks = np.where(has_stack, stacks, UNKNOWN_STACK)
    return exact_money(settle(dues, given.first_seat, stacks, table_stakes=table_stakes), per_seat)


def _pair_values(values: npt.NDArray[np.int64], first_pair: Offsets, hands: pl.DataFrame) -> npt.NDArray[np.int64]:
    """The value of a point for each pair, in millionths."""
    by_pair = np.repeat(values, np.diff(first_pair))
    for hand, text in enumerate(hands["pair_values"]):
        if text is None:
            continue
        players = int(hands["players"][hand])
        places = {
            pair: place for place, pair in enumerate((i, j) for i in range(players) for j in range(i + 1, players))
        }
        for a, b, value in orjson.loads(text):
            [millionths], _ = to_millionths(pl.Series([value]).cast(MONEY))
            by_pair[first_pair[hand] + places[min(a, b), max(a, b)]] = millionths
    return by_pair

"""Adapted play: what people do under a rule set that they know, beside what the rule set pays for the same decisions.

For each rule set agents who know it play sessions of their own; their hands are measured like stored ones. They are not
the people of the log, so compare rule sets with each other in one column, not numbers across the two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import polars as pl

from analysis.filters import Filters
from analysis.metrics import find_metric, measure
from analysis.scored import score_as_played, score_under
from analysis.tables import Hands
from ingest.batch import Batch, concat
from ingest.game.naturals import natural_masks
from ingest.game.rules import RuleSet
from ingest.game.strength import row_strengths
from ingest.hand import CARDS_UNKNOWN
from ingest.scoring import rules_key

FIGURES = ("sd_per_hand", "foul_rate", "scoop_rate", "royalties", "entry_rate", "stay_rate")
SAME, ADAPTED = "same decisions", "adapted play"

MEANING = (
    "Same decisions: the stored hands, paid by other rules. Adapted play: simulated sessions of agents who know the "
    "rules; they are not the people of the log, so compare within a kind of play, not across."
)


def hands_of_batch(batch: Batch, rules: RuleSet) -> Hands:
    """Hands of a simulation as analysis takes them, without a database in between."""
    strengths = row_strengths(batch.boards())
    key = rules_key(rules)
    sessions = batch.hands["session_id"].rank("dense").cast(pl.Int32) - 1
    hands = batch.hands.select(
        pl.int_range(pl.len()).cast(pl.Int64).alias("hand_key"),
        "site",
        sessions.cast(pl.Int64).alias("session"),
        sessions.alias("cluster"),
        pl.lit(False).alias("by_day"),
        pl.lit(key, pl.Int64).alias("rules_key"),
        pl.lit(rules.deal.game).alias("game"),
        pl.lit(rules.deal.decks, pl.UInt8).alias("decks"),
        pl.lit(rules.deal.middle).alias("middle"),
        "players",
        pl.coalesce("ended_at", "started_at").alias("played_at"),
        (pl.col("ended_at") - pl.col("started_at")).dt.total_milliseconds().truediv(1000).alias("seconds"),
        pl.col("point_value").cast(pl.Float64),
        "unit",
    )
    names = batch.seats["player"].unique().sort()
    number = {name: place for place, name in enumerate(names)}
    seats = batch.seats.select(
        pl.Series("hand", np.repeat(np.arange(len(batch), dtype=np.uint32), batch.hands["players"].to_numpy())),
        "seat",
        pl.col("player").replace_strict(number, return_dtype=pl.UInt32),
        "hero",
        pl.lit(True).alias("counted"),
        *(pl.Series(row, strengths[:, place]) for place, row in enumerate(("front", "middle", "back"))),
        pl.Series("naturals", natural_masks(batch.boards())),
        pl.when("in_fantasyland")
        .then(pl.col("fantasyland_cards").cast(pl.Int8).fill_null(CARDS_UNKNOWN))
        .otherwise(0)
        .cast(pl.Int8)
        .alias("fantasyland"),
        pl.col("net").cast(pl.Float64),
    )
    return Hands(hands, seats, names, Filters(kind="simulated"), {key: rules})


def simulated_hands(
    rules: RuleSet,
    players: int,
    hands: int,
    *,
    agent: str = "fast",
    seed: int = 1,
    on_round: Callable[[int], None] = lambda done: None,
) -> Hands:
    """Sessions of `players` agents of one kind who know `rules`, `hands` hands in all."""
    from ingest.simulate.run import simulate
    from ingest.simulate.session import Plan

    plan = Plan(rules, (agent,) * players, hands, seed)
    return hands_of_batch(concat(simulate(plan, on_round)), rules)


def same_and_adapted(
    stored: Hands,
    rule_sets: Sequence[RuleSet],
    *,
    players: int,
    hands: int,
    agent: str = "fast",
    another_game: bool = False,
    seed: int = 1,
    on_round: Callable[[int], None] = lambda done: None,
) -> pl.DataFrame:
    """Both answers in one table: rules, play (SAME or ADAPTED), and the columns of `measure` for each of FIGURES.

    Adapted play is simulated at tables of `players`. A rule set that no stored hand was dealt for has no row of SAME.
    """
    metrics = [find_metric(name) for name in FIGURES]
    parts = []
    for rules in rule_sets:
        same = score_under(stored, rules, another_game=another_game)
        adapted = score_as_played(simulated_hands(rules, players, hands, agent=agent, seed=seed, on_round=on_round))
        for play, scored in ((SAME, same), (ADAPTED, adapted)):
            if scored.hands:
                answer = measure(scored.frame, metrics=metrics, seed=seed)
                parts.append(answer.select(pl.lit(rules.name).alias("rules"), pl.lit(play).alias("play"), pl.all()))
    return pl.concat(parts)

"""Single hands behind the figures: the best, the worst, and the one that another rule set would have changed most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from analysis.examples import JudgedBoard, judge_boards
from analysis.scored import ANOTHER_GAME, Scored, scores_of
from analysis.tables import Hands, boards, known_hands
from ingest.game.rules import RuleSet

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True)
class StrikingHand:
    """One hand: what is striking about it in a sentence, and every board of it, judged."""

    sentence: str
    names: tuple[str, ...]
    boards: tuple[JudgedBoard, ...]


def best_and_worst(con: duckdb.DuckDBPyConnection, hands: Hands, scored: Scored) -> list[StrikingHand]:
    """The hands with the most points won and lost by a player who counts, each as it was played."""
    found = []
    for words, rows in (
        ("most points won", scored.frame.top_k(1, by="points")),
        ("most lost", scored.frame.bottom_k(1, by="points")),
    ):
        [row] = rows.select("hand", "player", "points").rows(named=True)
        key = scored.keys[row["hand"]]
        [rules_key] = hands.hands.filter(pl.col("hand_key") == key)["rules_key"]
        sentence = f"The {words}: {row['player']}, {row['points']:+d} points"
        found.append(_shown(con, key, hands.rules[rules_key], sentence))
    return found


def most_changed(
    con: duckdb.DuckDBPyConnection, hands: Hands, rules: RuleSet, baseline: RuleSet, *, another_game: bool = False
) -> StrikingHand | None:
    """The hand in which the points of a player who counts differ most between two rule sets; None if none differ."""
    kept = hands if another_game else hands.keep(hands.built_for(rules) & hands.built_for(baseline), ANOTHER_GAME)
    if not len(kept):
        return None
    now, before = (scores_of(kept, each).points for each in (rules, baseline))
    change = np.where(kept.counted, np.abs(now - before), 0)
    seat = int(change.argmax())
    if not change[seat]:
        return None
    hand, player = kept.seats["hand"][seat], kept.names[kept.seats["player"][seat]]
    sentence = f"{player} {now[seat]:+d} points instead of {before[seat]:+d} under {baseline.name}"
    return _shown(con, kept.hands["hand_key"][hand], rules, sentence)


def _shown(con: duckdb.DuckDBPyConnection, key: int, rules: RuleSet, sentence: str) -> StrikingHand:
    [about] = known_hands(con, [key]).rows(named=True)
    seats = boards(con, key)
    cards = np.array(seats["board"].to_list(), np.uint8)
    where = f"{about['site']}, {about['played_at']:%Y-%m-%d}" if about["played_at"] else about["site"]
    return StrikingHand(
        f"{sentence} ({where}, {rules.name.split(' with ')[0]}).",
        tuple(seats["player"]),
        judge_boards(rules, cards, seats["fantasyland"].to_list()),
    )

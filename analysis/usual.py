"""What is usual among some hands: who plays most, by which rules, at which size of table."""

from __future__ import annotations

from collections.abc import Mapping

from analysis.scored import ANOTHER_GAME, Scored
from analysis.tables import Hands
from ingest.game.rules import RuleSet

# What a chart can hold apart by colour.
MOST_LINES = 6


def leading_players(scored: Scored, most: int = MOST_LINES) -> list[str]:
    """The players with the most hands."""
    counts = scored.frame.group_by("player").len().sort("len", "player", descending=[True, False])
    return counts["player"].head(most).to_list()


def most_played(hands: Hands) -> RuleSet | None:
    """The rule set that most of the hands were played by; None if none says by which."""
    counts = hands.hands["rules_key"].drop_nulls().value_counts().sort("count", "rules_key", descending=True)
    known = [key for key in counts["rules_key"] if key in hands.rules]
    return hands.rules[known[0]] if known else None


def alike(baseline: RuleSet, known: Mapping[str, RuleSet]) -> list[str]:
    """The names of the other rule sets that are built for the game of `baseline`."""
    return [name for name, rules in known.items() if rules.is_built_for(baseline.deal) and name != baseline.name]


def one_game(hands: Hands) -> tuple[Hands, RuleSet] | None:
    """The hands that were built for the game of the rule set most of them were played by, and that rule set."""
    usual = most_played(hands)
    return None if usual is None else (hands.keep(hands.built_for(usual), ANOTHER_GAME), usual)


def usual_table(hands: Hands) -> int:
    """How many players sit at the table in most of the hands."""
    return int(hands.hands["players"].mode().max())  # type: ignore[arg-type]

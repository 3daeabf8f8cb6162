"""The value of a Fantasyland hand over a normal one, by number of cards, for a rule set and a size of table."""

from __future__ import annotations

from ingest.game.rules import RuleSet


def fantasyland_values(rules: RuleSet, players: int) -> dict[int, float]:
    """What a hand with that many Fantasyland cards is worth over a normal one, in points."""
    return dict.fromkeys(range(13, 18), 10.0)

"""A rule set paid as others pay: the same deal and Fantasyland, another's points, royalties, naturals and moon.

Boards that were set for one game tell little about another one, but any way of paying can be tried on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ingest.game.rules import RuleSet, rules_of_data

_PAYING = ("points", "royalties", "naturals", "moon")


def paid_as(rules: RuleSet, other: RuleSet) -> RuleSet:
    """`rules` with what rows, scoops, fouls, royalties and whole boards pay taken from `other`, settled as before."""
    data = {**rules.data, **{name: other.data[name] for name in _PAYING}}
    data["points"] = {**data["points"], "settlement": rules.points.settlement}
    data |= {"name": f"paid as {other.name}", "title": f"{rules.title}, paid as {other.title}", "base": None}
    return rules_of_data(data)


def ways_of_paying(rules: RuleSet, others: Iterable[RuleSet]) -> dict[str, RuleSet]:
    """`rules` paid in every way that `others` know and that is not its own, by name; each way once.

    Only of open-face rule sets with the same decks and the same kind of middle: their tables fit its rows.
    """
    seen = {_way(rules.data)}
    ways = {}
    for other in others:
        fits = other.deal.decks == rules.deal.decks and other.deal.middle == rules.deal.middle
        if fits and other.deal.game != "chinese" and _way(other.data) not in seen:
            seen.add(_way(other.data))
            changed = paid_as(rules, other)
            ways[changed.name] = changed
    return ways


def _way(data: Mapping[str, Any]) -> str:
    """What tells one way of paying from another: everything that pays more than nothing."""
    points = {key: value for key, value in data["points"].items() if key != "settlement"}
    moon = data["moon"] if data["moon"]["points"] else {}
    naturals = data["naturals"] if any(data["naturals"]["points"].values()) else {}
    return repr([_paying(points), _paying(data["royalties"]), _paying(naturals), _paying(moon)])


def _paying(data: Mapping[str, Any]) -> list[tuple[str, Any]]:
    items = [(key, _paying(value) if isinstance(value, Mapping) else value) for key, value in data.items()]
    return sorted((key, value) for key, value in items if value)

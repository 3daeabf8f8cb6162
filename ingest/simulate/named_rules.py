"""A rule set as a log names it: a built-in name, and what is played differently."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from ingest.game.rules import RuleSet, builtin_rules

# What a rule file says about itself, not about the game.
_ABOUT = ("name", "title", "base", "source")


@cache
def as_log_names(rules: RuleSet) -> tuple[str, Mapping[str, Any]]:
    """The built-in rule set that is nearest to `rules`, and the changes to it as a rule file would write them."""
    if rules.name in builtin_rules():
        return rules.name, {}
    nearest: tuple[int, str, Mapping[str, Any]] | None = None
    for name, other in builtin_rules().items():
        if not rules.is_built_for(other.deal):
            continue
        found = {key: _changes(other.data[key], rules.data[key]) for key in rules.data if key not in _ABOUT}
        changes = {key: change for key, change in found.items() if change}
        size = _size(changes)
        if nearest is None or size < nearest[0]:
            nearest = size, name, changes
    if nearest is None:  # another game than any built-in one: nothing is near, everything is said
        return "classic", {key: value for key, value in rules.data.items() if key not in _ABOUT}
    return nearest[1], nearest[2]


def _changes(base: Any, wanted: Any) -> Any:
    """What makes `base` into `wanted` when tables merge key by key; a payment that is gone becomes 0."""
    if not isinstance(base, Mapping) or not isinstance(wanted, Mapping):
        return wanted
    changes = {key: 0 for key in base if key not in wanted}
    for key, value in wanted.items():
        if key not in base:
            changes[key] = value
        elif base[key] != value:
            changes[key] = _changes(base[key], value)
    return changes


def _size(value: Any) -> int:
    return sum(_size(part) for part in value.values()) if isinstance(value, Mapping) else 1

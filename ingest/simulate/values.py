"""The value of a Fantasyland hand over a normal one, by number of cards, for a rule set and a size of table.

A hand with n cards is worth its advantage in points over the normal players at the table, and what it earns for the
next hand: value(n) = advantage(n) + sum over m of (stays with m - a normal hand enters with m) value(m). A normal hand
earns the chance to enter, which he who is in Fantasyland goes without. How players play depends on these values, so
they are found by a fixed point: play with the values so far, solve for new ones, until they no longer move.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from platformdirs import user_cache_path

from ingest.game.naturals import natural_masks
from ingest.game.rules import RuleSet
from ingest.game.score import score_hands
from ingest.game.strength import row_strengths

# What was found for the built-in rule sets travels with the program; `python -m ingest.simulate.values` writes it.
_SHIPPED = files("ingest.simulate").joinpath("data", "values.json")
# Part of the key of what is kept: another way to play finds other values.
_VERSION = 1
_HANDS, _ROUNDS = 1_500, 3
# Where the search begins; any start will do.
_START = 10.0


class Found(NamedTuple):
    """What the fixed point found for one number of cards; chances per hand, advantage in points with its error."""

    value: float
    advantage: float
    error: float
    stays: float


def possible_cards(rules: RuleSet) -> list[int]:
    """Every number of Fantasyland cards that the rule set can give."""
    conditions = (*rules.fantasyland.enter, *rules.fantasyland.stay)
    return sorted({condition.cards for condition in conditions if isinstance(condition.cards, int)})


@lru_cache(maxsize=256)
def fantasyland_values(rules: RuleSet, players: int) -> dict[int, float]:
    """What a hand with that many Fantasyland cards is worth over a normal one, in points.

    Taken from what travels with the program, else from this user's cache, else found now and kept there.
    """
    if not possible_cards(rules):
        return {}
    key = f"{rules.key}/{players}/{_VERSION}"
    known = json.loads(_SHIPPED.read_text("utf-8")) if _SHIPPED.is_file() else {}
    cache = user_cache_path("ofclab") / "fantasyland-values.json"
    if key not in known and cache.is_file():
        known = json.loads(cache.read_text("utf-8"))
    if key not in known:
        found = find_values(rules, players)
        known[key] = {str(cards): round(one.value, 1) for cards, one in found.items()}
        cache.parent.mkdir(parents=True, exist_ok=True)
        cache.write_text(json.dumps(known), "utf-8")
    return {int(cards): float(value) for cards, value in known[key].items()}


def find_values(rules: RuleSet, players: int, hands: int = _HANDS) -> dict[int, Found]:
    """The fixed point, from `hands` hands for every number of cards and as many normal ones, in each round."""
    from ingest.simulate.fast import FastAgent
    from ingest.simulate.worth import make_setting

    sizes = possible_cards(rules)
    values = dict.fromkeys(sizes, _START)
    found: dict[int, Found] = {}
    for _ in range(_ROUNDS):
        setting = make_setting(rules, players, values)
        agent = FastAgent(setting)
        _, enters = _play(setting, agent, 0, hands)
        enter_rates = np.array([(enters == size).mean() for size in sizes])
        advantages, errors, stays = [], [], []
        for size in sizes:
            points, following = _play(setting, agent, size, hands)
            advantages.append(points.mean())
            errors.append(points.std() / np.sqrt(len(points)))
            stays.append([(following == other).mean() for other in sizes])
        moves = np.array(stays) - enter_rates
        solved = np.linalg.solve(np.eye(len(sizes)) - moves, np.array(advantages))
        found = {
            size: Found(float(solved[k]), float(advantages[k]), float(errors[k]), float(np.sum(stays[k])))
            for k, size in enumerate(sizes)
        }
        values = {size: round(max(one.value, 0.0), 1) for size, one in found.items()}
    return found


def _play(setting: Any, agent: Any, cards: int, hands: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int8]]:
    """Hands in which one seat, each in turn, plays with `cards` Fantasyland cards: his points, his next cards."""
    from ingest.simulate.deal import deal_hands

    players = setting.players
    tables = np.arange(hands)
    fantasyland = np.zeros((hands, players), np.int8)
    mine = (tables, tables % players)
    fantasyland[mine] = cards
    everyone = np.zeros((hands, players), np.int64)
    dealt = deal_hands(setting.rules, [agent], everyone, fantasyland, 4711, tables, tables)
    boards = dealt.boards.reshape(-1, 13)
    scores = score_hands(
        setting.compiled,
        row_strengths(boards),
        natural_masks(boards),
        fantasyland.reshape(-1),
        np.arange(hands + 1, dtype=np.int64) * players,
    )
    shape = (hands, players)
    if cards == 0:  # everyone is alike: all seats count
        return scores.points, scores.fantasyland_next
    return scores.points.reshape(shape)[mine], scores.fantasyland_next.reshape(shape)[mine]


def main() -> None:
    """Find the values of all built-in rule sets heads-up and write them into the package's data.

    Larger tables are found when they are first played, and kept in the user's cache.
    """
    from pathlib import Path

    from ingest.game.rules import builtin_rules

    shipped: dict[str, dict[str, float]] = {}
    for rules in builtin_rules().values():
        if possible_cards(rules):
            found = find_values(rules, 2)
            rounded = {cards: round(one.value, 1) for cards, one in found.items()}
            shipped[f"{rules.key}/2/{_VERSION}"] = {str(cards): value for cards, value in rounded.items()}
            print(rules.name, rounded, flush=True)
    Path(str(_SHIPPED)).write_text(json.dumps(shipped, indent=0), "utf-8")


if __name__ == "__main__":
    main()

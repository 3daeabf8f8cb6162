"""The value of a Fantasyland hand over a normal one, by number of cards, for a rule set and a size of table.

A hand with n cards is worth its advantage in points over the normal players at the table, and what it earns for the
next hand: value(n) = advantage(n) + sum over m of (stays with m - a normal hand enters with m) value(m). A normal hand
earns the chance to enter, which he who is in Fantasyland goes without. How players play depends on these values, so
they are found by a fixed point: play with the values so far, solve for new ones, until they no longer move.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
from platformdirs import user_cache_path

from ingest.game.naturals import natural_masks
from ingest.game.rules import RuleSet
from ingest.game.score import score_hands
from ingest.game.strength import row_strengths

if TYPE_CHECKING:
    from ingest.simulate.views import Agent
    from ingest.simulate.worth import Setting

Means = npt.NDArray[np.float64]

# What was found for the built-in rule sets travels with the program; `python -m ingest.simulate.values` writes it.
_SHIPPED = files("ingest.simulate").joinpath("data", "values.json")
# Part of the key of what is kept: another way to play finds other values.
_VERSION = 2
_HANDS, _SHIPPED_HANDS, _ROUNDS = 1_500, 6_000, 3
# Parts that are left out one at a time to learn how sure a value is.
_PARTS = 20
# Where the search begins; any start will do.
_START = 10.0


class Found(NamedTuple):
    """What the fixed point found for one number of cards; points, and the chance to stay; both with standard errors."""

    value: float
    error: float
    advantage: float
    advantage_error: float
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
        played = [_play(setting, agent, size, hands) for size in (0, *sizes)]
        solved = _solve(sizes, [part.mean(axis=0) for part in played])
        # Each left out once: the jackknife, which carries what points and chances do together.
        without = np.array([_solve(sizes, [_left_out(part, k) for part in played]) for k in range(_PARTS)])
        errors = np.sqrt((_PARTS - 1) * without.var(axis=0))
        found = {
            size: Found(
                float(solved[k]),
                float(errors[k]),
                float(played[k + 1][:, 0].mean()),
                float(played[k + 1][:, 0].std() / np.sqrt(hands)),
                float(played[k + 1][:, 1:].sum(axis=1).mean()),
            )
            for k, size in enumerate(sizes)
        }
        values = {size: round(max(one.value, 0.0), 1) for size, one in found.items()}
    return found


def _solve(sizes: Sequence[int], means: Sequence[Means]) -> Means:
    """Values by number of cards from mean points and chances of what follows, of a normal hand and of each size."""
    normal, *others = means
    moves = np.stack([other[1:] - normal[1:] for other in others])
    solved: Means = np.linalg.solve(np.eye(len(sizes)) - moves, np.array([other[0] for other in others]))
    return solved


def _left_out(part: Means, k: int) -> Means:
    """The mean without one of the parts."""
    mean: Means = part[np.arange(len(part)) % _PARTS != k].mean(axis=0)
    return mean


def _play(setting: Setting, agent: Agent, cards: int, hands: int) -> Means:
    """Hands in which one seat, each in turn, plays with `cards` Fantasyland cards, 0: all play normally.

    His points, and 1 where he gets each possible number of cards next, ``(n, 1 + sizes)``.
    """
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
    following = scores.fantasyland_next[:, None] == np.array(possible_cards(setting.rules))
    all_seats = np.concatenate([scores.points[:, None], following], axis=1).astype(np.float64)
    if cards == 0:  # everyone is alike: all seats count
        return all_seats
    return all_seats.reshape(hands, players, -1)[mine]


def main() -> None:
    """Find the values of all built-in rule sets and write them into the package's data.

    Heads-up and for the sizes of table that most play; others are found when they are first played, and kept in the
    user's cache.
    """
    from pathlib import Path

    from ingest.game.rules import builtin_rules

    shipped: dict[str, dict[str, float]] = {}
    for rules in builtin_rules().values():
        if not possible_cards(rules):
            continue
        for players in range(2, min(4, rules.deal.most_players) + 1):
            found = find_values(rules, players, _SHIPPED_HANDS if players == 2 else _SHIPPED_HANDS // 2)
            shown = ", ".join(f"{cards}: {one.value:.1f} +- {one.error:.1f}" for cards, one in found.items())
            print(f"{rules.name}, {players} players: {shown}", flush=True)
            shipped[f"{rules.key}/{players}/{_VERSION}"] = {
                str(cards): round(one.value, 1) for cards, one in found.items()
            }
    Path(str(_SHIPPED)).write_text(json.dumps(shipped, indent=0), "utf-8")


if __name__ == "__main__":
    main()

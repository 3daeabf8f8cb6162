"""Named studies: questions about the game itself, answered by sessions of agents that know the rules they play.

Each states its question, plays what it needs, and gives one table of figures with their intervals and one sentence as
an answer. `studies_cli` prints and writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from analysis.adapted import simulated_hands
from analysis.measure import measure
from analysis.metrics import find_metric
from analysis.scored import score_as_played, score_under
from analysis.tables import Hands
from ingest.game.errors import OFCError, known
from ingest.game.rules import RuleSet, builtin_rules, with_changes

OnRound = Callable[[int], None]


@dataclass
class Play:
    """How a study gets its hands: `hands` for each table that it looks at, by agents of one kind, from one seed."""

    hands: int
    agent: str = "fast"
    seed: int = 1
    on_round: OnRound = lambda hands: None
    _kept: dict[tuple[str, int], Hands] = field(default_factory=dict, repr=False)

    def sessions(self, rules: RuleSet, players: int) -> Hands:
        """Sessions under a rule set; the same table is played once."""
        key = (rules.key, players)
        if key not in self._kept:
            self._kept[key] = simulated_hands(
                rules, players, self.hands, agent=self.agent, seed=self.seed, on_round=self.on_round
            )
        return self._kept[key]

    def figures(self, rules: RuleSet, players: int, metrics: Sequence[str], by: Sequence[str] = ()) -> pl.DataFrame:
        """Figures of sessions under a rule set, with its name and the size of the table."""
        frame = score_as_played(self.sessions(rules, players)).frame
        return _labelled(self._measured(frame, metrics, by), rules=rules.name, players=players)

    def rescored(self, played: RuleSet, rules: RuleSet, players: int, metrics: Sequence[str]) -> pl.DataFrame:
        """Figures of the same sessions, played under one rule set and paid by another."""
        frame = score_under(self.sessions(played, players), rules).frame
        return _labelled(self._measured(frame, metrics, ()), rules=rules.name, players=players)

    def _measured(self, frame: pl.DataFrame, metrics: Sequence[str], by: Sequence[str]) -> pl.DataFrame:
        return measure(frame, by, [find_metric(name) for name in metrics], seed=self.seed)


@dataclass(frozen=True)
class Answer:
    """What a study found: `table` has value, low, high and n; `chart` names what a picture shows."""

    table: pl.DataFrame
    sentence: str
    chart: tuple[str, str]  # columns: what stands on the axis, what tells lines apart


@dataclass(frozen=True)
class Study:
    """One question and how it is answered; `hands` are enough for a useful answer in a few minutes."""

    name: str
    question: str
    hands: int
    find: Callable[[Play], Answer]


def _labelled(frame: pl.DataFrame, **labels: Any) -> pl.DataFrame:
    return frame.select(*(pl.lit(value).alias(name) for name, value in labels.items()), pl.all())


def _value(table: pl.DataFrame, **where: Any) -> tuple[float, float, float]:
    """Value and interval of the one row that fits."""
    [row] = table.filter(pl.all_horizontal(pl.col(name) == value for name, value in where.items())).to_dicts()
    return row["value"], row["low"], row["high"]


def _shown(value: tuple[float, float, float], digits: int = 2) -> str:
    return f"{value[0]:.{digits}f} ({value[1]:.{digits}f} to {value[2]:.{digits}f})"


# ---------------------------------------------------------------------------------------------------- the studies

_TABLES = {"classic": (2, 3, 4), "pineapple": (2, 3)}


def positions(play: Play) -> Answer:
    """Points by position."""
    rules = builtin_rules()
    table = pl.concat(
        play.figures(rules[name], players, ["points_per_hand"], ["position"])
        for name, sizes in _TABLES.items()
        for players in sizes
    )
    first, button = (
        _value(table, rules="pineapple", players=2, position=position)
        for position in table.filter((pl.col("rules") == "pineapple") & (pl.col("players") == 2))["position"]
    )
    sentence = f"Heads-up pineapple: first to act {_shown(first)}, button {_shown(button)} points a hand."
    return Answer(table, sentence, ("position", "rules"))


def fantasyland(play: Play) -> Answer:
    """Value by cards, entry and stay rates per rule set."""
    from ingest.simulate.values import find_values

    parts = []
    for rules in builtin_rules().values():
        if not rules.fantasyland.enter:
            continue
        parts.append(play.figures(rules, 2, ["entry_rate", "stay_rate"]))
        for cards, found in find_values(rules, 2, max(500, play.hands // 4)).items():
            error = 1.96 * found.error
            row = {
                "rules": rules.name,
                "players": 2,
                "metric": f"value of {cards} cards",
                "value": found.value,
                "low": found.value - error,
                "high": found.value + error,
            }
            parts.append(pl.DataFrame([row], schema_overrides={"players": pl.Int32}))
    table = pl.concat(parts, how="diagonal")
    worth = _shown(_value(table, rules="pineapple", metric="value of 14 cards"), 1)
    enters = _shown(_value(table, rules="pineapple", metric="entry_rate"), 3)
    sentence = (
        f"Pineapple, heads-up: 14 cards are worth {worth} points over a normal hand; players enter Fantasyland from "
        f"{enters} of normal hands."
    )
    return Answer(table, sentence, ("rules", "metric"))


# What one source plays for: closed Chinese for 5 a point, open-face for about 2.
_CLOSED_STAKE = 5.0
EQUAL_RISK = "point value of equal risk"


def stakes(play: Play) -> Answer:
    """What point value gives equal risk."""
    rules = builtin_rules()
    parts = []
    for players in (2, 3, 4):
        closed = play.figures(rules["chinese-1-6"], players, ["sd_per_hand"])
        base = closed["value"][0]
        for name in ("chinese-1-6", "classic", "pineapple"):
            if players > rules[name].deal.most_players:
                continue
            found = play.figures(rules[name], players, ["sd_per_hand"])
            error = (closed["high"][0] - closed["low"][0]) / 2 / base
            parts.append(found)
            # Relative errors of both spreads add up in squares.
            own = (pl.col("high") - pl.col("low")) / 2 / pl.col("value")
            half = (own**2 + error**2).sqrt()
            stake = _CLOSED_STAKE * base / pl.col("value")
            parts.append(
                found.with_columns(
                    metric=pl.lit(EQUAL_RISK),
                    value=stake,
                    low=stake * (1 - half),
                    high=stake * (1 + half),
                )
            )
    table = pl.concat(parts)
    classic = _value(table, rules="classic", players=4, metric=EQUAL_RISK)
    pineapple = _value(table, rules="pineapple", players=2, metric=EQUAL_RISK)
    sentence = (
        f"The risk of closed Chinese for {_CLOSED_STAKE:g} a point is that of four-handed classic for "
        f"{_shown(classic)} and of heads-up pineapple for {_shown(pineapple)}."
    )
    return Answer(table, sentence, ("rules", "players"))


def royalties(play: Play) -> Answer:
    """Do larger tables add variance, with the same decisions and with adapted ones."""
    rules = builtin_rules()
    none = _royalties_times(rules["classic"], 0)
    compared = (none, rules["low-royalties"], rules["classic"], rules["graded-front-trips"], rules["treble-middle"])
    parts = []
    for each in compared:
        same = play.rescored(rules["classic"], each, 2, ["sd_per_hand"])
        adapted = play.figures(each, 2, ["sd_per_hand"])
        parts += [_labelled(same, play="same decisions"), _labelled(adapted, play="adapted play")]
    table = pl.concat(parts)
    usual, large = (
        _value(table, rules=name, play="adapted play") for name in (rules["classic"].name, rules["treble-middle"].name)
    )
    rescored = _value(table, rules="treble-middle", play="same decisions")
    sentence = (
        f"Points of a hand spread by {_shown(usual)} under the usual table; under treble-middle by {_shown(rescored)} "
        f"with the same decisions and {_shown(large)} when players adapt."
    )
    return Answer(table, sentence, ("rules", "play"))


def _royalties_times(rules: RuleSet, times: int) -> RuleSet:
    """A rule set whose royalties are a multiple of its own."""
    name = f"{rules.name}, royalties x {times}"
    return with_changes(rules, {"name": name, "royalties": rules.royalties.times(times)})


def fouls(play: Play) -> Answer:
    """Foul rate against the size of royalties."""
    rules = builtin_rules()
    parts = []
    for base in (rules["classic"], rules["pineapple"]):
        without = with_changes(base, {"name": base.name, "fantasyland": {"enter": [], "stay": []}})
        for times in (0, 1, 2, 4):
            for fantasy, kind in ((base, "with Fantasyland"), (without, "without Fantasyland")):
                scaled = _royalties_times(fantasy, times)
                found = play.figures(scaled, 2, ["foul_rate_normal"])
                parts.append(
                    found.with_columns(rules=pl.lit(f"{base.name} {kind}")).select(
                        pl.lit(times).alias("royalties_times"), pl.all()
                    )
                )
    table = pl.concat(parts)
    without_any, usual, large = (
        _value(table, rules=f"pineapple {kind}", royalties_times=times)
        for kind, times in (("without Fantasyland", 0), ("with Fantasyland", 1), ("with Fantasyland", 4))
    )
    sentence = (
        f"Pineapple, heads-up: fouls {_shown(without_any, 3)} with nothing to gain, {_shown(usual, 3)} as usual, "
        f"{_shown(large, 3)} with royalties four times as large."
    )
    return Answer(table, sentence, ("royalties_times", "rules"))


def table_size(play: Play) -> Answer:
    """What more players do to variance."""
    rules = builtin_rules()
    sizes = {**_TABLES, "chinese-1-6": (2, 3, 4), "double-deck": (2, 4, 6, 8)}
    table = pl.concat(
        play.figures(rules[name], players, ["sd_per_hand", "foul_rate_normal"])
        for name, counts in sizes.items()
        for players in counts
    )
    two, four = (_value(table, rules="classic", players=n, metric="sd_per_hand") for n in (2, 4))
    sentence = f"Classic: points of a hand spread by {_shown(two)} heads-up and {_shown(four)} four-handed."
    return Answer(table, sentence, ("players", "rules"))


STUDIES = (
    Study("positions", "How many points does each position win or lose?", 60_000, positions),
    Study("fantasyland", "What is Fantasyland worth, and how often is it entered and kept?", 8_000, fantasyland),
    Study("stakes", "Which point values give closed Chinese, classic and pineapple the same risk?", 20_000, stakes),
    Study("royalties", "Do larger royalty tables add variance?", 20_000, royalties),
    Study("fouls", "How does the foul rate depend on the size of royalties?", 10_000, fouls),
    Study("table-size", "What do more players at the table do to variance?", 10_000, table_size),
)


def find_study(name: str) -> Study:
    """The study called `name`; an unknown name is answered with the known ones."""
    for study in STUDIES:
        if study.name == name:
            return study
    raise OFCError(f"expected the name of a study, got {name!r}; known: {known(study.name for study in STUDIES)}")

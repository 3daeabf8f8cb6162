"""Rule sets side by side on the same hands: same decisions, other scoring.

Every difference is paired: each hand is scored under both rule sets, and sessions are resampled with both results in
them, which tells rule sets apart on far fewer hands than two separate samples would.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy import stats
from statsmodels.stats.multitest import multipletests

from analysis.intervals import ENOUGH_SESSIONS, Floats, Interval, hands_to_show, rate_interval, ratio_interval
from analysis.scored import ANOTHER_GAME
from analysis.spread import covariances, spread_parts, state_parts
from analysis.sums import (
    ENTRIES,
    FOULED,
    HANDS,
    IN_FANTASYLAND,
    NORMAL,
    POINTS,
    ROYALTIES,
    SEATS,
    SQUARES,
    STAYS,
    Layout,
    RuleSums,
    layout,
    rule_sums,
)
from analysis.tables import Hands
from analysis.wording import counted
from ingest.game.rules import RuleSet

MEANING = "Same decisions, other scoring: the hands as they were played, paid by other rules."
NOT_ZERO = (
    "Everybody's results are counted, so points per hand are zero under every rule set; name a player to compare means."
)

# The figures of `Comparison.systems` that have an interval: name and what they mean.
SYSTEM_FIGURES = {
    "points_per_hand": "points per hand",
    "points_difference": "points per hand more than under the baseline, on the same hands",
    "sd": "standard deviation of the points of a hand",
    "sd_difference": "standard deviation more than under the baseline",
    "stake": "point value that carries the same risk as 1 under the baseline",
    "foul_rate": "fouled boards, share of hands",
    "royalties": "royalties per hand, 0 where fouled",
    "entry_rate": "entries into Fantasyland, share of normal hands",
    "stay_rate": "stays, share of Fantasyland hands",
    "winner_changed": "hands that another player wins than under the baseline, share",
    "session_winner_changed": "sessions that another player wins, share",
}
# Those of them that compare with the baseline, which has no interval against itself.
AGAINST_BASELINE = ("points_difference", "sd_difference", "stake", "winner_changed", "session_winner_changed")


@dataclass(frozen=True)
class Comparison:
    """Rule sets against a baseline.

    `systems`: a row per rule set: rules, hands, seats, sessions, left_out (hands built for another game), another_game
    (such hands that are in), each of SYSTEM_FIGURES with _low and _high, points_p and sd_p (Holm-corrected over the
    rule sets), rank_correlation of the players' results with the baseline's, hands_for_edge, sd_per_hour (null where
    the log has no times; same decisions take the same time, so the stake of equal risk is the same by hour).
    `spread`: rules, component, variance, with_others (the sum of its covariances with the other components),
    contribution (both together), share; contributions add up to the variance of the points.
    `covariances`: rules, component, other, covariance.
    `states`: rules, state (who is in Fantasyland), seats, share, points, sd, within, between; the last two add up to
    the variance too.
    """

    baseline: str
    systems: pl.DataFrame
    spread: pl.DataFrame
    covariances: pl.DataFrame
    states: pl.DataFrame
    edge: float
    notes: tuple[str, ...]


def compare(
    hands: Hands,
    rule_sets: Sequence[RuleSet],
    baseline: RuleSet,
    *,
    another_game: bool = False,
    edge: float = 0.5,
    seed: int = 0,
) -> Comparison:
    """Compare rule sets with `baseline` on `hands`.

    A rule set is compared on the hands whose boards were built for its game and the baseline's; `another_game` takes
    all. `edge`: the points per hand for which the hands that show it are counted.
    """
    chosen = [baseline, *(rules for rules in rule_sets if rules != baseline)]
    rows: list[dict[str, object]] = []
    spreads, crossed, states = [], [], []
    for kept, group in _same_hands(hands, chosen, baseline, another_game):
        given = layout(kept)
        base_sums, *sums = rule_sums(kept, given, [baseline, *group])
        base = _Baseline(base_sums, _results(given, base_sums))
        for rules, each in zip(group, sums, strict=True):
            row = _system(kept, given, each, base, edge, seed)
            if rules == baseline:
                row |= dict.fromkeys(f"{name}{end}" for name in AGAINST_BASELINE for end in ("_low", "_high"))
            rows.append({"rules": rules.name, **_which(hands, kept, rules, another_game), **row})
            spreads.append(spread_parts(rules.name, each))
            crossed.append(covariances(rules.name, each))
            states.append(state_parts(rules.name, each))
    order = {rules.name: place for place, rules in enumerate(chosen)}
    systems = pl.DataFrame(rows).sort(pl.col("rules").replace_strict(order, return_dtype=pl.Int64))
    notes = [
        MEANING,
        hands.filters.sentence(),
        f"Hands to show {edge:g} a hand: after so many, such an edge stands clear of zero in 80 of 100 cases.",
    ]
    if hands.filters.everybody:
        notes.append(NOT_ZERO)
    for reason, count in hands.left_out.items():
        notes.append(f"{counted(count, 'hands')} left out: {reason}.")
    if len(hands) and hands.clusters < ENOUGH_SESSIONS:
        notes.append(f"Only {counted(hands.clusters, 'sessions')}: intervals are rough below {ENOUGH_SESSIONS}.")
    return Comparison(
        baseline=baseline.name,
        systems=_holm(systems, baseline.name),
        spread=pl.concat(spreads),
        covariances=pl.concat(crossed),
        states=pl.concat(states),
        edge=edge,
        notes=tuple(notes),
    )


def _same_hands(
    hands: Hands, rule_sets: Sequence[RuleSet], baseline: RuleSet, another_game: bool
) -> Iterator[tuple[Hands, list[RuleSet]]]:
    """The rule sets in groups that are compared on the same hands."""
    if another_game:
        yield hands, list(rule_sets)
        return
    groups: dict[bytes, tuple[npt.NDArray[np.bool_], list[RuleSet]]] = {}
    for rules in rule_sets:
        mask = hands.built_for(rules) & hands.built_for(baseline)
        groups.setdefault(mask.tobytes(), (mask, []))[1].append(rules)
    for mask, group in groups.values():
        yield hands.keep(mask, ANOTHER_GAME), group


def _which(hands: Hands, kept: Hands, rules: RuleSet, another_game: bool) -> dict[str, object]:
    foreign = int((~hands.built_for(rules)).sum()) if another_game else 0
    return {
        "hands": len(kept),
        "sessions": kept.clusters,
        "left_out": len(hands) - len(kept),
        "another_game": foreign,
    }


def _moments(sums: RuleSums, seats: Floats) -> tuple[float, float, Floats]:
    """Mean, variance, and by session the sum of squared deviations from the mean."""
    n = seats.sum()
    points, squares = (sums.sessions[:, k].astype(np.float64) for k in (POINTS, SQUARES))
    mean = points.sum() / n
    deviations = squares - 2 * mean * points + mean**2 * seats
    return float(mean), float(deviations.sum() / n), deviations


def _system(
    hands: Hands,
    given: Layout,
    sums: RuleSums,
    base: _Baseline,
    edge: float,
    seed: int,
) -> dict[str, object]:
    """One row of `systems`, without what tells which hands."""
    seats = given.sessions[:, SEATS].astype(np.float64)
    row: dict[str, object] = {"seats": int(seats.sum())}
    if not seats.sum():
        return row | dict.fromkeys(_figure_columns()) | _no_others()
    mean, variance, deviations = _moments(sums, seats)
    _, base_variance, base_deviations = _moments(base.sums, seats)
    sd, base_sd = np.sqrt(variance), np.sqrt(base_variance)
    safe, base_safe = max(sd, 1e-12), max(base_sd, 1e-12)
    points, base_points = (each.sessions[:, POINTS].astype(np.float64) for each in (sums, base.sums))
    # Moving a standard deviation by a little moves its square by twice it times that little: so deviations over twice
    # the standard deviation are what a session adds to it, and over twice the variance, to its logarithm.
    columns = [
        points,
        points - base_points,
        deviations / (2 * safe),
        deviations / (2 * safe) - base_deviations / (2 * base_safe),
        deviations / (2 * safe**2) - base_deviations / (2 * base_safe**2),
        sums.sessions[:, ROYALTIES],
    ]
    means = ratio_interval(np.stack(columns, axis=1), seats[:, None], seed=seed)
    for place, name, value in (
        (0, "points_per_hand", mean),
        (1, "points_difference", means.value[1]),
        (2, "sd", sd),
        (3, "sd_difference", sd - base_sd),
        (5, "royalties", means.value[5]),
    ):
        row |= _bounds(
            name, value, value + means.low[place] - means.value[place], value + means.high[place] - means.value[place]
        )
    row |= _bounds(
        "stake", base_safe / safe, base_safe / safe * _grown(means, 4, -1), base_safe / safe * _grown(means, 4, 1)
    )
    freedom = max(len(seats) - 1, 1)
    row["points_p"] = _p_value(means.value[1], means.error[1], freedom)
    row["sd_p"] = _p_value(sd - base_sd, means.error[3], freedom)
    if seats.sum() < 2:
        # One hand tells nothing of how far hands spread.
        row |= dict.fromkeys(column for column in _figure_columns() if column.startswith(("sd", "stake")))
    row |= _rates(given, sums, base.sums)
    own = _results(given, sums)
    row |= _sessions_won(given, own, base.results)
    row["rank_correlation"] = _rank_correlation(own, base.results)
    design = 1.0 if hands.filters.everybody or variance == 0 else float(means.error[0] ** 2 * seats.sum() / variance)
    wider = max(design, 1.0) if np.isfinite(design) else 1.0
    row["hands_for_edge"] = hands_to_show(edge, sd, wider) if row["sd"] is not None else None
    seconds = hands.hands.select(pl.col("seconds").mean()).item()
    row["sd_per_hour"] = float(sd * np.sqrt(3600 / seconds)) if seconds and row["sd"] is not None else None
    return row


def _grown(means: Interval, place: int, direction: int) -> float:
    """How far, as a factor, one end of an interval of logarithms lies from its middle; stakes fall as spread rises."""
    end = means.high[place] if direction < 0 else means.low[place]
    return float(np.exp(-(end - means.value[place])))


def _bounds(name: str, value: float, low: float, high: float) -> dict[str, object]:
    def known(number: float) -> float | None:
        return float(number) if np.isfinite(number) else None

    return {name: known(value), f"{name}_low": known(low), f"{name}_high": known(high)}


def _p_value(value: float, error: float, freedom: int) -> float | None:
    """Two-sided, by Student's distribution over sessions; None where the spread between sessions is unknown."""
    if not np.isfinite(error):
        return None
    if error == 0:
        return 1.0 if value == 0 else 0.0
    return float(2 * stats.t.sf(abs(value / error), freedom))


def _rates(given: Layout, sums: RuleSums, base: RuleSums) -> dict[str, object]:
    changed = np.bincount(given.cluster, sums.winners != base.winners, len(given.sessions))
    of = np.stack(
        [sums.sessions[:, FOULED], sums.sessions[:, ENTRIES], sums.sessions[:, STAYS], changed], axis=1
    ).astype(np.float64)
    over = given.sessions[:, [SEATS, NORMAL, IN_FANTASYLAND, HANDS]].astype(np.float64)
    trials = over.sum(axis=0)
    rate = of.sum(axis=0) / np.where(trials > 0, trials, 1.0)
    answer = rate_interval(of.sum(axis=0), trials, ((of - rate * over) ** 2).sum(axis=0), (over > 0).sum(axis=0))
    row: dict[str, object] = {}
    for place, name in enumerate(("foul_rate", "entry_rate", "stay_rate", "winner_changed")):
        row |= _bounds(name, answer.value[place], answer.low[place], answer.high[place])
    return row


@dataclass(frozen=True)
class _Results:
    """Players' results under one rule set: who wins which session, and points per hand of every player."""

    won: npt.NDArray[np.bool_]  # by session and player: has most points of the session
    per_hand: Floats  # by player


@dataclass(frozen=True)
class _Baseline:
    """The baseline on the hands that a rule set is compared on."""

    sums: RuleSums
    results: _Results


def _results(given: Layout, sums: RuleSums) -> _Results:
    if given.players.is_empty():
        return _Results(np.zeros(0, np.bool_), np.zeros(0))
    starts, lengths = _sessions(given)
    most = np.repeat(np.maximum.reduceat(sums.results, starts), lengths)
    player, hands = given.players["player"].to_numpy(), given.players["hands"].to_numpy()
    played = np.bincount(player, hands)
    points = np.bincount(player, sums.results)
    return _Results(sums.results == most, points[played > 0] / played[played > 0])


def _sessions(given: Layout) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Where each session begins in `given.players`, and how many players it has."""
    session = given.players["session"].to_numpy()
    starts = np.flatnonzero(np.concatenate([[True], session[1:] != session[:-1]]))
    return starts, np.diff(np.concatenate([starts, [len(session)]]))


def _sessions_won(given: Layout, own: _Results, base: _Results) -> dict[str, object]:
    """How many sessions other players win, all of those with most points counting as winners."""
    starts, _ = _sessions(given)
    changed = np.logical_or.reduceat(own.won != base.won, starts).sum(keepdims=True).astype(np.float64)
    sessions = np.array([len(starts)], np.float64)
    answer = rate_interval(changed, sessions, np.zeros(1), np.ones(1, np.int64))
    return _bounds("session_winner_changed", answer.value[0], answer.low[0], answer.high[0])


def _rank_correlation(own: _Results, base: _Results) -> float | None:
    """Spearman's correlation of the players' points per hand; None for fewer than three players."""
    if len(own.per_hand) < 3 or np.ptp(own.per_hand) == 0 or np.ptp(base.per_hand) == 0:
        return None
    return float(stats.spearmanr(own.per_hand, base.per_hand).statistic)


def _figure_columns() -> list[str]:
    return [f"{name}{end}" for name in SYSTEM_FIGURES for end in ("", "_low", "_high")]


def _no_others() -> dict[str, object]:
    return dict.fromkeys(("points_p", "sd_p", "rank_correlation", "hands_for_edge", "sd_per_hour"))


def _holm(systems: pl.DataFrame, baseline: str) -> pl.DataFrame:
    """Correct the p-values for how many rule sets are compared with the baseline, whose own row has none."""
    for name in ("points_p", "sd_p"):
        values = systems[name].cast(pl.Float64).to_numpy().copy()
        compared = np.isfinite(values) & (systems["rules"] != baseline).to_numpy()
        values[~compared] = np.nan
        if compared.any():
            values[compared] = multipletests(values[compared], method="holm")[1]
        systems = systems.with_columns(pl.Series(name, values).fill_nan(None))
    return systems

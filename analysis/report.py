"""The report: every figure of the hands as they were played, and under chosen rule sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from analysis.intervals import ANYTIME_FROM, ENOUGH_SESSIONS
from analysis.metrics import KEY_METRICS, METRICS, STREET_COLUMNS, Metric, find_breakdown, find_metric, measure
from analysis.output import figures_table, groups_table, print_notes
from analysis.scored import Scored, score_as_played, score_pairs, score_under
from analysis.streets import with_streets
from analysis.tables import Hands, session_names, with_session_names
from analysis.wording import counted
from ingest.console import print_wide
from ingest.game.rules import RuleSet

if TYPE_CHECKING:
    import duckdb

SCORED_UNDER = "scored_under"
ANYTIME = f"Intervals hold at every look at once, from {ANYTIME_FROM} sessions on: look as often as you like."


@dataclass(frozen=True)
class Report:
    """`figures`: scored_under (a rule set, or "as played"), the breakdown if any, and the columns of `measure`.

    `notes`: what a reader must know, by what it is scored under.
    """

    figures: pl.DataFrame
    by: tuple[str, ...]
    metrics: tuple[str, ...]
    notes: dict[str, list[str]]


def make_report(
    every: Sequence[Scored],
    *,
    by: str | None = None,
    metrics: Sequence[str] = (),
    seed: int = 0,
    anytime: bool = False,
) -> Report:
    """Measure hands as each of `every` scored them, broken down by one of BREAKDOWNS; options as in `measure`."""
    columns = list(find_breakdown(by)) if by else []
    chosen = [find_metric(name) for name in metrics] or list(METRICS)
    answers = (measure(scored.frame, columns, chosen, seed=seed, anytime=anytime) for scored in every)
    figures = pl.concat(
        answer.select(pl.lit(scored.label).alias(SCORED_UNDER), pl.all())
        for scored, answer in zip(every, answers, strict=True)
    )
    measured = figures["metric"].unique().to_list()
    shown = metrics or (KEY_METRICS if by else [metric.name for metric in chosen])
    notes = {scored.label: [*_notes(scored), *([ANYTIME] if anytime else [])] for scored in every}
    return Report(figures, tuple(columns), tuple(name for name in shown if name in measured), notes)


def scored_for(
    con: duckdb.DuckDBPyConnection,
    hands: Hands,
    rule_sets: Sequence[RuleSet],
    *,
    by: str | None = None,
    metrics: Sequence[str] = (),
    streets: bool = False,
    another_game: bool = False,
) -> list[Scored]:
    """Hands as they were played and under each rule set, with what a breakdown needs; the first stays if it is empty.

    `streets`: also what street-by-street logs tell, even if neither the breakdown nor one of `metrics` asks for it.
    """
    under = [None, *rule_sets]
    if by == "opponent":
        every = [score_pairs(hands, rules, another_game=another_game) for rules in under]
    else:
        every = [
            score_under(hands, rules, another_game=another_game) if rules else score_as_played(hands) for rules in under
        ]
    asked = set(find_breakdown(by) if by else ()).union(*(find_metric(name).columns for name in metrics))
    if streets or asked & STREET_COLUMNS:
        every = [with_streets(con, hands, scored, rules) for scored, rules in zip(every, under, strict=True)]
    if by == "session":
        names = session_names(con)
        every = [replace(scored, frame=with_session_names(scored.frame, names)) for scored in every]
    return [scored for scored in every if scored.hands] or every[:1]


def hands_behind(scored: Scored, metric: Metric) -> pl.DataFrame:
    """The results that a figure is made of: hand_key, seat, player, counted (its part of the numerator), out_of."""
    rows = scored.frame.select(
        pl.lit(scored.label).alias(SCORED_UNDER),
        pl.lit(scored.keys).gather("hand").alias("hand_key"),
        "seat",
        "player",
        metric.numerator.cast(pl.Float64).alias("counted"),
        metric.denominator.cast(pl.Float64).alias("out_of"),
    )
    return rows.filter(pl.col("out_of") != 0)


def _notes(scored: Scored) -> list[str]:
    notes = [*scored.notes, f"{_size(scored)}."]
    if scored.filters.everybody:
        notes.append("Everybody's results are counted, so points per hand are zero; --player or --hero name one.")
    if scored.sessions < ENOUGH_SESSIONS:
        notes.append(
            f"Intervals are rough below {ENOUGH_SESSIONS} sessions; one session alone counts as independent hands."
        )
    notes.append("Grey: few sessions, or an interval wider than one would want; hands wanted are those on top.")
    return notes


def _size(scored: Scored) -> str:
    """``2,400 hands, 30 sessions, 4,800 results``."""
    sizes = ((scored.hands, "hands"), (scored.sessions, "sessions"), (len(scored.frame), "results"))
    return ", ".join(counted(number, things) for number, things in sizes)


def print_report(report: Report) -> None:
    """Print the tables: all figures for each rule set, or a line per group."""
    for (label,), part in report.figures.group_by(SCORED_UNDER, maintain_order=True):
        if report.by:
            print_wide(groups_table(part, report.by, report.metrics, str(label)))
        else:
            print_wide(figures_table(part, str(label)))
        print_notes(report.notes[str(label)])

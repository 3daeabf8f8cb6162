"""The report: every figure of the hands as they were played, and under chosen rule sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from analysis.intervals import ENOUGH_SESSIONS
from analysis.metrics import KEY_METRICS, METRICS, Metric, find_breakdown, find_metric, measure
from analysis.output import figures_table, groups_table, print_notes
from analysis.scored import Scored, score_as_played, score_under
from analysis.tables import Hands
from ingest.console import print_wide
from ingest.game.rules import RuleSet

SCORED_UNDER = "scored_under"


@dataclass(frozen=True)
class Report:
    """`figures`: scored_under (a rule set, or "as played"), the breakdown if any, and the columns of `measure`.

    `notes`: what a reader must know, by what it is scored under.
    """

    figures: pl.DataFrame
    by: str | None
    metrics: tuple[str, ...]
    notes: dict[str, list[str]]


def make_report(
    hands: Hands,
    rule_sets: Sequence[RuleSet] = (),
    *,
    by: str | None = None,
    metrics: Sequence[str] = (),
    another_game: bool = False,
    seed: int = 0,
) -> Report:
    """Measure `hands` as they were played and under each of `rule_sets`, broken down by one of BREAKDOWNS."""
    column = find_breakdown(by) if by else None
    chosen = [find_metric(name) for name in metrics] or list(METRICS)
    every = scored_under_all(hands, rule_sets, another_game=another_game)
    groups = [column] if column else []
    figures = pl.concat([_measured(scored, groups, chosen, seed) for scored in every])
    names = tuple(metric.name for metric in chosen)
    return Report(figures, column, names if metrics or not by else KEY_METRICS, {s.label: _notes(s) for s in every})


def scored_under_all(hands: Hands, rule_sets: Sequence[RuleSet], *, another_game: bool = False) -> list[Scored]:
    """Hands as they were played and under each rule set; those without a hand are left out, but for the first."""
    every = [score_as_played(hands), *(score_under(hands, rules, another_game=another_game) for rules in rule_sets)]
    return [scored for scored in every if scored.hands] or every[:1]


def _measured(scored: Scored, groups: list[str], metrics: Sequence[Metric], seed: int) -> pl.DataFrame:
    answer = measure(scored.frame, groups, metrics, seed=seed)
    return answer.select(pl.lit(scored.label).alias(SCORED_UNDER), pl.all())


def _notes(scored: Scored) -> list[str]:
    notes = [*scored.notes, f"{scored.hands:,} hands, {scored.sessions:,} sessions, {len(scored.frame):,} results."]
    if scored.filters.everybody:
        notes.append("Everybody's results are counted, so points per hand are zero; --player or --hero name one.")
    if scored.sessions < ENOUGH_SESSIONS:
        notes.append(
            f"Intervals are rough below {ENOUGH_SESSIONS} sessions; one session alone counts as independent hands."
        )
    notes.append("Grey: few sessions, or an interval wider than one would want; hands wanted are those on top.")
    return notes


def print_report(report: Report) -> None:
    """Print the tables: all figures for each rule set, or a line per group."""
    for (label,), part in report.figures.group_by(SCORED_UNDER, maintain_order=True):
        if report.by:
            print_wide(groups_table(part, [report.by], report.metrics, str(label)))
        else:
            print_wide(figures_table(part, str(label)))
        print_notes(report.notes[str(label)])

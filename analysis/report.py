"""The report: every figure of the hands as they were played, and under chosen rule sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl
from rich.text import Text

from analysis.intervals import ANYTIME_FROM, ENOUGH_SESSIONS
from analysis.metrics import KEY_METRICS, METRICS, STREET_COLUMNS, Metric, find_breakdown, find_metric, measure
from analysis.output import figures_table, groups_table, print_notes
from analysis.scored import ANOTHER_GAME, Scored, score_as_played, score_pairs, score_under
from analysis.streets import with_streets
from analysis.tables import Hands, session_names, with_session_names
from analysis.wording import counted
from ingest.console import print_wide
from ingest.game.errors import OFCError
from ingest.game.rules import RuleSet

if TYPE_CHECKING:
    import duckdb

SCORED_UNDER = "scored_under"
NOTHING, TAKE_THEM = "No hands are left to score.", "--another-game takes in those built for another game."
ANYTIME = f"Intervals hold at every look at once, from {ANYTIME_FROM} sessions on: look as often as you like."


@dataclass(frozen=True)
class Report:
    """`figures`: scored_under (a rule set, or "as played"), the breakdown if any, and the columns of `measure`.

    `notes`: what a reader must know, by what it is scored under; also of rule sets that no hand could be scored by.
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
    """Measure hands as each of `every` scored them, broken down by one of BREAKDOWNS; options as in `measure`.

    Raises OFCError where one of `metrics` cannot be told of such hands, broken down so.
    """
    columns = list(find_breakdown(by)) if by else []
    chosen = [find_metric(name) for name in metrics] or list(METRICS)
    filled = [scored for scored in every if scored.hands] or every[:1]
    untold = [m.name for m in chosen if not all(m.can_measure(scored.frame, columns) for scored in filled)]
    if metrics and untold:
        raise OFCError(f"expected figures that can be told {f'by {by}' if by else 'here'}, got {', '.join(untold)}")
    answers = (measure(scored.frame, columns, chosen, seed=seed, anytime=anytime) for scored in filled)
    figures = pl.concat(
        answer.select(pl.lit(scored.label).alias(SCORED_UNDER), pl.all())
        for scored, answer in zip(filled, answers, strict=True)
    )
    shown = metrics or (KEY_METRICS if by else [metric.name for metric in chosen])
    notes = {scored.label: [*_notes(scored), *([ANYTIME] if anytime else [])] for scored in every}
    return Report(figures, tuple(columns), tuple(name for name in shown if name not in untold), notes)


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
    """Hands as they were played and under each rule set, with what a breakdown needs.

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
    # What is won from an opponent has no streets.
    if by != "opponent" and (streets or asked & STREET_COLUMNS):
        every = [with_streets(con, hands, scored, rules) for scored, rules in zip(every, under, strict=True)]
    if by == "session":
        names = session_names(con)
        every = [replace(scored, frame=with_session_names(scored.frame, names)) for scored in every]
    return every


def hands_behind(scored: Scored, metric: Metric) -> pl.DataFrame:
    """The results that a figure is made of: hand_key, seat, player, counted (its part of the numerator), out_of.

    By opponents: player and opponent instead of the seat.
    """
    rows = scored.frame.select(
        pl.lit(scored.label).alias(SCORED_UNDER),
        pl.lit(scored.keys).gather("hand").alias("hand_key"),
        *(name for name in ("seat", "player", "opponent") if name in scored.frame.columns),
        metric.numerator.cast(pl.Float64).alias("counted"),
        metric.denominator.cast(pl.Float64).alias("out_of"),
    )
    return rows.filter(pl.col("out_of") != 0)


def _notes(scored: Scored) -> list[str]:
    if not scored.hands:
        return [*scored.notes, NOTHING, *([TAKE_THEM] if scored.left_out.get(ANOTHER_GAME) else [])]
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
    for label, notes in report.notes.items():
        part = report.figures.filter(pl.col(SCORED_UNDER) == label)
        if part.is_empty():
            print_wide(Text(label, style="table.title"))
        elif report.by:
            print_wide(groups_table(part, report.by, report.metrics, label))
        else:
            print_wide(figures_table(part, label))
        print_notes(notes)

"""A comparison of rule sets as people read it on the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import polars as pl
from rich.markup import escape
from rich.table import Table

from analysis import adapted, credit
from analysis.compare import Comparison
from analysis.intervals import ENOUGH_SESSIONS
from analysis.output import UNKNOWN, groups_table, new_table, print_notes, show_interval, show_number
from analysis.sums import COMPONENTS, STATES
from ingest.console import print_wide

Row = Mapping[str, Any]
Cell = Callable[[Row], str]


def print_comparison(comparison: Comparison) -> None:
    """Print the tables and the notes."""
    systems = comparison.systems
    shown = systems.filter(pl.col("seats") > 0)
    missing = systems.filter(pl.col("seats") == 0)
    print_wide(_results(shown, comparison), "")
    print_wide(_rates(shown), "")
    paid = pl.col("rules").is_in(shown["rules"].implode())
    print_wide(_spread(comparison.spread.filter(paid)), "")
    print_wide(_states(comparison.states.filter(paid)), "")
    notes = list(comparison.notes)
    if len(missing):
        notes.append(
            f"No hands were dealt as these deal: {', '.join(missing['rules'])}; --another-game takes all hands."
        )
    foreign = shown.filter(pl.col("another_game") > 0)
    if len(foreign):
        notes.append(f"Boards built for another game are in for: {', '.join(foreign['rules'])}.")
    print_notes(notes)


def _figure(name: str, unit: str) -> Cell:
    """A value with its interval below it."""

    def cell(row: Row) -> str:
        shown = show_number(row[name], unit)
        if row[f"{name}_low"] is None or row[f"{name}_low"] == row[f"{name}_high"]:
            return shown
        return f"{shown}\n[dim]{show_interval(row[f'{name}_low'], row[f'{name}_high'], unit)}[/dim]"

    return cell


def _difference(name: str, p_value: str) -> Cell:
    """A difference with its interval; bold where it is sure after Holm's correction."""
    figure = _figure(name, "signed")

    def cell(row: Row) -> str:
        shown = figure(row)
        return f"[bold]{shown}[/bold]" if row[p_value] is not None and row[p_value] < 0.05 else shown

    return cell


def _plain(name: str, unit: str) -> Cell:
    return lambda row: show_number(row[name], unit)


def _table(frame: pl.DataFrame, title: str, columns: Mapping[str, Cell]) -> Table:
    table = new_table(title, ["rule set"], list(columns))
    for row in frame.iter_rows(named=True):
        few = row.get("sessions", ENOUGH_SESSIONS) < ENOUGH_SESSIONS
        table.add_row(escape(row["rules"]), *(cell(row) for cell in columns.values()), style="dim" if few else None)
    return table


def _results(systems: pl.DataFrame, comparison: Comparison) -> Table:
    columns = {
        "hands": _plain("hands", "hands"),
        "sessions": _plain("sessions", "hands"),
        "points per hand": _figure("points_per_hand", "points"),
        "difference": _difference("points_difference", "points_p"),
        "standard deviation": _figure("sd", "points"),
        "difference ": _difference("sd_difference", "sd_p"),
        "stake of equal risk": _figure("stake", "points"),
        "sd per hour": _plain("sd_per_hour", "points"),
        f"hands to show {comparison.edge:g} a hand": _plain("hands_for_edge", "hands"),
    }
    title = f"Against {comparison.baseline}; points a hand, 95 % intervals; bold: sure after Holm's correction"
    return _table(systems, title, columns)


def _rates(systems: pl.DataFrame) -> Table:
    columns = {
        "fouls": _figure("foul_rate", "share"),
        "royalties a hand": _figure("royalties", "points"),
        "enters Fantasyland": _figure("entry_rate", "share"),
        "stays": _figure("stay_rate", "share"),
        "another winner, hands": _figure("winner_changed", "share"),
        "sessions": _figure("session_winner_changed", "share"),
        "rank correlation": _plain("rank_correlation", "points"),
    }
    return _table(systems, "Rates, and how often another player wins than under the baseline", columns)


def _spread(spread: pl.DataFrame) -> Table:
    table = new_table(
        "What the variance is made of: each part with its covariances with the others; they add up to the whole",
        ["rule set"],
        ["variance", *COMPONENTS],
    )
    for (rules,), part in spread.group_by("rules", maintain_order=True):
        whole = part["contribution"].sum()
        cells = [_share(row["contribution"], row["share"]) for row in part.iter_rows(named=True)]
        table.add_row(escape(str(rules)), show_number(float(whole), "points"), *cells)
    return table


def _share(value: float, share: float | None) -> str:
    if not value:
        return UNKNOWN
    return f"{value:,.1f}\n[dim]{show_number(share, 'share')}[/dim]"


def _states(states: pl.DataFrame) -> Table:
    table = new_table(
        "The same variance by who plays the hand in Fantasyland: inside each state, and between their means",
        ["rule set"],
        [*STATES, "between"],
    )
    for (rules,), part in states.group_by("rules", maintain_order=True):
        cells = [
            _state(row["within"], row["share"], row["sd"]) if row["seats"] else UNKNOWN
            for row in part.iter_rows(named=True)
        ]
        table.add_row(escape(str(rules)), *cells, show_number(float(part["between"].sum()), "points"))
    return table


def _state(within: float, share: float, sd: float) -> str:
    return f"{within:,.1f}\n[dim]{show_number(share, 'share')} of seats, sd {sd:.1f}[/dim]"


def print_credit(credits: pl.DataFrame) -> None:
    """Print results without and with Fantasyland credit, and what credit is."""
    columns = {
        "hands": _plain("hands", "hands"),
        "trips given": _plain("given", "hands"),
        "trips played": _plain("played", "hands"),
        "gained": _plain("gained", "hands"),
        "lost": _plain("lost", "hands"),
        "points per hand": _figure("points", "signed"),
        "credit per hand": _figure("credit", "signed"),
        "with credit": _figure("with_credit", "signed"),
    }
    print_wide(_table(credits.filter(pl.col("hands") > 0), "Without and with Fantasyland credit", columns), "")
    print_notes([credit.MEANING])


def print_adapted(both: pl.DataFrame, agent: str) -> None:
    """Print same decisions beside adapted play, and what they are."""
    names = both["metric"].unique(maintain_order=True).to_list()
    print_wide(
        groups_table(both, ["rules", "play"], names, f"Same decisions, and adapted play by agents ({agent})"), ""
    )
    print_notes([adapted.MEANING])

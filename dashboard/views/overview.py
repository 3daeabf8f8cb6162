"""Overview: the key figures, and how the points came together."""

from __future__ import annotations

import streamlit as st

from analysis.chart_lines import session_starts
from analysis.chart_rows import by_group
from analysis.filters import Filters
from analysis.key_figures import figures, size_note, telling, zero_sum_notes
from analysis.report import ANYTIME
from analysis.scored import Scored
from analysis.striking import best_and_worst
from analysis.usual import leading_players
from analysis.variance import course
from dashboard import charts
from dashboard.cached import Snapshot, answer, as_played, hands
from dashboard.command_lines import command_line
from dashboard.elements import no_hands, show_chart, show_command, show_figures, show_notes, show_striking

_FIGURES = (
    "hands", "points_per_hand", "sd_per_hand", "net_per_hand", "hands_per_hour",
    "foul_rate", "scoop_rate", "royalties", "entry_rate", "stay_rate",
)  # fmt: skip


def show(snapshot: Snapshot, filters: Filters) -> None:
    """Draw the page."""
    st.title("Overview")
    scored = as_played(snapshot, filters)
    show_notes([*scored.notes, size_note(scored), *zero_sum_notes(filters)])
    if no_hands(scored):
        return
    _show_figures(snapshot, filters, scored)
    _show_course(snapshot, filters, scored)
    _show_players(snapshot, filters, scored)
    _show_extremes(snapshot, filters, scored)


def _show_figures(snapshot: Snapshot, filters: Filters, scored: Scored) -> None:
    anytime = st.toggle("Intervals that hold however often one looks", key="anytime", bind="query-params", help=ANYTIME)
    names = telling(_FIGURES, filters)
    found = answer(snapshot, "key figures", (filters, anytime), lambda: figures(scored, names, anytime=anytime))
    show_figures(found)
    shown = ",".join(figure.metric.name for figure in found)
    options = [f"--metrics={shown}", *(["--anytime"] if anytime else [])]
    show_command(command_line("report", filters, options))


def _show_course(snapshot: Snapshot, filters: Filters, scored: Scored) -> None:
    players = answer(snapshot, "leading players", (filters,), lambda: leading_players(scored))
    lines = answer(snapshot, "course", (filters,), lambda: course(scored))
    starts = answer(snapshot, "session starts", (filters,), lambda: session_starts(scored, players[0]))
    st.subheader("Points won, hand by hand")
    if len(players) > 1:
        st.caption("The players with the most hands.")
    elif starts:
        st.caption("Dotted lines: where a session starts.")
    figure = charts.cumulative(lines, players, starts if len(players) == 1 else [])
    show_chart(figure, "course", "Running total of points by hand")


def _show_players(snapshot: Snapshot, filters: Filters, scored: Scored) -> None:
    rows = answer(snapshot, "points by player", (filters,), lambda: by_group(scored, "points_per_hand", "player"))
    if len(rows) < 2:
        return
    st.subheader("Points per hand by player")
    st.caption("The dot is the mean, the bar its 95 % interval; hollow grey: a small sample.")
    show_chart(charts.dots(rows.head(20), "points per hand", zero=True), "by-player", "Points per hand by player")


def _show_extremes(snapshot: Snapshot, filters: Filters, scored: Scored) -> None:
    st.subheader("The best and the worst hand")
    found = answer(
        snapshot,
        "best and worst",
        (filters,),
        lambda: best_and_worst(snapshot.connection, hands(snapshot, filters), scored),
    )
    for hand in found:
        show_striking(hand)

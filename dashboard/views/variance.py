"""Variance: how results of a hand spread, under which rules they spread how far, and how deep it went."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import streamlit as st

from analysis.chart_lines import depths, result_bins
from analysis.chart_rows import system_rows
from analysis.filters import Filters
from analysis.key_figures import figures, left_out_notes, size_note, telling, zero_sum_notes
from analysis.scored import Scored
from analysis.usual import leading_players, most_played
from analysis.variance import course, deepest
from analysis.variants import ways_of_paying
from dashboard import charts
from dashboard.cached import Snapshot, answer, as_played, comparison, hands, known_rules, under
from dashboard.elements import no_hands, show_chart, show_figures, show_notes
from dashboard.escape import markdown
from dashboard.views.bankroll import show_bankroll
from ingest.game.rules import RuleSet

_SWINGS = {
    "depth": st.column_config.NumberColumn("depth", help="points below the best so far", format="localized"),
    "hands": st.column_config.NumberColumn("hands", help="its length", format="localized"),
    "started": st.column_config.NumberColumn(
        "after", help="the hand that made the best so far; 0: before the first", format="localized"
    ),
    "lowest": st.column_config.NumberColumn("lowest at", help="the hand with the lowest total", format="localized"),
    "ended": st.column_config.NumberColumn("made good at", help="the hand that reached it again", format="localized"),
}


def show(snapshot: Snapshot, filters: Filters) -> None:
    """Draw the page."""
    st.title("Variance")
    scored = as_played(snapshot, filters)
    show_notes([*scored.notes, size_note(scored), *zero_sum_notes(filters)])
    if no_hands(scored):
        return
    names = telling(("points_per_hand", "points_per_100", "sd_per_hand", "sd_per_100"), filters)
    show_figures(answer(snapshot, "spread figures", (filters,), lambda: figures(scored, names)))
    baseline = most_played(hands(snapshot, filters))
    known = known_rules(snapshot)
    ways = {} if baseline is None else ways_of_paying(baseline, known.values())
    _show_results(snapshot, filters, scored, ways)
    if baseline is not None:
        _show_other_rules(snapshot, filters, baseline, list(ways.values()))
    players = answer(snapshot, "leading players", (filters,), lambda: leading_players(scored))
    st.subheader("Downswings")
    player = st.selectbox("Player", players, key="swings_of", bind="query-params") if len(players) > 1 else players[0]
    _show_downswings(snapshot, filters, scored, player)
    show_bankroll(snapshot, filters if len(players) == 1 else replace(filters, players=(player,)))


def _show_results(snapshot: Snapshot, filters: Filters, scored: Scored, ways: dict[str, RuleSet]) -> None:
    st.subheader("Points in a hand")
    name = None
    if ways:
        name = st.selectbox(
            "The same hands", list(ways), index=None, placeholder="paid in another way", key="paid", bind="query-params"
        )
    every = [scored] if name is None else [scored, under(snapshot, filters, ways[name])]
    for other in every[1:]:
        show_notes(other.notes)
    key = (filters, name and ways[name].key)
    bins = answer(snapshot, "result bins", key, lambda: result_bins(every))
    show_chart(charts.histogram(bins, "points in a hand, all opponents together"), "results", "Distribution of points")


def _show_other_rules(snapshot: Snapshot, filters: Filters, baseline: RuleSet, ways: list[RuleSet]) -> None:
    compared = comparison(snapshot, filters, ways, baseline)
    st.subheader("The same hands, paid in other ways")
    st.caption(f"Standard deviation of the points of a hand, as {markdown(baseline.name)} pays and as others would.")
    show_notes(left_out_notes(compared))
    rows = system_rows(compared, "sd")
    show_chart(charts.dots(rows, "points"), "sd-by-rules", "Standard deviation of a hand under other ways of paying")


def _show_downswings(snapshot: Snapshot, filters: Filters, scored: Scored, player: str) -> None:
    st.caption(f"How far {markdown(player)} stood below the best so far.")
    lines = answer(snapshot, "course", (filters,), lambda: course(scored))
    depth = answer(snapshot, "depths", (filters, player), lambda: depths(lines.filter(pl.col("player") == player)))
    show_chart(charts.under_water(depth), "under-water", "Points below the best so far, by hand")
    st.caption("The deepest, in points; numbers of hands count from the first one.")
    st.dataframe(
        answer(snapshot, "deepest", (filters, player), lambda: deepest(scored, player=player)),
        hide_index=True,
        column_config=_SWINGS,
        column_order=list(_SWINGS),
        key="deepest",
        placeholder="not yet",
    )

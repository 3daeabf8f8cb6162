"""Variance: how results of a hand spread, under which rules they spread how far, and how deep it went."""

from __future__ import annotations

import polars as pl
import streamlit as st

from analysis.filters import Filters
from analysis.pages import depths, figures, leading_players, result_bins
from analysis.scored import Scored
from analysis.variance import course, deepest
from dashboard import charts
from dashboard.cached import Snapshot, answer, as_played
from dashboard.elements import no_hands, show_chart, show_figures, show_notes
from dashboard.escape import markdown

_SWINGS = {
    "player": st.column_config.TextColumn("player"),
    "depth": st.column_config.NumberColumn("depth", help="points below the best so far", format="localized"),
    "started": st.column_config.NumberColumn("from hand", format="localized"),
    "lowest": st.column_config.NumberColumn("lowest at hand", format="localized"),
    "ended": st.column_config.NumberColumn("made good at hand", help="empty: not yet", format="localized"),
    "hands": st.column_config.NumberColumn("hands", help="its length", format="localized"),
}


def show(snapshot: Snapshot, filters: Filters) -> None:
    """Draw the page."""
    st.title("Variance")
    scored = as_played(snapshot, filters)
    show_notes(scored.notes)
    if no_hands(scored):
        return
    spread = ("points_per_hand", "sd_per_hand", "points_per_100", "sd_per_100")
    show_figures(answer(snapshot, "spread figures", (filters,), lambda: figures(scored, spread)))
    st.subheader("Points in a hand")
    bins = answer(snapshot, "result bins", (filters,), lambda: result_bins(scored))
    show_chart(charts.histogram(bins, "points in a hand, all opponents together"), "results", "Distribution of points")
    _show_downswings(snapshot, filters, scored)


def _show_downswings(snapshot: Snapshot, filters: Filters, scored: Scored) -> None:
    st.subheader("Downswings")
    players = answer(snapshot, "leading players", (filters,), lambda: leading_players(scored))
    player = st.selectbox("Of", players, key="swings_of", bind="query-params") if len(players) > 1 else players[0]
    st.caption(f"How far {markdown(player)} stood below the best so far.")
    lines = answer(snapshot, "course", (filters,), lambda: course(scored))
    depth = answer(snapshot, "depths", (filters, player), lambda: depths(lines.filter(pl.col("player") == player)))
    show_chart(charts.under_water(depth), "under-water", "Points below the best so far, by hand")
    st.dataframe(
        answer(snapshot, "deepest", (filters,), lambda: deepest(scored)),
        hide_index=True,
        column_config=_SWINGS,
        key="deepest",
        placeholder="not yet",
    )

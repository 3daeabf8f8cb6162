"""Rates: fouls and scoops, royalties by row and category, Fantasyland."""

from __future__ import annotations

from functools import partial

import polars as pl
import streamlit as st

from analysis.chart_rows import by_group, labelled, row_frequencies, row_royalties, sealed
from analysis.filters import Filters
from analysis.key_figures import size_note
from analysis.metrics import find_metric
from analysis.scored import ROWS, Scored
from analysis.streets import with_streets
from analysis.wording import counted
from dashboard import charts
from dashboard.cached import Snapshot, answer, as_played, hands
from dashboard.command_lines import command_line
from dashboard.elements import no_hands, show_chart, show_command, show_notes
from dashboard.theme import ROW_COLOURS

_FOULS = (
    "foul_rate", "foul_rate_normal", "scoop_rate", "scooped_rate", "front_won", "middle_won", "back_won",
)  # fmt: skip
_ROYALTIES = (
    "royalties", "royalties_normal", "royalties_legal", "royalties_front", "royalties_middle", "royalties_back",
)  # fmt: skip
_ENTRIES = ("entry_rate", "entry_QQ", "entry_KK", "entry_AA", "entry_trips", "entry_low")
_STAYS = ("stay_rate", "stay_13", "stay_14", "stay_15", "stay_16", "stay_17")
_VALUES = ("points_in", "points_out", "points_against")
_BREAKDOWNS = {
    "player": "by player",
    "position": "by position",
    "players_at_table": "by players at the table",
    "month": "by month",
    "site": "by site",
}
# Up to so many hands it is worked out without asking when fouls were sealed: some 30,000 a second.
FEW_FOR_STREETS = 50_000
_BROKEN_DOWN = ("foul_rate", "scoop_rate", "entry_rate", "stay_rate", "royalties", "points_per_hand")


def show(snapshot: Snapshot, filters: Filters) -> None:
    """Draw the page."""
    st.title("Rates")
    scored = as_played(snapshot, filters)
    show_notes(
        [*scored.notes, size_note(scored), "Dots are values, bars their 95 % intervals; hollow grey: a small sample."]
    )
    if no_hands(scored):
        return
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("Fouls, scoops and rows")
        _show_rates(snapshot, filters, scored, _FOULS, "share of boards, or of opponents")
    with right:
        st.subheader("Royalties")
        _show_means(snapshot, filters, scored, _ROYALTIES, "royalties, points per hand or board")
    below_fouls = st.container()
    _show_categories(snapshot, filters, scored)
    _show_fantasyland(snapshot, filters, scored)
    _show_breakdown(snapshot, filters, scored)
    command = st.container()
    # Last, as it takes longest: the page stands there while it is worked out.
    with below_fouls:
        streets = _show_sealed(snapshot, filters, scored)
    with command:
        show_command(command_line("report", filters, ["--streets"] if streets else []))


def _rows(snapshot: Snapshot, filters: Filters, scored: Scored, names: tuple[str, ...]) -> pl.DataFrame:
    return answer(snapshot, "labelled", (filters, names), lambda: labelled(scored, names))


def _show_rates(snapshot: Snapshot, filters: Filters, scored: Scored, names: tuple[str, ...], axis: str) -> None:
    rows = _rows(snapshot, filters, scored, names)
    show_chart(charts.dots(rows, axis, percent=True), names[0], axis)


def _show_means(snapshot: Snapshot, filters: Filters, scored: Scored, names: tuple[str, ...], axis: str) -> None:
    rows = _rows(snapshot, filters, scored, names)
    show_chart(charts.dots(rows, axis, zero=True), names[0], axis)


def _show_sealed(snapshot: Snapshot, filters: Filters, scored: Scored) -> bool:
    """Draw when fouls were sealed, if asked where hands are many; whether that was done."""
    st.subheader("Fouls by the street on which they were sealed")
    if scored.hands > FEW_FOR_STREETS and not st.toggle(
        f"Work it out for {scored.hands:,} hands (some 30,000 a second)", key="streets", bind="query-params"
    ):
        return False
    rows, known, fouls = answer(
        snapshot,
        "sealed",
        (filters,),
        lambda: sealed(with_streets(snapshot.connection, hands(snapshot, filters), scored)),
    )
    if not known:
        st.caption("Not known: no log of these hands shows, street by street, what was dealt.")
        return True
    st.caption(
        "Slots still open when, after a street, no cards that the player had not seen could make the board legal. "
        "Pineapple leaves 8, 6, 4, 2 and 0 open, one street after the other, classic every number from 8 to 0. "
        f"{counted(fouls, 'fouls')} in {counted(known, 'hands with known streets')}; in brackets how many."
    )
    if fouls:
        axis = "share of hands with known streets"
        show_chart(charts.dots(rows, axis, percent=True), "sealed", "Fouls by the street on which they were sealed")
    return True


def _show_categories(snapshot: Snapshot, filters: Filters, scored: Scored) -> None:
    st.subheader("How often each row pays")
    st.caption("Shares of legal boards.")
    for row, column in zip(ROWS, st.columns(3), strict=True):
        often = answer(snapshot, "row frequencies", (filters, row), partial(row_frequencies, scored, row))
        with column:
            st.markdown(f"**{row.capitalize()}**")
            _show_row(often, f"often-{row}", "share of legal boards", row, percent=True)
    st.subheader("What each row brings")
    st.caption("Royalties per hand over all hands, a fouled board counting 0.")
    for row, column in zip(ROWS, st.columns(3), strict=True):
        brings = answer(snapshot, "row royalties", (filters, row), partial(row_royalties, scored, row))
        with column:
            st.markdown(f"**{row.capitalize()}**")
            _show_row(brings, f"brings-{row}", "royalties per hand, points", row)


def _show_row(rows: pl.DataFrame, key: str, axis: str, row: str, *, percent: bool = False) -> None:
    if rows.is_empty():
        st.caption("No row that pays yet.")
        return
    figure = charts.dots(rows, axis, percent=percent, colour=ROW_COLOURS[row])
    show_chart(figure, key, f"{axis}, {row}")


def _show_fantasyland(snapshot: Snapshot, filters: Filters, scored: Scored) -> None:
    st.subheader("Fantasyland")
    columns = st.columns(3)
    with columns[0]:
        st.markdown("**Entering**")
        st.caption("Of hands not played in it.")
        _show_rates(snapshot, filters, scored, _ENTRIES, "share of normal hands")
    with columns[1]:
        st.markdown("**Staying**")
        st.caption("Of hands played in it, by number of cards.")
        _show_rates(snapshot, filters, scored, _STAYS, "share of Fantasyland hands")
    with columns[2]:
        st.markdown("**What it is worth**")
        st.caption("Points of hands in it, out of it, and against it.")
        _show_means(snapshot, filters, scored, _VALUES, "points per hand")


def _show_breakdown(snapshot: Snapshot, filters: Filters, scored: Scored) -> None:
    st.subheader("Broken down")
    left, right = st.columns(2)
    name = left.selectbox(
        "Figure", _BROKEN_DOWN, key="figure", bind="query-params", format_func=lambda name: find_metric(name).title
    )
    by = right.selectbox(
        "Broken down", list(_BREAKDOWNS), key="by", bind="query-params", format_func=_BREAKDOWNS.__getitem__
    )
    metric = find_metric(name)
    rows = answer(snapshot, "breakdown", (filters, name, by), lambda: by_group(scored, name, by))
    st.caption(f"{metric.definition} {metric.of.capitalize()} over {metric.over}.")
    percent = metric.unit == "share"
    axis = f"{metric.title.lower()}, {'share of ' + metric.over if percent else metric.unit}"
    show_chart(charts.dots(rows.head(40), axis, percent=percent, zero=not percent), "breakdown", metric.title)

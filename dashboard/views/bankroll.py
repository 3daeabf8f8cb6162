"""Part of the page Variance: what many hands may bring one player, and how deep his bankroll must be."""

from __future__ import annotations

import streamlit as st

from analysis.chart_lines import ruin_curve
from analysis.filters import Filters
from analysis.swings import Swings, swings_of
from dashboard import charts
from dashboard.cached import Snapshot, answer, hands
from dashboard.command_lines import command_line
from dashboard.elements import show_card, show_chart, show_command
from dashboard.escape import markdown

_NUMBER = st.column_config.NumberColumn
_OUTCOMES = {
    "quantile": _NUMBER("futures below", help="share of all futures", format="percent"),
    "result": _NUMBER("result", format="%+.0f"),
    "lowest": _NUMBER("lowest", help="the lowest point on the way", format="%+.0f"),
    "fall": _NUMBER("downswing", help="the deepest one", format="%.0f"),
}
_STOP_LOSS = {
    "stop_loss": _NUMBER("stop-loss", format="localized"),
    "stopped": _NUMBER("sessions stopped", format="percent"),
    "hands": _NUMBER("hands", format="localized"),
    "points": _NUMBER("points", format="%+d"),
    "per_hand": _NUMBER("per hand", format="%+.2f"),
    "worst_session": _NUMBER("worst session", format="%+d"),
    "sd_session": _NUMBER("sd of a session", format="%.1f"),
}
_TABLE_STAKES = {
    "stack": _NUMBER("stack", format="localized"),
    "capped": _NUMBER("hands capped", format="percent"),
    "points": _NUMBER("points per hand", format="%+.2f"),
    "sd": _NUMBER("sd per hand", format="%.2f"),
}


def show_bankroll(snapshot: Snapshot, filters: Filters) -> None:
    """Draw the part; `filters` choose the results of one player."""
    st.subheader("Bankroll")
    first, second, third = st.columns(3)
    horizon = first.number_input("Hands to look ahead", 100, 100_000, 5_000, 100, key="horizon", bind="query-params")
    bankroll = second.number_input("Points that may be lost", 1, 100_000, 500, 50, key="bankroll", bind="query-params")
    accepted = third.number_input("Accepted chance, %", 0.1, 50.0, 5.0, 0.5, key="accepted", bind="query-params")
    key = (filters, horizon, bankroll, accepted)
    swings = answer(
        snapshot,
        "swings",
        key,
        lambda: swings_of(hands(snapshot, filters), horizon=horizon, bankroll=bankroll, risk=accepted / 100),
    )
    st.caption(
        f"{markdown(swings.player)}: futures drawn from {swings.blocks}. Ranges: what is not known of edge and spread."
    )
    _show_answers(swings)
    curve = answer(snapshot, "ruin curve", (filters, horizon), lambda: ruin_curve(hands(snapshot, filters), horizon))
    show_chart(charts.ruin(curve), "ruin", "Chance to lose a bankroll, by its size")
    _show_tables(swings)
    options = [f"--horizon={horizon}", f"--bankroll={bankroll}", f"--risk={accepted / 100:g}"]
    show_command(command_line("variance", filters, options))


def _show_answers(swings: Swings) -> None:
    risk, needed = swings.risk, swings.needed
    with st.container(horizontal=True):
        show_card(
            f"Chance to lose {swings.bankroll:,.0f} points", f"{risk.value:.1%}", [f"{risk.low:.1%} to {risk.high:.1%}"]
        )
        show_card(
            f"Bankroll for a chance of {swings.wanted_risk:.1%}",
            f"{needed.value:,.0f}",
            [f"{needed.low:,.0f} to {needed.high:,.0f} points"],
        )
        show_card("The same chance by the formula", f"{swings.formula:.1%}", ["the edge taken for certain, no streaks"])
        show_card("Hands under water", f"{swings.under_water:.0%}", [f"of {swings.hands:,} played"])


def _show_tables(swings: Swings) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(f"**What {swings.horizon:,} hands may bring, points**")
        st.dataframe(swings.outcomes, hide_index=True, column_config=_OUTCOMES, key="outcomes")
    if swings.table_stakes is not None:
        with right:
            st.markdown("**Had everybody sat with so many points under table stakes**")
            st.dataframe(
                swings.table_stakes,
                hide_index=True,
                column_config=_TABLE_STAKES,
                column_order=list(_TABLE_STAKES),
                key="table-stakes",
                placeholder="no cap",
            )
    st.markdown("**Had each session ended after so many points lost**")
    st.dataframe(
        swings.stop_loss,
        hide_index=True,
        column_config=_STOP_LOSS,
        column_order=list(_STOP_LOSS),
        key="stop-loss",
        placeholder="none",
    )

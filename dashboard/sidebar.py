"""The filters in the sidebar: kept from page to page and in the address, so that a link shows what its sender saw."""

from __future__ import annotations

from datetime import date
from typing import get_args

import streamlit as st

from analysis.filters import Filters, Kind
from dashboard.cached import Snapshot, filter_choices

_KIND_WORDS = {"all": "Played and simulated", "played": "Really played", "simulated": "Simulated"}


def choose_filters(snapshot: Snapshot) -> Filters:
    """Draw the filters and return what they are set to."""
    known = filter_choices(snapshot)
    with st.sidebar:
        st.subheader("Filters", anchor=False)
        players = st.multiselect(
            "Players", known.players, key="player", bind="query-params", placeholder="anybody", select_all=False
        )
        hero = bool(known.heroes) and not players and _only_heroes()
        sites = st.multiselect("Sites", known.sites, key="site", bind="query-params", placeholder="any")
        rules = st.multiselect("Rules played", known.rules, key="rules", bind="query-params", placeholder="any")
        tables = st.multiselect(
            "Players at the table", known.tables, key="tables", bind="query-params", placeholder="any"
        )
        since, until = _choose_days(known.first_day, known.last_day)
        kind: Kind = st.selectbox(
            "Hands", get_args(Kind), key="kind", bind="query-params", format_func=_KIND_WORDS.__getitem__
        )
    return Filters(
        sites=tuple(sites),
        players=tuple(players),
        hero=hero,
        rules=tuple(rules),
        tables=tuple(tables),
        since=since,
        until=until,
        kind=kind,
    )


def _only_heroes() -> bool:
    return st.toggle(
        "Only the owners of the logs",
        value=True,
        key="owners",
        bind="query-params",
        help="The results of the players whose logs these are. Off: of everybody at the table, which sum to zero.",
    )


def _choose_days(first: date | None, last: date | None) -> tuple[date | None, date | None]:
    """First and last day, None where the choice is open; `first` and `last` are the days of the database."""
    if first is None:
        return None, None
    since = st.date_input("From", None, first, last, key="since", bind="query-params", format="YYYY-MM-DD")
    until = st.date_input("To", None, first, last, key="until", bind="query-params", format="YYYY-MM-DD")
    return since, until

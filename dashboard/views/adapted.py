"""Part of the page Rules: what the same hands leave out, trips that were never played and people who adapt."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from analysis.adapted import ADAPTED, FIGURES, same_and_adapted
from analysis.adapted import MEANING as ADAPTED_MEANING
from analysis.chart_rows import credit_rows, play_rows
from analysis.credit import MEANING as CREDIT_MEANING
from analysis.credit import credit
from analysis.filters import Filters
from analysis.metrics import find_metric
from analysis.usual import usual_table
from dashboard import charts
from dashboard.cached import Snapshot, answer, hands
from dashboard.elements import show_chart
from ingest.game.rules import RuleSet

_HANDS = 2_000


def _title(name: str) -> str:
    return find_metric(name).title


def show_adapted(
    snapshot: Snapshot, filters: Filters, rule_sets: Sequence[RuleSet], *, another_game: bool = False
) -> None:
    """Draw the part; both answers are simulated on demand, as they take their time."""
    key = (filters, tuple(rules.key for rules in rule_sets), another_game)
    st.subheader("Players who know the rules")
    st.caption(ADAPTED_MEANING)
    if st.toggle(f"Let them play {_HANDS:,} hands of each rule set", key="adapted", bind="query-params"):
        _show_play(snapshot, filters, rule_sets, key, another_game=another_game)
    if filters.everybody:
        return
    st.subheader("Fantasyland credit")
    st.caption(CREDIT_MEANING)
    if st.toggle("Value the trips, by simulation once for each rule set: minutes", key="credit", bind="query-params"):
        _show_credit(snapshot, filters, rule_sets, key, another_game=another_game)


def _show_play(
    snapshot: Snapshot, filters: Filters, rule_sets: Sequence[RuleSet], key: tuple[object, ...], *, another_game: bool
) -> None:
    stored = hands(snapshot, filters)
    players = usual_table(stored)
    both = answer(
        snapshot,
        "adapted",
        key,
        lambda: same_and_adapted(stored, rule_sets, players=players, hands=_HANDS, another_game=another_game),
    )
    name = st.selectbox(
        "Figure", FIGURES, key="play", bind="query-params", format_func=lambda name: find_metric(name).title
    )
    metric = find_metric(name)
    percent = metric.unit == "share"
    axis = f"share of {metric.over}" if percent else metric.unit
    figure = charts.dots_by_series(play_rows(both, name), axis, percent=percent)
    show_chart(figure, "adapted-play", f"{metric.title}: same decisions beside adapted play")
    st.caption(f"{ADAPTED.capitalize()}: tables of {players}, agents of the kind fast, seed 1.")


def _show_credit(
    snapshot: Snapshot, filters: Filters, rule_sets: Sequence[RuleSet], key: tuple[object, ...], *, another_game: bool
) -> None:
    found = answer(
        snapshot,
        "credit",
        key,
        lambda: credit(hands(snapshot, filters), rule_sets, another_game=another_game),
    )
    for column, (figure, title) in zip(
        st.columns(2, gap="large"), (("points", "Without credit"), ("with_credit", "With credit")), strict=True
    ):
        with column:
            st.markdown(f"**{title}**")
            rows = credit_rows(found, figure)
            show_chart(charts.dots(rows, "points per hand", zero=True), f"credit-{figure}", f"Points per hand, {title}")

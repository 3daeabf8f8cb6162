"""Rules: rule sets side by side on the same hands."""

from __future__ import annotations

import streamlit as st

from analysis.chart_rows import spread_parts, state_parts, system_rows, without_baseline
from analysis.compare import SYSTEM_FIGURES, Comparison
from analysis.filters import Filters
from analysis.key_figures import left_out_notes
from analysis.striking import most_changed
from analysis.sums import COMPONENTS, STATES
from analysis.usual import alike, most_played
from analysis.variants import ways_of_paying
from dashboard import charts
from dashboard.cached import Snapshot, answer, comparison, hands, in_book, known_rules
from dashboard.command_lines import command_line
from dashboard.elements import nothing_fits, show_chart, show_command, show_notes, show_striking
from dashboard.escape import markdown
from dashboard.views.adapted import show_adapted
from ingest.game.rules import RuleSet

_SHARES = ("foul_rate", "entry_rate", "stay_rate", "winner_changed", "session_winner_changed")
_TITLES = {
    "foul_rate": "Fouls",
    "royalties": "Royalties per hand",
    "entry_rate": "Enters Fantasyland",
    "stay_rate": "Stays in Fantasyland",
    "winner_changed": "Hands with another winner",
    "session_winner_changed": "Sessions with another winner",
}


def show(snapshot: Snapshot, filters: Filters) -> None:
    """Draw the page."""
    st.title("Rules")
    chosen = _choose(snapshot, filters)
    if chosen is None:
        nothing_fits()
        return
    rule_sets, baseline, another_game = chosen
    compared = comparison(snapshot, filters, rule_sets, baseline, another_game=another_game)
    show_notes([*compared.notes, *left_out_notes(compared)])
    _show_differences(compared, filters)
    _show_spread(compared)
    _show_rates(compared)
    _show_changed(snapshot, filters, rule_sets, baseline, another_game)
    _show_table(compared)
    _show_as_command(filters, rule_sets, baseline, another_game)
    show_adapted(snapshot, filters, [baseline, *rule_sets], another_game=another_game)


def _choose(snapshot: Snapshot, filters: Filters) -> tuple[list[RuleSet], RuleSet, bool] | None:
    """Which rule sets to compare, with which, and whether boards built for another game count; None without hands."""
    known = known_rules(snapshot)
    found = hands(snapshot, filters)
    if not len(found):
        return None
    usual = most_played(found) or known["pineapple"]
    known = {usual.name: usual, **known}
    left, right = st.columns([1, 2])
    baseline = known[left.selectbox("Baseline", list(known), key="baseline", bind="query-params")]
    ways = ways_of_paying(baseline, known.values())
    known = {**ways, **known}
    chosen = right.multiselect(
        "Compared with",
        [name for name in known if name != baseline.name],
        default=list(ways) or alike(baseline, known),
        key="compare",
        bind="query-params",
        select_all=False,
        help="Paid as X: the baseline's deal and Fantasyland with the points, royalties and specials of X.",
    )
    another_game = st.toggle(
        "Also hands whose boards were built for another game",
        key="another_game",
        bind="query-params",
        help="A board that was set for pineapple says little about classic: other cards, other aims. Off: left out.",
    )
    return [known[name] for name in chosen], baseline, another_game


def _show_differences(compared: Comparison, filters: Filters) -> None:
    baseline = markdown(compared.baseline)
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("How far results spread")
        st.caption("Standard deviation of the points of a hand: more is a rougher ride.")
        rows = system_rows(compared, "sd")
        show_chart(charts.dots(rows, "points"), "sd", "Standard deviation by rule set")
    with right:
        st.subheader("The stake of equal risk")
        st.caption(f"The point value that carries the same risk as 1 under {baseline}.")
        rows = system_rows(compared, "stake")
        show_chart(charts.dots(rows, "point value"), "stake", "Stake of equal risk by rule set")
    if filters.everybody:
        return
    st.subheader(f"Points per hand more than under {baseline}")
    st.caption("On the same hands, so the luck of the cards is in both.")
    rows = without_baseline(system_rows(compared, "points_difference"), compared)
    show_chart(charts.dots(rows, "points per hand", zero=True), "difference", "Difference by rule set")


def _show_as_command(filters: Filters, rule_sets: list[RuleSet], baseline: RuleSet, another_game: bool) -> None:
    if rule_sets and in_book(baseline, *rule_sets):
        names = ",".join(rules.name for rules in rule_sets)
        options = [f"--baseline={baseline.name}", f"--rules={names}", *(["--another-game"] if another_game else [])]
        show_command(command_line("compare", filters, options))


def _show_spread(compared: Comparison) -> None:
    st.subheader("What the spread is made of")
    st.caption(
        "Each part with its covariances; together they are the variance of the points of a hand. A part that works "
        "against the others lies left of 0."
    )
    axis = "points squared"
    show_chart(charts.stacked(spread_parts(compared), COMPONENTS, axis), "spread", "Variance by component")
    st.caption("The same variance by who is in Fantasyland: within each of these hands, and between them.")
    show_chart(charts.stacked(state_parts(compared), (*STATES, "between these"), axis), "states", "Variance by state")


def _show_rates(compared: Comparison) -> None:
    st.subheader("What happens how often")
    # Three at a time, so that they keep their order where columns stand one below the other.
    names = list(_TITLES)
    for start in range(0, len(names), 3):
        for name, column in zip(names[start : start + 3], st.columns(3), strict=True):
            with column:
                _show_rate(compared, name, _TITLES[name])


def _show_rate(compared: Comparison, name: str, title: str) -> None:
    st.markdown(f"**{title}**", help=SYSTEM_FIGURES[name].capitalize() + ".")
    rows = system_rows(compared, name)
    if rows.is_empty():
        st.caption("No hand of this kind yet.")
        return
    percent = name in _SHARES
    show_chart(charts.dots(rows, "share" if percent else "points per hand", percent=percent), name, title)


def _show_changed(
    snapshot: Snapshot, filters: Filters, rule_sets: list[RuleSet], baseline: RuleSet, another_game: bool
) -> None:
    if not rule_sets:
        return
    st.subheader("The hand that changes most")
    known = {rules.name: rules for rules in rule_sets}
    rules = known[st.selectbox("Under", list(known), key="changed_by", bind="query-params")]
    changed = answer(
        snapshot,
        "most changed",
        (filters, rules.key, baseline.key, another_game),
        lambda: most_changed(snapshot.connection, hands(snapshot, filters), rules, baseline, another_game=another_game),
    )
    if changed is None:
        st.caption(f"Every hand pays the same under {markdown(rules.name)} and {markdown(baseline.name)}.")
    else:
        show_striking(changed)


def _show_table(compared: Comparison) -> None:
    st.subheader("All figures")
    st.caption(
        "p: how likely so large a difference would be by chance, corrected for the number of rule sets (Holm). "
        "Intervals are in the charts above."
    )
    number = st.column_config.NumberColumn
    columns = {
        "rules": st.column_config.TextColumn("rules", pinned=True),
        "hands": number(format="localized"),
        "sessions": number(format="localized"),
        "left_out": number("left out", help="hands built for another game", format="localized"),
        "another_game": number("of another game", help="such hands that are in", format="localized"),
        **{
            name: number(name.replace("_", " "), help=text, format="percent" if name in _SHARES else "%.3f")
            for name, text in SYSTEM_FIGURES.items()
        },
        "points_p": number("p, points", format="%.3f"),
        "sd_p": number("p, spread", format="%.3f"),
        "rank_correlation": number(
            "rank correlation", help="of the players' results with the baseline's", format="%.2f"
        ),
        "hands_for_edge": number(f"hands to show {compared.edge:g} a hand", format="localized"),
    }
    order = list(columns)
    st.dataframe(
        compared.systems, hide_index=True, column_config=columns, column_order=order, key="systems", placeholder="–"
    )

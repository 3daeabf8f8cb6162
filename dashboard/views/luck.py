"""Luck: results with the luck of the deal taken out, beside the results as they came."""

from __future__ import annotations

import streamlit as st

from analysis.chart_lines import AS_IT_CAME, WITHOUT_LUCK, luck_course
from analysis.chart_rows import luck_rows
from analysis.filters import Filters
from analysis.luck import Luck, luck_of
from analysis.scored import ANOTHER_GAME
from analysis.tables import Hands
from analysis.usual import one_game
from analysis.wording import counted
from dashboard import charts
from dashboard.cached import Snapshot, answer, hands, in_book
from dashboard.command_lines import command_line
from dashboard.elements import nothing_fits, show_card, show_chart, show_command, show_notes
from dashboard.escape import markdown
from ingest.game.errors import OFCError
from ingest.game.rules import RuleSet

# Up to so many hands luck is worked out without asking: some 4,000 a second.
FEW_FOR_LUCK = 20_000


def show(snapshot: Snapshot, filters: Filters) -> None:
    """Draw the page."""
    st.title("Luck")
    found = one_game(hands(snapshot, filters))
    if found is None or not len(found[0]):
        nothing_fits()
        return
    kept, rules = found
    if len(kept) > FEW_FOR_LUCK and not st.toggle(
        f"Work it out for {len(kept):,} hands (some 4,000 a second)", key="work_out", bind="query-params"
    ):
        show_notes([filters.sentence()])
        return
    try:
        luck = answer(snapshot, "luck", (filters,), lambda: luck_of(snapshot.connection, kept, rules))
    except OFCError as error:
        st.info(markdown(error), icon=":material/visibility_off:")
        return
    _show_luck(snapshot, filters, luck, kept, rules)


def _show_luck(snapshot: Snapshot, filters: Filters, luck: Luck, kept: Hands, rules: RuleSet) -> None:
    show_notes([*luck.notes, f"Scored by {rules.name}."])
    with st.container(horizontal=True):
        show_card("Variance that was luck of the deal", f"{luck.saved:.0%}", ["of the points of a hand"])
        show_card("Draws seen", f"{luck.seen:.0%}", ["of the players' hands", f"n {counted(len(luck.seats), 'hands')}"])
    st.subheader("Points per hand")
    st.caption("Dots are means, bars their 95 % intervals; hollow grey: a small sample.")
    show_chart(charts.dots(luck_rows(luck), "points per hand", zero=True), "luck-rows", "Points per hand by player")
    players = luck.players["player"].to_list()
    st.subheader("Hand by hand")
    player = st.selectbox("Player", players, key="luck_of", bind="query-params") if len(players) > 1 else players[0]
    st.caption(f"Points of {markdown(player)}. Where the lines part, the cards made the difference.")
    lines = answer(snapshot, "luck course", (filters, player), lambda: luck_course(luck, player))
    show_chart(
        charts.cumulative(lines, [AS_IT_CAME, WITHOUT_LUCK]), "luck-course", "Running totals with and without luck"
    )
    if in_book(rules) and not kept.left_out.get(ANOTHER_GAME):
        show_command(command_line("luck", filters, [f"--rules={rules.name}"]))

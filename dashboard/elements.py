"""Pieces that several pages show: a chart, boards in a row, the sentence that says which hands a figure is about."""

from __future__ import annotations

import re
from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st

from analysis.examples import JudgedBoard
from analysis.key_figures import Figure
from analysis.scored import Scored
from analysis.striking import StrikingHand
from dashboard.boards import board_svg
from dashboard.escape import markdown
from dashboard.theme import CONFIG
from dashboard.wording import count_text, interval_text, small_text, value_text


def show_chart(figure: go.Figure, key: str, alt: str) -> None:
    """A chart whose text takes the colour of the page, light or dark; `alt` says in words what it shows."""
    st.plotly_chart(figure, theme="streamlit", key=key, config=CONFIG, alt=alt)


def show_notes(notes: Sequence[str]) -> None:
    """Which hands the figures below are about, and what their reader must know."""
    st.caption(" ".join(markdown(note) for note in notes))


def nothing_fits() -> None:
    """Say that there is nothing to show."""
    st.info("No scored hand fits these filters. Take some away in the sidebar.", icon=":material/filter_alt_off:")


def no_hands(scored: Scored) -> bool:
    """Whether there is nothing to show; then the page says so."""
    if scored.frame.is_empty():
        nothing_fits()
    return scored.frame.is_empty()


def show_boards(boards: Sequence[JudgedBoard], names: Sequence[str] = ()) -> None:
    """The boards of one hand side by side, one below the other where the window is narrow."""
    with st.container(horizontal=True):
        for place, board in enumerate(boards):
            points = f"{board.points:+d} points".replace("-", "−")
            title = f"{_shortened(names[place])} {points}" if names else points
            described = f"{title}: {', '.join(board.rows)}{'; ' + board.tag if board.tag else ''}"
            st.image(board_svg(board.cards, title, board.notes, board.tag), width=310, alt=described)


def _shortened(name: str) -> str:
    """A name that leaves room for what stands beside it."""
    return name if len(name) <= 18 else name[:17] + "…"


def show_striking(hand: StrikingHand) -> None:
    """One hand with all its boards, and what is striking about it."""
    # A minus is no hyphen; those inside dates and names are.
    st.markdown(markdown(re.sub(r"(?<=\s)-(?=\d)", "−", hand.sentence)))
    show_boards(hand.boards, hand.names)


def show_card(title: str, value: str, notes: Sequence[str], explained: str | None = None) -> None:
    """A value with its title above it and small print below; inside a horizontal container cards stand side by side."""
    with st.container(border=True, width=171, height="stretch", gap="xxsmall"):
        st.markdown(title, help=explained)
        st.metric(title, value, label_visibility="collapsed")
        st.caption("  \n".join(filter(None, notes)))


def show_figures(figures: Sequence[Figure]) -> None:
    """Key figures as cards: value, interval, what it was counted over; a small sample says so."""
    with st.container(horizontal=True):
        for figure in figures:
            metric = figure.metric
            show_card(
                metric.title,
                value_text(figure, figure.value),
                (interval_text(figure), count_text(figure), small_text(figure)),
                f"{metric.definition} {metric.of.capitalize()} over {metric.over}.",
            )


def show_command(line: str) -> None:
    """The command that prints the same figures."""
    with st.expander("The same on the command line", icon=":material/terminal:"):
        st.code(line, language="shell", wrap_lines=True)

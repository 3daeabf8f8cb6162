"""Pieces that several pages show: a chart, boards in a row, the sentence that says which hands a figure is about."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st

from analysis.examples import JudgedBoard
from dashboard.boards import board_svg
from dashboard.escape import markdown
from dashboard.theme import CONFIG


def show_chart(figure: go.Figure, key: str, alt: str) -> None:
    """A chart in its own colours; `alt` says in words what it shows."""
    st.plotly_chart(figure, theme=None, key=key, config=CONFIG, alt=alt)


def show_notes(notes: Sequence[str]) -> None:
    """Which hands the figures below are about, and what their reader must know."""
    st.caption(" ".join(markdown(note) for note in notes))


def show_boards(boards: Sequence[JudgedBoard], names: Sequence[str] = ()) -> None:
    """The boards of one hand side by side, one below the other where the window is narrow."""
    for place, column in enumerate(st.columns(len(boards))):
        board = boards[place]
        name = names[place] if names else ""
        title = f"{name} {board.points:+d}".strip()
        described = f"{title}: {', '.join(board.rows)}{'; ' + board.tag if board.tag else ''}"
        column.image(board_svg(board.cards, title, board.notes, board.tag), width="stretch", alt=described)

"""overview."""

from __future__ import annotations

import streamlit as st

from analysis.filters import Filters
from dashboard.cached import Snapshot


def show(snapshot: Snapshot, filters: Filters) -> None:
    """Draw the page."""
    st.title("Overview")

"""Welcome: there is no database yet, or none that can be read; what to type so that there is one."""

from __future__ import annotations

import shlex
from contextlib import suppress
from pathlib import Path

import streamlit as st

from dashboard.command_lines import place_option
from dashboard.escape import markdown
from ingest.snapshots import NoDatabase, newest_snapshot

_WAYS = (
    (
        "Just look around",
        "The sample sessions that come with the program: a few hundred invented hands, Fantasyland and fouls included.",
        "ofc demo",
    ),
    (
        "Your own logs",
        "Files or whole folders, packed or not. The format is found by content, nothing is counted twice, and what "
        "could not be read is listed with its reason.",
        "ofc ingest path/to/logs",
    ),
    (
        "No logs at all",
        "Let players who know the rules play some sessions, under any rule set.",
        "ofc simulate --rules pineapple --players 3 --hands 2000",
    ),
)


def show_missing(place: Path) -> None:
    """Draw the page for a database that does not exist yet."""
    st.title("No hands yet")
    st.write(
        "This dashboard shows what each scoring system does to your results: variance, fouls, royalties, Fantasyland. "
        "It needs hands first. Type one of these in a terminal, then come back."
    )
    for column, (title, text, command) in zip(st.columns(len(_WAYS)), _WAYS, strict=True):
        with column.container(border=True, height="stretch"):
            st.subheader(title)
            st.write(text)
            st.code(" ".join([command, *map(shlex.quote, place_option())]), language="shell", wrap_lines=True)
    _look_again(place)
    st.caption(
        f"Looked for a database at {markdown(place)}. Another place: `--db PATH` after each command, this dashboard's "
        "too, or the environment variable `OFC_DB`."
    )


@st.fragment(run_every=5)
def _look_again(place: Path) -> None:
    """Go on to the hands as soon as there are some; the button is for the impatient."""
    st.button("Look again", type="primary", icon=":material/refresh:")
    with suppress(NoDatabase):
        newest_snapshot(place)
        st.rerun()


def show_unreadable(sentence: str) -> None:
    """Draw the page for a database that exists and cannot be read."""
    st.title("This database cannot be read")
    st.error(markdown(sentence), icon=":material/error:")
    st.button("Look again", type="primary", icon=":material/refresh:")

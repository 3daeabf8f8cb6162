"""Imports: each source, what became of its records, and what could not be read, with the reason."""

from __future__ import annotations

import streamlit as st

from analysis.filters import Filters
from analysis.imports import OUTCOMES, Imports, load_imports, raw_text
from dashboard.cached import Snapshot, answer
from dashboard.escape import markdown

_SOURCE_COLUMNS = {
    "file": st.column_config.TextColumn("source", width=215),
    "format": st.column_config.TextColumn("format"),
    **{
        name: st.column_config.NumberColumn(name, help=meaning, format="localized")
        for name, meaning in OUTCOMES.items()
    },
    "ledger_entries": st.column_config.NumberColumn(
        "ledger", help="sessions of which only the result was written down"
    ),
    "bytes": st.column_config.NumberColumn("size", format="bytes"),
    "ingested_at": st.column_config.DatetimeColumn("read at (UTC)", format="YYYY-MM-DD HH:mm"),
    "note": st.column_config.TextColumn("note", help="why nothing could be read"),
    "folder": st.column_config.TextColumn("folder"),
}
_REJECT_COLUMNS = {
    "file": st.column_config.TextColumn("source", width=180),
    "position": st.column_config.NumberColumn("at byte", format="localized"),
    "outcome": st.column_config.TextColumn("outcome", width="small"),
    "meaning": st.column_config.TextColumn("reason", width="medium"),
    "message": st.column_config.TextColumn("what was expected and what came", width="large"),
}


def show(snapshot: Snapshot, _: Filters) -> None:
    """Draw the page."""
    imports = answer(snapshot, "imports", (), lambda: load_imports(snapshot.connection))
    st.title("Imports")
    st.caption("Everything that was ever read, whatever the filters say. Nothing is dropped silently.")
    _show_totals(imports)
    st.subheader(f"Sources ({imports.files:,})")
    if imports.files:
        st.dataframe(imports.sources, hide_index=True, column_config=_SOURCE_COLUMNS, key="sources", placeholder="")
    else:
        st.info("No file was read yet. Type `ofc ingest PATH` in a terminal.", icon=":material/info:")
    _show_rejects(imports)


def _show_totals(imports: Imports) -> None:
    with st.container(horizontal=True):
        for name, meaning in OUTCOMES.items():
            st.metric(name, f"{imports.totals[name]:,}", help=meaning, border=True, width=148)


def _show_rejects(imports: Imports) -> None:
    st.subheader(f"Records that did not become hands ({imports.lost:,})")
    if not imports.lost:
        st.success("None: every record became a hand or was known already.", icon=":material/check:")
        return
    shown = imports.rejects
    if len(shown) < imports.lost:
        st.caption(f"The first {len(shown):,}; `ofc rejects` lists and exports all.")
    choice = st.dataframe(
        shown,
        hide_index=True,
        column_config=_REJECT_COLUMNS,
        column_order=list(_REJECT_COLUMNS),
        key="rejects",
        on_select="rerun",
        selection_mode="single-row",
    )
    if not choice.selection.rows:
        st.caption("Choose a row to see the text as it stands in the file.")
        return
    [row] = shown[choice.selection.rows[0]].iter_rows(named=True)
    st.markdown(f"**{markdown(row['source'])}**, from byte {row['position']:,}: {markdown(row['message'])}")
    text = raw_text(row["raw"])
    if text:
        st.code(text, language=None, wrap_lines=True, height=300)
    else:
        st.caption("The text was not kept: the import was anonymised.")

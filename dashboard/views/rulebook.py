"""Rule book: what each rule set does, generated from the rule files, and what differs between two."""

from __future__ import annotations

import streamlit as st

from analysis.examples import example
from dashboard.cached import rule_files
from dashboard.elements import show_boards
from dashboard.escape import markdown
from ingest.game.rulebook import BookTable, book_page, change_words, differences
from ingest.game.rules import RuleSet


def show() -> None:
    """Draw the page."""
    st.title("Rule book")
    book, broken = rule_files()
    names = list(book)
    left, right = st.columns(2)
    name = left.selectbox("Rule set", names, index=names.index("pineapple"), key="rule_set", bind="query-params")
    other = right.selectbox(
        "Compare with", names, index=None, placeholder="another rule set", key="compare_with", bind="query-params"
    )
    for path, sentence in broken.items():
        st.warning(f"A rule file of yours is not valid and is left out: {markdown(path)}: {markdown(sentence)}")
    if other is not None and other != name:
        _show_differences(book[name], book[other])
    _show_rules(book[name])


def _show_differences(a: RuleSet, b: RuleSet) -> None:
    st.subheader(f"What differs between {markdown(a.name)} and {markdown(b.name)}")
    changes = differences(a, b)
    if not changes:
        st.write("Nothing: they score alike.")
        return
    rows = [
        {
            "key": f"`{key}`",
            markdown(a.name): _cell(change_words(left)),
            markdown(b.name): _cell(change_words(right)),
        }
        for key, left, right in changes
    ]
    st.table(rows, border="horizontal", hide_index=True)


def _cell(text: str) -> str:
    """Several lines as one cell."""
    return "; ".join(markdown(line) for line in text.splitlines())


def _show_rules(rules: RuleSet) -> None:
    page = book_page(rules)
    st.subheader(markdown(page.title))
    rows = [{"": f"**{markdown(topic)}**", " ": markdown(sentence)} for topic, sentence in page.sentences]
    st.table(rows, border="horizontal", hide_index=True, hide_header=True, width="content")
    with st.container(horizontal=True, gap="large"):
        for table in page.tables:
            with st.container(width="content"):
                _show_table(table)
    st.subheader("The same three boards under this rule set")
    st.caption("One deal, scored by these rules: pick another rule set and see what changes.")
    show_boards(example(rules))


def _show_table(table: BookTable) -> None:
    st.markdown(f"**{markdown(table.title)}**")
    rows = [{head: markdown(cell) for head, cell in zip(table.head, row, strict=True)} for row in table.rows]
    st.table(rows, border="horizontal", hide_index=True, width="content")

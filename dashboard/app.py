"""The dashboard's entry for Streamlit: finds the newest snapshot, draws the filters, and hands over to a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from dashboard.cached import Snapshot, newest
from dashboard.escape import markdown
from dashboard.sidebar import choose_filters
from dashboard.views import VIEWS, rulebook, welcome
from ingest.game.errors import OFCError
from ingest.places import database_path
from ingest.snapshots import NoDatabase

_ICON, _LOGO = (str(Path(__file__).parent / name) for name in ("icon.svg", "logo.svg"))


def main() -> None:
    """Draw the page that the address asks for."""
    # The icon before the pages are known: otherwise the browser asks a server of Google's for the icon of the page.
    st.set_page_config(page_icon=_ICON, layout="wide")
    st.logo(_LOGO, size="large", icon_image=_ICON)
    book = st.Page(rulebook.show, title="Rule book", icon=":material/menu_book:", url_path="rulebook")
    page = st.navigation([*_data_pages(), book], position="top")
    st.set_page_config(page_title=f"{page.title} - ofclab")
    page.run()


def _data_pages() -> list[st.Page]:
    """The pages about the database, or the one that says why there are none."""
    place = database_path()
    try:
        snapshot = newest(place)
    except NoDatabase:
        return [_start_page(lambda: welcome.show_missing(place))]
    except OFCError as error:
        sentence = str(error)
        return [_start_page(lambda: welcome.show_unreadable(sentence))]
    filters = choose_filters(snapshot)
    with st.sidebar:
        _tell_of_newer(place, snapshot)

    def page(number: int) -> st.Page:
        view = VIEWS[number]

        def show() -> None:
            try:
                view.show(snapshot, filters)
            except OFCError as error:
                st.error(markdown(error), icon=":material/error:")

        return st.Page(
            show,
            title=view.title,
            icon=view.icon,
            url_path=view.path,
            default=number == 0,
        )

    return [page(number) for number in range(len(VIEWS))]


@st.fragment(run_every=10)
def _tell_of_newer(place: Path, shown: Snapshot) -> None:
    """Offer the hands that were read while the page was open; it does not change under its reader's eyes."""
    try:
        newer = newest(place).key != shown.key
    except OFCError:
        return
    if newer and st.button("Newer hands are there: show them", icon=":material/refresh:", type="primary"):
        st.rerun()


def _start_page(show: Callable[[], None]) -> st.Page:
    return st.Page(show, title="Start", icon=":material/flag:", url_path="start", default=True)


main()

"""The README's table of formats is the registry's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ingest.formats import FORMATS, find_format, parser_name
from ingest.formats.support import TRIED, support_table
from ingest.game.errors import OFCError

README = Path(__file__).parents[1] / "README.md"


def test_the_readme_shows_the_registry() -> None:
    shown = re.search(r"<!-- formats:begin -->\n(.*)<!-- formats:end -->", README.read_text("utf-8"), re.DOTALL)
    assert shown is not None
    assert shown[1].strip() == support_table()


def test_every_format_has_a_row_and_a_name_of_its_own() -> None:
    names = [form.NAME for form in FORMATS]
    assert len(set(names)) == len(names)
    assert set(TRIED) == set(names)
    for form in FORMATS:
        assert find_format(form.NAME) is form
        assert parser_name(form) == f"{form.NAME}/{form.VERSION}"


def test_an_unknown_format_is_answered_with_the_known_ones() -> None:
    with pytest.raises(OFCError, match="got 'pokerstars'; known: ofc-hh, collector"):
        find_format("pokerstars")

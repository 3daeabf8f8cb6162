"""Counts in words."""

from __future__ import annotations

import pytest

from analysis.wording import counted


@pytest.mark.parametrize(
    ("number", "things", "words"),
    [
        (1, "hands", "1 hand"),
        (0, "hands", "0 hands"),
        (2400, "hands", "2,400 hands"),
        (1, "legal boards", "1 legal board"),
        (1, "Fantasyland hands of 14 cards", "1 Fantasyland hand of 14 cards"),
        (1, "normal hands against Fantasyland", "1 normal hand against Fantasyland"),
        (1, "opponents compared with", "1 opponent compared with"),
        (1, "seconds of play", "1 second of play"),
    ],
)
def test_one_thing_is_not_several(number: int, things: str, words: str) -> None:
    assert counted(number, things) == words

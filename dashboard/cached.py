"""What pages ask for, remembered: the two caches of the dashboard, both keyed by the snapshot and the filters.

A snapshot never changes and its file name is never used twice, so nothing kept here can be stale, and no frame is
ever hashed. Connections and loaded hands are shared, never written to; every query gets a cursor of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from analysis.compare import Comparison, compare
from analysis.filters import Filters
from analysis.scored import Scored, score_as_played, score_under
from analysis.tables import Choices, Hands, choices, load_hands, rule_sets
from ingest.game.errors import RuleError
from ingest.game.rules import RuleSet, builtin_rules, load_rules, user_rules
from ingest.places import rule_folders
from ingest.snapshots import newest_snapshot, open_snapshot

if TYPE_CHECKING:
    import duckdb

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Snapshot:
    """An open snapshot: its key for caches, and the connection to take cursors from."""

    key: str
    connection: duckdb.DuckDBPyConnection


def newest(database: Path) -> Snapshot:
    """The newest snapshot of a database, opened once for all pages and visitors. Raises NoDatabase, WrongSchema."""
    return _open(database, str(newest_snapshot(database).path))


@st.cache_resource(max_entries=2, show_spinner=False)
def _open(database: Path, key: str) -> Snapshot:
    connection, snapshot = open_snapshot(database)
    return Snapshot(str(snapshot.path), connection)


def hands(snapshot: Snapshot, filters: Filters) -> Hands:
    """The hands that the filters choose, not to be written to."""
    found: Hands = _resource(snapshot.key, "hands", (filters,), lambda: load_hands(snapshot.connection, filters))
    return found


def as_played(snapshot: Snapshot, filters: Filters) -> Scored:
    """The hands that the filters choose, each scored by the rules that it was played by."""
    found: Scored = _resource(snapshot.key, "as played", (filters,), lambda: score_as_played(hands(snapshot, filters)))
    return found


def in_book(*rule_sets: RuleSet) -> bool:
    """Whether the command line knows all of these by name, as it does none that were changed or pay as others do."""
    book, _ = rule_files()
    return all(book.get(rules.name) == rules for rules in rule_sets)


def known_rules(snapshot: Snapshot) -> dict[str, RuleSet]:
    """Rule sets that hands can be scored under, by name: the rule book's, and those that hands were played by."""
    book, _ = rule_files()
    played = answer(snapshot, "rule sets", (), lambda: rule_sets(snapshot.connection))
    return {**book, **{rules.name: rules for rules in played.values() if rules.name not in book}}


def under(snapshot: Snapshot, filters: Filters, rules: RuleSet) -> Scored:
    """The hands that the filters choose and that were built for the game of `rules`, scored by them."""
    key = (filters, rules.key)
    found: Scored = _resource(snapshot.key, "under", key, lambda: score_under(hands(snapshot, filters), rules))
    return found


def comparison(
    snapshot: Snapshot, filters: Filters, chosen: Sequence[RuleSet], baseline: RuleSet, *, another_game: bool = False
) -> Comparison:
    """Rule sets against a baseline, on the hands that the filters choose."""
    key = (filters, tuple(rules.key for rules in chosen), baseline.key, another_game)
    return answer(
        snapshot,
        "comparison",
        key,
        lambda: compare(hands(snapshot, filters), chosen, baseline, another_game=another_game),
    )


def filter_choices(snapshot: Snapshot) -> Choices:
    """What the filters can be set to."""
    return answer(snapshot, "choices", (), lambda: choices(snapshot.connection))


def answer(snapshot: Snapshot, name: str, key: tuple[Any, ...], compute: Callable[[], Answer]) -> Answer:
    """What `compute` gives, remembered under the snapshot, a name and a key of plain values such as filters."""
    found: Answer = _answer(snapshot.key, name, key, compute)
    return found


@st.cache_data(max_entries=400, show_spinner="Working it out ...")
def _answer(snapshot: str, name: str, key: tuple[Any, ...], _compute: Callable[[], Any]) -> Any:
    return _compute()


@st.cache_resource(max_entries=8, show_spinner="Reading hands ...")
def _resource(snapshot: str, name: str, key: tuple[Any, ...], _compute: Callable[[], Any]) -> Any:
    return _compute()


def rule_files() -> tuple[dict[str, RuleSet], dict[str, str]]:
    """All rule sets by name, built-in ones and the user's own, and the user's files that are not valid, with why."""
    folders = rule_folders()
    book, broken = dict(builtin_rules()), {}
    for name, path in user_rules(folders).items():
        try:
            book[name] = load_rules(path, folders)
        except RuleError as error:
            broken[path.name] = str(error)
    return book, broken

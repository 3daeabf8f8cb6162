"""The same logs in any order, any number of times, in one run or in many, give the same tables."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.rescore import fill_scores
from ingest.game.rules import find_rules
from ingest.store import Store
from tests.logs import DEAD, ROWS, collector_text, load, player, record, tables

# Views of a few hands: whole and partial, from two heroes, with other claims and other cards, good and bad.
_OTHER_CARDS = ROWS[0].replace("5s4", "5c4")


def _view(number: int, kind: str) -> dict[str, Any]:
    first, second = player(0), player(1)
    if kind in ("first hero", "second hero"):
        mine = kind == "second hero"
        first |= {"hero": not mine, "dead": "" if mine else DEAD[0]}
        second |= {"hero": mine, "dead": DEAD[1] if mine else ""}
    elif kind == "other cards":
        first |= {"rows": _OTHER_CARDS}
    elif kind == "other points":
        first, second = first | {"result": 8}, second | {"result": -8}
    elif kind == "bad":
        first |= {"rows": ROWS[1]}
    elif kind == "no money":
        for each in (first, second):
            del each["win"], each["result"]
    time = {"later": {"endDateTime": "2026-01-02 23:59:00"}, "no rules": {"rules": "?"}}.get(kind, {})
    return record(number, [first, second], **time)


KINDS = (
    "plain", "first hero", "second hero", "other cards", "other points", "bad", "no money", "later", "no rules",
)  # fmt: skip
RECORDS = st.tuples(st.integers(0, 2), st.sampled_from(KINDS))
FILES = st.lists(st.lists(RECORDS, min_size=1, max_size=4), min_size=1, max_size=5)


def _tables(files: list[bytes], runs: list[list[int]], *, rescore: bool = False) -> dict[str, list[Any]]:
    """The tables after reading files in some runs; with `rescore` every hand is scored by two rule sets after each."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, data in enumerate(files):
            path = Path(folder) / "logs" / f"{number}.hh"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
            paths.append(path)
        database = Path(folder) / "ofc.duckdb"
        for run in runs:
            load(database, *[paths[number] for number in run])
            if rescore:
                with Store(database) as store:
                    fill_scores(store, [find_rules("classic"), find_rules("pineapple-ultimate")])
        return tables(database)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(FILES, st.data())
def test_order_repetition_and_runs_do_not_matter(told: list[list[tuple[int, str]]], data: st.DataObject) -> None:
    files = [collector_text([_view(*view) for view in records]) for records in told]
    numbers = list(range(len(files)))
    wanted = _tables(files, [numbers])
    order = data.draw(st.permutations(numbers))
    cut = data.draw(st.integers(0, len(order)))
    again = data.draw(st.lists(st.sampled_from(numbers), max_size=2))
    runs = [run for run in (order[:cut], again, order[cut:], again) if run]
    assert _tables(files, runs) == wanted


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(FILES, st.data())
def test_scores_kept_over_merges_are_those_that_would_be_made_anew(
    told: list[list[tuple[int, str]]], data: st.DataObject
) -> None:
    files = [collector_text([_view(*view) for view in records]) for records in told]
    cut = data.draw(st.integers(0, len(files)))
    numbers = list(range(len(files)))
    rescored = [run for run in (numbers[:cut], numbers[cut:]) if run]
    assert _tables(files, rescored, rescore=True) == _tables(files, [numbers], rescore=True)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(RECORDS, min_size=2, max_size=5), st.data())
def test_a_file_that_grew_gives_what_it_would_have_given_at_once(
    told: list[tuple[int, str]], data: st.DataObject
) -> None:
    text = collector_text([_view(*view) for view in told])
    cuts = sorted(data.draw(st.lists(st.integers(1, len(text) - 1), max_size=3, unique=True)))
    wanted = _tables([text], [[0]])
    with tempfile.TemporaryDirectory() as folder:
        log, database = Path(folder) / "a.hh", Path(folder) / "ofc.duckdb"
        for cut in [*cuts, len(text)]:
            log.write_bytes(text[:cut])
            load(database, log)
        assert tables(database) == wanted

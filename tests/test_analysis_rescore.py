"""Filling the table of scores: once per hand and rule set, and the same numbers as figures on the fly."""

from __future__ import annotations

from pathlib import Path

from analysis.rescore import fill_scores
from analysis.scored import score_under
from analysis.tables import load_hands
from ingest.game.rules import builtin_rules, with_changes
from ingest.schema import CHECKS, run_checks
from ingest.scoring import rules_key
from ingest.store import Store
from tests.made_hands import made_database

RULES = builtin_rules()


def filled(path: Path) -> Store:
    store = Store(path)
    made_database(200, 3, 10, "pineapple", con=store.connection)
    return store


def test_a_hand_is_scored_once_under_an_unchanged_rule_set(tmp_path: Path) -> None:
    changed = with_changes(RULES["pineapple"], {"points.scoop": 0})
    with filled(tmp_path / "made.duckdb") as store:
        first = fill_scores(store, [RULES["pineapple"], RULES["classic"]])
        assert [(r.scored, r.already, r.another_game) for r in first] == [(200, 0, 0), (200, 0, 200)]
        again = fill_scores(store, [RULES["pineapple"], changed])
        assert [(r.scored, r.already) for r in again] == [(0, 200), (200, 0)]
        store.connection.execute("DELETE FROM scores WHERE hand_key IN (SELECT hand_key FROM hands LIMIT 5)")
        assert [(r.scored, r.already) for r in fill_scores(store, [changed])] == [(5, 195)]
        broken = {name: count for name, count in run_checks(store.connection).items() if count}
        assert set(broken) <= {"hands_have_a_source"}, f"of {len(CHECKS)} checks"


def test_stored_scores_are_those_of_figures(tmp_path: Path) -> None:
    with filled(tmp_path / "made.duckdb") as store:
        fill_scores(store, [RULES["pineapple-2-7"]])
        stored = store.frame(
            "SELECT sum(points * points) AS squares, sum(value_back) AS backs, count(*) FILTER (fouled) AS fouled, "
            f"count(*) FILTER (fantasyland_next <> 0) AS nexts FROM scores "
            f"WHERE rules_key = {rules_key(RULES['pineapple-2-7'])}"
        ).row(0)
        frame = score_under(load_hands(store.connection), RULES["pineapple-2-7"], another_game=True).frame
    shown = (
        (frame["points"].cast(int) ** 2).sum(),
        frame["value_back"].sum(),
        frame["fouled"].sum(),
        (frame["fantasyland_next"] != 0).sum(),
    )
    assert shown == stored

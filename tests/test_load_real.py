"""Real logs of club apps, where a folder of them is at hand: what the apps wrote and what we compute agree."""

from __future__ import annotations

import os

import duckdb
import pytest

from ingest.formats.options import ReadOptions
from ingest.game.rules import find_rules
from ingest.load import Loader
from ingest.outcome import total
from ingest.schema import run_checks
from ingest.snapshots import open_snapshot
from ingest.store import Store

FOLDER = os.environ.get("OFC_REAL_LOGS")

pytestmark = pytest.mark.skipif(not FOLDER, reason="OFC_REAL_LOGS names no folder of collector logs")


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    path = tmp_path_factory.mktemp("real") / "ofc.duckdb"
    with Store(path) as store:
        outcome = total(Loader(store, ReadOptions()).load([str(FOLDER)]))
        store.publish()
    assert (outcome.stored, outcome.duplicate, outcome.rejected, outcome.partial) == (217, 1, 0, 0)
    assert outcome.mismatched == 0
    connection, _ = open_snapshot(path)
    return connection


def test_every_check_holds(loaded: duckdb.DuckDBPyConnection) -> None:
    assert {name: count for name, count in run_checks(loaded).items() if count} == {}


def test_boards_that_were_never_filled(loaded: duckdb.DuckDBPyConnection) -> None:
    rows = loaded.execute(
        "SELECT site, status, count(DISTINCT hand_key) FROM hands JOIN seats USING (hand_key) WHERE NOT complete "
        "GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    assert rows == [("pppoker", "cancelled", 1), ("spartan", "complete", 2), ("upoker", "cancelled", 1)]


def test_points_agree_with_every_stated_result(loaded: duckdb.DuckDBPyConnection) -> None:
    rows = loaded.execute(
        "SELECT count(DISTINCT hand_key), count(*) FILTER (points <> claimed_points) "
        "FROM seats JOIN hands USING (hand_key) "
        "WHERE scored AND claimed_points IS NOT NULL AND site IN ('pppoker', 'upoker')"
    ).fetchall()
    # 98 records state a result; two of them share an id and tell different hands, of which one is preferred.
    assert rows == [(97, 0)]


def test_the_record_that_was_not_preferred_agrees_too(loaded: duckdb.DuckDBPyConnection) -> None:
    from ingest.batch import batch_of
    from ingest.evaluate import evaluate, with_deals
    from ingest.formats.ofc_hh import parse_hand

    records = [parse_hand(text) for (text,) in loaded.execute("SELECT record FROM views").fetchall()]
    assert len(records) == 2
    batch = with_deals(batch_of(records))
    seats = evaluate(batch, batch.hands["hand_no"].to_numpy().astype("int64") * [1, 2]).seats
    assert (seats["points"] == seats["claimed_points"]).all()


def test_spartan_pays_points_times_stake_unless_capped(loaded: duckdb.DuckDBPyConnection) -> None:
    rows = loaded.execute(
        """
        SELECT equal, capped, count(*) FROM (
            SELECT hand_key, bool_and(net = points * point_value) AS equal,
                any_value(list_contains(flags, 'capped')) AS capped
            FROM hands JOIN seats USING (hand_key) WHERE site = 'spartan' GROUP BY hand_key HAVING bool_and(complete)
        ) GROUP BY ALL ORDER BY ALL
        """
    ).fetchall()
    assert rows == [(False, True, 11), (True, False, 81)]


def test_rules_as_the_apps_play_them(loaded: duckdb.DuckDBPyConnection) -> None:
    names = {name for (name,) in loaded.execute("SELECT DISTINCT rules FROM hands").fetchall()}
    assert names == {"pineapple-ultimate", "pineapple-refant-14"}
    assert all(find_rules(name) for name in names)
    [(hands, entered)] = loaded.execute(
        "SELECT count(*), count(*) FILTER (fantasyland_next > 0) FROM seats WHERE points IS NOT NULL"
    ).fetchall()
    assert 0 < entered < hands

"""The main job: `ofc demo` from nothing, and once more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from ingest.game.rules import BUILTIN_NAMES
from ingest.snapshots import open_snapshot


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "demo.duckdb"


def counts(path: Path) -> dict[str, int]:
    connection, _ = open_snapshot(path)
    tables = [name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
    with connection:
        return {
            table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in tables
            if table != "meta"
        }


def test_the_main_job_and_once_more(ofc: Callable, database: Path) -> None:
    first = ofc("demo", "--db", database)
    assert first.code == 0
    for name in BUILTIN_NAMES:
        assert f"\n{name} " in first.out
    assert f"ofc dashboard --db {database}" in first.out
    before = counts(database)
    assert before["rejects"] >= 1
    assert before["hands"] >= 300
    second = ofc("demo", "--db", database)
    assert second.code == 0
    assert "0 scores made" in second.err
    assert counts(database) == before


def test_the_samples_show_what_happens_in_logs(ofc: Callable, database: Path) -> None:
    assert ofc("demo", "--db", database).code == 0
    connection, _ = open_snapshot(database)

    def count(query: str) -> int:
        found: int = connection.execute(f"SELECT count(*) FROM {query}").fetchone()[0]
        return found

    assert count("sessions") >= 10
    assert count("(SELECT DISTINCT player FROM seats)") >= 6
    assert count("seats WHERE in_fantasyland") >= 10
    assert count("seats WHERE fouled") >= 20
    assert count("hands WHERE list_contains(flags, 'capped')") >= 1
    assert isinstance(connection, duckdb.DuckDBPyConnection)

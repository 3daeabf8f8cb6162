"""The store: one writer, all or nothing, snapshots under names that are used once."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from ingest.enter import enter
from ingest.formats.options import ReadOptions
from ingest.game.errors import OFCError
from ingest.game.rules import find_rules
from ingest.lock import DatabaseBusy
from ingest.runs import Run
from ingest.schema import CHECKS, SCHEMA_VERSION, TABLES, run_checks
from ingest.scoring import rules_key
from ingest.simulate import into
from ingest.simulate.run import simulate
from ingest.simulate.session import Plan
from ingest.snapshots import KEPT, NoDatabase, WrongSchema, newest_snapshot, open_snapshot, snapshots_folder
from ingest.store import Store
from tests.logs import ask, collector_text, load, record, tables

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "ofc.duckdb"


def publish(database: Path) -> int:
    with Store(database) as store:
        return store.publish().version


def test_a_new_database_is_empty_and_sound(database: Path) -> None:
    with Store(database) as store:
        assert set(run_checks(store.connection).values()) == {0}
        names = {name for (name,) in store.query("SELECT table_name FROM duckdb_tables()")}
    assert names == {table.name for table in TABLES}
    assert CHECKS[0].name == "points_sum_to_zero"


def test_every_column_says_what_it_means_and_what_null_means(database: Path) -> None:
    with Store(database) as store:
        columns = store.query("SELECT table_name, column_name, is_nullable FROM duckdb_columns() WHERE NOT internal")
    nullable = {(table, column) for table, column, null in columns if null}
    stated = {(table.name, column.name) for table in TABLES for column in table.columns if column.null}
    assert {each for each in nullable if each[0] in {table.name for table in TABLES}} == stated
    assert all(column.meaning for table in TABLES for column in table.columns)


def test_a_transaction_is_all_or_nothing(database: Path) -> None:
    with Store(database) as store:
        with pytest.raises(duckdb.Error), store.transaction():
            store.connection.execute("INSERT INTO meta VALUES ('half', 'written'); SELECT * FROM nowhere")
        assert store.fact("half") is None


def test_a_query_that_is_interrupted_is_an_interruption_and_leaves_nothing(database: Path) -> None:
    with Store(database) as store:
        with pytest.raises(KeyboardInterrupt):
            _write_half(store, RuntimeError("Query interrupted"))  # how DuckDB tells of Ctrl-C
        assert store.fact("half") is None
        with pytest.raises(RuntimeError, match="anything else"):
            _write_half(store, RuntimeError("anything else"))


def _write_half(store: Store, error: Exception) -> None:
    with store.transaction():
        store.set_fact("half", "written")
        raise error


def test_hands_whose_writing_is_interrupted_are_kept(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def interrupted_once(store: Store, entry: Any) -> Any:
        calls.append(1)
        if len(calls) == 1:
            raise RuntimeError("Query interrupted")
        return enter(store, entry)

    monkeypatch.setattr(into, "enter", interrupted_once)
    plan = Plan(find_rules("classic"), ("random", "random"), 20, 1, 10, ())
    with Store(database) as store:
        with pytest.raises(KeyboardInterrupt):
            into.store_hands(store, plan, simulate(plan))
        assert store.query("SELECT count(*) FROM hands") == [(20,)]


def test_a_snapshot_is_a_whole_database_that_nobody_holds(database: Path) -> None:
    with Store(database) as store:
        with store.transaction():
            store.set_fact("a", "1")
        first = store.publish()
    connection, snapshot = open_snapshot(database)
    assert snapshot == first
    # The reader holds the snapshot, and the writer writes on.
    with Store(database) as store:
        with store.transaction():
            store.set_fact("a", "2")
        second = store.publish()
    assert connection.execute("SELECT value FROM meta WHERE name = 'a'").fetchall() == [("1",)]
    assert newest_snapshot(database) == second
    assert second.version == first.version + 1


def test_what_a_stopped_run_has_written_is_published_by_the_next(tmp_path: Path, database: Path) -> None:
    log = tmp_path / "a.hh"
    log.write_bytes(collector_text([record(0)]))
    publish(database)
    # Stopped after its last transaction, before it could publish.
    load(database, log)
    run = Run(database, ReadOptions())
    run.load([str(log)])
    connection, snapshot = open_snapshot(database)
    with connection:
        assert connection.execute("SELECT count(*) FROM hands").fetchall() == [(1,)]
    # Then there is nothing more to publish.
    run.load([str(log)])
    assert newest_snapshot(database) == snapshot


def test_old_snapshots_go_and_no_name_comes_twice(database: Path) -> None:
    versions = [publish(database) for _ in range(KEPT + 2)]
    assert versions == list(range(1, KEPT + 3))
    folder = snapshots_folder(database)
    assert len(list(folder.glob("*.duckdb"))) == KEPT
    # Not even if somebody clears the folder, or the database is made anew beside it.
    for path in folder.iterdir():
        path.unlink()
    assert publish(database) == KEPT + 3
    database.unlink()
    assert publish(database) == KEPT + 4


def test_an_unfinished_snapshot_is_never_seen(database: Path) -> None:
    publish(database)
    folder = snapshots_folder(database)
    (folder / "ofc-000009.part").write_bytes(b"half of one")
    (folder / "current.part").write_text("{")
    assert newest_snapshot(database).version == 1
    publish(database)
    assert not list(folder.glob("*.part"))
    assert json.loads((folder / "current.json").read_text())["file"] == "ofc-000002.duckdb"


@pytest.mark.parametrize("damage", ["no folder", "no current.json", "half a current.json", "no file"])
def test_no_database_is_one_sentence(database: Path, damage: str) -> None:
    if damage != "no folder":
        publish(database)
        current = snapshots_folder(database) / "current.json"
        if damage == "no current.json":
            current.unlink()
        elif damage == "half a current.json":
            current.write_text(current.read_text()[:20])
        else:
            newest_snapshot(database).path.unlink()
    with pytest.raises(NoDatabase, match=r"expected .* found none|cannot be opened"):
        open_snapshot(database)


@contextmanager
def another_program(opening: str, database: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that opens the database and keeps it open until it is killed."""
    code = f"import sys, time\nfrom pathlib import Path\n{opening}\nprint('open', flush=True)\ntime.sleep(300)\n"
    process = subprocess.Popen([sys.executable, "-c", code, str(database)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def test_two_writers_one_waits_and_a_killed_one_leaves_no_lock(database: Path) -> None:
    opening = "from ingest.store import Store\nstore = Store(Path(sys.argv[1])).__enter__()"
    with another_program(opening, database) as process:
        with pytest.raises(DatabaseBusy, match=rf"database busy: process {process.pid} is writing") as busy:
            Store(database)
        assert busy.value.exit_code == 4
    with Store(database) as store:
        assert store.fact("schema_version") == str(SCHEMA_VERSION)


def test_a_program_that_reads_the_work_database_is_named(database: Path) -> None:
    publish(database)
    opening = "import duckdb\nconnection = duckdb.connect(sys.argv[1])"
    with another_program(opening, database) as process, pytest.raises(DatabaseBusy, match=str(process.pid)):
        Store(database)


@pytest.mark.parametrize(("version", "age"), [(SCHEMA_VERSION + 1, "newer"), (SCHEMA_VERSION - 1, "older")])
def test_another_schema_is_refused(database: Path, version: int, age: str) -> None:
    with Store(database) as store:
        with store.transaction():
            store.set_fact("schema_version", str(version))
        store.publish()
    for opened in (Store, open_snapshot):
        with pytest.raises(WrongSchema, match=f"schema {version} of an?[ a]*{age}") as error:
            opened(database)
        assert error.value.exit_code == 5


def test_other_files_are_refused(tmp_path: Path) -> None:
    text, other = tmp_path / "notes.duckdb", tmp_path / "other.duckdb"
    text.write_text("no database at all " * 500)
    with duckdb.connect(str(other)) as connection:
        connection.execute("CREATE TABLE t (a INTEGER)")
    with pytest.raises(OFCError, match="expected a DuckDB database"):
        Store(text)
    with pytest.raises(WrongSchema, match="another one"):
        Store(other)
    assert ask(other, "SELECT count(*) FROM duckdb_tables()") == [(1,)]


def test_a_run_killed_at_its_very_start_leaves_a_database_that_works(database: Path) -> None:
    database.parent.mkdir()
    duckdb.connect(str(database)).close()
    assert publish(database) == 1


def test_a_dry_run_leaves_nothing(tmp_path: Path, database: Path) -> None:
    log = tmp_path / "a.hh"
    log.write_bytes(collector_text([record(n) for n in range(3)]))
    with Store(database, dry_run=True) as store, store.transaction():
        store.set_fact("a", "1")
    assert not database.parent.exists()
    load(database, log)
    before = tables(database)
    with Store(database, dry_run=True) as store, store.transaction():
        store.connection.execute("DELETE FROM hands")
    assert tables(database) == before


def test_scores_of_a_rule_set_are_replaced(tmp_path: Path, database: Path) -> None:
    log = tmp_path / "a.hh"
    log.write_bytes(collector_text([record(0)]))
    load(database, log)
    rules = find_rules("classic")
    with Store(database) as store:
        made = store.frame("SELECT * FROM scores").with_columns(rules_key=pl.lit(rules_key(rules)))
        for points in (made, made.with_columns(points=-pl.col("points"), row_front=-pl.col("row_front"))):
            with store.transaction():
                store.write_scores(rules, points)
        names = store.rule_sets()["name"].to_list()
        assert sorted(name.split(" with ")[0] for name in names) == ["classic", "pineapple-ultimate"]
        kept = store.query("SELECT points FROM scores WHERE rules_key = ? ORDER BY seat", [rules_key(rules)])
    assert kept == [(-9,), (9,)]

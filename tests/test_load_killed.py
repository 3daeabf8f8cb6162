"""Stopped by Ctrl-C, an ingest keeps what it has read; killed at any moment, it leaves a sound database, and the next
run makes it whole."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ingest import load as loading
from ingest.formats.options import ReadOptions
from ingest.interrupts import Interrupts
from ingest.load import Loader
from ingest.runs import Run
from ingest.schema import run_checks
from ingest.snapshots import NoDatabase, Snapshot, open_snapshot
from ingest.store import Store
from tests.bench.make_logs import make_logs
from tests.logs import ask, collector_text, load, record, tables

HANDS = 3_000
# Small transactions, so that kills fall between them as well as into them.
PROGRAM = "import ingest.load as load; load.FLUSH = 150; from dashboard.cli import main; main()"


# Ten hands at a time, and after each ten a word of it and a pause; all of them wait to be written at once.
SLOWLY = """
import sys, time
from ingest.formats import collector
collector.BATCH = 10
read = collector.read
def slowly(*arguments):
    for chunk in read(*arguments):
        yield chunk
        print("taken", len(chunk.raw), file=sys.stderr, flush=True)
        time.sleep(0.2)
collector.read = slowly
from dashboard.cli import main; main()
"""
# A transaction that never comes to its end.
FOR_EVER = """
import sys
import ingest.load as load
def for_ever(store, rows, **how):
    print("writing", file=sys.stderr, flush=True)
    store.query("SELECT count(*) FROM range(1000000000000)")
load.write_sources = for_ever
from dashboard.cli import main; main()
"""


@contextmanager
def ingesting(program: str, logs: Path, database: Path) -> Iterator[subprocess.Popen[str]]:
    """`ofc ingest` in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-c", program, "ingest", str(logs), "--db", str(database)],
        cwd=Path(__file__).parents[1],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_for(process: subprocess.Popen[str], line: str, times: int = 1) -> None:
    assert process.stderr is not None
    for _ in range(times):
        assert process.stderr.readline().strip() == line


def test_ctrl_c_keeps_what_was_read_and_the_next_run_goes_on_there(tmp_path: Path) -> None:
    log, database, whole = tmp_path / "a.hh", tmp_path / "ofc.duckdb", tmp_path / "whole.duckdb"
    log.write_bytes(collector_text([record(n, endDateTime="2026-01-02 03:04:05") for n in range(100)]))
    load(whole, log)
    with ingesting(SLOWLY, log, database) as process:
        wait_for(process, "taken 10", 3)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "interrupted; what was read is stored" in err
    stored = 10 * (3 + err.count("taken"))
    assert stored < 100
    connection, _ = open_snapshot(database)
    with connection:
        assert connection.execute("SELECT count(*), min(hands) FROM hands, sessions").fetchall() == [(stored, stored)]
        assert set(run_checks(connection).values()) == {0}
    [outcome] = load(database, log)
    assert outcome.stored == 100 - stored
    assert tables(database) == tables(whole)


def test_ctrl_c_when_all_is_read_lets_it_be_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, database = tmp_path / "a.hh", tmp_path / "ofc.duckdb"
    log.write_bytes(collector_text([record(0)]))
    publish = Store.publish

    def interrupted(store: Store) -> Snapshot:
        signal.raise_signal(signal.SIGINT)
        return publish(store)

    monkeypatch.setattr(Store, "publish", interrupted)
    run = Run(database, ReadOptions())
    [outcome] = run.load([str(log)])
    assert (outcome.stored, run.interrupted) == (1, True)
    connection, _ = open_snapshot(database)
    with connection:
        assert connection.execute("SELECT count(*) FROM hands").fetchall() == [(1,)]


def test_who_interrupts_while_it_writes_is_told_that_it_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, told = tmp_path / "a.hh", []
    log.write_bytes(collector_text([record(0)]))
    write = loading.write_sources

    def slowly(*arguments: Any, **how: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.5)
        write(*arguments, **how)

    monkeypatch.setattr(loading, "write_sources", slowly)
    with Interrupts() as interrupts, Store(tmp_path / "ofc.duckdb") as store:
        Loader(store, ReadOptions(), lambda at: told.append(at.stopping), interrupts=interrupts).load([str(log)])
        assert store.query("SELECT count(*) FROM hands") == [(1,)]
    assert told[-1] is True


def test_a_second_ctrl_c_stops_at_once_and_nothing_is_half_written(tmp_path: Path) -> None:
    log, database, whole = tmp_path / "a.hh", tmp_path / "ofc.duckdb", tmp_path / "whole.duckdb"
    log.write_bytes(collector_text([record(n) for n in range(10)]))
    load(whole, log)
    with ingesting(FOR_EVER, log, database) as process:
        wait_for(process, "writing")
        process.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert (process.returncode, "Traceback" in err) == (130, False)
    assert ask(database, "SELECT count(*) FROM hands") == [(0,)]
    load(database, log)
    assert tables(database) == tables(whole)


def test_what_ctrl_c_does_at_which_place() -> None:
    with Interrupts() as interrupts, pytest.raises(KeyboardInterrupt), interrupts.broken_off():
        signal.raise_signal(signal.SIGINT)
    with Interrupts() as interrupts:
        # Held back until something is reached that may be broken off; a second one is not.
        signal.raise_signal(signal.SIGINT)
        assert interrupts.count == 1
        with pytest.raises(KeyboardInterrupt):
            next(interrupts.each([1]))
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.full
def test_kills_at_random_moments(tmp_path: Path) -> None:
    logs, database, whole = tmp_path / "logs", tmp_path / "ofc.duckdb", tmp_path / "whole.duckdb"
    logs.mkdir()
    make_logs(logs, HANDS)
    load(whole, logs)
    rng = random.Random(5)
    killed = 0
    for _ in range(12):
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "ingest", str(logs), "--db", str(database)],
            cwd=Path(__file__).parents[1],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(rng.uniform(0.5, 5))
        killed += process.poll() is None
        process.kill()
        process.wait()
        try:
            connection, _ = open_snapshot(database)
        except NoDatabase:
            continue
        with connection:
            assert set(run_checks(connection).values()) == {0}
    load(database, logs)
    assert tables(database) == tables(whole)
    assert killed > 0

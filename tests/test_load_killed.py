"""Killed at any moment, an ingest leaves a sound database, and the next run makes it whole."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ingest.schema import run_checks
from ingest.snapshots import NoDatabase, open_snapshot
from tests.bench.make_logs import make_logs
from tests.logs import load, tables

HANDS = 3_000
# Small transactions, so that kills fall between them as well as into them.
PROGRAM = "import ingest.load as load; load.FLUSH = 150; from dashboard.cli import main; main()"


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

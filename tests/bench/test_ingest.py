"""How fast a large folder of collector logs goes in: ``pytest tests/bench/test_ingest.py -s``.

The whole way: files, JSON, replay, strengths, scores, claims, rows in the database. It must reach 20,000 hands a second
on two cores that are free, and take no longer than 30 times what the JSON library alone takes for the same bytes.
"""

from __future__ import annotations

import resource
import time
from pathlib import Path

import orjson

from ingest.formats.json_stream import split_objects
from ingest.formats.options import ReadOptions
from ingest.load import Loader
from ingest.outcome import total
from ingest.store import Store
from tests.bench.make_logs import make_logs

HANDS = 200_000
LEAST_PER_SECOND = 20_000
MOST_TIMES_JSON = 30
MOST_MEGABYTES = 1_500


def _json_seconds(folder: Path) -> float:
    """What the JSON library alone needs for every record of a folder."""
    seconds = 0.0
    for path in sorted(folder.iterdir()):
        pieces = [piece for _, piece in split_objects([path.read_bytes()], 0)]
        started = time.perf_counter()
        for piece in pieces:
            orjson.loads(piece)
        seconds += time.perf_counter() - started
    return seconds


def test_a_large_folder(tmp_path: Path) -> None:
    logs, warm = tmp_path / "logs", tmp_path / "warm"
    logs.mkdir()
    warm.mkdir()
    size = make_logs(logs, HANDS)
    make_logs(warm, 500, seed=2)
    with Store(tmp_path / "warm.duckdb") as store:
        Loader(store, ReadOptions()).load([str(warm)])
    alone = _json_seconds(logs)
    started = time.perf_counter()
    with Store(tmp_path / "ofc.duckdb") as store:
        outcome = total(Loader(store, ReadOptions()).load([str(logs)]))
        read = time.perf_counter() - started
        store.publish()
    published = time.perf_counter() - started
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"\n{HANDS:,} hands, {size / 1e6:,.0f} MB: {HANDS / read:,.0f} hands/s ({read:.1f} s; published after "
        f"{published:.1f} s), {read / alone:.1f} times the JSON library alone ({alone:.2f} s), {memory:,.0f} MB at most"
    )
    assert (outcome.stored, outcome.mismatched, outcome.rejected) == (HANDS, 0, 0)
    assert read / alone <= MOST_TIMES_JSON
    assert HANDS / read >= LEAST_PER_SECOND
    assert memory <= MOST_MEGABYTES

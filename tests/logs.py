"""Invented logs for the tests of what is read and stored: collector records, and databases as comparable tables."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import duckdb

from ingest.chunk import Entries
from ingest.formats import Format
from ingest.formats.options import ReadOptions
from ingest.hand import Hand, LedgerEntry
from ingest.load import Loader
from ingest.outcome import Outcome
from ingest.rejects import Reject
from ingest.schema import TABLES, run_checks
from ingest.store import Store
from ingest.text import LogText

# Two boards that agree with the points under them: 1 + 6 royalties of the back against 8 and 6.
ROWS = (
    "Kh1 Kd3 5s4/9c0 9h0 4d2 4s2 Jc4/Qs0 Qd0 7h0 Qh1 7c3",
    "As0 8c3 6d4/5h0 5d0 Tc1 2s3 Th4/Js0 Jd0 3c1 3d2 Jh2",
)
DEAD = ("2c1 8d2 Ts3 3h4", "2d1 9s2 Kc3 4h4")
POINTS = (9, -9)
NETS = (17.4, -18)


def player(number: int, **changes: Any) -> dict[str, Any]:
    """One player of a collector record."""
    return {
        "inFantasy": False,
        "result": POINTS[number],
        "playerName": f"pid100000{number}",
        "orderIndex": number,
        "hero": number == 1,
        "dead": DEAD[number],
        "rows": ROWS[number],
        "win": NETS[number],
        "playerId": changes.get("playerName", f"pid100000{number}"),
    } | changes


def record(number: int = 0, players: list[dict[str, Any]] | None = None, **changes: Any) -> dict[str, Any]:
    """A collector record; a change to None leaves the field out."""
    hand_id = changes.pop("hand_id", f"260102110405-20000001-{number:07d}-1")
    whole = {
        "stakes": 2,
        "handData": {hand_id: players or [player(0), player(1)]},
        "appName": "Ppp",
        "price": "1USD",
        "joined": True,
        "clubId": "900001",
        "rules": "progressive17_nojokers",
        "endDateTime": f"2026-01-02 03:{number:02d}:12",
        "roomId": "20000001",
    } | changes
    return {key: value for key, value in whole.items() if value is not None}


def collector_text(records: Iterable[dict[str, Any]]) -> bytes:
    """Records as a collector writes them."""
    return "".join(json.dumps(each, indent=4, ensure_ascii=False) + "\n\n\n" for each in records).encode()


def read(
    form: Format, data: bytes, name: str = "log", options: ReadOptions | None = None
) -> tuple[list[Hand], list[Reject]]:
    """What a format makes of a text: hands, and what did not become one."""
    rejects: list[Reject] = []
    hands: list[Hand] = []
    for chunk in form.read(LogText(io.BytesIO(data), name), rejects.append, options or ReadOptions()):
        assert not isinstance(chunk, Entries)
        batch, bad = chunk.columns()
        wrong = {place: Reject(0, reason, message, chunk.raw[place]) for place, reason, message in bad}
        rejects += wrong.values()
        hands += [hand for place, hand in enumerate(batch.to_hands()) if place not in wrong]
    return hands, rejects


def read_entries(
    form: Format, data: bytes, options: ReadOptions | None = None
) -> tuple[list[LedgerEntry], list[Reject]]:
    """What a ledger says, and what it says wrongly."""
    rejects: list[Reject] = []
    entries: list[LedgerEntry] = []
    for chunk in form.read(LogText(io.BytesIO(data), "ledger.csv"), rejects.append, options or ReadOptions()):
        assert isinstance(chunk, Entries)
        entries += chunk.entries
    return entries, rejects


def load(database: Path, *paths: Path | str, options: ReadOptions | None = None, **how: Any) -> list[Outcome]:
    """Read paths into a database, which must be sound afterwards."""
    with Store(database) as store:
        outcomes = Loader(store, options or ReadOptions(), **how).load([str(path) for path in paths])
        assert {name: count for name, count in run_checks(store.connection).items() if count} == {}
    return outcomes


def counts(outcome: Outcome) -> dict[str, int]:
    """The counts of an outcome that are not 0."""
    names = ("stored", "duplicate", "partial", "skipped", "rejected", "mismatched")
    return {name: getattr(outcome, name) for name in names if getattr(outcome, name)}


# When something was read, and from where: the only things that may differ between two ways of reading the same logs.
_NOT_COMPARED = {"meta": {"value"}, "sources": {"ingested_at", "name", "note"}}


def tables(database: Path) -> dict[str, list[Any]]:
    """Every table of a database as sorted rows, for comparison."""
    with duckdb.connect(str(database), read_only=True) as connection:
        return {
            table.name: sorted(
                connection.execute(
                    f"SELECT {', '.join(n for n in table.names if n not in _NOT_COMPARED.get(table.name, ()))} "
                    f"FROM {table.name}"
                ).fetchall(),
                key=repr,
            )
            for table in TABLES
        }


def ask(database: Path, sql: str) -> list[tuple[Any, ...]]:
    """The rows of a query."""
    with duckdb.connect(str(database), read_only=True) as connection:
        return connection.execute(sql).fetchall()

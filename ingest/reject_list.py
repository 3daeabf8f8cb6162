"""The records that did not become hands, out of the database again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import duckdb
import zstandard

from ingest.text import decode


@dataclass(frozen=True, slots=True)
class StoredReject:
    """One record that did not become a hand; `text` is empty where it was not kept."""

    name: str
    position: int
    outcome: str
    reason: str
    message: str
    text: str

    def record(self) -> dict[str, Any]:
        """The same as a JSON object."""
        return {name: getattr(self, name) for name in self.__slots__}


def stored_rejects(connection: duckdb.DuckDBPyConnection) -> list[StoredReject]:
    """All of them, by file and position."""
    rows = connection.execute(
        "SELECT name, position, outcome, reason, message, raw FROM rejects JOIN sources USING (source_key) "
        "ORDER BY name, position, reason"
    ).fetchall()
    return [
        StoredReject(name, position, outcome, reason, message, "" if raw is None else decode(zstandard.decompress(raw)))
        for name, position, outcome, reason, message, raw in rows
    ]

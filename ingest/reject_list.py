"""The records that did not become hands, and the files that hold none, out of the database again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import duckdb
import zstandard

from ingest.text import decode


@dataclass(frozen=True, slots=True)
class StoredReject:
    """One record that did not become a hand; `text` is empty where it was not kept.

    Or a whole file: `outcome` is ``unread``, `position` and `reason` are None.
    """

    name: str
    position: int | None
    outcome: str
    reason: str | None
    message: str
    text: str

    def record(self) -> dict[str, Any]:
        """The same as a JSON object."""
        return {name: getattr(self, name) for name in self.__slots__}


def stored_rejects(connection: duckdb.DuckDBPyConnection) -> list[StoredReject]:
    """All of them, by file and position; a file itself comes before its records."""
    rows = connection.execute(
        "SELECT name, position, outcome, reason, message, raw FROM rejects JOIN sources USING (source_key) "
        "UNION ALL SELECT name, NULL, 'unread', NULL, note, NULL FROM sources WHERE note IS NOT NULL "
        "ORDER BY name, position NULLS FIRST, reason"
    ).fetchall()
    return [
        StoredReject(name, position, outcome, reason, message, "" if raw is None else decode(zstandard.decompress(raw)))
        for name, position, outcome, reason, message, raw in rows
    ]

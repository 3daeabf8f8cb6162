"""What a user may tell a reader that the log itself does not say."""

from __future__ import annotations

from dataclasses import dataclass

from ingest.formats.mapping import TableMapping


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """`game`: the rule set that was played, for logs that do not say; `zone`: where times without a zone were taken.

    `mapping`: the user's description of a table; with it, every source is read as such a table.
    """

    game: str | None = None
    zone: str | None = None
    mapping: TableMapping | None = None

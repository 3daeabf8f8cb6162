"""What a user may tell a reader that the log itself does not say."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """`game`: name of a rule set, for logs that do not say what was played."""

    game: str | None = None

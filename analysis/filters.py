"""Which hands a figure is about: as a filter for SQL, and as a sentence for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Literal

Kind = Literal["all", "played", "simulated"]
# Simulated here, or simulated somewhere and read from a log that says so.
_SIMULATED = (
    "(site = 'simulated' OR hand_key IN "
    "(SELECT hand_key FROM hand_sources JOIN sources USING (source_key) WHERE format = 'simulated'))"
)


@dataclass(frozen=True, slots=True)
class Filters:
    """A choice of hands; an empty field leaves all in.

    `players` and `hero` also say whose results count: those of these players, of the players whose logs they are.
    `rules`: rule sets that were played. `tables`: players at the table. `since` and `until`: days in UTC, both
    included; hands of unknown time are then out. `kind`: really played, simulated, or both. `sessions`: by key.
    """

    sites: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    hero: bool = False
    rules: tuple[str, ...] = ()
    tables: tuple[int, ...] = ()
    since: date | None = None
    until: date | None = None
    kind: Kind = "all"
    sessions: tuple[int, ...] = ()

    @property
    def everybody(self) -> bool:
        """Whether the results of all seats count, so that points per hand are zero by construction."""
        return not self.players and not self.hero

    def sentence(self) -> str:
        """The filter as one sentence."""
        parts = ["Results of " + self._whose()]
        if self.sessions:
            parts.append("in one session" if len(self.sessions) == 1 else f"in {len(self.sessions)} sessions")
        if self.sites:
            parts.append("at " + _either(self.sites))
        if self.tables:
            parts.append(f"with {_either(self.tables)} players at the table")
        if self.rules:
            parts.append("played by " + _either(self.rules))
        if self.since and self.until:
            parts.append(f"from {self.since} to {self.until}")
        elif self.since:
            parts.append(f"from {self.since} on")
        elif self.until:
            parts.append(f"up to {self.until}")
        parts.append({"all": "", "played": "without simulated hands", "simulated": "simulated hands only"}[self.kind])
        return ", ".join(part for part in parts if part) + "."

    def _whose(self) -> str:
        if self.players:
            return _either(self.players, "and")
        return "the players whose logs these are" if self.hero else "everybody at the table"


ALL_HANDS = Filters()


def _either(values: Sequence[Any], last: str = "or") -> str:
    """``a, b or c``."""
    texts = [str(value) for value in values]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} {last} {texts[-1]}"


def where(filters: Filters) -> tuple[str, list[Any]]:
    """The condition over the table `hands` and its parameters."""
    conditions: list[str] = ["true"]
    params: list[Any] = []
    for column, values in (
        ("site", filters.sites),
        ("rules", filters.rules),
        ("players", filters.tables),
        ("session_key", filters.sessions),
    ):
        if values:
            conditions.append(f"list_contains(?, {column})")
            params.append(list(values))
    if filters.players or filters.hero:
        whose = ["true"]
        if filters.players:
            whose.append("list_contains(?, player)")
            params.append(list(filters.players))
        if filters.hero:
            whose.append("hero")
        conditions.append(f"hand_key IN (SELECT hand_key FROM seats WHERE {' AND '.join(whose)})")
    if filters.since:
        conditions.append("played_at >= ?")
        params.append(filters.since)
    if filters.until:
        conditions.append("played_at < ?")
        params.append(filters.until + timedelta(days=1))
    if filters.kind != "all":
        conditions.append(_SIMULATED if filters.kind == "simulated" else f"NOT {_SIMULATED}")
    return " AND ".join(conditions), params

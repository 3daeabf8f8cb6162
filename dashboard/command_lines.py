"""The command that prints what a page shows, so that every figure can be made again without the page."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence

from analysis.filters import Filters


def filter_options(filters: Filters) -> list[str]:
    """The filters as options of the commands of analysis."""
    options = ["--hero"] if filters.hero else []
    for name, values in (
        ("--player", filters.players),
        ("--site", filters.sites),
        ("--played", filters.rules),
        ("--players", filters.tables),
    ):
        options += [f"{name}={value}" for value in values]
    for name, day in (("--since", filters.since), ("--until", filters.until)):
        if day is not None:
            options.append(f"{name}={day}")
    if filters.kind != "all":
        options.append(f"--kind={filters.kind}")
    return options


def command_line(command: str, filters: Filters, options: Sequence[str] = ()) -> str:
    """``ofc COMMAND`` with these filters and options, quoted for a shell."""
    return shlex.join(["ofc", command, *filter_options(filters), *options, *place_option()])


def place_option() -> list[str]:
    """The option that names the database, where it is not the usual one: a reader's shell need not know OFC_DB."""
    chosen = os.environ.get("OFC_DB")
    return [f"--db={chosen}"] if chosen else []

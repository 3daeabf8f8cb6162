"""The options that the commands of analysis share, and what they mean."""

from __future__ import annotations

import functools
import inspect
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analysis.filters import Filters

if TYPE_CHECKING:
    import duckdb
    import polars as pl

    from analysis.tables import Hands
    from ingest.game.rules import RuleSet

Database = Annotated[
    Path | None, typer.Option("--db", metavar="FILE", help="The database (else OFC_DB, else data/ofc.duckdb).")
]
Names = Annotated[
    str | None, typer.Option("--rules", metavar="NAMES", help="Rule sets, by name or file, separated by commas.")
]
Every = Annotated[bool, typer.Option("--all", help="Every built-in rule set.")]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change a key of each rule set: points.scoop=0. May be repeated."),
]
AnotherGame = Annotated[
    bool, typer.Option("--another-game", help="Also hands whose boards were built for another game.")
]
Site = Annotated[list[str] | None, typer.Option(metavar="NAME", help="Only hands of this site. May be repeated.")]
Player = Annotated[list[str] | None, typer.Option(metavar="NAME", help="Results of this player. May be repeated.")]
Hero = Annotated[bool, typer.Option("--hero", help="Results of the players whose logs these are.")]
Played = Annotated[
    list[str] | None, typer.Option(metavar="NAME", help="Only hands played by this rule set. May be repeated.")
]
Players = Annotated[
    list[int] | None, typer.Option(metavar="N", help="Only tables of so many players. May be repeated.")
]
Since = Annotated[datetime | None, typer.Option(metavar="YYYY-MM-DD", formats=["%Y-%m-%d"], help="First day, UTC.")]
Until = Annotated[datetime | None, typer.Option(metavar="YYYY-MM-DD", formats=["%Y-%m-%d"], help="Last day, UTC.")]
Kind = Annotated[str, typer.Option(metavar="WHICH", help="all, played or simulated hands.")]
AsJson = Annotated[bool, typer.Option("--json", help="The answer as JSON on standard output.")]
Csv = Annotated[Path | None, typer.Option(metavar="FILE", help="The answer as CSV; - is standard output.")]
Parquet = Annotated[Path | None, typer.Option(metavar="FILE", help="The answer as a Parquet file.")]
Html = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A page for the browser, whole in itself, instead of tables.")
]
Seed = Annotated[int, typer.Option(metavar="N", help="Seed of everything that is drawn by chance.")]


def which_table(*names: str) -> Any:
    """The option --table of a command whose answer has these tables."""
    return typer.Option("--table", metavar="NAME", help=f"Which table --csv and --parquet write: {', '.join(names)}.")


def _make_filters(
    player: Player = None,
    hero: Hero = False,
    site: Site = None,
    played: Played = None,
    players: Players = None,
    since: Since = None,
    until: Until = None,
    kind: Kind = "all",
) -> Filters:
    """The filters that these options, which every command about hands has, describe."""
    from ingest.game.errors import OFCError

    if kind not in ("all", "played", "simulated"):
        raise OFCError(f"expected --kind all, played or simulated, got {kind!r}")
    return Filters(
        sites=tuple(site or ()),
        players=tuple(player or ()),
        hero=hero,
        rules=tuple(played or ()),
        tables=tuple(players or ()),
        since=since.date() if since else None,
        until=until.date() if until else None,
        kind=kind,  # type: ignore[arg-type]
    )


def takes_filters(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that choose hands in place of its parameter `filters`, which it gets made of them."""
    options = inspect.signature(_make_filters, eval_str=True).parameters
    signature = inspect.signature(command, eval_str=True)
    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        parameters += options.values() if parameter.name == "filters" else [parameter]

    @functools.wraps(command)
    def with_options(**given: Any) -> None:
        filters = _make_filters(**{name: given.pop(name) for name in options})
        command(filters=filters, **given)

    # What typer reads; each parameter brings its own annotation, and those of the command speak of `filters`.
    with_options.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    with_options.__annotations__ = {}
    return with_options


def chosen_rules(names: str | None, every: bool, changes: list[str] | None) -> list[RuleSet]:
    """The rule sets that the options name, changed as they say."""
    from ingest.game.rule_files import parse_change
    from ingest.game.rules import builtin_rules, find_rules, with_changes
    from ingest.places import rule_folders

    found = list(builtin_rules().values()) if every else []
    found += [find_rules(name.strip(), rule_folders()) for name in (names or "").split(",") if name.strip()]
    return [with_changes(rules, dict(map(parse_change, changes or []))) for rules in found]


@contextmanager
def snapshot(db: Path | None) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to the newest snapshot, read-only."""
    from ingest.places import database_path
    from ingest.snapshots import open_snapshot

    connection, _ = open_snapshot(database_path(db))
    with connection:
        yield connection


def chosen_hands(connection: duckdb.DuckDBPyConnection, filters: Filters) -> Hands:
    """The hands that the filters choose. Raises OFCError where there are none."""
    from analysis.tables import load_hands
    from ingest.game.errors import OFCError

    hands = load_hands(connection, filters)
    if not len(hands):
        raise OFCError(f"expected hands to look at, got none. {filters.sentence()}")
    return hands


def hands_of(db: Path | None, filters: Filters) -> Hands:
    """The hands that the filters choose in the newest snapshot. Raises OFCError where there are none."""
    with snapshot(db) as connection:
        return chosen_hands(connection, filters)


def command_line() -> str:
    """The command that was given, as it can be given again."""
    return shlex.join(["ofc", *sys.argv[1:]])


def table_of(tables: Mapping[str, pl.DataFrame | None], name: str | None) -> pl.DataFrame:
    """The table that `--table` names, the first by default. Raises OFCError with the known names."""
    from ingest.game.errors import OFCError, known

    there = {key: table for key, table in tables.items() if table is not None}
    if name is not None and name not in there:
        raise OFCError(f"expected --table to be one of {known(there)}, got {name!r}")
    return there[name] if name else next(iter(there.values()))

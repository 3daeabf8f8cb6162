"""The commands that answer: `ofc rescore`, `ofc report`, `ofc compare` and what goes with them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from analysis.filters import Filters
    from analysis.tables import Hands
    from ingest.game.rules import RuleSet

Database = Annotated[Path | None, typer.Option("--db", help="The database (else OFC_DB, else data/ofc.duckdb).")]
Names = Annotated[str | None, typer.Option("--rules", help="Rule sets, by name or file, separated by commas.")]
Every = Annotated[bool, typer.Option("--all", help="Every built-in rule set.")]
Changes = Annotated[
    list[str] | None, typer.Option("--set", help="Change a key of each rule set: points.scoop=0. May be repeated.")
]
AnotherGame = Annotated[
    bool, typer.Option("--another-game", help="Also hands whose boards were built for another game.")
]
Site = Annotated[list[str] | None, typer.Option(help="Only hands of this site. May be repeated.")]
Player = Annotated[list[str] | None, typer.Option(help="Results of this player. May be repeated.")]
Hero = Annotated[bool, typer.Option("--hero", help="Results of the players whose logs these are.")]
Played = Annotated[list[str] | None, typer.Option(help="Only hands played by this rule set. May be repeated.")]
Players = Annotated[list[int] | None, typer.Option(help="Only tables of so many players. May be repeated.")]
Since = Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help="First day, UTC.")]
Until = Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Last day, UTC.")]
Kind = Annotated[str, typer.Option(help="all, played or simulated hands.")]
AsJson = Annotated[bool, typer.Option("--json", help="The answer as JSON on standard output.")]
Csv = Annotated[Path | None, typer.Option(help="The answer as CSV; - is standard output.")]
Parquet = Annotated[Path | None, typer.Option(help="The answer as a Parquet file.")]
Seed = Annotated[int, typer.Option(help="Seed of everything that is drawn by chance.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the root."""
    app.command()(rescore)
    app.command()(report)
    app.command()(compare)


def _filters(
    site: list[str] | None,
    player: list[str] | None,
    hero: bool,
    played: list[str] | None,
    players: list[int] | None,
    since: datetime | None,
    until: datetime | None,
    kind: str,
) -> Filters:
    from analysis.filters import Filters
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


def chosen_rules(names: str | None, every: bool, changes: list[str] | None) -> list[RuleSet]:
    """The rule sets that the options name, changed as they say."""
    from ingest.game.rules import builtin_rules, find_rules, with_changes
    from ingest.places import rule_folders

    found = list(builtin_rules().values()) if every else []
    found += [find_rules(name.strip(), rule_folders()) for name in (names or "").split(",") if name.strip()]
    return [with_changes(rules, parsed_changes(changes or [])) for rules in found]


def parsed_changes(texts: list[str]) -> dict[str, Any]:
    """``points.scoop=0`` as a key and a value; a value is TOML where it can be, else text."""
    import tomllib

    from ingest.game.errors import RuleError

    changes: dict[str, Any] = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or not key.strip():
            raise RuleError(f"expected a change as KEY=VALUE (points.scoop=0), got {text!r}")
        try:
            changes[key.strip()] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            changes[key.strip()] = value.strip()
    return changes


def _hands(db: Path | None, filters: Filters) -> Hands:
    """The hands that the filters choose in the newest snapshot; at least one."""
    from analysis.tables import load_hands
    from ingest.game.errors import OFCError
    from ingest.places import database_path
    from ingest.snapshots import open_snapshot

    connection, _ = open_snapshot(database_path(db))
    with connection:
        hands = load_hands(connection, filters)
    if not len(hands):
        raise OFCError(f"expected hands to look at, got none. {filters.sentence()}")
    return hands


def rescore(
    db: Database = None, names: Names = None, every: Every = False, changes: Changes = None, as_json: AsJson = False
) -> None:
    """Score all stored hands under rule sets and keep the scores; what is scored already is not done again."""
    from analysis.output import write_json
    from analysis.rescore import fill_scores
    from ingest.game.errors import OFCError
    from ingest.places import database_path
    from ingest.snapshots import newest_snapshot
    from ingest.store import Store

    chosen = chosen_rules(names, every, changes)
    if not chosen:
        raise OFCError("expected rule sets to score by: --rules NAME,NAME or --all")
    newest_snapshot(database_path(db))
    with Store(database_path(db)) as store:
        answers = fill_scores(store, chosen)
        if store.changed:
            store.publish()
    if as_json:
        write_json(
            [
                {
                    "rules": answer.rules.name,
                    "scored": answer.scored,
                    "already": answer.already,
                    "another_game": answer.another_game,
                }
                for answer in answers
            ]
        )
        return
    from rich.table import Table

    from ingest.console import print_wide

    table = Table("rule set", box=None, header_style="bold", pad_edge=False)
    for name in ("hands scored", "scored before", "built for another game"):
        table.add_column(name, justify="right")
    for answer in answers:
        table.add_row(answer.rules.name, *(f"{n:,}" for n in (answer.scored, answer.already, answer.another_game)))
    print_wide(table)


def report(
    db: Database = None,
    names: Names = None,
    every: Every = False,
    changes: Changes = None,
    by: Annotated[
        str | None,
        typer.Option(help="Break down by player, rules, players_at_table, position, month, site or session."),
    ] = None,
    metrics: Annotated[str | None, typer.Option(help="Figures to show, by name, separated by commas.")] = None,
    another_game: AnotherGame = False,
    site: Site = None,
    player: Player = None,
    hero: Hero = False,
    played: Played = None,
    players: Players = None,
    since: Since = None,
    until: Until = None,
    kind: Kind = "all",
    as_json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
    seed: Seed = 0,
) -> None:
    """Print the figures of the stored hands, as they were played and under any chosen rule sets."""
    from analysis.output import write_frame, write_json
    from analysis.report import make_report, print_report

    filters = _filters(site, player, hero, played, players, since, until, kind)
    chosen = chosen_rules(names, every, changes)
    shown = tuple(name.strip() for name in (metrics or "").split(",") if name.strip())
    answer = make_report(_hands(db, filters), chosen, by=by, metrics=shown, another_game=another_game, seed=seed)
    if as_json:
        write_json({"seed": seed, "notes": answer.notes, "figures": answer.figures})
    if csv or parquet:
        write_frame(answer.figures, csv=csv, parquet=parquet)
    if not (as_json or (csv and str(csv) == "-")):
        print_report(answer)


def compare(
    names: Names = None,
    every: Every = False,
    baseline: Annotated[
        str | None, typer.Option(help="The rule set that the others are compared with; default: the first one.")
    ] = None,
    changes: Changes = None,
    db: Database = None,
    edge: Annotated[
        float, typer.Option(min=0.01, help="Points per hand for which the hands that show it are counted.")
    ] = 0.5,
    another_game: AnotherGame = False,
    site: Site = None,
    player: Player = None,
    hero: Hero = False,
    played: Played = None,
    players: Players = None,
    since: Since = None,
    until: Until = None,
    kind: Kind = "all",
    as_json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
    seed: Seed = 0,
) -> None:
    """Put rule sets side by side on the same hands: what each does to results, spread, fouls and Fantasyland."""
    from analysis.compare import compare as compare_rules
    from analysis.compare_tables import print_comparison
    from analysis.output import write_frame, write_json
    from ingest.game.errors import OFCError
    from ingest.game.rules import find_rules
    from ingest.places import rule_folders

    # Changed rule sets are compared with those that they were made from.
    chosen = [*chosen_rules(names, every, None), *(chosen_rules(names, every, changes) if changes else [])]
    if baseline is None and not chosen:
        raise OFCError("expected rule sets to compare: --rules NAME,NAME or --all")
    base = find_rules(baseline, rule_folders()) if baseline else chosen[0]
    hands = _hands(db, _filters(site, player, hero, played, players, since, until, kind))
    answer = compare_rules(hands, chosen, base, another_game=another_game, edge=edge, seed=seed)
    if as_json:
        write_json({"seed": seed, **vars(answer)})
    if csv or parquet:
        write_frame(answer.systems, csv=csv, parquet=parquet)
    if not (as_json or (csv and str(csv) == "-")):
        print_comparison(answer)

"""The commands around logs: `ofc ingest`, `ofc rejects`, `ofc export`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ingest.outcome import COUNTS

if TYPE_CHECKING:
    from ingest.formats.options import ReadOptions
    from ingest.outcome import Outcome
    from ingest.runs import Run

Database = Annotated[
    Path | None, typer.Option("--db", metavar="FILE", help="The database (else OFC_DB, else data/ofc.duckdb).")
]
AsJson = Annotated[bool, typer.Option("--json", help="Write the counts as JSON to standard output.")]

# Of more files than this only those are listed one by one that there is something to say about.
_MOST_ROWS = 60
REJECTED = 3
INTERRUPTED = 130


def register(app: typer.Typer) -> None:
    """Add the commands to the root."""
    app.command()(ingest)
    app.command()(rejects)
    app.command()(export)


def ingest(
    paths: Annotated[list[str] | None, typer.Argument(help="Files, folders or archives; - is standard input.")] = None,
    db: Database = None,
    game: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The rule set played, for logs that do not say (poker-arena, boards)."),
    ] = None,
    zone: Annotated[
        str | None,
        typer.Option(metavar="ZONE", help="Where times without a zone were taken, such as Europe/Berlin (else UTC)."),
    ] = None,
    mapping: Annotated[
        Path | None,
        typer.Option("--map", metavar="FILE", help="A mapping file (TOML): the paths are tables of your own."),
    ] = None,
    session_gap: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Minutes without a hand that end a session where the log names none."),
    ] = None,
    explain: Annotated[
        bool, typer.Option(help="Say what each file is and show its first hand; store nothing.")
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Follow the folders until Ctrl-C.")] = False,
    retry_rejects: Annotated[bool, typer.Option("--retry-rejects", help="Read the rejected records again.")] = False,
    reparse: Annotated[bool, typer.Option("--reparse", help="Read again what an older reader has read.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Count what would happen; store nothing.")] = False,
    anonymise: Annotated[bool, typer.Option("--anonymise", help="Store pseudonyms instead of players' names.")] = False,
    as_json: AsJson = False,
) -> None:
    """Read logs into the database; each hand is counted once, however often it comes."""
    from ingest.formats.mapping import load_mapping
    from ingest.formats.options import ReadOptions
    from ingest.places import database_path
    from ingest.runs import Run

    if not paths and not (retry_rejects or reparse):
        raise typer.BadParameter("expected at least one file or folder", param_hint="PATHS")
    options = ReadOptions(_known_game(game), _known_zone(zone), load_mapping(mapping) if mapping else None)
    if explain:
        _explain(paths or [], options)
        return
    run = Run(database_path(db), options, dry_run=dry_run, anonymise=anonymise, session_gap=session_gap)
    if watch:
        _follow(run, paths or [], as_json)
        return
    outcomes = run.retry_rejects() if retry_rejects else run.reparse(paths or []) if reparse else run.load(paths or [])
    show_outcomes(outcomes, as_json)
    if dry_run and not as_json:
        typer.echo("nothing was stored (--dry-run)", err=True)
    if run.interrupted:
        kept = "" if dry_run else "; what was read is stored, and the next run goes on there"
        typer.echo(f"ofc: interrupted{kept}", err=True)
        raise typer.Exit(INTERRUPTED)
    if any(outcome.rejected or outcome.failed for outcome in outcomes):
        raise typer.Exit(REJECTED)


def _known_game(name: str | None) -> str | None:
    """The name, if it is one of a rule set or of a game of poker-arena. Raises RuleError."""
    from ingest.formats.poker_arena import RULES
    from ingest.game.rules import find_rules
    from ingest.places import rule_folders

    if name is not None and name not in RULES:
        find_rules(name, rule_folders())
    return RULES.get(name, name) if name else None


def _known_zone(name: str | None) -> str | None:
    from zoneinfo import ZoneInfo

    from ingest.game.errors import OFCError

    try:
        return ZoneInfo(name).key if name else None
    except (KeyError, ValueError, OSError):
        raise OFCError(f"expected a time zone such as Europe/Berlin, got {name!r}") from None


def _explain(paths: list[str], options: ReadOptions) -> None:
    from ingest.explain import explain
    from ingest.sources import find_sources

    failed: list[str] = []
    for source in find_sources(paths, lambda name, sentence: failed.append(f"{name}: {sentence}")):
        for line in explain(source, options):
            typer.echo(line)
    for sentence in failed:
        typer.echo(sentence, err=True)
    if failed:
        raise typer.Exit(REJECTED)


def _follow(run: Run, paths: list[str], as_json: bool) -> None:
    from threading import Event

    from ingest.watch import follow

    typer.echo(f"following {', '.join(paths)}; Ctrl-C stops", err=True)
    try:
        for outcomes in follow(
            [Path(path) for path in paths],
            run.load,
            Event(),
            lambda busy: typer.echo(f"ofc: {busy}; waiting", err=True),
        ):
            show_outcomes(outcomes, as_json)
            if run.interrupted:
                break
    except KeyboardInterrupt:
        pass
    typer.echo("stopped", err=True)
    raise typer.Exit(INTERRUPTED)


def rejects(
    db: Database = None,
    raw: Annotated[
        bool, typer.Option("--raw", help="Write the texts themselves, to be repaired and read again.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One object a line, with the text.")] = False,
) -> None:
    """List the records that did not become hands, with file, position and reason, and the files that hold none."""
    from ingest.places import database_path
    from ingest.reject_list import stored_rejects
    from ingest.snapshots import open_snapshot

    connection, _ = open_snapshot(database_path(db))
    found = stored_rejects(connection)
    if as_json:
        import json

        for each in found:
            typer.echo(json.dumps(each.record(), ensure_ascii=False))
    elif raw:
        for each in found:
            if each.position is not None:
                typer.echo(each.text.rstrip("\n") + "\n")
    else:
        for each in found:
            where = "" if each.position is None else f" at byte {each.position}"
            why = "" if each.reason is None else f" ({each.reason})"
            typer.echo(f"{each.name}{where}: {each.outcome}{why}: {each.message}")
        files = sum(each.position is None for each in found)
        typer.echo(f"{_counted(len(found) - files, 'record')}, {_counted(files, 'file')} unread", err=True)


def export(
    out: Annotated[Path | None, typer.Argument(help="The file to write; standard output if there is none.")] = None,
    db: Database = None,
    form: Annotated[str, typer.Option("--format", metavar="NAME", help="ofc-hh (nothing is lost) or phh.")] = "ofc-hh",
    anonymise: Annotated[bool, typer.Option("--anonymise", help="Write pseudonyms instead of players' names.")] = False,
) -> None:
    """Write all stored hands, as their sources state them."""
    from ingest.anonymise import load_anonymiser
    from ingest.database import Database as Reader
    from ingest.export import export_hands
    from ingest.places import database_path
    from ingest.snapshots import open_snapshot

    path = database_path(db)
    connection, _ = open_snapshot(path)
    anonymiser = load_anonymiser(path) if anonymise else None
    if out is None:
        count = export_hands(Reader(connection), form, sys.stdout, anonymiser)
    else:
        with out.open("w", encoding="utf-8", newline="\n") as file:
            count = export_hands(Reader(connection), form, file, anonymiser)
    typer.echo(f"{_counted(count, 'hand')} written", err=True)


def show_outcomes(outcomes: list[Outcome], as_json: bool) -> None:
    from ingest.outcome import total

    whole = total(outcomes)
    if as_json:
        import json

        data = {"files": [_counts(outcome) for outcome in outcomes], "total": _counts(whole)}
        json.dump(data, sys.stdout, indent=2, ensure_ascii=False)
        sys.stdout.write("\n")
        return
    from rich.table import Table
    from rich.text import Text

    from ingest.console import print_wide
    from ingest.flags import DOUBTS, FLAGS

    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("file", no_wrap=True, min_width=12)
    table.add_column("format", no_wrap=True, min_width=9)
    for name in COUNTS:
        table.add_column(name, no_wrap=True, justify="right", min_width=len(name))
    quiet = [outcome for outcome in outcomes if not _speaks(outcome)] if len(outcomes) > _MOST_ROWS else []
    listed = [outcome for outcome in outcomes if outcome not in quiet]
    if quiet:
        listed.append(total(quiet, f"{len(quiet)} files without a remark"))
    for outcome in [*listed, *([whole] if len(listed) != 1 else [])]:
        counts = [str(getattr(outcome, name)) for name in COUNTS]
        table.add_row(Text(Path(outcome.name).name or outcome.name), outcome.format or "", *counts)
    print_wide(table)
    for outcome in outcomes:
        if outcome.note:
            print_wide(Text(f"{outcome.name}: {outcome.note}"))
    for flag, count in sorted(whole.flags.items()):
        if flag in DOUBTS:
            print_wide(Text(f"{_counted(count, 'hand')} flagged {flag}: {FLAGS[flag]}"))


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'s' if number != 1 else ''}"


def _speaks(outcome: Outcome) -> bool:
    """Whether there is more to say about a source than how many hands it holds."""
    lost = outcome.partial or outcome.skipped or outcome.rejected or outcome.mismatched
    return bool(lost or outcome.note)


def _counts(outcome: Outcome) -> dict[str, Any]:
    return {
        "name": outcome.name,
        "format": outcome.format,
        **{name: getattr(outcome, name) for name in COUNTS},
        "flags": dict(sorted(outcome.flags.items())),
        "bytes": outcome.bytes,
        "note": outcome.note,
    }

"""The commands that bring logs in: `ofc ingest`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ingest.outcome import COUNTS

if TYPE_CHECKING:
    from ingest.outcome import Outcome

Database = Annotated[Path | None, typer.Option("--db", help="The database (else OFC_DB, else data/ofc.duckdb).")]
AsJson = Annotated[bool, typer.Option("--json", help="Write the counts as JSON to standard output.")]

# Of more files than this only those are listed one by one that there is something to say about.
_MOST_ROWS = 60
REJECTED = 3
INTERRUPTED = 130


def register(app: typer.Typer) -> None:
    """Add the commands to the root."""
    app.command()(ingest)


def ingest(
    paths: Annotated[list[str], typer.Argument(help="Files, folders or archives; - is standard input.")],
    db: Database = None,
    game: Annotated[
        str | None, typer.Option(help="The rule set that was played, for logs that do not say (poker-arena, boards).")
    ] = None,
    session_gap: Annotated[
        int | None, typer.Option(min=1, help="Minutes without a hand that end a session where the log names none.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Read logs into the database; each hand is counted once, however often it comes."""
    from ingest.formats.options import ReadOptions
    from ingest.load import Loader
    from ingest.places import database_path
    from ingest.progress import shown_progress
    from ingest.store import Store

    with Store(database_path(db)) as store:
        if session_gap is not None:
            with store.transaction():
                store.set_fact("session_gap", str(session_gap))
        with shown_progress() as on_progress:
            loader = Loader(store, ReadOptions(game), on_progress)
            try:
                outcomes = loader.load(paths)
            finally:
                if store.changed:
                    store.publish()
    show_outcomes(outcomes, as_json)
    if any(outcome.rejected or outcome.failed for outcome in outcomes):
        raise typer.Exit(REJECTED)


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


def _speaks(outcome: Outcome) -> bool:
    """Whether there is more to say about a source than how many hands it holds."""
    lost = outcome.partial or outcome.skipped or outcome.rejected or outcome.mismatched
    return bool(lost or outcome.note)


def _counts(outcome: Outcome) -> dict[str, Any]:
    return {
        "name": outcome.name,
        "format": outcome.format,
        **{name: getattr(outcome, name) for name in COUNTS},
        "bytes": outcome.bytes,
        "note": outcome.note,
    }

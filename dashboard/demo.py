"""The command `ofc demo`: sample logs in, every hand scored under every rule set, the comparison as a table."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    import polars as pl
    from rich.table import Table

    from analysis.rescore import OnProgress
    from ingest.game.rules import RuleSet

# The figures of the comparison: metric, heading, and how a value is written.
COLUMNS = (
    ("sd_per_hand", "sd", "{:.2f}"),
    ("foul_rate", "fouled", "{:.1%}"),
    ("scoop_rate", "scoops", "{:.1%}"),
    ("royalties", "royalties", "{:.2f}"),
    ("entry_rate", "enters", "{:.1%}"),
    ("stay_rate", "stays", "{:.1%}"),
)


def register(app: typer.Typer) -> None:
    """Add `ofc demo` to the root command."""
    app.command()(demo)


def demo(
    db: Annotated[
        Path | None, typer.Option("--db", metavar="FILE", help="the database; default: OFC_DB, else data/ofc.duckdb")
    ] = None,
    open_dashboard: Annotated[bool, typer.Option("--open", help="open the dashboard at the end")] = False,
) -> None:
    """Show the main job: read the sample logs, score every hand under every rule set, compare them."""
    from ingest.console import print_wide
    from ingest.places import database_path, samples_folder

    path = database_path(db)
    _say_if_compiling()
    _say(f"1. Reading the sample logs in {samples_folder()}")
    _ingest_samples(path)
    _say("2. Scoring every hand under every built-in rule set")
    _score_all(path)
    _say("3. The same hands under each rule set: those that were dealt the way it deals")
    print_wide(_comparison(path))
    typer.echo(
        "hands: those dealt as the rule set deals; sd: standard deviation of a player's points in a hand;\n"
        "royalties: points a hand; enters, stays: share of hands that win Fantasyland, and that keep it."
    )
    option = "" if path == database_path() else f" --db {shlex.quote(str(path))}"
    if open_dashboard:
        from dashboard.commands import run_dashboard

        run_dashboard(db=path)
    else:
        typer.echo(f"\nOpen the dashboard: ofc dashboard{option}")
        typer.echo(f"Read your own logs:  ofc ingest YOUR_FOLDER{option}   (the samples lie in {path})")


def _say(sentence: str) -> None:
    typer.echo(sentence, err=True)


def _say_if_compiling() -> None:
    from ingest.game.kernels import is_warm

    if not is_warm():
        _say("First run: the scoring code is compiled once, which takes about a minute.")


def _ingest_samples(path: Path) -> None:
    from ingest.cli import show_outcomes
    from ingest.formats.options import ReadOptions
    from ingest.places import samples_folder
    from ingest.runs import Run

    run = Run(path, ReadOptions())
    show_outcomes(run.load([str(samples_folder())]), as_json=False)
    if run.interrupted:
        raise KeyboardInterrupt


def _score_all(path: Path) -> None:
    from analysis.rescore import fill_scores
    from ingest.game.rules import builtin_rules
    from ingest.store import Store

    rule_sets = list(builtin_rules().values())
    with Store(path) as store:
        with _shown_scoring(len(rule_sets)) as on_progress:
            done = fill_scores(store, rule_sets, on_progress)
        if store.changed:
            store.publish()
    scored, already = sum(each.scored for each in done), sum(each.already for each in done)
    _say(f"   {scored:,} scores made, {already:,} were there already")


@contextmanager
def _shown_scoring(count: int) -> Iterator[OnProgress]:
    """A progress bar over rule sets, on a terminal only."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("scoring", total=count)
        seen: set[str] = set()

        def on_progress(name: str, done: int, to_do: int) -> None:
            seen.add(name)
            bar.update(task, description=name, completed=len(seen) - 1 + done / to_do)

        yield on_progress


def _comparison(path: Path) -> Table:
    from rich.table import Table

    from analysis.metrics import find_metric, measure
    from analysis.scored import score_under
    from analysis.tables import load_hands
    from ingest.game.rules import builtin_rules
    from ingest.snapshots import open_snapshot

    connection, _ = open_snapshot(path)
    hands = load_hands(connection)
    connection.close()
    metrics = [find_metric(name) for name, _, _ in COLUMNS]
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("rule set", no_wrap=True)
    for heading in ("hands", *(heading for _, heading, _ in COLUMNS)):
        table.add_column(heading, justify="right")
    for rules in builtin_rules().values():
        scored = score_under(hands, rules)
        table.add_row(*_row(rules, scored.hands, measure(scored.frame, metrics=metrics)))
    return table


def _row(rules: RuleSet, hands: int, measured: pl.DataFrame) -> Sequence[str]:
    values: dict[str, Any] = {row["metric"]: row for row in measured.rows(named=True)}
    cells = []
    for name, _, form in COLUMNS:
        row = values[name]
        cells.append(form.format(row["value"]) if row["n"] and row["value"] is not None else "-")
    return [rules.name, f"{hands:,}", *cells]

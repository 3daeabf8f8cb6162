"""The command `ofc simulate`."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ingest.batch import Batch
    from ingest.simulate.session import Plan

INTERRUPTED = 130


def register(app: typer.Typer) -> None:
    """Add the command to the root."""
    app.command()(simulate)


def simulate(
    rules: Annotated[str, typer.Option(metavar="NAME", help="Rule set, or the path of a rule file.")] = "pineapple",
    players: Annotated[int, typer.Option(min=2, max=8, metavar="N", help="Players at the table.")] = 2,
    hands: Annotated[int, typer.Option(min=1, metavar="N", help="Hands in all.")] = 1000,
    agents: Annotated[
        str,
        typer.Option(metavar="NAMES", help="Who plays, one for all or one a chair: random, cautious, fast, rollout."),
    ] = "fast",
    seed: Annotated[int, typer.Option(metavar="N", help="Same seed, same hands.")] = 1,
    session: Annotated[int, typer.Option(min=1, metavar="N", help="Hands of a session.")] = 100,
    levels: Annotated[
        str | None,
        typer.Option(metavar="N,N", help="A tournament: point values of its levels, ten hands each, such as 1,2,4,8."),
    ] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A rule played differently: points.scoop=0")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write a log instead: NAME.ofc.jsonl, or NAME.hh for the collector's format."
        ),
    ] = None,
    db: Annotated[
        Path | None, typer.Option("--db", metavar="FILE", help="The database (else OFC_DB, else data/ofc.duckdb).")
    ] = None,
) -> None:
    """Let agents play whole sessions; the hands go into the database, or into a log."""
    plan = _plan(rules, changes or [], players, hands, agents, seed, session, levels)
    if out is not None and not out.name.endswith((".ofc.jsonl", ".hh")):
        raise typer.BadParameter(f"expected NAME.ofc.jsonl or NAME.hh, got {out.name!r}", param_hint="--out")
    from ingest.simulate.run import simulate as played

    with _shown_progress(plan.hands) as on_round:
        try:
            batches = played(plan, on_round)
            report = _write(out, batches) if out is not None else _store(db, plan, batches)
        except KeyboardInterrupt:
            print("ofc: interrupted; what was finished is kept", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None
    print(report)


def _plan(
    rules: str, changes: list[str], players: int, hands: int, agents: str, seed: int, session: int, levels: str | None
) -> Plan:
    from ingest.game.errors import OFCError
    from ingest.game.rule_files import parse_change
    from ingest.game.rules import find_rules, with_changes
    from ingest.places import rule_folders
    from ingest.simulate.session import Plan

    names = [name.strip() for name in agents.split(",")]
    if len(names) == 1:
        names *= players
    if len(names) != players:
        raise OFCError(f"expected one agent, or one for each of {players} players, got {len(names)}: {agents}")
    try:
        values = tuple(int(level) for level in levels.split(",")) if levels else ()
    except ValueError:
        values = (0,)
    if any(value < 1 for value in values):
        raise OFCError(f"expected --levels to be whole point values such as 1,2,4,8, got {levels!r}")
    rule_set = with_changes(find_rules(rules, rule_folders()), dict(map(parse_change, changes)))
    return Plan(rule_set, tuple(names), hands, seed, session, values)


def _store(db: Path | None, plan: Plan, batches: Iterable[Batch]) -> str:
    from ingest.places import database_path
    from ingest.simulate.into import store_hands
    from ingest.store import Store

    with Store(database_path(db)) as store:
        try:
            new, known = store_hands(store, plan, batches)
        finally:
            if store.changed:
                store.publish()
    return f"{_hands(new)} simulated and stored, {known:,} {'was' if known == 1 else 'were'} there before"


def _write(out: Path, batches: Iterable[Batch]) -> str:
    from ingest.formats import collector, ofc_hh
    from ingest.simulate.into import verify_batch

    form = collector if out.suffix == ".hh" else ofc_hh
    count = 0
    with out.open("w", encoding="utf-8", newline="\n") as file:
        for batch in batches:
            verify_batch(batch)
            count += form.write(batch.to_hands(), file)
    return f"{_hands(count)} simulated and written to {out}"


def _hands(count: int) -> str:
    return "1 hand" if count == 1 else f"{count:,} hands"


@contextlib.contextmanager
def _shown_progress(hands: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, on a terminal only."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda finished: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("getting ready (slow the first time)", total=hands)

        def on_progress(finished: int) -> None:
            bar.update(task, description="playing", advance=finished)

        yield on_progress

"""The commands that answer: `ofc rescore`, `ofc report` and `ofc compare`; see `variance_cli` for the others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from analysis import variance_cli
from analysis.filters import ALL_HANDS, Filters
from analysis.options import (
    AnotherGame,
    AsJson,
    Changes,
    Csv,
    Database,
    Every,
    Html,
    Names,
    Parquet,
    Seed,
    chosen_hands,
    chosen_rules,
    command_line,
    hands_of,
    snapshot,
    table_of,
    takes_filters,
    which_table,
)

# The tables of a comparison; those of --credit and --adapted come with these options.
COMPARED = ("systems", "spread", "covariances", "states")


def register(app: typer.Typer) -> None:
    """Add the commands to the root."""
    app.command()(rescore)
    app.command()(report)
    app.command()(compare)
    app.command()(metrics)
    variance_cli.register(app)


def rescore(
    db: Database = None, names: Names = None, every: Every = False, changes: Changes = None, as_json: AsJson = False
) -> None:
    """Score all stored hands under rule sets and keep the scores; what is scored already is not done again."""
    from analysis.output import write_json
    from analysis.rescore import fill_scores
    from analysis.wording import counted
    from ingest.game.errors import OFCError
    from ingest.places import database_path
    from ingest.progress import shown_work
    from ingest.snapshots import newest_snapshot
    from ingest.store import Store

    chosen = chosen_rules(names, every, changes)
    if not chosen:
        raise OFCError("expected rule sets to score by: --rules NAME,NAME or --all")
    newest_snapshot(database_path(db))
    with shown_work(f"scoring by {counted(len(chosen), 'rule sets')}"), Store(database_path(db)) as store:
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


@takes_filters
def report(
    db: Database = None,
    names: Names = None,
    every: Every = False,
    changes: Changes = None,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT",
            help="Break down by player, rules, players_at_table, position, month, site, session, unit (of money), "
            "opponent, first_five (kind of the first five cards) or sealed (slots open when a foul was sealed).",
        ),
    ] = None,
    figures: Annotated[
        str | None, typer.Option("--metrics", metavar="NAMES", help="Figures to show, by name, separated by commas.")
    ] = None,
    streets: Annotated[
        bool,
        typer.Option("--streets", help="Also what only street-by-street logs tell: when fouls were sealed, times."),
    ] = False,
    anytime: Annotated[
        bool,
        typer.Option("--anytime", help="Intervals for who looks again and again: they hold at every look at once."),
    ] = False,
    behind: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the hands behind one figure (--metrics NAME) as CSV; - is standard output."
        ),
    ] = None,
    html: Html = None,
    session: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this session, as --by session calls it. May be repeated."),
    ] = None,
    another_game: AnotherGame = False,
    filters: Filters = ALL_HANDS,
    as_json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
    seed: Seed = 0,
) -> None:
    """Print the figures of the stored hands, as they were played and under any chosen rule sets."""
    import polars as pl

    from analysis.metrics import find_metric
    from analysis.output import write_frame, write_json
    from analysis.page import write_page
    from analysis.report import hands_behind, make_report, print_report, scored_for
    from analysis.report_page import report_page
    from analysis.tables import find_sessions
    from analysis.wording import counted
    from ingest.game.errors import OFCError
    from ingest.progress import shown_work

    chosen = chosen_rules(names, every, changes)
    shown = tuple(name.strip() for name in (figures or "").split(",") if name.strip())
    with shown_work("reading hands") as say, snapshot(db) as connection:
        filters = replace(filters, sessions=find_sessions(connection, session or ()))
        hands = chosen_hands(connection, filters)
        say(f"scoring {counted(len(hands), 'hands')}")
        scored = scored_for(connection, hands, chosen, by=by, metrics=shown, streets=streets, another_game=another_game)
        say("measuring")
        answer = make_report(scored, by=by, metrics=shown, seed=seed, anytime=anytime)
    if behind:
        if len(shown) != 1:
            raise OFCError(f"expected one figure (--metrics NAME) to write the hands behind, got {len(shown)}")
        traced = [hands_behind(each, find_metric(shown[0])) for each in scored]
        write_frame(pl.concat(traced), csv=behind)
    if as_json:
        write_json({"seed": seed, "notes": answer.notes, "figures": answer.figures})
    if csv or parquet:
        write_frame(answer.figures, csv=csv, parquet=parquet)
    if html:
        write_page(report_page(scored, answer, command=command_line(), seed=seed), html)
    if not (as_json or html or any(str(path) == "-" for path in (csv, behind))):
        print_report(answer)


def metrics(as_json: AsJson = False) -> None:
    """List every figure: name, what it is, what is counted over what."""
    from rich.padding import Padding
    from rich.text import Text

    from analysis.metric_list import metric_rows
    from analysis.output import new_table, write_json
    from ingest.console import fits, print_wide

    columns = ("name", "definition", "counted", "unit", "interval")
    if as_json:
        write_json([dict(zip(columns, row, strict=True)) for row in metric_rows()])
        return
    table = new_table("", columns, [])
    for row in metric_rows():
        table.add_row(*row)
    if fits(table):
        print_wide(table)
        return
    # Five columns would be a word wide each; names must stay whole, to be given to --metrics.
    for name, definition, counted, unit, interval in metric_rows():
        rest = Text(f"{counted}; unit: {unit}; interval: {interval}", "dim")
        print_wide(Text(name, "bold"), *(Padding(text, (0, 0, 0, 4)) for text in (definition, rest)))


@takes_filters
def compare(
    names: Names = None,
    every: Every = False,
    baseline: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The rule set that the others are compared with; default: the first one."),
    ] = None,
    changes: Changes = None,
    db: Database = None,
    edge: Annotated[
        float,
        typer.Option(min=0.01, metavar="POINTS", help="Points per hand for which the hands that show it are counted."),
    ] = 0.5,
    html: Html = None,
    with_credit: Annotated[
        bool, typer.Option("--credit", help="Also results with what other Fantasyland trips would have been worth.")
    ] = False,
    adapted: Annotated[
        int, typer.Option(min=0, metavar="N", help="Also so many simulated hands a rule set, by agents who know it.")
    ] = 0,
    agent: Annotated[str, typer.Option(metavar="NAME", help="Who plays the simulated hands.")] = "fast",
    another_game: AnotherGame = False,
    filters: Filters = ALL_HANDS,
    as_json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
    table: Annotated[str | None, which_table(*COMPARED, "credit", "adapted")] = None,
    seed: Seed = 0,
) -> None:
    """Put rule sets side by side on the same hands: what each does to results, spread, fouls and Fantasyland."""
    from analysis.adapted import same_and_adapted
    from analysis.compare import compare as compare_rules
    from analysis.compare_tables import print_adapted, print_comparison, print_credit
    from analysis.credit import credit
    from analysis.output import write_frame, write_json
    from analysis.page import write_page
    from analysis.report_page import comparison_page
    from analysis.wording import counted
    from ingest.game.errors import OFCError
    from ingest.game.rules import find_rules
    from ingest.places import rule_folders
    from ingest.progress import shown_work

    # Changed rule sets are compared with those that they were made from.
    chosen = [*chosen_rules(names, every, None), *(chosen_rules(names, every, changes) if changes else [])]
    if baseline is None and not chosen:
        raise OFCError("expected rule sets to compare: --rules NAME,NAME or --all")
    base = find_rules(baseline, rule_folders()) if baseline else chosen[0]
    rule_sets = list(dict.fromkeys([base, *chosen]))
    credits = both = None
    with shown_work("reading hands") as say:
        hands = hands_of(db, filters)
        say(f"scoring {counted(len(hands), 'hands')} by {counted(len(rule_sets), 'rule sets')}")
        answer = compare_rules(hands, chosen, base, another_game=another_game, edge=edge, seed=seed)
        if with_credit:
            say("valuing Fantasyland")
            credits = credit(hands, rule_sets, another_game=another_game, seed=seed)
        if adapted:
            say(f"playing {counted(adapted, 'hands')} by each rule set")
            usual = int(hands.hands["players"].mode().max())  # type: ignore[arg-type]
            both = same_and_adapted(
                hands, rule_sets, players=usual, hands=adapted, agent=agent, another_game=another_game, seed=seed + 1
            )
    if as_json:
        write_json({"seed": seed, **vars(answer), "credit": credits, "adapted": both})
    if csv or parquet:
        tables = {name: getattr(answer, name) for name in COMPARED} | {"credit": credits, "adapted": both}
        write_frame(table_of(tables, table), csv=csv, parquet=parquet)
    if html:
        page = comparison_page(answer, command=command_line(), credits=credits, both=both, seed=seed)
        write_page(page, html)
    if not (as_json or html or (csv and str(csv) == "-")):
        print_comparison(answer)
        if credits is not None:
            print_credit(credits)
        if both is not None:
            print_adapted(both, agent)

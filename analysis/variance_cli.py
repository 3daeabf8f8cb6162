"""The commands `ofc variance` and `ofc luck`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from analysis.filters import ALL_HANDS, Filters
from analysis.options import (
    AnotherGame,
    AsJson,
    Changes,
    Csv,
    Database,
    Names,
    Parquet,
    Seed,
    chosen_hands,
    chosen_rules,
    hands_of,
    snapshot,
    table_of,
    takes_filters,
    which_table,
)

if TYPE_CHECKING:
    import polars as pl

    from analysis.luck import Luck
    from analysis.swings import Swings
    from ingest.game.rules import RuleSet


# The tables of the answers that --csv and --parquet write.
SWING_TABLES = ("outcomes", "downswings", "stop_loss", "table_stakes")
LUCK_TABLES = ("players", "sessions", "seats")
# Sessions that are listed; all of them come with --table sessions --csv FILE.
MOST_SESSIONS = 20


def register(app: typer.Typer) -> None:
    """Add the commands to the root."""
    app.command()(variance)
    app.command()(luck)


@takes_filters
def variance(
    filters: Filters = ALL_HANDS,
    names: Names = None,
    changes: Changes = None,
    horizon: Annotated[int, typer.Option(min=1, metavar="N", help="Hands to look ahead.")] = 5_000,
    bankroll: Annotated[float, typer.Option(min=1, metavar="POINTS", help="Points that may be lost.")] = 500,
    risk: Annotated[
        float, typer.Option(min=0.001, max=0.5, metavar="SHARE", help="The chance of ruin that one accepts.")
    ] = 0.05,
    another_game: AnotherGame = False,
    db: Database = None,
    as_json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
    table: Annotated[str | None, which_table(*SWING_TABLES)] = None,
    seed: Seed = 0,
) -> None:
    """Tell one player's swings: downswings, what many hands may bring, risk of ruin and the bankroll against it."""
    import polars as pl

    from analysis.output import write_frame, write_json
    from analysis.swings import swings_of
    from analysis.wording import counted
    from ingest.progress import shown_work

    chosen: list[RuleSet | None] = [*chosen_rules(names, False, changes)] or [None]
    with shown_work("reading hands") as say:
        hands = hands_of(db, filters)
        say(f"drawing futures of {counted(horizon, 'hands')}")
        answers = [
            swings_of(hands, rules, horizon=horizon, bankroll=bankroll, risk=risk, another_game=another_game, seed=seed)
            for rules in chosen
        ]
    if as_json:
        write_json([{**vars(answer), "seed": seed} for answer in answers])
    if csv or parquet:
        chosen_tables = [table_of({name: getattr(answer, name) for name in SWING_TABLES}, table) for answer in answers]
        rules_of = (pl.lit(answer.rules).alias("rules") for answer in answers)
        write_frame(
            pl.concat(part.select(of, pl.all()) for part, of in zip(chosen_tables, rules_of, strict=True)),
            csv=csv,
            parquet=parquet,
        )
    if not (as_json or (csv and str(csv) == "-")):
        for answer in answers:
            _show(answer)


@takes_filters
def luck(
    filters: Filters = ALL_HANDS,
    names: Names = None,
    changes: Changes = None,
    another_game: AnotherGame = False,
    db: Database = None,
    as_json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
    table: Annotated[str | None, which_table(*LUCK_TABLES)] = None,
    seed: Seed = 0,
) -> None:
    """Take the luck of the deal out of results, by player and by session; without --rules, under the rules played."""
    from analysis.luck import luck_of
    from analysis.output import write_frame, write_json
    from analysis.wording import counted
    from ingest.game.errors import OFCError
    from ingest.progress import shown_work

    chosen = chosen_rules(names, False, changes)
    if len(chosen) > 1:
        raise OFCError(f"expected one rule set to score by, got {len(chosen)}")
    with shown_work("reading hands") as say, snapshot(db) as connection:
        hands = chosen_hands(connection, filters)
        say(f"weighing the cards of {counted(len(hands), 'hands')}")
        rules = chosen[0] if chosen else None
        answer = luck_of(connection, hands, rules, another_game=another_game, seed=seed)
    if as_json:
        write_json(
            {
                "seed": seed,
                "notes": answer.notes,
                "saved": answer.saved,
                "players": answer.players,
                "sessions": answer.sessions,
            }
        )
    if csv or parquet:
        tables = {name: getattr(answer, name) for name in LUCK_TABLES}
        write_frame(table_of(tables, table), csv=csv, parquet=parquet)
    if not (as_json or (csv and str(csv) == "-")):
        _show_luck(answer)


def _show_luck(answer: Luck) -> None:
    from analysis.output import print_notes, show_number
    from ingest.console import print_wide

    print_wide(_luck_table(answer.players, "player"), "")
    if len(answer.players) == 1:
        print_wide(_luck_table(answer.sessions.head(MOST_SESSIONS), "session"), "")
    print_notes(
        [
            f"The luck that the evaluator sees makes up {show_number(answer.saved, 'share')} of a hand's variance; "
            f"in {show_number(answer.seen, 'share')} of the results the log shows what was dealt.",
            *answer.notes,
        ]
    )


def _luck_table(rows: pl.DataFrame, by: str) -> Any:
    """A line for each player or session; few sessions are grey, but for single ones, which are all that little."""
    from rich.markup import escape

    from analysis.intervals import ENOUGH_SESSIONS
    from analysis.output import new_table, show_interval, show_number

    heads = ["hands", "sessions", "points per hand", "95 % interval", "luck", "adjusted", "95 % interval "]
    table = new_table("Points per hand, and without the luck of the deal", [by], heads)
    for row in rows.iter_rows(named=True):
        few = by == "player" and row["sessions"] < ENOUGH_SESSIONS
        table.add_row(
            escape(str(row[by])),
            f"{row['hands']:,}",
            f"{row['sessions']:,}",
            show_number(row["points"], "signed"),
            show_interval(row["points_low"], row["points_high"], "signed"),
            show_number(row["luck"], "signed"),
            show_number(row["adjusted"], "signed"),
            show_interval(row["adjusted_low"], row["adjusted_high"], "signed"),
            style="dim" if few else None,
        )
    return table


def _show(answer: Swings) -> None:
    from analysis.output import print_notes
    from ingest.console import print_wide

    print_wide(_summary(answer), "", _outcomes(answer), "", _downswings(answer), "", _stop_loss(answer), "")
    if answer.table_stakes is not None:
        print_wide(_table_stakes(answer.table_stakes), "")
    print_notes(
        [
            f"Futures are drawn from {answer.blocks}; ranges tell what is not known of edge and spread.",
            *answer.notes,
        ]
    )


def _summary(answer: Swings) -> Any:
    from analysis.output import new_table, show_interval, show_number
    from analysis.wording import counted

    title = f"{answer.player}, {counted(answer.hands, 'hands')}, {answer.rules}"
    table = new_table(title, [""], ["value", "95 % interval"])
    for label, row in (("Points per hand", answer.mean), ("Standard deviation per hand", answer.sd)):
        value, low, high = (row[name] for name in ("value", "low", "high"))
        table.add_row(label, show_number(value, "points"), show_interval(low, high, "points"))  # type: ignore[arg-type]
    table.add_row("Hands under water", show_number(answer.under_water, "share"))
    risk, needed = answer.risk, answer.needed
    table.add_row(
        f"Risk to lose {answer.bankroll:,.0f} points within {counted(answer.horizon, 'hands')}",
        show_number(risk.value, "share"),
        show_interval(risk.low, risk.high, "share"),
    )
    table.add_row("  by the formula, the edge taken for certain", show_number(answer.formula, "share"))
    table.add_row(
        f"Bankroll that is lost with a chance of {show_number(answer.wanted_risk, 'share')}, points",
        show_number(needed.value, "hands"),
        show_interval(needed.low, needed.high, "hands"),
    )
    return table


def _outcomes(answer: Swings) -> Any:
    from analysis.output import new_table, show_number
    from analysis.wording import counted

    table = new_table(f"What {counted(answer.horizon, 'hands')} may bring, points", ["share of futures below"], [])
    for name in ("result", "lowest point", "deepest downswing"):
        table.add_column(name, justify="right")
    for row in answer.outcomes.iter_rows(named=True):
        results = (f"{row[name]:+,.0f}" for name in ("result", "lowest"))
        table.add_row(show_number(row["quantile"], "share"), *results, f"{row['fall']:,.0f}")
    return table


def _downswings(answer: Swings) -> Any:
    from analysis.output import new_table

    table = new_table("Deepest downswings", [], ["points", "from hand", "lowest at", "made good at", "hands"])
    for row in answer.downswings.iter_rows(named=True):
        ended = f"{row['ended']:,}" if row["ended"] is not None else "not yet"
        table.add_row(f"{row['depth']:,}", f"{row['started']:,}", f"{row['lowest']:,}", ended, f"{row['hands']:,}")
    return table


def _stop_loss(answer: Swings) -> Any:
    from analysis.output import new_table, show_number

    title = "Had each session ended after so many points lost"
    heads = ["sessions stopped", "hands", "points", "per hand", "worst session", "sd of a session"]
    table = new_table(title, ["stop-loss"], heads)
    for row in answer.stop_loss.iter_rows(named=True):
        table.add_row(
            "none" if row["stop_loss"] is None else f"{row['stop_loss']:,}",
            show_number(row["stopped"], "share"),
            f"{row['hands']:,}",
            f"{row['points']:+,}",
            f"{row['per_hand']:+.2f}",
            f"{row['worst_session']:+,}",
            show_number(row["sd_session"], "points"),
        )
    return table


def _table_stakes(rows: pl.DataFrame) -> Any:
    from analysis.output import new_table, show_number

    title = "Had everybody sat with so many points under table stakes, and rebought"
    table = new_table(title, ["stack"], ["hands capped", "points per hand", "sd per hand"])
    for row in rows.iter_rows(named=True):
        table.add_row(
            "no cap" if row["stack"] is None else f"{row['stack']:,}",
            show_number(row["capped"], "share"),
            f"{row['points']:+.2f}",
            show_number(row["sd"], "points"),
        )
    return table

"""The command `ofc variance`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from analysis.options import (
    AnotherGame,
    AsJson,
    Changes,
    Database,
    Hero,
    Kind,
    Names,
    Played,
    Player,
    Players,
    Seed,
    Since,
    Site,
    Until,
    chosen_rules,
    hands_of,
    make_filters,
)  # fmt: skip

if TYPE_CHECKING:
    import polars as pl

    from analysis.swings import Swings
    from ingest.game.rules import RuleSet


def register(app: typer.Typer) -> None:
    """Add the commands to the root."""
    app.command()(variance)


def variance(
    player: Player = None,
    hero: Hero = False,
    names: Names = None,
    changes: Changes = None,
    horizon: Annotated[int, typer.Option(min=1, help="Hands to look ahead.")] = 5_000,
    bankroll: Annotated[float, typer.Option(min=1, help="Points that may be lost.")] = 500,
    risk: Annotated[float, typer.Option(min=0.001, max=0.5, help="The chance of ruin that one accepts.")] = 0.05,
    another_game: AnotherGame = False,
    db: Database = None,
    site: Site = None,
    played: Played = None,
    players: Players = None,
    since: Since = None,
    until: Until = None,
    kind: Kind = "all",
    as_json: AsJson = False,
    seed: Seed = 0,
) -> None:
    """Tell one player's swings: downswings, what many hands may bring, risk of ruin and the bankroll against it."""
    from analysis.output import write_json
    from analysis.swings import swings_of

    hands = hands_of(db, make_filters(site, player, hero, played, players, since, until, kind))
    chosen: list[RuleSet | None] = [*chosen_rules(names, False, changes)] or [None]
    answers = [
        swings_of(hands, rules, horizon=horizon, bankroll=bankroll, risk=risk, another_game=another_game, seed=seed)
        for rules in chosen
    ]
    if as_json:
        write_json([{**vars(answer), "seed": seed} for answer in answers])
        return
    for answer in answers:
        _show(answer)


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

    title = f"{answer.player}, {answer.hands:,} hands, {answer.rules}"
    table = new_table(title, [""], ["value", "95 % interval"])
    for label, row in (("Points per hand", answer.mean), ("Standard deviation per hand", answer.sd)):
        value, low, high = (row[name] for name in ("value", "low", "high"))
        table.add_row(label, show_number(value, "points"), show_interval(low, high, "points"))  # type: ignore[arg-type]
    table.add_row("Hands under water", show_number(answer.under_water, "share"))
    risk, needed = answer.risk, answer.needed
    table.add_row(
        f"Risk to lose {answer.bankroll:,.0f} points within {answer.horizon:,} hands",
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

    table = new_table(f"What {answer.horizon:,} hands may bring, points", ["share of futures below"], [])
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

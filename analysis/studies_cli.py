"""The command `ofc study`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command to the root."""
    app.command()(study)


def study(
    name: Annotated[
        str | None, typer.Argument(help="positions, fantasyland, stakes, royalties, fouls or table-size.")
    ] = None,
    hands: Annotated[
        int | None, typer.Option(min=100, metavar="N", help="Hands of each table that is looked at.")
    ] = None,
    agent: Annotated[str, typer.Option(metavar="NAME", help="Who plays.")] = "fast",
    seed: Annotated[int, typer.Option(metavar="N", help="Same seed, same answer.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Folder for NAME.csv and NAME.html; default: studies in the data folder."),
    ] = None,
) -> None:
    """Answer a question about the game by simulated sessions; without a name, list the studies."""
    from analysis.options import command_line
    from analysis.page import write_page
    from analysis.studies import STUDIES, Play, find_study
    from analysis.studies_page import study_page
    from ingest.places import data_folder

    if name is None:
        for one in STUDIES:
            typer.echo(f"{one.name:<12} {one.question}")
        return
    found = find_study(name)
    play = Play(hands or found.hands, agent, seed)
    answer = found.find(play)
    folder = out or data_folder() / "studies"
    folder.mkdir(parents=True, exist_ok=True)
    answer.table.write_csv(folder / f"{name}.csv")
    page = study_page(found, answer, command=command_line(), hands=play.hands, agent=agent, seed=seed)
    write_page(page, folder / f"{name}.html")
    typer.echo(found.question)
    typer.echo(answer.sentence)
    typer.echo(f"{play.hands:,} hands a table, agent {agent}, seed {seed}; 95 % intervals.")
    typer.echo(f"Table and chart: {folder / f'{name}.csv'}, {folder / f'{name}.html'}")

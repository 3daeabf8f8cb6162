"""The command `ofc study`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from analysis.studies import Answer, Study


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
    from analysis.studies import STUDIES, Play, find_study
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
    (folder / f"{name}.html").write_text(_page(found, answer, play.hands, agent, seed), encoding="utf-8")
    typer.echo(found.question)
    typer.echo(answer.sentence)
    typer.echo(f"{play.hands:,} hands a table, agent {agent}, seed {seed}; 95 % intervals.")
    typer.echo(f"Table and chart: {folder / f'{name}.csv'}, {folder / f'{name}.html'}")


def _page(found: Study, answer: Answer, hands: int, agent: str, seed: int) -> str:
    """The chart of a study with its question and answer, whole in itself."""
    import plotly.graph_objects as go
    import plotly.io as pio
    import polars as pl

    axis, lines = answer.chart
    figure = go.Figure(layout={"template": "plotly_white"})
    for metric in answer.table["metric"].unique(maintain_order=True):
        for line in answer.table[lines].unique(maintain_order=True):
            part = answer.table.filter((pl.col("metric") == metric) & (pl.col(lines) == line))
            if part.is_empty():
                continue
            known = part.with_columns(up=pl.col("high") - pl.col("value"), down=pl.col("value") - pl.col("low"))
            figure.add_scatter(
                x=known[axis].cast(pl.String).to_list(),
                y=known["value"].to_list(),
                error_y={"type": "data", "array": known["up"].to_list(), "arrayminus": known["down"].to_list()},
                mode="markers",
                name=str(line) if lines == "metric" else f"{line}, {metric.replace('_', ' ')}",
            )
    subtitle = f"{answer.sentence}<br>{hands:,} hands a table, agent {agent}, seed {seed}; 95 % intervals"
    figure.update_layout(title={"text": f"{found.question}<br><sup>{subtitle}</sup>"}, margin={"t": 120})
    page: str = pio.to_html(figure, include_plotlyjs=True)
    return page

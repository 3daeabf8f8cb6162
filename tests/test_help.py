"""What the command line says of itself: help without Python's types, lists that fit, places that are no database."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from analysis.metric_list import metric_rows
from dashboard.cli import app


def commands(group: Any, *names: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command, with the names that lead to it."""
    yield names, group
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, *names, name)


COMMANDS = dict(commands(typer.main.get_command(app)))


@pytest.mark.parametrize("names", COMMANDS, ids=" ".join)
def test_help_names_values_and_not_their_types(ofc: Callable, names: tuple[str, ...]) -> None:
    shown = ofc(*names, "--help").out
    assert "Show this message and exit." in shown
    assert re.findall(r"<[a-z \[\]]+>", shown) == []
    valued = [each for each in COMMANDS[names].params if each.param_type_name == "option" and not each.is_flag]
    assert [option.name for option in valued if not option.metavar] == []


@pytest.mark.parametrize(
    ("command", "tables"),
    [
        ("compare", "systems, spread, covariances, states, credit, adapted"),
        ("variance", "outcomes, downswings, stop_loss, table_stakes"),
        ("luck", "players, sessions, seats"),
    ],
)
def test_help_lists_the_tables_of_an_answer(ofc: Callable, command: str, tables: str) -> None:
    words = " ".join(ofc(command, "--help").out.replace("│", " ").split())
    assert f"Which table --csv and --parquet write: {tables}." in words


@pytest.mark.parametrize("width", [50, 80, 120, 240])
def test_figures_are_listed_whole_at_any_width(ofc: Callable, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(width))
    lines = re.sub(r"\x1b\[[0-9;]*m", "", ofc("metrics").out).splitlines()
    assert max(map(len, lines)) <= width
    assert not any("…" in line for line in lines)
    begun = [line.split()[0] for line in lines if not line.startswith(" ")]
    names = [name for name, *_ in metric_rows()]
    assert begun == names if width < 200 else begun == ["name", *names]


@pytest.mark.parametrize(
    "command",
    [
        "ingest logs", "ingest --dry-run logs", "ingest --retry-rejects", "rejects", "export", "rescore --all",
        "report", "compare --all", "variance", "luck", "simulate --hands 1 --agents random", "demo",
        "dashboard --no-browser",
    ],
)  # fmt: skip
def test_a_place_that_is_no_database_is_one_sentence(ofc: Callable, tmp_path: Path, command: str) -> None:
    folder, text, empty = tmp_path / "folder", tmp_path / "notes.txt", tmp_path / "empty.duckdb"
    folder.mkdir()
    text.write_text("once upon a time")
    empty.touch()
    there = sorted(tmp_path.iterdir())
    for place, sentence in (
        (folder, f"expected the file of a database, got a folder: {folder}"),
        (text, f"expected a DuckDB database at {text}, got a file that begins with b'once upon a '"),
        (empty, f"expected a DuckDB database at {empty}, got an empty file"),
    ):
        run = ofc(*command.split(), "--db", place)
        assert (run.code, run.err.splitlines()[-1], run.out) == (2, f"ofc: {sentence}", "")
    # Nothing was made beside it.
    assert sorted(tmp_path.iterdir()) == there
    assert text.read_text() == "once upon a time"


def test_one_simulated_hand_is_one_hand(ofc: Callable, tmp_path: Path) -> None:
    log, database = tmp_path / "a.ofc.jsonl", tmp_path / "a.duckdb"

    def told(hands: int, *where: object) -> str:
        return ofc("simulate", "--agents", "random", "--hands", hands, *where).out.strip()

    assert told(1, "--out", log) == f"1 hand simulated and written to {log}"
    assert told(2, "--out", log) == f"2 hands simulated and written to {log}"
    assert told(1, "--db", database) == "1 hand simulated and stored, 0 were there before"
    assert told(1, "--db", database) == "0 hands simulated and stored, 1 was there before"

"""Tables in a narrow terminal, and errors without a stack trace."""

from __future__ import annotations

import io
import re
import time

import polars as pl
import pytest
from rich.console import Console

from analysis.output import groups_table, new_table
from dashboard import cli
from ingest import progress
from ingest.console import print_wide

HEADS = [f"points of row {i}" for i in range(9)]


def _shown(capsys: pytest.CaptureFixture[str], width: int, names: tuple[str, ...] = ("Ada", "Grace")) -> list[str]:
    table = new_table("A [title]", ["player"], HEADS)
    for name in names:
        table.add_row(name, *(f"{i},000 to {i + 1},000" for i in range(9)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FORCE_COLOR", "1")
        patch.setenv("COLUMNS", str(width))
        print_wide(table)
    return re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out).splitlines()


@pytest.mark.parametrize("width", [40, 80, 100])
def test_a_wide_table_comes_in_parts_that_name_their_rows(capsys: pytest.CaptureFixture[str], width: int) -> None:
    lines = _shown(capsys, width)
    assert max(map(len, lines)) <= width
    assert not any("…" in line for line in lines)
    text = " ".join(" ".join(lines).split())
    assert all(text.count(f"{i},000 to {i + 1},000") == 2 for i in range(9))
    parts = sum(line.startswith("player") for line in lines)
    assert parts > 1
    assert parts == sum(line.startswith("Grace") for line in lines)
    assert text.count("A [title]") == 1


def test_a_table_that_fits_stays_whole(capsys: pytest.CaptureFixture[str]) -> None:
    lines = _shown(capsys, 200)
    assert sum(line.startswith("player") for line in lines) == 1
    assert all(head in " ".join(lines) for head in HEADS)


def test_a_long_name_wraps_and_is_not_cut(capsys: pytest.CaptureFixture[str]) -> None:
    lines = _shown(capsys, 60, ("x" * 50,))
    first = [line[:24].strip() for line in lines if line.startswith("x")]
    assert "".join(first).count("x") >= 50


def test_a_file_that_cannot_be_written_is_told_in_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise FileNotFoundError(2, "No such file or directory", "missing/hands.jsonl")

    monkeypatch.setattr(cli, "app", fail)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == (
        "ofc: expected to read or write missing/hands.jsonl, got: No such file or directory\n"
    )


def test_a_group_of_any_name_can_be_shown(capsys: pytest.CaptureFixture[str]) -> None:
    row = {"metric": "hands", "value": 3.0, "n": 3, "low": None, "high": None, "small": False}
    frame = pl.DataFrame([row | {"player": "[/b]Anna"}, row | {"player": "Ben [red]"}])
    print_wide(groups_table(frame, ["player"], ["hands"], "[/i] as played"))
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0].strip() for line in lines] == ["[/i] as played", "player", "[/b]Anna", "Ben [red]"]


@pytest.mark.parametrize("terminal", [True, False])
def test_work_is_told_on_a_terminal_only(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.StringIO()
    monkeypatch.setattr(progress, "Console", lambda **_: Console(file=file, force_terminal=terminal))
    with progress.shown_work("reading hands") as say:
        say("scoring them")
        time.sleep(0.2)
    assert ("scoring them" in file.getvalue()) == terminal
    assert terminal or not file.getvalue()

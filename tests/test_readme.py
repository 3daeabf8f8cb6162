"""The README is true: its commands run, its examples are valid, its tables are those of the registries."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ingest.game.rules import load_rules
from ingest.places import samples_folder

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def marked(name: str) -> str:
    """What stands between two marks of the README."""
    found = re.search(rf"<!-- {name}:begin -->\n(.*?)<!-- {name}:end -->", README, re.DOTALL)
    assert found, f"expected marks {name}:begin and {name}:end in the README"
    return found[1]


def code(text: str, language: str) -> list[str]:
    """The code blocks of a text that name a language."""
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def commands() -> list[str]:
    """Every call of `ofc` in the README's examples, without its comment."""
    lines = [line.split("#")[0].strip() for block in code(README, "sh") for line in block.splitlines()]
    return [line for line in lines if line.startswith("ofc ")]


def test_two_commands_do_all_the_set_up() -> None:
    for name, last in (("demo", ".venv/bin/ofc demo"), ("tests", ".venv/bin/python -m pytest")):
        [block] = code(marked(name), "sh")
        assert len(block.splitlines()) == 1
        assert block.startswith("python3 -m venv .venv && ")
        assert block.strip().endswith(last)


def test_the_run_on_a_clean_checkout_calls_the_second(tmp_path: Path) -> None:
    """Run `.ci/run` with a README whose command only says that it was called."""
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci" / "run").write_text((ROOT / ".ci" / "run").read_text("utf-8"), "utf-8")
    (tmp_path / "README.md").write_text(README.replace(code(marked("tests"), "sh")[0], "echo called\n"), "utf-8")
    # A command called chromium on the path: nothing is to be installed here.
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "chromium").write_text("#!/bin/sh\n")
    (tmp_path / "bin" / "chromium").chmod(0o755)
    run = subprocess.run(
        ["bash", str(tmp_path / ".ci" / "run")],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"},
    )
    assert run.stdout.splitlines() == ["+ echo called", "called"]


def test_examples_of_the_command_line_run(
    ofc: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    monkeypatch.setenv("OFC_DB", str(tmp_path / "ofc.duckdb"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deal.txt").write_text(code(README, "text")[0], "utf-8")
    (tmp_path / "data" / "rules").mkdir(parents=True)
    (tmp_path / "data" / "rules" / "house.toml").write_text(code(README, "toml")[0], "utf-8")
    monkeypatch.setattr("dashboard.commands.run_dashboard", lambda *_, **__: None)
    assert len(commands()) >= 8
    for command in commands():
        with subtests.test(command):
            told = command.replace("~/ofc-logs", str(samples_folder()))
            run = ofc(*shlex.split(told)[1:])
            # The samples hold a hand that is rejected.
            assert run.code == (3 if command.startswith("ofc ingest") else 0), run.err
            assert run.out or command == "ofc dashboard"


def test_the_house_rule_is_valid(tmp_path: Path) -> None:
    [block] = code(README, "toml")
    (tmp_path / "house.toml").write_text(block, "utf-8")
    assert load_rules(tmp_path / "house.toml").points.scoop == 2

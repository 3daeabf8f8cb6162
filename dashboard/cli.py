"""The root of the command `ofc`: it gathers the sub-commands of the packages."""

from __future__ import annotations

import errno
import os
import sys
from importlib.metadata import version
from io import TextIOWrapper

import typer

from analysis import cli as analysis_cli
from analysis import studies_cli
from dashboard import commands as dashboard_commands
from dashboard import demo
from ingest import cli as ingest_cli
from ingest import rules_cli, score_cli, simulate_cli
from ingest.command import Commands
from ingest.game.errors import OFCError

app = Commands(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Open Face Chinese poker: read session logs, score every hand again under any rule set, see what a rule does.",
)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"ofclab {version('ofclab')}")
        raise typer.Exit


@app.callback()
def root(
    _: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Print the version."),
) -> None:
    """Gather the sub-commands."""


for _commands in (demo, ingest_cli, score_cli, rules_cli, simulate_cli, analysis_cli, studies_cli, dashboard_commands):
    _commands.register(app)


def main() -> None:
    """Run the command line; an error of ours is printed as one sentence, without a stack trace."""
    if isinstance(sys.stdout, TextIOWrapper):
        # A name that the terminal cannot show must not end the program.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        app()
    except OFCError as error:
        print(f"ofc: {error}", file=sys.stderr)
        raise SystemExit(error.exit_code) from None
    except (KeyboardInterrupt, RuntimeError) as error:
        from ingest.database import was_interrupted

        if not (isinstance(error, KeyboardInterrupt) or was_interrupted(error)):
            raise
        print("ofc: interrupted", file=sys.stderr)
        raise SystemExit(ingest_cli.INTERRUPTED) from None
    except OSError as error:
        if error.errno != errno.ENOSPC:
            if error.filename is None:
                raise
            print(f"ofc: expected to read or write {error.filename}, got: {error.strerror}", file=sys.stderr)
            raise SystemExit(2) from None
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  what is still to be written would fail once more at the end
        print(f"ofc: expected room for what is written, got: {error.strerror}", file=sys.stderr)
        raise SystemExit(1) from None

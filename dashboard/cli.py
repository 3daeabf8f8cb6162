"""The root of the command `ofc`: it gathers the sub-commands of the packages."""

from __future__ import annotations

import sys

import typer

from ingest.game.errors import OFCError

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Open Face Chinese poker: logs in, every hand scored again.")


def main() -> None:
    """Run the command line; an error of ours is printed as one sentence, without a stack trace."""
    try:
        app()
    except OFCError as error:
        print(f"ofc: {error}", file=sys.stderr)
        raise SystemExit(error.exit_code) from None

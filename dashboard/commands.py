"""The command `ofc dashboard`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

HOST = "127.0.0.1"
DEFAULT_PORT = 8501


def register(app: typer.Typer) -> None:
    """Add `ofc dashboard` to the root command."""
    app.command()(dashboard)


def dashboard(
    port: Annotated[
        int | None,
        typer.Option(
            min=1, max=65535, metavar="N", help=f"port to listen on; default: the first free one from {DEFAULT_PORT}"
        ),
    ] = None,
    browser: Annotated[bool, typer.Option(help="open a browser window")] = True,
    db: Annotated[
        Path | None, typer.Option("--db", metavar="FILE", help="the database; default: OFC_DB, else data/ofc.duckdb")
    ] = None,
) -> None:
    """Open the dashboard in a browser. It listens on this machine only; Ctrl-C ends it."""
    run_dashboard(port, browser=browser, db=db)


def run_dashboard(port: int | None = None, *, browser: bool = True, db: Path | None = None) -> None:
    """Serve the dashboard until it is interrupted. Raises OFCError if `port` is taken, or `db` is no database."""
    import os

    from streamlit.web import cli

    from ingest.places import database_path
    from ingest.snapshots import verify_place

    verify_place(database_path(db))
    if db is not None:
        os.environ["OFC_DB"] = str(db.expanduser().absolute())
    chosen = free_port() if port is None else check_port(port)
    typer.echo(f"The dashboard is at http://localhost:{chosen} (this machine only); Ctrl-C ends it.", err=True)
    # Flags outweigh any setting of the reader's own, so these three hold whatever else Streamlit finds.
    flags = {
        "server.address": HOST,
        "server.port": chosen,
        "server.headless": str(not browser).lower(),
        "browser.gatherUsageStats": "false",
    }
    arguments = [
        "run",
        str(Path(__file__).with_name("app.py")),
        *(f"--{name}={value}" for name, value in flags.items()),
    ]
    cli.main(arguments, prog_name="ofc dashboard")


def check_port(port: int) -> int:
    """`port` if nothing listens on it. Raises OFCError."""
    import socket

    from ingest.game.errors import OFCError

    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise OFCError(f"expected a free port, got {port}: {error.strerror}") from None
    return port


def free_port(first: int = DEFAULT_PORT) -> int:
    """The first free port of twenty. Raises OFCError."""
    from ingest.game.errors import OFCError

    for port in range(first, first + 20):
        try:
            return check_port(port)
        except OFCError:
            continue
    raise OFCError(f"expected a free port between {first} and {first + 19}, got none; say one with --port")

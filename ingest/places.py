"""Where the data lives: the database, its snapshots, a user's own rule sets, the sample logs."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path

_PACKAGE = Path(__file__).resolve().parent


def checkout() -> Path | None:
    """The folder of the source tree, if the program runs out of one: it has pyproject.toml beside the packages."""
    folder = _PACKAGE.parent
    return folder if (folder / "pyproject.toml").is_file() else None


def data_folder() -> Path:
    """``data`` in a source tree, else the platform's folder for a user's data."""
    tree = checkout()
    return tree / "data" if tree else user_data_path("ofclab")


def database_path(given: str | Path | None = None) -> Path:
    """The work database: as given, else as OFC_DB says, else ``ofc.duckdb`` in the data folder."""
    chosen = given or os.environ.get("OFC_DB")
    return Path(chosen).expanduser() if chosen else data_folder() / "ofc.duckdb"


def rule_folders() -> tuple[Path, ...]:
    """Where a user keeps his own rule sets."""
    return (data_folder() / "rules",)


def samples_folder() -> Path:
    """The sample logs: in the source tree, else inside the installed package."""
    tree = checkout()
    return tree / "data" / "samples" if tree else _PACKAGE / "samples"

"""A connection with the few ways in which we ask it: the writer's, or a reader's to a snapshot."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import duckdb
import polars as pl


class Database:
    """A connection; `store.Store` is the one that writes."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.connection = connection

    def query(self, sql: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        rows: list[tuple[Any, ...]] = self.connection.execute(sql, parameters or []).fetchall()
        return rows

    def frame(self, sql: str) -> pl.DataFrame:
        """The rows of a query as a frame."""
        rows: pl.DataFrame = self.connection.sql(sql).pl()
        return rows

    @contextlib.contextmanager
    def named(self, **frames: pl.DataFrame) -> Iterator[None]:
        """Frames that queries in the block may name as tables."""
        for name, frame in frames.items():
            self.connection.register(name, frame)
        try:
            yield
        finally:
            for name in frames:
                self.connection.unregister(name)

    def fact(self, name: str) -> str | None:
        """A fact about the database, such as its session_gap; None if it was never set."""
        rows = self.query("SELECT value FROM meta WHERE name = ?", [name])
        return rows[0][0] if rows else None

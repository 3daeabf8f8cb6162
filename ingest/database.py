"""A connection with the few ways in which we ask it: the writer's, or a reader's to a snapshot."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import duckdb
import polars as pl


def was_interrupted(error: BaseException) -> bool:
    """Whether this is how Ctrl-C in the middle of a query shows itself: not as a KeyboardInterrupt."""
    return isinstance(error, duckdb.InterruptException) or (
        isinstance(error, RuntimeError) and str(error) == "Query interrupted"
    )


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    try:
        yield
    except (RuntimeError, duckdb.InterruptException) as error:
        if was_interrupted(error):
            raise KeyboardInterrupt from None
        raise


class Database:
    """A connection; `store.Store` is the one that writes."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.connection = connection

    def query(self, sql: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with _interruptible():
            rows: list[tuple[Any, ...]] = self.connection.execute(sql, parameters or []).fetchall()
        return rows

    def frame(self, sql: str) -> pl.DataFrame:
        """The rows of a query as a frame."""
        with _interruptible():
            rows: pl.DataFrame = self.connection.sql(sql).pl()
        return rows

    @contextlib.contextmanager
    def named(self, **frames: pl.DataFrame) -> Iterator[None]:
        """Frames that queries in the block may name as tables."""
        for name, frame in frames.items():
            self.connection.register(name, frame)
        try:
            with _interruptible():
                yield
        finally:
            for name in frames:
                # After an error the transaction may allow nothing more; what it rolls back takes the names with it.
                with contextlib.suppress(duckdb.TransactionException):
                    self.connection.unregister(name)

    def fact(self, name: str) -> str | None:
        """A fact about the database, such as its session_gap; None if it was never set."""
        rows = self.query("SELECT value FROM meta WHERE name = ?", [name])
        return rows[0][0] if rows else None

"""The work database: the only writer. Readers use the snapshots that it publishes, see `ingest.snapshots`."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

import duckdb
import orjson
import polars as pl

from ingest.database import Database, was_interrupted
from ingest.game.errors import OFCError
from ingest.game.rules import RuleSet
from ingest.lock import busy, write_lock
from ingest.schema import SCHEMA_VERSION, SCORES, Table, create_statements
from ingest.scoring import rules_key
from ingest.snapshots import (
    Snapshot,
    next_version,
    publish,
    published_version,
    verify_place,
    verify_schema,
)

_HOLDER = re.compile(r"PID (\d+)")
# What the disk or the machine may do to a write: no bug of ours.
_BROKEN = (duckdb.IOException, duckdb.OutOfMemoryException, duckdb.FatalException)


class WriteError(OFCError):
    """The database could not be written: the disk is full, or gone."""

    exit_code = 1


class Store(Database):
    """The database at `path`, made if there is none, open for writing until the end of a ``with`` block.

    `changed`: it holds what no snapshot does, written now or by a run that was stopped before it could publish.

    With `dry_run` everything is done as ever and then taken back: nothing is left on the disk. Raises DatabaseBusy
    (another process writes), WrongSchema (another version's database) and OFCError.
    """

    def __init__(self, path: Path, *, dry_run: bool = False) -> None:
        self.path = path
        self.dry_run = dry_run
        self.changed = False
        self._has_number = False
        self._stack = ExitStack()
        verify_place(path)
        if not dry_run or path.exists():
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise OFCError(f"expected to make the folder {path.parent}, got: {error.strerror}") from None
            self._stack.enter_context(write_lock(path))
        try:
            super().__init__(self._connect())
            self._prepare()
        except BaseException:
            self._stack.close()
            raise

    def _connect(self) -> duckdb.DuckDBPyConnection:
        in_memory = self.dry_run and not self.path.exists()
        try:
            connection = duckdb.connect(":memory:" if in_memory else str(self.path))
        except duckdb.IOException as error:
            holder = _HOLDER.search(str(error))
            if holder:
                raise busy(self.path, holder[1]) from None
            raise OFCError(f"expected a database at {self.path}, got: {str(error).splitlines()[0]}") from None
        self._stack.callback(connection.close)
        return connection

    def _prepare(self) -> None:
        """Make the tables of a new database, or see that an old one is ours."""
        # Rows need no order of their own; without it large inserts need less memory.
        self.connection.execute("SET preserve_insertion_order = false")
        # A run ends with a checkpoint anyway; more of them on the way would write the same pages again and again.
        self.connection.execute("SET checkpoint_threshold = '512MB'")
        if self.dry_run:
            self.connection.execute("BEGIN")
            self._stack.callback(self.connection.execute, "ROLLBACK")
        # A run that was killed at its very start leaves a file without tables.
        if self.query("SELECT count(*) FROM duckdb_tables()") == [(0,)]:
            with self.transaction():
                for statement in create_statements():
                    self.connection.execute(statement)
                self.set_fact("schema_version", str(SCHEMA_VERSION))
        else:
            verify_schema(self.connection, self.path)
            self.changed = int(self.fact("snapshot") or 0) > published_version(self.path)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All of the block or nothing of it."""
        if self.dry_run:
            yield
            self.changed = True
            return
        self.connection.execute("BEGIN")
        try:
            yield
            if not self._has_number:
                # That of the snapshot that will hold this run; as long as there is none, there is something to publish.
                self.set_fact("snapshot", str(next_version(self.path, int(self.fact("snapshot") or 0))))
            self.connection.execute("COMMIT")
        except BaseException as error:
            # After a full disk there may be nothing left to roll back.
            with contextlib.suppress(duckdb.Error):
                self.connection.execute("ROLLBACK")
            if isinstance(error, _BROKEN):
                raise WriteError(f"expected to write {self.path}, got: {str(error).splitlines()[0]}") from None
            if was_interrupted(error):
                raise KeyboardInterrupt from None
            raise
        self.changed = self._has_number = True

    def insert(self, table: Table, rows: pl.DataFrame) -> None:
        """Add rows; columns that `rows` lacks become NULL."""
        if len(rows):
            names = ", ".join(name for name in table.names if name in rows.columns)
            with self.named(new_rows=rows):
                self.connection.execute(f"INSERT INTO {table.name} ({names}) SELECT {names} FROM new_rows")

    def set_fact(self, name: str, value: str) -> None:
        """Remember a fact about the database."""
        self.connection.execute("DELETE FROM meta WHERE name = ?", [name])
        self.connection.execute("INSERT INTO meta VALUES (?, ?)", [name, value])

    def rule_sets(self) -> pl.DataFrame:
        """The stored rule sets: rows of the table `rule_sets`."""
        return self.frame("SELECT * FROM rule_sets ORDER BY name, rules_key")

    def add_rule_sets(self, rule_sets: Iterable[RuleSet]) -> None:
        """Store rule sets that are not stored yet."""
        known = {key for (key,) in self.query("SELECT rules_key FROM rule_sets")}
        for rules in rule_sets:
            key = rules_key(rules)
            if key not in known:
                definition = orjson.dumps(rules.data, option=orjson.OPT_SORT_KEYS).decode()
                deal = rules.deal
                self.connection.execute(
                    "INSERT INTO rule_sets (rules_key, name, title, game, decks, middle, definition) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?)",
                    [key, rules.name, rules.title, deal.game, deal.decks, deal.middle, definition],
                )
                known.add(key)

    def write_scores(self, rules: RuleSet, scores: pl.DataFrame) -> None:
        """Store scores under one rule set (rows as `scoring.score_frame` makes them) in place of older ones.

        To be called inside `transaction`.
        """
        self.add_rule_sets([rules])
        with self.named(scored=scores.select("hand_key").unique()):
            self.connection.execute(
                "DELETE FROM scores WHERE rules_key = ? AND hand_key IN (SELECT hand_key FROM scored)",
                [rules_key(rules)],
            )
        self.insert(SCORES, scores)

    def publish(self) -> Snapshot:
        """Close the database and publish a snapshot of it; not to be called on a dry run."""
        if not self._has_number:
            with self.transaction():
                pass
        version = int(self.fact("snapshot") or 0)
        self.connection.execute("CHECKPOINT")
        # The lock outlives the connection: nobody may write while the file is copied.
        self.connection.close()
        return publish(self.path, version)

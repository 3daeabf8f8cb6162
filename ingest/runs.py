"""Runs: a database opened, something read into it, a snapshot published."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ingest.again import outdated_files, retry_rejects
from ingest.anonymise import Anonymiser, load_anonymiser
from ingest.formats.options import ReadOptions
from ingest.interrupts import Interrupts
from ingest.load import Loader
from ingest.outcome import Outcome, Progress
from ingest.progress import shown_progress
from ingest.sessions import GAP_FACT
from ingest.store import Store


@dataclass
class Run:
    """How logs are read into the database at `path`; each method is one run.

    A first Ctrl-C ends the reading: `interrupted` is True, and what was read is stored and published. At a second one
    KeyboardInterrupt is raised; what was stored by then stays, and the next run publishes it.
    """

    path: Path
    options: ReadOptions
    dry_run: bool = False
    anonymise: bool = False
    session_gap: int | None = None
    interrupted: bool = False

    def load(self, paths: list[str]) -> list[Outcome]:
        """Read logs."""
        with self._store() as (store, interrupts), shown_progress() as on_progress:
            return self._load(store, paths, on_progress, interrupts)

    def reparse(self, paths: list[str]) -> list[Outcome]:
        """Read again what an older reader has read: under `paths`, or everything that is still there."""
        with self._store() as (store, interrupts), shown_progress() as on_progress:
            missing: list[Outcome] = []
            if not paths:
                paths, missing = outdated_files(store)
            return self._load(store, paths, on_progress, interrupts, reparse=True) + missing

    def retry_rejects(self) -> list[Outcome]:
        """Read rejected records again; all of them or, at Ctrl-C, none."""
        with self._store() as (store, interrupts), interrupts.broken_off():
            return retry_rejects(store, self.options, self._anonymiser())

    def _load(
        self,
        store: Store,
        paths: list[str],
        on_progress: Callable[[Progress], None],
        interrupts: Interrupts,
        *,
        reparse: bool = False,
    ) -> list[Outcome]:
        loader = Loader(
            store, self.options, on_progress, anonymiser=self._anonymiser(), reparse=reparse, interrupts=interrupts
        )
        return loader.load(paths)

    def _anonymiser(self) -> Anonymiser | None:
        return load_anonymiser(self.path) if self.anonymise else None

    @contextmanager
    def _store(self) -> Iterator[tuple[Store, Interrupts]]:
        """The database, and what Ctrl-C does while it is open.

        It is published after the block if anything was written, also if the block failed half-way; not where the user
        would have to wait for it.
        """
        with Interrupts() as interrupts, Store(self.path, dry_run=self.dry_run) as store:
            if self.session_gap is not None:
                with store.transaction():
                    store.set_fact(GAP_FACT, str(self.session_gap))
            stopped = False
            try:
                yield store, interrupts
            except KeyboardInterrupt:
                stopped = True
                raise
            finally:
                if store.changed and not self.dry_run and not stopped:
                    store.publish()
                # Also one that came when everything was read.
                self.interrupted = interrupts.count > 0

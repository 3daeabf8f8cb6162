"""Runs: a database opened, something read into it, a snapshot published."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ingest.again import outdated_files, retry_rejects
from ingest.anonymise import Anonymiser, load_anonymiser
from ingest.formats.options import ReadOptions
from ingest.load import Loader
from ingest.outcome import Outcome, Progress
from ingest.progress import shown_progress
from ingest.sessions import GAP_FACT
from ingest.store import Store


@dataclass
class Run:
    """How logs are read into the database at `path`; each method is one run. `interrupted`: the user stopped it."""

    path: Path
    options: ReadOptions
    dry_run: bool = False
    anonymise: bool = False
    session_gap: int | None = None
    interrupted: bool = False

    def load(self, paths: list[str]) -> list[Outcome]:
        """Read logs."""
        with self._store() as store, shown_progress() as on_progress:
            return self._load(store, paths, on_progress)

    def reparse(self, paths: list[str]) -> list[Outcome]:
        """Read again what an older reader has read: under `paths`, or everything that is still there."""
        with self._store() as store, shown_progress() as on_progress:
            missing: list[Outcome] = []
            if not paths:
                paths, missing = outdated_files(store)
            return self._load(store, paths, on_progress, reparse=True) + missing

    def retry_rejects(self) -> list[Outcome]:
        """Read rejected records again."""
        with self._store() as store:
            return retry_rejects(store, self.options, self._anonymiser())

    def _load(
        self, store: Store, paths: list[str], on_progress: Callable[[Progress], None], *, reparse: bool = False
    ) -> list[Outcome]:
        loader = Loader(store, self.options, on_progress, anonymiser=self._anonymiser(), reparse=reparse)
        outcomes = loader.load(paths)
        self.interrupted = loader.interrupted
        return outcomes

    def _anonymiser(self) -> Anonymiser | None:
        return load_anonymiser(self.path) if self.anonymise else None

    @contextmanager
    def _store(self) -> Iterator[Store]:
        """The database, published after the block if anything was written, also if the block failed half-way."""
        with Store(self.path, dry_run=self.dry_run) as store:
            if self.session_gap is not None:
                with store.transaction():
                    store.set_fact(GAP_FACT, str(self.session_gap))
            try:
                yield store
            finally:
                if store.changed and not self.dry_run:
                    store.publish()

"""Simulated hands into the database: through the same checks and into the same tables as parsed ones."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime

import numpy as np
import numpy.typing as npt
import polars as pl

from ingest.batch import Batch
from ingest.check import keys_of
from ingest.enter import enter, prepare
from ingest.evaluate import with_deals
from ingest.game.errors import OFCError
from ingest.keys import source_key
from ingest.replay import GAMES, reason_of, replay
from ingest.schema import SOURCES
from ingest.sessions import cut_sessions
from ingest.simulate.record import run_name
from ingest.simulate.session import Plan
from ingest.store import Store

FORMAT = "simulated"
# The version of what deals and plays: a new one plays other hands from the same seed.
VERSION = 2


def verify_batch(batch: Batch) -> None:
    """Raise OFCError if a hand does not pass the checks that every parsed hand goes through: that would be our bug."""
    hands = with_deals(batch).hands
    games = hands["game"].replace_strict(GAMES, default=0, return_dtype=pl.UInt8).to_numpy()
    found = replay(batch, games, hands["decks"].to_numpy())
    for hand in np.flatnonzero(found.codes).tolist():
        raise OFCError(f"expected simulated hands to be sound, got {reason_of(found, hand)[1]}")


def store_hands(store: Store, plan: Plan, batches: Iterable[Batch]) -> tuple[int, int]:
    """Enter the hands of a simulation, a transaction for each batch; how many are new, how many were known."""
    name = f"simulated {run_name(plan)}: {', '.join(plan.agents)} play {plan.rules.name}, seed {plan.seed}"
    sha256 = hashlib.sha256(name.encode()).hexdigest()
    key = source_key(sha256)
    new = known = 0
    try:
        for batch in batches:
            try:
                stored = _write_batch(store, batch, key, name, sha256)
            except KeyboardInterrupt:
                # These hands are finished, so they are kept.
                _write_batch(store, batch, key, name, sha256)
                raise
            new += int(stored.sum())
            known += int((~stored).sum())
    finally:
        if store.changed:
            with store.transaction():
                cut_sessions(store)
    return new, known


def _write_batch(store: Store, batch: Batch, key: int, name: str, sha256: str) -> npt.NDArray[np.bool_]:
    """Check hands and enter them in one transaction; which of them are new."""
    verify_batch(batch)
    with store.transaction():
        entered = enter(store, prepare(batch, np.full(len(batch), key, np.int64), keys_of(batch)))
        _write_source(store, key, name, sha256)
    return entered.stored


def _write_source(store: Store, key: int, name: str, sha256: str) -> None:
    store.connection.execute("DELETE FROM sources WHERE source_key = ?", [key])
    row = {
        "source_key": key,
        "name": name,
        "sha256": sha256,
        "bytes": 0,
        "format": FORMAT,
        "parser": f"{FORMAT}/{VERSION}",
        "read_to": 0,
        "note": None,
        "ingested_at": datetime.now(UTC).replace(tzinfo=None),
    }
    store.insert(SOURCES, pl.DataFrame([row]))

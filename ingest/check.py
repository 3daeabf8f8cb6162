"""Chunks of records to hands that can be entered: columns, the replay, the keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from ingest.batch import Batch
from ingest.chunk import Bad, Chunk
from ingest.evaluate import with_deals
from ingest.keys import hand_key, nameless_hand_key
from ingest.replay import GAMES, reason_of, replay

Keys = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Checked:
    """The hands of a chunk that pass, which those are (n,), and what is wrong with the others.

    `positions`: where each record of the chunk starts, in bytes, (n,).
    """

    batch: Batch
    kept: npt.NDArray[np.bool_]
    bad: list[Bad]
    positions: pl.Series


def check(chunk: Chunk) -> Checked:
    """Make columns of a chunk and replay its hands."""
    batch, unreadable = chunk.columns()
    bad = unreadable + list(_failed(batch, {place for place, _, _ in unreadable}))
    kept = np.ones(len(batch), np.bool_)
    kept[[place for place, _, _ in bad]] = False
    return Checked(batch.keep(kept), kept, bad, batch.hands["position"])


def _failed(batch: Batch, known: set[int]) -> Iterator[Bad]:
    """The hands that fail the replay, but those that are known to be bad."""
    hands = with_deals(batch).hands
    games = hands["game"].replace_strict(GAMES, default=0, return_dtype=pl.UInt8).to_numpy()
    found = replay(batch, games, hands["decks"].to_numpy())
    for place in np.flatnonzero(found.codes).tolist():
        if place not in known:
            yield Bad(place, *reason_of(found, place))


def keys_of(batch: Batch) -> Keys:
    """The key of each hand, (n,)."""
    keys = [
        0 if name is None else hand_key(site, name)
        for site, name in zip(batch.hands["site"], batch.hands["hand_id"], strict=True)
    ]
    nameless = batch.hands["hand_id"].is_null().to_numpy()
    if nameless.any():
        for place, hand in zip(np.flatnonzero(nameless).tolist(), batch.keep(nameless).to_hands(), strict=True):
            keys[place] = nameless_hand_key(hand)
    return np.array(keys, np.int64)

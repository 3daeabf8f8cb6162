"""Chance that depends on where it is used and on nothing else.

Every random number is a hash (the finaliser of SplitMix64) of a key and a counter, and every key a hash of the seed
and of the place it is used at: session, hand, purpose. So the same seed deals the same hands on any machine, in any
order of work and with any number of workers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ingest.game.cards import CARD_COUNT
from ingest.game.kernels import kernel, piece

Keys = npt.NDArray[np.uint64]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@piece
def draw(key, count):  # type: ignore[no-untyped-def]
    """The 64 random bits that stand at place `count` (from 1) of a key."""
    x = key + np.uint64(count) * _GOLDEN
    x = (x ^ (x >> _S30)) * _FIRST
    x = (x ^ (x >> _S27)) * _SECOND
    return x ^ (x >> _S31)


@piece
def below(bits, end):  # type: ignore[no-untyped-def]
    """A whole number 0..end-1 from 64 random bits; the bias is under `end` / 2**32."""
    return np.int64(((bits >> _S32) * np.uint64(end)) >> _S32)


@piece
def shuffle(cards, start, stop, key):  # type: ignore[no-untyped-def]
    """Put cards[start:stop] in random order, in place."""
    for k in range(stop - 1, start, -1):
        other = start + below(draw(key, k), k - start + 1)
        cards[k], cards[other] = cards[other], cards[k]


def _mixed(x: Keys) -> Keys:
    x = (x ^ (x >> _S30)) * _FIRST
    x = (x ^ (x >> _S27)) * _SECOND
    return x ^ (x >> _S31)


def fold(seed: int, *places: int | npt.ArrayLike) -> Keys:
    """The key of a place: whole numbers, of which any may be an array; all are folded into one another in order."""
    key = np.atleast_1d(np.array(seed % (1 << 64), np.uint64))
    for place in places:
        numbers = np.atleast_1d(np.asarray(place)).astype(np.int64).view(np.uint64)
        key = _mixed(key * _GOLDEN + _mixed(numbers + _GOLDEN))
    return key


@kernel
def _decks(keys, pack, out):  # type: ignore[no-untyped-def]
    for i in range(keys.shape[0]):
        out[i, :] = pack
        shuffle(out[i], 0, pack.shape[0], keys[i])


def shuffled_decks(keys: Keys, decks: int) -> npt.NDArray[np.uint8]:
    """One shuffled pack of `decks` decks for each key, ``(n, 52 * decks)``."""
    pack = np.tile(np.arange(CARD_COUNT, dtype=np.uint8), decks)
    out = np.empty((len(keys), len(pack)), np.uint8)
    _decks(keys, pack, out)
    return out


def uniform(keys: Keys, count: int = 1) -> npt.NDArray[Any]:
    """A random number in [0, 1) from each key; another `count`, another number."""
    with np.errstate(over="ignore"):
        bits = _mixed(keys + np.uint64(count) * _GOLDEN)
    return (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53

"""The learned net: from a board to how likely it ends legal, and as which bucket each of its rows ends."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.kernels import piece
from ingest.simulate.buckets import BUCKETS

Floats = npt.NDArray[np.float32]

# Outputs of the net: three rows of BUCKETS, then the logit of ending legal.
HEADS = 3 * BUCKETS + 1
LEGAL = 3 * BUCKETS


class Net(NamedTuple):
    """Weights by stage; a stage is a number of cards placed."""

    hidden: Floats  # (stages, FEATURES, width)
    hidden_bias: Floats  # (stages, width), the context of the rules already in it
    heads: Floats  # (stages, width, HEADS)
    heads_bias: Floats  # (stages, HEADS)
    stage_of: npt.NDArray[np.int64]  # (14,) by cards placed


@piece
def add_features(weights, index, value, start, stop, hidden):  # type: ignore[no-untyped-def]
    """Add what features from `start` to `stop` bring to the hidden layer."""
    for k in range(start, stop):
        row, x = weights[index[k]], value[k]
        for j in range(hidden.shape[0]):
            hidden[j] += row[j] * x


@piece
def _exp(x):  # type: ignore[no-untyped-def]
    """e**x, near enough, by multiplications alone: the same on every machine. Right for -20 < x < 20."""
    y = max(np.float32(1.0) + x * np.float32(1.0 / 1024.0), np.float32(0.0))
    y *= y
    y *= y
    y *= y
    y *= y
    y *= y
    y *= y
    y *= y
    y *= y
    y *= y
    y *= y
    return y


@piece
def run_heads(hidden, heads, bias, out):  # type: ignore[no-untyped-def]
    """From the hidden layer to weights: a row's buckets in proportion, the last output the odds to end legal."""
    out[:] = bias
    for j in range(hidden.shape[0]):
        x = hidden[j]
        if x > 0:
            row = heads[j]
            for k in range(HEADS):
                out[k] += row[k] * x
    for k in range(HEADS):
        out[k] = _exp(out[k])

"""The net and how it is fitted: from boards to how likely they are to end legal, and as which buckets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.kernels import kernel
from ingest.simulate.buckets import BUCKETS
from ingest.simulate.features import FEATURES, MOST_FEATURES, board_features
from ingest.simulate.net import HEADS, LEGAL
from ingest.simulate.stakes import CONTEXT
from ingest.simulate.views import Cards

Floats = npt.NDArray[np.float32]
Weights = dict[str, Floats]

WIDTH = 64
# How much more the chance to end legal weighs than the buckets of a row.
_LEGAL_WEIGHT = 3.0
_NAMES = ("hidden", "context", "hidden_bias", "heads", "heads_bias")


class Samples(NamedTuple):
    """Boards that were seen, and how they ended over some futures."""

    boards: Cards  # (n, 13)
    live: Floats  # (n, 17) shares of ranks and suits
    contexts: Floats  # (n, CONTEXT)
    ends: npt.NDArray[np.uint8]  # (n, 3, BUCKETS) futures that ended legal, by bucket of each row
    legal: npt.NDArray[np.uint8]  # (n,) futures that ended legal
    futures: npt.NDArray[np.uint8]  # (n,)


def join(parts: Sequence[Samples]) -> Samples:
    """Samples one behind the other."""
    return Samples(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def chosen(samples: Samples, which: npt.NDArray[Any]) -> Samples:
    """Some of the samples."""
    return Samples(*(column[which] for column in samples))


def new_weights(placed: Sequence[int], seed: int = 1) -> Weights:
    """Weights that know nothing, for the stages of a way of dealing."""
    chance = np.random.default_rng(seed)
    stages = len(placed)
    return {
        "hidden": (chance.standard_normal((stages, FEATURES, WIDTH)) * 0.15).astype(np.float32),
        "context": (chance.standard_normal((stages, CONTEXT, WIDTH)) * 0.15).astype(np.float32),
        "hidden_bias": np.zeros((stages, WIDTH), np.float32),
        "heads": (chance.standard_normal((stages, WIDTH, HEADS)) * 0.1).astype(np.float32),
        "heads_bias": np.zeros((stages, HEADS), np.float32),
        "placed": np.array(placed, np.float32),
    }


@kernel
def _dense(boards, live, out):  # type: ignore[no-untyped-def]
    index, value = np.empty(MOST_FEATURES, np.int64), np.empty(MOST_FEATURES, np.float32)
    rows = np.empty((3, 5), np.int64)
    for i in range(boards.shape[0]):
        count = board_features(boards[i], rows, live[i, :13], live[i, 13:], index, value)
        for k in range(count):
            out[i, index[k]] += value[k]


class _Adam:
    """Adam with a rate that falls to nothing over a given number of steps."""

    def __init__(self, parameters: list[Floats], steps: int, rate: float) -> None:
        self.parameters, self.steps, self.rate = parameters, steps, rate
        self.first = [np.zeros_like(p) for p in parameters]
        self.second = [np.zeros_like(p) for p in parameters]
        self.step_number = 0

    def step(self, gradients: list[Floats]) -> None:
        self.step_number += 1
        t = self.step_number
        rate = self.rate * max(1 - t / self.steps, 0.02) * np.sqrt(1 - 0.999**t) / (1 - 0.9**t)
        for p, g, m, v in zip(self.parameters, gradients, self.first, self.second, strict=True):
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            p -= (rate * m / (np.sqrt(v) + 1e-8)).astype(np.float32)


def fit(weights: Weights, stage: int, samples: Samples, *, epochs: int, rate: float, batch: int = 256) -> float:
    """Fit one stage to samples, in place; the mean loss of the last epoch."""
    n = len(samples.legal)
    parameters = [weights[name][stage] for name in _NAMES]
    steps = max(1, n // batch)
    adam = _Adam(parameters, steps * epochs, rate)
    loss = 0.0
    for epoch in range(epochs):
        order = np.random.default_rng([stage, epoch]).permutation(n)
        loss = 0.0
        for step in range(steps):
            some = chosen(samples, order[step * batch : (step + 1) * batch])
            step_loss, gradients = gradients_of(parameters, some)
            adam.step(gradients)
            loss += step_loss / steps
    return loss


def gradients_of(parameters: list[Floats], some: Samples) -> tuple[float, list[Floats]]:
    """The mean loss of a batch and its gradients."""
    hidden, contexts, hidden_bias, heads, heads_bias = parameters
    n = len(some.legal)
    x = np.zeros((n, FEATURES), np.float32)
    _dense(some.boards, some.live, x)
    h = x @ hidden + some.contexts @ contexts + hidden_bias
    a = np.maximum(h, 0)
    out = a @ heads + heads_bias
    wrong = np.zeros_like(out)
    loss = 0.0
    futures = some.futures.astype(np.float32)
    legal = some.legal / futures
    full = [(some.boards[:, start:stop] < 52).all(axis=1) for start, stop in ((0, 3), (3, 8), (8, 13))]
    for row in range(3):
        part = out[:, row * BUCKETS : (row + 1) * BUCKETS]
        share = np.exp(part - part.max(axis=1, keepdims=True))
        share /= share.sum(axis=1, keepdims=True)
        open_row = ~full[row].reshape(-1, 1)
        ends = some.ends[:, row] / futures[:, None] * open_row
        loss -= float((np.log(share + 1e-9) * ends).sum()) / n
        wrong[:, row * BUCKETS : (row + 1) * BUCKETS] = share * (legal[:, None] * open_row) - ends
    chance = 1 / (1 + np.exp(-out[:, LEGAL]))
    loss -= _LEGAL_WEIGHT * float((legal * np.log(chance + 1e-9) + (1 - legal) * np.log(1 - chance + 1e-9)).mean())
    wrong[:, LEGAL] = _LEGAL_WEIGHT * (chance - legal)
    wrong /= n
    back = (wrong @ heads.T) * (h > 0)
    return loss, [x.T @ back, some.contexts.T @ back, back.sum(axis=0), a.T @ wrong, wrong.sum(axis=0)]

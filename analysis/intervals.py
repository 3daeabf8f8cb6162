"""Intervals: how surely a figure is known. All take sums by session, as hands of one session are not independent.

- A rate gets a Wilson interval whose sample size is cut down by how much more the sessions differ than chance would
  have it (never enlarged), with Student's quantile for the number of sessions.
- A mean, or any ratio of sums, gets a bootstrap over sessions, studentised: sessions are drawn with replacement, and
  the error of each draw scales its deviation. Below FEWEST_RESAMPLED sessions a draw says too little about its own
  error, and above MOST_RESAMPLED nothing is gained: there Student's quantile stands in.
- Whoever looks again and again needs `anytime_interval`: it holds at every look at once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

Floats = npt.NDArray[np.float64]

LEVEL = 0.95
FEWEST_RESAMPLED = 20
MOST_RESAMPLED = 2_000
RESAMPLES = 1_999
# A draw's error counts as at least this part of the error of the whole. Of something that came in a few sessions only,
# many a draw takes none: its error is nothing, and its deviation would weigh without bound. With a quarter, simulated
# intervals of such rare things still hold what they promise, and end at some five times the value at most.
LEAST_ERROR = 0.25
# From this many sessions on intervals hold what they promise; the tests prove it by simulation.
ENOUGH_SESSIONS = 30
# The horizon, in sessions, at which the anytime-valid interval is tightest.
ANYTIME_BEST_AT = 400
# Looks before this many sessions are not covered: the spread between sessions is hardly known.
ANYTIME_FROM = 20


class Interval(NamedTuple):
    """Values with their intervals and standard errors, arrays of one shape; nan where nothing can be said."""

    value: Floats
    low: Floats
    high: Floats
    error: Floats


def rate_interval(
    successes: Floats, trials: Floats, squares: Floats, sessions: npt.NDArray[np.int64], level: float = LEVEL
) -> Interval:
    """Rates successes / trials; `squares`: the sum over sessions of (successes - rate * trials)²; arrays of one shape.

    With a single session its hands count as independent.
    """
    successes, trials, squares = (np.asarray(array, np.float64) for array in (successes, trials, squares))
    sessions = np.asarray(sessions, np.int64)
    known = trials > 0
    safe = np.where(known, trials, 1.0)
    rate = np.where(known, successes / safe, np.nan)
    several = sessions > 1
    clustered = squares * np.where(several, sessions / np.maximum(sessions - 1, 1), 0.0)
    chance = rate * (1 - rate) * safe
    design = np.where(several & (chance > 0), np.maximum(clustered / np.where(chance > 0, chance, 1.0), 1.0), 1.0)
    effective = np.maximum(safe / design, 1.0)
    quantile = _quantile(sessions, level)
    alpha = 2 * stats.norm.sf(quantile)
    low, high = proportion_confint(np.nan_to_num(rate) * effective, effective, alpha=alpha, method="wilson")
    # Rounding leaves a little where the ends are exact.
    low, high = np.where(rate == 0, 0.0, low), np.where(rate == 1, 1.0, high)
    error = np.sqrt(rate * (1 - rate) / effective)
    return Interval(rate, np.where(known, low, np.nan), np.where(known, high, np.nan), error)


def _quantile(sessions: npt.NDArray[np.int64], level: float) -> Floats:
    """Student's quantile for so many sessions; the normal one for a single session, whose hands are all there is."""
    freedom = np.where(sessions > 1, sessions - 1, np.inf)
    return np.asarray(stats.t.ppf((1 + level) / 2, freedom), np.float64)


class _Ratio(NamedTuple):
    """A ratio of sums over sessions, with what its error is made of; arrays (K,) and (S, K)."""

    value: Floats
    error: Floats
    sessions: npt.NDArray[np.int64]  # that have part in it
    residual: Floats  # numerator - ratio * denominator, by session
    denominators: Floats


def _ratio(numerators: Floats, denominators: Floats) -> _Ratio:
    numerators = np.asarray(numerators, np.float64)
    denominators = np.broadcast_to(np.asarray(denominators, np.float64), numerators.shape)
    totals = denominators.sum(axis=0)
    safe = np.where(totals > 0, totals, 1.0)
    value = np.where(totals > 0, numerators.sum(axis=0) / safe, np.nan)
    sessions = (denominators > 0).sum(axis=0)
    residual = numerators - np.nan_to_num(value) * denominators
    correction = np.where(sessions > 1, sessions / np.maximum(sessions - 1, 1), np.nan)
    error = np.sqrt(correction * (residual**2).sum(axis=0)) / safe
    return _Ratio(value, error, sessions, residual, denominators)


def ratio_interval(numerators: Floats, denominators: Floats, *, level: float = LEVEL, seed: int = 0) -> Interval:
    """Ratios of sums over sessions: (S, K) numerators and denominators to K ratios with their intervals.

    Fewer than two sessions: the value alone, its interval nan.
    """
    found = _ratio(numerators, denominators)
    half = _quantile(found.sessions, level) * found.error
    low, high = found.value - half, found.value + half
    if FEWEST_RESAMPLED <= len(found.residual) <= MOST_RESAMPLED and len(found.value):
        lower, upper = _studentised(found.residual, found.denominators, level, seed)
        resampled = (found.sessions >= FEWEST_RESAMPLED) & (found.error > 0)
        low = np.where(resampled, found.value - upper * found.error, low)
        high = np.where(resampled, found.value - lower * found.error, high)
    return Interval(found.value, low, high, found.error)


@lru_cache(maxsize=16)
def _weights(sessions: int, seed: int) -> npt.NDArray[np.float32]:
    """How often each of RESAMPLES draws takes each session, (RESAMPLES, sessions)."""
    rng = np.random.default_rng((seed, sessions))
    drawn = rng.integers(0, sessions, (RESAMPLES, sessions))
    drawn += np.arange(RESAMPLES)[:, None] * sessions
    counts = np.bincount(drawn.ravel(), minlength=RESAMPLES * sessions)
    return counts.reshape(RESAMPLES, sessions).astype(np.float32)


def _studentised(residual: Floats, denominators: Floats, level: float, seed: int) -> tuple[Floats, Floats]:
    """Quantiles of (ratio of a draw - ratio) / error of the draw, two arrays (K,).

    Numerators stand as residuals from the ratio, so that a draw's own ratio is its deviation. The squares of a draw's
    residuals are those of the whole, moved by that deviation: products instead of a pass over each draw.
    """
    sessions = len(residual)
    scale = denominators.mean(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    size = np.sqrt((residual**2).mean(axis=0))
    u = (residual / np.where(size > 0, size, 1.0)).astype(np.float32)
    n = (denominators / scale).astype(np.float32)
    sums = _weights(sessions, seed) @ np.concatenate([n, u, u * u, u * n, n * n], axis=1)
    total, moved, uu, un, nn = np.split(sums, 5, axis=1)
    total = np.maximum(total, 1e-9)
    deviation = moved / total
    squares = uu - 2 * deviation * un + deviation**2 * nn
    # In the units of `u` and `n` the error of the whole is that of `sessions` squares over a total of `sessions`.
    error = np.maximum(np.sqrt(np.maximum(squares, 0.0)) / total, LEAST_ERROR * sessions**-0.5)
    error *= (sessions / (sessions - 1)) ** 0.5
    tail = (1 - level) / 2
    lower, upper = np.quantile(deviation / error, [tail, 1 - tail], axis=0)
    return lower.astype(np.float64), upper.astype(np.float64)


def anytime_interval(numerators: Floats, denominators: Floats, *, level: float = LEVEL) -> Interval:
    """The ratio of sums over sessions with an interval that holds at every look at once, from ANYTIME_FROM sessions on.

    A confidence sequence by the time-uniform central limit theorem: a mixture over normal alternatives, tightest at
    ANYTIME_BEST_AT sessions. Shapes as in `ratio_interval`.
    """
    plain = _ratio(numerators, denominators)
    sessions = len(plain.residual)
    if sessions < ANYTIME_FROM:
        unknown = np.full_like(plain.value, np.nan)
        return Interval(plain.value, unknown, unknown, plain.error)
    alpha = 1 - level
    rho2 = (-2 * np.log(alpha) + np.log(-2 * np.log(alpha)) + 1) / ANYTIME_BEST_AT
    mixture = sessions * rho2 + 1
    radius = np.sqrt(2 * mixture / (sessions**2 * rho2) * np.log(np.sqrt(mixture) / alpha))
    # What few sessions leave unknown of their own spread: far out in the tail, so that skewed sessions are covered too.
    tail = 1 - alpha / 1000
    widening = stats.t.ppf(tail, sessions - 1) / stats.norm.ppf(tail)
    half = radius * plain.error * np.sqrt(sessions) * widening
    return Interval(plain.value, plain.value - half, plain.value + half, plain.error)


def hands_for(half_width: Floats, wanted: Floats, hands: float) -> Floats:
    """How many hands make an interval of `half_width` over `hands` hands as narrow as `wanted` on each side."""
    needed: Floats = np.ceil(hands * (half_width / wanted) ** 2)
    return needed


def hands_to_show(
    edge: float, deviation: float, design: float = 1.0, *, level: float = LEVEL, power: float = 0.8
) -> int:
    """Hands after which an edge of so many points a hand shows: the interval excludes zero in `power` of all cases.

    `deviation`: standard deviation per hand; `design`: how many times the variance of a mean exceeds that of
    independent hands.
    """
    reach = float(stats.norm.ppf((1 + level) / 2) + stats.norm.ppf(power))
    return int(np.ceil(design * (reach * deviation / edge) ** 2))

"""Intervals hold what they promise: simulated sessions whose true mean, spread and rate are known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from arch.bootstrap import IIDBootstrap
from statsmodels.stats.proportion import proportion_confint

from analysis.intervals import ANYTIME_FROM, anytime_interval, hands_for, rate_interval, ratio_interval

MEAN, EFFECT = 0.4, 2.5
VARIANCE = 1.2 * 81 + EFFECT**2
LOGIT, LOGIT_SPREAD = -0.85, 0.4
RATE = float(np.mean(1 / (1 + np.exp(-np.random.default_rng(1).normal(LOGIT, LOGIT_SPREAD, 1_000_000)))))


class Sample(NamedTuple):
    """Sums by session: hands, points, squares, successes."""

    n: np.ndarray
    points: np.ndarray
    squares: np.ndarray
    successes: np.ndarray


def sample(sessions: int, rng: np.random.Generator) -> Sample:
    """Sessions of 20 to 79 hands, skewed points, and luck of the day that all hands of a session share."""
    n = rng.integers(20, 80, sessions)
    session = np.repeat(np.arange(sessions), n)
    points = rng.gamma(1.2, 9, len(session)) - 1.2 * 9 + rng.normal(MEAN, EFFECT, sessions)[session]
    chance = 1 / (1 + np.exp(-rng.normal(LOGIT, LOGIT_SPREAD, sessions)))
    fouls = rng.random(len(session)) < chance[session]
    sums = (np.bincount(session, weights, sessions) for weights in (points, points**2, fouls))
    return Sample(n.astype(np.float64), *sums)


def covered(sessions: int, samples: int, seed: int) -> dict[str, float]:
    """How often the intervals of mean, variance and rate hold the truth."""
    rng = np.random.default_rng(seed)
    hits = {"mean": 0, "variance": 0, "rate": 0}
    for number in range(samples):
        made = sample(sessions, rng)
        mean = made.points.sum() / made.n.sum()
        deviations = made.squares - 2 * mean * made.points + mean**2 * made.n
        both = ratio_interval(np.stack([made.points, deviations], axis=1), made.n[:, None], seed=number % 7)
        hits["mean"] += bool(both.low[0] <= MEAN <= both.high[0])
        hits["variance"] += bool(both.low[1] <= VARIANCE <= both.high[1])
        rate = made.successes.sum() / made.n.sum()
        squares = ((made.successes - rate * made.n) ** 2).sum()
        one = rate_interval(made.successes.sum(), made.n.sum(), squares, np.array(sessions))
        hits["rate"] += bool(one.low <= RATE <= one.high)
    return {name: count / samples for name, count in hits.items()}


@pytest.mark.parametrize("sessions", [30, 100])
def test_intervals_cover_between_93_and_97_per_cent(sessions: int) -> None:
    """The quick form allows for three standard errors of the simulation itself."""
    samples = 400
    slack = 3 * np.sqrt(0.05 * 0.95 / samples)
    for name, share in covered(sessions, samples, seed=sessions).items():
        assert 0.93 - slack <= share <= 0.97 + slack, (name, share)


@pytest.mark.full
@pytest.mark.parametrize("sessions", [30, 60, 200, 1000])
def test_intervals_cover_between_93_and_97_per_cent_in_many_samples(sessions: int) -> None:
    for name, share in covered(sessions, 4_000, seed=sessions).items():
        assert 0.93 <= share <= 0.97, (name, share)


@pytest.mark.parametrize("expected", [2, 4, 8])
def test_what_comes_in_a_few_sessions_only_has_a_bounded_interval(expected: int) -> None:
    """Royalties for a rare row: 10 to 22 points some `expected` times in 40 sessions; seen at least once."""
    rng = np.random.default_rng(expected)
    n = rng.integers(20, 80, (40, 1)).astype(np.float64)
    chance = expected / n.sum()
    times = rng.binomial(n.astype(int), chance, (40, 500))
    points = (times * rng.integers(10, 23, times.shape)).astype(np.float64)
    answer = ratio_interval(points[:, points.any(axis=0)], n)
    assert (answer.high < 6 * answer.value).all()
    assert (answer.low > -answer.value).all()
    truth = 16 * chance
    assert ((answer.low <= truth) & (truth <= answer.high)).mean() >= 0.95


def test_few_sessions_are_corrected_for() -> None:
    """Eight sessions: Student's quantile keeps the mean at what it promises."""
    assert covered(8, 600, seed=8)["mean"] >= 0.92


def ever_missed(looks: range, sequences: int, seed: int) -> float:
    """The share of sequences of sessions in which any look's anytime-valid interval misses the true mean."""
    rng = np.random.default_rng(seed)
    missed = 0
    for _ in range(sequences):
        made = sample(looks[-1], rng)
        answers = (anytime_interval(made.points[:look, None], made.n[:look, None]) for look in looks)
        missed += any(not answer.low[0] <= MEAN <= answer.high[0] for answer in answers)
    return missed / sequences


def test_anytime_valid_intervals_hold_at_every_look() -> None:
    assert ever_missed(range(ANYTIME_FROM, 320, 10), 150, seed=1) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 150)


@pytest.mark.full
def test_anytime_valid_intervals_hold_at_every_look_of_many_sequences() -> None:
    assert ever_missed(range(ANYTIME_FROM, 1500, 5), 1_000, seed=2) <= 0.05


def test_repeated_looks_break_an_ordinary_interval() -> None:
    """Why the anytime-valid one is there: looking again and again, the ordinary one misses far too often."""
    rng = np.random.default_rng(3)
    missed = 0
    for _ in range(60):
        made = sample(320, rng)
        looks = [ratio_interval(made.points[:k, None], made.n[:k, None]) for k in range(20, 320, 30)]
        missed += any(not look.low[0] <= MEAN <= look.high[0] for look in looks)
    assert missed / 60 > 0.1


def test_before_enough_sessions_the_anytime_interval_says_nothing() -> None:
    made = sample(ANYTIME_FROM - 1, np.random.default_rng(4))
    answer = anytime_interval(made.points[:, None], made.n[:, None])
    assert np.isfinite(answer.value[0])
    assert np.isnan(answer.low[0])


def test_the_bootstrap_agrees_with_the_library() -> None:
    """arch resamples the same sessions, one draw at a time; ours does it by matrix products."""
    made = sample(60, np.random.default_rng(5))
    answer = ratio_interval(made.points[:, None], made.n[:, None])

    def ratio(points: np.ndarray, n: np.ndarray) -> np.ndarray:
        return np.array([points.sum() / n.sum()])

    def error(value: np.ndarray, points: np.ndarray, n: np.ndarray) -> np.ndarray:
        residual = points - value[0] * n
        return np.array([np.sqrt(len(n) / (len(n) - 1) * (residual**2).sum()) / n.sum()])

    bootstrap = IIDBootstrap(made.points, made.n, seed=6)
    low, high = bootstrap.conf_int(ratio, 4_000, method="studentized", std_err_func=error)[:, 0]
    width = high - low
    assert answer.low[0] == pytest.approx(low, abs=0.05 * width)
    assert answer.high[0] == pytest.approx(high, abs=0.05 * width)


def test_a_rate_of_one_session_is_a_plain_wilson_interval() -> None:
    answer = rate_interval(np.array([30.0]), np.array([100.0]), np.array([999.0]), np.array([1]))
    low, high = proportion_confint(30, 100, method="wilson")
    assert (answer.low[0], answer.high[0]) == pytest.approx((low, high))


def test_sessions_that_differ_widen_a_rate_and_none_narrows_it() -> None:
    plain, wide, even = (
        rate_interval(np.array([300.0]), np.array([1000.0]), np.array([squares]), np.array([50]))
        for squares in (210.0, 840.0, 1.0)
    )
    assert wide.high - wide.low > 1.8 * (plain.high - plain.low)
    assert even.high - even.low == pytest.approx(plain.high - plain.low, rel=0.02)


def test_one_session_has_no_interval_of_a_mean() -> None:
    answer = ratio_interval(np.array([[12.0]]), np.array([[10.0]]))
    assert (answer.value[0], np.isnan(answer.low[0]), np.isnan(answer.high[0])) == (1.2, True, True)


def test_halving_an_interval_takes_four_times_the_hands() -> None:
    assert hands_for(np.array([1.0]), np.array([0.5]), 250)[0] == 1000

"""How deep a bankroll must be: results of many hands by resampling a player's own sessions.

A path is a row of sessions drawn with replacement, each played in its own order, so that streaks inside a session stay.
What is not known about the player's edge is carried along: each *world* is a redrawn set of his sessions, with an edge
and a spread of its own, and the risk in each world is one answer of many. The answers' middle is the estimate, their
inner 95 % is the range.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
from arch.bootstrap import optimal_block_length
from scipy import stats

from analysis.scored import arrays
from analysis.tables import Hands
from analysis.wording import counted
from ingest.game.compiled import compile_rules
from ingest.game.kernels import kernel
from ingest.game.rules import RuleSet
from ingest.game.score import pair_nets
from ingest.game.settle import settle

Floats = npt.NDArray[np.float64]
Points = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]

WORLDS = 200
PATHS = 100
# With fewer sessions the hands are cut into blocks that are long enough for streaks to stay in.
FEWEST_SESSIONS = 10
SHORTEST_BLOCK = 20
RANGE = (0.025, 0.975)
NO_STOP = 2**31 - 1


class Course(NamedTuple):
    """One player's points in the order of play, cut into what is resampled."""

    points: Points  # (n,)
    first: Offsets  # (blocks + 1,) where each session or block begins
    blocks: str  # what they are, for people


class Paths(NamedTuple):
    """Resampled futures, (worlds, paths) each: result at the end, lowest total, deepest fall from a high."""

    final: Floats
    lowest: Floats
    fall: Floats
    horizon: int


class Answer(NamedTuple):
    """A number with the range that the uncertainty of edge and spread leaves it."""

    value: float
    low: float
    high: float


def by_session(frame: pl.DataFrame) -> pl.DataFrame:
    """Each session's hands together, sessions in the order of their first hand; people play several tables at once."""
    return frame.sort(pl.col("hand").min().over("session"), "hand")


def course_by_session(frame: pl.DataFrame) -> Course:
    """The results that `frame` (of `Scored`, one player) holds, session by session, also where he plays two at once."""
    placed = frame.select("points", "session").with_row_index("place")
    ordered = placed.sort(pl.col("place").min().over("session"), maintain_order=True)
    lengths = ordered["session"].rle().struct.field("len").to_numpy().astype(np.int64)
    first = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return Course(_points(ordered), first, counted(len(lengths), "sessions"))


def course_of(frame: pl.DataFrame) -> Course:
    """The same to be resampled: where sessions are few, the hands in the order of time, cut into blocks."""
    sessions = course_by_session(frame)
    if len(sessions.first) > FEWEST_SESSIONS:
        return sessions
    points = _points(frame)
    length = block_length(points)
    edges = np.arange(0, len(points), length)
    first = np.concatenate([edges, [len(points)]]).astype(np.int64)
    blocks = f"{counted(len(edges), 'blocks')} of {counted(length, 'hands')}, as there are few sessions"
    return Course(points, first, blocks)


def _points(frame: pl.DataFrame) -> Points:
    return np.ascontiguousarray(frame["points"].to_numpy(), np.int32)


def block_length(points: Points) -> int:
    """How many hands to keep together where sessions are too few: what the library finds, within bounds."""
    most = max(len(points) // FEWEST_SESSIONS, 1)
    if len(points) < 4 * SHORTEST_BLOCK or points.std() == 0:
        return min(SHORTEST_BLOCK, most)
    found = float(optimal_block_length(points.astype(np.float64))["circular"].iloc[0])
    return int(np.clip(np.ceil(found), min(SHORTEST_BLOCK, most), most))


@kernel
def _walk(points, first, world, seed, horizon, stop_loss, final, lowest, fall):  # type: ignore[no-untyped-def]
    """Walk paths through one world, `world` (blocks,) the blocks in it; `seed` sets the compiled code's own dice."""
    np.random.seed(seed)
    for path in range(final.shape[0]):
        total, low, high, deepest, hands = 0, 0, 0, 0, 0
        while hands < horizon:
            block = world[np.random.randint(0, world.shape[0])]
            at_start = total
            for hand in range(first[block], first[block + 1]):
                total += points[hand]
                hands += 1
                low = min(low, total)
                high = max(high, total)
                deepest = max(deepest, high - total)
                if hands == horizon or total - at_start <= -stop_loss:
                    break
        final[path], lowest[path], fall[path] = total, low, deepest


def resample(
    course: Course, horizon: int, *, seed: int = 0, worlds: int = WORLDS, paths: int = PATHS, stop_loss: int = NO_STOP
) -> Paths:
    """Play `horizon` hands again and again. `stop_loss`: points lost in a session after which it ends.

    Raises ValueError without hands.
    """
    blocks = len(course.first) - 1
    if not len(course.points) or horizon < 1:
        raise ValueError(f"expected hands and a horizon of at least 1, got {len(course.points)} and {horizon}")
    rng = np.random.default_rng(seed)
    final, lowest, fall = (np.empty((worlds, paths)) for _ in range(3))
    for number in range(worlds):
        world, dice = rng.integers(0, blocks, blocks), int(rng.integers(0, 2**31))
        results = final[number], lowest[number], fall[number]
        _walk(course.points, course.first, world, dice, horizon, stop_loss, *results)
    return Paths(final, lowest, fall, horizon)


def _range(by_world: Floats) -> tuple[float, float]:
    low, high = np.quantile(by_world, RANGE)
    return float(low), float(high)


def risk_of_ruin(paths: Paths, bankroll: float) -> Answer:
    """The chance to lose `bankroll` points within the horizon."""
    by_world = (paths.lowest <= -bankroll).mean(axis=1)
    return Answer(float((paths.lowest <= -bankroll).mean()), *_range(by_world))


def bankroll_for(paths: Paths, risk: float) -> Answer:
    """The points that are lost within the horizon with a chance of `risk` only."""
    by_world = np.quantile(-paths.lowest, 1 - risk, axis=1)
    return Answer(float(np.quantile(-paths.lowest, 1 - risk)), *_range(by_world))


def outcomes(paths: Paths, quantiles: Sequence[float] = (0.05, 0.25, 0.5, 0.75, 0.95)) -> pl.DataFrame:
    """Quantiles of what the horizon may bring: quantile, result, lowest (total), fall (deepest downswing)."""
    return pl.DataFrame(
        {
            "quantile": list(quantiles),
            "result": np.quantile(paths.final, quantiles),
            "lowest": np.quantile(paths.lowest, quantiles),
            "fall": np.quantile(paths.fall, quantiles),
        }
    )


def closed_risk(mean: float, deviation: float, bankroll: float, horizon: float = np.inf) -> float:
    """The chance of ruin of a diffusion with this mean and deviation a hand: what the resampling is checked against.

    The first-passage formula of Brownian motion with drift; without a horizon exp(-2 mean bankroll / deviation²), and
    1 without an edge.
    """
    if not deviation:
        # Without any spread a steady loss ruins for certain, anything else never.
        return float(mean < 0 and mean * horizon <= -bankroll)
    if np.isinf(horizon):
        return float(np.exp(-2 * mean * bankroll / deviation**2)) if mean > 0 else 1.0
    spread = deviation * np.sqrt(horizon)
    straight = stats.norm.cdf((-bankroll - mean * horizon) / spread)
    # In logarithms, as the first factor grows without bound where there is no edge.
    mirrored = -2 * mean * bankroll / deviation**2 + stats.norm.logcdf((-bankroll + mean * horizon) / spread)
    return float(min(straight + np.exp(mirrored), 1.0))


def stop_loss_effect(course: Course, stop_losses: Sequence[int]) -> pl.DataFrame:
    """What leaving a session after so many points lost would have done to the sessions that were played.

    Columns: stop_loss (null: none), sessions, stopped (share), hands, points (all together), per_hand, sd_session (null
    for a single one), worst_session. The hands after the stop are not played; nothing is put in their place.
    """
    rows = [_stopped(course, limit) for limit in [None, *stop_losses]]
    return pl.DataFrame(
        rows, schema_overrides={"stop_loss": pl.Int64, "sd_session": pl.Float64}, infer_schema_length=None
    )


def _stopped(course: Course, limit: int | None) -> dict[str, object]:
    results, played, stopped = [], 0, 0
    for start, stop in zip(course.first[:-1].tolist(), course.first[1:].tolist(), strict=True):
        running = np.cumsum(course.points[start:stop], dtype=np.int64)
        below = np.flatnonzero(running <= -limit) if limit is not None else np.zeros(0, np.int64)
        last = int(below[0]) if len(below) else len(running) - 1
        stopped += last < len(running) - 1
        played += last + 1
        results.append(int(running[last]))
    return {
        "stop_loss": limit,
        "sessions": len(results),
        "stopped": stopped / len(results),
        "hands": played,
        "points": sum(results),
        "per_hand": sum(results) / played,
        "sd_session": float(np.std(results)) if len(results) > 1 else None,
        "worst_session": min(results),
    }


def table_stakes_effect(hands: Hands, rules: RuleSet, stacks: Sequence[int]) -> pl.DataFrame:
    """What table stakes would do if everybody had the same stack, in points, at the start of every hand.

    Columns: stack (null: no cap), seats, capped (share of hands in which the cap changes somebody's result), points
    (per hand, of the seats that count), sd (null for a single seat).
    """
    given = arrays(hands)
    dues = pair_nets(compile_rules(rules), given.strengths, given.naturals, given.first_seat).astype(np.int64)
    counted = hands.counted
    hand_of = np.repeat(np.arange(len(hands)), np.diff(given.first_seat))
    everyone = np.zeros(len(given.strengths), np.int64)
    free = settle(dues, given.first_seat, everyone, table_stakes=False)
    rows = []
    for stack in [None, *stacks]:
        chips = free if stack is None else settle(dues, given.first_seat, everyone + stack, table_stakes=True)
        changed = np.unique(hand_of[chips != free])
        rows.append(
            {
                "stack": stack,
                "seats": int(counted.sum()),
                "capped": len(changed) / max(len(hands), 1),
                "points": float(chips[counted].mean()),
                "sd": float(chips[counted].std()) if counted.sum() > 1 else None,
            }
        )
    return pl.DataFrame(rows, schema_overrides={"stack": pl.Int64, "sd": pl.Float64}, infer_schema_length=None)

"""One player's swings in one answer: spread, downswings, what many hands may bring, how deep a bankroll must be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from analysis.bankroll import (
    Answer,
    bankroll_for,
    closed_risk,
    course_by_session,
    course_of,
    outcomes,
    resample,
    risk_of_ruin,
    stop_loss_effect,
    table_stakes_effect,
)
from analysis.metrics import find_metric
from analysis.scored import Scored, score_as_played, score_under
from analysis.tables import Hands
from analysis.variance import deepest, time_under_water
from analysis.wording import counted
from ingest.game.errors import OFCError
from ingest.game.rules import RuleSet

STOP_LOSSES = (25, 50, 100, 200)
STACKS = (25, 50, 100, 200)
# Below so many, what is drawn from the hands says nothing of the future.
FEWEST_HANDS = 100


@dataclass(frozen=True)
class Swings:
    """The answer to "how bad can it get", in points.

    `mean` and `sd`: rows of their metrics. `risk`: of losing `bankroll` within `horizon` hands, `needed`: the bankroll
    that is lost with a chance of `wanted_risk` only; both with ranges. `formula`: the risk of a diffusion of the same
    mean and spread, without streaks and with the edge taken for certain. `table_stakes` is None where the hands were
    played by several rule sets.
    """

    player: str
    rules: str
    hands: int
    blocks: str
    mean: dict[str, object]
    sd: dict[str, object]
    downswings: pl.DataFrame
    under_water: float
    horizon: int
    outcomes: pl.DataFrame
    bankroll: float
    risk: Answer
    formula: float
    wanted_risk: float
    needed: Answer
    stop_loss: pl.DataFrame
    table_stakes: pl.DataFrame | None
    notes: list[str]


def swings_of(
    hands: Hands,
    rules: RuleSet | None = None,
    *,
    horizon: int = 5_000,
    bankroll: float = 500,
    risk: float = 0.05,
    another_game: bool = False,
    stop_losses: Sequence[int] = STOP_LOSSES,
    stacks: Sequence[int] = STACKS,
    seed: int = 0,
) -> Swings:
    """The swings of the one player whose results count, as played or under `rules`; money is counted in points.

    Raises OFCError where several players' results count, or none.
    """
    scored = score_under(hands, rules, another_game=another_game) if rules else score_as_played(hands)
    player = _one_player(scored)
    course = course_of(scored.frame)
    paths = resample(course, horizon, seed=seed)
    mean, sd = (find_metric(name)(scored.frame).row(0, named=True) for name in ("points_per_hand", "sd_per_hand"))
    played = [rules] if rules else _played(hands)
    return Swings(
        player=player,
        rules=scored.label,
        hands=len(scored.frame),
        blocks=course.blocks,
        mean=mean,
        sd=sd,
        downswings=deepest(scored, count=5),
        under_water=time_under_water(scored.frame["points"].to_numpy()),
        horizon=horizon,
        outcomes=outcomes(paths),
        bankroll=bankroll,
        risk=risk_of_ruin(paths, bankroll),
        formula=closed_risk(float(course.points.mean()), float(course.points.std()), bankroll, horizon),
        wanted_risk=risk,
        needed=bankroll_for(paths, risk),
        stop_loss=stop_loss_effect(course_by_session(scored.frame), stop_losses),
        table_stakes=table_stakes_effect(hands, played[0], stacks) if len(played) == 1 else None,
        notes=[*scored.notes, *_few(len(scored.frame))],
    )


def _one_player(scored: Scored) -> str:
    players = (
        scored.frame["player"].value_counts().sort(["count", "player"], descending=[True, False])["player"].to_list()
    )
    if not players:
        why = ", ".join(f"{counted(count, 'hands')} left out: {reason}" for reason, count in scored.left_out.items())
        raise OFCError(f"expected the results of one player, got none{'; ' if why else ''}{why}")
    if len(players) != 1:
        most = ", ".join(map(str, players[:5])) + (", ..." if len(players) > 5 else "")
        raise OFCError(
            f"expected the results of one player, got those of {len(players)}"
            f"; choose one with --player, by most hands: {most}"
        )
    return str(players[0])


def _few(hands: int) -> list[str]:
    if hands >= FEWEST_HANDS:
        return []
    return [
        f"Only {counted(hands, 'hands')}: futures drawn from so few repeat what happened; "
        "risk and bankroll are not known before there are more."
    ]


def _played(hands: Hands) -> list[RuleSet]:
    return [hands.rules[key] for key in hands.hands["rules_key"].unique() if key in hands.rules]

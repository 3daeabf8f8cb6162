"""Luck and skill: results with the luck of the deal taken out, as far as a fixed evaluator can see it.

Luck is what the cards of each draw were worth beside what a draw is worth on average (`draws`). The evaluator's weights
are learned from other sessions than the one they judge, so they are fixed before its first card; each of its numbers
has mean zero, and so has the luck, whatever the weights. Taking it out changes no player's expectation, only how far
results swing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import polars as pl

from analysis.draws import COLUMNS, centred_features, draws_of
from analysis.intervals import Interval, ratio_interval
from analysis.scored import ANOTHER_GAME, game_notes, scores_of
from analysis.tables import Hands, actions, session_names, with_session_names
from ingest.game.compiled import compile_rules
from ingest.game.errors import OFCError
from ingest.game.rules import RuleSet

if TYPE_CHECKING:
    import duckdb

Floats = npt.NDArray[np.float64]

# Sessions are dealt out to so many groups; each group's weights come from the others.
FOLDS = 10
# How strongly weights are held towards zero, in seats: with fewer hands the evaluator says little.
HELD_BACK = 50.0

WHAT_IT_IS_NOT = (
    "Luck is that of the cards that each player was dealt, as a simple evaluator sees it; what it does not see stays "
    "in the result. It does not judge decisions, knows nothing of how rows met, and takes Fantasyland to be worth one "
    "fixed number of points. Discards that a log hides are taken for undealt."
)


@dataclass(frozen=True)
class Luck:
    """`players` and `sessions`: a row each with hands, points, luck, adjusted (per hand, with _low and _high).

    `saved`: the share of the variance per hand that the adjustment removes. `seen`: the share of seats whose draws the
    log shows. `seats`: hand_key, player, session, points, luck, adjusted of every seat that counts. Sessions by name.
    """

    players: pl.DataFrame
    sessions: pl.DataFrame
    seats: pl.DataFrame
    saved: float
    seen: float
    notes: list[str]


def differences(features: Floats, first_seat: npt.NDArray[np.int64]) -> Floats:
    """Each seat's features against each opponent's, summed over opponents; the sums of a hand are zero."""
    players = np.diff(first_seat)
    hand_of = np.repeat(np.arange(len(players)), players)
    totals = np.add.reduceat(features, first_seat[:-1], axis=0)
    against: Floats = features * players[hand_of][:, None] - totals[hand_of]
    return against


def cross_fitted(against: Floats, points: Floats, session: npt.NDArray[np.int64]) -> Floats:
    """The luck of every seat, (s,): its features times weights learned from sessions of other groups.

    Ridge regression of points on the features; no constant, as both have mean zero.
    """
    fold = session % FOLDS
    grams = np.zeros((FOLDS, COLUMNS, COLUMNS))
    moments = np.zeros((FOLDS, COLUMNS))
    for k in range(FOLDS):
        part = against[fold == k]
        grams[k] = part.T @ part
        moments[k] = part.T @ points[fold == k]
    gram, moment = grams.sum(axis=0), moments.sum(axis=0)
    luck = np.zeros(len(points))
    for k in np.unique(fold).tolist():
        others = gram - grams[k]
        held = HELD_BACK * np.where(np.diag(others) > 0, np.diag(others) / max((fold != k).sum(), 1), 1.0)
        weights = np.linalg.solve(others + np.diag(held), moment - moments[k])
        luck[fold == k] = against[fold == k] @ weights
    return luck


def luck_of(
    con: duckdb.DuckDBPyConnection,
    hands: Hands,
    rules: RuleSet | None = None,
    *,
    another_game: bool = False,
    seed: int = 0,
) -> Luck:
    """Take the luck of the deal out of results under `rules`, or under what each hand was played by.

    Hands whose boards were built for another game than that of `rules` are in only if `another_game` says so. Hands of
    each rule set have weights of their own. Raises OFCError where no hands are left, or the logs hold no draws.
    """
    foreign = 0
    if rules:
        built = hands.built_for(rules)
        foreign = int((~built).sum()) if another_game else 0
        hands = hands if another_game else hands.keep(built, ANOTHER_GAME)
        if not len(hands):
            raise OFCError(f"expected hands dealt as {rules.name} deals, got none; --another-game takes in the others")
    parts = [_seats(con, hands.keep(mask, ""), under) for mask, under in hands.scored_by(rules) if mask.any()]
    parts = [part for part in parts if part is not None]
    if not parts:
        raise OFCError("expected hands with their draws street by street, got final boards only: luck cannot be told")
    seats = with_session_names(pl.concat(part for part in parts if part is not None), session_names(con))
    raw, adjusted = seats["points"].var(), seats["adjusted"].var()
    return Luck(
        players=_summary(seats, "player", seed),
        sessions=_summary(seats, "session", seed),
        seats=seats.drop("seen"),
        saved=1 - float(adjusted) / float(raw) if raw else 0.0,  # type: ignore[arg-type]
        seen=float(seats["seen"].mean()),  # type: ignore[arg-type]
        notes=[*game_notes(hands.filters, hands.left_out, foreign), WHAT_IT_IS_NOT],
    )


def _seats(con: duckdb.DuckDBPyConnection, hands: Hands, rules: RuleSet) -> pl.DataFrame | None:
    """The seats that count, with points under `rules`, luck and what is left; None where no draws are known."""
    frame = actions(con, hands)
    if frame.is_empty():
        return None
    decks = hands.hands["decks"].to_numpy()
    features = centred_features(draws_of(frame, len(hands)), hands.first_seat, decks, compile_rules(rules))
    points = scores_of(hands, rules).points.astype(np.float64)
    hand_of = np.repeat(np.arange(len(hands)), np.diff(hands.first_seat))
    cluster = hands.hands["cluster"].to_numpy()[hand_of]
    # One session alone is judged by weights from its own other hands.
    apart = cluster if hands.clusters > 1 else hand_of
    luck = cross_fitted(differences(features, hands.first_seat), points, apart.astype(np.int64))
    return pl.DataFrame(
        {
            "hand_key": hands.hands["hand_key"].gather(hand_of),
            "player": hands.names.gather(hands.seats["player"]),
            "session": hands.hands["session"].to_numpy()[hand_of],
            "cluster": cluster,
            "points": points,
            "luck": luck,
            "adjusted": points - luck,
            "seen": (features != 0).any(axis=1),
        }
    ).filter(pl.Series(hands.counted))


def _summary(seats: pl.DataFrame, by: str, seed: int) -> pl.DataFrame:
    rows = []
    for (name,), part in seats.group_by(by, maintain_order=True):
        # One session alone: its hands stand in for sessions.
        unit = "cluster" if part["cluster"].n_unique() > 1 else "hand_key"
        sums = part.group_by(unit).agg(pl.len().alias("n"), pl.col("points", "luck", "adjusted").sum()).sort(unit)
        values = sums.select("points", "luck", "adjusted").to_numpy().astype(np.float64)
        found = ratio_interval(values, sums.select("n").to_numpy().astype(np.float64), seed=seed)
        rows.append({by: name, "hands": len(part), "sessions": part["cluster"].n_unique(), **_named(found)})
    return pl.DataFrame(rows, infer_schema_length=None).sort("hands", descending=True, maintain_order=True)


def _named(found: Interval) -> dict[str, float | None]:
    named: dict[str, float | None] = {}
    for place, name in enumerate(("points", "luck", "adjusted")):
        for end, values in (("", found.value), ("_low", found.low), ("_high", found.high)):
            named[name + end] = float(values[place]) if np.isfinite(values[place]) else None
    return named

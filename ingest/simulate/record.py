"""Simulated rounds as a batch of hands: the same columns that parsed logs become."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from ingest.batch import ACTION_COLUMNS, CARD_LISTS, HAND_COLUMNS, SEAT_COLUMNS, Batch, card_lists, gathered, json_text
from ingest.game.kernels import kernel
from ingest.simulate.chance import fold, uniform
from ingest.simulate.named_rules import as_log_names
from ingest.simulate.session import Plan, Round
from ingest.simulate.views import NO_CARD

SITE = "simulated"
# Simulated time: when the first session begins, how long until the next one does, pauses between hands.
_FIRST_SESSION = np.datetime64(datetime(2025, 1, 1, 18), "us")
_BETWEEN_SESSIONS = np.timedelta64(3 * 3600 * 1_000_000, "us")
_PAUSE_MS = 3_000
# Thinking times by kind of action, shortest and longest, in ms: first cards, later ones, all at once.
_THINKING = np.array([[4_000, 25_000], [1_500, 12_000], [15_000, 70_000]])


def run_name(plan: Plan) -> str:
    """A short name of what was simulated; another plan, another name."""
    said = [plan.rules.key, *plan.agents, str(plan.seed), str(plan.session_hands), *map(str, plan.levels)]
    return blake2b("\0".join(said).encode(), digest_size=5).hexdigest()


@kernel
def _count_actions(fantasyland, streets):  # type: ignore[no-untyped-def]
    """How many actions each hand has."""
    counts = np.empty(fantasyland.shape[0], np.int64)
    for i in range(fantasyland.shape[0]):
        total = 0
        for seat in range(fantasyland.shape[1]):
            total += 1 if fantasyland[i, seat] > 0 else streets
        counts[i] = total
    return counts


@kernel
def _fill_actions(dealt, rows, fantasyland, in_turn, seats, streets, numbers, cards, ends):  # type: ignore[no-untyped-def]
    """Write the actions of all hands in order of play: five card lists, by row, and where each ends."""
    at = 0
    filled = np.zeros(5, np.int64)
    for i in range(dealt.shape[0]):
        number = 0
        for turn in range(-1, dealt.shape[2]):
            for seat in range(dealt.shape[1]):
                sets = fantasyland[i, seat] > 0
                if (sets and turn != (0 if in_turn else -1)) or (not sets and turn < 0):
                    continue
                street = max(turn, 0)
                for k in range(dealt.shape[3]):
                    row = rows[i, seat, street, k]
                    if row == NO_CARD:
                        break
                    cards[0, filled[0]] = dealt[i, seat, street, k]
                    filled[0] += 1
                    cards[row + 1, filled[row + 1]] = dealt[i, seat, street, k]
                    filled[row + 1] += 1
                seats[at], streets[at], numbers[at] = seat, street, number
                number += 1
                at += 1
                ends[:, at] = filled


def _actions(plan: Plan, part: Round, number: str) -> tuple[pl.DataFrame, npt.NDArray[np.int64], Any]:
    """The action rows of a round, how many each hand has, and how long each hand took in ms."""
    played = part.dealt
    counts = _count_actions(played.fantasyland, played.dealt.shape[2])
    total = int(counts.sum())
    most = int((played.rows != NO_CARD).sum())
    seats, streets = np.empty(total, np.uint8), np.empty(total, np.uint8)
    numbers = np.empty(total, np.uint16)
    cards, ends = np.empty((5, most), np.uint8), np.zeros((5, total + 1), np.int64)
    in_turn = plan.rules.fantasyland.sets == "in_turn"
    _fill_actions(played.dealt, played.rows, played.fantasyland, in_turn, seats, streets, numbers, cards, ends)
    hands = np.repeat(np.arange(len(counts)), counts)
    ms = _thinking_times(plan, part, hands, seats, streets)
    columns: dict[str, Any] = {"action_no": numbers, "seat": seats, "street": streets}
    # The kernel's lists stand as dealt, front, middle, back, discard: the order of CARD_LISTS.
    for k, name in enumerate(CARD_LISTS):
        columns[name] = card_lists(cards[k, : ends[k, -1]], ends[k])
    columns |= {"auto": np.zeros(total, np.bool_), "ms": ms}
    frame = pl.DataFrame(columns).select(pl.col(name).cast(kind) for name, kind in ACTION_COLUMNS.items())
    return frame, counts, np.bincount(hands, ms, minlength=len(counts)).astype(np.int64)


def _thinking_times(
    plan: Plan, part: Round, hands: npt.NDArray[np.int64], seats: npt.NDArray[np.uint8], streets: npt.NDArray[np.uint8]
) -> npt.NDArray[np.int32]:
    """Thinking times in ms, mostly short, some long."""
    at_once = (part.dealt.fantasyland[hands, seats] > 0) | (plan.rules.deal.game == "chinese")
    kind = np.where(at_once, 2, np.minimum(streets, 1))
    keys = fold(plan.seed, 7_000, part.sessions[hands], part.hand, seats.astype(np.int64) * 16 + streets)
    chance = uniform(keys)
    shortest, longest = _THINKING[kind].T
    times: npt.NDArray[np.int32] = (shortest + (longest - shortest) * chance * chance).astype(np.int32)
    return times


def batches_of(plan: Plan, rounds: Sequence[Round]) -> Batch:
    """The hands of finished rounds as one batch, session by session."""
    run = run_name(plan)
    began: dict[int, np.datetime64] = {}
    hands, seats, actions = [], [], []
    for part in sorted(rounds, key=lambda part: part.hand):
        action_rows, counts, ms = _actions(plan, part, run)
        started = np.array(
            [began.get(int(s), _FIRST_SESSION + int(s) * _BETWEEN_SESSIONS) for s in part.sessions], "datetime64[us]"
        )
        ended = started + ms.astype("timedelta64[ms]")
        began.update(zip(part.sessions.tolist(), ended + np.timedelta64(_PAUSE_MS, "ms"), strict=True))
        hands.append(_hand_rows(plan, part, run, started, ended, counts))
        seats.append(_seat_rows(plan, part))
        actions.append(action_rows)
    return _by_session(hands, seats, actions)


def _by_session(hands: list[pl.DataFrame], seats: list[pl.DataFrame], actions: list[pl.DataFrame]) -> Batch:
    """Rounds one behind the other, reordered session by session."""
    all_hands = pl.concat(hands).with_row_index("at")
    order = all_hands.sort("session", "hand_no")["at"].to_numpy()
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))

    def reordered(frames: list[pl.DataFrame], counts: str) -> pl.DataFrame:
        owner = np.repeat(place, all_hands[counts].to_numpy())
        return pl.concat(frames)[np.argsort(owner, kind="stable")]

    return Batch(
        all_hands[order].select(list(HAND_COLUMNS)), reordered(seats, "players"), reordered(actions, "actions")
    )


def _hand_rows(plan: Plan, part: Round, run: str, started: Any, ended: Any, counts: Any) -> pl.DataFrame:
    players = part.chairs.shape[1]
    sessions = [f"{run}-{number}" for number in part.sessions]
    rules = plan.rules
    rules_name, changes = as_log_names(rules)
    columns = {
        "site": SITE,
        "hand_id": [f"{session}-{part.hand}" for session in sessions],
        "session_id": sessions,
        "hand_no": part.hand,
        "game": rules.deal.game,
        "rules": rules_name,
        "rules_changes": json_text(changes),
        "decks": rules.deal.decks,
        "middle": rules.deal.middle,
        "started_at": started,
        "ended_at": ended,
        "source_zone": "UTC",
        "point_value": part.point_value,
        "unit": "chip",
        "unit_price": None,
        "unit_currency": None,
        "pair_values": None,
        "settlement": "table_stakes" if plan.table_stakes else "points",
        "rake": 0,
        "status": "complete",
        "flags": None,
        "extra": json_text({"seed": plan.seed, "agents": list(plan.agents)}),
        "position": part.sessions * plan.session_hands + part.hand,
        "players": players,
        "actions": counts,
        "session": part.sessions,
    }
    frame = pl.DataFrame({name: value for name, value in columns.items() if not _is_plain(value)})
    frame = frame.with_columns(pl.lit(value).alias(name) for name, value in columns.items() if _is_plain(value))
    kinds = {**HAND_COLUMNS, "session": pl.Int64}
    return frame.with_columns(flags=pl.lit([], pl.List(pl.String))).select(
        pl.col(name).cast(kind) for name, kind in kinds.items()
    )


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int)


def _seat_rows(plan: Plan, part: Round) -> pl.DataFrame:
    n, players = part.chairs.shape
    chairs = part.chairs.reshape(-1)
    names = [f"{agent} {chair + 1}" for chair, agent in enumerate(plan.agents)]
    cards = part.dealt.fantasyland.reshape(-1)
    columns: dict[str, Any] = {
        "seat": np.tile(np.arange(players), n),
        "chair": chairs,
        "player": gathered(names, chairs, pl.String),
        "hero": np.zeros(len(chairs), np.bool_),
        "stack": pl.Series(part.stacks.reshape(-1)) if plan.table_stakes else pl.Series([None] * len(chairs)),
        "in_fantasyland": cards > 0,
        "fantasyland_cards": cards,
        "board": pl.Series(part.dealt.boards.reshape(-1, 13), dtype=pl.Array(pl.UInt8, 13)),
        "claimed_points": part.points.reshape(-1),
        "claimed_fouled": part.fouled.reshape(-1),
        "claimed_fantasyland_next": part.fantasyland_next.reshape(-1),
        "net": part.chips.reshape(-1),
    }
    return pl.DataFrame(columns).select(pl.col(name).cast(kind) for name, kind in SEAT_COLUMNS.items())

"""Who sets all his cards at once after others have acted has seen their open cards: what is known of their boards.

A row that lies there in full is known exactly, a complete board too: whether it is fouled, a natural, a moon. What has
room yet is taken as the learned net takes it, who shows nothing as his crowd (see `judge.look_at_opponents`). The
worth of an arrangement is then worked out opponent by opponent with all that its rows decide together: scoops,
majorities, royalties that go to the winner of a row.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.compiled import (
    BACK_ROYALTY,
    FRONT_ROYALTY,
    MIDDLE_ORDER,
    MIDDLE_ROYALTY,
)
from ingest.game.kernels import kernel, piece
from ingest.game.naturals import natural_masks
from ingest.game.pair import NO_NATURAL
from ingest.game.score import score_hands
from ingest.game.strength import NO_STRENGTH, row_strengths
from ingest.simulate.buckets import BUCKETS, Buckets, row_buckets
from ingest.simulate.ends import won_together
from ingest.simulate.net import Floats, Net
from ingest.simulate.room import make_room
from ingest.simulate.sight import count_live, look_at_opponents
from ingest.simulate.stakes import make_stakes
from ingest.simulate.views import Views
from ingest.simulate.worth import Setting

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int32]

# Strengths of a front, and of a middle or back; where each row begins in arrays over all of them.
FRONT_STRENGTHS, FIVE_STRENGTHS = 455, 11_193
AT_MIDDLE, AT_BACK = FRONT_STRENGTHS, FRONT_STRENGTHS + FIVE_STRENGTHS
ALL_STRENGTHS = AT_BACK + FIVE_STRENGTHS
FIVE_ROWS = ((AT_MIDDLE, AT_BACK), (AT_BACK, ALL_STRENGTHS))
# Steps of a bound that is rounded up so that rows can be sorted by it in few passes.
_STEPS = 16_000


class Opposite(NamedTuple):
    """What is known of `o` opponents in each of `n` hands, or once for all hands where `n` is 1."""

    legal: Floats  # (n, o) chance that the board ends legal
    ends: Floats  # (n, o, 3, BUCKETS) how each row of a legal board ends
    known: Ints  # (n, o, 3) place of a row that lies there in full among all rows of its kind, -1: it has room
    royalties: Floats  # (n, o, 3) what a known row pays
    compared: Bools  # (n, o) rows count; not against a natural or a moon that takes their place
    moons: Bools  # (n, o) he shoots the moon
    naturals: Bools  # (n, o) his natural takes the place of the rows


def of_hands(opposite: Opposite, start: int, stop: int) -> Opposite:
    """Those of some hands; the same where one serves all."""
    if len(opposite.legal) == 1:
        return opposite
    return Opposite(
        opposite.legal[start:stop],
        opposite.ends[start:stop],
        opposite.known[start:stop],
        opposite.royalties[start:stop],
        opposite.compared[start:stop],
        opposite.moons[start:stop],
        opposite.naturals[start:stop],
    )


class RowTables(NamedTuple):
    """A rule set by row and strength: `s` strengths of the front, then of the middle, then of the back."""

    royalty: Floats  # (s,)
    place: Ints  # (s,) among all rows of the kind, weak to strong
    bucket: npt.NDArray[np.uint8]  # (s,)
    under: Floats  # (s,) share of the bucket below this strength
    same: Floats  # (s,) share of the bucket of this strength
    over: Floats  # (s,) royalties of the bucket's stronger rows, times their shares
    bucket_royalty: Floats  # (3, BUCKETS) mean royalty


@lru_cache(maxsize=64)
def row_tables(setting: Setting) -> RowTables:
    """The RowTables of a setting."""
    front, five = setting.compiled.front, setting.compiled.five
    buckets = row_buckets(setting.low)
    royalties = (front[:, FRONT_ROYALTY], five[:, MIDDLE_ROYALTY], five[:, BACK_ROYALTY])
    places: list[npt.NDArray[Any]] = [np.arange(FRONT_STRENGTHS), five[:, MIDDLE_ORDER], np.arange(FIVE_STRENGTHS)]
    overs = [_over(row, royalty, place) for row, royalty, place in zip(buckets, royalties, places, strict=True)]
    return RowTables(
        np.concatenate(royalties).astype(np.float32),
        np.concatenate(places).astype(np.int32),
        np.concatenate([row.bucket for row in buckets]),
        np.concatenate([row.below for row in buckets]),
        np.concatenate([row.same for row in buckets]),
        np.concatenate(overs).astype(np.float32),
        make_stakes(setting).royalties,
    )


def _over(buckets: Buckets, royalty: Ints, place: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """RowTables.over of one row."""
    strongest_first = np.argsort(-place)
    paid = (buckets.share * royalty)[strongest_first]
    above = np.cumsum(paid) - paid
    # Where the bucket of each strength begins, from the strongest row.
    bucket = buckets.bucket[strongest_first]
    _, first, number = np.unique(bucket, return_index=True, return_inverse=True)
    over = np.empty(len(place))
    over[strongest_first] = above - above[first[number]]
    return over


def crowds_opposite(setting: Setting, others: tuple[int, ...]) -> Opposite:
    """One Opposite for all hands: opponents of whom nothing is seen, by their Fantasyland cards, 0 in normal play."""
    crowds = [setting.crowd(cards) for cards in others]
    shape = (1, len(others))
    return Opposite(
        np.array([[crowd.legal for crowd in crowds]], np.float32),
        np.stack([crowd.rows for crowd in crowds])[None],
        np.full((*shape, 3), -1, np.int32),
        np.zeros((*shape, 3), np.float32),
        np.ones(shape, np.bool_),
        np.zeros(shape, np.bool_),
        np.zeros(shape, np.bool_),
    )


@kernel
def _likely(views, net, stakes, legal, ends, known):  # type: ignore[no-untyped-def]
    boards, dealt, discards, others, others_fantasyland = views
    room = make_room(net.hidden.shape[2])
    opponents = others.shape[1]
    for i in range(boards.shape[0]):
        count_live(boards[i], dealt[i], discards[i], others[i], stakes.worths.decks, room.live_ranks, room.live_suits)
        look_at_opponents(others[i], others_fantasyland[i], net, stakes, room)
        legal[i] = room.legal[:opponents]
        ends[i] = room.rows[:opponents]
        known[i] = room.known[:opponents]


def look_across(setting: Setting, views: Views, net: Net) -> Opposite:
    """What the seats of `views` may know of their opponents."""
    shape = views.others_fantasyland.shape
    legal, ends = np.empty(shape, np.float32), np.empty((*shape, 3, BUCKETS), np.float32)
    known = np.empty((*shape, 3), np.int32)
    _likely(tuple(views[:5]), net, make_stakes(setting), legal, ends, known)
    boards = views.others.reshape(-1, 13)
    strengths = row_strengths(boards)
    full = strengths != NO_STRENGTH
    complete = full.all(axis=1)
    # Each board scored as a hand of its own.
    alone = np.arange(len(boards) + 1, dtype=np.int64)
    in_fantasyland = views.others_fantasyland.reshape(-1)
    scores = score_hands(setting.compiled, strengths, natural_masks(boards), in_fantasyland, alone)
    natural = complete & (scores.natural != NO_NATURAL) & bool(setting.compiled.numbers.naturals_instead)
    moon = complete & scores.moon
    at = np.where(full, strengths, 0) + np.array([0, AT_MIDDLE, AT_BACK])
    royalties = np.where(full, row_tables(setting).royalty[at], 0)
    return Opposite(
        legal,
        ends,
        known,
        royalties.astype(np.float32).reshape(*shape, 3),
        ~(natural | moon).reshape(shape),
        moon.reshape(shape),
        natural.reshape(shape),
    )


@kernel
def weigh_rows(legal, ends, known, theirs, compared, tables, pays, won, lost, plain, most):  # type: ignore[no-untyped-def]
    """What each row is worth in one hand, by row and strength as in RowTables; `pays`: the Worths.

    Into `won` and `lost` ``(o, s)`` the chances against each opponent's row, into `plain` ``(s,)`` what a row gets by
    itself from all of them, into `most` ``(s,)`` a bound from above on what it adds to any board.

    The bound: all three rows together win what a scoop or a majority pays. Let w and l be a row's chances to win and to
    lose. Then www - lll is at most the sum of 1/3 - l/2 over the rows, and the majority's part at most that of
    1/6 + (w - l)/2: true where each row is won, tied or lost, and between these corners all is linear in each row.
    """
    royalty, place, bucket, under, same, over, bucket_royalty = tables
    plain[:] = 0.0
    most[:] = 0.0
    for o in range(legal.shape[0]):
        if not compared[o]:
            continue
        for row in range(3):
            start = 0 if row == 0 else AT_MIDDLE if row == 1 else AT_BACK
            stop = AT_MIDDLE if row == 0 else AT_BACK if row == 1 else ALL_STRENGTHS
            below, above = np.zeros(BUCKETS + 1, np.float32), np.zeros(BUCKETS + 1, np.float32)
            for k in range(BUCKETS):
                below[k + 1] = below[k] + ends[o, row, k]
            for k in range(BUCKETS - 1, -1, -1):
                above[k] = above[k + 1] + ends[o, row, k] * bucket_royalty[row, k]
            for s in range(start, stop):
                k = bucket[s]
                if known[o, row] >= 0:
                    w, t = np.float32(place[s] > known[o, row]), np.float32(place[s] == known[o, row])
                    owed = theirs[o, row] * (1 - w - t)
                elif k < BUCKETS:
                    share = ends[o, row, k]
                    w, t = below[k] + share * under[s], share * same[s]
                    owed = above[k + 1] + share * over[s]
                else:  # a 2-7 middle that fouls
                    w, t, owed = np.float32(0.0), np.float32(0.0), above[0]
                x = 1 - w - t
                won[o, s], lost[o, s] = w, x
                part = pays.row * (w - x)
                paid = np.float32(1.0)
                if pays.row_winner:
                    part -= owed
                    paid = 1 - legal[o] + legal[o] * w
                plain[s] += legal[o] * part + paid * royalty[s]
                shared = pays.scoop * (np.float32(1 / 3) - x / 2) + pays.majority * (np.float32(1 / 6) + (w - x) / 2)
                most[s] += legal[o] * shared
    most += plain


@piece
def shared_worth(f, m, b, legal, compared, won, lost, pays):  # type: ignore[no-untyped-def]
    """What three rows get together: scoops and majorities. They are given by their places in RowTables."""
    total = np.float32(0.0)
    for o in range(legal.shape[0]):
        if compared[o]:
            total += legal[o] * won_together(
                won[o, f], won[o, m], won[o, b], lost[o, f], lost[o, m], lost[o, b], pays.scoop, pays.majority
            )
    return total


@kernel
def strongest_first(strengths):  # type: ignore[no-untyped-def]
    """The place of each strength where bounds rise with it."""
    places = np.empty(strengths, np.uint16)
    for s in range(strengths):
        places[s] = strengths - 1 - s
    return places


@kernel
def place_few_bounds(most, places):  # type: ignore[no-untyped-def]
    """Write down where each bound stands from the most to the least: few, and mostly in order of strength already."""
    order = np.empty(most.shape[0], np.uint16)
    for s in range(most.shape[0]):
        place = s
        while place > 0 and most[order[place - 1]] > most[s]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = s
    for place in range(most.shape[0]):
        places[order[place]] = most.shape[0] - 1 - place


@kernel
def place_bounds(most, places):  # type: ignore[no-untyped-def]
    """The same for thousands of bounds, which are rounded up to steps."""
    top = most.max()
    step = (top - most.min()) / _STEPS + 1e-6
    for s in range(most.shape[0]):
        place = max(np.int64((top - most[s]) / step) - 1, 0)
        places[s] = place
        most[s] = top - place * step

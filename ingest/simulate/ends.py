"""What a board is worth that ends in a certain way, or is likely to end in several."""

from __future__ import annotations

import numpy as np

from ingest.game.compiled import BACK_ROYALTY, FRONT_ROYALTY, MIDDLE_ORDER, MIDDLE_ROYALTY
from ingest.game.kernels import kernel, piece
from ingest.game.naturals import _masks
from ingest.game.pair import cards_given, in_order
from ingest.simulate.buckets import BUCKETS
from ingest.simulate.net import LEGAL


@piece
def _won_and_lost(chance, known):  # type: ignore[no-untyped-def]
    """The chances to win a row and to lose it; a row that is known to tie is neither."""
    if known >= 0 and chance == np.float32(0.5):
        return np.float32(0.0), np.float32(0.0)
    return chance, 1 - chance


@piece
def won_together(won_f, won_m, won_b, lost_f, lost_m, lost_b, scoop, majority):  # type: ignore[no-untyped-def]
    """What scoops and majorities bring, by the chances to win and to lose each row."""
    won, lost = won_f * won_m * won_b, lost_f * lost_m * lost_b
    most = won_f * won_m + won_f * won_b + won_m * won_b - 2 * won
    least = lost_f * lost_m + lost_f * lost_b + lost_m * lost_b - 2 * lost
    return scoop * (won - lost) + majority * (most - least)


@piece
def pair_worth(f, m, b, front, middle, back, legal, row, scoop, majority, foul):  # type: ignore[no-untyped-def]
    """What a legal board gets from one opponent for rows, scoops, majorities and fouls, by its chances to win rows.

    `front`, `middle`, `back`: -1 where the opponent's row has room, see `Room.known`.
    """
    won_f, lost_f = _won_and_lost(f, front)
    won_m, lost_m = _won_and_lost(m, middle)
    won_b, lost_b = _won_and_lost(b, back)
    points = row * (2 * (f + m + b) - 3)
    points += won_together(won_f, won_m, won_b, lost_f, lost_m, lost_b, scoop, majority)
    return legal * points + (1 - legal) * foul


@piece
def _mean(out, row, full, values):  # type: ignore[no-untyped-def]
    """The mean of a number by bucket over how a row ends; `full`: the bucket of a full row, -1 where there is room."""
    if full >= 0:
        return values[full]
    total = weight = np.float32(0.0)
    for k in range(BUCKETS):
        weight += out[row * BUCKETS + k]
        total += out[row * BUCKETS + k] * values[k]
    return total / weight


@piece
def _means(out, row, full, own, wins):  # type: ignore[no-untyped-def]
    """`_mean` of two numbers at once."""
    if full >= 0:
        return own[full], wins[full]
    first = second = weight = np.float32(0.0)
    for k in range(BUCKETS):
        x = out[row * BUCKETS + k]
        weight += x
        first += x * own[k]
        second += x * wins[k]
    weight = np.float32(1.0) / weight
    return first * weight, second * weight


@kernel
def expected_worth(out, front, middle, back, own, legal, wins, worths):  # type: ignore[no-untyped-def]
    """The worth of a board that ends as `out` says; `front`, `middle`, `back`: buckets of full rows, -1 with room."""
    x, f = _means(out, 0, front, own[0], wins[0, 0])
    y, m = _means(out, 1, middle, own[1], wins[0, 1])
    z, b = _means(out, 2, back, own[2], wins[0, 2])
    total = (
        x + y + z + pair_worth(f, m, b, -1, -1, -1, legal[0], worths.row, worths.scoop, worths.majority, worths.foul)
    )
    faced = legal[0]
    for o in range(1, worths.opponents):
        f = _mean(out, 0, front, wins[o, 0])
        m = _mean(out, 1, middle, wins[o, 1])
        b = _mean(out, 2, back, wins[o, 2])
        total += pair_worth(f, m, b, -1, -1, -1, legal[o], worths.row, worths.scoop, worths.majority, worths.foul)
        faced += legal[o]
    chance = out[LEGAL] / (1 + out[LEGAL])
    return chance * total - (1 - chance) * faced * worths.foul


@piece
def row_chance(strength, place, bucket, within, rows, wins, known):  # type: ignore[no-untyped-def]
    """The chance to beat an opponent's row with a strength, a tie counted half.

    `place`, `known`: where the row and the opponent's stand among all rows of their kind, `known` -1 if it has room.
    """
    if known >= 0:
        return np.float32(1.0) if place > known else np.float32(0.5) if place == known else np.float32(0.0)
    k = bucket[strength]
    return wins[k] + rows[k] * (within[strength] - np.float32(0.5))


@kernel
def final_worth(f, m, b, natural, stakes, legal, rows, wins, known, denied):  # type: ignore[no-untyped-def]
    """The worth of a full board with these strengths, `natural`: what its natural pays from each opponent."""
    worths, fronts, fives, values = stakes.worths, stakes.fronts, stakes.fives, stakes.values
    bucket_front, bucket_middle, bucket_back = stakes.bucket
    within_front, within_middle, within_back = stakes.within
    total = np.float32(0.0)
    if not in_order(f, m, b, fronts, fives, worths):
        for o in range(worths.opponents):
            total -= legal[o] * worths.foul
        return total
    met_cards, met_front, met_five, no_royalty = stakes.enter
    given = cards_given(met_cards, met_front, met_five, no_royalty, f, m, b, 0)
    if given > 0:
        total += values[given]
    total += natural * worths.opponents
    if worths.moon > 0 and b < worths.moon_end:
        return total + worths.moon * worths.opponents
    front, middle, back = fronts[f, FRONT_ROYALTY], fives[m, MIDDLE_ROYALTY], fives[b, BACK_ROYALTY]
    for o in range(worths.opponents):
        x = row_chance(f, f, bucket_front, within_front, rows[o, 0], wins[o, 0], known[o, 0])
        y = row_chance(m, fives[m, MIDDLE_ORDER], bucket_middle, within_middle, rows[o, 1], wins[o, 1], known[o, 1])
        z = row_chance(b, b, bucket_back, within_back, rows[o, 2], wins[o, 2], known[o, 2])
        total += pair_worth(
            x, y, z, known[o, 0], known[o, 1], known[o, 2], legal[o], worths.row, worths.scoop, worths.majority,
            worths.foul,
        )  # fmt: skip
        if worths.row_winner:
            lost = 1 - legal[o]
            total += front * (lost + legal[o] * x) + middle * (lost + legal[o] * y) + back * (lost + legal[o] * z)
            total += denied[o, 0, bucket_front[f]] + denied[o, 1, bucket_middle[m]] + denied[o, 2, bucket_back[b]]
        else:
            total += front + middle + back
    return total


@kernel
def natural_worth(board, natural_points, mask):  # type: ignore[no-untyped-def]
    """What the best natural of a full board ``(1, 13)`` pays from each opponent."""
    _masks(board, mask)
    best = np.float32(0.0)
    for k in range(natural_points.shape[0]):
        if (mask[0] >> k) & 1:
            best = max(best, natural_points[k])
    return best

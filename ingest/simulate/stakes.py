"""From a setting to what the kernels of `judge` need: a rule set in numbers, and the net with the rules' context."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ingest.game.compiled import BACK_ROYALTY, FRONT_ROYALTY, MIDDLE_ROYALTY
from ingest.game.strength import strength_tables
from ingest.simulate.buckets import BUCKETS, Buckets, row_buckets
from ingest.simulate.net import Floats, Net
from ingest.simulate.room import Stakes, Worths
from ingest.simulate.views import MOST_DEALT
from ingest.simulate.worth import Setting, conditions_for, fantasyland_bonus, row_worth


def by_bucket(values: npt.NDArray[np.float32], buckets: Buckets) -> Floats:
    """The mean of a number by strength over each bucket's random hands, ``(BUCKETS,)``."""
    used = buckets.share > 0
    sums = np.bincount(buckets.bucket[used], (values * buckets.share)[used], minlength=BUCKETS)
    return sums[:BUCKETS].astype(np.float32)


@lru_cache(maxsize=64)
def make_stakes(setting: Setting) -> Stakes:
    """The stakes of a setting, for a player in normal play."""
    compiled, numbers = setting.compiled, setting.compiled.numbers
    rows = row_buckets(setting.low)
    tables = (
        compiled.front[:, FRONT_ROYALTY],
        compiled.five[:, MIDDLE_ROYALTY],
        compiled.five[:, BACK_ROYALTY],
    )
    opponents = setting.players - 1
    royalties = np.stack([by_bucket(table.astype(np.float32), row) for table, row in zip(tables, rows, strict=True)])
    bonus = np.stack(
        [by_bucket(extra, row) for extra, row in zip(fantasyland_bonus(setting, 0, bound=False), rows, strict=True)]
    )
    crowds = [setting.crowd(cards) for cards in range(MOST_DEALT + 1)]
    enter, _ = conditions_for(setting, 0)
    return Stakes(
        worths=Worths(
            row=float(numbers.row),
            scoop=float(numbers.scoop),
            majority=float(numbers.majority),
            foul=float(numbers.foul),
            row_winner=bool(numbers.row_winner),
            low=bool(numbers.low),
            moon=float(numbers.moon_points),
            moon_end=int(numbers.moon_end),
            opponents=opponents,
            decks=setting.rules.deal.decks,
            last_dealt=setting.rules.deal.streets[-1][0],
            last_kept=setting.rules.deal.streets[-1][1],
        ),
        own=(bonus if numbers.row_winner else bonus + royalties * opponents).astype(np.float32),
        royalties=royalties,
        crowd_legal=np.array([crowd.legal for crowd in crowds], np.float32),
        crowd_rows=np.stack([crowd.rows for crowd in crowds]),
        fronts=compiled.front,
        fives=compiled.five,
        natural_points=compiled.natural_points.astype(np.float32),
        enter=(enter.cards, enter.front, enter.five, np.uint32(enter.no_royalty)),
        values=setting.values,
        bucket=tuple(row.bucket for row in rows),  # type: ignore[arg-type]
        within=tuple(row.below + row.same / 2 for row in rows),  # type: ignore[arg-type]
        tables=tuple(strength_tables()),
    )


# What a player has to gain from risk, in tens of points: by front, middle and back bucket, and what a foul costs.
CONTEXT = 13


@lru_cache(maxsize=64)
def context(setting: Setting) -> Floats:
    """The few numbers by which the net knows the rules, ``(CONTEXT,)``; see `learn` for how it came to know them."""
    worth = row_worth(setting, (0,) * (setting.players - 1), 0)
    bonus = fantasyland_bonus(setting, 0, bound=False)
    opponents = setting.players - 1
    rows = []
    for row, buckets in enumerate(row_buckets(setting.low)):
        rows.append(by_bucket(worth[row] + bonus[row], buckets) / opponents)
    front, middle, back = rows
    high = middle[[10, 12, 15, 17]] if not setting.low else middle[[2, 4, 6, 7]]
    numbers = [
        front[9:14].mean() - front[3],  # 66 to TT
        front[15] - front[3],  # QQ
        front[16] - front[15],  # KK
        front[17] - front[16],  # AA
        front[18] - front[3],  # trips
        *(high - middle[0]),
        *(back[[12, 14, 17]] - back[7]),
        (worth.legal - worth.foul) / opponents,
    ]
    return (np.array(numbers) / 10).astype(np.float32)


def net_for(setting: Setting, weights: dict[str, npt.NDArray[np.float32]]) -> Net:
    """The learned weights with the context of a setting folded into the first layer."""
    hidden = np.ascontiguousarray(weights["hidden"], np.float32)
    bias = weights["hidden_bias"] + np.einsum("k,skw->sw", context(setting), weights["context"])
    placed = weights["placed"].astype(int).tolist()
    stage_of = [max((stage for stage, count in enumerate(placed) if count <= cards), default=0) for cards in range(14)]
    return Net(
        hidden,
        np.ascontiguousarray(bias, np.float32),
        np.ascontiguousarray(weights["heads"], np.float32),
        np.ascontiguousarray(weights["heads_bias"], np.float32),
        np.array(stage_of, np.int64),
    )

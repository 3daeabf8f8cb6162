"""What happens between the rows of two boards, and what people call a row: counts and names, whatever rows pay."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.cards import RANKS
from ingest.game.compiled import MIDDLE_ORDER, CompiledRules
from ingest.game.kernels import kernel, spread
from ingest.game.strength import CATEGORIES, NO_STRENGTH, low_key, scale

Counts = npt.NDArray[np.int8]

# Names of rows, weak to strong. Front pairs and trips are named apart from each other, the rest by category.
NO_ROW = "no row"
FRONT_NAMES = (
    NO_ROW, "high_card", *(f"{rank}{rank}" for rank in RANKS), *(f"{rank}{rank}{rank}" for rank in RANKS)
)  # fmt: skip
LOW_NAMES = ("T", "9", "8", "7", "75432")
FIVE_NAMES = (NO_ROW, *CATEGORIES, "no low", *LOW_NAMES)


class RowResults(NamedTuple):
    """Each seat's rows against its opponents, counts over opponents, (s,) each, `won` and `lost` (s, 3).

    Rows are compared where neither board is fouled. A scoop is winning all three rows, or not fouling where the other
    fouls.
    """

    opponents: Counts
    compared: Counts
    won: Counts
    lost: Counts
    scoops: Counts
    scooped: Counts


@kernel
def _row_results(strengths, order, fouled, first_seat, opponents, compared, won, lost, scoops, scooped):  # type: ignore[no-untyped-def]
    for hand in range(first_seat.shape[0] - 1):
        start, stop = first_seat[hand], first_seat[hand + 1]
        for s in range(start, stop):
            opponents[s] = stop - start - 1
            compared[s] = scoops[s] = scooped[s] = 0
            for row in range(3):
                won[s, row] = lost[s, row] = 0
        for i in range(start, stop):
            for j in range(start, stop):
                if i == j or (fouled[i] and fouled[j]):
                    continue
                if fouled[i] or fouled[j]:
                    scoops[i] += fouled[j]
                    scooped[i] += fouled[i]
                    continue
                compared[i] += 1
                rows_won = rows_lost = 0
                for row in range(3):
                    a, b = strengths[i, row], strengths[j, row]
                    if row == 1:
                        a, b = order[a], order[b]
                    won[i, row] += a > b
                    lost[i, row] += a < b
                    rows_won += a > b
                    rows_lost += a < b
                scoops[i] += rows_won == 3
                scooped[i] += rows_lost == 3


def row_results(
    rules: CompiledRules,
    strengths: npt.NDArray[np.uint16],
    fouled: npt.NDArray[np.bool_],
    first_seat: npt.NDArray[np.int64],
) -> RowResults:
    """Compare the rows of every pair of each hand; shapes as `score_hands` takes and gives them."""
    seats = len(strengths)
    # A board that is never fouled may miss a card only where a natural takes the place of the comparison.
    middles = np.minimum(strengths, len(rules.five) - 1)
    order = np.ascontiguousarray(rules.five[:, MIDDLE_ORDER])
    small = [np.empty(seats, np.int8) for _ in range(4)]
    out = RowResults(small[0], small[1], np.empty((seats, 3), np.int8), np.empty((seats, 3), np.int8), *small[2:])
    spread(
        len(first_seat) - 1,
        lambda start, stop: _row_results(middles, order, fouled, first_seat[start : stop + 1], *out),
    )
    return out


@cache
def _front_places() -> npt.NDArray[np.uint8]:
    """For each front strength its place in FRONT_NAMES, (455,)."""
    names = []
    for category, ranks in scale().front:
        count = {"pair": 2, "trips": 3}.get(CATEGORIES[category])
        names.append("high_card" if count is None else RANKS[ranks[0]] * count)
    return np.array([FRONT_NAMES.index(name) for name in names], np.uint8)


@cache
def _five_places(low: bool) -> npt.NDArray[np.uint8]:
    """For each five-card strength its place in FIVE_NAMES, (11193,); `low`: as a 2-7 middle."""
    names = []
    for key in scale().five:
        category, ranks = low_key(key) if low else key
        name = CATEGORIES[category]
        if low:
            top = RANKS[ranks[0]]
            shown = "".join(RANKS[rank] for rank in ranks)
            name = "no low" if name != "high_card" or top not in LOW_NAMES else "75432" if shown == "75432" else top
        names.append(name)
    return np.array([FIVE_NAMES.index(name) for name in names], np.uint8)


def row_places(strengths: npt.NDArray[np.uint16], *, low: bool) -> tuple[npt.NDArray[np.uint8], ...]:
    """The names of front, middle and back, three arrays (s,) of places in FRONT_NAMES, FIVE_NAMES and FIVE_NAMES."""
    places = []
    for row, table in enumerate((_front_places(), _five_places(low), _five_places(False))):
        known = strengths[:, row] != NO_STRENGTH
        places.append(np.where(known, table[np.where(known, strengths[:, row], 0)], 0).astype(np.uint8))
    return tuple(places)

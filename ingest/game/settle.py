"""Settlement: what points are worth in chips, pair by pair, under table stakes if the rules say so.

Money is counted in whole units of the caller's choice (the smallest that all amounts need), never in floats.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ingest.game.kernels import kernel
from ingest.game.score import Offsets, pair_offsets

Money = npt.NDArray[np.int64]
# A player whose stack is not known has no cap.
UNKNOWN_STACK = -1


@kernel
def _settle(dues, first_seat, first_pair, stacks, capped, chips):  # type: ignore[no-untyped-def]
    """Pairs in strict order: the player left of the button against each after him, then the next one, and so on."""
    for hand in range(first_seat.shape[0] - 1):
        start, stop = first_seat[hand], first_seat[hand + 1]
        pair = first_pair[hand]
        for s in range(start, stop):
            chips[s] = 0
        for i in range(start, stop):
            for j in range(i + 1, stop):
                due = dues[pair]
                pair += 1
                winner, loser = (i, j) if due > 0 else (j, i)
                paid = abs(due)
                if capped:
                    # Complete: he has won what he had at the start, and has no part in later pairs.
                    if (stacks[i] >= 0 and chips[i] >= stacks[i]) or (stacks[j] >= 0 and chips[j] >= stacks[j]):
                        continue
                    if stacks[loser] >= 0:
                        paid = min(paid, stacks[loser] + chips[loser])
                    if stacks[winner] >= 0:
                        paid = min(paid, stacks[winner] - chips[winner])
                chips[winner] += paid
                chips[loser] -= paid


def settle(dues: Money, first_seat: Offsets, stacks: Money, *, table_stakes: bool) -> Money:
    """What every seat wins or loses, ``(s,)``; it sums to zero in each hand.

    `dues` ``(pairs,)``: what the first of each pair is to get from the second (points times the pair's value), in the
    order of `score.pair_offsets`; `stacks` ``(s,)``: chips at the start of the deal, UNKNOWN_STACK for no cap. Under
    `table_stakes` no one loses more than he has in front of him, nor wins more than he had at the start.
    """
    first_seat = np.ascontiguousarray(first_seat, np.int64)
    first_pair = pair_offsets(first_seat)
    seats, pairs = int(first_seat[-1]), int(first_pair[-1])
    if dues.shape != (pairs,) or stacks.shape != (seats,):
        raise ValueError(f"expected dues ({pairs},) and stacks ({seats},), got {dues.shape} and {stacks.shape}")
    chips = np.empty(seats, np.int64)
    dues, stacks = np.ascontiguousarray(dues, np.int64), np.ascontiguousarray(stacks, np.int64)
    _settle(dues, first_seat, first_pair, stacks, table_stakes, chips)
    return chips

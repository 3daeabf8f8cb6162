"""The simplest player, as a floor for the others: it places at random."""

from __future__ import annotations

import numpy as np

from ingest.game.board import EMPTY
from ingest.game.kernels import kernel
from ingest.simulate.chance import below, draw
from ingest.simulate.placements import all_placements, fits, free_slots
from ingest.simulate.views import NO_CARD, Cards, Views
from ingest.simulate.worth import Setting


@kernel
def _random(boards, dealt, ways, keys, out):  # type: ignore[no-untyped-def]
    for i in range(boards.shape[0]):
        front, middle, back = free_slots(boards[i])
        tries = 0
        while True:
            tries += 1
            way = ways[below(draw(keys[i], tries), ways.shape[0])]
            if fits(way, front, middle, back):
                out[i] = way
                break


@kernel
def _random_settings(dealt, keys, out):  # type: ignore[no-untyped-def]
    for i in range(dealt.shape[0]):
        count = 0
        while count < dealt.shape[1] and dealt[i, count] != EMPTY:
            count += 1
        for k in range(count):
            out[i, k] = 0 if k < 3 else 1 if k < 8 else 2 if k < 13 else 3
        for k in range(count - 1, 0, -1):
            other = below(draw(keys[i], k), k + 1)
            out[i, k], out[i, other] = out[i, other], out[i, k]


class RandomAgent:
    """Every placement that fits, with the same chance."""

    name = "random"

    def __init__(self, setting: Setting) -> None:
        self._streets = setting.rules.deal.streets

    def place(self, views: Views) -> Cards:
        rows = np.full(views.dealt.shape, NO_CARD, np.uint8)
        if views.dealt.shape[1] >= 13:
            _random_settings(views.dealt, views.keys, rows)
        else:
            _random(views.board, views.dealt, all_placements(*self._streets[views.street]), views.keys, rows)
        return rows

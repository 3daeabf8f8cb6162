"""The fast agent: each placement by what the learned net expects of it under the rules at hand."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from ingest.game.compiled import BACK_ROYALTY, FRONT_ROYALTY, MIDDLE_ROYALTY
from ingest.game.kernels import spread
from ingest.simulate.judge import FEW, judge_views
from ingest.simulate.net import Floats, Net
from ingest.simulate.placements import all_placements
from ingest.simulate.setter import set_at_once, usual_net
from ingest.simulate.stakes import make_stakes
from ingest.simulate.views import DISCARD, Cards, Views
from ingest.simulate.worth import Setting

Masks = npt.NDArray[np.int64]


@cache
def street_ways(dealt: int, kept: int) -> tuple[Cards, Masks]:
    """All placements of a street, and for each the dealt cards of front, middle and back as bits, ``(ways, 3)``."""
    ways = all_placements(dealt, kept)
    bits = 1 << np.arange(dealt)
    masks = np.stack([((ways == row) * bits).sum(axis=1) for row in range(DISCARD)], axis=1)
    return ways, masks


class FastAgent:
    """Plays what looks best at once, without looking ahead."""

    name = "fast"
    # How many placements it works out exactly before the last street, see `judge_street`.
    worked_out = FEW

    def __init__(self, setting: Setting, net: Net | None = None) -> None:
        self.setting = setting
        self.net = net or usual_net(setting)
        self.stakes = make_stakes(setting)

    def values(self, views: Views) -> tuple[Floats, npt.NDArray[np.int64]]:
        """The worth of each placement of `street_ways`, ``(n, ways)``, and the best one, ``(n,)``."""
        ways, masks = street_ways(*self.setting.rules.deal.streets[views.street])
        out = np.empty((len(views.board), len(ways)), np.float32)
        best = np.empty(len(views.board), np.int64)

        def work(start: int, stop: int) -> None:
            judge_views(
                tuple(part[start:stop] for part in views[:5]),
                ways,
                masks,
                self.worked_out,
                self.net,
                self.stakes,
                out[start:stop],
                best[start:stop],
            )

        spread(len(out), work, least=50)
        return out, best

    def place(self, views: Views) -> Cards:
        if views.dealt.shape[1] >= 13:
            return set_at_once(self.setting, views, self.net)
        ways, _ = street_ways(*self.setting.rules.deal.streets[views.street])
        return ways[self.values(views)[1]]


class CautiousAgent(FastAgent):
    """Keeps its boards legal and wants nothing else; a floor for agents that also want points."""

    name = "cautious"

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        stakes = self.stakes
        # Only what a foul costs is left of the rules.
        worths = stakes.worths._replace(row=0.0, scoop=0.0, majority=0.0, moon=0.0, row_winner=False)
        self.stakes = stakes._replace(
            worths=worths,
            own=np.zeros_like(stakes.own),
            fronts=_without_points(stakes.fronts, FRONT_ROYALTY),
            fives=_without_points(stakes.fives, MIDDLE_ROYALTY, BACK_ROYALTY),
            natural_points=np.zeros_like(stakes.natural_points),
            values=np.zeros_like(stakes.values),
        )


def _without_points(table: npt.NDArray[np.int32], *columns: int) -> npt.NDArray[np.int32]:
    table = table.copy()
    table[:, columns] = 0
    return table

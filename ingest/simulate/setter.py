"""Setting all cards at once, as every agent but the random one does it: Fantasyland and closed Chinese poker."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ingest.simulate.arrange import best_boards, rows_of
from ingest.simulate.learned import blank_net, learned_net
from ingest.simulate.net import Net
from ingest.simulate.opposite import look_across
from ingest.simulate.stakes import net_for
from ingest.simulate.views import NO_CARD, Cards, Views, part
from ingest.simulate.worth import Setting


def set_at_once(setting: Setting, views: Views, net: Net | None = None) -> Cards:
    """The best setting of hands in which all cards come at once, as placements; see `best_boards`.

    Where opponents' cards lie open, `net` says what becomes of their boards; the learned one if none is given.
    """
    rows = np.full(views.dealt.shape, NO_CARD, np.uint8)
    blind = (views.others >= 52).all(axis=(1, 2))
    ways = np.concatenate([views.fantasyland[:, None], np.sort(views.others_fantasyland, axis=1)], axis=1)
    for kind in np.unique(ways[blind], axis=0):
        own, *others = (int(cards) for cards in kind)
        _set(setting, views, np.flatnonzero(blind & (ways == kind).all(axis=1)), own, tuple(others), rows)
    for own in np.unique(views.fantasyland[~blind]).tolist():
        _set(setting, views, np.flatnonzero(~blind & (views.fantasyland == own)), own, net or usual_net(setting), rows)
    return rows


def _set(
    setting: Setting, views: Views, which: npt.NDArray[np.int64], own: int, against: tuple[int, ...] | Net, rows: Cards
) -> None:
    """Write into `rows` the placements of some hands, set with `own` Fantasyland cards, 0: closed Chinese poker."""
    some = part(views, which)
    others = look_across(setting, some, against) if isinstance(against, Net) else against
    dealt = np.ascontiguousarray(some.dealt)
    boards, _ = best_boards(setting, dealt, own or 13, others, own_cards=own)
    rows[which] = rows_of(boards, dealt)


@lru_cache(maxsize=64)
def usual_net(setting: Setting) -> Net:
    """The learned net. Where all cards come at once there is nothing to guess, and nothing was learned."""
    all_at_once = len(setting.rules.deal.streets) == 1
    return net_for(setting, blank_net() if all_at_once else learned_net(setting))

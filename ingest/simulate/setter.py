"""Setting all cards at once, as every agent but the random one does it: Fantasyland and closed Chinese poker."""

from __future__ import annotations

import numpy as np

from ingest.simulate.arrange import best_boards, rows_of
from ingest.simulate.views import NO_CARD, Cards, Views
from ingest.simulate.worth import Setting


def set_at_once(setting: Setting, views: Views) -> Cards:
    """The best setting of hands in which all cards come at once, as placements; see `best_boards`."""
    rows = np.full(views.dealt.shape, NO_CARD, np.uint8)
    ways = np.concatenate([views.fantasyland[:, None], np.sort(views.others_fantasyland, axis=1)], axis=1)
    for kind in np.unique(ways, axis=0):
        which = (ways == kind).all(axis=1)
        own, *others = (int(cards) for cards in kind)
        dealt = np.ascontiguousarray(views.dealt[which])
        boards, _ = best_boards(setting, dealt, own or 13, tuple(others), own_cards=own)
        rows[which] = rows_of(boards, dealt)
    return rows

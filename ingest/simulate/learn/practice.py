"""What is practised on: rule sets of one way of dealing, real ones and others with less and more to gain from risk."""

from __future__ import annotations

import numpy as np

from ingest.game.rules import Deal, RuleSet, builtin_rules, with_changes

# Rule sets of each way of dealing that change much of what there is to gain; the first is played most.
_BUILTIN = {
    "classic-high": ("classic", "royalty-stay", "treble-middle", "low-royalties"),
    "pineapple-high": ("pineapple", "pineapple-progressive", "pineapple-aces"),
    "pineapple-low": ("pineapple-2-7",),
}
WAYS_OF_DEALING = tuple(_BUILTIN)
_USUAL = {13: 6.0, 14: 10.0, 15: 14.0, 16: 19.0, 17: 24.0}


def practice(name: str) -> list[tuple[RuleSet, dict[int, float]]]:
    """Rule sets to learn from, with values of Fantasyland; the usual one first."""
    first, *others = (builtin_rules()[rules] for rules in _BUILTIN[name])
    nothing = with_changes(first, {"fantasyland": {"enter": [], "stay": []}})
    plain = with_changes(nothing, {"royalties": first.royalties.times(0)})
    twice = first.royalties.times(2)
    del twice["front"]
    return [
        (first, _USUAL),
        (first, _USUAL),
        (first, dict.fromkeys(_USUAL, 4.0)),
        (first, dict.fromkeys(_USUAL, 20.0)),
        (nothing, {}),
        (plain, {}),
        (with_changes(nothing, {"royalties": twice}), {}),
        (with_changes(plain, {"points.foul": 12}), {}),
        *((other, _USUAL) for other in others),
    ]


def placed_counts(deal: Deal) -> list[int]:
    """How many cards lie after each street but the last."""
    return [int(count) for count in np.cumsum([kept for _, kept in deal.streets])[:-1]]

"""What was learned from play and travels with the program: see `ingest.simulate.learn`, which writes it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from ingest.game.errors import OFCError, known

if TYPE_CHECKING:
    from ingest.simulate.crowd import Crowd
    from ingest.simulate.worth import Setting

CROWDS, NETS = "crowds.npz", "nets.npz"


@cache
def _arrays(name: str) -> dict[str, Any]:
    """The arrays of a file of this package; none where it was not made yet."""
    path = files("ingest.simulate").joinpath("data", name)
    if not path.is_file():
        return {}
    with path.open("rb") as file, np.load(file) as data:
        return dict(data)


@cache
def learned_crowds() -> dict[tuple[str, int], Crowd]:
    """Crowds by way of dealing and number of Fantasyland cards, 0 for normal play."""
    from ingest.simulate.crowd import Crowd

    found = {}
    for name, values in _arrays(CROWDS).items():
        deal, cards = name.rsplit("/", 1)
        found[deal, int(cards)] = Crowd(float(values[0, 0]), values[1:].astype(np.float32))
    return found


@cache
def learned_nets() -> dict[str, dict[str, Any]]:
    """Weights by way of dealing, see `crowd_name`; each a dictionary of arrays."""
    found: dict[str, dict[str, Any]] = {}
    for name, values in _arrays(NETS).items():
        deal, part = name.rsplit("/", 1)
        found.setdefault(deal, {})[part] = values.astype(np.float32)
    return found


def learned_net(setting: Setting) -> dict[str, Any]:
    """The weights for a setting's way of dealing. Raises OFCError where none were learned."""
    from ingest.simulate.crowd import crowd_name

    name = crowd_name(setting.rules.deal)
    nets = learned_nets()
    if name not in nets:
        raise OFCError(f"expected a way of dealing that was learned, got {name}; known: {known(nets)}")
    return nets[name]


def blank_net() -> dict[str, Any]:
    """Weights of one stage that know nothing, for a deal that needs none."""
    from ingest.simulate.features import FEATURES
    from ingest.simulate.net import HEADS
    from ingest.simulate.stakes import CONTEXT

    shapes = {
        "hidden": (1, FEATURES, 1),
        "context": (1, CONTEXT, 1),
        "hidden_bias": (1, 1),
        "heads": (1, 1, HEADS),
        "heads_bias": (1, HEADS),
        "placed": (1,),
    }
    return {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}

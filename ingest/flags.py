"""What may be noticed about a hand: the flags, each with what it says to a person."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import polars as pl

from ingest.batch import gathered

# Set by readers, from what the log says.
READER_FLAGS = {
    "observer": "the log's owner only watched",
    "no_discards": "what some players threw away is not known",
    "unknown_rules": "the log does not say, in words that we know, what was played",
    "jokers": "played with jokers: stored and shown, not scored",
    "order_unknown": "the acting order is not known",
    "results_only": "points without cards",
    "streets_missing": "some cards stand on the board of which no street tells",
    "stake_inferred": "the stake is what the losers paid for each point",
    "total_mismatch": "the points of the hands do not sum to the total of the match that the source states",
}
# Set by the loader, from the hand itself and from the other records of it.
DERIVED_FLAGS = {
    "claimed_score_mismatch": "the points that the source states are not those of the played rules",
    "claimed_foul_mismatch": "the source and the rules disagree on who fouled",
    "claimed_fantasyland_mismatch": "the source and the rules disagree on who plays Fantasyland next",
    "capped": "somebody lost less money than his points, as table stakes have it",
    "stakes_suspect": "points times stake is less than the money that was paid: the stake may be wrong",
    "net_unbalanced": "more money was won than lost",
    "unknown_cards": "some cards on the boards are not known: stored and shown, not scored",
    "duplicate_in_source": "one source holds this hand more than once",
    "merged_views": "put together from records that say different things about it",
    "contradicting_views": "records with this id tell different stories; one was preferred, all are kept",
}
FLAGS = READER_FLAGS | DERIVED_FLAGS
# What speaks against a log, or against what we make of it: said at the end of a run.
DOUBTS = (
    "claimed_score_mismatch",
    "claimed_foul_mismatch",
    "claimed_fantasyland_mismatch",
    "stakes_suspect",
    "net_unbalanced",
    "total_mismatch",
    "contradicting_views",
)


def flag_lists(marks: Mapping[str, npt.NDArray[np.bool_]]) -> pl.Series:
    """For each row the sorted list of the names whose mark is set; all marks are (n,)."""
    names = sorted(marks)
    sets = np.zeros(len(marks[names[0]]), np.int64)
    for bit, name in enumerate(names):
        sets |= marks[name].astype(np.int64) << bit
    # Few of the possible sets occur: make each list once.
    found, places = np.unique(sets, return_inverse=True)
    lists = [[name for bit, name in enumerate(names) if bits >> bit & 1] for bits in found.tolist()]
    return gathered(lists, places, pl.List(pl.String))

"""What the cards of a hand are worth, and whether what its source claims agrees: rows for the tables from a batch."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import orjson
import polars as pl

from ingest.batch import Batch, Offsets, exact_money, gathered, to_millionths
from ingest.flags import flag_lists
from ingest.game.board import EMPTY
from ingest.game.cards import CARD_COUNT, UNKNOWN
from ingest.game.errors import RuleError
from ingest.game.naturals import natural_masks
from ingest.game.rules import RuleSet, find_rules, with_changes
from ingest.game.strength import NO_STRENGTH, row_strengths
from ingest.places import rule_folders
from ingest.scoring import HAND_INPUT, rules_key, scorable, score_frame

Flags = npt.NDArray[np.bool_]

# A log may name rules, never a file to be read.
_RULE_NAME = re.compile(r"[\w-]+")
# What the house may take of the winnings before the amounts themselves are in doubt.
MOST_RAKE = 0.10


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of `hands` and `seats`, and of `scores` under the played rules; actions stay as they are."""

    hands: pl.DataFrame
    seats: pl.DataFrame
    scores: pl.DataFrame
    rule_sets: dict[int, RuleSet]


class Played(NamedTuple):
    """The rule set that hands were played by, and its key."""

    rules: RuleSet
    key: int


@lru_cache(4096)
def played_rules(name: str | None, changes: str | None) -> Played | None:
    """The rule set that a hand names, with its changes (JSON); None where none of that name is known."""
    if name is None or not _RULE_NAME.fullmatch(name):
        return None
    try:
        rules = with_changes(find_rules(name, rule_folders()), orjson.loads(changes or "{}"))
    except RuleError:
        return None
    return Played(rules, rules_key(rules))


def with_deals(batch: Batch) -> Batch:
    """The batch with `rules_key`, and with `game`, `decks` and `middle` from the rules where the source is silent.

    The names of what was filled in are kept in `derived`, so that what the source said can be told apart.
    """
    pairs: dict[tuple[str | None, str | None], int] = {}
    named = zip(batch.hands["rules"], batch.hands["rules_changes"], strict=True)
    places = np.fromiter((pairs.setdefault(pair, len(pairs)) for pair in named), np.int64, len(batch))
    played = [played_rules(*pair) for pair in pairs]
    deals = [found.rules.deal if found else None for found in played]
    filled = {
        "game": gathered([deal.game if deal else None for deal in deals], places, pl.String),
        "decks": gathered([deal.decks if deal else 1 for deal in deals], places, pl.UInt8),
        "middle": gathered([deal.middle if deal else "high" for deal in deals], places, pl.String),
    }
    stated = batch.hands
    marks = {name: (stated[name].is_null() & values.is_not_null()).to_numpy() for name, values in filled.items()}
    hands = stated.with_columns(
        *(stated[name].fill_null(values).alias(name) for name, values in filled.items()),
        derived=flag_lists(marks),
        rules_key=gathered([found.key if found else None for found in played], places, pl.Int64),
    )
    return Batch(hands, batch.seats, batch.actions)


def evaluate(batch: Batch, hand_keys: npt.NDArray[np.int64]) -> Rows:
    """The rows for the tables; `batch` comes from `with_deals` and has passed the replay."""
    first_seat = batch.first_seat
    boards = batch.boards()
    strengths = row_strengths(boards)
    hands = batch.hands.with_columns(
        hand_key=pl.Series(hand_keys),
        scored=pl.Series(_can_be_scored(batch, boards, first_seat)),
        played_at=pl.coalesce("ended_at", "started_at"),
    )
    seats = batch.seats.with_columns(
        hand_key=pl.Series(np.repeat(hand_keys, np.diff(first_seat))),
        complete=pl.Series((boards != EMPTY).all(axis=1)),
        naturals=pl.Series(natural_masks(boards)),
        **{
            f"{row}_strength": pl.Series(strengths[:, number]).set(pl.Series(strengths[:, number] == NO_STRENGTH), None)
            for number, row in enumerate(("front", "middle", "back"))
        },
    )
    scores, rule_sets = _scores(hands, seats, first_seat)
    recomputed = scores.select("hand_key", "seat", "points", "fouled", "fantasyland_next")
    seats = seats.join(recomputed, on=["hand_key", "seat"], how="left", maintain_order="left")
    marks = _claims(seats, first_seat) | _cards(boards, first_seat)
    money, rake = _money(hands, seats, first_seat)
    hands = hands.with_columns(
        flags=_joined(hands["flags"], flag_lists(marks | money)),
        rake=hands["rake"].fill_null(rake),
        derived=pl.when(pl.col("rake").is_null() & rake.is_not_null())
        .then(pl.concat_list("derived", pl.lit("rake")))
        .otherwise("derived"),
    )
    return Rows(hands, seats, scores, rule_sets)


def any_seat(seats: Flags, first_seat: Offsets) -> Flags:
    """For each hand whether any of its seats is marked."""
    return _sums(seats.astype(np.int64), first_seat) > 0


def _sums(seats: npt.NDArray[np.int64], first_seat: Offsets) -> npt.NDArray[np.int64]:
    """For each hand the sum over its seats; hands without seats give 0."""
    running = np.concatenate([[0], np.cumsum(seats)])
    sums: npt.NDArray[np.int64] = running[first_seat[1:]] - running[first_seat[:-1]]
    return sums


def _joined(known: pl.Series, found: pl.Series) -> pl.Series:
    """Two columns of flags as one; nearly every hand has none, so only those are touched that have some."""
    some = found.list.len() > 0
    if not some.any():
        return known
    both = pl.select(pl.concat_list(known, found).list.unique().list.sort()).to_series()
    return pl.select(pl.when(some).then(both).otherwise(known)).to_series()


def _can_be_scored(batch: Batch, boards: npt.NDArray[np.uint8], first_seat: Offsets) -> Flags:
    strange: Flags = np.any((boards >= CARD_COUNT) & (boards != EMPTY), axis=1)
    complete: Flags = (batch.hands["status"] == "complete").to_numpy()
    # A hand of which no card is known was not fouled by everybody: nothing is known of it.
    known: Flags = np.any(boards != EMPTY, axis=1)
    return complete & ~any_seat(strange, first_seat) & any_seat(known, first_seat) & (np.diff(first_seat) > 1)


def _cards(boards: npt.NDArray[np.uint8], first_seat: Offsets) -> dict[str, Flags]:
    jokers: Flags = np.any((boards >= CARD_COUNT) & (boards < CARD_COUNT + 2), axis=1)
    return {
        "jokers": any_seat(jokers, first_seat),
        "unknown_cards": any_seat((boards == UNKNOWN).any(axis=1), first_seat),
    }


def _scores(hands: pl.DataFrame, seats: pl.DataFrame, first_seat: Offsets) -> tuple[pl.DataFrame, dict[int, RuleSet]]:
    """Each hand that can be scored under the rules it was played by."""
    groups = hands.filter("scored").select("rules", "rules_changes").unique()
    found = [played_rules(*pair) for pair in groups.iter_rows()]
    rule_sets = {played.key: played.rules for played in found if played}
    frames = []
    for key, rules in rule_sets.items():
        mine = (hands["scored"] & (hands["rules_key"] == key)).fill_null(False).to_numpy()
        theirs = pl.Series(np.repeat(mine, np.diff(first_seat)))
        frames.append(
            score_frame(rules, scorable(hands.filter(pl.Series(mine)).select(HAND_INPUT), seats.filter(theirs)))
        )
    if not frames:
        empty = {
            "hand_key": pl.Int64,
            "seat": pl.UInt8,
            "points": pl.Int16,
            "fouled": pl.Boolean,
            "fantasyland_next": pl.Int8,
        }
        return pl.DataFrame(schema=empty), rule_sets
    return pl.concat(frames), rule_sets


def _claims(seats: pl.DataFrame, first_seat: Offsets) -> dict[str, Flags]:
    """Where what the source states is not what the rules give."""
    pairs = {
        "claimed_score_mismatch": ("claimed_points", "points"),
        "claimed_foul_mismatch": ("claimed_fouled", "fouled"),
        "claimed_fantasyland_mismatch": ("claimed_fantasyland_next", "fantasyland_next"),
    }
    marks = {}
    for flag, (claimed, ours) in pairs.items():
        differs = pl.col(claimed) != pl.col(ours)
        if flag == "claimed_fantasyland_mismatch":
            # A number that one side does not know differs from none at all only.
            unknown = (pl.col(claimed) == -1) | (pl.col(ours) == -1)
            differs = pl.when(unknown).then((pl.col(claimed) == 0) != (pl.col(ours) == 0)).otherwise(differs)
        marks[flag] = any_seat(seats.select(differs.fill_null(False)).to_series().to_numpy(), first_seat)
    return marks


def _money(hands: pl.DataFrame, seats: pl.DataFrame, first_seat: Offsets) -> tuple[dict[str, Flags], pl.Series]:
    """Where money and points disagree, and what the house took.

    Only winners pay the house, so a loser who paid less than his points was capped by his stack (which in turn may
    change what others get); where nobody did, anyone who paid or got more than his points speaks against the stake.
    """
    players = np.diff(first_seat)
    nets, net_known = to_millionths(seats["net"])
    values, value_known = to_millionths(hands["point_value"])
    points = seats.select(pl.coalesce("points", "claimed_points")).to_series()
    due = points.fill_null(0).to_numpy().astype(np.int64) * np.repeat(values, players)
    all_nets = ~any_seat(~net_known, first_seat) & (players > 0)
    total = _sums(nets, first_seat)
    won = _sums(np.maximum(nets, 0), first_seat)
    comparable = (
        all_nets
        & value_known
        & ~any_seat(points.is_null().to_numpy(), first_seat)
        & hands["pair_values"].is_null().to_numpy()
    )
    balanced = (total <= 0) & (-total <= MOST_RAKE * np.maximum(won - total, 0))
    paid_less = any_seat((due < 0) & (nets > due), first_seat)
    paid_more = any_seat(np.abs(nets) > np.abs(due), first_seat)
    capped = comparable & balanced & paid_less
    marks = {
        "capped": capped,
        "stakes_suspect": comparable & ~capped & paid_more,
        "net_unbalanced": all_nets & ~balanced,
    }
    return marks, exact_money(-total, all_nets & balanced)

"""Stored hands under any rule set, on the fly: one row per seat with everything that figures are made of.

Nothing here reads the table `scores`; the scorer and the strengths are the same, so both always agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from analysis.filters import Filters
from analysis.rows import FIVE_NAMES, FRONT_NAMES, row_places, row_results
from analysis.tables import Hands
from analysis.wording import counted
from ingest.game.compiled import compile_rules
from ingest.game.pair import PARTS
from ingest.game.rules import RuleSet, builtin_rules
from ingest.game.score import Scores, pair_nets, score_hands

AS_PLAYED = "as played"
ANOTHER_GAME = "boards built for another game"
RULES_UNKNOWN = "played rules unknown"
ROWS = ("front", "middle", "back")


@dataclass(frozen=True)
class Scored:
    """Hands under one rule set, one row of `frame` for each seat whose result counts, with SEAT_COLUMNS and PARTS.

    `keys`: the hand_key of each hand, by its place in the column `hand`.
    `left_out`: hands that the filters chose and that are not in the frame, by why. `another_game`: hands in the frame
    whose boards were built for another game, 0 unless they were asked for.
    """

    label: str
    frame: pl.DataFrame
    filters: Filters
    left_out: Mapping[str, int]
    keys: pl.Series
    hands: int
    sessions: int
    by_day: int
    another_game: int = 0

    @property
    def notes(self) -> list[str]:
        """What a reader of any figure over these hands must know, as sentences."""
        notes = game_notes(self.filters, self.left_out, self.another_game)
        if self.by_day:
            notes.append(f"{counted(self.by_day, 'hands')} from sources that name no sessions: days stand in for them.")
        return notes


# The columns of Scored.frame beside PARTS: name and meaning.
SEAT_COLUMNS = {
    "hand": "place of the hand, in the order of time",
    "seat": "acting order from 0",
    "session": "key of the session",
    "cluster": "what is resampled: the session, or the day where the source names none",
    "site": "where it was played",
    "player": "who",
    "rules": "rule set that it is scored under",
    "players_at_table": "players at the table",
    "position": "place in acting order, the last is the button",
    "month": "month of play",
    "played_at": "time of play, UTC",
    "points": "points against all opponents together",
    "value_front": "royalty that the front is worth, 0 if fouled; so value_middle, value_back",
    "fouled": "the board is fouled",
    "moon": "shot the moon",
    "natural": "place of the natural that counts, -1 none",
    "fantasyland": "cards that this hand is played with in Fantasyland, 0 none, -1 number unknown",
    "fantasyland_next": "the same for the next hand",
    "others_in_fantasyland": "whether an opponent plays this hand in Fantasyland",
    "front": "name of the row; so middle, back",
    "opponents": "opponents",
    "compared": "opponents with whom rows were compared, neither having fouled",
    "won_front": "rows won, over opponents; so won_middle, won_back and lost_front, lost_middle, lost_back",
    "scoops": "opponents scooped; scooped: by how many he was",
    "seconds": "length of the hand",
    "net": "money as the source states it; money is its unit",
}


def game_notes(filters: Filters, left_out: Mapping[str, int], another_game: int) -> list[str]:
    """Which hands were chosen, which of them are left out, and how many of those in were built for another game."""
    notes = [filters.sentence()]
    notes += [f"{counted(count, 'hands')} left out: {reason}." for reason, count in left_out.items() if count]
    if another_game:
        notes.append(f"{another_game:,} of the hands were built for another game.")
    return notes


class _Arrays(NamedTuple):
    """What scoring takes out of Hands."""

    strengths: npt.NDArray[np.uint16]
    naturals: npt.NDArray[np.uint16]
    fantasyland: npt.NDArray[np.int8]
    first_seat: npt.NDArray[np.int64]


def arrays(hands: Hands) -> _Arrays:
    """The arrays of `score_hands`, in its order."""
    return _Arrays(hands.strengths, hands.naturals, hands.fantasyland, hands.first_seat)


def scores_of(hands: Hands, rules: RuleSet) -> Scores:
    """The score of every seat under `rules`."""
    return score_hands(compile_rules(rules), *arrays(hands))


def score_under(hands: Hands, rules: RuleSet, *, another_game: bool = False) -> Scored:
    """Hands under `rules`; those whose boards were built for another game only if `another_game` says so."""
    built = hands.built_for(rules)
    kept = hands if another_game else hands.keep(built, ANOTHER_GAME)
    foreign = int((~built).sum()) if another_game else 0
    return _scored(rules.name, kept, [(np.ones(len(kept), bool), rules)], foreign)


def score_as_played(hands: Hands) -> Scored:
    """Each hand under the rule set that it was played by; hands that do not say are left out and counted."""
    known = hands.hands["rules_key"].is_in(list(hands.rules)).fill_null(False).to_numpy()
    kept = hands.keep(known, RULES_UNKNOWN)
    keys = kept.hands["rules_key"]
    return _scored(AS_PLAYED, kept, [((keys == key).to_numpy(), hands.rules[key]) for key in keys.unique().sort()], 0)


def score_by(hands: Hands, rules: Sequence[RuleSet], *, another_game: bool = False) -> list[Scored]:
    """Hands under each of several rule sets."""
    return [score_under(hands, each, another_game=another_game) for each in rules]


def _scored(label: str, hands: Hands, groups: Sequence[tuple[npt.NDArray[np.bool_], RuleSet]], foreign: int) -> Scored:
    """Score each group of hands, a mask (n,) and its rule set, and put them together in the order of time."""
    frames = []
    for mask, rules in groups or [(np.zeros(len(hands), bool), builtin_rules()["classic"])]:
        place = np.flatnonzero(mask).astype(np.uint32)
        part = _seat_frame(hands.keep(mask, ""), rules)
        of_all = pl.Series("hand", place[part["hand"].to_numpy()])
        # Sessions keep their number: hands of one session may be played by several rule sets.
        frames.append(part.with_columns(of_all, hands.hands["cluster"].gather(of_all).alias("cluster")))
    frame = frames[0] if len(frames) == 1 else pl.concat(frames).sort("hand", "seat")
    return Scored(
        label=label,
        frame=frame,
        filters=hands.filters,
        left_out=hands.left_out,
        keys=hands.hands["hand_key"],
        hands=len(hands),
        sessions=hands.clusters,
        by_day=int(hands.hands["by_day"].sum()),
        another_game=foreign,
    )


def _named(places: npt.NDArray[np.uint8], names: tuple[str, ...]) -> pl.Series:
    return pl.Series(places).cat.to(pl.Enum(names))


def _seat_frame(hands: Hands, rules: RuleSet) -> pl.DataFrame:
    """One row for each seat of `hands` that counts."""
    scores = scores_of(hands, rules)
    results = row_results(compile_rules(rules), hands.strengths, scores.fouled, hands.first_seat)
    front, middle, back = row_places(hands.strengths, low=rules.deal.middle == "deuce_to_seven")
    players = hands.hands["players"].to_numpy()
    in_it = (hands.fantasyland != 0).astype(np.int64)
    in_hand = np.add.reduceat(in_it, hands.first_seat[:-1]) if len(hands) else np.zeros(0, np.int64)
    columns: dict[str, Any] = {
        "points": scores.points,
        **{name: scores.parts[:, place] for place, name in enumerate(PARTS)},
        **{f"value_{row}": scores.values[:, place] for place, row in enumerate(ROWS)},
        "fouled": scores.fouled,
        "moon": scores.moon,
        "natural": scores.natural,
        "fantasyland_next": scores.fantasyland_next,
        "others_in_fantasyland": np.repeat(in_hand, players) > in_it,
        "front": _named(front, FRONT_NAMES),
        "middle": _named(middle, FIVE_NAMES),
        "back": _named(back, FIVE_NAMES),
        "opponents": results.opponents,
        "compared": results.compared,
        **{f"won_{row}": results.won[:, place] for place, row in enumerate(ROWS)},
        **{f"lost_{row}": results.lost[:, place] for place, row in enumerate(ROWS)},
        "scoops": results.scoops,
        "scooped": results.scooped,
    }
    counted = pl.Series(hands.counted)
    seats = hands.seats.select("hand", "seat", "player", "fantasyland", "net").with_columns(**columns).filter(counted)
    of_hand = seats["hand"]
    per_hand = hands.hands.select(
        "session",
        "cluster",
        "site",
        "played_at",
        "seconds",
        pl.col("players").alias("players_at_table"),
        pl.col("played_at").dt.strftime("%Y-%m").fill_null("unknown").alias("month"),
        pl.col("unit").alias("money"),
    ).select(pl.all().gather(of_hand))
    return seats.hstack(per_hand).with_columns(
        pl.lit(rules.name).alias("rules"),
        hands.names.gather(seats["player"]).alias("player"),
        _position().alias("position"),
    )


def _position() -> pl.Expr:
    """Acting order as people say it: ``1 of 3`` acts first, ``3 of 3`` has the button."""
    return pl.format("{} of {}", pl.col("seat") + 1, pl.col("players_at_table"))


def score_pairs(hands: Hands, rules: RuleSet | None = None, *, another_game: bool = False) -> Scored:
    """What each player who counts won from each opponent: columns hand, cluster, player, opponent, points, rules.

    Under `rules`, or each hand under what it was played by.
    """
    whole = score_under(hands, rules, another_game=another_game) if rules else score_as_played(hands)
    kept = hands.keep(hands.hands["hand_key"].is_in(whole.keys.implode()).to_numpy(), "")
    keys = kept.hands["rules_key"]
    groups = (
        [(keys == key, kept.rules[key]) for key in keys.unique()] if rules is None else [(keys.is_null() | True, rules)]
    )
    frames = [_pair_frame(kept.keep(mask.to_numpy(), ""), under) for mask, under in groups]
    return replace(whole, frame=pl.concat(frames))


def _pair_frame(hands: Hands, rules: RuleSet) -> pl.DataFrame:
    """Both directions of every pair of players, where the first one counts."""
    given = arrays(hands)
    nets = pair_nets(compile_rules(rules), given.strengths, given.naturals, given.first_seat)
    players = np.diff(given.first_seat)
    places = [[(i, j) for i in range(n) for j in range(i + 1, n)] for n in range(int(players.max(initial=0)) + 1)]
    first = np.concatenate(
        [np.array(places[n], np.int64).reshape(-1, 2) for n in players.tolist()] or [np.empty((0, 2), np.int64)]
    )
    hand = np.repeat(np.arange(len(players)), players * (players - 1) // 2)
    own, other = (given.first_seat[hand] + first[:, side] for side in range(2))
    seats, mirrored = np.concatenate([own, other]), np.concatenate([other, own])
    names = hands.names.gather(hands.seats["player"])
    return (
        pl.DataFrame(
            {
                "hand": np.concatenate([hand, hand]).astype(np.uint32),
                "cluster": hands.hands["cluster"].gather(np.concatenate([hand, hand])),
                "player": names.gather(seats),
                "opponent": names.gather(mirrored),
                "points": np.concatenate([nets, -nets]),
            }
        )
        .with_columns(pl.lit(rules.name).alias("rules"))
        .filter(pl.Series(hands.counted[seats]))
    )

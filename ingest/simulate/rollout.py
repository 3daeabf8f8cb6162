"""The rollout agent: each placement by playing on from it, over futures that all placements share.

The net's own judgement picks the placements worth a closer look. For those, the unseen cards are shuffled again and
again and the next streets played on greedily, each future the same for every placement; after each round the worse
half is dropped, and the rest is looked at over more futures. A future ends on the last street, where boards are judged
exactly; already before it, where all last cards can be gone through (see `last_cards`); or after `depth` streets, where
the net judges. Opponents are taken as they look now: what their open cards are likely to become, how likely they foul,
who is in Fantasyland. On the last two streets nothing is sampled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.errors import OFCError, known
from ingest.game.kernels import kernel, spread
from ingest.simulate.chance import draw, shuffle
from ingest.simulate.fast import FastAgent, street_ways
from ingest.simulate.judge import ALL, FEW, judge_street, lay
from ingest.simulate.last_cards import is_worked_out
from ingest.simulate.net import Net
from ingest.simulate.room import make_room
from ingest.simulate.setter import set_at_once
from ingest.simulate.sight import count_live, look_at_opponents, unseen_cards
from ingest.simulate.views import DISCARD, Cards, Views
from ingest.simulate.worth import Setting

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Level:
    """How hard to think: `depth` streets ahead, the placements looked at first, the futures of each halving.

    `narrow`: leave out placements that next to never are good, see `judge_street`.
    """

    depth: int
    placements: int
    futures: tuple[int, ...]
    narrow: bool = True


LEVELS = {
    "quick": Level(2, 12, (8, 16, 32)),
    "deep": Level(8, 32, (16, 32, 64, 128, 256)),
    "full": Level(8, 64, (32, 64, 128, 256, 512), narrow=False),
}


# How many futures the net's judgement is worth. Measured: with 56 futures, 16 to 40 lose half as much as none.
PRIOR = 24.0


class Values(NamedTuple):
    """What each placement of `street_ways` is worth; arrays ``(n, ways)``, and ``(n,)`` for `best`.

    `error` is the standard error of `mean`, `loss_error` that of how much worse than the best placement it is, over
    the futures that both were played on. Both are 0 on the last street and nan where the net alone has judged.
    Placements that do not fit are nan throughout.
    """

    mean: Floats
    error: Floats
    loss_error: Floats
    futures: npt.NDArray[np.int64]
    best: npt.NDArray[np.int64]


class Streets(NamedTuple):
    """The streets after this one, laid out for the kernel: their placements stand one behind the other."""

    first: npt.NDArray[np.int64]  # (streets + 1,) where the placements of each begin
    dealt: npt.NDArray[np.int64]  # (streets,) cards
    ways: Cards  # (all, most dealt)
    masks: npt.NDArray[np.int64]  # (all, 3)


def following(setting: Setting, street: int) -> Streets:
    """The streets after this one."""
    later = setting.rules.deal.streets[street + 1 :]
    tables = [street_ways(*cards) for cards in later]
    widest = max((ways.shape[1] for ways, _ in tables), default=1)
    padded = [np.pad(ways, ((0, 0), (0, widest - ways.shape[1])), constant_values=DISCARD) for ways, _ in tables]
    return Streets(
        np.cumsum([0, *(len(ways) for ways in padded)]),
        np.array([dealt for dealt, _ in later], np.int64),
        np.concatenate(padded) if padded else np.empty((0, 1), np.uint8),
        np.concatenate([masks for _, masks in tables]) if tables else np.empty((0, 3), np.int64),
    )


@kernel
def play_on(board, pile, streets, steps, exact, decks, net, stakes, room, trial, spare, scratch):  # type: ignore[no-untyped-def]
    """The worth of a board after `steps` more streets of the cards in `pile`, each placed as looks best at once.

    The board as it then lies goes into `trial`. `exact`: see `judge_street`.
    """
    first, dealt_counts, all_ways, all_masks = streets
    trial[:] = board
    at = 0
    worth = np.float32(0.0)
    for street in range(steps):
        count = dealt_counts[street]
        dealt = pile[at : at + count]
        at += count
        for card in dealt:
            room.live_ranks[card >> 2] -= np.float32(1.0 / (4 * decks))
            room.live_suits[card & 3] -= np.float32(1.0 / (13 * decks))
        ways, masks = all_ways[first[street] : first[street + 1]], all_masks[first[street] : first[street + 1]]
        best = judge_street(trial, dealt, pile[at:], ways, masks, False, exact, net, stakes, room, scratch)
        worth = scratch[best]
        spare[:] = trial
        lay(spare, dealt, ways[best], trial)
    return worth


@kernel
def _roll(views, keys, ways, masks, streets, level, net, stakes, futures, values):  # type: ignore[no-untyped-def]
    boards, dealt, discards, others, others_fantasyland = views
    mean, error, loss_error, counts, best = values
    steps, placements, narrow = level
    room = make_room(net.hidden.shape[2])
    decks = stakes.worths.decks
    all_futures = futures.sum()
    judged = np.empty(ways.shape[0], np.float32)
    scratch = np.empty(max(ways.shape[0], streets.ways.shape[0]), np.float32)
    pile, shuffled = np.empty(52 * decks, np.uint8), np.empty(52 * decks, np.uint8)
    after, trial, spare = np.empty((placements, 13), np.uint8), np.empty(13, np.uint8), np.empty(13, np.uint8)
    live_ranks, live_suits = np.empty(13, np.float32), np.empty(4, np.float32)
    worths = np.empty((placements, all_futures), np.float64)
    for i in range(boards.shape[0]):
        count_live(boards[i], dealt[i], discards[i], others[i], decks, room.live_ranks, room.live_suits)
        live_ranks[:], live_suits[:] = room.live_ranks, room.live_suits
        look_at_opponents(others[i], others_fantasyland[i], net, stakes, room)
        unseen = unseen_cards(boards[i], dealt[i], discards[i], others[i], decks, pile)
        best[i] = judge_street(boards[i], dealt[i], pile[:unseen], ways, masks, narrow, ALL, net, stakes, room, judged)
        for w in range(ways.shape[0]):
            fits = judged[w] > -1e8
            mean[i, w] = judged[w] if fits else np.nan
            error[i, w] = loss_error[i, w] = 0.0 if steps == 0 and fits else np.nan
            counts[i, w] = 0
        if steps == 0:
            continue
        order = np.argsort(-judged)
        going = 0
        while going < placements and going < ways.shape[0] and judged[order[going]] > -1e8:
            lay(boards[i], dealt[i], ways[order[going]], after[going])
            going += 1
        chosen = order[:going].copy()
        place = np.arange(going)
        done = 0
        for step in range(futures.shape[0]):
            for future in range(done, done + futures[step]):
                shuffled[:unseen] = pile[:unseen]
                shuffle(shuffled, 0, unseen, draw(keys[i], future + 1))
                for c in range(going):
                    room.live_ranks[:], room.live_suits[:] = live_ranks, live_suits
                    worths[place[c], future] = play_on(
                        after[place[c]], shuffled[:unseen], streets, steps, FEW, decks, net, stakes, room, trial, spare,
                        scratch,
                    )  # fmt: skip
            done += futures[step]
            for c in range(going):
                w = chosen[place[c]]
                values = worths[place[c], :done]
                counts[i, w] = done
                error[i, w] = np.std(values) / np.sqrt(done)
                # The net's own judgement counts like some futures.
                mean[i, w] = (values.sum() + PRIOR * judged[w]) / (done + PRIOR)
            score = np.empty(going)
            for c in range(going):
                score[c] = -mean[i, chosen[place[c]]]
            place = place[np.argsort(score)]
            top = place[0]
            best[i] = chosen[top]
            for c in range(going):
                gaps = worths[place[c], :done] - worths[top, :done]
                loss_error[i, chosen[place[c]]] = np.std(gaps) / np.sqrt(done)
            going = max(1, (going + 1) // 2)
            place = place[:going]
            if going == 1:
                break


class RolloutAgent(FastAgent):
    """Looks ahead before it places; see the levels for how far."""

    name = "rollout"

    def __init__(self, setting: Setting, level: str = "quick", net: Net | None = None) -> None:
        super().__init__(setting, net)
        if level not in LEVELS:
            raise OFCError(f"expected a level of the rollout agent, got {level!r}; known: {known(LEVELS)}")
        self.level = LEVELS[level]

    def weigh(self, views: Views) -> Values:
        """The worth of each placement with its error."""
        deal = self.setting.rules.deal
        ways, masks = street_ways(*deal.streets[views.street])
        shape = (len(views.board), len(ways))
        values = Values(
            np.empty(shape),
            np.empty(shape),
            np.empty(shape),
            np.empty(shape, np.int64),
            np.empty(shape[0], np.int64),
        )
        streets = following(self.setting, views.street)
        left = len(streets.dealt)
        # The last street is not played: what it is worth is known.
        knows_last = is_worked_out(self.stakes.worths.last_dealt, self.stakes.worths.last_kept)
        steps = min(self.level.depth, left - 1 if knows_last and left else left)
        level = (steps, self.level.placements, self.level.narrow)
        futures = np.array(self.level.futures, np.int64)

        def work(start: int, stop: int) -> None:
            _roll(
                tuple(part[start:stop] for part in views[:5]),
                views.keys[start:stop],
                ways,
                masks,
                streets,
                level,
                self.net,
                self.stakes,
                futures,
                tuple(part[start:stop] for part in values),
            )

        spread(shape[0], work, least=1)
        return values

    def place(self, views: Views) -> Cards:
        if views.dealt.shape[1] >= 13:
            return set_at_once(self.setting, views, self.net)
        ways, _ = street_ways(*self.setting.rules.deal.streets[views.street])
        return ways[self.weigh(views).best]

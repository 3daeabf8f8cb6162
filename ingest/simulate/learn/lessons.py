"""Boards to learn from: the agent plays against itself, and from each board it is played on to the end many times.

A part of the hands is led off the path, and beside each placement another one is looked at, so that the net also knows
boards that the agent would not make.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ingest.game.kernels import kernel, spread
from ingest.game.pair import in_order
from ingest.game.rules import with_changes
from ingest.simulate.buckets import BUCKETS
from ingest.simulate.chance import draw, fold, shuffle, uniform
from ingest.simulate.deal import deal_hands
from ingest.simulate.fast import FastAgent, street_ways
from ingest.simulate.floors import RandomAgent
from ingest.simulate.judge import lay
from ingest.simulate.learn.fit import Samples, Weights, join
from ingest.simulate.rollout import following, play_on
from ingest.simulate.room import make_room
from ingest.simulate.sight import count_live, five_of, look_at_opponents, three_of, unseen_cards
from ingest.simulate.stakes import CONTEXT, context, net_for
from ingest.simulate.views import Cards, Views, part
from ingest.simulate.worth import Setting, make_setting

# How a gambler sees the rules: a foul costs next to nothing, Fantasyland is worth this many points at least.
_BOLD_VALUES = dict.fromkeys(range(13, 18), 25.0)
# Share of the hands that are led astray.
_ASTRAY = 0.6
# How many placements are worked out exactly before the last street of a future.
_WORKED_OUT = 2


@kernel
def _play_out(views, keys, rows, streets, net, stakes, futures, after, live, ends, legal):  # type: ignore[no-untyped-def]
    """Lay the cards as `rows` says and play `futures` futures: boards, what is live, how many ended as what."""
    boards, dealt, discards, others, others_fantasyland = views
    bucket_front, bucket_middle, bucket_back = stakes.bucket
    triple, pair, front, plain, suited = stakes.tables
    decks = stakes.worths.decks
    room = make_room(net.hidden.shape[2])
    pile, shuffled = np.empty(52 * decks, np.uint8), np.empty(52 * decks, np.uint8)
    trial, spare = np.empty(13, np.uint8), np.empty(13, np.uint8)
    scratch = np.empty(streets.ways.shape[0], np.float32)
    for i in range(boards.shape[0]):
        count_live(boards[i], dealt[i], discards[i], others[i], decks, live[i, :13], live[i, 13:])
        room.live_ranks[:], room.live_suits[:] = live[i, :13], live[i, 13:]
        look_at_opponents(others[i], others_fantasyland[i], net, stakes, room)
        lay(boards[i], dealt[i], rows[i], after[i])
        unseen = unseen_cards(boards[i], dealt[i], discards[i], others[i], decks, pile)
        for future in range(futures):
            shuffled[:unseen] = pile[:unseen]
            shuffle(shuffled, 0, unseen, draw(keys[i], 1000 + future))
            room.live_ranks[:], room.live_suits[:] = live[i, :13], live[i, 13:]
            play_on(
                after[i],
                shuffled[:unseen],
                streets,
                len(streets.dealt),
                _WORKED_OUT,
                decks,
                net,
                stakes,
                room,
                trial,
                spare,
                scratch,
            )
            f = three_of(trial[:3].astype(np.int64), front, triple)
            m = five_of(trial[3:8].astype(np.int64), plain, suited, triple, pair)
            b = five_of(trial[8:].astype(np.int64), plain, suited, triple, pair)
            if in_order(f, m, b, stakes.fronts, stakes.fives, stakes.worths):
                legal[i] += 1
                ends[i, 0, min(bucket_front[f], BUCKETS - 1)] += 1
                ends[i, 1, min(bucket_middle[m], BUCKETS - 1)] += 1
                ends[i, 2, min(bucket_back[b], BUCKETS - 1)] += 1


@dataclass
class _Watched:
    """An agent that is led off its path once in a while, and whose boards are kept.

    Up to the street at which a table strays the gambler plays there; from then on the agent itself. While nothing is
    learned yet all placements are random, but for those of the futures.
    """

    setting: Setting
    agent: FastAgent
    bold: FastAgent
    at_random: bool
    futures: int
    stray: npt.NDArray[np.int64]  # (n,) the street at which each table strays, -1: never
    name: str = "watched"
    seen: list[Samples] = field(default_factory=list)

    def place(self, views: Views) -> Cards:
        others = self._others(views)
        if self.at_random:
            rows = others
        else:
            rows = self.agent.place(views).copy()
            gambles, strays = np.flatnonzero(self.stray > views.street), self.stray == views.street
            rows[gambles] = self.bold.place(part(views, gambles))
            rows[strays] = others[strays]
        if views.street < len(self.setting.rules.deal.streets) - 1:
            kept = np.flatnonzero(self.stray <= views.street)
            self.seen.append(self._futures(part(views, kept), rows[kept]))
            differs = kept[(rows[kept] != others[kept]).any(axis=1)]
            self.seen.append(self._futures(part(views, differs), others[differs]))
        return rows

    def _others(self, views: Views) -> Cards:
        """Other placements: any for a quarter of the tables, for the rest one of the better ones."""
        anything = RandomAgent(self.setting).place(views)
        if self.at_random:
            return anything
        values, _ = self.agent.values(views)
        ways, _ = street_ways(*self.setting.rules.deal.streets[views.street])
        noisy = values + 5 * np.stack([uniform(views.keys, 100 + k) for k in range(values.shape[1])], axis=1)
        better = ways[noisy.argmax(axis=1)]
        return np.where((uniform(views.keys, 99) < 0.25)[:, None], anything, better)

    def _futures(self, views: Views, rows: Cards) -> Samples:
        n = len(rows)
        after, live = np.empty_like(views.board), np.empty((n, 17), np.float32)
        ends, legal = np.zeros((n, 3, BUCKETS), np.uint8), np.zeros(n, np.uint8)
        agent, streets = self.agent, following(self.setting, views.street)

        def work(start: int, stop: int) -> None:
            _play_out(
                tuple(part[start:stop] for part in views[:5]),
                views.keys[start:stop],
                rows[start:stop],
                streets,
                agent.net,
                agent.stakes,
                self.futures,
                *(part[start:stop] for part in (after, live, ends, legal)),
            )

        spread(n, work, least=50)
        contexts = np.broadcast_to(context(self.setting), (n, CONTEXT))
        return Samples(after, live, contexts, ends, legal, np.full(n, self.futures, np.uint8))


def play(setting: Setting, weights: Weights, tables: int, seed: int, *, futures: int, at_random: bool) -> Samples:
    """The boards of `tables` hands that the agent plays against itself, each with `futures` futures.

    `at_random`: the weights know nothing yet.
    """
    players, streets = setting.players, len(setting.rules.deal.streets)
    keys = fold(seed, np.arange(tables))
    stray = np.where(uniform(keys) < _ASTRAY, (uniform(keys, 2) * streets).astype(np.int64), -1)
    reckless = make_setting(with_changes(setting.rules, {"points.foul": 1}), players, _BOLD_VALUES)
    agent, bold = FastAgent(setting, net_for(setting, weights)), FastAgent(reckless, net_for(reckless, weights))
    watched = _Watched(setting, agent, bold, at_random, futures, stray)
    zero = np.zeros((tables, players), np.int64)
    hands = np.arange(tables)
    deal_hands(setting.rules, [watched], zero, zero.astype(np.int8), seed, hands, hands)
    return join(watched.seen)

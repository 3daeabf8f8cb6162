"""How what travels with the program was learned: ``python -m ingest.simulate.learn NAME`` writes it again.

The agent plays against itself under many rule sets of one way of dealing: the built-in ones, and others with more and
less to gain from risk. After each of its placements the board is kept, and when the hand is over how its rows ended
and whether it was legal. The net learns to tell that beforehand, for each number of cards placed on its own; with the
better net the agent plays again, and so on. A part of the hands is led off the path by one random placement, of which
only what follows is learned, so that the net also knows boards that the agent would not make.

What ships: classic-high and pineapple-low, seven rounds of 20,000 hands from nothing; pineapple-high, some forty rounds
of 25,000 to 60,000 hands in several runs, each with ``--again``, as the rates of learning were tuned. It was still
getting better. Set OMP_NUM_THREADS=1: matrices this small are slower on several threads.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.compiled import FRONT_FLOOR, MIDDLE_QUALIFIED
from ingest.game.kernels import kernel
from ingest.game.rules import Deal, RuleSet, builtin_rules, with_changes
from ingest.game.strength import row_strengths
from ingest.simulate.arrange import best_boards
from ingest.simulate.buckets import BUCKETS, row_buckets
from ingest.simulate.chance import fold, shuffled_decks, uniform
from ingest.simulate.crowd import Crowd, crowd_name, find_crowd
from ingest.simulate.deal import deal_hands
from ingest.simulate.fast import FastAgent, street_ways
from ingest.simulate.features import FEATURES, MOST_FEATURES, board_features
from ingest.simulate.floors import RandomAgent
from ingest.simulate.judge import HEADS, LEGAL, count_live
from ingest.simulate.learned import CROWDS, NETS, learned_crowds, learned_nets
from ingest.simulate.stakes import CONTEXT, context, net_for
from ingest.simulate.views import Agent, Cards, Views, part
from ingest.simulate.worth import Setting, make_setting

Floats = npt.NDArray[np.float32]
Weights = dict[str, Floats]

WIDTH = 48
_FOLDER = Path(__file__).parent / "data"


class Samples(NamedTuple):
    """Boards that were seen, and how they ended."""

    boards: Cards  # (n, 13)
    live: Floats  # (n, 17) shares of ranks and suits
    contexts: Floats  # (n, CONTEXT)
    ends: npt.NDArray[np.uint8]  # (n, 3) bucket of each row
    legal: npt.NDArray[np.bool_]  # (n,)


# ------------------------------------------------------------------------------------------------------- self-play


@kernel
def _after(boards, dealt, discards, others, rows, decks, after, live):  # type: ignore[no-untyped-def]
    """The boards after their placements, and what is live."""
    slots = np.empty(3, np.int64)
    for i in range(boards.shape[0]):
        count_live(boards[i], dealt[i], discards[i], others[i], decks, live[i, :13], live[i, 13:])
        after[i] = boards[i]
        slots[0], slots[1], slots[2] = 0, 3, 8
        for k in range(dealt.shape[1]):
            row = rows[i, k]
            if row < 3:
                while after[i, slots[row]] < 52:
                    slots[row] += 1
                after[i, slots[row]] = dealt[i, k]


@dataclass
class _Watched:
    """An agent that is led off its path once in a while, and whose boards are kept.

    Up to the street at which a table strays `bold` plays there, who gambles; from then on the agent itself.
    """

    agent: Agent
    bold: Agent
    setting: Setting
    stray: npt.NDArray[np.int64]  # (n,) the street at which each table strays, -1: never
    name: str = "watched"
    seen: list[tuple[int, Cards, Floats]] = field(default_factory=list)

    def place(self, views: Views) -> Cards:
        rows = self.agent.place(views).copy()
        gambles = np.flatnonzero(self.stray > views.street)
        if len(gambles):
            rows[gambles] = self.bold.place(part(views, gambles))
        strays = np.flatnonzero(self.stray == views.street)
        if len(strays):
            rows[strays] = self._strayed(views, strays)
        after, live = np.empty_like(views.board), np.empty((len(rows), 17), np.float32)
        _after(*views[:4], rows, self.setting.rules.deal.decks, after, live)
        self.seen.append((views.street, after, live))
        return rows

    def _strayed(self, views: Views, strays: npt.NDArray[np.int64]) -> Cards:
        """Any placement for a quarter of those who stray, for the others one of the better ones."""
        some = part(views, strays)
        anything = RandomAgent(self.setting).place(some)
        if not isinstance(self.agent, FastAgent):
            return anything
        values, _ = self.agent.values(some)
        ways, _ = street_ways(*self.setting.rules.deal.streets[views.street])
        noisy = values + 5 * np.stack([uniform(some.keys, 100 + k) for k in range(values.shape[1])], axis=1)
        better = ways[noisy.argmax(axis=1)]
        return np.where((uniform(some.keys, 99) < 0.25)[:, None], anything, better)


def play(setting: Setting, agent: Agent, bold: Agent, tables: int, seed: int) -> Samples:
    """The boards of `tables` hands that the agent plays against itself, led astray by `bold`."""
    players, streets = setting.players, len(setting.rules.deal.streets)
    keys = fold(seed, np.arange(tables))
    stray = np.where(uniform(keys) < 0.6, (uniform(keys, 2) * streets).astype(np.int64), -1)
    watched = _Watched(agent, bold, setting, stray)
    zero = np.zeros((tables, players), np.int64)
    hands = np.arange(tables)
    dealt = deal_hands(setting.rules, [watched], zero, zero.astype(np.int8), seed, hands, hands)
    strengths = row_strengths(dealt.boards.reshape(-1, 13))
    ends = np.stack([b.bucket[strengths[:, r]] for r, b in enumerate(row_buckets(setting.low))], axis=1)
    legal = legal_boards(setting, strengths)
    ends, legal = ends.reshape(tables, players, 3), legal.reshape(tables, players)
    parts = []
    for number, (street, boards, live) in enumerate(watched.seen):
        if street == streets - 1:
            continue
        kept = street >= stray
        seat = number % players
        contexts = np.broadcast_to(context(setting), (int(kept.sum()), CONTEXT))
        parts.append(Samples(boards[kept], live[kept], contexts, ends[kept, seat], legal[kept, seat]))
    return join(parts)


def legal_boards(setting: Setting, strengths: npt.NDArray[np.uint16]) -> npt.NDArray[np.bool_]:
    """Which boards ``(n, 3)`` stand in legal order."""
    compiled = setting.compiled
    f, m, b = strengths.T.astype(np.int64)
    floor = compiled.front[f, FRONT_FLOOR]
    if setting.low:
        return (b >= floor) & (compiled.five[m, MIDDLE_QUALIFIED] == 1)  # type: ignore[no-any-return]
    return (b >= m) & (m >= floor)  # type: ignore[no-any-return]


def join(parts: Sequence[Samples]) -> Samples:
    """Samples one behind the other."""
    return Samples(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def chosen(samples: Samples, which: npt.NDArray[Any]) -> Samples:
    """Some of the samples."""
    boards, live, contexts, ends, legal = samples
    return Samples(boards[which], live[which], contexts[which], ends[which], legal[which])


# ------------------------------------------------------------------------------------------------------- the net


@kernel
def _dense(boards, live, out):  # type: ignore[no-untyped-def]
    index, value = np.empty(MOST_FEATURES, np.int64), np.empty(MOST_FEATURES, np.float32)
    rows = np.empty((3, 5), np.int64)
    for i in range(boards.shape[0]):
        count = board_features(boards[i], rows, live[i, :13], live[i, 13:], index, value)
        for k in range(count):
            out[i, index[k]] += value[k]


def new_weights(placed: Sequence[int], seed: int = 1) -> Weights:
    """Weights that know nothing, for the stages of a way of dealing."""
    chance = np.random.default_rng(seed)
    stages = len(placed)
    return {
        "hidden": (chance.standard_normal((stages, FEATURES, WIDTH)) * 0.15).astype(np.float32),
        "context": (chance.standard_normal((stages, CONTEXT, WIDTH)) * 0.15).astype(np.float32),
        "hidden_bias": np.zeros((stages, WIDTH), np.float32),
        "heads": (chance.standard_normal((stages, WIDTH, HEADS)) * 0.1).astype(np.float32),
        "heads_bias": np.zeros((stages, HEADS), np.float32),
        "placed": np.array(placed, np.float32),
    }


class _Adam:
    """Adam with a rate that falls to nothing over a given number of steps."""

    def __init__(self, parameters: list[Floats], steps: int, rate: float) -> None:
        self.parameters, self.steps, self.rate = parameters, steps, rate
        self.first = [np.zeros_like(p) for p in parameters]
        self.second = [np.zeros_like(p) for p in parameters]
        self.step_number = 0

    def step(self, gradients: list[Floats]) -> None:
        self.step_number += 1
        t = self.step_number
        rate = self.rate * max(1 - t / self.steps, 0.02) * np.sqrt(1 - 0.999**t) / (1 - 0.9**t)
        for p, g, m, v in zip(self.parameters, gradients, self.first, self.second, strict=True):
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            p -= (rate * m / (np.sqrt(v) + 1e-8)).astype(np.float32)


def fit(weights: Weights, stage: int, samples: Samples, *, epochs: int, rate: float, batch: int = 2048) -> float:
    """Fit one stage to samples, in place; the mean loss of the last epoch."""
    n = len(samples.legal)
    names = ("hidden", "context", "hidden_bias", "heads", "heads_bias")
    parameters = [weights[name][stage] for name in names]
    steps = max(1, n // batch)
    adam = _Adam(parameters, steps * epochs, rate)
    loss = 0.0
    for epoch in range(epochs):
        order = np.random.default_rng([stage, epoch]).permutation(n)
        loss = 0.0
        for step in range(steps):
            some = chosen(samples, order[step * batch : (step + 1) * batch])
            step_loss, gradients = _gradients(parameters, some)
            adam.step(gradients)
            loss += step_loss / steps
    return loss


# How much more the chance to end legal weighs than the buckets of a row.
_LEGAL_WEIGHT = 3.0


def _gradients(parameters: list[Floats], some: Samples) -> tuple[float, list[Floats]]:
    hidden, contexts, hidden_bias, heads, heads_bias = parameters
    n = len(some.legal)
    x = np.zeros((n, FEATURES), np.float32)
    _dense(some.boards, some.live, x)
    h = x @ hidden + some.contexts @ contexts + hidden_bias
    a = np.maximum(h, 0)
    out = a @ heads + heads_bias
    wrong = np.zeros_like(out)
    loss = 0.0
    rows = np.arange(n)
    full = [(some.boards[:, start:stop] < 52).all(axis=1) for start, stop in ((0, 3), (3, 8), (8, 13))]
    for row in range(3):
        part = out[:, row * BUCKETS : (row + 1) * BUCKETS]
        share = np.exp(part - part.max(axis=1, keepdims=True))
        share /= share.sum(axis=1, keepdims=True)
        counts = some.legal & ~full[row]
        end = np.minimum(some.ends[:, row], BUCKETS - 1)
        loss -= float(np.log(share[rows, end] + 1e-9)[counts].sum()) / n
        share[rows, end] -= 1
        wrong[:, row * BUCKETS : (row + 1) * BUCKETS] = share * counts[:, None]
    chance = 1 / (1 + np.exp(-out[:, LEGAL]))
    loss -= _LEGAL_WEIGHT * float(np.log(np.where(some.legal, chance, 1 - chance) + 1e-9).mean())
    wrong[:, LEGAL] = _LEGAL_WEIGHT * (chance - some.legal)
    wrong /= n
    back = (wrong @ heads.T) * (h > 0)
    return loss, [x.T @ back, some.contexts.T @ back, back.sum(axis=0), a.T @ wrong, wrong.sum(axis=0)]


# ----------------------------------------------------------------------------------------------- many rule sets


def practice(name: str) -> list[tuple[RuleSet, dict[int, float]]]:
    """Rule sets to learn from, with values of Fantasyland: real ones, and ones with less and more to gain."""
    base = {"classic-high": "classic", "pineapple-high": "pineapple", "pineapple-low": "pineapple-2-7"}[name]
    rules = builtin_rules()[base]
    usual = {13: 6.0, 14: 10.0, 15: 14.0, 16: 19.0, 17: 24.0}
    nothing = with_changes(rules, {"fantasyland": {"enter": [], "stay": []}})
    rows: dict[str, Any] = {"front": {"pair": {}, "trips": {}}, "middle": {}, "back": {}}
    for row, table in (("middle", rules.royalties.middle), ("back", rules.royalties.back)):
        rows[row] = dict.fromkeys(table, 0)
    rows["front"] = {
        "pair": dict.fromkeys(rules.royalties.front_pair, 0),
        "trips": dict.fromkeys(rules.royalties.front_trips, 0),
    }
    double = {
        "middle": {key: 2 * value for key, value in rules.royalties.middle.items()},
        "back": {key: 2 * value for key, value in rules.royalties.back.items()},
    }
    plain = with_changes(nothing, {"royalties": rows})
    others = {
        "classic-high": ("royalty-stay", "treble-middle", "low-royalties"),
        "pineapple-high": ("pineapple-progressive", "pineapple-aces"),
        "pineapple-low": (),
    }[name]
    return [
        (rules, usual),
        (rules, usual),
        (rules, dict.fromkeys(usual, 4.0)),
        (rules, dict.fromkeys(usual, 20.0)),
        (nothing, {}),
        (plain, {}),
        (with_changes(nothing, {"royalties": double}), {}),
        (with_changes(plain, {"points.foul": 12}), {}),
        *((builtin_rules()[other], usual) for other in others),
    ]


def placed_counts(deal: Deal) -> list[int]:
    """How many cards lie after each street but the last."""
    return [int(count) for count in np.cumsum([kept for _, kept in deal.streets])[:-1]]


def learn(
    name: str, rounds: int, hands: int, seed: int = 1, start: Weights | None = None,
    on_round: Callable[[Weights], None] = lambda weights: None,
) -> Weights:  # fmt: skip
    """Learn a way of dealing in `rounds` rounds of `hands` hands each; `on_round` gets the weights after each."""
    pool = practice(name)
    deal = pool[0][0].deal
    placed = placed_counts(deal)
    weights = start or new_weights(placed)
    samples: list[Samples] = []
    for number in range(rounds):
        began = time.monotonic()
        fresh = []
        for place, (rules, values) in enumerate(pool):
            players = 2 + (place + number) % 2
            setting = make_setting(rules, players, values)
            agent, bold = _players(setting, None if start is None and number == 0 else weights)
            fresh.append(play(setting, agent, bold, hands // len(pool), seed * 1000 + number * 50 + place))
        samples = [*samples[-2:], join(fresh)]
        # What the net of the first round played says little about how boards end.
        both = join(samples if number > 2 else samples[-1:])
        played = time.monotonic() - began
        losses = []
        for stage, count in enumerate(placed):
            last = number == rounds - 1
            some = chosen(both, (both.boards < 52).sum(axis=1) == count)
            losses.append(fit(weights, stage, some, epochs=12 if last else 8, rate=0.004))
        legal = f"{fresh[0].legal.mean():.3f}"
        shown = " ".join(f"{loss:.3f}" for loss in losses)
        print(
            f"{name} round {number}: legal {legal}, losses {shown}; {played:.0f} s of play, "
            f"{time.monotonic() - began - played:.0f} s of learning",
            file=sys.stderr,
            flush=True,
        )
        on_round(weights)
    return weights


# How a gambler sees the rules: a foul costs next to nothing, Fantasyland is worth this many points at least.
_BOLD_VALUES = dict.fromkeys(range(13, 18), 25.0)


def _players(setting: Setting, weights: Weights | None) -> tuple[Agent, Agent]:
    """The agent and the gambler; before anything is learned both place at random."""
    if weights is None:
        return RandomAgent(setting), RandomAgent(setting)
    reckless = make_setting(with_changes(setting.rules, {"points.foul": 1}), setting.players, _BOLD_VALUES)
    return FastAgent(setting, net_for(setting, weights)), FastAgent(reckless, net_for(reckless, weights))


def crowds(name: str, weights: Weights, hands: int = 6000) -> dict[tuple[str, int], Crowd]:
    """How final rows are distributed for a way of dealing, in normal play and in Fantasyland."""
    rules, values = practice(name)[0]
    setting = make_setting(rules, 2, values)
    agent = FastAgent(setting, net_for(setting, weights))
    zero = np.zeros((hands, 2), np.int64)
    tables = np.arange(hands)
    dealt = deal_hands(rules, [agent], zero, zero.astype(np.int8), 77, tables, tables)
    found = {(name, 0): _crowd(setting, dealt.boards.reshape(-1, 13))}
    for cards in range(13, 18):
        decks = shuffled_decks(fold(78, tables), 1)
        boards, _ = best_boards(setting, decks, cards, (0,), own_cards=cards)
        found[name, cards] = _crowd(setting, boards)
    return found


def closed_crowds(hands: int = 6000) -> dict[tuple[str, int], Crowd]:
    """How rows are distributed in closed Chinese poker, where all set their cards against those who do the same."""
    setting = make_setting(builtin_rules()["chinese-1-6"], 2, {})
    name = crowd_name(setting.rules.deal)
    decks = shuffled_decks(fold(78, np.arange(hands)), 1)
    found = {}
    for _ in range(4):
        boards, _ = best_boards(setting, decks, 13, (0,), own_cards=0)
        found = {(name, 0): _crowd(setting, boards)}
        learned_crowds().update(found)
        find_crowd.cache_clear()
        setting = make_setting(setting.rules, 2, {})
    return found


def _crowd(setting: Setting, boards: Cards) -> Crowd:
    strengths = row_strengths(boards)
    legal = legal_boards(setting, strengths)
    rows = np.stack(
        [
            np.bincount(buckets.bucket[strengths[legal, row]], minlength=BUCKETS)[:BUCKETS] / max(legal.sum(), 1)
            for row, buckets in enumerate(row_buckets(setting.low))
        ]
    )
    return Crowd(float(legal.mean()), rows.astype(np.float32))


def save(name: str | None, weights: Weights, new_crowds: dict[tuple[str, int], Crowd]) -> None:
    """Put what was learned of a way of dealing into the package's data."""
    _FOLDER.mkdir(exist_ok=True)
    nets = learned_nets() if name is None else {**learned_nets(), name: weights}
    flat: dict[str, Any] = {
        f"{deal}/{part}": array.astype(np.float16) for deal, parts in nets.items() for part, array in parts.items()
    }
    np.savez_compressed(_FOLDER / NETS, **flat)
    kept = {**learned_crowds(), **new_crowds}
    tables: dict[str, Any] = {
        f"{deal}/{cards}": np.vstack([np.full(BUCKETS, crowd.legal), crowd.rows]).astype(np.float32)
        for (deal, cards), crowd in kept.items()
    }
    np.savez_compressed(_FOLDER / CROWDS, **tables)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=["classic-high", "pineapple-high", "pineapple-low", "chinese-high"])
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--hands", type=int, default=100_000, help="hands of each round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="begin with what was learned before")
    options = parser.parse_args()
    if options.name == "chinese-high":
        save(None, {}, closed_crowds())
        return
    start = None
    if options.again:
        start = {part: array.copy() for part, array in learned_nets()[options.name].items()}

    def keep(weights: Weights) -> None:
        save(options.name, weights, {})

    weights = learn(options.name, options.rounds, options.hands, options.seed, start, keep)
    save(options.name, weights, crowds(options.name, weights))


if __name__ == "__main__":
    main()



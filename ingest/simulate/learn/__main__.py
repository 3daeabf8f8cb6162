"""How what travels with the program was learned: ``python -m ingest.simulate.learn NAME`` writes it again.

The agent plays against itself under many rule sets of one way of dealing, see `practice`. Each board that it leaves is
played on to the end over many futures, see `lessons`; the net learns to tell beforehand how the rows end and whether
the board is legal, for each number of cards placed on its own, see `fit`. With the better net the agent plays again,
and so on. Set OMP_NUM_THREADS=1: matrices this small are slower on several threads.

What ships began from nothing each time: classic-high with ten rounds of 10,000 hands (--seed 31), pineapple-low with
ten of 12,000 (--seed 41), pineapple-high with ten of 16,000 (--seed 11), then --again eight of 20,000 (--seed 21) and
ten of 18,000 (--seed 51), as the length of the fits was tuned; the last ten did not make it better. An hour on two
cores.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from ingest.game.kernels import cores
from ingest.game.rules import builtin_rules
from ingest.game.score import score_hands
from ingest.game.strength import row_strengths
from ingest.simulate.arrange import best_boards
from ingest.simulate.buckets import BUCKETS, row_buckets
from ingest.simulate.chance import fold, shuffled_decks
from ingest.simulate.crowd import Crowd, crowd_name, find_crowd
from ingest.simulate.deal import deal_hands
from ingest.simulate.fast import FastAgent
from ingest.simulate.learn.fit import Samples, Weights, chosen, fit, join, new_weights
from ingest.simulate.learn.lessons import play
from ingest.simulate.learn.practice import WAYS_OF_DEALING, placed_counts, practice
from ingest.simulate.learned import CROWDS, NETS, learned_crowds, learned_nets
from ingest.simulate.stakes import net_for
from ingest.simulate.views import Cards
from ingest.simulate.worth import Setting, make_setting

_FOLDER = Path(__file__).resolve().parents[1] / "data"
# Rounds whose boards are learned from together; those of the first rounds say little about how boards end.
_KEPT_ROUNDS = 4


def learn(
    name: str, rounds: int, hands: int, seed: int, futures: int, start: Weights | None,
    on_round: Callable[[Weights], None],
) -> Weights:  # fmt: skip
    """Learn a way of dealing in `rounds` rounds of `hands` hands each; `on_round` gets the weights after each."""
    pool = practice(name)
    placed = placed_counts(pool[0][0].deal)
    weights = start or new_weights(placed)
    samples: list[Samples] = []
    for number in range(rounds):
        began = time.monotonic()
        fresh = []
        for place, (rules, values) in enumerate(pool):
            setting = make_setting(rules, 2 + (place + number) % 2, values)
            first = start is None and number == 0
            key = seed * 1000 + number * 50 + place
            fresh.append(play(setting, weights, hands // len(pool), key, futures=futures, at_random=first))
        samples = [*samples[1 - _KEPT_ROUNDS :], join(fresh)]
        seen = join(samples if start or number > 2 else samples[-1:])
        played = time.monotonic() - began
        last = number == rounds - 1
        counts = (seen.boards < 52).sum(axis=1)

        def fit_stage(stage: int) -> float:
            some = chosen(seen, counts == placed[stage])  # noqa: B023 - all are done before the next round
            return fit(weights, stage, some, epochs=30 if last else 10, rate=0.005)  # noqa: B023

        with ThreadPoolExecutor(cores()) as pool_of_threads:
            losses = list(pool_of_threads.map(fit_stage, range(len(placed))))
        legal = f"{fresh[0].legal.sum() / fresh[0].futures.sum():.3f}"
        print(
            f"{name} round {number}: {len(fresh[0].legal) * len(pool):,} boards, legal {legal}, losses "
            f"{' '.join(f'{loss:.4f}' for loss in losses)}; {played:.0f} s of play, "
            f"{time.monotonic() - began - played:.0f} s of learning",
            file=sys.stderr,
            flush=True,
        )
        on_round(weights)
    return weights


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
    strengths, n = row_strengths(boards), len(boards)
    # Each board scored as a hand of its own.
    scores = score_hands(setting.compiled, strengths, np.zeros(n, np.uint16), np.zeros(n, np.int8), np.arange(n + 1))
    legal = ~scores.fouled
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
    parser.add_argument("name", choices=[*WAYS_OF_DEALING, "chinese-high"])
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--hands", type=int, default=20_000, help="hands of each round")
    parser.add_argument("--futures", type=int, default=8, help="futures of each board")
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

    weights = learn(options.name, options.rounds, options.hands, options.seed, options.futures, start, keep)
    save(options.name, weights, crowds(options.name, weights))


if __name__ == "__main__":
    main()

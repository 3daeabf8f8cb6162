"""Simulated sessions: the deal is fair, hidden cards stay hidden, and every hand is what the rules say it is."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

from ingest.batch import Batch
from ingest.formats import ofc_hh
from ingest.formats.ofc_hh import record_of
from ingest.game import kernels
from ingest.game.board import EMPTY
from ingest.game.rules import BUILTIN_FOLDER, BUILTIN_NAMES, RuleSet, builtin_rules, with_changes
from ingest.simulate import deal, run
from ingest.simulate.agents import AGENTS, AgentError, make_agent
from ingest.simulate.chance import fold, shuffled_decks, uniform
from ingest.simulate.deal import TableError, deal_hands, verify_table
from ingest.simulate.into import verify_batch
from ingest.simulate.named_rules import as_log_names
from ingest.simulate.run import simulate
from ingest.simulate.session import BUY_IN, Plan, Sessions
from ingest.simulate.views import FACE_DOWN, FREE, Views
from ingest.simulate.worth import make_setting
from tests import naive
from tests.fantasyland_values import VALUES
from tests.house_rules import rules_of
from tests.logs import load


@pytest.fixture(autouse=True)
def known_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """No search for the value of Fantasyland in these tests."""
    for module in ("ingest.simulate.run", "ingest.simulate.duel"):
        monkeypatch.setattr(f"{module}.fantasyland_values", lambda rules, players: VALUES)


def played(plan: Plan) -> list[Batch]:
    return list(simulate(plan))


# Rule sets that send many players to Fantasyland, with every number of cards, set first or in turn.
OFTEN = [{"front": f"{rank * 2}+", "cards": cards} for rank, cards in (("2", 13), ("7", 14), ("J", 15))]
FANTASYLAND_FOR_ALL: list[tuple[str, dict[str, Any]]] = [
    ("classic", {"fantasyland.enter": OFTEN[:1], "fantasyland.stay": OFTEN[:1]}),
    ("classic-2-4", {"fantasyland.enter": OFTEN[:1], "fantasyland.sets": "in_turn"}),
    ("table-stakes", {"fantasyland.enter": OFTEN[:1], "fantasyland.button_moves": True}),
    ("face-down-last-three", {"fantasyland.enter": OFTEN[:1], "fantasyland.sets": "in_turn"}),
    ("pineapple", {"fantasyland.enter": OFTEN, "fantasyland.sets": "in_turn"}),
    ("pineapple-ultimate", {"fantasyland.enter": [*OFTEN, {"front": "AA+", "cards": 17}]}),
    ("pineapple-2-7", {"fantasyland.enter": OFTEN, "fantasyland.sets": "in_turn"}),
    ("double-deck-pineapple", {"fantasyland.enter": OFTEN, "fantasyland.stay": [{"front": "22+", "cards": "same"}]}),
]


def agents_for(rules: RuleSet, players: int) -> tuple[str, ...]:
    return tuple(("fast", "random", "cautious")[chair % 3] for chair in range(players))


# ---- the deal ----


def test_every_card_comes_equally_often_at_every_place() -> None:
    decks = shuffled_decks(fold(1, np.arange(20_800)), 1)
    counts = np.stack([np.bincount(decks[:, place], minlength=52) for place in range(52)])
    # Every deck holds each card once, so rows and columns are bound: 51 * 51 degrees of freedom.
    statistic = ((counts - 400) ** 2 / 400).sum() * 51 / 52
    assert stats.chi2.sf(statistic, 51 * 51) > 1e-4
    assert (np.sort(decks[:100], axis=1) == np.arange(52)).all()


def test_neighbouring_cards_are_independent() -> None:
    decks = shuffled_decks(fold(2, np.arange(26_520)), 1).astype(int)
    pairs = np.bincount(decks[:, 0] * 52 + decks[:, 1], minlength=2704).reshape(52, 52)
    off_diagonal = pairs[~np.eye(52, dtype=bool)]
    assert pairs.trace() == 0
    assert stats.chi2.sf(((off_diagonal - 10) ** 2 / 10).sum(), len(off_diagonal) - 1) > 1e-4


def test_uniform_numbers_are_uniform_and_differ_by_count() -> None:
    keys = fold(3, np.arange(50_000))
    assert stats.kstest(uniform(keys), "uniform").pvalue > 1e-4
    assert abs(np.corrcoef(uniform(keys, 1), uniform(keys, 2))[0, 1]) < 0.02


def test_two_decks_hold_every_card_twice() -> None:
    decks = shuffled_decks(fold(1, np.arange(10_400)), 2)
    assert (np.sort(decks, axis=1) == np.repeat(np.arange(52), 2)).all()
    counts = np.stack([np.bincount(decks[:, place], minlength=52) for place in range(104)])
    # Bound as above, which leaves one place less free than are counted.
    spread = ((counts - 200) ** 2 / 200).sum() * 103 / 104
    assert stats.chi2.sf(spread, 103 * 51) > 1e-4


@pytest.mark.parametrize("name", ["pineapple", "classic"])
@pytest.mark.parametrize("in_fantasyland", [0, 13])
def test_every_seat_gets_every_card_equally_often(name: str, in_fantasyland: int) -> None:
    """Through the table: first and last card of every street, also beside and in Fantasyland."""
    rules, tables, players = builtin_rules()[name], np.arange(10_400), 3
    random = make_agent("random", make_setting(rules, players, VALUES))
    fantasyland = np.zeros((len(tables), players), np.int8)
    fantasyland[:, 1] = in_fantasyland
    dealt = deal_hands(rules, [random], np.zeros((len(tables), players), int), fantasyland, 3, tables, tables).dealt
    chances = []
    for seat in range(players):
        for street in range(dealt.shape[2]):
            cards = dealt[:, seat, street]
            count = int((cards[0] != EMPTY).sum())
            for number in {0, count - 1} if count else ():
                counts = np.bincount(cards[:, number], minlength=52)
                chances.append(stats.chisquare(counts).pvalue)
    assert min(chances) > 1e-4 / len(chances)
    # Over all of them the chances are even, too: neither too good nor too bad.
    assert stats.kstest(chances, "uniform").pvalue > 1e-4


@pytest.mark.parametrize("apart", ["hands", "tables", "seeds", "cards and the chance of agents"])
def test_hands_know_nothing_of_each_other(apart: str) -> None:
    numbers = np.arange(27_040)
    seeds = np.concatenate([fold(seed, 0, 5, 5) for seed in range(len(numbers) + 1)])
    one, other = {
        "hands": (fold(1, 0, 5, numbers), fold(1, 0, 5, numbers + 1)),
        "tables": (fold(1, 0, numbers, 5), fold(1, 0, numbers + 1, 5)),
        "seeds": (seeds[:-1], seeds[1:]),
        "cards and the chance of agents": (fold(1, 0, numbers, 5), fold(1, 1, numbers, 5)),
    }[apart]
    first, second = (shuffled_decks(keys, 1)[:, 0].astype(int) for keys in (one, other))
    pairs = np.bincount(first * 52 + second, minlength=2704)
    assert stats.chisquare(pairs).pvalue > 1e-4


# ---- what a seat sees ----


class Watcher:
    """An agent that remembers what it was shown."""

    name = "watcher"

    def __init__(self, rules: RuleSet, players: int) -> None:
        self.agent = make_agent("random", make_setting(rules, players, VALUES))
        self.seen: list[Views] = []

    def place(self, views: Views) -> np.ndarray:
        self.seen.append(views)
        return self.agent.place(views)


@pytest.mark.parametrize("name", ["pineapple", "face-down-last-three", "double-deck", "pineapple-2-7", "chinese-1-6"])
@pytest.mark.parametrize("sets", ["first", "in_turn"])
def test_no_view_holds_a_card_that_its_seat_cannot_see(name: str, sets: str) -> None:
    rules = with_changes(builtin_rules()[name], {"fantasyland.sets": sets})
    players, tables = 3, np.arange(20)
    watcher = Watcher(rules, players)
    fantasyland = np.zeros((20, players), np.int8)
    if rules.fantasyland.enter:
        fantasyland[:10, 1] = 14 if rules.deal.game == "pineapple" else 13
    dealt = deal_hands(rules, [watcher], np.zeros((20, players), int), fantasyland, 5, tables, tables)
    own_cards = {
        (table, seat): Counter(dealt.dealt[table, seat][dealt.dealt[table, seat] != EMPTY].tolist())
        for table in tables
        for seat in range(players)
    }
    for views in watcher.seen:
        for i in range(len(views.board)):
            mine = Counter(c for c in (*views.board[i], *views.dealt[i], *views.discards[i]) if c != FREE)
            [(table, seat)] = [
                key for key, cards in own_cards.items() if mine <= cards and is_at(dealt, key, views, i)
            ][:1]
            for k, other in enumerate(views.others[i]):
                them = (seat + 1 + k) % players
                hidden = fantasyland[table, them] > 0 or rules.deal.game == "chinese"
                shown = [int(c) for c in other if c not in (FREE, FACE_DOWN)]
                assert not (hidden and shown)
                placed = Counter(int(c) for c in dealt.boards[table, them])
                assert Counter(shown) <= placed  # never a discard, never a card to come
                assert len(shown) <= 13 - rules.deal.face_down_last


def is_at(dealt: deal.Dealt, key: tuple[int, int], views: Views, i: int) -> bool:
    table, seat = key
    street = dealt.dealt[table, seat, views.street, : views.dealt.shape[1]]
    return bool((street == views.dealt[i]).all())


# ---- whole sessions ----


@pytest.mark.parametrize("name", BUILTIN_NAMES)
def test_every_hand_passes_the_checks_and_the_slow_twin(name: str, tmp_path: Path) -> None:
    """At tables of every size; then out as a log and in again as any log, through the parser and its checks."""
    rules = builtin_rules()[name]
    twin = naive.load_rules(BUILTIN_FOLDER / f"{name}.toml")
    for players in range(2, rules.deal.most_players + 1):
        [batch] = played(Plan(rules, agents_for(rules, players), 24, players, session_hands=12))
        verify_batch(batch)
        verify_by_twin(batch, twin)
        log = tmp_path / f"{players}.ofc.jsonl"
        with log.open("w", encoding="utf-8") as file:
            ofc_hh.write(batch.to_hands(), file)
        [outcome] = load(tmp_path / f"{players}.duckdb", log)
        assert (outcome.stored, outcome.rejected, outcome.partial, outcome.skipped) == (24, 0, 0, 0)
        assert outcome.mismatched == 0


@pytest.mark.parametrize(("base", "changes"), FANTASYLAND_FOR_ALL, ids=[base for base, _ in FANTASYLAND_FOR_ALL])
def test_hands_with_many_in_fantasyland_pass_the_checks_and_the_slow_twin(base: str, changes: dict[str, Any]) -> None:
    twin, rules = rules_of(base, changes)
    most = 3 if rules.deal.game == "pineapple" else 4
    in_fantasyland: set[int] = set()
    several = 0
    for players in range(2, most + 1):
        [batch] = played(Plan(rules, ("fast", "cautious", "fast", "random")[:players], 60, players, session_hands=20))
        verify_batch(batch)
        verify_by_twin(batch, twin)
        cards = batch.seats["fantasyland_cards"].to_numpy().reshape(-1, players)
        in_fantasyland |= set(cards.ravel().tolist())
        several += int(((cards > 0).sum(axis=1) > 1).sum())
    assert in_fantasyland >= {0, *(condition.cards for condition in rules.fantasyland.enter)}
    assert several > 0


def verify_by_twin(batch: Batch, twin: naive.Rules) -> None:
    """Every figure of every hand is what the slow twin says, and its text is read as it was written."""
    for hand in batch.to_hands():
        record = record_of(hand)
        wanted = naive.score(record, twin)
        assert record["result"]["points"] == wanted["points"]
        assert record["result"]["fouled"] == wanted["fouled"]
        assert record["result"]["fantasyland_next"] == wanted["fantasyland_next"]
        assert [str(net) for net in record["result"]["net"]] == wanted["chips"]
        assert ofc_hh.parse_hand(ofc_hh.format_hand(hand)) == replace(hand, position=0)


# What is played on any number of workers: agents that think, boards that are set at once, large tables.
@pytest.mark.parametrize(
    ("name", "agents", "hands"),
    [
        ("pineapple", ("fast", "fast", "rollout"), 8),
        ("pineapple-ultimate", ("fast", "cautious"), 3000),
        ("classic", ("fast", "random", "fast", "cautious"), 400),
        ("chinese-2-4", ("fast", "fast"), 1200),
        ("double-deck", ("rollout", "fast", "random", "fast", "fast"), 10),
    ],
)
def test_the_same_seed_deals_the_same_hands_on_any_number_of_cores(
    name: str, agents: tuple[str, ...], hands: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Plan(builtin_rules()[name], agents, hands, 11, session_hands=2)
    runs, slices = [], []
    real = ThreadPoolExecutor.map

    def counted(pool: ThreadPoolExecutor, *arguments: Any) -> Any:
        slices.append(len(arguments[1]))
        return real(pool, *arguments)

    monkeypatch.setattr(ThreadPoolExecutor, "map", counted)
    for cores in (1, 2, 3):
        monkeypatch.setattr(kernels, "cores", lambda cores=cores: cores)
        runs.append(played(plan)[0])
    assert set(slices) == {2, 3}  # the work really was shared out
    for batch in runs[1:]:
        assert batch.hands.equals(runs[0].hands)
        assert batch.seats.equals(runs[0].seats)
        assert batch.actions.equals(runs[0].actions)


def test_hands_do_not_depend_on_how_many_are_played_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(builtin_rules()["pineapple"], ("fast", "random", "cautious"), 90, 3, session_hands=15)
    [together] = played(plan)
    monkeypatch.setattr(run, "CHUNK", 30)
    apart = played(plan)
    assert len(apart) == 3
    for one, parts in ((together.hands, [b.hands for b in apart]), (together.actions, [b.actions for b in apart])):
        assert one.equals(pl.concat(parts))


def test_another_seed_deals_other_hands_and_more_hands_begin_alike() -> None:
    rules = builtin_rules()["classic"]
    few, more = (
        [hand for batch in played(Plan(rules, ("random", "random"), count, 1, 10)) for hand in batch.to_hands()]
        for count in (25, 35)
    )
    assert [hand.actions for hand in few] == [hand.actions for hand in more[:25]]
    [other] = played(Plan(rules, ("random", "random"), 10, 2, 10))
    assert other.to_hands()[0].actions != few[0].actions


def test_the_button_stays_for_fantasyland_and_chains_are_dealt() -> None:
    rules = builtin_rules()["pineapple-ultimate"]
    for moves in (False, True):
        changed = with_changes(rules, {"fantasyland.button_moves": moves})
        plan = Plan(changed, ("fast", "fast"), 400, 5, 40)
        fast = make_agent("fast", make_setting(changed, 2, VALUES))
        sessions = Sessions(plan, np.arange(10), lambda name, players, fast=fast: fast)
        sessions.play()
        seen = 0
        for before, after in zip(sessions.rounds, sessions.rounds[1:], strict=False):
            waiting = np.zeros((10, 2), np.int8)
            waiting[np.arange(10)[:, None], before.chairs] = before.fantasyland_next
            now = waiting[np.arange(10)[:, None], after.chairs]
            assert (after.dealt.fantasyland == now).all()
            stays = (now > 0).any(axis=1) & ~np.bool_(moves)
            same_button = before.chairs[:, -1] == after.chairs[:, -1]
            assert (same_button == stays).all()
            seen += int((now > 0).sum())
        assert seen > 10


def test_table_stakes_conserve_chips_and_rebuy() -> None:
    rules = builtin_rules()["table-stakes"]
    [batch] = played(Plan(rules, ("random", "cautious", "random"), 600, 4, 60))
    nets = batch.seats["net"].cast(float).to_numpy().reshape(-1, 3)
    stacks = batch.seats["stack"].cast(float).to_numpy().reshape(-1, 3)
    assert (nets.sum(axis=1) == 0).all()
    assert (stacks > 0).all()
    assert (stacks + nets >= 0).all()
    assert (stacks[:30] == BUY_IN).any()
    assert ((stacks + nets) == 0).any()  # somebody lost it all, and was there again


def test_levels_rise_and_who_is_broke_is_out() -> None:
    rules = builtin_rules()["pineapple"]
    [batch] = played(Plan(rules, ("random", "fast", "fast"), 2000, 4, 100, levels=(1, 2, 5, 10)))
    frame = batch.hands
    assert sorted(set(frame["point_value"].cast(int))) == [1, 2, 5, 10]
    assert set(frame["players"]) == {2, 3}
    assert (frame["settlement"] == "table_stakes").all()
    verify_batch(batch)


def test_a_table_that_the_cards_do_not_serve_is_refused() -> None:
    with pytest.raises(TableError, match="expected 2 to 3 players for pineapple, got 4"):
        Plan(builtin_rules()["pineapple"], ("fast",) * 4, 10, 1)
    fourteen = with_changes(builtin_rules()["classic"], {"fantasyland.enter": [{"front": "QQ+", "cards": 14}]})
    with pytest.raises(TableError, match="expected 52 cards to serve"):
        verify_table(fourteen, 4)
    verify_table(fourteen, 3)


def test_an_unknown_agent_is_refused_with_the_known_ones() -> None:
    with pytest.raises(AgentError, match="got 'magic'; known: random, cautious, fast, rollout"):
        make_agent("magic", make_setting(builtin_rules()["classic"], 2, {}))
    assert list(AGENTS)[:4] == ["random", "cautious", "fast", "rollout"]


def test_a_changed_rule_set_is_named_by_its_base_and_what_differs() -> None:
    base = builtin_rules()["pineapple-2-7"]
    changed = with_changes(base, {"points.scoop": 0, "royalties.middle.7": 5})
    name, changes = as_log_names(changed)
    assert name == "pineapple-2-7"
    assert with_changes(base, changes).data["royalties"] == changed.data["royalties"]
    assert changes["points"] == {"scoop": 0}
    assert as_log_names(base) == ("pineapple-2-7", {})

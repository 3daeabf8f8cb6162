"""How the agents play: better than the floors, as good players advise, and otherwise where the rules are otherwise."""

from __future__ import annotations

import numpy as np
import pytest

from ingest.game.cards import RANKS, parse_cards
from ingest.game.rules import RuleSet, builtin_rules, with_changes
from ingest.simulate import duel
from ingest.simulate.agents import AGENTS
from ingest.simulate.chance import fold, shuffled_decks
from ingest.simulate.deal import deal_hands
from ingest.simulate.duel import play_duel
from ingest.simulate.fast import FastAgent, street_ways
from ingest.simulate.rollout import LEVELS, RolloutAgent
from ingest.simulate.views import BACK, FREE, FRONT, MIDDLE, Cards, Views
from ingest.simulate.worth import make_setting
from tests.fantasyland_values import VALUES


@pytest.fixture(autouse=True)
def known_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """No search for the value of Fantasyland in these tests."""
    monkeypatch.setattr(duel, "fantasyland_values", lambda rules, players: VALUES)


def first_street(text: str) -> Views:
    return Views(
        board=np.full((1, 13), FREE, np.uint8),
        dealt=np.array([parse_cards(text)], np.uint8),
        discards=np.full((1, 4), FREE, np.uint8),
        others=np.full((1, 1, 13), FREE, np.uint8),
        others_fantasyland=np.zeros((1, 1), np.int8),
        fantasyland=np.zeros(1, np.int8),
        street=0,
        keys=fold(3, 1),
    )


@pytest.mark.parametrize(
    ("rules", "cards", "pair", "row"),
    [
        ("pineapple", "Ac Ad 6h Js 8s", "Ac Ad", MIDDLE),
        ("pineapple", "Qc Qd 7h 5s 3c", "Qc Qd", BACK),
        ("classic", "Kc Kd 7h 7s 2c", "Kc Kd 7h 7s", BACK),
        ("classic", "Ac Ad 6h 6s 9c", "Ac Ad 6h 6s", BACK),
        ("pineapple", "Ac Ad 6h 6s 9c", "Ac Ad", MIDDLE),
        ("pineapple", "Kc Kd 7h 7s 2c", "Kc Kd", MIDDLE),
        ("pineapple-2-7", "Ac Ad 6h Js 8s", "Ac Ad", FRONT),
        ("pineapple-progressive", "Ac Ad 6h Js 8s", "Ac Ad", FRONT),
    ],
)
def test_first_cards_go_where_good_players_put_them(rules: str, cards: str, pair: str, row: int) -> None:
    """The advised row holds the best placement, or one that is not worse beyond doubt."""
    agent = RolloutAgent(make_setting(builtin_rules()[rules], 2, VALUES), "deep")
    values = agent.weigh(first_street(cards))
    ways, _ = street_ways(5, 5)
    advised = [k for k, card in enumerate(parse_cards(cards)) if card in parse_cards(pair)]
    agrees = (ways[:, advised] == row).all(axis=1) & (values.futures[0] > 0)
    best = np.flatnonzero(agrees)[values.mean[0][agrees].argmax()]
    loss = values.mean[0, values.best[0]] - values.mean[0, best]
    assert loss <= 2 * values.loss_error[0, best]


def self_play(rules: RuleSet, hands: int = 3_000) -> Cards:
    """Boards of the fast agent against itself, heads-up and nobody in Fantasyland, ``(2 * hands, 13)``."""
    agent, tables, zero = FastAgent(make_setting(rules, 2, VALUES)), np.arange(hands), np.zeros((hands, 2), np.int64)
    return deal_hands(rules, [agent], zero, zero.astype(np.int8), 8, tables, tables).boards.reshape(-1, 13)


def test_aces_go_up_where_they_are_paid_for() -> None:
    """Progressive pays two more cards for aces in front than for queens, plain pineapple nothing."""
    shares = []
    for name in ("pineapple", "pineapple-progressive"):
        ranks = np.sort(self_play(builtin_rules()[name])[:, :3] >> 2, axis=1)
        aces, queens = ((ranks == rank).sum(axis=1) == 2 for rank in (RANKS.index("A"), RANKS.index("Q")))
        shares.append(aces.sum() / (aces.sum() + queens.sum()))
    assert shares[1] > shares[0] + 0.05


def test_the_back_comes_first_in_classic() -> None:
    """With one card at a time nothing is thrown away, so the strong cards are needed behind."""
    shares = []
    for name in ("classic", "pineapple"):
        setting = make_setting(builtin_rules()[name], 2, VALUES)
        n = 2_000
        deck = shuffled_decks(fold(9, np.arange(n)), 1)
        views = first_street("Ac Ad 6h Js 8s")
        many = Views(*(np.repeat(part, n, axis=0) for part in views[:6]), street=0, keys=fold(9, np.arange(n)))
        rows = FastAgent(setting).place(many._replace(dealt=np.ascontiguousarray(deck[:, :5])))
        ranks = deck[:, :5] >> 2
        paired = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2) == 2
        one_pair = paired.sum(axis=1) == 2
        shares.append((rows[one_pair][paired[one_pair]] == BACK).mean())
    assert shares[0] > shares[1] + 0.1


def test_rollouts_say_how_sure_they_are() -> None:
    setting = make_setting(builtin_rules()["pineapple"], 2, VALUES)
    agent = RolloutAgent(setting, "quick")
    values = agent.weigh(first_street("Ac Ad 6h Js 8s"))
    looked_at = values.futures[0] > 0
    assert 8 <= looked_at.sum() <= LEVELS["quick"].placements
    assert values.best[0] == np.nanargmax(np.where(values.futures[0] == values.futures[0].max(), values.mean[0], -99))
    assert (values.error[0][looked_at] > 0).all()
    assert values.loss_error[0, values.best[0]] == 0
    # More futures, less doubt.
    deep = RolloutAgent(setting, "deep").weigh(first_street("Ac Ad 6h Js 8s"))
    assert np.nanmin(deep.error[0][deep.futures[0] > 300]) < 1.5


def style(rules: RuleSet, agent: str = "fast", hands: int = 600) -> duel.Style:
    one, _ = play_duel(rules, {agent: AGENTS[agent], "random": AGENTS["random"]}, hands, 1).styles
    return one


def test_the_rules_decide_how_much_is_risked() -> None:
    pineapple = builtin_rules()["pineapple"]
    plain = with_changes(
        pineapple, {"royalties": pineapple.royalties.times(0), "fantasyland": {"enter": [], "stay": []}}
    )
    usual, safe = style(pineapple), style(plain)
    assert safe.fouled < 0.6 * usual.fouled
    cautious = style(pineapple, "cautious")
    assert cautious.fouled < 0.08
    assert cautious.royalties < usual.royalties / 3


def test_fantasyland_that_is_worth_more_is_entered_more() -> None:
    pineapple = builtin_rules()["pineapple"]
    rates = []
    for value in (0.0, 10.0, 25.0):
        agent = FastAgent(make_setting(pineapple, 2, {14: value}))
        seen = play_duel(pineapple, {"fast": lambda setting, agent=agent: agent, "random": AGENTS["random"]}, 500, 2)
        rates.append((seen.styles[0].enters, seen.styles[0].fouled))
    assert rates[0][0] < rates[1][0] < rates[2][0]
    assert rates[0][1] < rates[2][1]


@pytest.mark.parametrize(("rules", "points"), [("pineapple", 9), ("pineapple-progressive", 9), ("classic", 4)])
def test_fast_beats_random(rules: str, points: float) -> None:
    result = play_duel(builtin_rules()[rules], {"fast": AGENTS["fast"], "random": AGENTS["random"]}, 1_000, 3)
    assert result.mean > points - 2 * result.error


def test_values_of_later_streets_do_not_depend_on_the_batch() -> None:
    setting = make_setting(builtin_rules()["pineapple"], 2, VALUES)
    agent = FastAgent(setting)
    views = first_street("9c 9d 4h Ts 2s")
    alone, _ = agent.values(views)
    both = Views(*(np.concatenate([part, part]) for part in views[:6]), street=0, keys=np.concatenate([views.keys] * 2))
    twice, best = agent.values(both)
    assert (twice == alone).all()
    ways, _ = street_ways(5, 5)
    assert (agent.place(both) == ways[best]).all()

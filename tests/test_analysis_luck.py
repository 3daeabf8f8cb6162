"""Luck has mean zero whatever the evaluator says, takes variance away, and changes nobody's expectation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pytest

from analysis.draws import COLUMNS, ENDING, FEATURES, STAGES, Draws, centred_features, draws_of
from analysis.filters import Filters
from analysis.luck import cross_fitted, differences, luck_of
from analysis.scored import scores_of
from analysis.tables import Hands, actions, load_hands
from ingest.game.compiled import compile_rules
from ingest.game.errors import OFCError
from ingest.game.rules import builtin_rules
from ingest.simulate.into import store_hands
from ingest.simulate.run import simulate
from ingest.simulate.session import Plan
from ingest.store import Store
from tests.made_hands import made_database

RULES = builtin_rules()
GAMES = {"pineapple": (2, 1_200), "classic": (3, 500)}


def simulated(folder: Path, rules: str, players: int, hands: int, agents: tuple[str, ...]) -> duckdb.DuckDBPyConnection:
    plan = Plan(RULES[rules], (agents * players)[:players], hands, seed=5, session_hands=25)
    path = folder / f"{rules}.duckdb"
    with Store(path) as store:
        store_hands(store, plan, simulate(plan))
    return duckdb.connect(str(path), read_only=True)


@pytest.fixture(scope="module", params=list(GAMES))
def made(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Hands, np.ndarray]]:
    """A good player against one who sets at random, with the features of every seat."""
    rules = request.param
    con = simulated(tmp_path_factory.mktemp("luck"), rules, *GAMES[rules], ("fast", "random"))
    hands = load_hands(con)
    decks = hands.hands["decks"].to_numpy()
    draws = draws_of(actions(con, hands), len(hands))
    yield rules, hands, centred_features(draws, hands.first_seat, decks, compile_rules(RULES[rules]))
    con.close()


def z_scores(values: np.ndarray) -> np.ndarray:
    """How many standard errors each column's mean is away from zero; columns that never move are left out."""
    moves = values.std(axis=0) > 0
    values = values[:, moves]
    return values.mean(axis=0) / (values.std(axis=0) / np.sqrt(len(values)))


def test_every_number_of_the_evaluator_has_mean_zero(made: tuple[str, Hands, np.ndarray]) -> None:
    """The players choose by what they see, one well and one at random; the cards do not care."""
    _, _, features = made
    scores = z_scores(features)
    assert len(scores) > 20
    assert np.abs(scores).max() < 4.2
    assert (scores**2).mean() < 2


def test_so_has_luck_by_any_weights(made: tuple[str, Hands, np.ndarray]) -> None:
    """Even by an evaluator that is nonsense, for the good player and for the bad one."""
    _, hands, features = made
    weights = np.random.default_rng(1).normal(size=(COLUMNS, 20)) / np.maximum(features.std(axis=0), 1e-9)[:, None]
    luck = differences(features, hands.first_seat) @ weights
    for player in range(len(hands.names)):
        assert np.abs(z_scores(luck[(hands.seats["player"] == player).to_numpy()])).max() < 4.2


def test_learned_luck_takes_variance_away_and_no_expectation(made: tuple[str, Hands, np.ndarray]) -> None:
    rules, hands, features = made
    points = scores_of(hands, RULES[rules]).points.astype(float)
    session = np.repeat(hands.hands["cluster"].to_numpy(), np.diff(hands.first_seat))
    luck = cross_fitted(differences(features, hands.first_seat), points, session)
    assert np.var(points - luck) < 0.98 * np.var(points)
    first = (hands.seats["player"] == 0).to_numpy()
    assert np.abs(z_scores(luck[first][:, None])) < 4.2


def test_luck_of_a_hand_sums_to_zero(made: tuple[str, Hands, np.ndarray]) -> None:
    _, hands, features = made
    sums = np.add.reduceat(differences(features, hands.first_seat), hands.first_seat[:-1], axis=0)
    assert np.abs(sums).max() < 1e-9


def test_means_over_draws_are_exact() -> None:
    """A known spot, by hand: three kings and two deuces first, out of a whole deck."""
    cards = [44, 45, 46, 0, 1]
    dealt = np.full((1, 17), 255, np.uint8)
    dealt[0, :5] = cards
    nothing = np.full((1, 17), 255, np.uint8)
    draws = Draws(np.array([0, 1]), np.zeros(1, np.uint8), dealt, np.array([5], np.uint8), nothing, nothing)
    one = centred_features(draws, np.array([0, 1]), np.array([1], np.uint8), compile_rules(RULES["pineapple"]))[0]
    value = dict(zip(FEATURES, one[: len(FEATURES)], strict=True))
    assert value["kings"] == pytest.approx(3 - 5 * 4 / 52)
    assert value["aces"] == pytest.approx(0 - 5 * 4 / 52)
    pairs = 10 * 3 / 51  # ten pairs of cards, each of one rank with a chance of 3/51
    assert value["pairs, queens or better"] == pytest.approx(3 - pairs * 3 / 13)
    assert value["pairs, others"] == pytest.approx(1 - pairs * 10 / 13)
    # Kc and 2c, Kd and 2d share a suit.
    assert value["same suit"] == pytest.approx(2 - 10 * 12 / 51)
    assert one[len(FEATURES) :].tolist() == [0.0] * (COLUMNS - len(FEATURES))
    assert len(FEATURES) * len(STAGES) == ENDING


def test_a_draw_with_a_hidden_card_is_left_out() -> None:
    dealt = np.full((1, 17), 255, np.uint8)
    dealt[0, :4] = [44, 45, 46, 0]
    nothing = np.full((1, 17), 255, np.uint8)
    draws = Draws(np.array([0, 1]), np.zeros(1, np.uint8), dealt, np.array([5], np.uint8), nothing, nothing)
    features = centred_features(draws, np.array([0, 1]), np.array([1], np.uint8), compile_rules(RULES["pineapple"]))
    assert not features.any()


def test_players_and_sessions_get_their_luck(tmp_path: Path) -> None:
    with simulated(tmp_path, "pineapple", 2, 300, ("fast", "random")) as con:
        hands = load_hands(con)
        answer = luck_of(con, hands)
        assert answer.seen == 1
        assert answer.players["hands"].to_list() == [300, 300]
        assert (answer.players["points"] - answer.players["luck"]).to_list() == pytest.approx(
            answer.players["adjusted"]
        )
        assert answer.players["adjusted"].sum() == pytest.approx(0)
        assert len(answer.sessions) == 12
        own = luck_of(con, load_hands(con, Filters(players=(answer.players["player"][0],))))
        assert own.players.row(0) == pytest.approx(answer.players.row(0))


def test_between_equals_much_of_a_result_is_luck(tmp_path: Path) -> None:
    with simulated(tmp_path, "pineapple", 2, 800, ("cautious",)) as con:
        answer = luck_of(con, load_hands(con))
    assert answer.saved > 0.15
    assert answer.seats["adjusted"].var() == pytest.approx((1 - answer.saved) * answer.seats["points"].var())


def test_one_session_alone_is_judged_by_its_other_hands(tmp_path: Path) -> None:
    with simulated(tmp_path, "pineapple", 2, 200, ("cautious",)) as con:
        one = load_hands(con)
        alone = one.hands["session"] == one.hands["session"][0]
        answer = luck_of(con, one.keep(alone.to_numpy(), "other sessions"))
    assert answer.players["sessions"].to_list() == [1, 1]
    assert (answer.seats["luck"] != 0).any()
    assert answer.players["adjusted_low"].null_count() == 0


def test_hands_of_another_game_stay_out_of_luck_too(tmp_path: Path) -> None:
    with simulated(tmp_path, "pineapple", 2, 60, ("cautious",)) as con:
        hands = load_hands(con)
        with pytest.raises(OFCError, match="expected hands dealt as classic deals, got none"):
            luck_of(con, hands, RULES["classic"])
        answer = luck_of(con, hands, RULES["classic"], another_game=True)
        assert luck_of(con, hands, RULES["pineapple-aces"]).players["hands"].to_list() == [60, 60]
    assert "60 of the hands were built for another game." in answer.notes


def test_final_boards_alone_say_nothing_of_luck() -> None:
    con = made_database(30, 2, 3)
    with pytest.raises(OFCError, match="got final boards only"):
        luck_of(con, load_hands(con))

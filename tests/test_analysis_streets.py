"""What street-by-street logs tell: kinds of first cards, when a foul could no longer be helped."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import numpy as np
import pytest

from analysis.filters import Filters
from analysis.metrics import find_metric
from analysis.report import make_report, scored_for
from analysis.scored import score_as_played, score_pairs
from analysis.streets import FIRST_FIVE, NOT_SEALED, first_five_kinds, sealed_fouls
from analysis.tables import load_hands
from ingest.batch import batch_of
from ingest.game.cards import parse_cards
from ingest.game.compiled import compile_rules
from ingest.game.rules import builtin_rules
from ingest.hand import Action, Hand, Seat
from ingest.simulate.into import store_hands
from ingest.simulate.run import simulate
from ingest.simulate.session import Plan
from ingest.store import Store
from tests.made_hands import made_database

RULES = builtin_rules()


@pytest.mark.parametrize(
    ("cards", "kind"),
    [
        ("Kc Kd Kh 2c 3d", "trips or better"),
        ("Kc Kd Kh 2c 2d", "trips or better"),
        ("Kc Kd 2h 2c 3d", "two pair"),
        ("Qc Qd 2h 3c 4d", "pair, queens or better"),
        ("Jc Jd 2c 3c 4c", "pair, others"),
        ("Ac 3c 5c 9c Jd", "four of a suit"),
        ("Ac 3c 5c 9c Jc", "four of a suit"),
        ("5c 6d 7h 8s Kd", "four to a straight"),
        ("5c 6d 7h 9s Kd", "four to a straight"),
        ("Ac 2d 4h 5s 9d", "four to a straight"),
        ("Tc Jd Qh As 3d", "four to a straight"),
        ("Ac 2c 7c Ts Jd", "three of a suit"),
        ("2c 4d 7h Ts Jd", "nothing"),
        ("2c 3d 4h 9s Jd", "nothing"),
    ],
)
def test_kinds_of_first_cards(cards: str, kind: str) -> None:
    array = np.array([parse_cards(cards)], np.uint8)
    assert first_five_kinds(array).to_list() == [kind]
    assert kind in FIRST_FIVE


def played(streets: str) -> duckdb.DuckDBPyConnection:
    """A database of one hand: one player's streets, "front | middle | back | discard" each, and a silent opponent's."""
    actions: list[Action] = []
    board: tuple[list[int], ...] = ([], [], [])
    for number, street in enumerate(streets.split(";")):
        front, middle, back, discard = (tuple(parse_cards(row)) for row in street.split("|"))
        for row, cards in zip(board, (front, middle, back), strict=True):
            row.extend(cards)
        actions.append(Action(0, number, front + middle + back + discard, front, middle, back, discard))
    other = tuple(parse_cards("2h 3h 4s 7s 8s 9s Ts 2s 5h 6h 7h 8h 9h"))
    me = tuple(card for row in board for card in row)
    hand = Hand(
        "made", (Seat("me", board=me), Seat("you", board=other)), id="1", rules="pineapple", actions=tuple(actions)
    )
    con = made_database(1, 2, 1)
    batch = batch_of([hand])
    [(key,)] = con.execute("SELECT hand_key FROM hands").fetchall()
    con.register("given", batch.actions)
    con.execute(f"INSERT INTO actions BY NAME SELECT {key}::BIGINT AS hand_key, * FROM given")
    return con


@pytest.mark.parametrize(
    ("streets", "sealed"),
    [
        # Aces in front; a nine makes the middle a straight, a king or jack the back a full house. Neither comes.
        ("Ac Ad | 5c 6d | Kc | ; | 7h | Kd | 2c; | 8s | Jd | 2d; 3c | | Js | 3d; | Th | Qh | 4c", 0),
        # The middle is full and lower than the aces in front, with four slots open behind: too late.
        ("Ac Ad 3c | 5c 6d | | ; | 7h 9c | | 2c; | Jd | Kc | 2d; | | Kd Qs | 3d; | | Js Tc | 4c", 4),
        # A set of sevens before king, queen and jack: a straight could still have come.
        ("3c 2c | 7c 7d | Kc | ; | 7h | Qd | 2d; 4d | 9d | | 3d; | Td | Js | 5d; | | 2h 3h | 4c", 0),
        # A straight in the middle, and no two cards make king, queen and deuce as good.
        ("3c 2c | 5c 6d | Kc | ; | 7h | Qd | 2d; 4d | 8s | | 3d; | 9c | 2s | 5d; | | 2h 3h | 4c", 2),
    ],
)
def test_when_a_foul_was_sealed(streets: str, sealed: int) -> None:
    con = played(streets)
    hands = load_hands(con)
    fouled = np.array([True, False])
    found = sealed_fouls(con, hands, compile_rules(RULES["pineapple"]), fouled)
    assert found.tolist() == [sealed, NOT_SEALED]
    assert (sealed_fouls(con, hands, compile_rules(RULES["pineapple"]), ~fouled | True)[1]) == NOT_SEALED


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    plan = Plan(RULES["pineapple"], ("cautious", "random"), 200, seed=3, session_hands=20)
    path = tmp_path_factory.mktemp("streets") / "made.duckdb"
    with Store(path) as store:
        store_hands(store, plan, simulate(plan))
        store.publish()
    return path


def test_sealed_fouls_add_up_to_the_fouls(simulated: Path) -> None:
    with duckdb.connect(str(simulated), read_only=True) as con:
        hands = load_hands(con)
        [scored] = scored_for(con, hands, [], streets=True)
    rates = [find_metric(f"foul_sealed_{kind}")(scored.frame)["value"][0] for kind in ("last", "late", "early")]
    assert sum(rates) == pytest.approx(find_metric("foul_rate")(scored.frame)["value"][0])
    assert min(rates) > 0
    assert find_metric("seconds_per_decision")(scored.frame)["n"][0] == 200 * 2 * 5


def test_a_breakdown_by_first_cards_counts_every_hand(simulated: Path) -> None:
    with duckdb.connect(str(simulated), read_only=True) as con:
        every = scored_for(con, load_hands(con), [RULES["pineapple-aces"]], by="first_five")
    report = make_report(every, by="first_five", metrics=["hands"])
    assert report.by == ("first_five",)
    assert report.figures["value"].sum() == 2 * 400
    assert set(report.figures["first_five"]) <= {*FIRST_FIVE, "in Fantasyland"}


def test_points_by_opponent_sum_to_the_points() -> None:
    hands = load_hands(made_database(200, 3, 20, names=5), Filters(players=("player 1", "player 2")))
    pairs, whole = score_pairs(hands), score_as_played(hands)
    for player in ("player 1", "player 2"):
        own, all_together = (
            frame.filter(frame["player"] == player)["points"].sum() for frame in (pairs.frame, whole.frame)
        )
        assert own == all_together
    report = make_report([pairs], by="opponent")
    assert report.by == ("player", "opponent")
    assert report.metrics == ("hands", "points_per_hand", "sd_per_hand")
    assert json.dumps(report.figures.to_dicts())

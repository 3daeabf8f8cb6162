"""What street-by-street logs tell: kinds of first cards, when a foul could no longer be helped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pytest

from analysis.filters import Filters
from analysis.metrics import find_metric
from analysis.report import make_report, scored_for
from analysis.scored import score_as_played, score_pairs, scores_of
from analysis.streets import FIRST_FIVE, NOT_SEALED, STREETS_UNKNOWN, first_five_kinds, sealed_fouls
from analysis.tables import actions, load_hands
from ingest.batch import batch_of
from ingest.game.cards import format_card, parse_cards
from ingest.game.compiled import compile_rules
from ingest.game.rules import RuleSet, builtin_rules, with_changes
from ingest.hand import Action, Hand, Seat
from ingest.simulate.into import store_hands
from ingest.simulate.run import simulate
from ingest.simulate.session import Plan
from ingest.store import Store
from tests import naive
from tests.made_hands import made_database
from tests.test_analysis_completions import DECK, Board, slow_answer

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


def street_actions(seat: int, streets: str) -> list[Action]:
    """The actions of one seat: streets "front | middle | back | discard", one behind the other."""
    actions = []
    for number, street in enumerate(streets.split(";")):
        rows = [tuple(parse_cards(row)) for row in street.split("|")]
        front, middle, back, discard = [*rows, ()][:4]
        actions.append(Action(seat, number, front + middle + back + discard, front, middle, back, discard))
    return actions


def played(
    mine: str, other: str = "", rules: str = "pineapple", *, fantasyland: int = 0, finished: bool = True
) -> duckdb.DuckDBPyConnection:
    """A database of one hand: my streets, and before me those of an opponent, who may sit in Fantasyland."""
    board: tuple[list[int], ...] = ([], [], [])
    for action in street_actions(1, mine):
        for row, cards in zip(board, (action.front, action.middle, action.back), strict=True):
            row.extend(cards)
    actions = street_actions(0, other) if other else []
    actions = sorted([*actions, *street_actions(1, mine)], key=lambda action: (action.street, action.seat))
    silent = tuple(parse_cards("2h 3h 4h 7s 8s 9s Ts 2s 5h 6h 7h 8h 9h"))
    slots = [card for row, size in zip(board, (3, 5, 5), strict=True) for card in (*row, *[254] * (size - len(row)))]
    seats = (Seat("you", board=silent), Seat("me", board=tuple(slots)))
    hand = Hand("made", seats, id="1", rules=rules, actions=tuple(actions))
    con = made_database(1, 2, 1, rules)
    batch = batch_of([hand])
    [(key,)] = con.execute("SELECT hand_key FROM hands").fetchall()
    con.register("given", batch.actions)
    con.execute(f"INSERT INTO actions BY NAME SELECT {key}::BIGINT AS hand_key, * FROM given")
    con.execute(
        "UPDATE seats SET in_fantasyland = seat = 0 AND $n > 0, fantasyland_cards = if(seat = 0, $n, 0)",
        {"n": fantasyland},
    )
    if not finished:
        con.execute("UPDATE seats SET back_strength = NULL, complete = false WHERE seat = 1")
    return con


def sealed(con: duckdb.DuckDBPyConnection, rules: RuleSet) -> list[int]:
    """`sealed_fouls` where only I fouled."""
    return sealed_fouls(con, load_hands(con), compile_rules(rules), np.array([False, True])).tolist()


@pytest.mark.parametrize(
    ("streets", "slots", "rules"),
    [
        # Aces in front; a nine makes the middle a straight, a king or jack the back a full house. Neither comes.
        (
            "Ac Ad | 5c 6d | Kc | ; | 7h | Kd | 2c; | 8s | Jd | 2d; 3c | | Js | 3d; | Th | Qh | 4c",
            0, "pineapple",
        ),
        # The middle is full and lower than the aces in front, with four slots open behind: too late.
        (
            "Ac Ad 3c | 5c 6d | | ; | 7h 9c | | 2c; | Jd | Kc | 2d; | | Kd Qs | 3d; | | Js Tc | 4c",
            4, "pineapple",
        ),
        # A set of sevens before king, queen and jack: a straight could still have come.
        ("3c 2c | 7c 7d | Kc | ; | 7h | Qd | 2d; 4d | 9d | | 3d; | Td | Js | 5d; | | 2h 3h | 4c", 0, "pineapple"),
        # A straight in the middle, and no two cards make king, queen and deuce as good.
        ("3c 2c | 5c 6d | Kc | ; | 7h | Qd | 2d; 4d | 8s | | 3d; | 9c | 2s | 5d; | | 2h 3h | 4c", 2, "pineapple"),
        # Four aces in the middle before a seven and a deuce, with six slots open.
        ("| Ac Ad Ah As | 7c | ; | Kc | 2d | 2c; Qs Qd | | | 3d; Jd | | 7d | 4d; | | 7h 7s | 4c", 6, "pineapple"),
        # A pair among the first cards of a low middle.
        ("3c | 5c 5d | Kc Kd | ; | 6h | Ks | 2c; 4d | 8s | | 3d; 4h | | Qc | 5s; | 7c | Qd | 9c", 8, "pineapple-2-7"),
        # A low middle until the last street, and then a queen.
        ("3c | 5c 4d | Kc Kd | ; | 6h | Ks | 2c; 4h | 8s | | 3d; 4s | | Qc | 5s; | Qd | Qh | 9c", 0, "pineapple-2-7"),
    ],
)  # fmt: skip
def test_when_a_foul_was_sealed(streets: str, slots: int, rules: str) -> None:
    con = played(streets, rules=rules)
    assert sealed(con, RULES[rules]) == [STREETS_UNKNOWN, slots]
    legal = sealed_fouls(con, load_hands(con), compile_rules(RULES[rules]), np.array([True, False]))
    assert legal.tolist() == [STREETS_UNKNOWN, NOT_SEALED]


# Kings, five and seven in the middle want to beat the aces in front: eight cards would do, and he has them all, the
# last seven (of hearts) as his eleventh card.
MINE = "Ac Ad|Kc Kd|Qh; ||Qd; |5h|; 3c||; |7s|; ||Qs; ||Qc; |9c|; ||8c"
HIS = "Kh Ks 5c|5d 5s|; |7c|; |7d|; |2c|; ||2d; ||3d; ||7h; ||3s; ||4s"


def test_cards_that_lie_open_elsewhere_cannot_help() -> None:
    assert sealed(played(MINE, HIS, "classic"), RULES["classic"]) == [NOT_SEALED, 2]
    assert sealed(played(MINE, rules="classic"), RULES["classic"]) == [STREETS_UNKNOWN, 1]


def test_cards_that_lie_face_down_elsewhere_might_have_helped() -> None:
    his_at_once = HIS.replace(";", "").replace("|", " ").split()
    all_at_once = f"{' '.join(his_at_once[:3])} | {' '.join(his_at_once[3:8])} | {' '.join(his_at_once[8:])}"
    assert sealed(played(MINE, HIS, "face-down-last-three"), RULES["classic"]) == [NOT_SEALED, 1]
    assert sealed(played(MINE, all_at_once, "classic", fantasyland=13), RULES["classic"]) == [NOT_SEALED, 1]
    # Had they all lain open from the start, it would have been over when the seven of spades was set.
    assert sealed(played(MINE, all_at_once, "classic"), RULES["classic"]) == [NOT_SEALED, 4]


def test_streets_are_known_only_with_all_own_cards() -> None:
    """My unknown discard could be a card that helps; his could be as well, but I have not seen that one."""
    streets = "Ac Ad | 5c 6d | Kc | ; | 7h | Kd | {}; | 8s | Jd | 2d; 3c | | Js | 3d; | Th | Qh | 4c"
    his = "2s 2h|3s 3h|4s|; 5s|5h||??; |6s|6h|??; ||8c 8d|??; |9h|Tc|??"
    assert sealed(played(streets.format("2c"), his), RULES["pineapple"]) == [STREETS_UNKNOWN, 0]
    assert sealed(played(streets.format("??"), his), RULES["pineapple"]) == [STREETS_UNKNOWN, STREETS_UNKNOWN]
    short = "Ac Ad | 5c 6d | Kc | ; | 7h | Kd | 2c"
    assert sealed(played(short), RULES["pineapple"]) == [STREETS_UNKNOWN, STREETS_UNKNOWN]


def test_a_board_that_was_never_finished() -> None:
    """Fouled for want of cards, unless it was beyond help before."""
    fine = "Ac Ad | 5c 6d | Kc | ; | 7h | Kd | 2c; | 8s | Jd | 2d"
    lost = "Ac Ad 3c | 5c 6d | | ; | 7h 9c | | 2c; | Jd | Kc | 2d"
    assert sealed(played(fine, finished=False), RULES["pineapple"]) == [STREETS_UNKNOWN, NOT_SEALED]
    assert sealed(played(lost, finished=False), RULES["pineapple"]) == [STREETS_UNKNOWN, 4]


def test_where_naturals_are_never_fouled_it_is_not_told() -> None:
    rules = with_changes(RULES["classic"], {"naturals.pay": "instead", "naturals.points": {"all_low": 12}})
    assert sealed(played(MINE, HIS, "classic"), rules) == [STREETS_UNKNOWN, STREETS_UNKNOWN]
    at_once = "Ac Ad 3c | Kc Kd 5h 7s 9c | Qh Qd Qs Qc 8c"
    assert sealed(played(at_once, rules="chinese-1-6"), RULES["chinese-1-6"]) == [STREETS_UNKNOWN, 0]


SEALED = [f"foul_sealed_{slots}" for slots in range(9)]


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("streets") / "made.duckdb"
    with Store(path) as store:
        for rules in ("pineapple", "classic", "pineapple-2-7", "double-deck"):
            plan = Plan(RULES[rules], ("cautious", "random"), 200, seed=3, session_hands=20)
            store_hands(store, plan, simulate(plan))
        store.publish()
    return path


@pytest.mark.parametrize("rules", ["pineapple", "classic", "pineapple-2-7"])
def test_sealed_fouls_add_up_to_the_fouls(simulated: Path, rules: str) -> None:
    with duckdb.connect(str(simulated), read_only=True) as con:
        [scored] = scored_for(con, load_hands(con, Filters(rules=(rules,))), [], streets=True)
    rates = {name: find_metric(name)(scored.frame)["value"][0] for name in [*SEALED, "foul_unfinished"]}
    assert sum(rates.values()) == pytest.approx(find_metric("foul_rate")(scored.frame)["value"][0])
    come = {name for name in SEALED if rates[name] > 0}
    expected = {
        "pineapple": {0, 2, 4},
        "classic": {0, 1, 2, 3, 4, 5},
        "pineapple-2-7": {0, 2, 4, 6, 8},
    }[rules]
    assert {f"foul_sealed_{slots}" for slots in expected} <= come
    assert rules == "classic" or not come & {f"foul_sealed_{slots}" for slots in (1, 3, 5, 7)}
    decisions = 9 if rules == "classic" else 5
    assert find_metric("seconds_per_decision")(scored.frame)["n"][0] <= 200 * 2 * decisions


def test_hands_without_streets_are_not_counted(simulated: Path) -> None:
    """Neither fouled nor legal boards: else the rates of logs without streets would be zero."""
    with duckdb.connect(str(simulated), read_only=True) as con:
        [scored] = scored_for(con, load_hands(con), [], streets=True)
        made = load_hands(made_database(50, 2, 5))
        [bare] = scored_for(made_database(50, 2, 5), made, [], streets=True)
    assert find_metric("foul_sealed_0")(scored.frame)["n"][0] == 4 * 400
    assert find_metric("foul_sealed_0")(bare.frame).row(0, named=True)["n"] == 0
    assert bare.frame["sealed"].unique().to_list() == ["not known"]


def watched(hand: pl.DataFrame, seat: int, in_fantasyland: set[int], decks: int) -> Iterator[tuple[Board, list[str]]]:
    """A player's board after each of his streets, and the cards that he had not seen by then."""
    board: Board = {row: [] for row in naive.ROWS}
    unseen = DECK * decks
    for action in hand.iter_rows(named=True):
        placed = [card for row in naive.ROWS for card in action[row]]
        seen = action["dealt"] if action["seat"] == seat else [] if action["seat"] in in_fantasyland else placed
        for card in seen:
            unseen.remove(format_card(card))
        if action["seat"] == seat:
            for row in naive.ROWS:
                board[row] += [format_card(card) for card in action[row]]
            yield {row: list(cards) for row, cards in board.items()}, list(unseen)


@pytest.mark.parametrize("rules", ["pineapple", "classic", "pineapple-2-7", "double-deck"])
def test_the_last_streets_agree_with_trying_every_card(simulated: Path, rules: str) -> None:
    """With one or two slots open, of whole simulated hands: what each player had seen, and whether a card was left."""
    with duckdb.connect(str(simulated), read_only=True) as con:
        hands = load_hands(con, Filters(rules=(rules,)))
        frame = actions(con, hands)
        fouled = scores_of(hands, RULES[rules]).fouled
        found = sealed_fouls(con, hands, compile_rules(RULES[rules]), fouled)
    assert ((found == NOT_SEALED) == ~fouled).all()
    checked = []
    for (number,), hand in frame.group_by("hand", maintain_order=True):
        first = int(hands.first_seat[number])  # type: ignore[call-overload]
        players = range(int(hands.hands["players"][number]))  # type: ignore[call-overload]
        in_fantasyland = {seat for seat in players if hands.fantasyland[first + seat] != 0}
        for seat in players:
            for board, pool in watched(hand, seat, in_fantasyland, RULES[rules].deal.decks):
                open_slots = 13 - sum(map(len, board.values()))
                if fouled[first + seat] and open_slots in (1, 2) and len(checked) < 150:
                    checked.append(bool(found[first + seat] >= open_slots))
                    assert checked[-1] == (not slow_answer(board, pool, rules)), board
    assert len(checked) > 100
    assert 10 < sum(checked) < len(checked) - 10


def test_a_breakdown_by_first_cards_counts_every_hand(simulated: Path) -> None:
    with duckdb.connect(str(simulated), read_only=True) as con:
        hands = load_hands(con, Filters(rules=("pineapple",)))
        every = scored_for(con, hands, [RULES["pineapple-aces"]], by="first_five")
    report = make_report(every, by="first_five", metrics=["hands"])
    assert report.by == ("first_five",)
    assert report.figures["value"].sum() == 2 * 400
    assert set(report.figures["first_five"]) <= {*FIRST_FIVE, "in Fantasyland"}


def test_a_breakdown_by_when_fouls_were_sealed_counts_every_hand(simulated: Path) -> None:
    with duckdb.connect(str(simulated), read_only=True) as con:
        [scored] = scored_for(con, load_hands(con, Filters(rules=("classic",))), [], by="sealed")
    figures = make_report([scored], by="sealed", metrics=["hands"]).figures
    counts = dict(figures.select("sealed", "value").iter_rows())
    whole = make_report([scored], metrics=["foul_sealed_1", "foul_sealed_2"]).figures
    assert sum(counts.values()) == 400
    assert counts["legal board"] == (~scored.frame["fouled"]).sum()
    assert [counts["1 slot open"] / 400, counts["2 slots open"] / 400] == whole["value"].to_list()


def test_a_figure_that_needs_the_streets_has_them(simulated: Path) -> None:
    with duckdb.connect(str(simulated), read_only=True) as con:
        [scored] = scored_for(con, load_hands(con), [], metrics=["foul_sealed_0"])
        [plain] = scored_for(con, load_hands(con), [], metrics=["foul_rate"])
    assert "sealed_with" in scored.frame.columns
    assert "sealed_with" not in plain.frame.columns


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

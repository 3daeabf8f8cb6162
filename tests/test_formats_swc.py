"""SwC: streets found again from snapshots, and the dealer's chat."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from ingest.formats import swc_chat, swc_hand, swc_raw
from ingest.formats.options import ReadOptions
from ingest.game.cards import UNKNOWN, parse_cards
from ingest.hand import CARDS_UNKNOWN
from tests.logs import read

EMPTY = "-0-0-0"


def ids(text: str) -> str:
    """Cards by name as the ids of a capture, rows apart by /, cards in hand after |."""
    rows, _, held = text.partition("|")
    parts = [parse_cards(part) for part in rows.split("/")]
    numbers = [str(card) for part in [*parts, parse_cards(held)] for card in part]
    return ";".join(numbers) + "-" + "-".join(str(len(part)) for part in parts)


def state(first: str, second: str, street: int = 1, hand: int = 1, table: int = 5, **seats: Any) -> bytes:
    """One line of a capture with a GameState."""
    stacks, points = seats.get("stacks", (10000, 10000)), seats.get("points", (0, 0))
    told: dict[str, Any] = {
        "gi": hand, "gt": seats.get("game", 75), "ti": table, "ts": street, "m": {"di": 1},
        "s": [
            {"n": name, "c": stacks[chair], "p": points[chair], "d": cards}
            for chair, (name, cards) in enumerate((("a", first), ("b: c", second)))
        ],
    }  # fmt: skip
    if "rows" in seats:
        told["ss"] = {"hc": seats["rows"]}
    message = json.dumps({"t": "GameState", "gameState": told})
    return json.dumps(
        {"captured_at": "2026-01-02T03:04:05Z", "payload": "42/poker/," + json.dumps(["proxy-message", message])}
    ).encode()


A = [
    "Qs/9d9h/KcKd",
    "QsQh/9d9h4c/KcKd",
    "QsQh/9d9h4c4d/KcKd3h",
    "QsQh/9d9h4c4d8s/KcKd3h3s",
    "QsQh2d/9d9h4c4d8s/KcKd3h3s6c",
]
B = [
    "2c/5d5h/AsAh",
    "2c3c/5d5h/AsAhTs",
    "2c3c/5d5h6d/AsAhTsTd",
    "2c3c7d/5d5h6d8c/AsAhTsTd",
    "2c3c7d/5d5h6d8cJc/AsAhTsTdJh",
]
HELD = ["", "7s", "7h", "Jd", "Js"]


def whole_hand(hand: int = 1, table: int = 5, **last: Any) -> list[bytes]:
    """A capture of a whole hand in which nothing was missed; the first player's cards are seen."""
    lines = [state(EMPTY, EMPTY, hand=hand, table=table)]
    before = EMPTY
    for street in range(5):
        placed = A[street].replace("/", "")
        earlier = A[street - 1].replace("/", "") if street else ""
        new = "".join(name for name in _names(placed) if name not in _names(earlier)) + HELD[street]
        rows = A[street - 1] if street else "//"
        lines.append(state(ids(f"{rows}|{new}"), before, street + 1, hand, table))
        lines.append(state(ids(A[street]), before, street + 1, hand, table))
        before = ids(B[street])
        lines.append(state(ids(A[street]), before, street + 1, hand, table))
    points = {"points": (8, -8), "stacks": (10800, 9200)} | last
    lines.append(state(ids(A[4]), ids(B[4]), 0, hand, table, **points))
    return lines


def _names(cards: str) -> list[str]:
    return [cards[at : at + 2] for at in range(0, len(cards), 2)]


def text_of(lines: list[bytes]) -> bytes:
    return b"\n".join(lines) + b"\n"


def test_streets_are_found_again() -> None:
    [hand], rejects = read(swc_raw, text_of(whole_hand()))
    assert rejects == []
    assert (hand.site, hand.id, hand.session, hand.rules) == ("swc", "1", "5", "pineapple-progressive")
    # The button is the second chair, so the first acts first.
    assert [seat.player for seat in hand.seats] == ["a", "b: c"]
    assert [seat.hero for seat in hand.seats] == [True, False]
    mine = [action for action in hand.actions if action.seat == 0]
    assert [len(action.dealt) for action in mine] == [5, 3, 3, 3, 3]
    assert [action.discard for action in mine] == [(), *[tuple(parse_cards(card)) for card in HELD[1:]]]
    theirs = [action for action in hand.actions if action.seat == 1]
    assert [action.discard for action in theirs] == [(), *[(UNKNOWN,)] * 4]
    assert hand.flags == ("no_discards", "stake_inferred")
    assert [(seat.points, seat.net, seat.stack) for seat in hand.seats] == [(8, 8, 100), (-8, -8, 100)]
    assert hand.point_value == 1


def test_missed_snapshots_leave_cards_on_the_board_only() -> None:
    lines = whole_hand()
    [hand], _ = read(swc_raw, text_of([*lines[:4], *lines[-1:]]))
    assert [(action.seat, action.street) for action in hand.actions] == [(0, 0), (1, 0)]
    assert "streets_missing" in hand.flags
    assert hand.seats[0].board == tuple(parse_cards("QsQh2d9d9h4c4d8sKcKd3h3s6c"))


def test_fantasyland_shows_in_the_number_of_cards() -> None:
    all_cards = "QsQh2d9d9h4c4d8sKcKd3h3s6cAc"
    lines = [
        state(ids(f"//|{all_cards}"), EMPTY),
        state(ids(A[4]), ids(B[0])),
        state(ids(A[4]), ids(B[4]), 0, points=(8, -8)),
    ]
    [hand], rejects = read(swc_raw, text_of(lines))
    assert rejects == []
    assert [seat.fantasyland for seat in hand.seats] == [14, 0]
    assert hand.actions[0].discard == tuple(parse_cards("Ac"))


def test_an_opponents_fantasyland_shows_in_a_board_that_is_full_at_once() -> None:
    lines = [state(ids(A[0]), EMPTY), state(ids(A[0]), ids(B[4])), state(ids(A[4]), ids(B[4]), 0, points=(8, -8))]
    [hand], _ = read(swc_raw, text_of(lines))
    assert [seat.fantasyland for seat in hand.seats] == [0, CARDS_UNKNOWN]


def test_a_match_that_is_settled_later_shows_no_money() -> None:
    [hand], _ = read(swc_raw, text_of(whole_hand(stacks=(10000, 10000))))
    assert [seat.net for seat in hand.seats] == [None, None]
    assert hand.point_value is None


def test_fouls_are_read_from_the_names_of_the_rows() -> None:
    rows = "Pair\tTwo Pair\tTwo Pair\tFOUL\tFOUL\tFOUL"
    [hand], _ = read(swc_raw, text_of(whole_hand(rows=rows)))
    assert [seat.fouled for seat in hand.seats] == [False, True]


def test_tables_lie_among_each_other_and_other_games_are_skipped() -> None:
    first, second = whole_hand(1, 5), whole_hand(2, 6)
    mixed = [line for pair in zip(first, second, strict=True) for line in pair]
    noise = [b'{"payload": "2"}', b'{"payload": "42/poker/,[\\"pong\\"]"}', b"", state(EMPTY, EMPTY, 0, 9, 7, game=1)]
    hands, rejects = read(swc_raw, text_of([*noise, *mixed]))
    assert [hand.id for hand in hands] == ["1", "2"]
    assert [(each.outcome, each.reason) for each in rejects] == [("skipped", "other_game")]


def test_a_hand_that_the_table_left_is_partial_and_one_that_the_file_left_waits() -> None:
    hands, rejects = read(swc_raw, text_of([*whole_hand(1)[:6], *whole_hand(2)[:6]]))
    assert [(hand.id, hand.status) for hand in hands] == [("1", "partial")]
    assert [each.outcome for each in rejects] == ["partial"]


def test_a_bad_card_text_costs_its_hand() -> None:
    for bad in ("52;1-1-1-0", "1;2-3-0-0", "1;2", "x-1-0-0"):
        hands, [reject] = read(swc_raw, text_of([state(bad, EMPTY, 0, 1), *whole_hand(2)]))
        assert [hand.id for hand in hands] == ["2"]
        assert reject.reason == "bad_card"
        assert bad in reject.message


def test_the_hand_file_of_a_tracker() -> None:
    def slots(rows: str) -> dict[str, list[str]]:
        named = zip(("top", "middle", "bottom"), (3, 5, 5), rows.split("/"), strict=True)
        cards = {name: [card.replace("T", "10") for card in _names(row)] for name, _, row in named}
        return {"active": [], **{name: row + ["--"] * (5 - len(row)) for name, row in cards.items()}}

    steps = [{"placed": {"a": slots(a), "b: c": slots(b)}, "ts": 1} for a, b in zip(A, B, strict=True)]
    data = {
        "site": "SealsWithClubs", "hand_id": 7, "game_type": "OFC/P 2-7", "dealer_idx": 0, "table_id": 5,
        "timestamp": "2026-01-02T03:04:05Z", "gametype": {"currency": "mBTC"},
        "players": [
            {"name": "a", "starting_stack": 100.0, "seat_idx": 0},
            {"name": "b: c", "starting_stack": 0.3, "seat_idx": 1},
        ],
        "steps": [*steps, {"placed": steps[-1]["placed"], "stacks": {"a": 100.10000000000001, "b: c": 0.2}}],
        "showdown": {"points_settled": {"a": 1, "b: c": -1}, "rows": {"a": {"top": "x"}, "b: c": {}}},
        "ofc_rounds": [],
    }  # fmt: skip
    [hand], rejects = read(swc_hand, json.dumps(data, indent=2).encode())
    assert rejects == []
    assert hand.rules == "pineapple-2-7"
    assert [seat.player for seat in hand.seats] == ["b: c", "a"]
    assert [seat.net for seat in hand.seats] == [Decimal("-0.1"), Decimal("0.1")]
    assert [seat.fouled for seat in hand.seats] == [None, False]
    assert len(hand.actions) == 10
    assert hand.unit == "mBTC"
    other = data | {"game": {"base": "hold"}, "game_type": "NL Hold'em"}
    assert [each.outcome for each in read(swc_hand, json.dumps(other).encode())[1]] == ["skipped"]


CHAT = """\
[SWC] 2026-01-02 03:04:05 table=8 Dealer: New game started (2 hands)
[SWC] 2026-01-02 03:06:01 table=8 Dealer: Hand #1 finished - a: +9, b: c: -4, d, e: -5
[SWC] 2026-01-02 03:06:01 table=8 Dealer: d, e is in fantasy land. The button will not be moved
[SWC] 2026-01-02 03:07:40 table=8 Dealer: Hand #2 finished - a: +1, b: c: -1, d, e: 0
[SWC] 2026-01-02 03:09:30 table=8 Dealer: TOTAL - a: +10, b: c: -5, d, e: -5
[SWC] 2026-01-02 03:09:31 table=8 Dealer: a wins 1,020.79
[SWC] 2026-01-02 03:09:31 table=8 Dealer: Game complete, 2 hands played
"""


def test_the_dealers_chat() -> None:
    hands, rejects = read(swc_chat, CHAT.encode())
    assert rejects == []
    assert [[(seat.player, seat.points) for seat in hand.seats] for hand in hands] == [
        [("a", 9), ("b: c", -4), ("d, e", -5)],
        [("a", 1), ("b: c", -1), ("d, e", 0)],
    ]
    assert [[seat.fantasyland_next for seat in hand.seats] for hand in hands] == [[0, 0, -1], [0, 0, 0]]
    assert [[seat.fantasyland for seat in hand.seats] for hand in hands] == [[0, 0, 0], [0, 0, -1]]
    assert {hand.status for hand in hands} == {"results_only"}
    assert len({hand.session for hand in hands}) == 1
    assert hands[1].extra["match"] == {
        "planned_hands": 2, "total": [10, -5, -5], "wins": ["1020.79", None, None],
    }  # fmt: skip
    assert "total_mismatch" not in hands[1].flags


def test_a_chat_that_does_not_add_up() -> None:
    wrong_total = CHAT.replace("TOTAL - a: +10, b: c: -5", "TOTAL - a: +11, b: c: -6")
    assert "total_mismatch" in read(swc_chat, wrong_total.encode())[0][1].flags
    hands, [reject] = read(swc_chat, CHAT.replace("a: +9", "a: +8").encode())
    assert [hand.number for hand in hands] == [2]
    assert reject.reason == "bad_number"


def test_a_chat_in_the_time_of_the_place() -> None:
    [first, _], _ = read(swc_chat, CHAT.encode(), options=ReadOptions(zone="America/New_York"))
    assert first.ended_at is not None
    assert first.ended_at.isoformat() == "2026-01-02T08:06:01+00:00"
    assert first.source_zone == "America/New_York"

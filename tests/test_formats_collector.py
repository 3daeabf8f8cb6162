"""The collector reader and every anomaly that real logs have shown."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from ingest.formats import collector
from ingest.game.cards import UNKNOWN, parse_cards
from ingest.hand import CARDS_UNKNOWN, Action
from tests.logs import ROWS, collector_text, player, read, record


def cards(text: str) -> tuple[int, ...]:
    return tuple(parse_cards(text))


def test_a_hand_field_by_field() -> None:
    [hand], rejects = read(collector, collector_text([record(3)]))
    assert rejects == []
    assert (hand.site, hand.id, hand.session, hand.number) == (
        "pppoker",
        "260102110405-20000001-0000003-1",
        "20000001",
        3,
    )
    assert (hand.game, hand.rules) == ("pineapple", "pineapple-ultimate")
    assert hand.rules_changes["fantasyland"]["button_moves"] is True
    assert {"front": "AA+", "cards": 16} in hand.rules_changes["fantasyland"]["enter"]
    assert hand.ended_at == datetime(2026, 1, 2, 3, 3, 12, tzinfo=UTC)
    assert (hand.source_zone, hand.status, hand.flags) == ("UTC", "complete", ())
    assert (hand.point_value, hand.unit, hand.unit_price, hand.unit_currency) == (2, "chip", 1, "USD")
    assert hand.extra == {"clubId": "900001"}
    first, second = hand.seats
    assert (first.player, first.hero, first.points, first.net) == ("pid1000000", False, 9, Decimal("17.4"))
    assert (second.player, second.hero, second.points, second.net) == ("pid1000001", True, -9, -18)
    assert first.board == cards("KhKd5s 9c9h4d4sJc QsQd7hQh7c")
    assert hand.actions[:3] == (
        Action(0, 0, cards("9c9hQsQd7h"), (), cards("9c9h"), cards("QsQd7h")),
        Action(1, 0, cards("As5h5dJsJd"), cards("As"), cards("5h5d"), cards("JsJd")),
        Action(0, 1, cards("KhQh2c"), cards("Kh"), (), cards("Qh"), cards("2c")),
    )
    assert len(hand.actions) == 10


def test_players_come_in_the_order_in_which_they_act() -> None:
    [hand], _ = read(collector, collector_text([record(players=[player(1), player(0)])]))
    assert [seat.player for seat in hand.seats] == ["pid1000000", "pid1000001"]


def test_fantasyland_sizes_and_hidden_discards() -> None:
    rows = "9h0 9c0 Kd0/4h0 4c0 4s0 Ts0 Qs0/3d0 6d0 8d0 Jd0 Ad0"
    shown = player(0, inFantasy=True, rows=rows, dead="2c0 7h1")
    hidden = player(0, inFantasy=True, rows=rows, dead="")
    [known, unknown], _ = read(
        collector, collector_text([record(0, [shown, player(1)]), record(1, [hidden, player(1)])])
    )
    assert [known.seats[0].fantasyland, unknown.seats[0].fantasyland] == [15, CARDS_UNKNOWN]
    # The digit behind an opponent's discard is a running number, no street.
    assert known.actions[0].discard == cards("2c7h")
    assert [action.street for action in known.actions if action.seat == 0] == [0]
    assert "no_discards" in unknown.flags
    assert "no_discards" not in known.flags


def test_a_discard_that_the_log_hides_is_unknown_and_not_missing() -> None:
    [hand], _ = read(collector, collector_text([record(players=[player(0, dead=""), player(1)], appName="Spartan")]))
    assert [action.discard for action in hand.actions if action.seat == 0] == [(), *[(UNKNOWN,)] * 4]
    assert hand.flags == ("no_discards",)
    # Spartan's result is no number of points.
    assert [seat.points for seat in hand.seats] == [None, None]
    assert hand.extra["result"] == [9, -9]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"appName": None}, {"site": "collector"}),
        ({"appName": "Upoker", "hand_id": "20000001-14"}, {"site": "upoker", "number": 14}),
        ({"appName": "Spartan", "hand_id": "661577167"}, {"site": "spartan", "number": None}),
        ({"appName": "Another"}, {"site": "Another"}),
        ({"price": "0.9PHP"}, {"unit_price": Decimal("0.9"), "unit_currency": "PHP"}),
        ({"price": None}, {"unit_price": None, "unit_currency": None}),
        ({"price": "many"}, {"unit_price": None, "extra": {"clubId": "900001", "price": "many"}}),
        ({"stakes": 0.5}, {"point_value": Decimal("0.5")}),
        ({"stakes": None}, {"point_value": None}),
        ({"rules": "progressive16_refant14_nojokers"}, {"rules": "pineapple-refant-14"}),
        ({"rules": "progressive16_refant14_jokers"}, {"rules": "pineapple-refant-14", "flags": ("jokers",)}),
        ({"rules": "classic"}, {"rules": "classic", "game": "classic"}),
        ({"rules": "something new"}, {"rules": None, "flags": ("unknown_rules",)}),
        ({"endDateTime": None}, {"ended_at": None, "source_zone": None}),
        ({"news": {"a": [1]}}, {"extra": {"clubId": "900001", "news": {"a": [1]}}}),
    ],
)
def test_what_a_field_says(changes: dict, expected: dict) -> None:
    [hand], rejects = read(collector, collector_text([record(**changes)]))
    assert rejects == []
    assert {name: getattr(hand, name) for name in expected} == expected


def test_a_log_of_2020_has_no_money() -> None:
    old = [player(n) for n in range(2)]
    for each in old:
        del each["result"], each["win"]
    [hand], _ = read(collector, collector_text([record(players=old, appName=None, price=None)]))
    assert [(seat.points, seat.net) for seat in hand.seats] == [(None, None), (None, None)]


def test_an_observers_log_has_no_hero() -> None:
    [hand], _ = read(collector, collector_text([record(players=[player(0), player(1, hero=False)], joined=False)]))
    assert hand.flags == ("observer",)


def test_minus_zero_is_nothing_won() -> None:
    [hand], _ = read(collector, collector_text([record(players=[player(0, win=-0.0), player(1, win=0)])]))
    assert [str(seat.net) for seat in hand.seats] == ["0.000000", "0.000000"]


@pytest.mark.parametrize(
    ("results", "status"), [((0, 0), "cancelled"), ((12, -12), "complete"), ((None, None), "complete")]
)
def test_an_incomplete_board_is_cancelled_only_where_the_log_states_nothing_for_anybody(
    results: tuple, status: str
) -> None:
    players = [
        player(0, result=results[0], win=results[0]),
        player(1, result=results[1], win=results[1], rows="As0//2c0"),
    ]
    if results[0] is None:
        for each in players:
            del each["result"], each["win"]
    [hand], rejects = read(collector, collector_text([record(players=players)]))
    assert rejects == []
    assert hand.status == status


@pytest.mark.parametrize(
    ("change", "reason", "says"),
    [
        ({"rows": ROWS[0].replace("Kh1", "Kx1")}, "bad_card", "Kx1"),
        ({"rows": ROWS[0].replace("Kh1", "Kh")}, "bad_card", "Kh "),
        ({"rows": ROWS[0].replace("Kh1", "Kh1 2h2")}, "row_overfull", "3, 5 and 5"),
        ({"rows": ROWS[0].replace("/", " ", 1)}, "row_overfull", "3, 5 and 5"),
        ({"rows": "Kh1 Kd3/5s4"}, "bad_card", "three rows"),
        ({"dead": "2c1 8d"}, "bad_card", "8d"),
        ({"rows": None}, "field_missing", "text field"),
        ({"playerName": 7}, "field_missing", "text field"),
        ({"orderIndex": 1}, "bad_seats", "[1, 1]"),
        ({"orderIndex": "0"}, "field_missing", "'0'"),
        ({"win": "17"}, "field_missing", "'17'"),
        ({"win": 1e300}, "field_missing", "1e+300"),
        ({"result": 1.5}, "field_missing", "1.5"),
    ],
)
def test_a_bad_player_costs_his_hand_and_says_why(change: dict, reason: str, says: str) -> None:
    bad = record(1, [player(0, **change), player(1)])
    hands, [reject] = read(collector, collector_text([record(0), bad, record(2)]))
    assert [hand.number for hand in hands] == [0, 2]
    assert reject.reason == reason
    assert says in reject.message
    assert json.loads(reject.raw) == bad


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"endDateTime": "yesterday"}, "bad_time"),
        ({"endDateTime": 17}, "bad_time"),
        ({"stakes": "2"}, "bad_number"),
        ({"handData": {}}, "field_missing"),
        ({"handData": {"a": [], "b": []}}, "field_missing"),
        ({"handData": 5}, "field_missing"),
        ({"appName": ["Ppp"]}, "field_missing"),
        ({"rules": {"a": 1}}, "field_missing"),
    ],
)
def test_a_bad_field_costs_its_hand(change: dict, reason: str) -> None:
    hands, [reject] = read(collector, collector_text([record(0) | change, record(1)]))
    assert [hand.number for hand in hands] == [1]
    assert reject.reason == reason


def test_glued_objects_sub_and_nul_bytes_marks_and_line_ends() -> None:
    plain = collector_text([record(n) for n in range(4)])
    wanted, _ = read(collector, plain)
    texts = [
        plain.replace(b"\n\n\n", b""),
        plain.replace(b"\n\n\n", b"\x1a\n\x00\n"),
        plain + b"\x1a\x00\x00",
        b"\xef\xbb\xbf" + plain,
        plain.replace(b"\n", b"\r\n"),
        b"\n\x00 " + plain.replace(b"\n", b" "),
        plain.decode().encode("utf-16"),
        plain.decode().encode("utf-16-be"),
    ]
    for text in texts:
        hands, rejects = read(collector, text)
        assert rejects == []
        assert [hand.id for hand in hands] == [hand.id for hand in wanted]
        assert [hand.seats for hand in hands] == [hand.seats for hand in wanted]


def test_names_that_bite() -> None:
    names = ["}{", "}\n\n\n{", 'a": {"', "<script>", "🦭, x: y/z", "zwölf"]
    text = collector_text([record(n, [player(0, playerName=name), player(1)]) for n, name in enumerate(names)])
    hands, rejects = read(collector, text)
    assert rejects == []
    assert [hand.seats[0].player for hand in hands] == names
    # The same written by a program that knows no UTF-8.
    western = text.decode().replace("🦭", "seal").encode("cp1252")
    hands, rejects = read(collector, western)
    assert rejects == []
    assert [hand.seats[0].player for hand in hands] == [name.replace("🦭", "seal") for name in names]


def test_a_hand_cut_off_at_the_end_waits_for_the_rest() -> None:
    text = collector_text([record(0), record(1)])
    for cut in range(text.rindex(b'{\n    "stakes') + 1, len(text.rstrip()) - 1, 37):
        [hand], [reject] = read(collector, text[:cut])
        assert hand.number == 0
        assert (reject.outcome, reject.reason) == ("partial", "cut_off")
        assert text[reject.position :].startswith(reject.raw)


def test_a_broken_record_costs_no_neighbour() -> None:
    good = [collector_text([record(n)]).rstrip() for n in range(3)]
    broken = [
        good[1][:200],  # cut off in the middle
        good[1][:-1],  # without its last brace
        good[1][1:],  # without its first
        good[1].replace(b'"rows"', b'"rows', 1),
        b"{}",
        b"{ not json }",
        b"what is this?",
        b"}",
        good[1].replace(b"[", b"", 1),
    ]
    for bad in broken:
        hands, rejects = read(collector, b"\n\n\n".join([good[0], bad, good[2]]))
        assert [hand.number for hand in hands] == [0, 2], bad
        assert rejects, bad


def test_positions_lead_back_to_the_record() -> None:
    text = b"\n\n" + collector_text([record(n) for n in range(3)])
    hands, _ = read(collector, text)
    assert [json.loads(text[hand.position :].split(b"\n}\n")[0] + b"}")["endDateTime"][14:16] for hand in hands] == [
        "00", "01", "02",
    ]  # fmt: skip


def test_tens_jokers_and_capitals_in_cards() -> None:
    rows = "10H0 KD0 5s0/9c0 9h0 4d0 4s0 jc0/Qs0 Qd0 7h0 X11 X20"
    [hand], rejects = read(collector, collector_text([record(players=[player(0, rows=rows, dead=""), player(1)])]))
    assert rejects == []
    assert hand.seats[0].board == cards("Th Kd 5s 9c 9h 4d 4s Jc Qs Qd 7h X1 X2")


def test_written_and_read_again() -> None:
    hands, _ = read(collector, collector_text([record(n) for n in range(3)]))
    out = io.StringIO()
    assert collector.write(hands, out) == 3
    again, rejects = read(collector, out.getvalue().encode())
    assert rejects == []
    assert again == hands

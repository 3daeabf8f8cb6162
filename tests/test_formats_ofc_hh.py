"""Our own format: what every field may be, and what is said where it is something else."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from ingest.formats import ofc_hh
from ingest.hand import CARDS_UNKNOWN, Hand
from ingest.rejects import BadRecord
from tests.logs import read

LINE = {
    "v": "ofc-hh/1",
    "site": "home",
    "id": "1",
    "players": [{"name": "a"}, {"name": "b", "hero": True}],
    "boards": [
        {"front": ["Kh", "Kd", "5s"], "middle": ["9c", "9h", "4d", "4s", "Jc"], "back": ["Qs", "Qd", "7h", "Qh", "7c"]},
        {
            "front": ["As", "8c", "6d"],
            "middle": ["5h", "5d", "10c", "2s", "th"],
            "back": ["Js", "Jd", "3c", "??", "X1"],
        },
    ],
}


def hand(**changes: object) -> Hand:
    return ofc_hh.parse_hand(json.dumps(LINE | changes))


def test_the_least_that_a_hand_says() -> None:
    least = hand()
    assert (least.game, least.rules, least.decks, least.status) == (None, None, None, "complete")
    # A stake that is not there is 1, one that is null is unknown.
    assert (least.point_value, hand(point_value=None).point_value) == (1, None)
    assert [seat.stack for seat in least.seats] == [None, None]
    assert least.actions == ()


def test_games_name_the_middle_with_them() -> None:
    assert (hand(game="pineapple-2-7").game, hand(game="pineapple-2-7").middle) == ("pineapple", "deuce_to_seven")
    assert json.loads(ofc_hh.format_hand(hand(game="pineapple-2-7")))["game"] == "pineapple-2-7"
    assert hand(game="classic", middle="deuce_to_seven").middle == "deuce_to_seven"


def test_fantasyland_is_a_number_none_or_true() -> None:
    players = [{"name": "a", "fantasyland": True}, {"name": "b", "fantasyland": 15}]
    assert [seat.fantasyland for seat in hand(players=players).seats] == [CARDS_UNKNOWN, 15]
    result = {"fantasyland_next": [True, 0]}
    assert [seat.fantasyland_next for seat in hand(result=result).seats] == [CARDS_UNKNOWN, 0]


def test_unknown_fields_are_kept_where_they_stood() -> None:
    told = hand(
        mood="fine",
        players=[{"name": "a", "club": 7}, {"name": "b"}],
        result={"points": [1, -1], "bonus": "x"},
        actions=[{"player": 0, "street": 0, "dealt": ["Kh"], "front": ["Kh"], "why": "?"}],
        extra={"older": [1]},
        source={"format": "collector"},
    )
    assert told.extra == {
        "older": [1],
        "mood": "fine",
        "players[0].club": 7,
        "result.bonus": "x",
        "actions[0].why": "?",
        "source": {"format": "collector"},
    }
    assert ofc_hh.parse_hand(ofc_hh.format_hand(told)) == told


def test_times_come_in_any_zone() -> None:
    told = hand(started_at="2026-01-02T04:05:12.5+02:00", ended_at="2026-07-01 20:00", source_zone="Europe/Berlin")
    assert told.started_at is not None
    assert told.ended_at is not None
    assert told.started_at.isoformat() == "2026-01-02T02:05:12.500000+00:00"
    assert told.ended_at.isoformat() == "2026-07-01T18:00:00+00:00"


@pytest.mark.parametrize(
    ("changes", "reason", "says"),
    [
        ({"v": "ofc-hh/2"}, "unknown_version", "'ofc-hh/2'"),
        ({"site": None}, "field_missing", "site"),
        ({"players": "a"}, "field_missing", "'a'"),
        ({"players": [{"name": "a"}]}, "bad_seats", "1 boards"),
        ({"players": [{"name": "a"}, {"name": 3}]}, "field_missing", "3"),
        ({"players": [{"name": "a", "stack": "1.0000001"}, {"name": "b"}]}, "bad_number", "1.0000001"),
        ({"players": [{"name": "a", "stack": "1e5"}, {"name": "b"}]}, "bad_number", "1e5"),
        ({"point_value": "two"}, "bad_number", "two"),
        ({"hand_no": 1.5}, "bad_number", "1.5"),
        ({"hand_no": 10**10}, "bad_number", "10000000000"),
        ({"game": "holdem"}, "field_missing", "holdem"),
        ({"status": "nearly"}, "field_missing", "nearly"),
        ({"ended_at": "soon"}, "bad_time", "soon"),
        ({"ended_at": "2026-01-02T03:04:05"}, "bad_time", "2026"),
        ({"ended_at": "2026-01-02T03:04:05", "source_zone": "Mars/Base"}, "bad_time", "2026"),
        ({"boards": [{"front": ["Kh", "Kd", "5s", "4s"]}, {}]}, "row_overfull", "Kh Kd 5s 4s"),
        ({"boards": [{"front": ["Ko"]}, {}]}, "bad_card", "Ko"),
        ({"pair_values": [[0, 0, "1"]]}, "field_missing", "[0, 0, '1']"),
        ({"pair_values": [[0, 1]]}, "field_missing", "[0, 1]"),
        ({"result": {"points": [1]}}, "bad_seats", "1"),
        ({"result": {"points": [0.5, -0.5]}}, "bad_number", "0.5"),
        ({"actions": [{"street": 0}]}, "field_missing", "player and street"),
        ({"flags": [1]}, "field_missing", "1"),
        ({"rules_changes": []}, "field_missing", "rules_changes"),
        ({"decks": 3}, "bad_number", "3"),
    ],
)
def test_what_was_expected_and_what_came(changes: dict, reason: str, says: str) -> None:
    with pytest.raises(BadRecord) as bad:
        hand(**changes)
    assert bad.value.reason == reason
    assert says in str(bad.value)
    assert str(bad.value).startswith(("expected", "boards", "actions"))


def test_money_keeps_every_digit() -> None:
    told = hand(point_value="0.000001", result={"net": ["12345678901.5", -18], "rake": 0.1})
    assert told.point_value == Decimal("0.000001")
    assert [seat.net for seat in told.seats] == [Decimal("12345678901.5"), -18]
    assert json.loads(ofc_hh.format_hand(told))["result"]["rake"] == "0.1"


def test_lines_one_by_one() -> None:
    good = json.dumps(LINE).encode()
    text = b"\n".join([good, b"", b"not json", good.replace(b'"1"', b'"2"'), b"[1]", good[:60]])
    hands, rejects = read(ofc_hh, text)
    assert [each.id for each in hands] == ["1", "2"]
    assert [(each.outcome, each.reason) for each in rejects] == [
        ("rejected", "not_readable"), ("rejected", "not_readable"), ("partial", "cut_off"),
    ]  # fmt: skip
    assert all(text[each.position :].startswith(each.raw) for each in rejects)

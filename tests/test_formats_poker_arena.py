"""poker-arena's event log: seats, streets, what a bot may not see, and which game it was."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ingest.batch import batch_of
from ingest.evaluate import evaluate, with_deals
from ingest.formats import poker_arena
from ingest.formats.options import ReadOptions
from ingest.game.cards import UNKNOWN
from tests.logs import read

SAMPLE = Path(__file__).parents[1] / "data" / "samples" / "poker-arena.ofc-progressive.jsonl"


def lines() -> list[dict]:
    return [json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()]


def text(records: list[dict]) -> bytes:
    return "".join(json.dumps(each) + "\n" for each in records).encode()


def test_seats_act_from_the_left_of_the_button() -> None:
    hands, rejects = read(poker_arena, SAMPLE.read_bytes(), SAMPLE.name)
    assert rejects == []
    header = lines()[0]["seats"]
    assert [seat.player for seat in hands[0].seats] == [header[1], header[0]]
    assert [seat.chair for seat in hands[0].seats] == [1, 0]
    assert hands[0].id is None
    assert {len(hand.actions) for hand in hands} >= {10}


def test_points_fouls_and_fantasyland_agree_with_ours() -> None:
    hands, _ = read(poker_arena, SAMPLE.read_bytes(), SAMPLE.name)
    seats = evaluate(with_deals(batch_of(hands)), np.arange(len(hands))).seats
    for stated, ours in (("claimed_points", "points"), ("claimed_fouled", "fouled")):
        assert seats[stated].to_list() == seats[ours].to_list()
    assert seats["claimed_fantasyland_next"].to_list() == seats["fantasyland_next"].to_list()


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("ofc.jsonl", "classic"),
        ("my_ofc-27.jsonl.gz", "pineapple-2-7"),
        ("logs/ofc-pineapple.jsonl", "pineapple-strict-stay"),
        ("OFC-Progressive run 3.jsonl", "pineapple-refant-14"),
        ("profcase.jsonl", None),
        ("ofc-27b.jsonl", None),
    ],
)
def test_the_name_of_the_file_names_the_game(name: str, rules: str | None) -> None:
    [hand, *_], _ = read(poker_arena, SAMPLE.read_bytes(), name)
    assert hand.rules == rules
    assert ("unknown_rules" in hand.flags) == (rules is None)
    # Without a name the way of dealing still shows.
    assert hand.game == (None if rules else "pineapple")


def test_the_user_may_name_the_game() -> None:
    for name, rules in (("ofc-27", "pineapple-2-7"), ("pineapple-aces", "pineapple-aces")):
        [hand, *_], _ = read(poker_arena, SAMPLE.read_bytes(), "ofc.jsonl", ReadOptions(game=name))
        assert hand.rules == rules


def test_a_bots_own_log_hides_what_others_threw_away() -> None:
    redacted = lines()
    for each in redacted:
        event = each.get("ev", {})
        if event.get("seat") == 0 and event["event"] == "deal":
            event["cards"] = []
        if event.get("seat") == 0 and event["event"] == "place":
            event["discarded"] = []
    hands, rejects = read(poker_arena, text(redacted), SAMPLE.name)
    assert rejects == []
    theirs = [action for action in hands[0].actions if action.seat == 1]
    assert [action.discard for action in theirs] == [(), *[(UNKNOWN,)] * 4]
    assert [len(action.dealt) for action in theirs] == [5, 3, 3, 3, 3]
    assert "no_discards" in hands[0].flags


def test_fields_and_events_that_are_new_are_passed_over() -> None:
    records = lines()
    noisy = [
        records[0] | {"kept": ["foul"]},
        {"hand": records[0]["hand"], "ev": {"event": "chat", "seat": 0, "text": "hi"}},
        *records[1:],
        {"log_summary": {"hands_seen": 9, "hands_kept": 3}},
    ]
    hands, rejects = read(poker_arena, text(noisy), SAMPLE.name)
    assert rejects == []
    assert len(hands) == 4


def test_a_hand_in_progress_waits_at_the_end_and_is_partial_elsewhere() -> None:
    records = lines()
    second = next(number for number, each in enumerate(records) if number and "seats" in each)
    hands, rejects = read(poker_arena, text(records[: second - 1]), SAMPLE.name)
    assert hands == []
    assert [(each.outcome, each.position) for each in rejects] == [("partial", 0)]
    hands, rejects = read(poker_arena, text([*records[: second - 5], *records[second:]]), SAMPLE.name)
    assert rejects == []
    assert [hand.status for hand in hands] == ["partial", "complete", "complete", "complete"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"placements": [{"card": "Zz", "row": "top"}]}, "bad_card"),
        ({"placements": [{"card": "As", "row": "attic"}]}, "field_missing"),
        ({"placements": "As"}, "field_missing"),
        ({"seat": 9}, "bad_number"),
    ],
)
def test_a_bad_event_costs_its_hand(change: dict, reason: str) -> None:
    records = lines()
    place = next(each for each in records if each.get("ev", {}).get("event") == "place")
    place["ev"] |= change
    hands, [reject] = read(poker_arena, text(records), SAMPLE.name)
    assert len(hands) == 3
    assert reject.reason == reason

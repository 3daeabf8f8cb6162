"""Tables of one's own, by a mapping file."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from ingest.formats import mapped
from ingest.formats.mapping import MappingError, load_mapping
from ingest.formats.options import ReadOptions
from ingest.game.cards import parse_cards
from ingest.game.errors import OFCError
from ingest.hand import CARDS_UNKNOWN, Hand
from ingest.rejects import Reject
from tests.logs import read

SEATS = """
site = "my room"
[columns]
hand = "No"
player = "Nick"
order = "Pos"
board = "Board"
discards = "Thrown"
points = "Pts"
net = "Money"
fantasyland = "FL"
hero = "Me"
ended_at = "When"
rules = "Game"
[times]
zone = "Europe/Berlin"
format = "%d.%m.%Y %H:%M"
[values]
point_value = "2"
[rules]
"OFC Pine" = "pineapple"
"""
TABLE = """\
No;Nick;Pos;Board;Thrown;Pts;Money;FL;Me;When;Game
17;Ann;2;Kh Kd 5s / 9c 9h 4d 4s Jc / Qs Qd 7h Qh 7c;2c 8d;-9;-18,5;no;x;31.01.2026 20:15;OFC Pine
17;a, "b";1;As 8c 6d / 5h 5d Tc 2s Th / Js Jd 3c 3d Jh;;9;1.018,25 €;yes;;31.01.2026 20:15;OFC Pine
18;Ann;1;Kh Kd 5s / 9c 9h 4d 4s Jc / Qs Qd 7h Qh 7c;;0;0;14;x;;Other
18;Bob;2;As 8c 6d / 5h 5d Tc 2s Th / Js Jd 3c 3d Jh;;0;0;0;;;Other
"""


def read_table(tmp_path: Path, mapping: str, table: str | bytes) -> tuple[list[Hand], list[Reject]]:
    file = tmp_path / "mapping.toml"
    file.write_text(mapping, "utf-8")
    data = table if isinstance(table, bytes) else table.encode()
    return read(mapped, data, options=ReadOptions(mapping=load_mapping(file)))


def test_a_row_a_player(tmp_path: Path) -> None:
    [first, second], rejects = read_table(tmp_path, SEATS, TABLE.replace('a, "b"', '"a, ""b"""'))
    assert rejects == []
    assert (first.site, first.id, first.rules, first.point_value) == ("my room", "17", "pineapple", 2)
    assert first.ended_at == datetime(2026, 1, 31, 19, 15, tzinfo=UTC)
    assert first.source_zone == "Europe/Berlin"
    assert [seat.player for seat in first.seats] == ['a, "b"', "Ann"]
    assert [seat.net for seat in first.seats] == [Decimal("1018.25"), Decimal("-18.5")]
    assert [seat.fantasyland for seat in first.seats] == [CARDS_UNKNOWN, 0]
    assert [seat.hero for seat in first.seats] == [False, True]
    assert (first.unit, first.flags, first.status) == ("EUR", (), "complete")
    assert (second.rules, [seat.fantasyland for seat in second.seats]) == ("Other", [14, 0])


def test_the_same_as_json(tmp_path: Path) -> None:
    wanted, _ = read_table(tmp_path, SEATS, TABLE)
    header, *rows = [line.split(";") for line in TABLE.splitlines()]
    records = [dict(zip(header, row, strict=True)) for row in rows]
    lines = "\n".join(json.dumps(each) for each in records)
    for text in (lines, json.dumps(records, indent=1)):
        hands, rejects = read_table(tmp_path, SEATS, text)
        assert rejects == []
        assert [hand.seats for hand in hands] == [hand.seats for hand in wanted]


HANDS = """
rows = "hands"
site = "wide"
[columns]
hand = "id"
[cards]
ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "D", "R", "A"]
suits = "tckp"
first = "suit"
order = "back-first"
[[players]]
player = "n1"
board = "b1"
[[players]]
player = "n2"
board = "b2"
[[players]]
player = "n3"
board = "b3"
"""


def test_a_row_a_hand_in_another_alphabet(tmp_path: Path) -> None:
    table = "id,n1,b1,n2,b2,n3,b3\n5,a,cD c10 kA k2 pV/t3 t4 t5 t6 t8/kR cR p5,b,pA,,\n"
    hands, [reject] = read_table(tmp_path, HANDS, table)
    assert hands == []
    assert "three rows" in reject.message
    [hand], rejects = read_table(tmp_path, HANDS, table.replace(",pA,", ",//pA,"))
    assert rejects == []
    assert hand.seats[0].board == tuple(parse_cards("Kh Kd 5s 3c 4c 5c 6c 8c Qd Td Ah 2h Js"))
    assert len(hand.seats) == 2
    assert hand.flags == ("unknown_rules",)


@pytest.mark.parametrize(
    ("cards", "written"),
    [
        ('suits = ["2", "1", "3", "4"]', "K3 K1 54"),
        (
            'number = {rank_times = 1, first_rank = 2, suit_times = 256, first_suit = 1, suit_order = "dchs"}',
            "781 269 1029",
        ),
        ('number = {rank_times = 4, suit_times = 1}', "46 45 15"),
        ('number = {rank_times = 1, suit_times = 13, first_rank = 1}', "38;25;43"),
    ],
)  # fmt: skip
def test_cards_as_digits_and_numbers(tmp_path: Path, cards: str, written: str) -> None:
    mapping = f'[columns]\nhand = "h"\nplayer = "p"\nfront = "f"\n[cards]\n{cards}\n'
    [hand], rejects = read_table(tmp_path, mapping, f'[{{"h": 1, "p": "a", "f": "{written}"}}, {{"h": 1, "p": "b"}}]')
    assert rejects == []
    assert hand.seats[0].board[:3] == tuple(parse_cards("Kh Kd 5s"))


@pytest.mark.parametrize(
    ("mapping", "says"),
    [
        ("colums = 1", "colums"),
        ('[columns]\nhand = "a"\nnick = "b"', "nick"),
        ('[columns]\nhand = "a"', "hand and player"),
        ('rows = "hands"', "[[players]]"),
        ('rows = "cols"', "cols"),
        ('[columns]\nhand="a"\nplayer="b"\n[cards]\nsuits = "cdh"', "cdh"),
        ('[columns]\nhand="a"\nplayer="b"\n[cards]\nsuits = "cdhh"', "cdhh"),
        ('[columns]\nhand="a"\nplayer="b"\n[cards]\nnumber = {rank_times = 0}', "stands for two"),
        ('[columns]\nhand="a"\nplayer="b"\n[cards]\nnumber = {suit_order = "xyzw"}', "suit_order"),
        ('[columns]\nhand="a"\nplayer="b"\n[times]\nzone = "Mars/Base"', "Mars/Base"),
        ("a = ", "TOML"),
    ],
)
def test_a_mapping_that_cannot_be(tmp_path: Path, mapping: str, says: str) -> None:
    file = tmp_path / "mapping.toml"
    file.write_text(mapping, "utf-8")
    with pytest.raises(MappingError) as error:
        load_mapping(file)
    assert says in str(error.value)
    assert "expected" in str(error.value)


def test_a_mapping_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MappingError, match=r"no\.toml"):
        load_mapping(tmp_path / "no.toml")


def test_columns_that_the_table_does_not_have(tmp_path: Path) -> None:
    with pytest.raises(OFCError, match="Thrown"):
        read_table(tmp_path, SEATS, TABLE.replace("Thrown", "Dead"))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [("-9", "some", "bad_number"), ("-18,5", "-18,5,5", "bad_number"), ("Kh Kd 5s", "Kh Kd Xs", "bad_card"),
     ("Kh Kd 5s", "Kh Kd 5s 4s", "row_overfull"), ("31.01.2026 20:15", "31.13.2026 20:15", "bad_time"),
     (";x;", ";maybe;", "field_missing"), (";no;", ";18 cards;", "field_missing")],
)  # fmt: skip
def test_a_bad_cell_costs_its_hand(tmp_path: Path, old: str, new: str, reason: str) -> None:
    first, *rest = TABLE.splitlines(keepends=True)
    rows = [rest[0].replace(old, new), rest[1].replace(old, new) if old.startswith("31") else rest[1], *rest[2:]]
    hands, [reject] = read_table(tmp_path, SEATS, first + "".join(rows))
    assert [hand.id for hand in hands] == ["18"]
    assert reject.reason == reason

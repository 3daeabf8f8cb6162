"""Ledgers as people keep them: languages, decimal commas, dates, currencies; and nothing guessed."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from ingest.formats import ledger
from ingest.formats.dates import day_first, parse_time
from ingest.formats.numbers import NumberStyle, style_of
from ingest.formats.options import ReadOptions
from ingest.rejects import BadRecord
from tests.logs import read_entries


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("12", "12", None),
        ("-0.0", "0", None),
        ("−3.5", "-3.5", None),
        ("+7", "7", None),
        ("1.234,50", "1234.50", None),
        ("1,234.50", "1234.50", None),
        ("1 234,5", "1234.5", None),
        ("1\u00a0234\u202f567", "1234567", None),
        ("1'234.5", "1234.5", None),
        ("1.234.567", "1234567", None),
        ("0,125", "0.125", None),
        (",5", "0.5", None),
        ("€12,50", "12.50", "EUR"),
        ("12,50 €", "12.50", "EUR"),
        ("0.9PHP", "0.9", "PHP"),
        ("R$ 5", "5", "BRL"),
        ("-$3.5", "-3.5", "$"),
        ("$-3.5", "-3.5", "$"),
        ("(12.5)", "-12.5", None),
        ("12.5 mBTC", "12.5", "MBTC"),
    ],
)
def test_numbers_that_leave_no_doubt(text: str, value: str, currency: str | None) -> None:
    found = NumberStyle(None).parse(text, "net")
    assert found == (Decimal(value), currency)
    assert not (found[0].is_signed() and not found[0])


@pytest.mark.parametrize("text", ["", "x", "1.2.3,4,5", "12..5", "$5€", "1,23,4.5.6", "--5", "5 points won"])
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(BadRecord):
        NumberStyle(".").parse(text, "net")


def test_a_doubt_is_settled_by_the_other_numbers_or_not_at_all() -> None:
    assert style_of(["1.234", "12,5"]).parse("1.234", "net") == (1234, None)
    assert style_of(["1.234", "12.5"]).parse("1.234", "net") == (Decimal("1.234"), None)
    for other in ([], ["1,5", "1.5"]):
        with pytest.raises(BadRecord, match="told apart"):
            style_of(["1.234", *other]).parse("1.234", "net")


def test_days_and_months() -> None:
    zone = ZoneInfo("UTC")
    assert day_first(["01/02/2026", "13/02/2026"]) is True
    assert day_first(["01/02/2026", "02/13/2026"]) is False
    assert day_first(["01/02/2026"]) is None
    assert day_first(["01.02.2026"]) is True
    assert parse_time("01/02/26 8:05 pm", zone, True) == datetime(2026, 2, 1, 20, 5, tzinfo=UTC)
    assert parse_time("2026-1-2 03:04", zone, None) == datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    with pytest.raises(BadRecord, match="told apart"):
        parse_time("01/02/2026", zone, None)


GERMAN = """\
Datum;Klub;Einsatz;Hände;Punkte;Gewinn;Rake;Bemerkung;Laune
31.01.2026 20:15;A;1,5;120;-1.234;1.234,50 €;0,5 €;"gut; ""sehr""
gut";froh
01.02.2026;A;1,5;80;12;-18 €;;;
"""


def test_a_table_of_hands_is_no_ledger() -> None:
    assert ledger.sniff(b"date;site;points\n2026-01-02;home;9\n")
    for cards in ("KH KD 5S", "KhKd5s", "10h 9c 2d"):
        table = f"date;name;front;points\n2026-01-02;Ann;{cards};9\n"
        assert ledger.sniff(table.encode()) == ""


def test_a_ledger_in_german() -> None:
    entries, rejects = read_entries(ledger, GERMAN.encode("cp1252", "replace"), ReadOptions(zone="Europe/Berlin"))
    assert rejects == []
    first, second = entries
    assert first.played_at == datetime(2026, 1, 31, 19, 15, tzinfo=UTC)
    assert (first.site, first.point_value, first.hands, first.points) == ("A", Decimal("1.5"), 120, -1234)
    assert (first.net, first.rake, first.currency) == (Decimal("1234.50"), Decimal("0.5"), "EUR")
    assert first.notes == 'gut; "sehr"\ngut'
    assert first.extra == {"Laune": "froh"}
    assert (second.net, second.rake) == (-18, None)


@pytest.mark.parametrize(
    "header",
    [
        "date,points",
        "Date,Room,Profit",
        "﻿Fecha;Puntos",
        "日付,ポイント",
        "Дата;Очки",
        "notes\tStart Time\tNET",
    ],
)
def test_ledgers_are_recognised_by_their_first_line(header: str) -> None:
    assert ledger.sniff((header + "\n2026-01-01,1\n").encode())


@pytest.mark.parametrize("header", ["date,name", "points,net", "a,b,c", "", "{", '"date', "time is money, points"])
def test_other_tables_are_not(header: str) -> None:
    assert not ledger.sniff((header + "\n1,2\n").encode())


@pytest.mark.parametrize(
    ("row", "reason", "says"),
    [
        ("2026-01-01,5,$3,€1", "bad_number", "one currency"),
        ("2026-01-01,,,", "field_missing", "points or money"),
        ("someday,5,,", "bad_time", "someday"),
        ("03/04/2026,5,,", "bad_time", "told apart"),
        ("2026-01-01,five,,", "bad_number", "five"),
        ("2026-01-01,0.125,,", "bad_number", "2 digits"),
        ("2026-01-01,5,0.1234567,", "bad_number", "6 digits"),
        ("2026-01-01,5,1,1,1", "not_readable", "4 columns"),
    ],
)
def test_a_bad_row_costs_only_itself(row: str, reason: str, says: str) -> None:
    text = f"date,points,net,rake\n2026-01-01,1,,\n{row}\n2026-01-02,2,,\n"
    entries, [reject] = read_entries(ledger, text.encode())
    assert [entry.points for entry in entries] == [1, 2]
    assert reject.reason == reason
    assert says in reject.message
    # With its first line it can be read again by itself.
    assert reject.raw.decode() == f"date,points,net,rake\n{row}"

"""A hand as a record, as columns and as a line of our format says the same."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.batch import batch_of, concat, exact_money, money, to_millionths
from ingest.formats import ofc_hh
from ingest.hand import Hand, Seat
from ingest.keys import hand_key, make_key, nameless_hand_key
from ingest.views import view_hashes
from tests.hand_strategies import hands

ROUNDS = settings(max_examples=60, deadline=None)


@ROUNDS
@given(st.lists(hands(), min_size=1, max_size=4))
def test_columns_and_back(some: list[Hand]) -> None:
    assert batch_of(some).to_hands() == some


@ROUNDS
@given(hands())
def test_a_line_and_back(hand: Hand) -> None:
    line = ofc_hh.format_hand(hand)
    assert "\n" not in line
    assert ofc_hh.parse_hand(line) == hand


@ROUNDS
@given(st.lists(hands(), min_size=2, max_size=4), st.data())
def test_a_view_is_what_the_record_says_and_nothing_else(some: list[Hand], data: st.DataObject) -> None:
    hashes = view_hashes(batch_of(some))
    elsewhere = [replace(hand, position=data.draw(st.integers(0, 10**9))) for hand in some]
    assert (view_hashes(batch_of(elsewhere)) == hashes).all()
    one_by_one = [view_hashes(batch_of([hand]))[0] for hand in some]
    assert one_by_one == hashes.tolist()
    same = [[a == b for b in some] for a in some]
    assert (np.equal.outer(hashes, hashes) == same).all()


def test_a_view_tells_apart_what_differs_little() -> None:
    hand = Hand(site="x", seats=(Seat("a", net=Decimal("1")), Seat("b")), id="1")
    changed = [
        hand,
        replace(hand, id="2"),
        replace(hand, id=None),
        replace(hand, id="", session="1"),
        replace(hand, flags=("observer",)),
        replace(hand, seats=(Seat("a", net=Decimal("1.000001")), Seat("b"))),
        replace(hand, seats=(Seat("a", net=None), Seat("b"))),
        replace(hand, seats=(Seat("ab", net=Decimal("1")), Seat(""))),
        replace(hand, seats=(Seat("a", net=Decimal("1"), points=0), Seat("b"))),
    ]
    assert len(set(view_hashes(batch_of(changed)).tolist())) == len(changed)


def test_keeping_some_hands_keeps_their_seats_and_actions() -> None:
    some = [Hand(site="x", seats=(Seat(f"a{n}"), Seat(f"b{n}"), *([Seat("c")] * n)), id=str(n)) for n in range(4)]
    batch = batch_of(some)
    kept = batch.keep(np.array([True, False, True, False]))
    assert kept.to_hands() == [some[0], some[2]]
    assert concat([kept, batch.keep(np.array([False, True, False, True]))]).to_hands() == [
        some[0], some[2], some[1], some[3],
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["17.4", "-0.3", "53.3", "0.1", "123456789.123456", "-98765432.1"])
def test_money_from_json_numbers_is_exact(text: str) -> None:
    [value] = money(np.array([float(text)])).to_list()
    assert value == Decimal(text)


def test_money_without_a_number_is_null_and_minus_zero_is_zero() -> None:
    assert money(np.array([np.nan, -0.0])).to_list() == [None, Decimal(0)]


@ROUNDS
@given(st.lists(st.none() | st.decimals(-(10**11), 10**11, places=6), max_size=8))
def test_millionths_and_back(amounts: list[Decimal | None]) -> None:
    column = pl.Series(amounts, dtype=pl.Decimal(18, 6))
    assert exact_money(*to_millionths(column)).to_list() == column.to_list()


def test_keys_keep_parts_apart() -> None:
    assert make_key("a", "bc") != make_key("ab", "c")
    assert hand_key("pppoker", "1") != hand_key("upoker", "1")
    # A key is part of databases that people keep: it must not change.
    assert make_key("hand", "pppoker", "1") == hand_key("pppoker", "1") == 2339203225216127164


def test_a_hand_without_id_is_known_by_players_boards_and_order() -> None:
    hand = Hand(site="x", seats=(Seat("a", board=tuple(range(13))), Seat("b", board=tuple(range(13, 26)))))
    key = nameless_hand_key(hand)
    assert nameless_hand_key(replace(hand, number=7, rules="classic")) == key
    assert nameless_hand_key(replace(hand, seats=hand.seats[::-1])) != key
    assert nameless_hand_key(replace(hand, seats=(replace(hand.seats[0], fantasyland=14), hand.seats[1]))) != key

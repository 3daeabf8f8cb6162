"""Collector logs (``.hh``): JSON objects of hands from club apps, written by a program beside the app.

One object a hand, pretty-printed, one behind the other, with no comma or bracket between them. What is known of the
fields comes from some 3,000 such hands; a field that is not known is kept in `extra`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TextIO

import orjson

from ingest.batch import json_text
from ingest.formats.collector_columns import HandFields, Picked, SeatFields
from ingest.formats.collector_write import write_hands
from ingest.formats.json_stream import JsonRecord, read_objects
from ingest.formats.options import ReadOptions
from ingest.hand import Hand
from ingest.rejects import BadRecord, OnReject, Reject
from ingest.text import LogText

NAME = "collector"
VERSION = 1
TITLE = "collector .hh (PPPoker, Upoker, Spartan)"
HOLDS = "boards, discards, streets, points, money"
RESUMES = True
WRITES = True

# Hands in a batch: some 7 megabytes of text.
BATCH = 5_000
SITES = {"Ppp": "pppoker", "Upoker": "upoker", "Spartan": "spartan"}
# Without appName (2020) the log does not say which app it was.
UNKNOWN_SITE = "collector"
# On these apps the button moves on every hand. Where the name says 17 cards for trips, 16 were dealt each time.
_BUTTON_MOVES: dict[str, Any] = {"button_moves": True}
_ENTER_16 = [{"front": "QQ+", "cards": 14}, {"front": "KK+", "cards": 15}, {"front": "AA+", "cards": 16}]
RULES: dict[str, tuple[str, Mapping[str, Any]]] = {
    "progressive17": ("pineapple-ultimate", {"fantasyland": _BUTTON_MOVES | {"enter": _ENTER_16}}),
    "progressive16_refant14": ("pineapple-refant-14", {"fantasyland": _BUTTON_MOVES}),
    "classic": ("classic", {"fantasyland": _BUTTON_MOVES}),
}
_KNOWN = {"stakes", "handData", "appName", "price", "joined", "rules", "endDateTime", "roomId"}
_USUAL = _KNOWN | {"clubId"}
_KNOWN_SEAT = {
    "inFantasy", "result", "playerName", "orderIndex", "hero", "dead", "rows", "win", "playerId",
}  # fmt: skip
_PRICE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]{3,5})\s*")
_MOST_MONEY = 1e11
_MOST_POINTS = 1_000_000


def sniff(head: bytes) -> str:
    """Why this is a collector log, empty if it is none."""
    begins = head.lstrip(b" \t\r\n\x00\x1a\xef\xbb\xbf").startswith(b"{")
    return 'an object with the key "handData"' if begins and b'"handData"' in head else ""


def read(text: LogText, on_reject: OnReject, options: ReadOptions) -> Iterator[Picked]:
    """The hands of a log, BATCH at a time."""
    picked = Picked()
    for record in read_objects(text.blocks(), text.position, "handData", on_reject):
        try:
            hand, seats = _pick(record)
        except BadRecord as bad:
            on_reject(Reject(record.position, bad.reason, str(bad), record.raw))
            continue
        picked.add(hand, seats, record.raw, record.position + len(record.raw))
        if len(picked.raw) == BATCH:
            yield picked
            picked = Picked()
    if picked.raw:
        yield picked


def write(hands: Iterable[Hand], out: TextIO) -> int:
    """Write hands as this log has them; how many. Raises OFCError for a hand that does not fit."""
    apps = {ours: theirs for theirs, ours in SITES.items()}
    rules = {str(json_text([name, changes])): f"{theirs}_nojokers" for theirs, (name, changes) in RULES.items()}
    rules |= {str(json_text([name, {}])): f"{theirs}_nojokers" for theirs, (name, _) in RULES.items()}
    return write_hands(hands, out, apps, rules)


def _pick(record: JsonRecord) -> tuple[HandFields, list[SeatFields]]:
    """The fields of one hand. Raises BadRecord where one is missing or of another kind."""
    data = record.data
    try:
        [(hand_id, players)] = data["handData"].items()
        app = _needed_text(data.get("appName", UNKNOWN_SITE), "appName")
        seats = sorted([_seat(player, app == "Spartan") for player in players])
        rules, changes, joker = _rules(data.get("rules"))
        price, currency = _price(data.get("price"))
        extra = _extra(data, sorted(players, key=lambda player: player["orderIndex"]))
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise BadRecord("field_missing", f"expected the fields of a collector hand, got {_complaint(error)}") from None
    if [seat.order for seat in seats] != list(range(len(seats))) or not 2 <= len(seats) <= 8:
        raise BadRecord("bad_seats", f"expected orderIndex 0, 1, ..., got {[seat.order for seat in seats]}")
    stakes, room = data.get("stakes"), data.get("roomId")
    if not (stakes is None or (type(stakes) in (int, float) and 0 <= stakes < _MOST_MONEY)):
        raise BadRecord("bad_number", f"expected a number as stakes, got {stakes!r}")
    hand = HandFields(
        site=SITES.get(app, app),
        hand_id=hand_id,
        session_id=None if room is None else str(room),
        rules=rules,
        rules_changes=changes,
        ended_at=data.get("endDateTime"),
        stakes=stakes,
        price=price,
        currency=currency,
        observer=not any(seat.hero for seat in seats),
        jokers=joker,
        extra=extra,
        position=record.position,
        players=len(seats),
    )
    return hand, seats


def _seat(player: Mapping[str, Any], spartan: bool) -> SeatFields:
    """The fields of one player. Raises KeyError or TypeError."""
    name, rows, discards = player["playerName"], player["rows"], player["dead"]
    order, result, win = player["orderIndex"], player.get("result"), player.get("win")
    if not (type(name) is type(rows) is type(discards) is str):
        raise TypeError("a text field that holds no text")
    if type(order) is not int:
        raise TypeError(f"orderIndex that is no whole number: {order!r}")
    if result is not None and (type(result) is not int or abs(result) > _MOST_POINTS):
        raise TypeError(f"result that is no number of points: {result!r}")
    if not (win is None or (type(win) in (int, float) and abs(win) < _MOST_MONEY)):
        raise TypeError(f"win that is no amount: {win!r}")
    # What Spartan writes as result is no number of points: it does not sum to zero.
    points = None if spartan else result
    return SeatFields(order, name, player.get("hero") is True, player["inFantasy"] is True, rows, discards, points, win)


def _needed_text(value: Any, what: str) -> str:
    if type(value) is not str:
        raise TypeError(f"{what} that is no text: {value!r}")
    return value


def _complaint(error: Exception) -> str:
    return f"none called {error}" if isinstance(error, KeyError) else str(error)


@lru_cache(1024)
def _rules(name: str | None) -> tuple[str | None, str | None, bool]:
    """Our rule set, its changes as JSON, and whether jokers are in play, from the log's name of the rules."""
    plain = str(name).removesuffix("_nojokers").removesuffix("_jokers")
    ours = RULES.get(plain)
    with_jokers = str(name).endswith("_jokers")
    return (ours[0], json_text(ours[1]), with_jokers) if ours else (None, None, with_jokers)


@lru_cache(1024)
def _price(text: str | None) -> tuple[float | None, str | None]:
    """What one chip is worth: ``0.9PHP``."""
    found = _PRICE.fullmatch(text or "")
    return (float(found[1]), found[2].upper()) if found else (None, None)


def _extra(data: dict[str, Any], players: list[dict[str, Any]]) -> str | None:
    """What has no column of its own, as JSON: the club, foreign fields, Spartan's results; players in acting order."""
    if _is_usual(data, players):
        return _club(data["clubId"])
    extra: dict[str, Any] = {key: data[key] for key in data.keys() - _KNOWN}
    if "price" in data and _price(data["price"]) == (None, None):
        extra["price"] = data["price"]
    if data.get("appName") == "Spartan":
        extra["result"] = [player.get("result") for player in players]
    for seat, player in enumerate(players):
        extra |= {f"players[{seat}].{key}": player[key] for key in player.keys() - _KNOWN_SEAT}
        if player.get("playerId", player["playerName"]) != player["playerName"]:
            extra[f"players[{seat}].playerId"] = player["playerId"]
    return json_text(extra)


def _is_usual(data: dict[str, Any], players: list[dict[str, Any]]) -> bool:
    """Whether a record has the usual fields and nothing but a club to keep."""
    if data.keys() != _USUAL or type(data["clubId"]) is not str or data["appName"] == "Spartan":
        return False
    return _price(data["price"])[1] is not None and all(
        player.keys() == _KNOWN_SEAT and player["playerId"] == player["playerName"] for player in players
    )


@lru_cache(1024)
def _club(club: str) -> str:
    return orjson.dumps({"clubId": club}).decode()

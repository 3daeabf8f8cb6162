"""The dealer's chat of SwC Poker: points of hands without their cards, match by match.

A match is a few hands, settled in money once at its end; a hand in Fantasyland is played on top of the planned ones.
Names may hold colons and commas. What the match paid is kept with its last hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from ingest.chunk import Hands
from ingest.formats.options import ReadOptions
from ingest.hand import CARDS_UNKNOWN, Hand, Seat
from ingest.rejects import BadRecord, OnReject, Reject
from ingest.text import Line, LogText

NAME = "swc-chat"
VERSION = 1
TITLE = "SwC dealer chat"
HOLDS = "points and Fantasyland without cards, totals of matches"
# A hand's match and Fantasyland are told on lines before it.
RESUMES = False
WRITES = False

SITE = "swc"
_PREFIX = re.compile(
    r"\s*(?:\[SWC\]\s*)?(?:(?P<time>\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)\s+)?"
    r"(?:table=(?P<table>\S+)\s+)?(?:Dealer:\s*)?(?P<text>.*)"
)
_FINISHED = re.compile(r"Hand #(\d{1,6}) finished - (.*)")
_TOTAL = re.compile(r"TOTAL - (.*)")
_FANTASYLAND = re.compile(r"(.+) is in fantasy land\b.*", re.IGNORECASE)
_WINS = re.compile(r"(.+) wins (\d[\d,]*(?:\.\d+)?)")
_STARTED = re.compile(r"New game started \((\d{1,4}) hands?\)")
_COMPLETE = re.compile(r"Game complete, (\d{1,4}) hands? played")
_SCORE = re.compile(r"(.*): ([+-]?\d{1,6})", re.DOTALL)


def sniff(head: bytes) -> str:
    """Why this is a dealer's chat, empty if it is none."""
    text = head.decode("utf-8", "replace")
    return (
        'lines such as "Hand #1 finished - name: +9, ..."'
        if re.search(r"Hand #\d+ finished - .+: [+-]?\d", text)
        else ""
    )


@dataclass
class _Match:
    """One match at a table, as far as the chat has told of it."""

    table: str | None
    begins: datetime | None
    planned: int | None = None
    hands: list[tuple[Line, Hand]] = field(default_factory=list)
    in_fantasyland: set[str] = field(default_factory=set)
    total: dict[str, int] = field(default_factory=dict)
    wins: dict[str, str] = field(default_factory=dict)


def read(text: LogText, on_reject: OnReject, options: ReadOptions) -> Iterator[Hands]:
    """The hands of a chat, match by match."""
    zone = ZoneInfo(options.zone or "UTC")
    matches: dict[str | None, _Match] = {}
    for line in text.lines():
        found = _PREFIX.fullmatch(line.text)
        if found is None or not found["text"]:
            continue
        time = _time(found["time"], zone)
        table = found["table"]
        if _STARTED.fullmatch(found["text"]) and table in matches:
            yield from _finished(matches.pop(table))
        match = matches.setdefault(table, _Match(table, time))
        try:
            _apply(line, found["text"], time, options.zone, match)
        except BadRecord as bad:
            outcome = "partial" if not line.ended else "rejected"
            on_reject(Reject(line.position, bad.reason, str(bad), line.raw, outcome))
        if _COMPLETE.fullmatch(found["text"]):
            yield from _finished(matches.pop(table))
    for match in matches.values():
        yield from _finished(match)


def _time(text: str | None, zone: ZoneInfo) -> datetime | None:
    """A time of the chat in UTC; it names no zone."""
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _apply(line: Line, text: str, time: datetime | None, zone: str | None, match: _Match) -> None:
    """Take in one line. Raises BadRecord; lines that tell nothing of points are passed over."""
    if found := _STARTED.fullmatch(text):
        match.planned = int(found[1])
    elif found := _FINISHED.fullmatch(text):
        match.hands.append((line, _hand(line, int(found[1]), _scores(found[2]), time, zone, match)))
        match.in_fantasyland = set()
    elif found := _TOTAL.fullmatch(text):
        match.total = _scores(found[1])
    elif found := _FANTASYLAND.fullmatch(text):
        match.in_fantasyland.add(found[1])
    elif found := _WINS.fullmatch(text):
        match.wins[found[1]] = found[2].replace(",", "")


def _scores(text: str) -> dict[str, int]:
    """``player_a: +9, player: b: -9``: a part without a number belongs to a name with a comma in it."""
    scores: dict[str, int] = {}
    waiting = ""
    for part in text.split(", "):
        waiting = f"{waiting}, {part}" if waiting else part
        found = _SCORE.fullmatch(waiting)
        if found is not None:
            scores[found[1]] = int(found[2])
            waiting = ""
    if waiting or len(scores) < 2:
        raise BadRecord("not_readable", f"expected scores such as name: +9, name: -9, got {text!r}")
    if sum(scores.values()):
        raise BadRecord("bad_number", f"expected points that sum to zero, got {text!r}")
    return scores


def _hand(
    line: Line, number: int, scores: dict[str, int], time: datetime | None, zone: str | None, match: _Match
) -> Hand:
    seats = tuple(
        Seat(
            player=name,
            points=points,
            fantasyland=CARDS_UNKNOWN if name in match.in_fantasyland else 0,
        )
        for name, points in scores.items()
    )
    begins = match.begins.isoformat() if match.begins else None
    return Hand(
        site=SITE,
        seats=seats,
        session="/".join(part for part in (match.table, begins) if part) or None,
        number=number,
        ended_at=time,
        source_zone=(zone or "UTC") if time else None,
        status="results_only",
        flags=("order_unknown", "results_only", "unknown_rules"),
        position=line.position,
    )


def _finished(match: _Match) -> Iterator[Hands]:
    """The hands of a match; the chat names after each hand who plays the next one in Fantasyland."""
    if not match.hands:
        return
    hands: list[Hand] = []
    for place, (_, hand) in enumerate(match.hands):
        if place + 1 < len(match.hands):
            later = {seat.player: seat.fantasyland for seat in match.hands[place + 1][1].seats}
        else:
            later = dict.fromkeys(match.in_fantasyland, CARDS_UNKNOWN)
        hands.append(_with_next(hand, later))
    hands[-1] = _with_totals(hands[-1], hands, match)
    lines = [line for line, _ in match.hands]
    yield Hands(hands, [line.raw for line in lines], lines[-1].position + len(lines[-1].raw) + 1)


def _with_next(hand: Hand, later: dict[str, int]) -> Hand:
    return replace(hand, seats=tuple(replace(seat, fantasyland_next=later.get(seat.player, 0)) for seat in hand.seats))


def _with_totals(last: Hand, hands: list[Hand], match: _Match) -> Hand:
    """The last hand with what the match came to, in the order of its seats."""
    told: dict[str, Any] = {} if match.planned is None else {"planned_hands": match.planned}
    names = [seat.player for seat in last.seats]
    if match.total:
        told["total"] = [match.total.get(name) for name in names]
    if match.wins:
        told["wins"] = [match.wins.get(name) for name in names]
    sums: dict[str, int] = {}
    for hand in hands:
        for seat in hand.seats:
            sums[seat.player] = sums.get(seat.player, 0) + (seat.points or 0)
    flags = {*last.flags, "total_mismatch"} if match.total and sums != match.total else last.flags
    return replace(last, extra={"match": told} if told else {}, flags=tuple(sorted(flags)))

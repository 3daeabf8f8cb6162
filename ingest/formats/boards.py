"""Boards as people type them: a line a player, ``front / middle / back``, an empty line after each deal.

A name may stand before the board, with the number of his Fantasyland cards: ``Ann FL14: Kh Kd 5s / ...``. The player
left of the button comes first, the button last. A line that begins with # is a remark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ingest.chunk import Hands
from ingest.formats.options import ReadOptions
from ingest.game.board import EMPTY, parse_board
from ingest.game.errors import CardError
from ingest.hand import CARDS_UNKNOWN, Hand, Seat
from ingest.rejects import BadRecord, OnReject, Reject
from ingest.text import Line, LogText

NAME = "boards"
VERSION = 1
TITLE = "typed boards"
HOLDS = "final boards, names, Fantasyland; the rules from --game"
# A line added at the end may belong to the last deal.
RESUMES = False
WRITES = False

SITE = "typed"
BATCH = 500
_FANTASYLAND = re.compile(r"(?P<name>.*\S)\s+FL\s?(?P<cards>1[3-7])?", re.IGNORECASE)


def sniff(head: bytes) -> str:
    """Why these are typed boards, empty if they are none."""
    for text in head.decode("utf-8", "replace").removeprefix("\ufeff").splitlines():
        if text.strip() and not text.lstrip().startswith("#"):
            try:
                parse_seat(text, 0)
            except BadRecord:
                return ""
            return "a line with three rows of cards and / between them"
    return ""


def read(text: LogText, on_reject: OnReject, options: ReadOptions) -> Iterator[Hands]:
    """The deals of a text, BATCH at a time."""
    chunk = Hands([], [], text.position)
    for lines in _deals(text):
        raw = b"\n".join(line.raw for line in lines)
        try:
            hand = _hand(lines, options.game)
        except BadRecord as bad:
            on_reject(Reject(lines[0].position, bad.reason, str(bad), raw))
            continue
        chunk.hands.append(hand)
        chunk.raw.append(raw)
        chunk.end = lines[-1].position + len(lines[-1].raw) + 1
        if len(chunk.raw) == BATCH:
            yield chunk
            chunk = Hands([], [], chunk.end)
    if chunk.raw:
        yield chunk


def _deals(text: LogText) -> Iterator[list[Line]]:
    """The lines of each deal, without remarks."""
    lines: list[Line] = []
    for line in text.lines():
        if not line.text.strip():
            if lines:
                yield lines
            lines = []
        elif not line.text.lstrip().startswith("#"):
            lines.append(line)
    if lines:
        yield lines


def _hand(lines: list[Line], rules: str | None) -> Hand:
    seats = tuple(parse_seat(line.text, number) for number, line in enumerate(lines))
    return Hand(
        site=SITE,
        seats=seats,
        # Who types a board that is not full shows a position, not a player who ran away.
        status="partial" if any(EMPTY in seat.board for seat in seats) else "complete",
        rules=rules,
        flags=() if rules else ("unknown_rules",),
        position=lines[0].position,
    )


def parse_seat(text: str, number: int) -> Seat:
    """The player of one line, the `number`-th of his deal, counted from 0. Raises BadRecord."""
    # A name may hold colons and slashes, a board holds no colon.
    name, _, board = text.strip().rpartition(":")
    name = name.strip() or f"player {number + 1}"
    fantasyland = 0
    if found := _FANTASYLAND.fullmatch(name):
        name = found["name"]
        fantasyland = int(found["cards"]) if found["cards"] else CARDS_UNKNOWN
    try:
        cards = tuple(parse_board(board).tolist())
    except CardError as error:
        reason = "row_overfull" if "at most" in str(error) else "bad_card"
        raise BadRecord(reason, str(error)) from None
    return Seat(player=name, board=cards, fantasyland=fantasyland)

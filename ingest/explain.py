"""A log explained: which format it was recognised as, why, and its first hand as it was understood."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ingest.check import check
from ingest.chunk import Entries
from ingest.evaluate import evaluate, with_deals
from ingest.formats import Format, parser_name, recognise
from ingest.formats.fields import money_text
from ingest.formats.options import ReadOptions
from ingest.game.board import EMPTY, ROW_SLICES, ROWS
from ingest.game.cards import format_cards
from ingest.hand import CARDS_UNKNOWN, Action, Hand, LedgerEntry
from ingest.rejects import Reject
from ingest.sources import Source
from ingest.text import LogText, utf16_name


def explain(source: Source, options: ReadOptions) -> Iterator[str]:
    """Lines that explain a source."""
    with source.open() as stream:
        head = stream.read(1 << 16)
    with source.open() as stream:
        text = LogText(stream, source.name)
        form, why = recognise(text.head, options)
        yield f"{source.name}"
        if form is None:
            yield f"  format   not recognised: {why}"
            return
        yield f"  format   {form.TITLE} (reader {parser_name(form)})"
        yield f"  because  {why}"
        yield f"  text     {utf16_name(head) or _encoding(head)}"
        yield from _first(form, text, options)


def _encoding(head: bytes) -> str:
    try:
        # The last character may be cut in two.
        head[:-3].decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8 with a byte-order mark" if head.startswith(b"\xef\xbb\xbf") else "utf-8"


def _first(form: Format, text: LogText, options: ReadOptions) -> Iterator[str]:
    """The first record as it was understood, or why it was not."""
    rejects: list[Reject] = []
    chunk = next(iter(form.read(text, rejects.append, options)), None)
    for reject in rejects[:1]:
        yield f"  first {reject.outcome} record at byte {reject.position}: {reject.message}"
    if chunk is None:
        yield "  no hand was found"
    elif isinstance(chunk, Entries):
        yield from _entry_lines(chunk.entries[0])
    else:
        checked = check(chunk)
        for place, _, message in checked.bad[:1]:
            yield f"  first rejected hand at byte {checked.positions[place]}: {message}"
        if len(checked.batch):
            first = np.zeros(len(checked.batch), np.bool_)
            first[0] = True
            batch = checked.batch.keep(first)
            rows = evaluate(with_deals(batch), np.zeros(1, np.int64))
            [hand] = batch.to_hands()
            yield from _hand_lines(hand, rows.seats["points"].to_list(), rows.hands["flags"].to_list()[0])


def _entry_lines(entry: LedgerEntry) -> Iterator[str]:
    yield "  first entry"
    for name in (
        "site",
        "player",
        "played_at",
        "rules",
        "point_value",
        "hands",
        "points",
        "net",
        "rake",
        "currency",
        "notes",
    ):
        value = getattr(entry, name)
        if value is not None:
            yield f"    {name:12} {value}"
    for name, value in entry.extra.items():
        yield f"    {name:12} {value} (kept)"


def _hand_lines(hand: Hand, ours: list[int | None], flags: list[str]) -> Iterator[str]:
    """A hand for people: what it is, then each player's board with points, then street by street."""
    yield f"  first hand {hand.id or '(no id)'} at byte {hand.position}, {hand.status}"
    for name, value in (
        ("site", hand.site),
        ("session", hand.session),
        ("rules", hand.rules or "not stated"),
        ("changes", dict(hand.rules_changes) or None),
        ("started", hand.started_at),
        ("ended", hand.ended_at),
        ("stake", hand.point_value and f"{money_text(hand.point_value)} {hand.unit or ''}".strip()),
        ("flags", ", ".join(flags) or None),
    ):
        if value is not None:
            yield f"    {name:8} {value}"
    for number, (seat, points) in enumerate(zip(hand.seats, ours, strict=True)):
        rows = " / ".join(format_cards(c for c in seat.board[part] if c != EMPTY) for part in ROW_SLICES.values())
        yield f"    {number} {seat.player}{' (hero)' if seat.hero else ''}{_fantasyland(seat.fantasyland)}: {rows}"
        yield f"      points stated {_shown(seat.points)}, ours {_shown(points)}; net {money_text(seat.net) or '-'}"
    for action in hand.actions:
        yield f"    street {action.street} {action.seat}: {_action_text(action)}"


def _fantasyland(cards: int) -> str:
    return "" if not cards else " (Fantasyland)" if cards == CARDS_UNKNOWN else f" (Fantasyland, {cards} cards)"


def _shown(points: int | None) -> str:
    return "-" if points is None else f"{points:+d}"


def _action_text(action: Action) -> str:
    parts = [f"{row} {format_cards(getattr(action, row))}" for row in ROWS if getattr(action, row)]
    if action.discard:
        parts.append(f"throws {format_cards(action.discard)}")
    return ", ".join(parts)

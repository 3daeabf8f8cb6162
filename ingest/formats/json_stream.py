"""JSON objects one behind the other in a text, whatever stands between them; one broken object costs no other.

Most records are cut at the gap between ``}`` and ``{`` and go straight to the JSON library. Only a piece that is no
object is looked at closely: a name may hold ``}{``, a record may be cut off where the next begins, braces may be lost.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import orjson

from ingest.rejects import OnReject, Reject
from ingest.text import JUNK, LONGEST_LINE, TextError, decode

_GAP = re.compile(rb"\}[\s\x00\x1a]*\{")
_EMPTY = b" \t\r\n" + JUNK
_JUNK_TO_SPACE = bytes.maketrans(JUNK, b" " * len(JUNK))
# How many pieces a name with }{ in it may have torn a record into.
_MOST_TORN = 4
# How many places inside a broken piece are tried as the start of a whole record.
_MOST_STARTS = 200


class JsonRecord(NamedTuple):
    """One object, the byte where it starts, and its text."""

    position: int
    data: dict[str, Any]
    raw: bytes


def parse_object(raw: bytes) -> dict[str, Any] | None:
    """The JSON object that a text is, None if it is anything else."""
    try:
        data = orjson.loads(raw)
    except orjson.JSONDecodeError:
        try:
            data = orjson.loads(decode(raw))
        except orjson.JSONDecodeError:
            return None
    return data if isinstance(data, dict) else None


def is_cut_off(raw: bytes) -> bool:
    """Whether a text begins like a JSON object and ends before it does."""
    depth, in_text, escaped = 0, False, False
    for byte in raw:
        if in_text:
            if escaped:
                escaped = False
            elif byte == 0x5C:
                escaped = True
            elif byte == 0x22:
                in_text = False
        elif byte == 0x22:
            in_text = True
        elif byte in b"{[":
            depth += 1
        elif byte in b"}]":
            depth -= 1
    return depth > 0 or in_text


def split_objects(blocks: Iterable[bytes], position: int) -> Iterator[tuple[int, bytes]]:
    """Pieces of a text between gaps, each with the byte where it starts; the last piece may be cut off."""
    tail = b""
    for block in blocks:
        text = tail + block
        start = 0
        # The tail holds no gap, but its last brace may begin one.
        for gap in _GAP.finditer(text, max(0, tail.rfind(b"}"))):
            yield position + start, text[start : gap.start() + 1]
            start = gap.end() - 1
        position += start
        tail = text[start:]
        if len(tail) > LONGEST_LINE:
            raise TextError(f"expected JSON objects, got one of more than {LONGEST_LINE >> 20} megabytes")
    # What follows the last object is none of it: the same record is the same bytes at the end of a file that will grow.
    if tail:
        yield position, tail.rstrip(_EMPTY)


def read_objects(blocks: Iterable[bytes], position: int, marker: str, on_reject: OnReject) -> Iterator[JsonRecord]:
    """Every object that has the key `marker`; what is none goes to `on_reject`.

    An object cut off by the end of the text is `partial`.
    """
    torn: list[tuple[int, bytes]] = []
    for start, piece in split_objects(blocks, position):
        if not piece.startswith(b"{"):
            start += len(piece) - len(piece.lstrip(_EMPTY))
            piece = piece.lstrip(_EMPTY)
        if torn:
            joined = b"".join([raw for _, raw in torn] + [piece])
            data = parse_object(joined)
            if data is not None:
                yield JsonRecord(torn[0][0], data, joined)
                torn = []
                continue
        data = parse_object(piece)
        if data is not None:
            yield from _salvage(torn, marker, on_reject)
            torn = []
            yield JsonRecord(start, data, piece)
            continue
        torn.append((start, piece))
        if len(torn) > _MOST_TORN:
            yield from _salvage(torn[:1], marker, on_reject)
            torn = torn[1:]
    yield from _salvage(torn, marker, on_reject, at_end=True)


def _salvage(
    pieces: list[tuple[int, bytes]], marker: str, on_reject: OnReject, at_end: bool = False
) -> Iterator[JsonRecord]:
    """Whole records inside pieces that are no records; what stands between them is rejected."""
    for number, (start, piece) in enumerate(pieces):
        last = at_end and number == len(pieces) - 1
        at = 0
        for begin, end in _whole_records(piece, marker):
            if piece[at:begin].strip(_EMPTY):
                on_reject(_broken(start + at, piece[at:begin], False))
            raw = piece[begin:end]
            data = parse_object(raw)
            if data is not None:
                yield JsonRecord(start + begin, data, raw)
            at = end
        rest = piece[at:]
        if rest.strip(_EMPTY):
            skipped = len(rest) - len(rest.lstrip(_EMPTY))
            on_reject(_broken(start + at + skipped, rest.strip(_EMPTY), last))


def _whole_records(piece: bytes, marker: str) -> Iterator[tuple[int, int]]:
    """Where the whole records inside a broken piece begin and end."""
    # One character a byte, so that places in the text are places in the piece.
    text = piece.translate(_JUNK_TO_SPACE).decode("latin-1")
    decoder = json.JSONDecoder(strict=False)
    at = text.find("{")
    for _ in range(_MOST_STARTS):
        if at < 0:
            return
        try:
            data, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            data, end = None, at
        if isinstance(data, dict) and marker in data:
            yield at, end
            at = end - 1
        at = text.find("{", at + 1)


def _broken(position: int, raw: bytes, last: bool) -> Reject:
    if last and is_cut_off(raw):
        return Reject(position, "cut_off", "expected the end of a JSON object, the file ends before it", raw, "partial")
    return Reject(position, "not_readable", f"expected a JSON object, got {decode(raw[:60])!r}", raw)

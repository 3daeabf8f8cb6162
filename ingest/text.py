"""The bytes of a log as text, whatever wrote them: byte-order marks, UTF-16, cp1252, NUL and SUB bytes, CRLF.

Positions are bytes of the unpacked file (of its UTF-8 form where it is UTF-16), so that a person can find a record.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from ingest.game.errors import OFCError

BLOCK = 1 << 22
HEAD = 1 << 16
# A record is some kilobytes; a line longer than this is no log.
LONGEST_LINE = 1 << 26
# SUB is what DOS programs put behind the end of a text, NUL what is left of blocks that were never written.
JUNK = b"\x00\x1a"
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class TextError(OFCError):
    """A source that cannot be read as text."""


def decode(data: bytes) -> str:
    """Bytes as text without junk: UTF-8 if they are that, else cp1252 as Windows programs write it."""
    data = data.translate(None, JUNK)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def utf16_name(head: bytes) -> str | None:
    """The codec of a UTF-16 text, by its mark or by zero bytes in every other place; None for anything else."""
    by_mark = _UTF16.get(head[:2])
    if by_mark:
        return by_mark
    sample = head[: len(head) // 2 * 2]
    if len(sample) < 8:
        return None
    first, second = sample[0::2], sample[1::2]
    most = 0.9 * len(first)
    if second.count(0) > most and first.count(0) < len(first) / 10:
        return "utf-16-le"
    if first.count(0) > most and second.count(0) < len(first) / 10:
        return "utf-16-be"
    return None


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end; `ended` is False for a last line that no newline closes."""

    position: int
    raw: bytes
    ended: bool

    @property
    def text(self) -> str:
        return decode(self.raw)


class LogText:
    """The text of one source, read once from `start` in blocks or lines.

    `name` is the file's name (a reader may need it); `head` the first kilobytes; `plain` says whether positions are
    bytes of the file itself, so that reading may go on at one of them.
    """

    def __init__(self, stream: BinaryIO, name: str, start: int = 0) -> None:
        self.name = name
        self._stream = stream
        head = stream.read(HEAD)
        codec = utf16_name(head)
        self.plain = codec is None
        self._decoder = codecs.getincrementaldecoder(codec)("replace") if codec else None
        self.head = self._utf8(head)
        self._rest = self.head
        self.position = 0
        if self._rest.startswith(codecs.BOM_UTF8):
            self._rest = self._rest[len(codecs.BOM_UTF8) :]
            self.position = len(codecs.BOM_UTF8)
        if start > self.position:
            stream.seek(start)
            self._rest, self.position = b"", start

    def _utf8(self, data: bytes) -> bytes:
        if self._decoder is None:
            return data
        return self._decoder.decode(data).encode("utf-8", "replace")

    def blocks(self) -> Iterator[bytes]:
        """The text from here to its end, in blocks of some megabytes; UTF-8 or what else the bytes are."""
        if self._rest:
            yield self._rest
            self._rest = b""
        while data := self._stream.read(BLOCK):
            yield self._utf8(data)

    def lines(self) -> Iterator[Line]:
        """The lines from here to the end. Raises TextError for a line of no end."""
        tail = b""
        position = self.position
        for block in self.blocks():
            *lines, tail = (tail + block).split(b"\n")
            for line in lines:
                yield Line(position, line.rstrip(b"\r"), True)
                position += len(line) + 1
            if len(tail) > LONGEST_LINE:
                raise TextError(f"expected lines, got one of more than {LONGEST_LINE >> 20} megabytes in {self.name}")
        if tail:
            yield Line(position, tail.rstrip(b"\r"), False)

    def whole(self, most: int = LONGEST_LINE) -> bytes:
        """All of the text from here. Raises TextError where it is longer than `most` bytes."""
        parts: list[bytes] = []
        size = 0
        for block in self.blocks():
            size += len(block)
            if size > most:
                raise TextError(f"expected at most {most >> 20} megabytes, got more in {self.name}")
            parts.append(block)
        return b"".join(parts)

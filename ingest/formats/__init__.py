"""The formats that are understood, each in a module of its own.

A format names itself (`NAME`, `VERSION` of its reader, `TITLE`, and what it `HOLDS`), recognises its texts by content
(`sniff`: why, or nothing), and reads them into chunks; what cannot be a hand goes to `on_reject`. `RESUMES` says
whether reading may begin at any record, which lets a file that has grown be read from where it ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from ingest.chunk import Chunk, Entries
from ingest.formats import boards, collector, ledger, mapped, ofc_hh, poker_arena, swc_chat, swc_hand, swc_raw
from ingest.formats.options import ReadOptions
from ingest.game.errors import OFCError, known
from ingest.rejects import OnReject
from ingest.text import LogText, decode


class Format(Protocol):
    """What every format module offers."""

    NAME: str
    VERSION: int
    TITLE: str
    HOLDS: str
    RESUMES: bool
    WRITES: bool

    def sniff(self, head: bytes) -> str:
        """Why a text that begins like this is of the format; empty if it is not."""

    def read(self, text: LogText, on_reject: OnReject, options: ReadOptions) -> Iterator[Chunk | Entries]:
        """The hands of a text, in chunks of bounded size."""


# In the order in which they are tried.
FORMATS: tuple[Format, ...] = (
    ofc_hh,
    collector,
    swc_hand,
    swc_raw,
    poker_arena,
    swc_chat,
    ledger,
    boards,
    mapped,
)


def find_format(name: str) -> Format:
    """The format called `name`. Raises OFCError with the known ones."""
    for form in FORMATS:
        if name == form.NAME:
            return form
    raise OFCError(f"expected the name of a format, got {name!r}; known: {known(form.NAME for form in FORMATS)}")


def recognise(head: bytes, options: ReadOptions) -> tuple[Format | None, str]:
    """The format of a text that begins like this, and why; None and what was expected if it is of no known one."""
    if options.mapping is not None:
        return mapped, "a mapping file was given"
    for form in FORMATS:
        why = form.sniff(head)
        if why:
            return form, why
    came = decode(head[:40]).strip()
    return None, f"expected a log of a known format ({known(form.NAME for form in FORMATS)}), got {came!r}"


def parser_name(form: Format) -> str:
    """A format with the version of its reader, as the database keeps it: ``collector/1``."""
    return f"{form.NAME}/{form.VERSION}"

"""Stored hands out again, as our own format or in the manner of PHH."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TextIO

from ingest.anonymise import Anonymiser
from ingest.database import Database
from ingest.enter import key_frame, load_hands
from ingest.formats import ofc_hh, phh
from ingest.game.errors import OFCError, known
from ingest.hand import Hand

WRITERS = {ofc_hh.NAME: ofc_hh.write, phh.NAME: phh.write}
BATCH = 2_000


def export_hands(database: Database, form: str, out: TextIO, anonymiser: Anonymiser | None = None) -> int:
    """Write all hands in the order in which they were played; how many. Raises OFCError for an unknown format."""
    if form not in WRITERS:
        raise OFCError(f"expected a format to write, got {form!r}; known: {known(WRITERS)}")
    return WRITERS[form](stored_hands(database, anonymiser), out)


def stored_hands(database: Database, anonymiser: Anonymiser | None = None) -> Iterator[Hand]:
    """All hands as their sources state them, each with where it came from."""
    keys = [key for (key,) in database.query("SELECT hand_key FROM hands ORDER BY played_at, site, hand_no, hand_key")]
    for start in range(0, len(keys), BATCH):
        some = keys[start : start + BATCH]
        sources = _sources(database, some)
        for key, hand in zip(some, load_hands(database, some), strict=True):
            if anonymiser is not None:
                yield anonymiser.hand(hand)
            elif "source" in hand.extra or key not in sources:
                yield hand
            else:
                yield replace(hand, extra={**hand.extra, "source": sources[key]})


def _sources(database: Database, keys: list[int]) -> dict[int, dict[str, object]]:
    """Where each hand came from; the same source of several whatever order they were read in."""
    with database.named(wanted=key_frame(keys)):
        rows = database.query(
            "SELECT hand_key, format, sha256, position, parser FROM hand_sources JOIN sources USING (source_key) "
            "SEMI JOIN wanted USING (hand_key) "
            "QUALIFY row_number() OVER (PARTITION BY hand_key ORDER BY source_key, position) = 1"
        )
    # In alphabetical order, as the database keeps what it reads: an export read and exported again is the same text.
    return {
        key: {"file": f"sha256:{sha256}", "format": form, "offset": position, "parser": parser}
        for key, form, sha256, position, parser in rows
    }

"""Pseudonyms for players: a keyed hash of the name, the same for one name as long as the key is the same.

The key lies in a file of its own beside the database and never in it, so that a database can be passed on: without the
key nobody can try names until one fits. Whatever else may tell who a player is (further fields, remarks, the text of
rejected records, file names) is left out or replaced.
"""

from __future__ import annotations

import base64
import hashlib
import os
import secrets
from dataclasses import replace
from pathlib import Path, PurePath

import polars as pl

from ingest.batch import Batch
from ingest.game.errors import OFCError
from ingest.hand import Hand, LedgerEntry
from ingest.store import Store

FACT = "anonymised"


class Anonymiser:
    """Gives names their pseudonyms under one key."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._names: dict[str, str] = {}

    @property
    def fingerprint(self) -> str:
        """What tells one key from another without telling the key."""
        return hashlib.blake2b(b"fingerprint", key=self._key, digest_size=8).hexdigest()

    def name(self, name: str) -> str:
        """The pseudonym of a player."""
        if name not in self._names:
            self._names[name] = f"player-{self._code(name)}"
        return self._names[name]

    def source(self, name: str) -> str:
        """The pseudonym of a file's name; its ending stays."""
        return f"source-{self._code(name)}{''.join(PurePath(name).suffixes[-1:])}"

    def _code(self, name: str) -> str:
        digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), key=self._key, digest_size=10).digest()
        return base64.b32encode(digest).decode().lower()

    def batch(self, batch: Batch) -> Batch:
        """Hands with pseudonyms and without further fields."""
        names = [self.name(name) for name in batch.seats["player"]]
        return Batch(
            batch.hands.with_columns(extra=pl.lit(None, pl.String)),
            batch.seats.with_columns(player=pl.Series(names, dtype=pl.String)),
            batch.actions,
        )

    def hand(self, hand: Hand) -> Hand:
        """A hand with pseudonyms and without further fields."""
        seats = tuple(replace(seat, player=self.name(seat.player)) for seat in hand.seats)
        return replace(hand, seats=seats, extra={})

    def entry(self, entry: LedgerEntry) -> LedgerEntry:
        """A ledger entry with a pseudonym and without remarks."""
        return replace(entry, player=entry.player and self.name(entry.player), notes=None, extra={})


def key_path(database: Path) -> Path:
    """Where the key of a database lies."""
    return database.with_name(database.name + ".key")


def load_anonymiser(database: Path) -> Anonymiser:
    """The anonymiser of a database, with a new key if it has none yet."""
    path = key_path(database)
    try:
        return Anonymiser(bytes.fromhex(path.read_text("ascii").strip()))
    except FileNotFoundError:
        return Anonymiser(_make_key(path))
    except (OSError, ValueError) as error:
        raise OFCError(f"expected a key in {path}, got: {error}") from None


def _make_key(path: Path) -> bytes:
    key = secrets.token_bytes(32)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Only its owner may read it.
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(key.hex() + "\n")
    except OSError as error:
        raise OFCError(f"expected to write a key to {path}, got: {error.strerror}") from None
    return key


def verify_names(store: Store, anonymiser: Anonymiser | None) -> None:
    """Raise OFCError where plain names and pseudonyms, or pseudonyms of two keys, would get into one database."""
    fingerprint = store.fact(FACT)
    if anonymiser is None:
        if fingerprint is not None:
            raise OFCError(f"expected --anonymise: {store.path} holds pseudonyms; use another --db for plain names")
        return
    if fingerprint is None:
        if store.query("SELECT 1 FROM sources LIMIT 1"):
            raise OFCError(f"expected a new database for pseudonyms, {store.path} holds plain names; use another --db")
        with store.transaction():
            store.set_fact(FACT, anonymiser.fingerprint)
    elif fingerprint != anonymiser.fingerprint:
        raise OFCError(f"expected the key that {store.path} was begun with in {key_path(store.path)}, got another one")

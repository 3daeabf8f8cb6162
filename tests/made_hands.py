"""Databases made up for tests: random boards, several sessions and players, without any log behind them."""

from __future__ import annotations

from datetime import datetime, timedelta

import duckdb
import numpy as np
import orjson
import polars as pl

from ingest.game.compiled import compile_rules
from ingest.game.naturals import natural_masks
from ingest.game.rules import find_rules
from ingest.game.score import score_hands
from ingest.game.strength import row_strengths
from ingest.schema import HANDS, RULE_SETS, SEATS, create_statements
from ingest.scoring import rules_key

Boards = np.ndarray


def made_boards(hands: int, players: int, rng: np.random.Generator) -> Boards:
    """Boards (hands * players, 13), most of them legal, with pairs in front and flushes more often than chance."""
    decks = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (hands, 1)), axis=1)
    cards = decks[:, : 13 * players].reshape(-1, 13)
    suit_sorted = rng.random(len(cards)) < 0.5
    by_suit = np.argsort((cards & 3) * 16 + (cards >> 2), axis=1, kind="stable")
    by_rank = np.argsort(cards, axis=1, kind="stable")
    boards = np.take_along_axis(cards, np.where(suit_sorted[:, None], by_suit, by_rank), axis=1)
    high_front = rng.random(len(boards)) < 0.1
    boards[high_front & ~suit_sorted] = boards[high_front & ~suit_sorted][:, ::-1]
    strengths = row_strengths(boards)
    swapped = strengths[:, 1] > strengths[:, 2]
    boards[swapped] = boards[swapped][:, [0, 1, 2, 8, 9, 10, 11, 12, 3, 4, 5, 6, 7]]
    return boards


def made_database(
    hands: int = 600,
    players: int = 2,
    sessions: int = 20,
    rules: str = "pineapple",
    seed: int = 1,
    names: int = 4,
    con: duckdb.DuckDBPyConnection | None = None,
) -> duckdb.DuckDBPyConnection:
    """A database in memory (or filled through `con`) of one kind of table; `names` players take turns."""
    rng = np.random.default_rng(seed)
    if con is None:
        con = duckdb.connect()
        for statement in create_statements():
            con.execute(statement)
    played = find_rules(rules)
    boards = made_boards(hands, players, rng)
    strengths, naturals = row_strengths(boards), natural_masks(boards)
    now = np.where(rng.random(len(boards)) < 0.15, 14, 0).astype(np.int8)
    first_seat = np.arange(0, len(boards) + 1, players, dtype=np.int64)
    scores = score_hands(compile_rules(played), strengths, naturals, now, first_seat)
    keys = rng.permutation(hands).astype(np.int64) * 1009 + seed
    session = np.sort(rng.integers(0, sessions, hands))
    start = datetime(2025, 1, 1)
    minute = np.arange(hands) + session * 3000
    times = [start + timedelta(minutes=int(m)) for m in minute]
    frame = pl.DataFrame(
        {
            "hand_key": keys, "site": "made", "hand_id": keys.astype(str), "session_key": session.astype(np.int64),
            "session_id": session.astype(str), "hand_no": np.arange(hands), "game": played.deal.game, "rules": rules,
            "rules_key": rules_key(played), "decks": played.deal.decks, "middle": played.deal.middle,
            "players": players, "started_at": times, "ended_at": [t + timedelta(seconds=50) for t in times],
            "played_at": times, "point_value": 2.0, "unit": "chip", "settlement": "points", "status": "complete",
            "scored": True, "flags": pl.Series([[]] * hands, dtype=pl.List(pl.String)),
            "derived": pl.Series([[]] * hands, dtype=pl.List(pl.String)),
        }
    )  # fmt: skip
    offset = rng.integers(0, names, hands)
    player = (offset[:, None] + np.arange(players)) % names
    seats = pl.DataFrame(
        {
            "hand_key": np.repeat(keys, players), "seat": np.tile(np.arange(players), hands),
            "player": [f"player {n + 1}" for n in player.ravel()], "hero": player.ravel() == 0,
            "in_fantasyland": now > 0, "fantasyland_cards": now.astype(np.uint8),
            "board": pl.Series(boards, dtype=pl.Array(pl.UInt8, 13)), "complete": True,
            "front_strength": strengths[:, 0], "middle_strength": strengths[:, 1], "back_strength": strengths[:, 2],
            "naturals": naturals, "points": scores.points, "fouled": scores.fouled,
            "fantasyland_next": scores.fantasyland_next, "net": scores.points * 2.0,
        }
    )  # fmt: skip
    _insert(con, HANDS.name, frame)
    _insert(con, SEATS.name, seats)
    definition = pl.DataFrame(
        {
            "rules_key": rules_key(played), "name": rules, "title": played.title, "game": played.deal.game,
            "decks": played.deal.decks, "middle": played.deal.middle,
            "definition": orjson.dumps(dict(played.data)).decode(),
        }
    )  # fmt: skip
    _insert(con, RULE_SETS.name, definition)
    return con


def _insert(con: duckdb.DuckDBPyConnection, table: str, rows: pl.DataFrame) -> None:
    con.register("rows_given", rows)
    con.execute(f"INSERT INTO {table} BY NAME SELECT * FROM rows_given")
    con.unregister("rows_given")

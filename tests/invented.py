"""Invented sessions as ofc-hh/1 lines: random deals, each board the best of some random settings, names that bite."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import orjson

from ingest.game.cards import CARD_NAMES
from ingest.game.compiled import compile_rules
from ingest.game.naturals import natural_masks
from ingest.game.rules import find_rules
from ingest.game.score import score_hands
from ingest.game.strength import row_strengths

HERO = "Kestrel"
# What a page must show as it is: markup of HTML, of Markdown with a picture from elsewhere, of LaTeX and icons.
NAMES = (HERO, "<script>alert(1)</script>", "![x](http://example.invalid/x.png)", "a_b*c* $x$ :tada:")
_SETTINGS = 160


def best_settings(hands: np.ndarray, rules_name: str, rng: np.random.Generator) -> np.ndarray:
    """For each 13 cards, ``(n, 13)``, the legal one of some random settings with the most royalties, else any."""
    n = len(hands)
    tried = rng.permuted(np.repeat(hands, _SETTINGS, axis=0), axis=1)
    strengths = row_strengths(tried)
    alone = np.arange(len(tried) + 1, dtype=np.int64)
    scores = score_hands(
        compile_rules(find_rules(rules_name)), strengths, natural_masks(tried), np.zeros(len(tried), np.int8), alone
    )
    worth = np.where(scores.fouled, -100, scores.values.sum(axis=1) + (scores.fantasyland_next != 0) * 10)
    best = worth.reshape(n, _SETTINGS).argmax(axis=1)
    return tried[np.arange(n) * _SETTINGS + best]


def write_sessions(
    path: Path, sessions: int = 6, hands: int = 30, players: int = 3, rules: str = "pineapple", seed: int = 1
) -> Path:
    """Write invented sessions of so many hands each; the hero is always at the table."""
    rng = np.random.default_rng(seed)
    count = sessions * hands
    deals = np.stack([rng.permutation(52)[: 13 * players].astype(np.uint8) for _ in range(count)])
    boards = best_settings(deals.reshape(-1, 13), rules, rng).reshape(count, players, 13)
    start = datetime(2026, 1, 3, 19, 0, tzinfo=UTC)
    with path.open("wb") as out:
        for number in range(count):
            session, place = divmod(number, hands)
            at = start + timedelta(days=3 * session, minutes=2 * place)
            others = rng.permutation(len(NAMES) - 1)[: players - 1] + 1
            names = [NAMES[seat] for seat in rng.permutation([0, *others])]
            record = {
                "v": "ofc-hh/1",
                "site": "invented",
                "id": f"{rules}-{seed}-{number}",
                "session": f"{rules}-{seed}-{session}",
                "hand_no": place + 1,
                "game": "pineapple",
                "rules": rules,
                "ended_at": at.isoformat(),
                "source_zone": "UTC",
                "point_value": "1",
                "unit": "chip",
                "players": [
                    {"name": name, "hero": name == HERO, "fantasyland": int(rng.choice([0] * 9 + [14]))}
                    for name in names
                ],
                "boards": [_board(board) for board in boards[number]],
                "status": "complete",
            }
            out.write(orjson.dumps(record) + b"\n")
    return path


def _board(board: np.ndarray) -> dict[str, list[str]]:
    cards = [CARD_NAMES[card] for card in board]
    return {"front": cards[:3], "middle": cards[3:8], "back": cards[8:]}


def make_database(folder: Path, *, sessions: int = 8, hands: int = 25) -> Path:
    """A published database of invented sessions under two rule sets; a broken record, a cut-off one, an empty file."""
    from ingest.formats.options import ReadOptions
    from ingest.load import Loader
    from ingest.store import Store

    logs = folder / "logs"
    logs.mkdir(parents=True)
    write_sessions(logs / "three.ofc.jsonl", sessions, hands)
    write_sessions(logs / "two.ofc.jsonl", sessions // 2, hands, players=2, rules="pineapple-ultimate", seed=2)
    broken = {"front": ["Ah", "Ah", "2c"], "middle": [], "back": []}
    record = {"v": "ofc-hh/1", "site": "invented", "id": "x", "players": [{"name": "a"}, {"name": "b"}]}
    whole = orjson.dumps({**record, "boards": [broken, broken]})
    (logs / "broken.ofc.jsonl").write_bytes(whole + b"\n" + whole[:40])
    (logs / "empty.hh").touch()
    database = folder / "ofc.duckdb"
    with Store(database) as store:
        Loader(store, ReadOptions()).load([str(logs)])
        store.publish()
    return database


def make_empty_database(folder: Path) -> Path:
    """A published database without a hand."""
    from ingest.store import Store

    database = folder / "empty.duckdb"
    with Store(database) as store:
        store.publish()
    return database

"""A large folder of collector logs, dealt and set at random: for measuring, not for looking at."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from ingest.formats.collector_cards import STREETS
from ingest.game.cards import CARD_NAMES
from ingest.game.compiled import compile_rules
from ingest.game.naturals import natural_masks
from ingest.game.rules import find_rules
from ingest.game.score import score_hands
from ingest.game.strength import row_strengths

HANDS_PER_FILE = 500
_PLAYERS = 2
# The street on which each slot of a board was filled: five first, then two a street.
_STREETS = np.array([0, 1, 2, 0, 0, 1, 3, 4, 0, 0, 2, 3, 4])
assert _STREETS.max() < STREETS


def make_logs(folder: Path, hands: int, seed: int = 1) -> int:
    """Write `hands` hands of two players into files of `folder`; the bytes written."""
    random = np.random.default_rng(seed)
    deals = random.permuted(np.tile(np.arange(52, dtype=np.uint8), (hands, 1)), axis=1)
    boards = deals[:, : 13 * _PLAYERS].reshape(-1, 13)
    discards = deals[:, 13 * _PLAYERS : 17 * _PLAYERS].reshape(-1, 4)
    first_seat = np.arange(0, hands * _PLAYERS + 1, _PLAYERS)
    nobody = np.zeros(len(boards), np.int8)
    rules = compile_rules(find_rules("pineapple-refant-14"))
    points = score_hands(rules, row_strengths(boards), natural_masks(boards), nobody, first_seat).points
    written = 0
    for start in range(0, hands, HANDS_PER_FILE):
        texts = [_record(hand, boards, discards, points) for hand in range(start, min(hands, start + HANDS_PER_FILE))]
        path = folder / f"20260101_{start // HANDS_PER_FILE:06d}.bench.0A1B2C3D.hh"
        written += path.write_text("\n\n\n".join(texts) + "\n\n\n", "ascii")
    return written


def _record(hand: int, boards: np.ndarray, discards: np.ndarray, points: np.ndarray) -> str:
    room = 20_000_000 + hand // HANDS_PER_FILE
    players = [
        {
            "inFantasy": False,
            "result": int(points[seat]),
            "playerName": f"pid{3_000_000 + (hand // HANDS_PER_FILE * 7 + place) % 997}",
            "orderIndex": place,
            "hero": place == 0,
            "dead": " ".join(f"{CARD_NAMES[card]}{street + 1}" for street, card in enumerate(discards[seat])),
            "rows": _rows(boards[seat]),
            "win": int(points[seat]) * 2,
            "playerId": f"pid{3_000_000 + (hand // HANDS_PER_FILE * 7 + place) % 997}",
        }
        for place, seat in enumerate(range(hand * _PLAYERS, hand * _PLAYERS + _PLAYERS))
    ]
    minute, second = divmod(hand % HANDS_PER_FILE * 7, 60)
    hour = minute // 60
    record = {
        "stakes": 2,
        "handData": {f"260102110405-{room}-{hand % HANDS_PER_FILE:07d}-1": players},
        "appName": "Ppp",
        "price": "1USD",
        "joined": True,
        "clubId": "900001",
        "rules": "progressive16_refant14_nojokers",
        "endDateTime": f"2026-01-02 {hour:02d}:{minute % 60:02d}:{second:02d}",
        "roomId": str(room),
    }
    return json.dumps(record, indent=4)


def _rows(board: np.ndarray) -> str:
    names = [f"{CARD_NAMES[card]}{street}" for card, street in zip(board, _STREETS, strict=True)]
    return "/".join(" ".join(names[part]) for part in (slice(0, 3), slice(3, 8), slice(8, 13)))

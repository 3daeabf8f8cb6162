"""Boards of one hand, judged under a rule set and named as people name them; a deal that shows a rule set at work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.rows import FIVE_NAMES, FRONT_NAMES, row_places
from ingest.game.board import ROWS, parse_board
from ingest.game.compiled import UNKNOWN_CARDS, compile_rules
from ingest.game.naturals import NATURALS, natural_masks
from ingest.game.pair import NO_NATURAL
from ingest.game.rulebook import words
from ingest.game.rules import RuleSet
from ingest.game.score import score_hands
from ingest.game.strength import row_strengths


@dataclass(frozen=True)
class JudgedBoard:
    """One board and what it is worth: `rows` and `values` by front, middle and back; `points` against all opponents."""

    cards: tuple[int, ...]
    rows: tuple[str, ...]
    values: tuple[int, ...]
    points: int
    fouled: bool
    natural: str | None
    moon: bool
    fantasyland: int
    fantasyland_next: int

    @property
    def notes(self) -> tuple[str, ...]:
        """Each row in words, with the royalty that it pays."""
        return tuple(f"{row}, {value}" if value else row for row, value in zip(self.rows, self.values, strict=True))

    @property
    def tag(self) -> str:
        """What is special about the board, in a few words; empty for an ordinary one."""
        special = [
            "fouled" if self.fouled else "",
            self.natural or "",
            "moon" if self.moon else "",
            _cards_words("Fantasyland", self.fantasyland),
            _cards_words("next: Fantasyland", self.fantasyland_next),
        ]
        return " · ".join(part for part in special if part)


def _cards_words(before: str, cards: int) -> str:
    if not cards:
        return ""
    return before if cards == UNKNOWN_CARDS else f"{before} {cards}"


def judge_boards(
    rules: RuleSet, boards: npt.NDArray[np.uint8], fantasyland: Sequence[int] | None = None
) -> tuple[JudgedBoard, ...]:
    """The boards of one hand, ``(players, 13)`` in acting order, under `rules`; an incomplete one is fouled."""
    players = len(boards)
    strengths, naturals = row_strengths(boards), natural_masks(boards)
    now = np.array([0] * players if fantasyland is None else fantasyland, np.int8)
    scores = score_hands(compile_rules(rules), strengths, naturals, now, np.array([0, players], np.int64))
    named = row_places(strengths, low=rules.deal.middle == "deuce_to_seven")
    return tuple(
        JudgedBoard(
            cards=tuple(int(card) for card in boards[seat]),
            rows=tuple(_row_words(row, int(named[place][seat])) for place, row in enumerate(ROWS)),
            values=tuple(int(value) for value in scores.values[seat]),
            points=int(scores.points[seat]),
            fouled=bool(scores.fouled[seat]),
            natural=None if scores.natural[seat] == NO_NATURAL else words(NATURALS[scores.natural[seat]]),
            moon=bool(scores.moon[seat]),
            fantasyland=int(now[seat]),
            fantasyland_next=int(scores.fantasyland_next[seat]),
        )
        for seat in range(players)
    )


def _row_words(row: str, place: int) -> str:
    return words((FRONT_NAMES if row == "front" else FIVE_NAMES)[place])


# One that enters Fantasyland almost everywhere, one with small royalties, one that fouls.
_HIGH = (
    "Qh Qd 5s / 9c 9h 4d 4s Jc / Ks Kd 7h Kh 7c",
    "6h 6c As / Tc Td Th 2c 3d / 2h 8h Ah Jh 5h",
    "Ac Ad Kc / 8c 8d 5d 4h 2d / Js Jd 6s 3s 3c",
)
_LOW = (
    "Kh Kd 5s / 7c 5d 4h 3s 2d / As Ad 9h Ah 9c",
    "Qh Qc 8s / 9s 8h 6c 4d 2c / Jc Tc 5c 3c Kc",
    "6h 6d 2h / 7h 7d 8c 3d 2s / Js Jd Th 4s 4c",
)


def example(rules: RuleSet) -> tuple[JudgedBoard, ...]:
    """Three boards of one deal that show what `rules` pays: royalties, Fantasyland, a foul."""
    texts = _LOW if rules.deal.middle == "deuce_to_seven" else _HIGH
    return judge_boards(rules, np.stack([parse_board(text) for text in texts]))

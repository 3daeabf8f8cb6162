"""Naturals: special hands that all 13 cards of a board make together, from 13-card Chinese poker.

Which naturals a board holds is a fact of its cards, kept as a bit mask; what they pay is the rule set's business.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ingest.game.board import SLOTS
from ingest.game.cards import CARD_COUNT
from ingest.game.kernels import kernel, spread

# In the order that names one among equal points; bit k of a mask stands for the k-th.
NATURALS = (
    "clean_dragon",
    "dragon",
    "twelve_royalties",
    "three_straight_flushes",
    "three_quads",
    "all_low",
    "all_high",
    "full_colored",
    "four_triples",
    "six_and_a_half_pairs",
    "three_straights",
    "three_flushes",
    "no_broadway",
)
NATURAL_NUMBER = {name: number for number, name in enumerate(NATURALS)}

_EIGHT, _JACK, _KING = 6, 9, 11


@kernel
def _in_sequence(rank_bits, size):  # type: ignore[no-untyped-def]
    """Whether `size` cards whose ranks are the set bits stand in sequence; the ace is also below the deuce."""
    with_low_ace = (rank_bits << 1) | (rank_bits >> 12)
    run = (1 << size) - 1
    for bottom in range(15 - size):  # noqa: SIM110 (numba compiles the plain loop)
        if (with_low_ace >> bottom) & run == run:
            return True
    return False


@kernel
def _masks(boards, out):  # type: ignore[no-untyped-def]
    counts = np.zeros(13, np.int64)
    for i in range(boards.shape[0]):
        out[i] = 0
        counts[:] = 0
        known = True
        suits = red = black = 0
        sequences = flushes = straight_flushes = 0
        low = high = court = broadway_free = True
        start = 0
        for size in (3, 5, 5):
            ranks = row_suits = 0
            for slot in range(start, start + size):
                card = int(boards[i, slot])  # 1 << rank does not fit into the eight bits of a card
                if card >= CARD_COUNT:
                    known = False
                    break
                rank, suit = card >> 2, card & 3
                counts[rank] += 1
                ranks |= 1 << rank
                row_suits |= 1 << suit
                if suit == 1 or suit == 2:
                    red += 1
                else:
                    black += 1
                low &= rank <= _EIGHT
                high &= rank >= _EIGHT
                court &= rank >= _JACK
                broadway_free &= not (_JACK <= rank <= _KING)
            if not known:
                break
            suits |= row_suits
            suited = row_suits & (row_suits - 1) == 0
            sequence = _in_sequence(ranks, size)
            flushes += suited
            sequences += sequence
            straight_flushes += suited and sequence
            start += size
        if not known:
            continue
        ranks_held = pairs = triples = quads = 0
        for rank in range(13):
            ranks_held += counts[rank] > 0
            pairs += counts[rank] // 2
            triples += counts[rank] >= 3
            quads += counts[rank] >= 4
        dragon = ranks_held == 13
        held = (
            dragon and suits & (suits - 1) == 0,
            dragon,
            court,
            straight_flushes == 3,
            quads == 3,
            low,
            high,
            red == 0 or black == 0,
            triples == 4,
            pairs == 6,
            sequences == 3,
            flushes == 3,
            broadway_free,
        )
        mask = 0
        for bit in range(len(held)):
            if held[bit]:
                mask |= 1 << bit
        out[i] = mask


def natural_masks(boards: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
    """Which naturals each board ``(n, 13)`` holds, as a bit mask ``(n,)``; 0 for a board without 13 known cards."""
    boards = np.ascontiguousarray(boards, np.uint8)
    if boards.ndim != 2 or boards.shape[1] != SLOTS:
        raise ValueError(f"expected boards of shape (n, {SLOTS}), got {boards.shape}")
    out = np.empty(len(boards), np.uint16)
    spread(len(boards), lambda start, stop: _masks(boards[start:stop], out[start:stop]))
    return out

"""All rows that 13 to 17 cards can make, as lists to search in."""

from __future__ import annotations

import numpy as np

from ingest.game.kernels import piece

# Subsets of five and of three of 17 cards.
FIVES, THREES = 6188, 680
# What three naturals ask of every row.
STRAIGHT, FLUSH = 1, 2


@piece
def sorted_by_place(masks, strengths, place, count, out_masks, out_strengths, spare_masks, spare_strengths):  # type: ignore[no-untyped-def]
    """Subsets by rising place, in two passes of seven bits."""
    ends = np.zeros(257, np.int32)
    for k in range(count):
        ends[(place[strengths[k]] & 127) + 1] += 1
    for k in range(128):
        ends[k + 1] += ends[k]
    for k in range(count):
        bucket = place[strengths[k]] & 127
        at = ends[bucket]
        ends[bucket] = at + 1
        spare_masks[at], spare_strengths[at] = masks[k], strengths[k]
    ends[:] = 0
    for k in range(count):
        ends[(place[spare_strengths[k]] >> 7) + 1] += 1
    for k in range(256):
        ends[k + 1] += ends[k]
    for k in range(count):
        bucket = place[spare_strengths[k]] >> 7
        at = ends[bucket]
        ends[bucket] = at + 1
        out_masks[at], out_strengths[at] = spare_masks[k], spare_strengths[k]


@piece
def subsets(cards, n, triple, pair, front, plain, suited, threes, three_strengths, fives, five_strengths):  # type: ignore[no-untyped-def]
    """All subsets of three and five of `n` cards as bit masks with strengths; how many there are of each."""
    pairs = np.empty((136, 3), np.int32)  # index, suits, mask; by the lower card, highest first
    first_pair = np.empty(18, np.int32)  # pairs of cards from this one on come before here
    found = 0
    for d in range(n - 1, -1, -1):
        for e in range(d + 1, n):
            pairs[found, 0] = pair[(np.int64(cards[d]) >> 2) * 13 + (np.int64(cards[e]) >> 2)]
            pairs[found, 1] = (1 << (cards[d] & 3)) | (1 << (cards[e] & 3))
            pairs[found, 2] = (1 << d) | (1 << e)
            found += 1
        first_pair[d] = found
    first_pair[n] = 0
    three_count = five_count = 0
    for a in range(n):
        for b in range(a + 1, n):
            for c in range(b + 1, n):
                ranks = ((np.int64(cards[a]) >> 2) * 13 + (np.int64(cards[b]) >> 2)) * 13 + (np.int64(cards[c]) >> 2)
                index = np.int64(triple[ranks])
                suits = (1 << (cards[a] & 3)) | (1 << (cards[b] & 3)) | (1 << (cards[c] & 3))
                mask = (1 << a) | (1 << b) | (1 << c)
                threes[three_count], three_strengths[three_count] = mask, front[index]
                three_count += 1
                for k in range(first_pair[c + 1]):
                    both = suits | pairs[k, 1]
                    place = index * 91 + pairs[k, 0]
                    fives[five_count] = mask | pairs[k, 2]
                    five_strengths[five_count] = plain[place] if both & (both - 1) else suited[place]
                    five_count += 1
    return three_count, five_count


@piece
def natural_slack(cards, n, points, slacks):  # type: ignore[no-untyped-def]
    """The most that naturals of `n` cards can pay: into slacks[0] whatever the rows, [1] straights, [2] flushes."""
    counts = np.zeros(13, np.int64)
    low, high, court, plain, red = 0, 0, 0, 0, 0
    for k in range(n):
        rank = int(cards[k]) >> 2
        counts[rank] += 1
        red += cards[k] & 3 == 1 or cards[k] & 3 == 2
        low += rank <= 6
        high += rank >= 6
        court += rank >= 9
        plain += rank < 9 or rank > 11
    ranks = pairs = triples = quads = 0
    for rank in range(13):
        count = int(counts[rank])
        ranks += count > 0
        pairs += count // 2
        triples += count >= 3
        quads += count >= 4
    possible = (
        ranks == 13,
        ranks == 13,
        court >= 13,
        False,
        quads >= 3,
        low >= 13,
        high >= 13,
        red >= 13 or n - red >= 13,
        triples >= 4,
        pairs >= 6,
        False,
        False,
        plain >= 13,
    )
    slacks[:] = 0.0
    for k in range(13):
        if possible[k]:
            slacks[0] = max(slacks[0], points[k])
    slacks[1] = max(points[3], points[10])
    slacks[2] = max(points[3], points[11])


@piece
def most_natural(slacks, form):  # type: ignore[no-untyped-def]
    """The most that a natural can pay where middle and back have both the `form`: STRAIGHT and FLUSH as bits."""
    most = slacks[0]
    if form & STRAIGHT:
        most = max(most, slacks[1])
    if form & FLUSH:
        most = max(most, slacks[2])
    return most


@piece
def write_board(board, cards, n, front, middle, back):  # type: ignore[no-untyped-def]
    """A board from three masks, each row from the highest card."""
    f, m, b = 0, 3, 8
    for k in range(n):
        if (front >> k) & 1:
            board[f] = cards[k]
            f += 1
        elif (middle >> k) & 1:
            board[m] = cards[k]
            m += 1
        elif (back >> k) & 1:
            board[b] = cards[k]
            b += 1

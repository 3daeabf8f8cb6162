"""A partial board as numbers for the net: what each row holds, what is live for it, how the rows stand to each other.

A feature is an index and a value; most of them are absent from a board, so they are kept as short lists. The features
of a row depend on this row (and on live cards) alone, which lets a street's many placements share them.
"""

from __future__ import annotations

from ingest.game.kernels import kernel, piece

# Where each kind of feature begins.
RANKS_HELD = (0, 39, 91)  # by row: 13 ranks x how often (3 in front, else 4)
LIVE_HELD = 143  # by row, 13 ranks: unseen copies of a rank that the row holds
LIVE = 182  # 13 ranks: unseen copies
FREE_SLOTS = 195  # by row, 6
SUITED = 213  # middle and back: 4 sizes of a row of one suit, then its unseen cards
STRAIGHT = 229  # middle and back: 4 sizes of a row that can become a straight, then how live it is
KIND = 245  # middle and back, 9 kinds of a full row
HIGHEST = 263  # middle and back: the highest card
ORDER = 265  # 3 pairs of rows x (stronger row has room, is full) x 4
KIND_SO_FAR = 289  # by row, 6 kinds of a row that has room
LIVE_SINGLES = 307  # by row: unseen copies of all ranks held once, twice, three times together
FEATURES = 316
# More than any board has.
MOST_FEATURES = 112

# Kinds of a row as it lies, weak to strong; straights and flushes only when it is full.
_PAIR, _TWO_PAIR, _TRIPS, _STRAIGHT, _FLUSH, _FULL_HOUSE, _QUADS, _STRAIGHT_FLUSH = range(1, 9)


@piece
def _straight_chance(bits, n, live_ranks):  # type: ignore[no-untyped-def]
    """How many sequences the ranks fit in, and the sum over them of the product of the missing ranks' live shares."""
    with_low_ace = (bits << 1) | (bits >> 12)
    windows, potential = 0, 0.0
    for bottom in range(10):
        inside = with_low_ace & (31 << bottom)
        held, chance = 0, 1.0
        for k in range(bottom, bottom + 5):
            if (inside >> k) & 1:
                held += 1
            else:
                chance *= live_ranks[(k + 12) % 13]
        if held == n:
            windows += 1
            potential += chance
    return windows, potential


@kernel
def row_features(row, cards, n, live_ranks, live_suits, index, value, count):  # type: ignore[no-untyped-def]
    """Append the features of a row of `n` cards; their new number and how strong the row is as it lies.

    `live_ranks` ``(13,)`` and `live_suits` ``(4,)``: unseen cards as shares of all of that rank or suit.
    """
    size = 3 if row == 0 else 5
    width = 3 if row == 0 else 4
    pairs = trips = quads = bits = 0
    pair_rank = trips_rank = quads_rank = highest = 0
    live_singles = live_pairs = live_trips = 0.0
    for a in range(n):
        rank = cards[a] >> 2
        bits |= 1 << rank
        highest = max(highest, rank)
        same = earlier = 0
        for b in range(n):
            equal = cards[b] >> 2 == rank
            same += equal
            earlier += equal and b < a
        if earlier:
            continue
        index[count], value[count] = RANKS_HELD[row] + rank * width + min(same, width) - 1, 1.0
        count += 1
        if n < size:
            index[count], value[count] = LIVE_HELD + row * 13 + rank, live_ranks[rank]
            count += 1
        if same == 1:
            live_singles += live_ranks[rank]
        elif same == 2:
            pairs, pair_rank = pairs + 1, max(pair_rank, rank)
            live_pairs += live_ranks[rank]
        elif same == 3:
            trips, trips_rank = 1, rank
            live_trips += live_ranks[rank]
        elif same > 3:
            quads, quads_rank = 1, rank
    index[count], value[count] = FREE_SLOTS + row * 6 + size - n, 1.0
    count += 1
    kind, kind_rank = 0, highest
    if quads:
        kind, kind_rank = _QUADS, quads_rank
    elif trips and pairs:
        kind, kind_rank = _FULL_HOUSE, trips_rank
    elif trips:
        kind, kind_rank = _TRIPS, trips_rank
    elif pairs:
        kind, kind_rank = min(pairs, 2), pair_rank
    if n < size:
        so_far = 5 if kind == _QUADS else 4 if kind == _FULL_HOUSE else kind
        index[count], value[count] = KIND_SO_FAR + row * 6 + so_far, 1.0
        index[count + 1], value[count + 1] = LIVE_SINGLES + row * 3, live_singles
        index[count + 2], value[count + 2] = LIVE_SINGLES + row * 3 + 1, live_pairs
        index[count + 3], value[count + 3] = LIVE_SINGLES + row * 3 + 2, live_trips
        count += 4
    if row == 0:
        return count, kind * 13 + kind_rank
    place = (row - 1) * 8
    if n >= 2:
        suit = cards[0] & 3
        suited = True
        for a in range(1, n):
            suited &= cards[a] & 3 == suit
        if suited:
            index[count], value[count] = SUITED + place + n - 2, 1.0
            index[count + 1], value[count + 1] = SUITED + place + 4 + n - 2, live_suits[suit]
            count += 2
        windows = 0
        if not (pairs or trips or quads):
            windows, potential = _straight_chance(bits, n, live_ranks)
            if windows:
                index[count], value[count] = STRAIGHT + place + n - 2, 1.0
                index[count + 1], value[count + 1] = STRAIGHT + place + 4 + n - 2, potential
                count += 2
        if n == 5:
            if suited and windows:
                kind, kind_rank = _STRAIGHT_FLUSH, highest
            elif suited:
                kind, kind_rank = _FLUSH, highest
            elif windows:
                kind, kind_rank = _STRAIGHT, highest
            index[count], value[count] = KIND + (row - 1) * 9 + kind, 1.0
            count += 1
    if n:
        index[count], value[count] = HIGHEST + row - 1, highest / 12
        count += 1
    return count, kind * 13 + kind_rank


@kernel
def order_features(front, middle, back, middle_full, back_full, index, value, count):  # type: ignore[no-untyped-def]
    """Append how the rows stand to each other, given how strong each is as it lies; the new number of features."""
    for pair in range(3):
        weaker = front if pair != 1 else middle
        stronger = middle if pair == 0 else back
        full = middle_full if pair == 0 else back_full
        place = ORDER + pair * 8 + (4 if full else 0)
        gap = stronger - weaker
        if gap < 0:
            index[count], value[count] = place, 1.0
            index[count + 1], value[count + 1] = place + 1, min(-gap, 39) / 39
            count += 2
        else:
            index[count], value[count] = place + 2, min(gap, 39) / 39
            count += 1
            if gap == 0:
                index[count], value[count] = place + 3, 1.0
                count += 1
    return count


@piece
def live_features(live_ranks, index, value, count):  # type: ignore[no-untyped-def]
    """Append the live ranks; the new number of features."""
    for rank in range(13):
        index[count], value[count] = LIVE + rank, live_ranks[rank]
        count += 1
    return count


@kernel
def board_features(board, rows, live_ranks, live_suits, index, value):  # type: ignore[no-untyped-def]
    """All features of a board; how many. `rows` ``(3, 5)`` is room to work in."""
    count = live_features(live_ranks, index, value, 0)
    front = middle = back = 0
    middle_full = back_full = False
    for row in range(3):
        start, stop = (0, 3) if row == 0 else (3, 8) if row == 1 else (8, 13)
        n = 0
        for slot in range(start, stop):
            if board[slot] < 52:
                rows[row, n] = board[slot]
                n += 1
        count, key = row_features(row, rows[row], n, live_ranks, live_suits, index, value, count)
        if row == 0:
            front = key
        elif row == 1:
            middle, middle_full = key, n == 5
        else:
            back, back_full = key, n == 5
    return order_features(front, middle, back, middle_full, back_full, index, value, count)

"""What a seat makes of what it sees: live cards, unseen cards, how each opponent's board is likely to end."""

from __future__ import annotations

import numpy as np

from ingest.game.compiled import FRONT_FLOOR, MIDDLE_ORDER, MIDDLE_QUALIFIED
from ingest.game.kernels import kernel, piece
from ingest.simulate.buckets import BUCKETS
from ingest.simulate.features import board_features
from ingest.simulate.net import LEGAL, add_features, run_heads


@kernel
def count_live(board, dealt, discards, others, decks, live_ranks, live_suits):  # type: ignore[no-untyped-def]
    """What a seat has not seen, as shares of each rank and suit."""
    live_ranks[:] = 4.0 * decks
    live_suits[:] = 13.0 * decks
    for cards in (board, dealt, discards):
        for card in cards:
            if card < 52:
                live_ranks[card >> 2] -= 1
                live_suits[card & 3] -= 1
    for o in range(others.shape[0]):
        for slot in range(13):
            card = others[o, slot]
            if card < 52:
                live_ranks[card >> 2] -= 1
                live_suits[card & 3] -= 1
    live_ranks /= np.float32(4.0 * decks)
    live_suits /= np.float32(13.0 * decks)


@kernel
def unseen_cards(board, dealt, discards, others, decks, pile):  # type: ignore[no-untyped-def]
    """All cards that a seat has not seen, into `pile`; how many."""
    left = np.full(52, decks, np.int64)
    for cards in (board, dealt, discards):
        for card in cards:
            if card < 52:
                left[card] -= 1
    for o in range(others.shape[0]):
        for card in others[o]:
            if card < 52:
                left[card] -= 1
    count = 0
    for card in range(52):
        for _ in range(left[card]):
            pile[count] = card
            count += 1
    return count


@kernel
def five_of(cards, plain, suited, triple, pair):  # type: ignore[no-untyped-def]
    """The strength of five cards."""
    place = np.int64(triple[((cards[0] >> 2) * 13 + (cards[1] >> 2)) * 13 + (cards[2] >> 2)]) * 91
    place += np.int64(pair[(cards[3] >> 2) * 13 + (cards[4] >> 2)])
    mixed = ((cards[0] ^ cards[1]) | (cards[0] ^ cards[2]) | (cards[0] ^ cards[3]) | (cards[0] ^ cards[4])) & 3
    return np.int64(plain[place]) if mixed else np.int64(suited[place])


@kernel
def three_of(cards, front, triple):  # type: ignore[no-untyped-def]
    """The strength of three cards in front."""
    return np.int64(front[triple[((cards[0] >> 2) * 13 + (cards[1] >> 2)) * 13 + (cards[2] >> 2)]])


@piece
def is_broken(f, m, b, fronts, fives, low):  # type: ignore[no-untyped-def]
    """Whether full rows already stand in an order that is not legal; strengths are -1 where there is room."""
    floor = fronts[max(f, 0), FRONT_FLOOR]
    if low:
        return (m >= 0 and fives[m, MIDDLE_QUALIFIED] == 0) or (f >= 0 and b >= 0 and b < floor)
    return (m >= 0 and b >= 0 and b < m) or (f >= 0 and m >= 0 and m < floor)


@kernel
def _full_rows(board, fives, tables, cards, strengths, known):  # type: ignore[no-untyped-def]
    """The strengths of full rows, and their places among all rows of their kind; -1 where there is room."""
    triple, pair, front, plain, suited = tables
    for row in range(3):
        start, size = (0, 3) if row == 0 else (5 * row - 2, 5)
        strengths[row] = known[row] = -1
        full = True
        for k in range(size):
            card = board[start + k]
            full &= card < 52
            cards[k] = card
        if full:
            strength = three_of(cards, front, triple) if row == 0 else five_of(cards, plain, suited, triple, pair)
            strengths[row] = strength
            known[row] = fives[strength, MIDDLE_ORDER] if row == 1 else strength


@kernel
def _guess(board, stage, net, room, o):  # type: ignore[no-untyped-def]
    """What the net says of an opponent's board."""
    hidden_weights, hidden_bias, heads, heads_bias, _ = net
    hidden, out, rows = room.hidden, room.heads, room.rows
    count = board_features(board, room.cards, room.live_ranks, room.live_suits, room.feature, room.value)
    hidden[:] = hidden_bias[stage]
    add_features(hidden_weights[stage], room.feature, room.value, 0, count, hidden)
    run_heads(hidden, heads[stage], heads_bias[stage], out)
    room.legal[o] = out[LEGAL] / (1 + out[LEGAL])
    for row in range(3):
        total = np.float32(0.0)
        for k in range(BUCKETS):
            total += out[row * BUCKETS + k]
        for k in range(BUCKETS):
            rows[o, row, k] = out[row * BUCKETS + k] / total


@kernel
def look_at_opponents(others, others_fantasyland, net, stakes, room):  # type: ignore[no-untyped-def]
    """Fill in how each opponent's rows are likely to end and the chances to beat them; full rows are known exactly."""
    bucket_front, bucket_middle, bucket_back = stakes.bucket
    fronts, fives, low, row_winner = stakes.fronts, stakes.fives, stakes.worths.low, stakes.worths.row_winner
    legal, rows, wins, known, denied = room.legal, room.rows, room.wins, room.known, room.denied
    strengths = np.empty(3, np.int64)
    for o in range(others.shape[0]):
        kind = others_fantasyland[o]
        placed = 0
        for slot in range(13):
            placed += others[o, slot] < 52
        if kind > 0 or placed < 5:
            legal[o] = stakes.crowd_legal[kind]
            rows[o] = stakes.crowd_rows[kind]
        else:
            _guess(others[o], net.stage_of[min(placed, 12)], net, room, o)
        _full_rows(others[o], fives, stakes.tables, room.cards[0], strengths, known[o])
        f, m, b = strengths
        if is_broken(f, m, b, fronts, fives, low):
            legal[o] = 0.0
            known[o] = -1
        else:
            if placed == 13:
                legal[o] = 1.0
            for row in range(3):
                if strengths[row] >= 0:
                    rows[o, row, :] = 0.0
                    bucket = bucket_front if row == 0 else bucket_middle if row == 1 else bucket_back
                    rows[o, row, bucket[strengths[row]]] = 1.0
        for row in range(3):
            below = kept = np.float32(0.0)
            for k in range(BUCKETS):
                wins[o, row, k] = below + rows[o, row, k] / 2
                below += rows[o, row, k]
                if row_winner:
                    royalty = legal[o] * rows[o, row, k] * stakes.royalties[row, k]
                    denied[o, row, k] = kept + royalty / 2
                    kept += royalty
    own = room.own
    own[:] = stakes.own
    if row_winner:
        for o in range(others.shape[0]):
            for row in range(3):
                for k in range(BUCKETS):
                    own[row, k] += stakes.royalties[row, k] * (1 - legal[o] + legal[o] * wins[o, row, k])
                    own[row, k] += denied[o, row, k]

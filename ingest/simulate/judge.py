"""What every placement of a street is worth: learned distributions of final rows, weighed by the rules at hand.

For a board that still has room, a small net says how likely it is to end legal, and as which bucket each row then
ends. For a full board there is nothing to guess. Opponents are seen the same way: what their open cards are likely to
become, or the crowd they belong to where they show nothing. All points come from `Stakes`, which are the compiled
rules in numbers; the net knows no rules, only a few numbers that say how much there is to gain from risk.
"""

from __future__ import annotations

import numpy as np

from ingest.game.kernels import kernel, piece
from ingest.simulate.ends import expected_worth, final_worth, natural_worth
from ingest.simulate.features import live_features, order_features, row_features
from ingest.simulate.last_cards import is_worked_out, worth_before_last
from ingest.simulate.net import LEGAL, add_features, run_heads
from ingest.simulate.room import MOST_WAYS, make_room
from ingest.simulate.sight import count_live, five_of, is_broken, look_at_opponents, three_of, unseen_cards

_NEVER = np.float32(-1e9)
# Before the last street placements so close behind the best are worked out exactly, in points from each opponent.
_CLOSE = np.float32(3.0)
# How many of them are worked out at most: by an agent in a hurry, by one who takes his time.
FEW, ALL = 4, MOST_WAYS


@kernel
def _row_part(row, chosen, board, dealt, weights, last, tables, live_ranks, live_suits, cards, index, value, part):  # type: ignore[no-untyped-def]
    """A row with some of the dealt cards (bits of `chosen`) added: what it adds to the hidden layer, into `part`.

    Returns its strength, -1 where it has room, and how strong it is as it lies.
    """
    start, size = (0, 3) if row == 0 else (5 * row - 2, 5)
    n = 0
    for slot in range(start, start + size):
        if board[slot] < 52:
            cards[n] = board[slot]
            n += 1
    for k in range(dealt.shape[0]):
        if (chosen >> k) & 1:
            cards[n] = dealt[k]
            n += 1
    strength = np.int64(-1)
    if n == size:
        triple, pair, front, plain, suited = tables
        strength = three_of(cards, front, triple) if row == 0 else five_of(cards, plain, suited, triple, pair)
    key = np.int64(0)
    if not last:
        count, key = row_features(row, cards, n, live_ranks, live_suits, index, value, 0)
        part[:] = 0.0
        add_features(weights, index, value, 0, count, part)
    return strength, key


@piece
def _is_odd_front(dealt, chosen):  # type: ignore[no-untyped-def]
    """Whether first cards put several cards in front that are not of one rank."""
    rank = 255
    for k in range(dealt.shape[0]):
        if (chosen >> k) & 1:
            if rank < 255 and dealt[k] >> 2 != rank:
                return True
            rank = dealt[k] >> 2
    return False


@kernel
def judge_street(board, dealt, unseen, ways, masks, narrow, exact, net, stakes, room, out):  # type: ignore[no-untyped-def]
    """The worth of every placement of one decision into `out` ``(ways,)``, far below 0 where it does not fit.

    `unseen`: the cards that may still come. `masks` ``(ways, 3)``: which dealt cards go to front, middle and back, as
    bits. With `narrow` the first street's placements of several unlike cards in front, which next to never are good,
    are not looked at. Before the last street up to `exact` of the best placements are worked out over all cards that
    may come. Live cards and opponents must be in the room already. Returns the best placement, -1 if none fits.
    """
    hidden_weights, hidden_bias, heads, heads_bias, stage_of = net
    looked_at, parts, keys, strengths = room.looked_at, room.parts, room.keys, room.strengths
    base, hidden, shares, index, value = room.base, room.hidden, room.heads, room.feature, room.value
    live_ranks, live_suits, cards, trial, mask = room.live_ranks, room.live_suits, room.cards, room.board, room.mask
    legal, rows, wins, known, denied = room.legal, room.rows, room.wins, room.known, room.denied
    worths, fronts, fives, own = stakes.worths, stakes.fronts, stakes.fives, room.own
    tables, natural_points = stakes.tables, stakes.natural_points
    bucket_front, bucket_middle, bucket_back = stakes.bucket
    any_natural = natural_points.any()
    free = np.zeros(3, np.int64)
    for slot in range(13):
        if board[slot] >= 52:
            free[0 if slot < 3 else 1 if slot < 8 else 2] += 1
    kept = 0
    for row in range(3):
        for k in range(dealt.shape[0]):
            kept += (masks[0, row] >> k) & 1
    placed = 13 - free.sum() + kept
    last = placed == 13
    stage = stage_of[min(placed, 12)]
    looked_at[:, :] = False
    if not last:
        base[:] = hidden_bias[stage]
        add_features(hidden_weights[stage], index, value, 0, live_features(live_ranks, index, value, 0), base)
    best, best_way = _NEVER, -1
    for w in range(ways.shape[0]):
        f, m, b = masks[w, 0], masks[w, 1], masks[w, 2]
        out[w] = _NEVER
        fits = True
        for row in range(3):
            need = 0
            for k in range(dealt.shape[0]):
                need += (masks[w, row] >> k) & 1
            fits &= need <= free[row]
        if not fits or (narrow and placed == kept and _is_odd_front(dealt, f)):
            continue
        for row in range(3):
            chosen = masks[w, row]
            if not looked_at[row, chosen]:
                looked_at[row, chosen] = True
                strengths[row, chosen], keys[row, chosen] = _row_part(
                    row, chosen, board, dealt, hidden_weights[stage], last, tables, live_ranks, live_suits,
                    cards[row], index, value, parts[row, chosen],
                )  # fmt: skip
        found = (strengths[0, f], strengths[1, m], strengths[2, b])
        if last:
            natural = np.float32(0.0)
            if any_natural:
                lay(board, dealt, ways[w], trial[0])
                natural = natural_worth(trial, natural_points, mask)
            worth = final_worth(found[0], found[1], found[2], natural, stakes, legal, rows, wins, known, denied)
        else:
            for j in range(hidden.shape[0]):
                hidden[j] = base[j] + parts[0, f, j] + parts[1, m, j] + parts[2, b, j]
            full = (found[1] >= 0, found[2] >= 0)
            count = order_features(keys[0, f], keys[1, m], keys[2, b], full[0], full[1], index, value, 0)
            add_features(hidden_weights[stage], index, value, 0, count, hidden)
            run_heads(hidden, heads[stage], heads_bias[stage], shares)
            if is_broken(found[0], found[1], found[2], fronts, fives, worths.low):
                shares[LEGAL] = 0.0
            worth = expected_worth(
                shares,
                bucket_front[found[0]] if found[0] >= 0 else -1,
                bucket_middle[found[1]] if found[1] >= 0 and shares[LEGAL] > 0 else -1,
                bucket_back[found[2]] if found[2] >= 0 else -1,
                own,
                legal,
                wins,
                worths,
            )
        out[w] = worth
        if worth > best:
            best, best_way = worth, w
    ends_next = 13 - placed == worths.last_kept and len(unseen) >= worths.last_dealt
    if exact > 0 and not last and ends_next and is_worked_out(worths.last_dealt, worths.last_kept):
        return _work_out(board, dealt, unseen, ways, best_way, exact, stakes, room, out)
    return best_way


@kernel
def _work_out(board, dealt, unseen, ways, best_way, exact, stakes, room, out):  # type: ignore[no-untyped-def]
    """Work out the best placements over all last cards, until one that was worked out is the best of all."""
    trial, done, last_dealt = room.board[0], room.exact, stakes.worths.last_dealt
    legal, rows, wins, known, denied, last = room.legal, room.rows, room.wins, room.known, room.denied, room.last
    close = out[best_way] - _CLOSE * stakes.worths.opponents
    done[: ways.shape[0]] = False
    count, best = 0, -1
    while True:
        # The likeliest of those that are close; with enough of them known, only one that looks better than all.
        top = -1
        for w in range(ways.shape[0]):
            if out[w] > _NEVER / 2 and not done[w] and (top < 0 or out[w] > out[top]):
                top = w
        if top < 0 or (best >= 0 and out[top] <= out[best] and (count >= exact or (exact < ALL and out[top] < close))):
            return best
        lay(board, dealt, ways[top], trial)
        out[top] = worth_before_last(trial, unseen, last_dealt, legal, rows, wins, known, denied, stakes, last)
        done[top] = True
        count += 1
        if best < 0 or out[top] > out[best] or (out[top] == out[best] and top < best):
            best = top


@kernel
def lay(board, dealt, way, out):  # type: ignore[no-untyped-def]
    """A board with a street's cards placed, into `out`."""
    out[:] = board
    for k in range(dealt.shape[0]):
        row = way[k]
        if row < 3:
            slot = 0 if row == 0 else 5 * row - 2
            while out[slot] < 52:
                slot += 1
            out[slot] = dealt[k]


@kernel
def judge_views(views, ways, masks, exact, net, stakes, out, best):  # type: ignore[no-untyped-def]
    """`judge_street` for many decisions: the worth of each placement ``(n, ways)`` and the best one ``(n,)``.

    `views`: the first five fields of Views.
    """
    boards, dealt, discards, others, others_fantasyland = views
    room = make_room(net.hidden.shape[2])
    decks = stakes.worths.decks
    pile = np.empty(52 * decks, np.uint8)
    for i in range(boards.shape[0]):
        count_live(boards[i], dealt[i], discards[i], others[i], decks, room.live_ranks, room.live_suits)
        look_at_opponents(others[i], others_fantasyland[i], net, stakes, room)
        unseen = pile[: unseen_cards(boards[i], dealt[i], discards[i], others[i], decks, pile)]
        best[i] = judge_street(boards[i], dealt[i], unseen, ways, masks, True, exact, net, stakes, room, out[i])

"""What every placement of a street is worth: learned distributions of final rows, weighed by the rules at hand.

For a board that still has room, a small net says how likely it is to end legal, and as which bucket each row then
ends. For a full board there is nothing to guess. Opponents are seen the same way: what their open cards are likely to
become, or the crowd they belong to where they show nothing. All points come from `Stakes`, which are the compiled
rules in numbers; the net knows no rules, only a few numbers that say how much there is to gain from risk.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.game.compiled import (
    BACK_ROYALTY,
    FRONT_FLOOR,
    FRONT_ROYALTY,
    MIDDLE_QUALIFIED,
    MIDDLE_ROYALTY,
)
from ingest.game.kernels import kernel, piece
from ingest.game.naturals import _masks
from ingest.game.pair import cards_given
from ingest.simulate.buckets import BUCKETS
from ingest.simulate.features import MOST_FEATURES, board_features, live_features, order_features, row_features
from ingest.simulate.last_cards import LastRoom, is_worked_out, make_last_room, pair_worth, worth_before_last

Floats = npt.NDArray[np.float32]

# Outputs of the net: three rows of BUCKETS, then the logit of ending legal.
HEADS = 3 * BUCKETS + 1
LEGAL = 3 * BUCKETS
MOST_OPPONENTS = 7
# Placements of one street, see `all_placements`.
MOST_WAYS = 256
_NEVER = np.float32(-1e9)
# Before the last street placements so close behind the best are worked out exactly, in points from each opponent.
_CLOSE = np.float32(3.0)
# How many of them are worked out at most: by an agent in a hurry, by one who takes his time.
FEW, ALL = 4, MOST_WAYS


class Net(NamedTuple):
    """Weights by stage; a stage is a number of cards placed."""

    hidden: Floats  # (stages, FEATURES, width)
    hidden_bias: Floats  # (stages, width), the context of the rules already in it
    heads: Floats  # (stages, width, HEADS)
    heads_bias: Floats  # (stages, HEADS)
    stage_of: npt.NDArray[np.int64]  # (14,) by cards placed


class Worths(NamedTuple):
    """The plain numbers of Stakes."""

    row: float
    scoop: float
    majority: float
    foul: float
    row_winner: bool
    low: bool
    moon: float  # 0: not played
    moon_end: int
    opponents: int
    decks: int
    last_dealt: int  # cards of the last street
    last_kept: int


class Stakes(NamedTuple):
    """A rule set at one size of table, as the kernels need it."""

    worths: Worths
    own: Floats  # (3, BUCKETS) royalties from all opponents and the value of Fantasyland, by bucket
    royalties: Floats  # (3, BUCKETS) royalties from one opponent
    crowd_legal: Floats  # (18,) by Fantasyland cards
    crowd_rows: Floats  # (18, 3, BUCKETS)
    fronts: npt.NDArray[np.int32]
    fives: npt.NDArray[np.int32]
    natural_points: Floats
    enter: tuple[npt.NDArray[np.int8], npt.NDArray[np.uint32], npt.NDArray[np.uint32], np.uint32]
    values: Floats  # (18,) of Fantasyland by cards
    bucket: tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.uint8]]  # by row
    within: tuple[Floats, Floats, Floats]  # share of the bucket below a strength, a tie counted half
    tables: tuple[npt.NDArray[np.uint16], ...]  # StrengthTables


class Room(NamedTuple):
    """Arrays to work in, one set for each thread."""

    legal: Floats  # (7,) of each opponent
    rows: Floats  # (7, 3, BUCKETS) how his rows end
    wins: Floats  # (7, 3, BUCKETS) chance to beat his row with a bucket
    live_ranks: Floats  # (13,)
    live_suits: Floats  # (4,)
    feature: npt.NDArray[np.int64]
    value: Floats
    cards: npt.NDArray[np.int64]  # (3, 5)
    base: Floats  # (width,)
    hidden: Floats  # (width,)
    parts: Floats  # (3, 32, width) what a row with some of the dealt cards adds to the hidden layer
    known: npt.NDArray[np.bool_]  # (3, 32)
    keys: npt.NDArray[np.int64]  # (3, 32) strength as it lies
    strengths: npt.NDArray[np.int64]  # (3, 32) strength of a full row, -1 where there is room
    heads: Floats  # (HEADS,)
    own: Floats  # (3, BUCKETS) what a bucket pays by itself, see Stakes
    board: npt.NDArray[np.uint8]  # (1, 13)
    mask: npt.NDArray[np.uint16]  # (1,)
    exact: npt.NDArray[np.bool_]  # (ways,) whether a placement was worked out over all last cards
    last: LastRoom


@kernel
def make_room(width):  # type: ignore[no-untyped-def]
    """Room for one thread; `width` is that of the hidden layer."""
    return Room(
        np.empty(MOST_OPPONENTS, np.float32),
        np.empty((MOST_OPPONENTS, 3, BUCKETS), np.float32),
        np.empty((MOST_OPPONENTS, 3, BUCKETS), np.float32),
        np.empty(13, np.float32),
        np.empty(4, np.float32),
        np.empty(MOST_FEATURES, np.int64),
        np.empty(MOST_FEATURES, np.float32),
        np.empty((3, 5), np.int64),
        np.empty(width, np.float32),
        np.empty(width, np.float32),
        np.empty((3, 32, width), np.float32),
        np.empty((3, 32), np.bool_),
        np.empty((3, 32), np.int64),
        np.empty((3, 32), np.int64),
        np.empty(HEADS, np.float32),
        np.empty((3, BUCKETS), np.float32),
        np.empty((1, 13), np.uint8),
        np.empty(1, np.uint16),
        np.empty(MOST_WAYS, np.bool_),
        make_last_room(),
    )


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


@piece
def _add(weights, index, value, start, stop, hidden):  # type: ignore[no-untyped-def]
    for k in range(start, stop):
        row, x = weights[index[k]], value[k]
        for j in range(hidden.shape[0]):
            hidden[j] += row[j] * x


@piece
def _exp(x):  # type: ignore[no-untyped-def]
    """e**x, near enough, by multiplications alone: the same on every machine. Right for -20 < x < 20."""
    y = max(np.float32(1.0) + x * np.float32(1.0 / 1024.0), np.float32(0.0))
    y *= y
    y *= y
    y *= y
    y *= y
    y *= y
    y *= y
    y *= y
    y *= y
    y *= y
    y *= y
    return y


@piece
def _run_heads(hidden, heads, bias, out):  # type: ignore[no-untyped-def]
    """From the hidden layer to weights: a row's buckets in proportion, the last output the odds to end legal."""
    out[:] = bias
    for j in range(hidden.shape[0]):
        x = hidden[j]
        if x > 0:
            row = heads[j]
            for k in range(HEADS):
                out[k] += row[k] * x
    for k in range(HEADS):
        out[k] = _exp(out[k])


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


@kernel
def look_at_opponents(others, others_fantasyland, net, stakes, room):  # type: ignore[no-untyped-def]
    """Fill in how each opponent's rows are likely to end and the chances to beat them."""
    triple, pair, front, plain, suited = stakes.tables
    hidden_weights, hidden_bias, heads, heads_bias, stage_of = net
    bucket_front, bucket_middle, bucket_back = stakes.bucket
    crowd_legal, crowd_rows = stakes.crowd_legal, stakes.crowd_rows
    live_ranks, live_suits, cards, hidden, out = room.live_ranks, room.live_suits, room.cards, room.hidden, room.heads
    legal, rows, wins = room.legal, room.rows, room.wins
    for o in range(others.shape[0]):
        kind = others_fantasyland[o]
        placed = 0
        for slot in range(13):
            placed += others[o, slot] < 52
        if kind > 0 or placed < 5:
            legal[o] = crowd_legal[kind]
            rows[o] = crowd_rows[kind]
        else:
            stage = stage_of[min(placed, 12)]
            count = board_features(others[o], cards, live_ranks, live_suits, room.feature, room.value)
            hidden[:] = hidden_bias[stage]
            _add(hidden_weights[stage], room.feature, room.value, 0, count, hidden)
            _run_heads(hidden, heads[stage], heads_bias[stage], out)
            legal[o] = out[LEGAL] / (1 + out[LEGAL])
            for row in range(3):
                total = np.float32(0.0)
                for k in range(BUCKETS):
                    total += out[row * BUCKETS + k]
                for k in range(BUCKETS):
                    rows[o, row, k] = out[row * BUCKETS + k] / total
            for row in range(3):
                start, size = (0, 3) if row == 0 else (5 * row - 2, 5)
                full = True
                for k in range(size):
                    card = others[o, start + k]
                    full &= card < 52
                    cards[0, k] = card
                if not full:
                    continue
                if row == 0:
                    bucket = bucket_front[three_of(cards[0], front, triple)]
                else:
                    strength = five_of(cards[0], plain, suited, triple, pair)
                    bucket = bucket_middle[strength] if row == 1 else bucket_back[strength]
                if bucket < BUCKETS:
                    rows[o, row, :] = 0.0
                    rows[o, row, bucket] = 1.0
                else:
                    legal[o] = 0.0
        for row in range(3):
            below = np.float32(0.0)
            for k in range(BUCKETS):
                wins[o, row, k] = below + rows[o, row, k] / 2
                below += rows[o, row, k]
    own = room.own
    own[:] = stakes.own
    if stakes.worths.row_winner:
        for o in range(others.shape[0]):
            for row in range(3):
                for k in range(BUCKETS):
                    own[row, k] += stakes.royalties[row, k] * (1 - legal[o] + legal[o] * wins[o, row, k])


@piece
def _mean(out, row, full, values):  # type: ignore[no-untyped-def]
    """The mean of a number by bucket over how a row ends; `full`: the bucket of a full row, -1 where there is room."""
    if full >= 0:
        return values[full]
    total = weight = np.float32(0.0)
    for k in range(BUCKETS):
        weight += out[row * BUCKETS + k]
        total += out[row * BUCKETS + k] * values[k]
    return total / weight


@piece
def _means(out, row, full, own, wins):  # type: ignore[no-untyped-def]
    """`_mean` of two numbers at once."""
    if full >= 0:
        return own[full], wins[full]
    first = second = weight = np.float32(0.0)
    for k in range(BUCKETS):
        x = out[row * BUCKETS + k]
        weight += x
        first += x * own[k]
        second += x * wins[k]
    weight = np.float32(1.0) / weight
    return first * weight, second * weight


@kernel
def _expected(out, front, middle, back, own, legal, wins, worths):  # type: ignore[no-untyped-def]
    """The worth of a board that ends as `out` says; `front`, `middle`, `back`: buckets of full rows, -1 with room."""
    x, f = _means(out, 0, front, own[0], wins[0, 0])
    y, m = _means(out, 1, middle, own[1], wins[0, 1])
    z, b = _means(out, 2, back, own[2], wins[0, 2])
    total = x + y + z + pair_worth(f, m, b, legal[0], worths.row, worths.scoop, worths.majority, worths.foul)
    faced = legal[0]
    for o in range(1, worths.opponents):
        f = _mean(out, 0, front, wins[o, 0])
        m = _mean(out, 1, middle, wins[o, 1])
        b = _mean(out, 2, back, wins[o, 2])
        total += pair_worth(f, m, b, legal[o], worths.row, worths.scoop, worths.majority, worths.foul)
        faced += legal[o]
    chance = out[LEGAL] / (1 + out[LEGAL])
    return chance * total - (1 - chance) * faced * worths.foul


@piece
def _chance(o, row, strength, bucket, within, rows, wins):  # type: ignore[no-untyped-def]
    """The chance to beat an opponent's row with a strength."""
    k = bucket[strength]
    return wins[o, row, k] + rows[o, row, k] * (within[strength] - np.float32(0.5))


@kernel
def final_worth(f, m, b, natural, fronts, fives, bucket, within, enter, values, legal, rows, wins, worths):  # type: ignore[no-untyped-def]
    """The worth of a full board with these strengths, `natural`: what its natural pays from each opponent."""
    bucket_front, bucket_middle, bucket_back = bucket
    within_front, within_middle, within_back = within
    floor = fronts[f, FRONT_FLOOR]
    in_low_order = b >= floor and fives[m, MIDDLE_QUALIFIED] == 1
    ordered = in_low_order if worths.low else b >= m and m >= floor
    total = np.float32(0.0)
    if not ordered:
        for o in range(worths.opponents):
            total -= legal[o] * worths.foul
        return total
    met_cards, met_front, met_five, no_royalty = enter
    given = cards_given(met_cards, met_front, met_five, no_royalty, f, m, b, 0)
    if given > 0:
        total += values[given]
    total += natural * worths.opponents
    if worths.moon > 0 and b < worths.moon_end:
        return total + worths.moon * worths.opponents
    front, middle, back = fronts[f, FRONT_ROYALTY], fives[m, MIDDLE_ROYALTY], fives[b, BACK_ROYALTY]
    for o in range(worths.opponents):
        x = _chance(o, 0, f, bucket_front, within_front, rows, wins)
        y = _chance(o, 1, m, bucket_middle, within_middle, rows, wins)
        z = _chance(o, 2, b, bucket_back, within_back, rows, wins)
        total += pair_worth(x, y, z, legal[o], worths.row, worths.scoop, worths.majority, worths.foul)
        if worths.row_winner:
            lost = 1 - legal[o]
            total += front * (lost + legal[o] * x) + middle * (lost + legal[o] * y) + back * (lost + legal[o] * z)
        else:
            total += front + middle + back
    return total


@kernel
def natural_worth(board, natural_points, mask):  # type: ignore[no-untyped-def]
    """What the best natural of a full board ``(1, 13)`` pays from each opponent."""
    _masks(board, mask)
    best = np.float32(0.0)
    for k in range(natural_points.shape[0]):
        if (mask[0] >> k) & 1:
            best = max(best, natural_points[k])
    return best


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
        _add(weights, index, value, 0, count, part)
    return strength, key


@piece
def _is_broken(f, m, b, bucket_middle, fronts, low):  # type: ignore[no-untyped-def]
    """Whether full rows already stand in an order that is not legal; strengths are -1 where there is room."""
    floor = fronts[max(f, 0), FRONT_FLOOR]
    if low:
        return (m >= 0 and bucket_middle[m] >= BUCKETS) or (f >= 0 and b >= 0 and b < floor)
    return (m >= 0 and b >= 0 and b < m) or (f >= 0 and m >= 0 and m < floor)


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
    known, parts, keys, strengths = room.known, room.parts, room.keys, room.strengths
    base, hidden, shares, index, value = room.base, room.hidden, room.heads, room.feature, room.value
    live_ranks, live_suits, cards, trial, mask = room.live_ranks, room.live_suits, room.cards, room.board, room.mask
    legal, rows, wins = room.legal, room.rows, room.wins
    worths, fronts, fives, own = stakes.worths, stakes.fronts, stakes.fives, room.own
    bucket, within, enter, values, tables = stakes.bucket, stakes.within, stakes.enter, stakes.values, stakes.tables
    bucket_front, bucket_middle, bucket_back = bucket
    natural_points = stakes.natural_points
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
    known[:, :] = False
    if not last:
        base[:] = hidden_bias[stage]
        _add(hidden_weights[stage], index, value, 0, live_features(live_ranks, index, value, 0), base)
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
            if not known[row, chosen]:
                known[row, chosen] = True
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
            worth = final_worth(
                found[0], found[1], found[2], natural, fronts, fives, bucket, within, enter, values, legal, rows,
                wins, worths,
            )  # fmt: skip
        else:
            for j in range(hidden.shape[0]):
                hidden[j] = base[j] + parts[0, f, j] + parts[1, m, j] + parts[2, b, j]
            full = (found[1] >= 0, found[2] >= 0)
            count = order_features(keys[0, f], keys[1, m], keys[2, b], full[0], full[1], index, value, 0)
            _add(hidden_weights[stage], index, value, 0, count, hidden)
            _run_heads(hidden, heads[stage], heads_bias[stage], shares)
            if _is_broken(found[0], found[1], found[2], bucket_middle, fronts, worths.low):
                shares[LEGAL] = 0.0
            worth = _expected(
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
    legal, rows, wins, last = room.legal, room.rows, room.wins, room.last
    close = out[best_way] - _CLOSE * stakes.worths.opponents
    done[: ways.shape[0]] = False
    count, top = 0, best_way
    while True:
        # The likeliest of those that are close; with enough of them known, only one that looks better than all.
        top = -1
        for w in range(ways.shape[0]):
            if out[w] > _NEVER / 2 and not done[w] and (top < 0 or out[w] > out[top]):
                top = w
        best = -1
        for w in range(ways.shape[0]):
            if done[w] and (best < 0 or out[w] > out[best]):
                best = w
        if top < 0 or (best >= 0 and out[top] <= out[best] and (count >= exact or (exact < ALL and out[top] < close))):
            return best
        lay(board, dealt, ways[top], trial)
        out[top] = worth_before_last(trial, unseen, last_dealt, legal, rows, wins, stakes, last)
        done[top] = True
        count += 1


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

"""Keys made from content, so that the same logs give the same keys in whatever order they come.

A key is a signed 64-bit integer: the first 8 bytes of BLAKE2b over the parts, each ended by a zero byte. Among
ten million hands the chance that any two share a key is about one in 400,000.
"""

from __future__ import annotations

from hashlib import blake2b

from ingest.hand import Hand


def make_key(*parts: str) -> int:
    """The key of a list of texts."""
    text = "\0".join(parts) + "\0"
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def hand_key(site: str, hand_id: str) -> int:
    """The key of a hand that has an id."""
    return make_key("hand", site, hand_id)


def nameless_hand_key(hand: Hand) -> int:
    """The key of a hand without an id: from its players in acting order, their boards, who is in Fantasyland.

    Where no board is known, the time, number and points stand in for the cards.
    """
    parts = ["deal", hand.site]
    for seat in hand.seats:
        parts += [seat.player, bytes(seat.board).hex(), str(int(seat.fantasyland != 0))]
    if hand.status == "results_only":
        parts += [str(hand.session), str(hand.number), str(hand.started_at), str(hand.ended_at)]
        parts += [str(seat.points) for seat in hand.seats]
    return make_key(*parts)


def session_key(site: str, session: str) -> int:
    """The key of a session that the source names."""
    return make_key("session", site, session)


def source_key(sha256: str) -> int:
    """The key of a source, from the hash of its content."""
    return make_key("source", sha256)


def unread_key(name: str) -> int:
    """The key of a source that nothing could be read of, from its name."""
    return make_key("unread", name)

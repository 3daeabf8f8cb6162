"""Sessions: as the source names them, or cut where a table paused for long."""

from __future__ import annotations

from functools import lru_cache

import polars as pl

from ingest.keys import session_key
from ingest.store import Store

# A source that names no sessions: hands of the same players at one site belong together until they pause this long.
# Half an hour is longer than any hand and shorter than a night's sleep; `ofc ingest --session-gap` sets another.
DEFAULT_GAP_MINUTES = 30
GAP_FACT = "session_gap"


@lru_cache(1 << 16)
def _stated(site: str, session: str) -> int:
    return session_key(site, session)


def stated_sessions(hands: pl.DataFrame) -> pl.Series:
    """The session keys of hands; where the source names no session, 0 until `cut_sessions` finds one."""
    keys = [
        0 if session is None else _stated(site, session)
        for site, session in zip(hands["site"], hands["session_id"], strict=True)
    ]
    return pl.Series(keys, dtype=pl.Int64)


def gap_minutes(store: Store) -> int:
    """The pause that ends a session, in minutes."""
    return int(store.fact(GAP_FACT) or DEFAULT_GAP_MINUTES)


def cut_sessions(store: Store) -> None:
    """Bring `sessions` up to date: cut those that no source names, and count all of them again.

    The key of a cut session is that of its first hand, so it depends on the hands alone. Hands without a time are a
    session of their own.
    """
    gap = gap_minutes(store)
    store.connection.execute(
        f"""
        WITH tables AS (
            SELECT hand_key, played_at, hand_no, row(played_at IS NULL, site, list(player ORDER BY player)) AS players
            FROM hands JOIN seats USING (hand_key)
            WHERE session_id IS NULL GROUP BY hand_key, site, played_at, hand_no
        ), pauses AS (
            SELECT *,
                coalesce(played_at - lag(played_at) OVER by_time > INTERVAL {gap} MINUTE, FALSE) AS begins
            FROM tables WINDOW by_time AS (PARTITION BY players ORDER BY played_at, hand_no, hand_key)
        ), numbered AS (
            SELECT *, count_if(begins) OVER (PARTITION BY players ORDER BY played_at, hand_no, hand_key) AS nth
            FROM pauses
        ), cut AS (
            SELECT hand_key, first_value(hand_key) OVER (
                PARTITION BY players, nth ORDER BY played_at, hand_no, hand_key) AS session_key
            FROM numbered
        )
        UPDATE hands SET session_key = cut.session_key FROM cut
        WHERE hands.hand_key = cut.hand_key AND hands.session_key <> cut.session_key
        """
    )
    store.connection.execute("DELETE FROM sessions")
    store.connection.execute(
        "INSERT INTO sessions SELECT session_key, any_value(site), any_value(session_id), min(played_at), "
        "max(played_at), count(*) FROM hands GROUP BY session_key"
    )

"""Counts in words: ``1 hand``, ``2,400 hands``."""

from __future__ import annotations

import re

_FIRST_PLURAL = re.compile(r"\b([a-z]+)s\b")


def counted(number: int, things: str) -> str:
    """``counted(1, "legal boards")`` is ``1 legal board``. `things`: plural, the noun its first word that ends in s."""
    return f"{number:,} " + (_FIRST_PLURAL.sub(r"\1", things, count=1) if number == 1 else things)

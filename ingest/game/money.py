"""Decimal amounts as text, and as whole numbers of a common unit for the kernels."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import Decimal

from ingest.game.errors import OFCError, shown

_PLAIN = re.compile(r"[+-]?[0-9]{1,15}(\.[0-9]{1,9})?")
# Amounts have at most 15 digits before and 9 behind the point.
MOST_DECIMALS = 9


def parse_amount(value: object, what: str) -> Decimal:
    """An amount of money or chips out of a record: a decimal text, or a whole number. Raises OFCError."""
    if isinstance(value, float) and math.isfinite(value):
        text = f"{Decimal(repr(value)):f}"  # never with an exponent
    else:
        text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    if not _PLAIN.fullmatch(text):
        raise OFCError(
            f'expected {what} to be a decimal number such as "2.50", with up to 15 digits before the point '
            f"and {MOST_DECIMALS} behind it, got {shown(value)}"
        )
    return Decimal(text)


def format_amount(amount: Decimal) -> str:
    """Plain notation without trailing zeros: ``12.5``, ``-3``, ``0``."""
    if amount == 0:
        return "0"
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def decimals(amounts: Iterable[Decimal]) -> int:
    """How many digits behind the point the amounts need at most."""
    return max((max(0, -int(amount.as_tuple().exponent)) for amount in amounts), default=0)

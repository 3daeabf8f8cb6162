"""Numbers as people and spreadsheets write them: ``1.234,50``, ``1 234.5``, ``€12,50``, ``0.9PHP``, ``-0.0``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from ingest.rejects import BadRecord

# Signs that stand for one currency; $ and ¥ stand for several and are kept as they are.
_SIGNS = {"€": "EUR", "£": "GBP", "₹": "INR", "₽": "RUB", "R$": "BRL", "₿": "BTC", "₩": "KRW", "₱": "PHP"}
_AMOUNT = re.compile(
    r"(?P<before>[^\d\s.,+\-−()]{0,5})\s*(?P<sign>[+\-−]?)\s*(?P<again>[^\d\s.,+\-−()]{0,5})\s*"
    r"(?P<number>\d[\d.,'’]*|[.,]\d+)\s*(?P<after>[^\d\s.,+\-−()]{0,5})"
)
# Digits in groups of three, or as in India of two before the last three; or none before the decimals.
_WHOLE = re.compile(r"\d*|\d{1,3}(?:([.,])\d{2,3}(?:\1\d{2,3})*)?(?<=[.,]\d{3})")
_SPACES = re.compile(r"(?<=\d)[\s\u00a0\u202f](?=\d{3}(?:\D|$))")


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """How a text writes numbers: what stands before the decimals. None: nothing in it tells."""

    decimal: str | None

    def parse(self, text: str, what: str) -> tuple[Decimal, str | None]:
        """A number and the currency glued to it. Raises BadRecord where it is none or may be two numbers."""
        found = _match(text)
        if found is None:
            raise BadRecord("bad_number", f"expected {what} to be a number, got {text!r}")
        signs = [part for part in (found["before"], found["again"], found["after"]) if part]
        digits = self._plain(found["number"].replace("'", "").replace("’", ""), text, what)
        negative = found["sign"] in ("-", "−") or (text.strip().startswith("(") and text.strip().endswith(")"))
        value = Decimal(digits)
        return (-value if negative and value else value), _currency(signs, text, what)

    def _plain(self, digits: str, text: str, what: str) -> str:
        """The digits with a point before the decimals and nothing else."""
        decimal = certain_decimal(digits)
        if decimal == "?":
            decimal = self.decimal
            if decimal is None:
                raise BadRecord(
                    "bad_number",
                    f"expected {what} without doubt, got {text!r}: thousands or decimals cannot be told apart",
                )
        whole, _, decimals = digits.partition(decimal) if decimal else (digits, "", "")
        if not _WHOLE.fullmatch(whole) or not (decimals == "" or decimals.isdecimal()):
            raise BadRecord("bad_number", f"expected {what} to be a number, got {text!r}")
        return f"{whole.replace('.', '').replace(',', '') or '0'}.{decimals or '0'}"


def _match(text: str) -> re.Match[str] | None:
    inner = text.strip().strip("\u00a0\u202f")
    if inner.startswith("(") and inner.endswith(")"):  # how accountants write what was lost
        inner = inner[1:-1]
    return _AMOUNT.fullmatch(_SPACES.sub("", inner))


def certain_decimal(digits: str) -> str | None:
    """What stands before the decimals of one number: a sign, None for a whole number, ``?`` where it cannot be told."""
    points, commas = digits.count("."), digits.count(",")
    if points and commas:
        return "." if digits.rindex(".") > digits.rindex(",") else ","
    sign, count = (".", points) if points else (",", commas)
    if count == 0:
        return None
    if count > 1:  # 1.234.567: thousands
        return "," if sign == "." else "."
    before, after = digits.split(sign)
    return "?" if len(after) == 3 and before not in ("", "0") else sign


def style_of(texts: Iterable[str], default: str | None = None) -> NumberStyle:
    """How numbers are written, from those of them that leave no doubt; `default` where none tells."""
    found = set()
    for text in texts:
        match = _match(text)
        sign = certain_decimal(match["number"]) if match else None
        if sign in (".", ","):
            found.add(sign)
    return NumberStyle(found.pop() if len(found) == 1 else default if not found else None)


def _currency(signs: list[str], text: str, what: str) -> str | None:
    if len(signs) > 1:
        raise BadRecord("bad_number", f"expected {what} in one currency, got {text!r}")
    if not signs:
        return None
    return _SIGNS.get(signs[0], signs[0].upper())

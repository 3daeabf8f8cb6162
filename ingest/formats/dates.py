"""Dates and times as people and spreadsheets write them, in one order of day and month for a whole file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from ingest.rejects import BadRecord

_NUMBERS = re.compile(
    r"(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})(?:[ T,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([AaPp][Mm])?)?"
)


def day_first(texts: Iterable[str]) -> bool | None:
    """Whether days stand before months in dates that do not begin with a year; None where no date tells."""
    found = set()
    for text in texts:
        match = _NUMBERS.fullmatch(text.strip())
        if match is None or len(match[1]) == 4:
            continue
        first, second = int(match[1]), int(match[2])
        if "." in text.split()[0] or first > 12:  # points between the numbers: day first, everywhere
            found.add(True)
        elif second > 12:
            found.add(False)
    return found.pop() if len(found) == 1 else None


def parse_time(text: str, zone: ZoneInfo, days_first: bool | None) -> datetime:
    """A time in UTC; one without a zone is taken to be in `zone`. Raises BadRecord."""
    text = text.strip()
    try:
        match = _NUMBERS.fullmatch(text)
        if match is None or len(match[1]) == 4:
            found = datetime.fromisoformat(_padded(match) if match else text)
        else:
            found = _from_parts(match, days_first, text)
        return (found if found.tzinfo else found.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadRecord("bad_time", f"expected a date such as 2026-01-31 or 31.01.2026 20:15, got {text!r}") from None


def _padded(match: re.Match[str]) -> str:
    """A date that begins with its year, with all digits that ISO 8601 asks for."""
    date = f"{match[1]}-{int(match[2]):02d}-{int(match[3]):02d}"
    return f"{date} {_clock(match)}" if match[4] else date


def _clock(match: re.Match[str]) -> str:
    hour = int(match[4])
    if match[7]:
        hour = hour % 12 + (12 if match[7].lower() == "pm" else 0)
    return f"{hour:02d}:{match[5]}:{match[6] or '00'}"


def _from_parts(match: re.Match[str], days_first: bool | None, text: str) -> datetime:
    if days_first is None:
        raise BadRecord(
            "bad_time",
            f"expected a date without doubt, got {text!r}: day and month cannot be told apart; write 2026-01-31",
        )
    day, month = (match[1], match[2]) if days_first else (match[2], match[1])
    year = int(match[3]) + (2000 if len(match[3]) == 2 else 0)
    date = f"{year:04d}-{int(month):02d}-{int(day):02d}"
    return datetime.fromisoformat(f"{date} {_clock(match)}" if match[4] else date)

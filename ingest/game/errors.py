"""The errors that a user may meet: each says what was expected and shows what came.

The command line prints the message without a stack trace and exits with `exit_code`.
"""

from __future__ import annotations

import re

# What came is shown whole up to this many characters: a message stays one readable line whatever it is about.
_MOST_SHOWN = 160
# Characters that would break a line, turn it around or command the terminal.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class OFCError(Exception):
    """Base of all errors of this program; exit code 2 unless a subclass says otherwise."""

    exit_code = 2


class CardError(OFCError):
    """A text that should be a card, or a board, is not one."""


class RuleError(OFCError):
    """A rule file or a change to a rule set is not valid."""


def known(names: object) -> str:
    """The known values as one readable list, for the end of an error message."""
    return ", ".join(str(name) for name in names)  # type: ignore[attr-defined]


def shown(value: object) -> str:
    """What came, for the end of an error message: one line, cut where it is long, None as ``nothing``."""
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "true", False: "false"}[value]
    try:
        text = repr(value)
    except RecursionError:
        text = f"a {type(value).__name__} in a great many others"
    return plain(text, _MOST_SHOWN)


def plain(text: str, most: int | None = None) -> str:
    """A text from outside as one line that is safe to print, cut to `most` characters."""
    if most is not None and len(text) > most:
        text = f"{text[: most - 1]}…"
    return _UNPRINTABLE.sub("\ufffd", text)

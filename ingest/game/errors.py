"""The errors that a user may meet: each says what was expected and shows what came.

The command line prints the message without a stack trace and exits with `exit_code`.
"""

from __future__ import annotations


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

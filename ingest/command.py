"""Commands whose help says what a value is (FILE, NAME, N), not what Python calls its type.

Each option that takes a value names it by `metavar`; here the types of all others are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup

Function = TypeVar("Function", bound=Callable[..., Any])


def _nothing(ctx: Any) -> str:
    return ""


def _without_types(parameters: list[Any]) -> list[Any]:
    for parameter in parameters:
        if isinstance(parameter, TyperArgument):
            # Its name, which stands in front, says what it is.
            parameter.display_type_rich = _nothing  # type: ignore[method-assign]
        elif parameter.is_flag:
            parameter.metavar = ""
    return parameters


class Command(TyperCommand):
    """One command."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters, with the one that asks for help."""
        return _without_types(super().get_params(ctx))


class Group(TyperGroup):
    """A command with commands below it."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters, with the one that asks for help."""
        return _without_types(super().get_params(ctx))


class Commands(typer.Typer):
    """Where commands are gathered."""

    def __init__(self, **how: Any) -> None:
        super().__init__(cls=Group, **how)

    def command(self, name: str | None = None, **how: Any) -> Callable[[Function], Function]:
        """Make a function a command."""
        return super().command(name, cls=Command, **how)

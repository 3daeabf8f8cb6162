"""Tables on the command line: as wide as the terminal, and never cut where they are written to a file or a pipe."""

from __future__ import annotations

from rich.console import Console, RenderableType

# Wide enough for every table of ours; nothing is padded to it.
_PIPE_WIDTH = 240


def print_wide(*blocks: RenderableType) -> None:
    """Write tables and texts to standard output."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_PIPE_WIDTH)
    console.print(*blocks)

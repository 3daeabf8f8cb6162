"""Tables on the command line: never cut, neither by a narrow terminal nor where they go to a file or a pipe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.table import Column, Table

# Wide enough for every table of ours; nothing is padded to it.
_PIPE_WIDTH = 240
# Words wrap, so a column of them can do with less than its longest cell; names of rows had better not.
_ENOUGH_FOR_NAMES = (24, 20, 16)
_ENOUGH_FOR_WORDS = 12
_GAP = 2


def print_wide(*blocks: RenderableType) -> None:
    """Write tables and texts to standard output; a table wider than the terminal comes in parts, one below another."""
    console = _output()
    for block in blocks:
        if isinstance(block, Table):
            _print_table(console, block)
        else:
            console.print(block)


def fits(table: Table) -> bool:
    """Whether a table can be written to standard output with no cell wrapped."""
    console = _output()
    return Measurement.get(console, console.options.update(width=_PIPE_WIDTH), table).maximum <= console.width


def _output() -> Console:
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=_PIPE_WIDTH)


def _print_table(console: Console, table: Table) -> None:
    wide = console.options.update(width=_PIPE_WIDTH)
    has_numbers = any(column.justify == "right" for column in table.columns)
    if not has_numbers or Measurement.get(console, wide, table).maximum <= console.width:
        console.print(table)
        return
    names, *rest = (_needed_width(console, column) for column in table.columns)
    others = [
        need if column.justify == "right" else min(need, _ENOUGH_FOR_WORDS)
        for need, column in zip(rest, table.columns[1:], strict=True)
    ]
    tries = [[min(names, enough), *others] for enough in _ENOUGH_FOR_NAMES]
    needs = min(tries, key=lambda needs: len(list(_parts(needs, console.width))))
    for i, chosen in enumerate(_parts(needs, console.width)):
        if i:
            console.print()
        spare = console.width - sum(needs[k] + _GAP for k in chosen) + _GAP
        console.print(_part_of(table, chosen, needs, max(spare, 0), titled=i == 0))


def _needed_width(console: Console, column: Column) -> int:
    """What a column asks for: its cells whole, of its heading the longest word."""
    wide = console.options.update(width=_PIPE_WIDTH)
    cells = max((Measurement.get(console, wide, cell).maximum for cell in column.cells), default=0)
    return max(cells, Measurement.get(console, wide, column.header).minimum)


def _parts(needs: Sequence[int], width: int) -> Iterator[list[int]]:
    """Which columns stand side by side; the first, which names the rows, stands in every part."""
    chosen = [0]
    for k in range(1, len(needs)):
        if len(chosen) > 1 and sum(needs[i] + _GAP for i in chosen) + needs[k] > width:
            yield chosen
            chosen = [0]
        chosen.append(k)
    yield chosen


def _part_of(table: Table, chosen: Sequence[int], needs: Sequence[int], spare: int, *, titled: bool) -> Table:
    part = Table(
        title=table.title if titled else None,
        title_justify=table.title_justify,
        box=table.box,
        header_style=table.header_style,
        pad_edge=table.pad_edge,
    )
    for k in chosen:
        column = table.columns[k]
        part.add_column(
            column.header,
            justify=column.justify,
            no_wrap=column.no_wrap,
            width=needs[k] if column.justify == "right" else None,
            max_width=needs[k] + spare if column.no_wrap else None,
        )
    cells = [list(table.columns[k].cells) for k in chosen]
    for row, values in zip(table.rows, zip(*cells, strict=True), strict=True):
        part.add_row(*values, style=row.style, end_section=row.end_section)
    return part

"""One self-contained HTML page: tables and charts inside, nothing loaded from anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from ingest.game.errors import OFCError

# Grey and blue that can be read on white and on black; the page follows the reader's system.
INK, LINE, ACCENT, SECOND = "#8a8f98", "rgba(138,143,152,0.25)", "#3b82c4", "#d9822b"
SERIES = (ACCENT, SECOND, "#2f9e76", "#b6619c", "#a37c00", INK)
_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
td { white-space: pre; } td.words { white-space: pre-line; min-width: 6rem; }
td.words:last-child { min-width: 14rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid #8886; vertical-align: top; }
th.words, td.words { text-align: left; }
tr.small td { opacity: .55; }
@media (max-width: 40rem) { table { font-size: .9rem; } th, td { padding: .2rem .35rem; } }
.scroll { overflow-x: auto; } .note { opacity: .75; } code { overflow-wrap: anywhere; }
"""


@dataclass(frozen=True)
class Line:
    """One line of a table; `small`: few data, so shown in grey."""

    cells: tuple[str, ...]
    small: bool = False


@dataclass(frozen=True)
class Block:
    """A heading, if any, with what stands below it: a table, charts, sentences. All texts are plain, never HTML."""

    title: str
    notes: Sequence[str] = ()
    head: tuple[str, ...] = ()
    lines: Sequence[Line] = ()
    words: tuple[int, ...] = (0,)  # columns of words, which stand to the left
    charts: Sequence[go.Figure] = ()


@dataclass(frozen=True)
class Page:
    """What a page says: how to make it again, by which seed, under which rule sets."""

    title: str
    command: str
    seed: int
    rule_sets: Sequence[str]
    blocks: Sequence[Block] = field(default_factory=list)


def new_chart(across: str, up: str) -> go.Figure:
    """An empty chart with named axes, legible in light and dark."""
    chart = go.Figure()
    chart.update_layout(
        template="none",
        height=380,
        margin={"l": 10, "r": 20, "t": 20, "b": 10},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"color": INK, "family": "system-ui, sans-serif"},
        colorway=SERIES,
        # Above the chart, where it covers neither the name of the axis nor its numbers.
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
    )
    axis = {"gridcolor": LINE, "zerolinecolor": INK, "automargin": True}
    chart.update_xaxes(title={"text": across, "standoff": 8}, **axis)
    chart.update_yaxes(title={"text": up, "standoff": 8}, **axis)
    return chart


def render(page: Page) -> str:
    """The page as HTML."""
    blocks = "\n".join(_block(block) for block in page.blocks)
    rules = ", ".join(page.rule_sets) or "as played"
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(page.title)}</title><style>{_STYLE}</style>
<script>{get_plotlyjs()}</script></head>
<body>
<h1>{escape(page.title)}</h1>
<p class="note">Rule sets: {escape(rules)}. Seed: {page.seed}.<br>Made by <code>{escape(page.command)}</code></p>
{blocks}
</body>
</html>
"""


def _block(block: Block) -> str:
    parts = [f"<h2>{escape(block.title)}</h2>"] if block.title else []
    if block.lines:
        parts.append(_table(block))
    for chart in block.charts:
        parts.append(_chart(chart))
    parts += [f'<p class="note">{escape(note)}</p>' for note in block.notes]
    return "\n".join(parts)


def _table(block: Block) -> str:
    head = "".join(_cell("th", name, place in block.words) for place, name in enumerate(block.head))
    lines = []
    for line in block.lines:
        cells = "".join(_cell("td", cell, place in block.words) for place, cell in enumerate(line.cells))
        lines.append(f'<tr class="small">{cells}</tr>' if line.small else f"<tr>{cells}</tr>")
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'


def _cell(tag: str, text: str, words: bool) -> str:
    return f'<{tag} class="words">{escape(text)}</{tag}>' if words else f"<{tag}>{escape(text)}</{tag}>"


def _chart(chart: go.Figure) -> str:
    config: dict[str, Any] = {"displayModeBar": False, "responsive": True}
    # to_html writes < and > in names as \\u003c and \\u003e, so no name ends the script.
    drawn: str = chart.to_html(full_html=False, include_plotlyjs=False, config=config)
    return drawn


def write_page(page: Page, path: Path) -> None:
    """Write the page. Raises OFCError where it cannot be written."""
    try:
        path.write_text(render(page), "utf-8")
    except OSError as error:
        raise OFCError(f"expected to write {path}, got: {error.strerror or error}") from None

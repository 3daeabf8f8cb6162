"""A board drawn as an SVG picture: three rows of cards on felt, readable on a light and on a dark page.

Pictures are shown through ``<img>``, where no script runs; names are escaped all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ingest.game.board import EMPTY, ROW_SIZES, ROW_SLICES, ROWS
from ingest.game.cards import CARD_COUNT, CARD_NAMES, UNKNOWN

_CARD_WIDTH, _CARD_HEIGHT, _GAP = 46, 62, 6
_EDGE, _HEAD, _NOTE_WIDTH = 14, 34, 168
_WIDTH = 2 * _EDGE + 5 * _CARD_WIDTH + 4 * _GAP
_HEIGHT = _HEAD + 3 * (_CARD_HEIGHT + _GAP) + _EDGE - _GAP
_FONT = "font-family=\"'Source Sans 3', 'Source Sans Pro', 'Segoe UI', Roboto, Helvetica, Arial, sans-serif\""

# Four colours, as card rooms offer them: the suits differ by shape and by colour.
_SUIT_COLOURS = {"c": "#14804a", "d": "#1767c0", "h": "#c62828", "s": "#1c2430"}
# Drawn in a box of 24 by 24, so that no font of the reader's matters.
_SUIT_SHAPES = {
    "c": '<circle cx="12" cy="7" r="4.7"/><circle cx="6.7" cy="14" r="4.7"/><circle cx="17.3" cy="14" r="4.7"/>'
    '<path d="M10.8 11h2.4c0 5 .7 8.600 2.500 11H8.300c1.800-2.400 2.500-6 2.500-11z"/>',
    "d": '<path d="M12 1.500 20 12 12 22.500 4 12z"/>',
    "h": '<path d="M12 21.500C4.500 15 2 11.500 2 7.900 2 5 4.200 2.800 7 2.800c2.100 0 4 1.200 5 3 1-1.800 2.900-3 '
    '5-3 2.800 0 5 2.200 5 5.100 0 3.600-2.500 7.100-10 13.600z"/>',
    "s": '<path d="M12 1.500c2 4.700 9 8.300 9 13 0 2.600-1.900 4.400-4.300 4.400-1.600 0-3-.800-3.700-2 .1 2.200.8 4 '
    "2.500 5.600h-7c1.700-1.600 2.400-3.400 2.500-5.600"
    '-.700 1.200-2.100 2-3.700 2C4.900 18.900 3 17.100 3 14.500c0-4.700 7-8.300 9-13z"/>',
}


def _text(x: float, y: float, size: int, colour: str, content: str, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}" {_FONT} {more}>{escape(content)}</text>'


def _blank(x: float, y: float, style: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{_CARD_WIDTH}" height="{_CARD_HEIGHT}" rx="6" {style}/>'


def _card(card: int, x: float, y: float) -> str:
    if card == EMPTY:
        return _blank(x, y, 'fill="none" stroke="#ffffff" stroke-opacity="0.35" stroke-dasharray="4 4"')
    if card == UNKNOWN:
        back = _blank(x, y, 'fill="#38506b" stroke="#f4f6f8" stroke-width="2"')
        return back + _text(x + _CARD_WIDTH / 2, y + 39, 22, "#dfe7ef", "?", 'text-anchor="middle"')
    face = _blank(x, y, 'fill="#fdfdfb" stroke="#0a0f0d" stroke-opacity="0.25"')
    name = CARD_NAMES[card]
    if card >= CARD_COUNT:
        return face + _text(x + _CARD_WIDTH / 2, y + 38, 20, "#6a3d9a", name, 'text-anchor="middle" font-weight="700"')
    rank, suit = name[0], name[1]
    colour = _SUIT_COLOURS[suit]
    shown = "10" if rank == "T" else rank
    return (
        face
        + _text(x + 7, y + 25, 23, colour, shown, 'font-weight="700"')
        + f'<g transform="translate({x + 15:g} {y + 30:g}) scale(1.1)" fill="{colour}">{_SUIT_SHAPES[suit]}</g>'
    )


def _rows(board: Sequence[int], notes: Sequence[str]) -> Iterator[str]:
    for number, name in enumerate(ROWS):
        y = _HEAD + number * (_CARD_HEIGHT + _GAP)
        indent = (5 - ROW_SIZES[number]) * (_CARD_WIDTH + _GAP) / 2
        for place, card in enumerate(board[ROW_SLICES[name]]):
            yield _card(int(card), _EDGE + indent + place * (_CARD_WIDTH + _GAP), y)
        if any(notes):
            x = _WIDTH + 2
            yield _text(x, y + 27, 13, "#a9c9bb", name)
            yield _text(x, y + 46, 15, "#ffffff", notes[number])


def board_svg(board: Sequence[int], title: str = "", notes: Sequence[str] = ("", "", ""), tag: str = "") -> str:
    """A board as SVG.

    `board`: 13 slots as in `ingest.game.board`. `title` stands above it on the left, `tag` on the right (fouled,
    Fantasyland), `notes` beside front, middle and back (what the row is and pays).
    """
    width = _WIDTH + (_NOTE_WIDTH if any(notes) else 0)
    described = escape(title or "a board", quote=True)
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_HEIGHT}" width="{width}" '
            f'height="{_HEIGHT}" role="img" aria-label="{described}">',
            f'<rect width="{width}" height="{_HEIGHT}" rx="12" fill="#12513c"/>',
            _text(_EDGE, 23, 15, "#ffffff", title, 'font-weight="600"') if title else "",
            _text(width - _EDGE, 23, 14, "#ffd48a", tag, 'text-anchor="end" font-weight="600"') if tag else "",
            *_rows(board, notes),
            "</svg>",
        )
    )

"""The colours of the charts and their template: one that reads on a light and on a dark page.

Streamlit does not run a page again when its reader switches between light and dark, so a chart cannot be drawn for
one of the two. Every colour here keeps a contrast of about 3 to 1 or more to both backgrounds of
``.streamlit/config.toml``; the colour of text is the page's own, which Streamlit's frontend puts into the template.
"""

from __future__ import annotations

import plotly.graph_objects as go

BLUE, VERMILION, GREEN, PURPLE, GOLD, GREY = "#1f83c4", "#d55e00", "#07976c", "#b6619c", "#a37c00", "#7b858f"
# After Okabe and Ito: neighbours differ in lightness too, so that they stay apart for the colour-blind and in print.
SERIES = (BLUE, VERMILION, GREEN, PURPLE, GOLD, GREY)
GAIN, LOSS, NEUTRAL = BLUE, VERMILION, GREY
# The three rows of a board keep their colours on every page.
ROW_COLOURS = {"front": PURPLE, "middle": GREEN, "back": BLUE}

_GRID = "rgba(127, 137, 147, 0.22)"
_LINE = "rgba(127, 137, 147, 0.55)"


def _axis() -> dict[str, object]:
    return {
        "automargin": True,
        "gridcolor": _GRID,
        "linecolor": _LINE,
        "zerolinecolor": _LINE,
        "zerolinewidth": 1,
        "showline": False,
        "ticks": "",
        "title": {"standoff": 10},
    }


TEMPLATE = go.layout.Template(
    layout={
        "colorway": list(SERIES),
        "font": {"family": "'Source Sans', 'Source Sans Pro', 'Source Sans 3', system-ui, sans-serif", "size": 14},
        "paper_bgcolor": "rgba(0, 0, 0, 0)",
        "plot_bgcolor": "rgba(0, 0, 0, 0)",
        "xaxis": _axis(),
        "yaxis": _axis(),
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "title": {"text": ""}},
        "hoverlabel": {"bgcolor": "#1d2b25", "bordercolor": "#1d2b25", "font": {"color": "#f2f6f4", "size": 13}},
        "separators": ".,",
        "dragmode": False,
    }
)

# What the browser's Plotly is told: no link to its maker, and pictures as SVG.
CONFIG = {
    "displaylogo": False,
    "displayModeBar": False,
    "scrollZoom": False,
    "toImageButtonOptions": {"format": "svg", "filename": "ofclab"},
}

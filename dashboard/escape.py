"""Text that others wrote (names of players, sites, files), made harmless where the page would read it as markup.

Streamlit reads Markdown in headings, captions, messages and cells of `st.table`: a name such as ``![](http://x/y.png)``
would fetch a picture from elsewhere. Plotly reads a little HTML in every label.
"""

from __future__ import annotations

import html
import re

# Everything that opens a construct of Markdown, Streamlit's :icons: and $formulas$ included.
_MARKUP = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])")
# What would be made a link although its signs are escaped: broken up by a sign of no width.
_LINKS = re.compile(r"(?<=http:)(?=//)|(?<=https:)(?=//)|(?<=www)(?=\.)|(?<=@)", re.IGNORECASE)
_NO_WIDTH = "\u2060"
_BREAKS = re.compile(r"[\x00-\x1f\x7f]+")


def markdown(text: object) -> str:
    """`text` so that Markdown shows it as it is, on one line."""
    return _MARKUP.sub(r"\\\1", _LINKS.sub(_NO_WIDTH, _BREAKS.sub(" ", str(text))))


def label(text: object) -> str:
    """`text` so that Plotly shows it as it is, on one line."""
    return html.escape(_BREAKS.sub(" ", str(text)), quote=False)

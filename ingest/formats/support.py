"""The formats as a table in Markdown, for the README: made from the registry, so that it cannot say anything else."""

from __future__ import annotations

from ingest.formats import FORMATS, Format, phh

# How far each reader was tried: on what, and what came of it.
TRIED = {
    "ofc-hh": "round trips of generated hands",
    "collector": "217 real hands of three apps; every one of the 98 results that two of them state agrees",
    "swc-hand": "invented hands in the shape that a tracker writes",
    "swc-raw": "invented captures",
    "poker-arena": "7 public hands of bots; all points, fouls and Fantasylands agree",
    "swc-chat": "invented chat",
    "ledger": "invented tables in several languages",
    "boards": "invented boards",
    "mapped": "invented tables",
}


def support_table() -> str:
    """One row for each format: what it is, how it is recognised, what it holds, how far it was tried."""
    lines = ["| format | name | holds | ways | tried on |", "|---|---|---|---|---|"]
    lines += [_row(form.TITLE, form.NAME, form.HOLDS, _ways(form), TRIED[form.NAME]) for form in FORMATS]
    lines.append(_row(phh.TITLE, phh.NAME, phh.HOLDS, "write", "an export read by a TOML parser"))
    return "\n".join(lines)


def _ways(form: Format) -> str:
    return "read, write" if form.WRITES else "read"


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

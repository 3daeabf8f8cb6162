"""Golden outputs: what each sample log is understood as, as lines of our own format that a person can read.

After a change that is meant, write them anew with ``OFC_WRITE_GOLDEN=1 pytest tests/test_formats_golden.py`` and read
the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import orjson
import pytest

from ingest.chunk import Entries
from ingest.formats import FORMATS, ofc_hh, recognise
from ingest.formats.options import ReadOptions
from ingest.rejects import Reject
from ingest.text import LogText

SAMPLES = Path(__file__).parents[1] / "data" / "samples"
GOLDEN = Path(__file__).parent / "golden" / "formats"
NAMES = sorted(path.name for path in SAMPLES.iterdir() if not path.name.endswith(".ofc.jsonl"))


def understood(path: Path) -> tuple[str, str]:
    """The name of the format, and what it makes of a log: a line for each hand, entry and reject."""
    rejects: list[Reject] = []
    lines = []
    with path.open("rb") as stream:
        text = LogText(stream, path.name)
        form, _ = recognise(text.head, ReadOptions())
        assert form is not None
        for chunk in form.read(text, rejects.append, ReadOptions()):
            if isinstance(chunk, Entries):
                for entry in chunk.entries:
                    fields = {name: str(getattr(entry, name)) for name in entry.__slots__}
                    lines.append(orjson.dumps(fields).decode())
            else:
                batch, bad = chunk.columns()
                assert bad == []
                lines += [f"{hand.position} {ofc_hh.format_hand(hand)}" for hand in batch.to_hands()]
    lines += [f"{reject.position} {reject.outcome} {reject.reason}: {reject.message}" for reject in rejects]
    return form.NAME, "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", NAMES)
def test_samples_are_understood_as_ever(name: str) -> None:
    form, lines = understood(SAMPLES / name)
    golden = GOLDEN / f"{name}.{form}.jsonl"
    if os.environ.get("OFC_WRITE_GOLDEN"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(lines, "utf-8")
    expected = golden.read_text("utf-8").splitlines()
    for number, (got, wanted) in enumerate(zip(lines.splitlines(), expected, strict=True), start=1):
        assert got == wanted, f"{golden.name} line {number}"


def test_there_is_a_sample_of_every_format() -> None:
    seen = {understood(SAMPLES / name)[0] for name in NAMES}
    assert seen | {"mapped", "ofc-hh"} == {form.NAME for form in FORMATS}


def test_a_sample_is_of_one_format_only() -> None:
    for name in NAMES:
        head = LogText((SAMPLES / name).open("rb"), name).head
        assert len([form.NAME for form in FORMATS if form.sniff(head)]) == 1, name

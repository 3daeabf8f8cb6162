"""The bytes of a log as text, whatever wrote them."""

from __future__ import annotations

import io

import pytest

from ingest import text as texts
from ingest.formats.json_stream import is_cut_off, read_objects
from ingest.rejects import Reject
from ingest.text import LogText, TextError, decode, utf16_name


def log(data: bytes, start: int = 0) -> LogText:
    return LogText(io.BytesIO(data), "log", start)


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_lines_in_any_encoding(codec: str) -> None:
    told = "erste: zwölf ♠\r\nsecond\n\nlast, with no end"
    lines = list(log(told.encode(codec)).lines())
    assert [line.text for line in lines] == ["erste: zwölf ♠", "second", "", "last, with no end"]
    assert [line.ended for line in lines] == [True, True, True, False]


def test_positions_are_bytes_of_the_file() -> None:
    data = b"\xef\xbb\xbfone\r\ntwo\xc3\xb6\nthree"
    lines = list(log(data).lines())
    assert [data[line.position :].split(b"\n")[0].strip() for line in lines] == [b"one", b"two\xc3\xb6", b"three"]
    assert [line.text for line in log(data, lines[1].position).lines()] == ["twoö", "three"]
    assert log(data).plain
    assert not log("x".encode("utf-16")).plain


def test_long_texts_come_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "BLOCK", 1 << 12)
    told = "".join(f"{number} ü {'x' * (number % 97)}\n" for number in range(5_000))
    for codec in ("utf-8", "utf-16"):
        assert "".join(f"{line.text}\n" for line in log(told.encode(codec)).lines()) == told
    monkeypatch.setattr(texts, "LONGEST_LINE", 1 << 14)
    with pytest.raises(TextError, match="expected lines"):
        list(log(b"x" * (1 << 18)).lines())
    with pytest.raises(TextError, match="expected at most"):
        log(b"x" * (1 << 18)).whole(1 << 14)


def test_junk_and_western_bytes() -> None:
    assert decode(b"a\x00b\x1a") == "ab"
    assert decode("zwölf €".encode("cp1252")) == "zwölf €"
    assert decode(b"\x81\x8d") == "\ufffd\ufffd"
    assert utf16_name(b"\x00\x00\x00\x00\x00\x00\x00\x00") is None
    assert utf16_name(b"plain text") is None


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        (b'{"a": 1', True),
        (b'{"a": "}', True),
        (b'{"a": [1, 2', True),
        (b'{"a": "\\"', True),
        (b"{}", False),
        (b"x", False),
    ],
)
def test_what_is_cut_off(text: bytes, cut: bool) -> None:
    assert is_cut_off(text) is cut


def test_objects_over_the_edges_of_blocks() -> None:
    text = b"".join(b'{"m": %d, "t": "}{"}' % number + b" \n" * (number % 3) for number in range(50))
    for size in (1, 2, 3, 7, 64, 1000):
        rejects: list[Reject] = []
        blocks = [text[at : at + size] for at in range(0, len(text), size)]
        found = list(read_objects(blocks, 0, "m", rejects.append))
        assert rejects == []
        assert [each.data["m"] for each in found] == list(range(50))
        assert all(text[each.position :].startswith(each.raw.strip()) for each in found)

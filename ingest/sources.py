"""What is to be read: files, folders, archives and standard input, as sources that open to a stream of bytes."""

from __future__ import annotations

import gzip
import hashlib
import io
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import zstandard

from ingest.game.errors import OFCError

# What a packed file may unpack to, and how many members an archive may have: more is a trap or a mistake.
MOST_UNPACKED = 1 << 32
MOST_MEMBERS = 20_000
GZIP, ZSTD, ZIP = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"
# Databases and what we keep beside them are no logs.
_NOT_LOGS = {".duckdb", ".wal", ".lock", ".snapshots", ".key"}


class SourceError(OFCError):
    """A path that cannot be read as a source."""


@dataclass(frozen=True, slots=True)
class Source:
    """Something to read: `name` as shown, `size` in bytes as stored, `plain` if it is a file that may grow.

    `asked` is True where the user named it himself, False where it was found in a folder.
    """

    name: str
    size: int
    open: Callable[[], BinaryIO]
    plain: bool = False
    asked: bool = True

    def sha256(self, most: int | None = None) -> tuple[str, int]:
        """The SHA-256 of the unpacked content (of its first `most` bytes) in hex, and its size in bytes."""
        digest = hashlib.sha256()
        size = 0
        with self.open() as stream:
            while data := stream.read(1 << 20 if most is None else min(1 << 20, most - size)):
                digest.update(data)
                size += len(data)
        return digest.hexdigest(), size


class _Bounded(io.RawIOBase):
    """A stream that refuses to unpack to more than MOST_UNPACKED bytes."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._name = name
        self._left = MOST_UNPACKED

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast(bytearray, buffer))
        try:
            data = self._stream.read(len(view))
        except (OSError, EOFError, zstandard.ZstdError, zipfile.BadZipFile, zlib.error) as error:
            raise SourceError(f"expected a whole archive, got {error} in {self._name}") from None
        self._left -= len(data)
        if self._left < 0:
            raise SourceError(f"expected at most {MOST_UNPACKED >> 30} gigabytes unpacked, got more in {self._name}")
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()


def _unpacked(stream: io.BufferedReader, name: str) -> io.BufferedReader:
    """The stream itself, or what is packed in it by gzip or Zstandard."""
    magic = stream.peek(4)[:4]
    if magic[:2] == GZIP:
        return io.BufferedReader(_Bounded(cast(BinaryIO, gzip.GzipFile(fileobj=stream)), name))
    if magic == ZSTD:
        reader = zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True)
        return io.BufferedReader(_Bounded(cast(BinaryIO, reader), name))
    return stream


def find_sources(paths: Iterable[str], on_problem: Callable[[str, str], None]) -> Iterator[Source]:
    """The sources under files, folders, archives and ``-``; folders in the order of names.

    `on_problem(name, sentence)` is called for a path that holds none.
    """
    for path in paths:
        if path == "-":
            yield _standard_input()
            continue
        # A file is known by its whole path, from wherever the program is called.
        place = Path(path).absolute()
        if place.is_dir():
            yield from _folder(place, on_problem)
        elif place.exists():
            yield from _file(place, True, on_problem)
        else:
            on_problem(path, "expected a file or a folder, found nothing of that name")


def _folder(folder: Path, on_problem: Callable[[str, str], None]) -> Iterator[Source]:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and is_log(path.relative_to(folder))]
    if not files:
        on_problem(str(folder), "expected a folder with logs in it, found no file")
    for path in files:
        yield from _file(path, False, on_problem)


def is_log(path: Path) -> bool:
    """Whether a file found in a folder may be a log: hidden files, databases and what lies beside them are not."""
    return not any(part.startswith(".") or Path(part).suffix in _NOT_LOGS for part in path.parts)


def _file(path: Path, asked: bool, on_problem: Callable[[str, str], None]) -> Iterator[Source]:
    try:
        with path.open("rb") as stream:
            magic = stream.read(4)
        size = path.stat().st_size
    except OSError as error:
        on_problem(str(path), f"expected a file that can be read, got: {error.strerror}")
        return
    if magic == ZIP:
        yield from _members(path, asked, on_problem)
        return
    packed = magic[:2] == GZIP or magic == ZSTD

    def opened() -> BinaryIO:
        stream = path.open("rb")
        return _unpacked(stream, str(path)) if packed else stream

    yield Source(str(path), size, opened, plain=not packed, asked=asked)


def _members(path: Path, asked: bool, on_problem: Callable[[str, str], None]) -> Iterator[Source]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [info for info in archive.infolist() if not info.is_dir()]
    except (zipfile.BadZipFile, OSError) as error:
        on_problem(str(path), f"expected a zip archive, got a damaged one: {error}")
        return
    if len(members) > MOST_MEMBERS or sum(info.file_size for info in members) > MOST_UNPACKED:
        on_problem(
            str(path),
            f"expected at most {MOST_MEMBERS} members and {MOST_UNPACKED >> 30} gigabytes unpacked, "
            f"got {len(members)} members and {sum(info.file_size for info in members):,} bytes",
        )
        return
    if not members:
        on_problem(str(path), "expected an archive with logs in it, found no member")
    for info in sorted(members, key=lambda info: info.filename):
        name = f"{path}/{info.filename}"
        if not any(part.startswith((".", "__MACOSX")) for part in Path(info.filename).parts):
            yield Source(name, info.file_size, _member_opener(path, info, name), asked=asked)


def _member_opener(path: Path, info: zipfile.ZipInfo, name: str) -> Callable[[], BinaryIO]:
    def opened() -> BinaryIO:
        archive = zipfile.ZipFile(path)
        try:
            member = archive.open(info)
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError) as error:
            archive.close()
            raise SourceError(f"expected a readable member, got {error} in {name}") from None
        archive.close()  # the open member keeps the file; this only gives up the handle of ours
        return _unpacked(io.BufferedReader(_Bounded(cast(BinaryIO, member), name)), name)

    return opened


def _standard_input() -> Source:
    """What comes on standard input, kept in a temporary file because it is read twice."""
    spool = tempfile.TemporaryFile()  # noqa: SIM115 (lives as long as the source)
    while data := sys.stdin.buffer.read(1 << 20):
        spool.write(data)
    spool.flush()
    size = spool.tell()

    def opened() -> BinaryIO:
        copy = open(spool.fileno(), "rb", closefd=False)  # noqa: SIM115 (the caller closes it)
        copy.seek(0)
        return _unpacked(copy, "-")

    return Source("-", size, opened)

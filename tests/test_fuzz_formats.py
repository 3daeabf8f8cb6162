"""Damaged logs: never an exception that is not ours, never an impossible hand, never a lost neighbour.

Every sample is damaged at random, a fixed number of times here and many more with ``-m full``.
"""

from __future__ import annotations

import io
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ingest.check import check
from ingest.chunk import Entries
from ingest.formats import Format, mapped, recognise
from ingest.formats.mapping import TableMapping, load_mapping
from ingest.formats.options import ReadOptions
from ingest.game.board import EMPTY
from ingest.game.cards import UNKNOWN
from ingest.game.errors import OFCError
from ingest.hand import Hand
from ingest.rejects import REASONS, Reject
from ingest.text import LogText
from tests.logs import ask, collector_text, load, record

SAMPLES = Path(__file__).parents[1] / "data" / "samples"
NAMES = [
    "boards.txt",
    "collector-pppoker.hh",
    "collector-spartan.hh",
    "ledger.csv",
    "poker-arena.ofc-progressive.jsonl",
    "swc-dealer-chat.txt",
    "swc-hand_900000418.json",
    "swc-raw_messages.jsonl",
    "pineapple-2-7.ofc.jsonl",
]
# What programs, editors and disks put into files.
TOKENS = [
    *(b"{", b"}", b"[", b"]", b'"', b"\\", b",", b":", b"/", b"\n", b"\r\n", b"\n\n\n", b"\x00", b"\x1a", b"\xff"),
    *(b"\xe2\x99", b"\xef\xbb\xbf", b"null", b"true", b"NaN", b"-0.0", b"1e400", b"99999999999999999999"),
    *(b"Kh", b"X1", b"??", b"10h", b'{"handData": {"x": []}}', b'{"hand":1,"seats":["a"]}', b'"v":"ofc-hh/1"'),
    b"Hand #1 finished - a: 1, b: -1",
]
FEW, MANY = 60, 2_000


def damaged(data: bytes, rng: random.Random) -> bytes:
    """A text with one to three random damages."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(len(data) + 1)
        to = min(len(data), at + rng.choice((1, 1, 3, 20, 300)))
        part = data[at:to]
        kind = rng.randrange(6)
        if kind == 0:
            data = data[:at] + data[to:]
        elif kind == 1:
            data = data[:at] + rng.choice(TOKENS) + data[at:]
        elif kind == 2:
            data = data[:at] + bytes(byte ^ (1 << rng.randrange(8)) for byte in part) + data[to:]
        elif kind == 3:
            elsewhere = rng.randrange(len(data) + 1)
            data = data[:elsewhere] + part + data[elsewhere:]
        elif kind == 4:
            data = data[:at] + rng.choice(TOKENS) + data[to:]
        else:
            data = data.replace(part or b"1", rng.choice(TOKENS), 1)
    return data


def understood(
    form: Format, data: bytes, name: str, options: ReadOptions
) -> tuple[list[Hand], list[Any], list[Reject]]:
    """The hands that would be stored, the ledger entries, and what was rejected while reading."""
    rejects: list[Reject] = []
    hands: list[Hand] = []
    entries: list[Any] = []
    try:
        for chunk in form.read(LogText(io.BytesIO(data), name), rejects.append, options):
            if isinstance(chunk, Entries):
                entries += chunk.entries
                continue
            checked = check(chunk)
            assert len(chunk.raw) == len(checked.kept)
            assert all(reason in REASONS and message for _, reason, message in checked.bad)
            hands += checked.batch.to_hands()
    except OFCError as error:
        if not str(error).startswith("expected"):
            raise
    assert all(reject.reason in REASONS and reject.message and reject.position >= 0 for reject in rejects)
    return hands, entries, rejects


def verify_possible(hand: Hand) -> None:
    """Nothing in a stored hand that no deal can give; written anew, without the loader's own checks."""
    cards = Counter(card for seat in hand.seats for card in seat.board)
    cards.update(card for action in hand.actions for card in action.discard)
    del cards[EMPTY], cards[UNKNOWN]
    decks = 2 if hand.decks == 2 or "double" in (hand.rules or "") else 1
    assert all(card < 54 and count <= decks for card, count in cards.items())
    for number, seat in enumerate(hand.seats):
        assert seat.player
        assert len(seat.board) == 13
        assert seat.fantasyland in (-1, 0, 13, 14, 15, 16, 17)
        placed = Counter(
            card for a in hand.actions if a.seat == number for row in (a.front, a.middle, a.back) for card in row
        )
        unknown = seat.board.count(UNKNOWN)
        assert sum((placed - Counter(seat.board)).values()) <= unknown
    assert all(action.seat < len(hand.seats) for action in hand.actions)


def sample(name: str) -> tuple[Format, bytes]:
    data = (SAMPLES / name).read_bytes()
    if name.endswith(".ofc.jsonl"):
        data = b"".join(data.splitlines(keepends=True)[:6])
    form, _ = recognise(data[:60_000], ReadOptions())
    assert form is not None
    return form, data


def damage_anywhere(name: str, rounds: range) -> None:
    form, data = sample(name)
    for seed in rounds:
        bad = damaged(data, random.Random(f"{name} {seed}"))
        try:
            hands, _, _ = understood(form, bad, name, ReadOptions())
            for hand in hands:
                verify_possible(hand)
            recognise(bad[:60_000], ReadOptions())
        except Exception as error:
            error.add_note(f"seed {seed} of {name}")
            raise


@pytest.mark.parametrize("name", NAMES)
def test_damage_anywhere(name: str) -> None:
    damage_anywhere(name, range(FEW))


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_damage_anywhere_many_times(name: str) -> None:
    damage_anywhere(name, range(FEW, MANY))


def parts(name: str, data: bytes) -> list[tuple[int, int]]:
    """Where the records of a sample begin and end, without what stands between them."""
    form, _ = sample(name)
    found = []
    for chunk in form.read(LogText(io.BytesIO(data), name), [].append, ReadOptions()):
        positions = [e.position for e in chunk.entries] if isinstance(chunk, Entries) else check(chunk).positions
        found += [(start, start + len(raw)) for start, raw in zip(positions, chunk.raw, strict=True)]
    assert all(data[start:end].strip() for start, end in found)
    return found


def damage_one_record(name: str, rounds: range) -> None:
    """Damage a single record: all others must be understood as before."""
    form, data = sample(name)
    places = parts(name, data)
    assert len(places) > 2

    def told(text: bytes) -> set[str]:
        hands, entries, _ = understood(form, text, name, ReadOptions())
        return {_story(each) for each in [*hands, *entries]}

    whole = told(data)
    for seed in rounds:
        rng = random.Random(f"{name} one {seed}")
        start, end = rng.choice(places)
        without = told(data[:start] + data[end:])
        bad = data[:start] + damaged(data[start:end], rng) + data[end:]
        lost = (whole & without) - told(bad)
        assert not lost, f"seed {seed} of {name} at {start}: {sorted(lost)[:1]}"


def _story(told: Any) -> str:
    """What a hand or an entry tells, without where it stands and what its neighbours tell of it."""
    if not isinstance(told, Hand):
        return repr([getattr(told, field) for field in told.__slots__ if field != "position"])
    return repr([told.site, told.id, told.number, [(s.player, s.points, s.board) for s in told.seats], told.actions])


ONE_BY_ONE = [name for name in NAMES if name not in ("swc-hand_900000418.json", "swc-raw_messages.jsonl")]


@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_damage_to_one_record_costs_no_neighbour(name: str) -> None:
    damage_one_record(name, range(FEW))


@pytest.mark.full
@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_damage_to_one_record_costs_no_neighbour_many_times(name: str) -> None:
    damage_one_record(name, range(FEW, MANY))


@pytest.fixture(scope="module")
def mapping(tmp_path_factory: pytest.TempPathFactory) -> TableMapping:
    file = tmp_path_factory.mktemp("map") / "m.toml"
    file.write_text('[columns]\nhand = "h"\nplayer = "p"\nboard = "b"\npoints = "x"\nnet = "n"\nended_at = "t"\n')
    return load_mapping(file)


def test_damaged_tables_of_ones_own(mapping: TableMapping) -> None:
    rows = "".join(
        f"{hand},{name},KhKd5s/9c9h4d4sJc/QsQd7hQh7c,{hand},1.5,2026-01-0{hand + 1}\n"
        for hand in range(4)
        for name in "ab"
    )
    data = ("h,p,b,x,n,t\n" + rows).replace("b,KhKd5s/9c9h4d4sJc/QsQd7hQh7c", "b,As8c6d/5h5dTc2sTh/JsJd3c3dJh").encode()
    for seed in range(FEW):
        for hand in understood(mapped, damaged(data, random.Random(seed)), "t.csv", ReadOptions(mapping=mapping))[0]:
            verify_possible(hand)


@pytest.mark.parametrize("seed", range(6))
def test_damaged_logs_in_a_database(tmp_path: Path, seed: int) -> None:
    """The whole way in: the database stays sound, and what is undamaged is in it."""
    rng = random.Random(seed)
    for name in NAMES:
        path = tmp_path / "logs" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(damaged(sample(name)[1], rng))
    good = tmp_path / "good.hh"
    good.write_bytes(collector_text([record(n) for n in range(3)]))
    database = tmp_path / "ofc.duckdb"
    outcomes = load(database, tmp_path / "logs", good)
    assert outcomes[-1].stored == 3
    assert len(outcomes) == len(NAMES) + 1
    lost = "SELECT count(*) FROM rejects WHERE raw IS NULL OR message = ''"
    assert ask(database, lost) == [(0,)]


def test_the_damage_is_worth_the_name() -> None:
    """The damages do hit: most texts change, many records are rejected, and some hands survive."""
    form, data = sample("collector-pppoker.hh")
    changed = rejected = survived = 0
    for seed in range(FEW):
        bad = damaged(data, random.Random(seed))
        hands, _, rejects = understood(form, bad, "a", ReadOptions())
        changed += bad != data
        rejected += bool(rejects) or len(hands) < 11
        survived += len(hands) > 5
    assert (changed, rejected > FEW // 4, survived) == (FEW, True, FEW)

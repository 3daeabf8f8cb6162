"""Logs into the database: every record accounted for, nothing counted twice, nothing lost."""

from __future__ import annotations

import gzip
import json
import zipfile
from decimal import Decimal
from pathlib import Path

import pytest
import zstandard

from ingest import load as loading
from ingest import sources
from ingest.batch import batch_of
from ingest.chunk import Hands
from ingest.formats import collector, ofc_hh
from ingest.formats.options import ReadOptions
from ingest.hand import Hand, Seat
from ingest.load import Loader
from ingest.rejects import Reject
from ingest.store import Store
from tests.logs import ROWS, ask, collector_text, counts, load, player, record, tables


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "db" / "ofc.duckdb"


def write(folder: Path, name: str, data: bytes | str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def test_a_hand_and_what_it_is_worth(tmp_path: Path, database: Path) -> None:
    [outcome] = load(database, write(tmp_path, "a.hh", collector_text([record(0)])))
    assert counts(outcome) == {"stored": 1}
    assert ask(
        database, "SELECT board_text(board), claimed_points, points, fouled, fantasyland_next, net FROM seats"
    ) == [
        ("Kh Kd 5s / 9c 9h 4d 4s Jc / Qs Qd 7h Qh 7c", 9, 9, False, 15, Decimal("17.4")),
        ("As 8c 6d / 5h 5d Tc 2s Th / Js Jd 3c 3d Jh", -9, -9, False, 0, Decimal("-18")),
    ]
    assert ask(database, "SELECT rake, scored, flags, players, decks, middle, game, derived FROM hands") == [
        (Decimal("0.6"), True, [], 2, 1, "high", "pineapple", ["decks", "middle", "rake"]),
    ]  # fmt: skip
    [(name, key)] = ask(database, "SELECT name, rules_key FROM rule_sets")
    assert name.startswith("pineapple-ultimate with fantasyland.")
    parts = "row_front + row_middle + row_back, royalty_front + royalty_middle + royalty_back"
    scores = ask(database, f"SELECT rules_key, {parts}, points FROM scores ORDER BY seat")
    assert scores == [(key, 1, 8, 9), (key, -1, -8, -9)]


def test_the_same_file_again_the_same_hands_elsewhere(tmp_path: Path, database: Path) -> None:
    first = write(tmp_path, "a.hh", collector_text([record(0), record(1)]))
    assert counts(load(database, first)[0]) == {"stored": 2}
    before = tables(database)
    assert counts(load(database, first)[0]) == {"duplicate": 2}
    assert tables(database) == before
    copy = write(tmp_path, "copy.hh", first.read_bytes())
    assert counts(load(database, copy)[0]) == {"duplicate": 2}
    both = load(tmp_path / "both" / "ofc.duckdb", first, copy)
    assert [counts(outcome) for outcome in both] == [{"stored": 2}, {"duplicate": 2}]
    other = write(tmp_path, "b.hh", collector_text([record(1), record(2)]))
    assert counts(load(database, other)[0]) == {"stored": 1, "duplicate": 1}
    assert ask(database, "SELECT count(*) FROM hands") == [(3,)]
    assert ask(database, "SELECT sum(stored), sum(duplicate) FROM source_counts") == [(3, 1)]


def test_a_hand_twice_in_one_file_is_flagged(tmp_path: Path, database: Path) -> None:
    again = record(0, endDateTime="2026-01-02 09:00:00")
    [outcome] = load(database, write(tmp_path, "a.hh", collector_text([record(0), again, record(1)])))
    assert counts(outcome) == {"stored": 2, "duplicate": 1}
    flags = dict(ask(database, "SELECT hand_no, flags FROM hands"))
    assert flags == {0: ["duplicate_in_source", "merged_views"], 1: []}
    # The earlier of two times is the hand's.
    assert ask(database, "SELECT strftime(ended_at, '%H:%M') FROM hands WHERE hand_no = 0") == [("03:00",)]


def test_two_heroes_views_are_one_hand_with_all_discards(tmp_path: Path, database: Path) -> None:
    def view(hero: int) -> dict:
        return record(
            0,
            [player(n, hero=n == hero, dead=player(n)["dead"] if n == hero else "") for n in range(2)],
            appName="Spartan",
        )

    paths = [write(tmp_path, f"{hero}.hh", collector_text([view(hero)])) for hero in range(2)]
    outcomes = load(database, *paths)
    assert [counts(outcome) for outcome in outcomes] == [{"stored": 1}, {"duplicate": 1}]
    assert ask(database, "SELECT flags FROM hands") == [(["merged_views"],)]
    assert ask(database, "SELECT list(hero ORDER BY seat) FROM seats") == [([True, True],)]
    discards = "list(cards_text(discard) ORDER BY action_no)"
    thrown = ask(database, f"SELECT {discards} FROM actions WHERE street > 0 GROUP BY seat ORDER BY seat")
    assert thrown == [(["2c", "8d", "Ts", "3h"],), (["2d", "9s", "Kc", "4h"],)]
    assert ask(database, "SELECT count(*) FROM views") == [(2,)]


@pytest.mark.parametrize(
    "other",
    [
        [player(0, rows=ROWS[0].replace("5s4", "5c4")), player(1)],
        [player(0, result=8), player(1, result=-8)],
        [player(0, playerName="somebody else"), player(1)],
        [player(0), player(1, inFantasy=True)],
        [player(0, dead="2h1 8d2 Ts3 3h4"), player(1)],
    ],
)
def test_views_that_contradict_each_other_are_flagged_and_kept(tmp_path: Path, database: Path, other: list) -> None:
    paths = [
        write(tmp_path, "a.hh", collector_text([record(0)])),
        write(tmp_path, "b.hh", collector_text([record(0, other)])),
    ]
    load(database, *paths)
    assert ask(database, "SELECT list_contains(flags, 'contradicting_views') FROM hands") == [(True,)]
    kept = [json.loads(text) for (text,) in ask(database, "SELECT record FROM views")]
    assert len(kept) == 2
    again = tmp_path / "again" / "ofc.duckdb"
    load(again, *reversed(paths))
    assert tables(again) == tables(database)


def test_hands_that_cannot_be_are_rejected_and_their_text_is_kept(tmp_path: Path, database: Path) -> None:
    bad = {
        "card_twice": [player(0, rows=ROWS[0].replace("5s4", "As4")), player(1)],
        "row_overfull": [player(0, rows=ROWS[0].replace("Jc4", "Jc4 3s4")), player(1)],
        "bad_card": [player(0, rows=ROWS[0].replace("5s4", "5x4")), player(1)],
        "bad_street": [player(0, rows=ROWS[0].replace("7c3", "7c4")), player(1)],
        "bad_fantasyland": [player(0, inFantasy=True, dead="2c0 8d1 Ts2 3h3 4c4"), player(1)],
        "bad_seats": [player(0), player(1, orderIndex=2)],
    }
    records = [record(number, players) for number, players in enumerate(bad.values())]
    [outcome] = load(database, write(tmp_path, "a.hh", collector_text([*records, record(9)])))
    assert counts(outcome) == {"stored": 1, "rejected": 6}
    rows = ask(database, "SELECT reason, message, raw FROM rejects ORDER BY position")
    assert [reason for reason, _, _ in rows] == list(bad)
    assert [json.loads(zstandard.decompress(raw)) for _, _, raw in rows] == records
    assert all(message.startswith("expected") for _, message, _ in rows)


def test_jokers_and_unknown_cards_are_stored_and_not_scored(tmp_path: Path, database: Path) -> None:
    rows = ROWS[0].replace("5s4", "X14")
    log = write(tmp_path, "a.hh", collector_text([record(0, [player(0, rows=rows), player(1)]), record(1)]))
    unknown = write(
        tmp_path,
        "b.ofc.jsonl",
        json.dumps({"v": "ofc-hh/1", "site": "x", "id": "1", "rules": "pineapple",
                    "players": [{"name": "a"}, {"name": "b"}], "boards": [{"front": ["??", "??"]}, {"back": ["As"]}]}),
    )  # fmt: skip
    load(database, log, unknown)
    assert ask(database, "SELECT flags, scored FROM hands ORDER BY site, hand_no") == [
        (["jokers"], False), ([], True), (["unknown_cards"], False),
    ]  # fmt: skip
    assert ask(database, "SELECT count(points) FROM seats WHERE NOT complete OR points IS NULL") == [(0,)]


def test_a_hand_of_which_no_card_is_known_is_not_fouled_by_everybody(tmp_path: Path, database: Path) -> None:
    line = {"v": "ofc-hh/1", "site": "x", "id": "1", "rules": "pineapple", "players": [{"name": "a"}, {"name": "b"}]}
    boards = write(tmp_path, "b.txt", "Kh Kd / 9c / Qs Qd 2c 3c\nAs / 9h / 7h 7c 7d 7s\n")
    load(database, write(tmp_path, "a.ofc.jsonl", json.dumps(line)), boards)
    assert ask(database, "SELECT status, scored FROM hands ORDER BY site DESC") == [
        ("complete", False),
        ("partial", False),
    ]
    assert ask(database, "SELECT count(*) FROM seats WHERE fouled") == [(0,)]


def test_money_that_disagrees_with_points(tmp_path: Path, database: Path) -> None:
    def paid(number: int, first: float, second: float, **changes: object) -> dict:
        return record(number, [player(0, win=first), player(1, win=second)], **changes)

    records = [
        paid(0, 17.4, -18),  # rake
        paid(1, 18, -18),
        paid(2, 10, -10),  # a loser with 10 in front of him
        paid(3, 9.5, -10),  # the same, with rake
        paid(4, 108, -108),  # the stake is 12
        paid(5, 19, -18),  # more won than lost
        paid(6, 9, -18),  # a rake that no house takes
        paid(7, 18, -18, stakes=None),
    ]
    [outcome] = load(database, write(tmp_path, "a.hh", collector_text(records)))
    assert outcome.mismatched == 0
    assert dict(ask(database, "SELECT hand_no, flags FROM hands")) == {
        0: [], 1: [], 2: ["capped"], 3: ["capped"], 4: ["stakes_suspect"], 5: ["net_unbalanced", "stakes_suspect"],
        6: ["net_unbalanced"], 7: [],
    }  # fmt: skip
    assert [rake for (rake,) in ask(database, "SELECT rake FROM hands ORDER BY hand_no")] == [
        Decimal("0.6"), 0, 0, Decimal("0.5"), 0, None, None, 0,
    ]  # fmt: skip


def test_claims_that_are_not_ours(tmp_path: Path, database: Path) -> None:
    line = {
        "v": "ofc-hh/1", "site": "x", "id": "1", "rules": "pineapple", "players": [{"name": "a"}, {"name": "b"}],
        "boards": [dict(zip(("front", "middle", "back"), [part.split() for part in
                   " ".join(card[:2] for card in rows.replace("/", " / ").split()).split(" / ")], strict=True))
                   for rows in ROWS],
        "result": {"points": [10, -10], "fouled": [True, False], "fantasyland_next": [0, 0]},
    }  # fmt: skip
    [outcome] = load(database, write(tmp_path, "a.ofc.jsonl", json.dumps(line)))
    assert counts(outcome) == {"stored": 1, "mismatched": 1}
    assert ask(database, "SELECT flags FROM hands") == [
        (["claimed_fantasyland_mismatch", "claimed_foul_mismatch", "claimed_score_mismatch"],)
    ]
    # Claimed and recomputed stand side by side.
    assert ask(database, "SELECT claimed_points, points FROM seats ORDER BY seat") == [(10, 9), (-10, -9)]
    assert ask(database, "SELECT mismatched FROM source_counts") == [(1,)]


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("empty.hh", b"", "empty file"),
        ("prose.txt", b"once upon a time", "once upon a time"),
        ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "PNG"),
        ("ledger.csv", b"date,points\n", "found none"),
        ("broken.zip", b"PK\x03\x04 no zip", "zip archive"),
        ("broken.gz", b"\x1f\x8b\x08\x00 no gzip", "whole archive"),
    ],
)
def test_files_that_hold_nothing(tmp_path: Path, database: Path, name: str, data: bytes, says: str) -> None:
    good = write(tmp_path, "good.hh", collector_text([record(0)]))
    bad, fine = load(database, write(tmp_path, name, data), good)
    assert counts(bad) == {}
    assert bad.note is not None
    assert says in bad.note
    assert bad.note.startswith("expected")
    assert bad.note.count("\n") == 0
    assert counts(fine) == {"stored": 1}


def test_paths_that_hold_nothing(tmp_path: Path, database: Path) -> None:
    (tmp_path / "empty").mkdir()
    outcomes = load(database, tmp_path / "empty", tmp_path / "nowhere")
    assert all(outcome.failed and "expected" in str(outcome.note) for outcome in outcomes)
    # What only lies in a folder with logs is mentioned, and no failure.
    write(tmp_path / "logs", "a.hh", collector_text([record(0)]))
    write(tmp_path / "logs", "README.md", "# notes")
    write(tmp_path / "logs", ".hidden/b.hh", collector_text([record(1)]))
    readme, log = load(database, tmp_path / "logs")
    assert (readme.failed, bool(readme.note), counts(log)) == (False, True, {"stored": 1})


def test_packed_logs_are_read_as_they_are(tmp_path: Path, database: Path) -> None:
    data = [collector_text([record(n)]) for n in range(6)]
    write(tmp_path, "logs/a.hh.gz", gzip.compress(data[0]))
    write(tmp_path, "logs/b.hh.zst", zstandard.compress(data[1]))
    with zipfile.ZipFile(tmp_path / "logs" / "c.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x/c.hh", data[2])
        archive.writestr("d.hh.gz", gzip.compress(data[3]))
        archive.writestr(".DS_Store", b"junk")
        archive.writestr("__MACOSX/x", b"junk")
    outcomes = load(database, tmp_path / "logs")
    assert [counts(outcome) for outcome in outcomes] == [{"stored": 1}] * 4
    assert [Path(outcome.name).name for outcome in outcomes] == ["a.hh.gz", "b.hh.zst", "d.hh.gz", "c.hh"]
    # Unpacked, it is the same source.
    assert counts(load(database, write(tmp_path, "a.hh", data[0]))[0]) == {"duplicate": 1}


def test_traps_in_archives_are_refused(tmp_path: Path, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = write(tmp_path, "bomb.gz", gzip.compress(b" " * 300_000))
    monkeypatch.setattr(sources, "MOST_UNPACKED", 200_000)
    [outcome] = load(database, bomb)
    assert "gigabytes unpacked" in str(outcome.note)
    many = tmp_path / "many.zip"
    with zipfile.ZipFile(many, "w") as archive:
        for number in range(5):
            archive.writestr(f"{number}.hh", collector_text([record(number)]))
    monkeypatch.setattr(sources, "MOST_MEMBERS", 4)
    [outcome] = load(database, many)
    assert "at most 4 members" in str(outcome.note)
    secret = write(tmp_path, "secret.hh.gz", gzip.compress(collector_text([record(0)]))[:-20])
    [outcome] = load(database, secret)
    assert "expected a whole archive" in str(outcome.note)
    assert ask(database, "SELECT count(*) FROM hands") == [(0,)]


def test_a_growing_file_goes_on_where_it_ended(tmp_path: Path, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = collector_text([record(n) for n in range(4)])
    cuts = [400, len(text) // 2 - 40, len(text) // 2 + 30, len(text) - 60, len(text)]
    log = tmp_path / "a.hh"
    stored = 0
    starts: list[int] = []
    read = collector.read

    def watched(text, *rest):  # type: ignore[no-untyped-def]
        starts.append(text.position)
        return read(text, *rest)

    monkeypatch.setattr(collector, "read", watched)
    for cut in cuts:
        log.write_bytes(text[:cut])
        [outcome] = load(database, log)
        stored += outcome.stored
        assert (outcome.duplicate, outcome.rejected, outcome.partial) == (0, 0, int(cut < len(text)))
    assert stored == 4
    assert starts == sorted(starts)
    assert starts[-1] > len(text) // 2
    assert ask(database, "SELECT count(*) FROM rejects") == [(0,)]
    assert ask(database, "SELECT bytes, read_to, stored FROM source_counts") == [(len(text), len(text), 4)]
    at_once = tmp_path / "other" / "ofc.duckdb"
    load(at_once, log)
    assert tables(at_once) == tables(database)


def test_a_record_at_the_end_is_the_same_whatever_will_follow(tmp_path: Path, database: Path) -> None:
    text = collector_text([record(0, [player(0, rows=ROWS[1]), player(1)])])
    log = write(tmp_path, "a.hh", text[: len(text.rstrip())])
    kept = set()
    for more in (b"", b"\n\n", b"\n" + collector_text([record(1)])):
        log.write_bytes(text.rstrip() + more)
        at_once = tmp_path / f"{len(more)}.duckdb"
        load(at_once, log)
        load(database, log)
        kept |= set(ask(at_once, "SELECT raw FROM rejects")) | set(ask(database, "SELECT raw FROM rejects"))
    assert len(kept) == 1


def test_a_growing_file_that_must_be_read_from_its_start(tmp_path: Path, database: Path) -> None:
    board = "\n".join(
        " / ".join(" ".join(card[:2] for card in row.split()) for row in rows.split("/")) for rows in ROWS
    )
    log = tmp_path / "boards.txt"
    log.write_text(f"{board}\n")
    load(database, log)
    # A third player of the same deal: what was read before was not the whole deal.
    log.write_text(f"{board}\n2h 2d 3h / 6c 6h 7d 8h 8s / Ts 9d 9s Td Ac\n\n{board}\n")
    load(database, log)
    assert sorted(ask(database, "SELECT players FROM hands")) == [(2,), (3,)]
    at_once = tmp_path / "other" / "ofc.duckdb"
    load(at_once, log)
    assert tables(at_once) == tables(database)


def test_a_file_that_changed_otherwise_is_another_source(tmp_path: Path, database: Path) -> None:
    log = write(tmp_path, "a.hh", collector_text([record(0), record(1)]))
    load(database, log)
    log.write_bytes(collector_text([record(2), record(1), record(3)]))
    assert counts(load(database, log)[0]) == {"stored": 2, "duplicate": 1}
    assert ask(database, "SELECT count(*) FROM sources") == [(2,)]


def test_an_interrupted_run_keeps_what_was_written_and_goes_on_there(
    tmp_path: Path, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = write(tmp_path, "a.hh", collector_text([record(n) for n in range(12)]))
    monkeypatch.setattr(collector, "BATCH", 2)
    monkeypatch.setattr(loading, "FLUSH", 4)
    read = collector.read

    def interrupted(text, *rest):  # type: ignore[no-untyped-def]
        for number, chunk in enumerate(read(text, *rest)):
            if number == 4:
                raise KeyboardInterrupt
            yield chunk

    monkeypatch.setattr(collector, "read", interrupted)
    with Store(database) as store:
        loader = Loader(store, ReadOptions())
        loader.load([str(log)])
        assert loader.interrupted
    assert ask(database, "SELECT count(*), sum(hands) FROM hands, sessions") == [(8, 64)]
    monkeypatch.setattr(collector, "read", read)
    [outcome] = load(database, log)
    assert counts(outcome) == {"stored": 4}
    at_once = tmp_path / "other" / "ofc.duckdb"
    load(at_once, log)
    assert tables(at_once) == tables(database)


@pytest.mark.parametrize("how", ["grown", "reparsed"])
def test_a_run_interrupted_before_it_read_anything_takes_nothing_away(
    tmp_path: Path, database: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    text = collector_text([record(n) for n in range(4)])
    log = write(tmp_path, "a.hh", text[: len(text) // 2])
    load(database, log)
    before = tables(database)
    if how == "grown":
        log.write_bytes(text)
    else:
        monkeypatch.setattr(collector, "VERSION", collector.VERSION + 1)

    def interrupted(text, on_reject, options):  # type: ignore[no-untyped-def]
        on_reject(Reject(text.position, "not_readable", "expected a record", b"?"))
        raise KeyboardInterrupt
        yield

    with monkeypatch.context() as patch, Store(database) as store:
        patch.setattr(collector, "read", interrupted)
        loader = Loader(store, ReadOptions(), reparse=True)
        loader.load([str(log)])
        assert loader.interrupted
    assert tables(database) == before


def test_a_failing_write_leaves_nothing_half_written(
    tmp_path: Path, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = write(tmp_path, "a.hh", collector_text([record(n) for n in range(3)]))
    monkeypatch.setattr(loading, "write_sources", lambda *_, **__: (_ for _ in ()).throw(RuntimeError("disk on fire")))
    with Store(database) as store, pytest.raises(RuntimeError, match="fire"):
        Loader(store, ReadOptions()).load([str(log)])
    monkeypatch.undo()
    # Its schema, and the number of its first snapshot.
    assert {name: len(rows) for name, rows in tables(database).items() if rows} == {"meta": 2}
    assert counts(load(database, log)[0]) == {"stored": 3}


def test_sessions_as_named_or_cut_by_pauses(tmp_path: Path, database: Path) -> None:
    def hand(number: int, time: str | None, names: str = "ab", session: str | None = None) -> str:
        line = {"v": "ofc-hh/1", "site": "x", "id": f"{session}{names}{number}", "session": session, "hand_no": number}
        return json.dumps(line | {"ended_at": time, "players": [{"name": name} for name in names]})

    lines = [
        hand(0, "2026-01-02T10:00:00Z"), hand(1, "2026-01-02T10:20:00Z", "ba"), hand(2, "2026-01-02T10:51:00Z"),
        hand(3, "2026-01-02T10:10:00Z", "ac"), hand(4, None), hand(5, None),
        hand(6, "2026-01-02T10:00:00Z", session="s"), hand(7, "2026-01-02T23:00:00Z", session="s"),
    ]  # fmt: skip
    load(database, write(tmp_path, "a.ofc.jsonl", "\n".join(lines)))
    sizes = "SELECT session_id, hands FROM sessions ORDER BY ALL"
    assert ask(database, sizes) == [("s", 2), (None, 1), (None, 1), (None, 2), (None, 2)]
    assert ask(database, "SELECT DISTINCT hands FROM sessions JOIN hands USING (session_key) WHERE hand_no = 1") == [
        (2,)
    ]
    # With a longer pause the first three are one session, also those that were there before.
    with Store(database) as store, store.transaction():
        store.set_fact("session_gap", "40")
    load(database, write(tmp_path, "b.ofc.jsonl", hand(8, "2026-01-02T10:30:00Z", "xy")))
    assert ask(database, sizes) == [("s", 2), (None, 1), (None, 1), (None, 2), (None, 3)]


def test_ledgers_are_kept_apart_and_each_entry_once(tmp_path: Path, database: Path) -> None:
    text = "date,points,net\n2026-01-01,5,$5\n2026-01-01,5,$5\n2026-01-02,-3,\n"
    first = write(tmp_path, "a.csv", text)
    second = write(tmp_path, "b.csv", text + "2026-01-03,1,\n")
    assert [counts(outcome) for outcome in load(database, first, second)] == [
        {"stored": 3},
        {"stored": 1, "duplicate": 3},
    ]
    # Two equal lines of one ledger are two sessions; the same lines in another ledger are the same sessions.
    assert ask(database, "SELECT count(*), sum(points) FROM ledger") == [(4, Decimal(8))]
    assert ask(database, "SELECT count(*) FROM hands") == [(0,)]
    first.write_text(text + "2026-01-04,2,\n")
    assert counts(load(database, first)[0]) == {"stored": 1, "duplicate": 3}
    assert ask(database, "SELECT count(*) FROM ledger") == [(5,)]


def test_reading_from_standard_input(tmp_path: Path, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = gzip.compress(collector_text([record(0)]))
    pipe = write(tmp_path, "pipe", data)
    with pipe.open("rb") as stream:
        monkeypatch.setattr("sys.stdin", type("Stdin", (), {"buffer": stream})())
        [outcome] = load(database, "-")
        assert outcome.note is None
    assert (outcome.name, counts(outcome)) == ("-", {"stored": 1})


def test_a_rule_set_that_a_log_names_is_never_a_path(tmp_path: Path, database: Path) -> None:
    rules = write(tmp_path, "evil.toml", 'name = "evil"\nbase = "classic"\n')
    line = {"v": "ofc-hh/1", "site": "x", "id": "1", "rules": str(rules), "players": [{"name": "a"}, {"name": "b"}]}
    load(database, write(tmp_path, "a.ofc.jsonl", json.dumps(line)))
    assert ask(database, "SELECT rules_key FROM hands") == [(None,)]


def test_chunks_of_records_and_of_hands_mix(tmp_path: Path, database: Path) -> None:
    hands = [Hand(site="x", id=str(n), seats=(Seat("a"), Seat("b"))) for n in range(3)]
    whole = Hands(hands[:1], [b"0"], 1).joined([Hands(hands[1:], [b"1", b"2"], 3)])
    assert whole.columns()[0].to_hands() == batch_of(hands).to_hands()
    lines = "".join(ofc_hh.format_hand(hand) + "\n" for hand in hands)
    outcomes = load(
        database, write(tmp_path, "a.ofc.jsonl", lines), write(tmp_path, "b.hh", collector_text([record(0)]))
    )
    assert [counts(outcome) for outcome in outcomes] == [{"stored": 3}, {"stored": 1}]

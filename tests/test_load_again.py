"""Reading again: rejected records, what an older reader has read; pseudonyms; exports."""

from __future__ import annotations

import io
import json
import stat
import tomllib
from pathlib import Path

import pytest

from analysis.rescore import fill_scores
from ingest.again import outdated_files, retry_rejects
from ingest.anonymise import key_path, load_anonymiser
from ingest.database import Database
from ingest.export import export_hands
from ingest.formats import collector, collector_cards, ledger
from ingest.formats.options import ReadOptions
from ingest.game.errors import OFCError
from ingest.game.rules import find_rules
from ingest.runs import Run
from ingest.snapshots import open_snapshot
from ingest.store import Store
from tests.logs import ROWS, ask, collector_text, counts, load, player, record, tables


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "db" / "ofc.duckdb"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Two good hands and one whose card this version of the reader does not know."""
    path = tmp_path / "a.hh"
    strange = record(1, [player(0, rows=ROWS[0].replace("5s4", "5z4")), player(1)])
    path.write_bytes(collector_text([record(0), strange, record(2)]))
    return path


@pytest.fixture
def better(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that has learned to read z as spades."""
    suits = collector_cards._SUIT_OF.copy()
    suits[ord("z")] = 3
    monkeypatch.setattr(collector_cards, "_SUIT_OF", suits)
    monkeypatch.setattr(collector, "VERSION", collector.VERSION + 1)


def run(database: Path, **how: bool) -> Run:
    return Run(database, ReadOptions(), **how)


def test_rejects_are_read_again_after_a_reader_got_better(log: Path, database: Path, better: None) -> None:
    outcome = _load_with_the_old_reader(database, log)
    assert counts(outcome) == {"stored": 2, "rejected": 1}
    before = tables(database)
    [counted] = run(database, dry_run=True).retry_rejects()
    assert counts(counted) == {"stored": 1}
    assert tables(database) == before
    [done] = run(database).retry_rejects()
    assert counts(done) == {"stored": 1}
    # As if it had never been rejected.
    other = database.with_name("other.duckdb")
    load(other, log)
    assert tables(other)["hands"] == tables(database)["hands"]
    assert tables(other)["hand_sources"] == tables(database)["hand_sources"]
    assert tables(database)["rejects"] == []
    assert run(database).retry_rejects() == []


def _load_with_the_old_reader(database: Path, log: Path):  # type: ignore[no-untyped-def]
    with pytest.MonkeyPatch.context() as old:
        suits = collector_cards._SUIT_OF.copy()
        suits[ord("z")] = 255
        old.setattr(collector_cards, "_SUIT_OF", suits)
        old.setattr(collector, "VERSION", 1)
        [outcome] = load(database, log)
    return outcome


def test_what_stays_rejected_stays(log: Path, database: Path) -> None:
    load(database, log)
    before = tables(database)
    [outcome] = run(database).retry_rejects()
    assert counts(outcome) == {"rejected": 1}
    assert {name: rows for name, rows in tables(database).items() if name != "meta"} == {
        name: rows for name, rows in before.items() if name != "meta"
    }


def test_a_rejected_line_of_a_ledger_is_read_again(
    tmp_path: Path, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.csv"
    file.write_text("date,points\n2026-01-01,1\nsomeday,2\n2026-01-03,3\n")
    load(database, file)
    parse = ledger.parse_time
    monkeypatch.setattr(ledger, "parse_time", lambda text, *rest: parse(text.replace("someday", "2026-01-02"), *rest))
    [outcome] = run(database).retry_rejects()
    assert counts(outcome) == {"stored": 1}
    assert ask(database, "SELECT list(points::INTEGER ORDER BY played_at) FROM ledger") == [([1, 2, 3],)]


def test_what_an_older_reader_has_read_is_read_again(log: Path, database: Path, better: None) -> None:
    _load_with_the_old_reader(database, log)
    assert counts(load(database, log)[0]) == {"duplicate": 2, "rejected": 1}
    before = tables(database)
    [counted] = run(database, dry_run=True).reparse([])
    assert counts(counted) == {"stored": 3}
    assert tables(database) == before
    [outcome] = run(database).reparse([])
    assert counts(outcome) == {"stored": 3}
    other = database.with_name("other.duckdb")
    load(other, log)
    assert {name: rows for name, rows in tables(other).items() if name != "meta"} == {
        name: rows for name, rows in tables(database).items() if name != "meta"
    }
    assert run(database).reparse([]) == []


def test_a_file_that_is_gone_keeps_its_hands(log: Path, database: Path, better: None) -> None:
    _load_with_the_old_reader(database, log)
    log.unlink()
    [outcome] = run(database).reparse([])
    assert "stay as collector/1 has read them" in str(outcome.note)
    assert ask(database, "SELECT count(*) FROM hands") == [(2,)]


def test_reading_again_takes_only_what_the_file_itself_brought(
    tmp_path: Path, log: Path, database: Path, better: None
) -> None:
    other = tmp_path / "other.hh"
    other.write_bytes(collector_text([record(0, [player(0, dead=""), player(1)]), record(7)]))
    with pytest.MonkeyPatch.context() as old:
        old.setattr(collector, "VERSION", 1)
        load(database, log)
    load(database, other)
    with Store(database) as store:
        paths, missing = outdated_files(store)
    assert (paths, missing) == ([str(log)], [])
    run(database).reparse([])
    assert ask(database, "SELECT list(hand_no ORDER BY hand_no) FROM hands") == [([0, 1, 2, 7],)]
    assert ask(database, "SELECT count(*) FROM views") == [(2,)]


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        # Two heroes: what each threw away is no matter of the score; nor is what a record claims.
        ({"players": [player(0, dead=""), player(1)]}, {"players": [player(0), player(1, dead="")]}, True),
        ({}, {"players": [player(0, result=8), player(1, result=-8)]}, True),
        # Another suit in front, of which the later record knows more.
        ({"players": [player(0, rows=ROWS[0].replace("5s4", "5c4"), dead=""), player(1, dead="")]}, {}, True),
        # Another kicker in front, likewise; a stake that only the later record knows.
        ({"players": [player(0, rows=ROWS[0].replace("5s4", "6c4"), dead=""), player(1, dead="")]}, {}, False),
        ({"stakes": None}, {}, False),
    ],
)
def test_scores_by_other_rules_stay_where_a_second_record_changes_nothing_of_them(
    tmp_path: Path, database: Path, first: dict, second: dict, kept: bool
) -> None:
    paths = [tmp_path / name for name in ("a.hh", "b.hh")]
    paths[0].write_bytes(collector_text([record(0, **first), record(1)]))
    paths[1].write_bytes(collector_text([record(0, **second)]))
    rule_sets = [find_rules("classic"), find_rules("pineapple-2-7")]
    load(database, paths[0])
    with Store(database) as store:
        fill_scores(store, rule_sets)
    before = tables(database)["scores"]
    [outcome] = load(database, paths[1])
    assert (counts(outcome), ask(database, "SELECT count(DISTINCT hand_key) FROM views")) == ({"duplicate": 1}, [(1,)])
    assert len(tables(database)["scores"]) == len(before) - (0 if kept else 2 * len(rule_sets))
    if kept:
        assert tables(database)["scores"] == before
    with Store(database) as store:
        assert [(each.scored, each.already) for each in fill_scores(store, rule_sets)] == [(1 - kept, 1 + kept)] * 2
    # As if both records had been there from the start.
    at_once = tmp_path / "other" / "ofc.duckdb"
    load(at_once, *paths)
    with Store(at_once) as store:
        fill_scores(store, rule_sets)
    assert tables(at_once)["scores"] == tables(database)["scores"]


def test_pseudonyms_are_stable_and_the_key_stays_outside(tmp_path: Path, log: Path, database: Path) -> None:
    name = "Müller: the <b>third</b>"
    more = tmp_path / f"{name[:6]}.hh"
    more.write_bytes(collector_text([record(5, [player(0, playerName=name), player(1)], clubId="secret club")]))
    [first] = run(database, anonymise=True).load([str(log)])
    [second] = run(database, anonymise=True).load([str(more)])
    assert counts(first) == {"stored": 2, "rejected": 1}
    assert counts(second) == {"stored": 1}
    players = {each for (each,) in ask(database, "SELECT player FROM seats")}
    assert len(players) == 3
    assert all(each.startswith("player-") for each in players)
    everything = json.dumps(tables(database), default=repr) + repr(ask(database, "SELECT * FROM sources"))
    key = key_path(database).read_text().strip()
    for secret in ("pid100", "Müller", "secret club", key, str(tmp_path)):
        assert secret not in everything
    assert stat.S_IMODE(key_path(database).stat().st_mode) == 0o600
    # The same key gives the same names, in another run and in an export.
    assert load_anonymiser(database).name("pid1000001") in players
    # Growth is still seen.
    more.write_bytes(more.read_bytes() + collector_text([record(6)]))
    [third] = run(database, anonymise=True).load([str(more)])
    assert counts(third) == {"stored": 1}


def test_plain_names_and_pseudonyms_do_not_mix(tmp_path: Path, log: Path, database: Path) -> None:
    run(database, anonymise=True).load([str(log)])
    with pytest.raises(OFCError, match="expected --anonymise"):
        run(database).load([str(log)])
    plain = tmp_path / "plain.duckdb"
    run(plain).load([str(log)])
    with pytest.raises(OFCError, match="holds plain names"):
        run(plain, anonymise=True).load([str(log)])
    key_path(database).write_text("00" * 32)
    with pytest.raises(OFCError, match="expected the key"):
        run(database, anonymise=True).load([str(log)])


def export(database: Path, form: str, **how: bool) -> str:
    connection, _ = open_snapshot(database)
    out = io.StringIO()
    export_hands(Database(connection), form, out, load_anonymiser(database) if how.get("anonymise") else None)
    return out.getvalue()


def test_what_is_exported_comes_in_again_as_it_was(tmp_path: Path, log: Path, database: Path) -> None:
    run(database).load([str(log)])
    text = export(database, "ofc-hh")
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["source"]["offset"] for line in lines] == [
        position for (position,) in ask(database, "SELECT position FROM hand_sources ORDER BY position")
    ]
    assert all(line["source"]["parser"] == f"collector/{collector.VERSION}" for line in lines)
    copy, again = tmp_path / "copy.ofc.jsonl", tmp_path / "again" / "ofc.duckdb"
    copy.write_text(text, "utf-8")
    run(again).load([str(copy)])
    for table in ("seats", "actions", "scores", "rule_sets"):
        assert tables(again)[table] == tables(database)[table]
    assert export(again, "ofc-hh") == text
    # In the database that it came from it is nothing new.
    assert counts(run(database).load([str(copy)])[0]) == {"duplicate": 2}


def test_an_export_with_pseudonyms(log: Path, database: Path) -> None:
    run(database).load([str(log)])
    text = export(database, "ofc-hh", anonymise=True)
    assert "pid100" not in text
    assert "900001" not in text
    assert text.count("player-") == 4


def test_an_export_in_the_manner_of_phh(log: Path, database: Path) -> None:
    run(database).load([str(log)])
    text = export(database, "phh")
    assert text.startswith("# Open-face hands in the manner of PHH. Not valid PHH")
    first = tomllib.loads(text)["1"]
    assert first["variant"] == "OFCPP"
    assert first["players"] == ["pid1000000", "pid1000001"]
    assert first["actions"][:2] == ["d dh p1 9c9hQsQd7h", "p1 pl m:9c9h b:QsQd7h"]
    assert first["actions"][4:7] == ["d dh p1 KhQh2c", "p1 pl t:Kh b:Qh", "p1 sd 2c"]
    assert (first["_ofc_points"], first["_ofc_net"], first["_ofc_point_value"]) == ([9, -9], ["17.4", "-18"], "2")
    assert (first["day"], first["month"], first["year"]) == (2, 1, 2026)


def test_an_unknown_format_is_answered_with_the_known_ones(log: Path, database: Path) -> None:
    run(database).load([str(log)])
    with pytest.raises(OFCError, match="ofc-hh, phh"):
        export(database, "pokerstars")
    with Store(database) as store:
        assert retry_rejects(store, ReadOptions())[0].rejected == 1

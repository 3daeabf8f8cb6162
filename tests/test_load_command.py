"""The commands around logs: what they print, and how they end."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest

from analysis.imports import load_imports
from ingest.schema import run_checks
from ingest.snapshots import newest_snapshot, open_snapshot
from ingest.store import Store
from tests.logs import ROWS, ask, collector_text, player, record


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "db" / "ofc.duckdb"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder with two good logs."""
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "a.hh").write_bytes(collector_text([record(0), record(1)]))
    (folder / "b.hh").write_bytes(collector_text([record(2), record(1)]))
    return folder


def test_a_table_of_files(ofc: Callable, logs: Path, database: Path) -> None:
    run = ofc("ingest", logs, "--db", database)
    assert (run.code, run.err) == (0, "")
    header, first, second, total = run.out.splitlines()
    counted = ["stored", "duplicate", "partial", "skipped", "rejected", "mismatched"]
    assert header.split() == ["file", "format", *counted]
    assert first.split() == ["a.hh", "collector", "2", "0", "0", "0", "0", "0"]
    assert second.split() == ["b.hh", "collector", "1", "1", "0", "0", "0", "0"]
    assert total.split() == ["total", "3", "1", "0", "0", "0", "0"]


def test_the_same_as_data(ofc: Callable, logs: Path, database: Path) -> None:
    run = ofc("ingest", logs, "--db", database, "--json")
    told = json.loads(run.out)
    assert [Path(file["name"]).name for file in told["files"]] == ["a.hh", "b.hh"]
    assert told["total"] | {"bytes": 0} == {
        "name": "total", "format": None, "stored": 3, "duplicate": 1, "partial": 0, "skipped": 0, "rejected": 0,
        "mismatched": 0, "flags": {}, "bytes": 0, "note": None,
    }  # fmt: skip


def test_something_rejected_is_code_3_and_the_rest_goes_in(ofc: Callable, logs: Path, database: Path) -> None:
    (logs / "c.hh").write_bytes(collector_text([record(3, [player(0, rows=ROWS[1]), player(1)]), record(4)]))
    run = ofc("ingest", logs, "--db", database)
    assert run.code == 3
    assert ask(database, "SELECT count(*) FROM hands") == [(4,)]
    run = ofc("rejects", "--db", database)
    assert run.code == 0
    assert "c.hh at byte 0: rejected (card_twice): expected each card once a deck, got As again" in run.out
    [told] = [json.loads(line) for line in ofc("rejects", "--db", database, "--json").out.splitlines()]
    assert json.loads(told["text"])["handData"].keys() == {"260102110405-20000001-0000003-1"}
    assert json.loads(ofc("rejects", "--db", database, "--raw").out) == json.loads(told["text"])
    # What the user repairs is read from the pipe.
    repaired = told["text"].replace(ROWS[1], ROWS[0], 1)
    run = ofc("ingest", "-", "--db", database, stdin=repaired)
    assert (run.code, "stored" in run.out) == (0, True)
    assert ask(database, "SELECT count(*) FROM hands") == [(5,)]


@pytest.mark.parametrize(
    ("name", "data", "code"), [("empty", b"", 3), ("prose", b"once upon a time", 3), ("nowhere", None, 3)]
)
def test_what_holds_no_hands_is_one_sentence(
    ofc: Callable, logs: Path, database: Path, tmp_path: Path, name: str, data: bytes | None, code: int
) -> None:
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    run = ofc("ingest", path, logs, "--db", database)
    assert run.code == code
    [sentence] = [line for line in run.out.splitlines() if line.startswith(str(path))]
    assert ": expected" in sentence
    assert ask(database, "SELECT count(*) FROM hands") == [(3,)]


def test_a_file_without_hands_is_told_of_until_it_can_be_read(
    ofc: Callable, logs: Path, database: Path, tmp_path: Path
) -> None:
    (logs / "empty.csv").touch()
    (logs / "other.csv").touch()
    (logs / "notes.txt").write_text("once upon a time")
    (logs / "copy.txt").write_text("once upon a time")
    (logs / "torn.gz").write_bytes(gzip.compress(b"once upon a time")[:-9])
    (logs / "torn.zip").write_bytes(b"PK\x03\x04 no zip")

    def told() -> dict[str, str]:
        lines = [json.loads(line) for line in ofc("rejects", "--db", database, "--json").out.splitlines()]
        assert {(line["outcome"], line["position"], line["text"]) for line in lines} <= {("unread", None, "")}
        connection, _ = open_snapshot(database)
        with connection:
            notes = load_imports(connection).sources.filter(pl.col("note").is_not_null())
            assert set(run_checks(connection).values()) == {0}
        reasons = {Path(line["name"]).name: line["message"] for line in lines}
        assert dict(notes.select("file", "note").rows()) == reasons
        return reasons

    assert ofc("ingest", logs, "--db", database).code == 3
    first = told()
    assert {name: said.split(" got ")[1][:22] for name, said in first.items()} == {
        "empty.csv": "an empty file", "other.csv": "an empty file", "notes.txt": "'once upon a time'",
        "copy.txt": "'once upon a time'", "torn.gz": "Compressed file ended ", "torn.zip": "a damaged one: File is",
    }  # fmt: skip
    run = ofc("rejects", "--db", database)
    assert f"{logs}/empty.csv: unread: expected a log, got an empty file\n" in run.out
    assert (run.err, ofc("rejects", "--raw", "--db", database).out) == ("0 records, 6 files unread\n", "")
    # Again: nothing new, so nothing is written or published.
    version = newest_snapshot(database)
    ofc("ingest", logs, "--db", database)
    assert (newest_snapshot(database), told()) == (version, first)
    # One has grown, one was written anew, one is something else; one is a table for which there is a mapping now.
    (logs / "empty.csv").write_text("date,points\n2026-01-01,5\n")
    (logs / "torn.gz").write_bytes(gzip.compress(collector_text([record(5)])))
    (logs / "notes.txt").write_text("and then")
    (logs / "other.csv").write_text("h,p,b\n1,a,KhKd5s/9c9h4d4sJc/QsQd7hQh7c\n1,b,As8c6d/5h5dTc2sTh/JsJd3c3dJh\n")
    ofc("ingest", logs, "--db", database)
    second = told()
    assert set(second) == set(first) - {"empty.csv", "torn.gz"}
    assert ("and then" in second["notes.txt"], "h,p,b" in second["other.csv"]) == (True, True)
    mapping = tmp_path / "map.toml"
    mapping.write_text('site = "x"\n[columns]\nhand = "h"\nplayer = "p"\nboard = "b"\n[values]\nrules = "pineapple"\n')
    assert ofc("ingest", "--map", mapping, logs / "other.csv", "--db", database).code == 0
    assert set(told()) == set(second) - {"other.csv"}
    # One holds a log now that is known by another name.
    (logs / "copy.txt").write_bytes((logs / "a.hh").read_bytes())
    ofc("ingest", logs, "--db", database)
    assert set(told()) == set(second) - {"other.csv", "copy.txt"}
    assert ofc("ingest", "--reparse", "--db", database).out.count("expected") == 0


def test_what_is_told_of_a_file_without_hands_holds_no_name_where_there_are_pseudonyms(
    ofc: Callable, logs: Path, database: Path
) -> None:
    (logs / "Ada.txt").write_text("Ada was here")
    (logs / "Ben.gz").write_bytes(b"\x1f\x8b Ada")
    ofc("ingest", "--anonymise", logs, "--db", database)
    told = ofc("rejects", "--db", database)
    assert (told.err, "Ada" in told.out, "Ben" in told.out) == ("0 records, 2 files unread\n", False, False)


def test_a_log_whose_name_is_no_text(ofc: Callable, logs: Path, database: Path) -> None:
    try:
        (logs / "a.hh").rename(logs / "\udcff.hh")
    except OSError:
        pytest.skip("this system has no such names")
    run = ofc("ingest", logs, "--db", database)
    assert (run.code, run.out.splitlines()[-1].split()[:2]) == (0, ["total", "3"])
    assert ofc("ingest", logs, "--db", database).out.splitlines()[-1].split()[:3] == ["total", "0", "4"]


def test_doubts_are_said_at_the_end(ofc: Callable, logs: Path, database: Path) -> None:
    doubtful = [record(n, [player(0, win=108), player(1, win=-108)]) for n in (10, 11)]
    wrong = record(12, [player(0, result=10), player(1, result=-10)])
    (logs / "c.hh").write_bytes(collector_text([*doubtful, wrong]))
    run = ofc("ingest", logs, "--db", database)
    assert run.code == 0
    assert "2 hands flagged stakes_suspect: points times stake is less" in run.out
    assert "1 hand flagged claimed_score_mismatch: the points that the source states" in run.out
    [*_, last] = json.loads(ofc("ingest", logs, "--db", database, "--dry-run", "--json").out)["files"]
    assert last["duplicate"] == 3


def test_options_that_cannot_be(ofc: Callable, logs: Path, database: Path) -> None:
    for arguments, says in (
        ((), "file or folder"),
        ((logs, "--game", "whist"), "whist"),
        ((logs, "--zone", "Mars/Base"), "Mars/Base"),
        ((logs, "--map", logs / "no.toml"), "no.toml"),
        ((logs, "--session-gap", "0"), "session-gap"),
    ):
        run = ofc("ingest", *arguments, "--db", database)
        assert run.code == 2
        assert says in run.err
    assert not database.exists()


def test_a_dry_run_counts_and_stores_nothing(ofc: Callable, logs: Path, database: Path) -> None:
    run = ofc("ingest", logs, "--db", database, "--dry-run")
    assert run.code == 0
    assert run.out.splitlines()[-1].split()[:3] == ["total", "3", "1"]
    assert "nothing was stored" in run.err
    assert not database.parent.exists()


def test_a_log_explained(ofc: Callable, logs: Path, database: Path, tmp_path: Path) -> None:
    (logs / "utf16.hh").write_bytes(collector_text([record(7)]).decode().encode("utf-16"))
    run = ofc("ingest", "--explain", logs / "a.hh", logs / "utf16.hh", "--db", database)
    assert run.code == 0
    assert "format   collector .hh (PPPoker, Upoker, Spartan) (reader collector/1)" in run.out
    assert 'because  an object with the key "handData"' in run.out
    assert "0 pid1000000: Kh Kd 5s / 9c 9h 4d 4s Jc / Qs Qd 7h Qh 7c" in run.out
    assert "points stated +9, ours +9; net 17.4" in run.out
    assert "street 1 0: front Kh, back Qh, throws 2c" in run.out
    assert "utf-16-le" in run.out
    assert not database.exists()
    (tmp_path / "prose.txt").write_text("once upon a time")
    assert "not recognised: expected a log of a known format" in ofc("ingest", "--explain", tmp_path / "prose.txt").out


def test_a_table_by_a_mapping_file(ofc: Callable, tmp_path: Path, database: Path) -> None:
    mapping, table = tmp_path / "map.toml", tmp_path / "table.csv"
    mapping.write_text('site = "x"\n[columns]\nhand = "h"\nplayer = "p"\nboard = "b"\n[values]\nrules = "pineapple"\n')
    table.write_text("h,p,b\n1,a,KhKd5s/9c9h4d4sJc/QsQd7hQh7c\n1,b,As8c6d/5h5dTc2sTh/JsJd3c3dJh\n")
    assert ofc("ingest", "--map", mapping, table, "--db", database).code == 0
    assert ask(database, "SELECT list(points ORDER BY points) FROM seats") == [([-9, 9],)]


def test_exports(ofc: Callable, logs: Path, database: Path, tmp_path: Path) -> None:
    ofc("ingest", logs, "--db", database)
    run = ofc("export", "--db", database)
    assert (run.code, len(run.out.splitlines()), run.err) == (0, 3, "3 hands written\n")
    assert ofc("export", tmp_path / "a.phhs", "--format", "phh", "--db", database).code == 0
    assert (tmp_path / "a.phhs").read_text().count('variant = "OFCPP"') == 3
    assert ofc("export", "--format", "xml", "--db", database).code == 2
    for command in ("export", "rejects"):
        run = ofc(command, "--db", tmp_path / "nowhere.duckdb")
        assert run.code == 2
        assert "found none" in run.err


def test_exit_codes_of_a_database_that_is_busy_or_of_another_schema(ofc: Callable, logs: Path, database: Path) -> None:
    ofc("ingest", logs, "--db", database)
    holder = subprocess.Popen(
        [sys.executable, "-c", "import sys, pathlib, time; from ingest.store import Store\n"
         "with Store(pathlib.Path(sys.argv[1])): print('held', flush=True); time.sleep(60)", str(database)],
        stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        run = ofc("ingest", logs, "--db", database)
        assert run.code == 4
        assert f"process {holder.pid} is writing" in run.err
    finally:
        holder.kill()
        holder.wait()
    with Store(database) as store, store.transaction():
        store.set_fact("schema_version", "99")
    run = ofc("ingest", logs, "--db", database)
    assert run.code == 5
    assert "schema 99" in run.err


@pytest.fixture
def follower(logs: Path, database: Path) -> Iterator[subprocess.Popen[str]]:
    """`ofc ingest --watch` on the folder, in a process of its own."""
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from dashboard.cli import main; main()",
            "ingest",
            "--watch",
            str(logs),
            "--db",
            str(database),
            "--json",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[1],
    )
    yield process
    process.kill()
    process.wait()


def _hands(database: Path, wanted: int) -> bool:
    """Wait until a snapshot holds that many hands."""
    from ingest.snapshots import NoDatabase, open_snapshot

    end = time.monotonic() + 90
    while time.monotonic() < end:
        try:
            connection, _ = open_snapshot(database)
        except NoDatabase:
            time.sleep(0.2)
            continue
        with connection:
            if connection.execute("SELECT count(*) FROM hands").fetchall() == [(wanted,)]:
                return True
        time.sleep(0.2)
    return False


def test_following_a_folder(follower: subprocess.Popen[str], logs: Path, database: Path) -> None:
    assert _hands(database, 3)
    text = collector_text([record(5), record(6)])
    (logs / "new.hh").write_bytes(text[: len(text) * 3 // 4])
    assert _hands(database, 4)
    (logs / "new.hh").write_bytes(text)
    assert _hands(database, 5)
    follower.send_signal(signal.SIGINT)
    out, err = follower.communicate(timeout=60)
    assert follower.returncode == 130
    assert "Traceback" not in err
    assert err.splitlines()[-1] == "stopped"
    assert out.count('"total"') >= 3
    assert ask(database, "SELECT count(*) FROM rejects") == [(0,)]

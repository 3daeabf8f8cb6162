"""Hostile and clumsy input to `ofc score` and `ofc rules`: one clear sentence each, the other hands scored."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ingest.game.errors import RuleError
from ingest.game.rules import BUILTIN_FOLDER, BUILTIN_NAMES, find_rules, load_rules, with_changes
from tests.deals import adversarial_deal, random_deal
from tests.naive import load_rules as twin_rules
from tests.naive import score
from tests.test_score_command import FIRST, SECOND, hand, lines, rows

Fields = dict[str, Any]


def with_player(**fields: Any) -> Fields:
    return {"players": [{"name": "Anna", **fields}, {"name": "Ben"}]}


def with_front(front: Any) -> Fields:
    return {"boards": [{**rows(FIRST), "front": front}, rows(SECOND)]}


REJECTED: list[tuple[Fields, str]] = [
    ({"v": "ofc-hh/2"}, "expected a hand of the format \"ofc-hh/1\", got 'ofc-hh/2'"),
    ({"game": []}, "expected game to be one of classic, pineapple"),
    ({"decks": True}, "expected decks to be 1 or 2, got true"),
    ({"status": "COMPLETE"}, "expected status to be one of complete, partial"),
    ({"pair_values": 5}, "expected pair_values as"),
    ({"pair_values": [[True, False, "5"]]}, "with two of the 2 players"),
    ({"pair_values": [[0, 1, "5"], [1, 0, "6"]]}, "expected one value for the pair 0, 1, got 5 and 6"),
    ({"point_value": "1e400"}, "with up to 15 digits before the point and 9 behind it"),
    ({"point_value": "-1"}, "expected point_value to be 0 or more"),
    ({"point_value": "999999999999999.999999999"}, "expected amounts of up to 12 digits for a point"),
    (with_player(stack="٣"), "expected the stack of Anna to be a decimal number"),
    (with_player(stack=-1), "expected the stack of Anna to be 0 or more"),
    (with_player(fantasyland=14.5), "expected fantasyland of Anna to be a number of cards from 0 to 17"),
    (with_player(fantasyland="14"), "got '14'"),
    (with_player(name={}), "expected the name of player 1 to be a text"),
    (with_front("Kh Kd 5s"), "expected the front of Anna as a list of up to 3 cards"),
    (with_front({}), "expected the front of Anna as a list"),
    (with_front(False), "got false"),
    (with_front(["A" * 100_000]), "expected a card such as As"),
    ({"boards": [{"top": [], "middle": [], "bottom": []}, rows(SECOND)]}, "to be called front, middle and back"),
    ({"boards": None}, "expected boards as a list, one for each player, got nothing"),
]


@pytest.mark.parametrize(("fields", "said"), REJECTED)
def test_rejected_in_one_sentence(ofc: Callable, fields: Fields, said: str) -> None:
    good = lines(hand(FIRST, SECOND))
    bad = lines({**hand(FIRST, SECOND), **with_player(), **fields})
    run = ofc("score", "--rules", "pineapple", "--json", stdin=good + bad + good)
    assert run.code == 3
    assert said in run.err
    assert max(map(len, run.err.splitlines())) < 500
    assert len(run.err.splitlines()) == 2  # the sentence, and how many there are
    assert len(run.out.splitlines()) == 2


SCORED: list[tuple[Fields, dict[str, Any]]] = [
    ({"players": [{}, {}]}, {"points": [9, -9]}),
    (with_player(fantasyland=14.0), {"fantasyland_next": [0, 0]}),
    ({"point_value": 1e-07}, {"chips": ["0.0000009", "-0.0000009"]}),
    ({"point_value": 0.1}, {"chips": ["0.9", "-0.9"]}),
    ({"point_value": -0.0}, {"chips": ["0", "0"]}),
    ({"rules": "classic", "rules_changes": 5}, {"built_for_another_game": True}),
    ({"rules": "classic", "rules_changes": {"points": {"scop": 1}}}, {"built_for_another_game": True}),
    ({"rules": "/dev/stdin"}, {"built_for_another_game": False}),
    ({"decks": 2}, {"built_for_another_game": True}),
    ({"result": {"points": 5}, **with_front(["Kh"])}, {"fouled": [True, False]}),
    ({"id": "a\u2028b"}, {"id": "a\u2028b"}),
]


@pytest.mark.parametrize(("fields", "expected"), SCORED)
def test_scored_all_the_same(ofc: Callable, fields: Fields, expected: dict[str, Any]) -> None:
    text = json.dumps({**hand(FIRST, SECOND), **fields}, ensure_ascii=False)
    run = ofc("score", "--rules", "pineapple", "--json", stdin=text)
    assert run.code == 0
    answer = json.loads(run.out)
    assert {key: answer[key] for key in expected} == expected


@pytest.mark.parametrize("status", ["partial", "cancelled", "results_only"])
def test_nothing_to_score_needs_no_boards(ofc: Callable, status: str) -> None:
    run = ofc("score", "--rules", "pineapple", stdin=lines({"status": status, "players": []}))
    assert (run.code, run.out) == (0, "")
    assert "not scored" in run.err


@pytest.mark.parametrize(
    ("rules", "changes", "said"),
    [
        ("nope", None, "got 'nope'; known: classic"),
        ("/dev/zero", None, "expected rules to be the name of a rule set, got '/dev/zero'"),
        ("classic", 5, "expected keys with their values, got 5"),
        ("classic", {"points": {"scop": 1}}, "unknown key points.scop"),
        (None, None, "choose one with --rules"),
    ],
)
def test_why_a_hand_names_no_rule_set(ofc: Callable, rules: Any, changes: Any, said: str) -> None:
    run = ofc("score", stdin=lines(hand(FIRST, SECOND, rules=rules, rules_changes=changes)))
    assert run.code == 3
    assert said in run.err


TYPED = f"{FIRST}\n{SECOND}\n"


@pytest.mark.parametrize(
    "text",
    [
        TYPED.replace("\n", "\r\n").encode(),
        TYPED.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + TYPED.encode(),
        TYPED.encode("utf-16"),
        f"[bold]: {TYPED}".encode(),
    ],
)
def test_line_ends_and_encodings(ofc: Callable, text: bytes) -> None:
    run = ofc("score", "--rules", "classic", "--json", stdin=text)
    assert json.loads(run.out)["points"] == [9, -9]


def test_a_byte_that_is_no_utf8_costs_one_hand(ofc: Callable) -> None:
    good = lines(hand(FIRST, SECOND)).encode()
    run = ofc("score", "--rules", "classic", "--json", stdin=good + b'{"id": "\xe9"}\nB\xe9: 2c\n\n' + good)
    assert run.code == 3
    assert "line 2: rejected: expected text in UTF-8, got the byte 0xe9 at column 9" in run.err
    assert "line 3: rejected: expected text in UTF-8, got the byte 0xe9 at column 2" in run.err
    assert len(run.out.splitlines()) == 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "no JSON at column 2"),
        ('{"a":' * 5000, "depth limit"),
        ("[{}, {}]", "got a list: put each hand on a line of its own"),
        ("Kh Kd 5s 2c / 9c 9h 4d 4s / Qs Qd 7h Qh 7c", "got rows of 4, 4 and 5"),
        ("x" * 100_000, "three rows"),
    ],
)
def test_lines_that_are_no_hand(ofc: Callable, line: str, said: str) -> None:
    run = ofc("score", "--rules", "classic", stdin=line)
    assert run.code == 3
    assert said in run.err
    assert len(run.err) < 500


def test_what_a_hand_says_cannot_command_the_terminal(ofc: Callable) -> None:
    record = hand(FIRST, SECOND, id="a\nb\x1b[31m", players=[{"name": "\x1b[2J\u202e"}, {"name": "n" * 10_000}])
    run = ofc("score", "--rules", "classic", stdin=lines(record, {**record, "decks": 7}))
    assert "\x1b" not in run.out + run.err
    assert "\u202e" not in run.out
    assert len(run.err.splitlines()) == 2
    assert max(map(len, run.out.splitlines())) < 200


def test_nothing_changes_hands(ofc: Callable) -> None:
    both_foul = "Ah Ad 5s / 9c 9h 4d 4s Jc / 2s 3d 7h Qh 7c\nAc As 5d / 9d 9s 4c 4h / 2c 3h 7d Qc 7s\n"
    run = ofc("score", "--rules", "classic", stdin=both_foul)
    assert "nothing changes hands between player 1 and player 2" in run.out
    assert "player 2     0 points  fouled, only 12 of 13 cards" in run.out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("points.scop=1", "unknown key points.scop"),
        ("points.scoop=-1", "got -1"),
        ("points.scoop=1\nrow=2", "with one value"),
        ("royalties.front.pair={}", "an empty table, which changes nothing"),
        ("base=classic-2-4", "expected its base to stay"),
        ("name=pineapple-ultimate", "expected a name of its own"),
    ],
)
def test_a_change_that_no_rule_set_takes_is_a_usage_error(ofc: Callable, change: str, said: str) -> None:
    for rules in ([], ["--rules", "pineapple"]):
        run = ofc("score", *rules, "--set", change, stdin=lines(hand(FIRST, SECOND, rules="pineapple")))
        assert run.code == 2
        assert said in run.err


def test_a_title_changes_no_score_and_no_name() -> None:
    assert with_changes(find_rules("pineapple"), {"title": "mine"}).name == "pineapple"


RULE_FILES = [
    (b"\xff\xfeb\x00", "in UTF-8, got a byte that is not at 0"),
    (b"[points]\nrow = " + b"9" * 5000, "cannot be read"),
    (b"x = " + b"[" * 3000 + b"]" * 3000, "cannot be read"),
    (b'base = "' + b"n" * 5000 + b'"', "at most 100 characters"),
    (b'base = "sub/classic"', "without slashes"),
    (b'title = "a\\nb"', "a text of one line"),
    (b'title = "\\u001b[31m"', "a text of one line"),
    (b'name = "a\\u202eb"', "a name of one line"),
    (b"[fantasyland]\nenter = [" + b"{front = 'QQ+', cards = 14}," * 33 + b"]", "at most 32 conditions, got 33"),
    (b"[fantasyland]\nenter = 'QQ+'", "a list of conditions such as"),
]


@pytest.mark.parametrize(("text", "said"), RULE_FILES)
def test_broken_rule_files(ofc: Callable, tmp_path: Path, text: bytes, said: str) -> None:
    path = tmp_path / "house.toml"
    path.write_bytes(text)
    checked = ofc("rules", "check", path)
    assert checked.code == 3
    assert said in checked.err
    assert len(checked.err.splitlines()) == 1
    for arguments in (("rules", "show", path), ("rules", "diff", "classic", path), ("score", "--rules", path)):
        run = ofc(*arguments, stdin=TYPED)
        assert run.code == 2
        assert said in run.err


def test_a_folder_of_rules_with_broken_files(ofc: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.places.rule_folders", lambda: (tmp_path,))
    (tmp_path / "broken.toml").write_bytes(b"\xff")
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "house.toml").write_text('base = "classic"\nname = "friday"\ntitle = "[/] [red]ours"\n', "utf-8")
    listed = ofc("rules")
    assert listed.code == 0
    assert sum("not valid: " in line for line in listed.out.splitlines()) == 2
    for name in ("house", "friday"):
        assert "friday: [/] [red]ours" in ofc("rules", "show", name).out
    (tmp_path / "other.toml").write_text('name = "friday"\n', "utf-8")
    twice = ofc("rules", "show", "friday")
    assert twice.code == 2
    assert "expected one rule file that is called 'friday'" in twice.err


def test_a_rule_set_with_any_title_reads_as_itself(ofc: Callable, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('name = "日本 🃏"\ntitle = "\\"a\\" \\\\ 🃏"\nsource = "two\\nlines"\n', "utf-8")
    (tmp_path / "b.toml").write_text(ofc("rules", "show", tmp_path / "a.toml", "--toml").out, "utf-8")
    assert load_rules(tmp_path / "b.toml").data == load_rules(tmp_path / "a.toml").data


def test_a_long_chain_of_bases(tmp_path: Path) -> None:
    (tmp_path / "c0.toml").write_text('base = "classic"\n', "utf-8")
    for place in range(1, 50):
        (tmp_path / f"c{place}.toml").write_text(f'base = "c{place - 1}"\n', "utf-8")
    assert load_rules(tmp_path / "c49.toml").royalties == find_rules("classic").royalties
    (tmp_path / "c0.toml").write_text('base = "c49"\n', "utf-8")
    with pytest.raises(RuleError, match="loops: c49 -> "):
        load_rules(tmp_path / "c49.toml")


def test_the_command_line_agrees_with_the_slow_twin(ofc: Callable) -> None:
    """Every built-in rule set in one run, hands of all of them mixed, chips and pair values included."""
    twins = {name: twin_rules(BUILTIN_FOLDER / f"{name}.toml") for name in BUILTIN_NAMES}
    hands = [
        {"id": f"{name} {seed}", "rules": name, **deal(seed, twins[name])}
        for seed in range(70_000, 70_012)
        for name in BUILTIN_NAMES
        for deal in (random_deal, adversarial_deal)
    ]
    for chosen in (None, "table-stakes", "double-deck-pineapple"):
        run = ofc("score", "--json", *(["--rules", chosen] if chosen else []), stdin=lines(*hands))
        assert (run.code, run.err) == (0, "")
        for record, line in zip(hands, run.out.splitlines(), strict=True):
            expected = score(record, twins[chosen or record["rules"]])
            del expected["parts"]
            got = {"stack_unknown": False} | json.loads(line)
            assert {key: got[key] for key in expected} == expected, record


def test_a_stream_that_cannot_show_a_name() -> None:
    command = [sys.executable, "-c", "from dashboard.cli import main; main()", "score", "--rules", "classic"]
    text = f"日本: {FIRST}\n{SECOND}\n"
    environment = os.environ | {"PYTHONIOENCODING": "cp1252"}
    done = subprocess.run(command, input=text.encode(), capture_output=True, env=environment, check=False)
    assert done.returncode == 0
    assert b"\\u65e5\\u672c gets 9 from player 2" in done.stdout
    done = subprocess.run([*command, "--json"], input=text.encode(), capture_output=True, env=environment, check=False)
    assert json.loads(done.stdout)["points"] == [9, -9]

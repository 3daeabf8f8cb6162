"""Rule sets: the built-in files, a user's own, changes to one key, and what is refused."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from ingest.game.compiled import compile_rules
from ingest.game.errors import RuleError
from ingest.game.rule_files import format_toml, parse_change
from ingest.game.rules import BUILTIN_FOLDER, BUILTIN_NAMES, builtin_rules, find_rules, load_rules, with_changes


def write(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def test_26_rule_sets_one_file_each() -> None:
    assert len(BUILTIN_NAMES) == 26
    assert {path.stem for path in BUILTIN_FOLDER.glob("*.toml")} == set(BUILTIN_NAMES)
    for name, rules in builtin_rules().items():
        assert rules.name == name
        assert rules.title
        assert rules.source
        compile_rules(rules)


def test_keys_tell_rule_sets_apart() -> None:
    assert len({rules.key for rules in builtin_rules().values()}) == 26
    changed = with_changes(find_rules("classic"), {"points.scoop": 0})
    assert changed.key != find_rules("classic").key
    assert changed.key == with_changes(find_rules("classic"), {"points": {"scoop": 0}}).key


def test_a_house_rule_is_a_few_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "house.toml", 'base = "pineapple"\n[points]\nscoop = 2\n')
    rules = load_rules(path)
    base = find_rules("pineapple")
    assert rules.name == "house"
    assert rules.points.scoop == 2
    assert rules.points.foul_points == 5
    assert rules.royalties == base.royalties
    assert find_rules("house", [tmp_path]) == rules
    assert find_rules(str(path)) == rules


def test_a_base_beside_the_file(tmp_path: Path) -> None:
    write(tmp_path / "club.toml", 'base = "classic"\n[points]\nscoop = 1\n')
    house = write(tmp_path / "house.toml", 'base = "club"\n[royalties.back]\nquads = 8\n')
    rules = load_rules(house)
    assert rules.points.scoop == 1
    assert rules.royalties.back["quads"] == 8
    assert rules.royalties.back["flush"] == 4


def test_tables_merge_and_lists_replace() -> None:
    rules = with_changes(find_rules("pineapple"), {"royalties.back.quads": 12, "fantasyland.stay": []})
    assert rules.royalties.back["quads"] == 12
    assert rules.royalties.back["flush"] == 4
    assert rules.fantasyland.stay == ()


def test_another_kind_of_middle_drops_what_the_base_said_of_it() -> None:
    rules = with_changes(find_rules("pineapple"), {"deal.middle": "deuce_to_seven"})
    assert rules.royalties.middle == {}
    assert all(condition.middle is None for condition in rules.fantasyland.stay)
    assert rules.game_label == "pineapple-2-7"


REFUSED = [
    ('base = "classic"\n[points]\nscop = 1\n', "unknown key points.scop; known: points.row, points.scoop"),
    ('base = "classic"\nscoop = 1\n', "unknown key scoop; known: name"),
    ('base = "classic"\n[points]\nscoop = -1\n', "expected points.scoop to be a whole number from 0"),
    ('base = "classic"\n[points]\nscoop = true\n', "expected points.scoop to be a whole number from 0"),
    ('base = "classic"\n[points]\nsettlement = "cash"\n', "one of points, table_stakes, got 'cash'"),
    ('base = "classic"\n[deal]\ndecks = 3\n', "expected deal.decks to be one of 1, 2, got 3"),
    ('base = "classic"\n[deal]\nmiddle = "low"\n', "one of high, deuce_to_seven"),
    ('base = "classic"\n[fantasyland]\nenter = [{front = "QQ+", cards = -14}]\n', "from 13 to 17, got -14"),
    ('base = "classic"\n[fantasyland]\nenter = [{front = "flush", cards = 14}]\n', "got 'flush'"),
    ('base = "classic"\n[fantasyland]\nenter = [{top = "QQ+", cards = 14}]\n', "unknown key fantasyland.enter"),
    ('base = "classic"\n[fantasyland]\nenter = [{cards = 14}]\n', "with what it asks for and cards"),
    ('base = "classic"\n[royalties.front]\nstraight = 4\n', "unknown key royalties.front.straight"),
    ('base = "classic"\n[royalties.front.pair]\n1010 = 4\n', "got '1010'; known: 22, 33"),
    ('base = "classic"\n[royalties.middle]\n75432 = 4\n', "what a middle can hold, got '75432'"),
    ('base = "pineapple-2-7"\n[royalties.middle]\nflush = 4\n', "what a 2-7 middle can hold, got 'flush'"),
    ('base = "classic"\n[royalties.back]\nhigh_card = 4\n', "what a back can hold, got 'high_card'"),
    ('base = "classic"\n[naturals.points]\nred_dragon = 4\n', "got 'red_dragon'; known: clean_dragon"),
    ('base = "clasic"\n', "expected base to name a rule set, got 'clasic'; known: "),
    ('base = "classic\n', "cannot be read"),
    ('name = "classic"\nbase = "pineapple"\n', "a name of its own"),
    ('base = "classic"\npoints = 3\n', "expected points to be a table, got 3"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_refused_in_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    path = write(tmp_path / "house.toml", text)
    with pytest.raises(RuleError) as caught:
        load_rules(path)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value).rstrip()


def test_a_base_that_loops_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "a.toml", 'base = "b"\n')
    write(tmp_path / "b.toml", 'base = "a"\n')
    with pytest.raises(RuleError, match="loops: a -> b -> a"):
        load_rules(tmp_path / "a.toml")


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(RuleError, match="got 'pinapple'; known: classic, classic-2-4"):
        find_rules("pinapple")


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("points.scoop=0", ("points.scoop", 0)),
        ("points.foul=scoop", ("points.foul", "scoop")),
        ("fantasyland.stay=[]", ("fantasyland.stay", [])),
        (
            'fantasyland.enter=[{front="KK+",cards=15}]',
            ("fantasyland.enter", [{"front": "KK+", "cards": 15}]),
        ),
    ],
)
def test_changes_on_the_command_line(text: str, change: tuple[str, object]) -> None:
    assert parse_change(text) == change
    with_changes(find_rules("pineapple"), dict([change]))


@pytest.mark.parametrize("name", BUILTIN_NAMES)
def test_a_rule_set_written_whole_reads_as_itself(name: str, tmp_path: Path) -> None:
    rules = find_rules(name)
    text = format_toml(rules.data).replace(f'name = "{name}"', 'name = "copy"')
    assert tomllib.loads(text)
    copy = load_rules(write(tmp_path / "copy.toml", text))
    assert compile_rules(copy).numbers == compile_rules(rules).numbers
    assert {**copy.data, "name": name} == rules.data


def test_rules_commands(ofc: Callable, tmp_path: Path) -> None:
    listed = ofc("rules")
    assert listed.code == 0
    assert [line.split()[0] for line in listed.out.splitlines()][:26] == list(BUILTIN_NAMES)
    shown = ofc("rules", "show", "pineapple-progressive")
    assert "AA in the front: 16 cards" in " ".join(shown.out.split())
    whole = tomllib.loads(ofc("rules", "show", "pineapple-progressive", "--toml").out)
    assert whole["points"]["scoop"] == 3
    differing = ofc("rules", "diff", "classic", "classic-2-4")
    assert "points.scoop" in differing.out
    assert "points.majority" in differing.out
    assert "points.row" not in differing.out
    good = write(tmp_path / "good.toml", 'base = "pineapple"\n[points]\nscoop = 1\n')
    bad = write(tmp_path / "bad.toml", 'base = "pineapple"\n[points]\nscop = 1\n')
    checked = ofc("rules", "check", good)
    assert checked.code == 0
    assert "rule set good, pineapple with 1 change" in checked.out
    refused = ofc("rules", "check", good, bad)
    assert refused.code == 3
    assert "unknown key points.scop" in refused.err
    unknown = ofc("rules", "show", "nothing")
    assert unknown.code == 2
    assert "known: classic" in unknown.err

"""Rule sets: what a deal is worth, as data.

A rule set is a TOML file, whole or a `base` with what differs. `rule_files` reads and checks it; this module holds what
comes out and finds it by name.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

from ingest.game.errors import RuleError, known, shown
from ingest.game.rule_files import check_data, merge_data, nested, read_chain, read_file

# Part of every rule set's key: raise it when the scorer's answers change, so that stored scores are made again.
SCORER_VERSION = 1

# What a rule set says of itself, which no score depends on.
_SAID = ("name", "title", "source", "base")

BUILTIN_FOLDER = Path(__file__).parent / "rules"
# In the order of a rule book: classic and its variants, pineapple and its variants, closed Chinese.
BUILTIN_NAMES = (
    "classic",
    "classic-2-4",
    "classic-no-fantasyland",
    "classic-no-repeat",
    "graded-front-trips",
    "middle-trips",
    "middle-back-trips",
    "low-royalties",
    "treble-middle",
    "row-winner",
    "royalty-stay",
    "naturals",
    "shoot-the-moon",
    "face-down-last-three",
    "table-stakes",
    "double-deck",
    "pineapple",
    "pineapple-strict-stay",
    "pineapple-aces",
    "pineapple-progressive",
    "pineapple-ultimate",
    "pineapple-refant-14",
    "pineapple-2-7",
    "double-deck-pineapple",
    "chinese-1-6",
    "chinese-2-4",
)

Game = Literal["classic", "pineapple", "chinese"]


@dataclass(frozen=True)
class Deal:
    """How the cards are dealt."""

    game: Game
    decks: int
    middle: Literal["high", "deuce_to_seven"]
    face_down_last: int

    @property
    def streets(self) -> tuple[tuple[int, int], ...]:
        """Cards dealt and cards kept on each street of a normal hand."""
        later = {"classic": ((1, 1),) * 8, "pineapple": ((3, 2),) * 4, "chinese": ()}[self.game]
        return ((13, 13),) if self.game == "chinese" else ((5, 5), *later)

    @property
    def most_players(self) -> int:
        """The largest table that the cards serve."""
        return {"classic": 4, "pineapple": 3, "chinese": 4}[self.game] * self.decks


@dataclass(frozen=True)
class Points:
    """What rows, scoops and fouls pay, per opponent."""

    row: int
    scoop: int
    majority: int
    foul: int | Literal["scoop"]
    incomplete: Literal["foul"]
    settlement: Literal["points", "table_stakes"]

    @property
    def foul_points(self) -> int:
        """What a fouled player pays: a number, or what winning all three rows is worth here."""
        if self.foul == "scoop":
            return 3 * self.row + self.scoop + self.majority
        return self.foul


@dataclass(frozen=True)
class Royalties:
    """Royalty tables: points by pair and trips of the front, by category of middle and back."""

    count: Literal["both", "row_winner"]
    front_pair: Mapping[str, int]
    front_trips: Mapping[str, int]
    middle: Mapping[str, int]
    back: Mapping[str, int]

    def times(self, factor: int) -> dict[str, Any]:
        """All of them so many times as large, as a rule file has them: what `with_changes` takes as ``royalties``."""

        def larger(table: Mapping[str, int]) -> dict[str, int]:
            return {key: factor * value for key, value in table.items()}

        return {
            "front": {"pair": larger(self.front_pair), "trips": larger(self.front_trips)},
            "middle": larger(self.middle),
            "back": larger(self.back),
        }


@dataclass(frozen=True)
class Naturals:
    """Special hands of all 13 cards; empty `points`: none."""

    pay: Literal["instead", "on_top"]
    points: Mapping[str, int]


@dataclass(frozen=True)
class Moon:
    """Shooting the moon; 0 points: off."""

    points: int
    highest: str


@dataclass(frozen=True)
class Condition:
    """What a board must show, all of it, to get `cards` cards in Fantasyland; "same": as many as now."""

    cards: int | Literal["same"]
    front: str | None = None
    middle: str | None = None
    back: str | None = None
    royalty: int | None = None


@dataclass(frozen=True)
class Fantasyland:
    """Who plays the next hand in Fantasyland: any one condition suffices, the most cards count."""

    enter: tuple[Condition, ...]
    stay: tuple[Condition, ...]
    button_moves: bool
    sets: Literal["first", "in_turn"]


@dataclass(frozen=True)
class RuleSet:
    """One rule set, checked and whole."""

    name: str
    title: str
    source: str
    base: str | None
    deal: Deal
    points: Points
    royalties: Royalties
    naturals: Naturals
    moon: Moon
    fantasyland: Fantasyland
    data: Mapping[str, Any] = field(repr=False, compare=False)

    @cached_property
    def key(self) -> str:
        """A hash of the name and everything that scoring depends on, 16 hex digits."""
        meant = {key: value for key, value in self.data.items() if key not in ("title", "source", "base")}
        text = json.dumps([SCORER_VERSION, meant], sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def game_label(self) -> str:
        """The way of dealing as logs name it: ``pineapple-2-7`` where the middle is a 2-7 hand."""
        return f"{self.deal.game}-2-7" if self.deal.middle == "deuce_to_seven" else self.deal.game

    def is_built_for(self, deal: Deal) -> bool:
        """Whether boards that were made under `deal` were made for this rule set's game."""
        return (self.deal.game, self.deal.decks, self.deal.middle) == (deal.game, deal.decks, deal.middle)


def _rule_set(data: Mapping[str, Any], where: str) -> RuleSet:
    """A rule set from merged data; raises RuleError with `where` before what is wrong."""
    whole = check_data(data, where)
    royalties = whole["royalties"]
    fantasyland = whole["fantasyland"]
    return RuleSet(
        name=whole["name"],
        title=whole["title"],
        source=whole["source"],
        base=whole["base"],
        deal=Deal(**whole["deal"]),
        points=Points(**whole["points"]),
        royalties=Royalties(
            royalties["count"],
            royalties["front"]["pair"],
            royalties["front"]["trips"],
            royalties["middle"],
            royalties["back"],
        ),
        naturals=Naturals(**whole["naturals"]),
        moon=Moon(**whole["moon"]),
        fantasyland=Fantasyland(
            enter=tuple(Condition(**condition) for condition in fantasyland["enter"]),
            stay=tuple(Condition(**condition) for condition in fantasyland["stay"]),
            button_moves=fantasyland["button_moves"],
            sets=fantasyland["sets"],
        ),
        data=whole,
    )


def rules_of_data(data: Mapping[str, Any], where: str = "a stored rule set") -> RuleSet:
    """The rule set of whole data, as `RuleSet.data` holds it. Raises RuleError with `where` before what is wrong."""
    return _rule_set(data, where)


@cache
def builtin_rules() -> dict[str, RuleSet]:
    """The built-in rule sets by name, in the order of BUILTIN_NAMES."""
    return {name: load_rules(BUILTIN_FOLDER / f"{name}.toml") for name in BUILTIN_NAMES}


def load_rules(path: Path, folders: Sequence[Path] = ()) -> RuleSet:
    """The rule set of a file; a `base` is looked up among the built-in ones, beside the file and in `folders`.

    Raises RuleError, one sentence that names the file.
    """
    data = read_chain(path, (BUILTIN_FOLDER, path.parent, *folders))
    if path.parent != BUILTIN_FOLDER and data["name"] in BUILTIN_NAMES:
        raise RuleError(
            f"{path}: expected a name of its own, got {shown(data['name'])}, which is a built-in rule set's"
        )
    return _rule_set(data, str(path))


def user_rules(folders: Iterable[Path]) -> dict[str, Path]:
    """The rule files that lie in a user's folders, by the name of the file without its ending."""
    return {path.stem: path for folder in folders if folder.is_dir() for path in sorted(folder.glob("*.toml"))}


def find_rules(name: str, folders: Sequence[Path] = ()) -> RuleSet:
    """The rule set called `name`: built in, a file in one of `folders`, or the path of a rule file.

    A file is found by its own name and by the `name` it holds. Raises RuleError with the known names.
    """
    if name in BUILTIN_NAMES:
        return builtin_rules()[name]
    own = user_rules(folders)
    if name in own:
        return load_rules(own[name], folders)
    if name.endswith(".toml") or "/" in name or "\\" in name:
        return load_rules(Path(name), folders)
    called = [path for path in own.values() if _name_inside(path) == name]
    if len(called) > 1:
        raise RuleError(f"expected one rule file that is called {shown(name)}, got {known(called)}")
    if called:
        return load_rules(called[0], folders)
    raise RuleError(
        f"expected the name of a rule set or the path of a rule file (.toml), got {shown(name)}; "
        f"known: {known([*BUILTIN_NAMES, *own])}"
    )


def _name_inside(path: Path) -> object:
    """What a rule file calls itself; None where it cannot be read."""
    try:
        return read_file(path)["name"]
    except RuleError:
        return None


def with_changes(rules: RuleSet, changes: Mapping[str, Any]) -> RuleSet:
    """`rules` with some keys changed: dotted paths (``{"points.scoop": 0}``) or tables as a rule file has them.

    The name tells what was changed. Raises RuleError for an unknown key or an impossible value.
    """
    where = f"a change to {rules.name}"
    if not isinstance(changes, Mapping):
        raise RuleError(f"{where}: expected keys with their values, got {shown(changes)}")
    data = dict(merge_data(rules.data, nested(changes, where)))
    if data["base"] not in (rules.base, rules.name):
        raise RuleError(f"{where}: expected its base to stay, got {shown(data['base'])}: start from that rule set")
    data["base"] = rules.base
    if data["name"] != rules.name and data["name"] in BUILTIN_NAMES:
        raise RuleError(f"{where}: expected a name of its own, got {shown(data['name'])}, a built-in rule set's")
    label = _changes_label({key: value for key, value in changes.items() if key not in _SAID})
    if label and data["name"] == rules.name:
        data["name"] = f"{rules.name} with {label}"
    return _rule_set(data, where)


def _changes_label(changes: Mapping[str, Any], path: str = "") -> str:
    """A short readable text of changes, the same whether they were written as paths or as tables."""
    parts: list[str] = []
    for key, value in changes.items():
        if isinstance(value, Mapping):
            inside = _changes_label(value, f"{path}{key}.")
            parts += [inside] if inside else []
        else:
            shown = json.dumps(value, separators=(",", ":"), sort_keys=True) if isinstance(value, list) else str(value)
            parts.append(f"{path}{key}={shown}")
    return " ".join(sorted(parts))

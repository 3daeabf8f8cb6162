"""Rule files: reading TOML, following `base`, and checking every key and value.

A rule file holds a rule set whole, or the name of a `base` and what differs: tables merge key by key, lists replace.
What a base says about its middle row (royalties, Fantasyland) goes when the middle becomes another kind of hand.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ingest.game.cards import RANKS
from ingest.game.errors import RuleError, known, plain, shown
from ingest.game.naturals import NATURALS
from ingest.game.strength import CATEGORIES

Data = Mapping[str, Any]

FRONT_PAIRS = tuple(rank * 2 for rank in RANKS)
FRONT_TRIPS = tuple(rank * 3 for rank in RANKS)
# What a five-card row can be paid for, weak to strong; a high_card row pays nothing anywhere.
HIGH_ROWS = CATEGORIES[1:]
# A qualified 2-7 middle by its highest card, weak to strong; the best of all has a name of its own.
LOW_ROWS = ("T", "9", "8", "7", "75432")
MIDDLES = ("high", "deuce_to_seven")
MOST_POINTS = 100_000
MOST_CONDITIONS = 32
# Of a name, so that a file can be called so.
MOST_NAME = 100

DEFAULTS: Data = {
    "title": "",
    "source": "",
    "base": None,
    "deal": {"game": "classic", "decks": 1, "middle": "high", "face_down_last": 0},
    "points": {
        "row": 1,
        "scoop": 3,
        "majority": 0,
        "foul": "scoop",
        "incomplete": "foul",
        "settlement": "points",
    },
    "royalties": {"count": "both", "front": {"pair": {}, "trips": {}}, "middle": {}, "back": {}},
    "naturals": {"pay": "instead", "points": {}},
    "moon": {"points": 0, "highest": "J"},
    "fantasyland": {"enter": [], "stay": [], "button_moves": False, "sets": "first"},
}

# ---------------------------------------------------------------------------------------------- reading and merging


def read_file(path: Path) -> dict[str, Any]:
    """The tables of one rule file as they stand there; a missing `name` is the file's own."""
    try:
        data = tomllib.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        raise RuleError(f"expected a rule file at {shown(str(path))}, got nothing there") from None
    except OSError as error:
        raise RuleError(
            f"{path}: expected a rule file in TOML, got one that cannot be read: {error.strerror}"
        ) from None
    except UnicodeDecodeError as error:
        raise RuleError(f"{path}: expected a rule file in UTF-8, got a byte that is not at {error.start}") from None
    except (ValueError, RecursionError) as error:  # not TOML, a number without end, lists in lists in lists
        raise RuleError(f"{path}: expected a rule file in TOML, got one that cannot be read: {error}") from None
    data.setdefault("name", path.stem)
    return data


def read_chain(path: Path, folders: Sequence[Path]) -> dict[str, Any]:
    """The data of a rule file merged onto its base, that one's base, and so on; bases lie in `folders`."""
    chain = [path]
    layers = [read_file(path)]
    seen = {path.resolve()}
    while (base := layers[-1].get("base")) is not None:
        try:
            _name(base, "base")
            if len(base) > MOST_NAME:
                raise _fail("base", f"a name of at most {MOST_NAME} characters", base)
        except RuleError as error:
            raise RuleError(f"{chain[-1]}: {error}") from None
        found = next((folder / f"{base}.toml" for folder in folders if (folder / f"{base}.toml").is_file()), None)
        if found is None:
            names = sorted({file.stem for folder in folders for file in folder.glob("*.toml")} - {path.stem})
            raise RuleError(f"{chain[-1]}: expected base to name a rule set, got {shown(base)}; known: {known(names)}")
        if found.resolve() in seen:
            loop = " -> ".join(file.stem for file in (*chain, found))
            raise RuleError(f"{path}: expected a base that ends somewhere, got one that loops: {loop}")
        seen.add(found.resolve())
        chain.append(found)
        layers.append(read_file(found))
    data: Data = DEFAULTS
    for file, layer in zip(reversed(chain), reversed(layers), strict=True):
        _refuse_unknown_keys(layer, str(file))
        data = merge_data(data, layer)
    return dict(data)


def merge_data(base: Data, changes: Data) -> Data:
    """`base` with `changes` on top; what it says of a middle of another kind is dropped first."""
    middle = _at(changes, "deal", "middle")
    if middle in MIDDLES and middle != _at(base, "deal", "middle"):
        base = _without_middle(base)
    return _merge(base, changes)


def _merge(base: Data, changes: Data) -> Data:
    merged = dict(base)
    for key, value in changes.items():
        old = merged.get(key)
        merged[key] = _merge(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return merged


def _at(data: Data, *path: str) -> Any:
    value: Any = data
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _without_middle(data: Data) -> Data:
    def kept(conditions: Sequence[Data]) -> list[Data]:
        return [condition for condition in conditions if "middle" not in condition]

    royalties, fantasyland = data["royalties"], data["fantasyland"]
    return {
        **data,
        "royalties": {**royalties, "middle": {}},
        "fantasyland": {**fantasyland, "enter": kept(fantasyland["enter"]), "stay": kept(fantasyland["stay"])},
    }


def nested(changes: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Changes by dotted path, or as tables, as the tables of a rule file; unknown keys are refused."""
    tables: dict[str, Any] = {}
    for path, value in changes.items():
        *folders, leaf = path.split(".")
        tables = dict(_merge(tables, _wrapped(folders, {leaf: value})))
    _refuse_unknown_keys(tables, where)
    return tables


def _wrapped(folders: Sequence[str], value: dict[str, Any]) -> dict[str, Any]:
    for folder in reversed(folders):
        value = {folder: value}
    return value


def parse_change(text: str) -> tuple[str, Any]:
    """A ``KEY=VALUE`` of the command line; the value as TOML writes it, a plain word needs no quotes."""
    path, equals, value = text.partition("=")
    if not equals or not path.strip():
        raise RuleError(f"expected KEY=VALUE such as points.scoop=0, got {shown(text)}")
    try:
        read = tomllib.loads(f"value = {value.strip()}")
    except (ValueError, RecursionError):
        read = {"value": value.strip()}
    if len(read) > 1:
        raise RuleError(f"expected KEY=VALUE with one value, got {shown(text)}")
    if read["value"] == {}:
        raise RuleError(f"expected a value for {path.strip()}, got an empty table, which changes nothing")
    return path.strip(), read["value"]


# ------------------------------------------------------------------------------------------------------- the checks

Check = Callable[[Any, str], Any]


def _fail(path: str, expected: str, came: object) -> RuleError:
    return RuleError(f"expected {path} to be {expected}, got {shown(came)}")


def _whole(least: int, most: int) -> Check:
    def check(value: Any, path: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise _fail(path, f"a whole number from {least} to {most}", value)
        return value

    return check


def _one_of(*names: Any) -> Check:
    def check(value: Any, path: str) -> Any:
        if isinstance(value, bool) or value not in names:
            raise _fail(path, "one of " + known(names), value)
        return value

    return check


def _text(value: Any, path: str) -> str:
    """A text that may have several lines, without what else commands a terminal."""
    if not isinstance(value, str) or any(plain(line) != line for line in value.replace("\t", " ").split("\n")):
        raise _fail(path, "a text", value)
    return value


def _line(value: Any, path: str) -> str:
    if not isinstance(value, str) or plain(value) != value:
        raise _fail(path, "a text of one line", value)
    return value


def _name(value: Any, path: str) -> str:
    if not isinstance(value, str) or not value.strip() or re.search(r"[/\\]", value) or plain(value) != value:
        raise _fail(path, "a name of one line without slashes", value)
    return value


def _base(value: Any, path: str) -> str | None:
    return None if value is None else _name(value, path)


def _flag(value: Any, path: str) -> bool:
    if not isinstance(value, bool):
        raise _fail(path, "true or false", value)
    return value


def _foul(value: Any, path: str) -> Any:
    if value == "scoop":
        return value
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_POINTS:
        raise _fail(path, f'"scoop" or a whole number from 0 to {MOST_POINTS}', value)
    return value


def _paid(rows: Sequence[str], row: str) -> Check:
    """A table of points by what a row holds; anything that this row cannot hold is refused."""

    def check(value: Any, path: str) -> dict[str, int]:
        if not isinstance(value, Mapping):
            raise _fail(path, "a table of points", value)
        for key in value:
            if key not in rows:
                raise RuleError(
                    f"expected {path} to pay for what {row} can hold, got {shown(key)}; known: {known(rows)}"
                )
        points = _whole(0, MOST_POINTS)
        return {key: points(value[key], f"{path}.{key}") for key in rows if key in value}

    return check


def _natural_points(value: Any, path: str) -> dict[str, int]:
    return _paid(NATURALS, "13 cards")(value, path)  # type: ignore[no-any-return]


def _conditions(low: bool) -> Check:
    def check(value: Any, path: str) -> list[dict[str, Any]]:
        if not isinstance(value, list):
            raise _fail(path, 'a list of conditions such as [{front = "QQ+", cards = 14}]', value)
        if len(value) > MOST_CONDITIONS:
            raise RuleError(f"expected {path} to have at most {MOST_CONDITIONS} conditions, got {len(value)}")
        return [_condition(item, f"{path}[{place}]", low) for place, item in enumerate(value)]

    return check


def _condition(value: Any, path: str, low: bool) -> dict[str, Any]:
    keys = ("front", "middle", "back", "royalty", "cards")
    if not isinstance(value, Mapping):
        raise _fail(path, 'a condition such as {front = "QQ+", cards = 14}', value)
    for key in value:
        if key not in keys:
            raise RuleError(f"unknown key {path}.{plain(key, MOST_NAME)}; known: {known(keys)}")
    if "cards" not in value or len(value) < 2:
        raise _fail(
            path, 'a condition with what it asks for and cards, such as {front = "QQ+", cards = 14}', dict(value)
        )
    middles = LOW_ROWS if low else HIGH_ROWS
    cards = value["cards"]
    checked: dict[str, Any] = {"cards": cards if cards == "same" else _fantasyland_cards(cards, f"{path}.cards")}
    for key, names in (
        ("front", (*FRONT_PAIRS, *FRONT_TRIPS, "pair", "trips")),
        ("middle", middles),
        ("back", HIGH_ROWS),
    ):
        if key in value:
            text = value[key]
            if not isinstance(text, str) or text.removesuffix("+") not in names:
                raise _fail(f"{path}.{key}", f"one of {known(names)}, with + behind it for that or better", text)
            checked[key] = text
    if "royalty" in value:
        checked["royalty"] = _whole(1, MOST_POINTS)(value["royalty"], f"{path}.royalty")
    return checked


def _fantasyland_cards(value: Any, path: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 13 <= value <= 17:
        raise _fail(path, '"same" or a whole number of cards from 13 to 17', value)
    return value


def _checks(low: bool) -> dict[str, Any]:
    """Every key that a rule file may hold, with the check of its value."""
    points = _whole(0, MOST_POINTS)
    return {
        "name": _name,
        "title": _line,
        "base": _base,
        "source": _text,
        "deal": {
            "game": _one_of("classic", "pineapple", "chinese"),
            "decks": _one_of(1, 2),
            "middle": _one_of(*MIDDLES),
            "face_down_last": _whole(0, 13),
        },
        "points": {
            "row": points,
            "scoop": points,
            "majority": points,
            "foul": _foul,
            "incomplete": _one_of("foul"),
            "settlement": _one_of("points", "table_stakes"),
        },
        "royalties": {
            "count": _one_of("both", "row_winner"),
            "front": {"pair": _paid(FRONT_PAIRS, "a pair in front"), "trips": _paid(FRONT_TRIPS, "trips in front")},
            "middle": _paid(LOW_ROWS, "a 2-7 middle") if low else _paid(HIGH_ROWS, "a middle"),
            "back": _paid(HIGH_ROWS, "a back"),
        },
        "naturals": {"pay": _one_of("instead", "on_top"), "points": _natural_points},
        "moon": {"points": points, "highest": _one_of(*RANKS)},
        "fantasyland": {
            "enter": _conditions(low),
            "stay": _conditions(low),
            "button_moves": _flag,
            "sets": _one_of("first", "in_turn"),
        },
    }


def _refuse_unknown_keys(data: Data, where: str, checks: Mapping[str, Any] | None = None, path: str = "") -> None:
    checks = _checks(low=False) if checks is None else checks
    for key, value in data.items():
        check = checks.get(key)
        if check is None:
            raise RuleError(
                f"{where}: unknown key {path}{plain(key, MOST_NAME)}; known: {known(path + name for name in checks)}"
            )
        if isinstance(check, Mapping):
            if not isinstance(value, Mapping):
                raise RuleError(f"{where}: expected {path}{key} to be a table, got {shown(value)}")
            _refuse_unknown_keys(value, where, check, f"{path}{key}.")


def check_data(data: Data, where: str) -> dict[str, Any]:
    """Merged data with every value checked, in one fixed order; raises RuleError with `where` in front."""
    low = _at(data, "deal", "middle") == "deuce_to_seven"

    def checked(values: Data, checks: Mapping[str, Any], path: str) -> dict[str, Any]:
        return {
            key: checked(values[key], check, f"{path}{key}.")
            if isinstance(check, Mapping)
            else check(values[key], path + key)
            for key, check in checks.items()
        }

    try:
        return checked(data, _checks(low), "")
    except RuleError as error:
        raise RuleError(f"{where}: {error}") from None


def format_toml(data: Data) -> str:
    """Checked data as a rule file, whole."""
    lines = [
        f"{key} = {_toml(value)}" for key, value in data.items() if not isinstance(value, Mapping) and value is not None
    ]
    for name, table in data.items():
        if isinstance(table, Mapping):
            lines += ["", f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }" if value else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)

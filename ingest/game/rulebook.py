"""A rule set as a player would want to read it: sentences and tables, generated from the data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ingest.game.rule_files import FRONT_TRIPS, HIGH_ROWS
from ingest.game.rules import Condition, RuleSet

# A table: its title, the head of its columns, and its rows.
Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class BookTable:
    """One table of a rule book page."""

    title: str
    head: tuple[str, ...]
    rows: Rows


@dataclass(frozen=True)
class BookPage:
    """What a rule set does, in sentences by topic and in tables."""

    title: str
    sentences: tuple[tuple[str, str], ...]  # topic, sentence
    tables: tuple[BookTable, ...]


_CATEGORY_WORDS = {
    "high_card": "high card",
    "pair": "a pair",
    "two_pair": "two pair",
    "trips": "trips",
    "straight": "a straight",
    "flush": "a flush",
    "full_house": "a full house",
    "quads": "quads",
    "straight_flush": "a straight flush",
    "royal_flush": "a royal flush",
    "five_of_a_kind": "five of a kind",
}
_LOW_WORDS = {"T": "ten high", "9": "nine high", "8": "eight high", "7": "seven high", "75432": "7-5-4-3-2"}
_GAME_WORDS = {
    "classic": "classic: five cards, then eight streets of one card",
    "pineapple": "pineapple: five cards, then four streets of three cards, of which two are kept and one is discarded",
    "chinese": "closed Chinese: all 13 cards at once, set face down",
}


def words(name: str) -> str:
    """The name of a row's category, or of a natural, as people write it: ``full_house`` is full house."""
    return _LOW_WORDS.get(name, name.replace("_", " "))


def one_line(rules: RuleSet) -> str:
    """A rule set in one line: what it is, and where it comes from if it does not say what it is."""
    return rules.title or rules.source or f"a change to {rules.base or 'the defaults'}"


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _deal_sentence(rules: RuleSet) -> str:
    deal = rules.deal
    cards = "one deck" if deal.decks == 1 else "two decks"
    sentence = f"{_GAME_WORDS[deal.game]}; {cards}, up to {deal.most_players} players."
    if deal.face_down_last:
        sentence += f" The last {_plural(deal.face_down_last, 'card')} of each player are set face down."
    return sentence[0].upper() + sentence[1:]


def _order_sentence(rules: RuleSet) -> str:
    if rules.deal.middle == "deuce_to_seven":
        return (
            "The middle is a 2-7 low: ten-high or lower without pair, straight or flush, the ace high. "
            "The back must beat the front. Anything else is a foul."
        )
    return (
        "The back must be at least as strong as the middle, the middle stronger than the front. "
        "Anything else is a foul."
    )


def _points_sentence(rules: RuleSet) -> str:
    points = rules.points
    parts = [f"{_plural(points.row, 'point')} for each row won"]
    if points.scoop:
        parts.append(f"{points.scoop} more for all three rows")
    if points.majority:
        parts.append(f"{points.majority} more for at least two rows")
    three = 3 * points.row + points.scoop + points.majority
    return f"From each opponent: {', '.join(parts)}. Winning three rows is worth {three}."


def _pays_royalties(rules: RuleSet) -> bool:
    royalties = rules.royalties
    tables = (royalties.front_pair, royalties.front_trips, royalties.middle, royalties.back)
    return any(points for table in tables for points in table.values())


def _foul_sentence(rules: RuleSet) -> str:
    price = _plural(rules.points.foul_points, "point")
    royalties = " and that one's royalties; his own are void" if _pays_royalties(rules) else ""
    return (
        f"A fouled player pays each opponent who did not foul {price}{royalties}. "
        "Two who foul exchange nothing. A board that never reached 13 cards is fouled."
    )


def _royalty_sentence(rules: RuleSet) -> str:
    if not _pays_royalties(rules):
        return "None."
    if rules.royalties.count == "row_winner":
        return "A row's royalty counts only for the player whose row wins; for no one in a tied row."
    return "Both players keep their own royalties, whoever wins the row."


def _settlement_sentence(rules: RuleSet) -> str:
    if rules.points.settlement == "table_stakes":
        return (
            "Table stakes: pairs are settled in order from the left of the button; no one loses more than he has in "
            "front of him, nor wins more than he had at the start of the deal."
        )
    return "Points times the point value; no cap."


def _natural_sentence(rules: RuleSet) -> str:
    if not any(rules.naturals.points.values()):
        return "None."
    if rules.naturals.pay == "instead":
        return (
            "The best natural takes the place of the comparison and is never fouled: it collects its points from "
            "each opponent, between two naturals the difference is paid."
        )
    return "The best natural of a legal board is paid by each opponent on top of the ordinary result."


def _moon_sentence(rules: RuleSet) -> str:
    moon = rules.moon
    if not moon.points:
        return "Off."
    return (
        f"A legal board whose back is no better than {moon.highest}-high collects {moon.points} points "
        "from each opponent in place of the comparison; two moons cancel."
    )


def _row_words(text: str, row: str) -> str:
    name, better = text.removesuffix("+"), text.endswith("+")
    shown = _CATEGORY_WORDS.get(name) or _LOW_WORDS.get(name) or name
    return f"{shown}{' or better' if better else ''} in the {row}"


def condition_words(condition: Condition) -> str:
    """A Fantasyland condition in words: ``QQ or better in the front: 14 cards``."""
    asked = [
        _row_words(text, row)
        for row, text in (("front", condition.front), ("middle", condition.middle), ("back", condition.back))
        if text is not None
    ]
    if condition.royalty is not None:
        asked.append(f"a row with a royalty of {condition.royalty} or more")
    cards = "as many cards as now" if condition.cards == "same" else f"{condition.cards} cards"
    return f"{' and '.join(asked)}: {cards}"


def _fantasyland_sentences(rules: RuleSet) -> Iterator[tuple[str, str]]:
    fantasyland = rules.fantasyland
    if not fantasyland.enter:
        yield "Fantasyland", "None."
        return
    yield "Fantasyland, enter", "; ".join(map(condition_words, fantasyland.enter)) + "."
    stay = "; ".join(map(condition_words, fantasyland.stay)) + "." if fantasyland.stay else "Never."
    yield "Fantasyland, stay", stay
    sets = "before play begins" if fantasyland.sets == "first" else "when his turn comes"
    button = "moves on" if fantasyland.button_moves else "does not move"
    yield "Fantasyland, play", f"The player sets 13 cards face down {sets}; the button {button} in such a hand."


def _named_points(points: Mapping[str, int]) -> Rows:
    return tuple((words(name), str(value)) for name, value in points.items() if value)


def _front_rows(rules: RuleSet) -> Rows:
    """Front royalties; one row for all trips where they pay the same."""
    trips = rules.royalties.front_trips
    same = len(trips) == len(FRONT_TRIPS) and len(set(trips.values())) == 1
    shown = {"any trips": trips["222"]} if same else trips
    return _named_points({**rules.royalties.front_pair, **shown})


def _royalty_tables(rules: RuleSet) -> Iterator[BookTable]:
    if front := _front_rows(rules):
        yield BookTable("Front royalties", ("row", "points"), front)
    middle, back = rules.royalties.middle, rules.royalties.back
    if rules.deal.middle == "deuce_to_seven":
        if low := _named_points(middle):
            yield BookTable("Middle royalties", ("row", "points"), low)
        if high := _named_points(back):
            yield BookTable("Back royalties", ("row", "points"), high)
        return
    rows = tuple(
        (words(name), str(middle.get(name, 0)), str(back.get(name, 0)))
        for name in HIGH_ROWS
        if middle.get(name) or back.get(name)
    )
    if rows:
        yield BookTable("Middle and back royalties", ("row", "middle", "back"), rows)


def book_page(rules: RuleSet) -> BookPage:
    """A rule set whole."""
    sentences = [
        ("Deal", _deal_sentence(rules)),
        ("Legal boards", _order_sentence(rules)),
        ("Points", _points_sentence(rules)),
        ("Fouls", _foul_sentence(rules)),
        ("Royalties", _royalty_sentence(rules)),
        *_fantasyland_sentences(rules),
        ("Naturals", _natural_sentence(rules)),
        ("Shooting the moon", _moon_sentence(rules)),
        ("Settlement", _settlement_sentence(rules)),
        ("Source", rules.source or "not said"),
    ]
    tables = [*_royalty_tables(rules)]
    if naturals := _named_points(rules.naturals.points):
        tables.append(BookTable("Naturals", ("13 cards", "points"), naturals))
    return BookPage(one_line(rules), tuple(sentences), tuple(tables))


def flat(data: Mapping[str, Any], path: str = "") -> dict[str, Any]:
    """A rule set's data by dotted path: ``points.scoop``."""
    items: dict[str, Any] = {}
    for key, value in data.items():
        if isinstance(value, Mapping) and value:
            items.update(flat(value, f"{path}{key}."))
        elif not isinstance(value, Mapping):
            items[path + key] = value
    return items


def differences(a: RuleSet, b: RuleSet) -> list[tuple[str, Any, Any]]:
    """What differs between two rule sets: dotted path, value in `a`, value in `b`; None where one has no such key."""
    first, second = flat(a.data), flat(b.data)
    said = {"name", "title", "source", "base"}
    paths = [path for path in (*first, *(path for path in second if path not in first)) if path not in said]
    tables = list(dict.fromkeys(map(_table_of, paths)))
    # What a royalty table leaves out pays 0.
    differing = [path for path in paths if (first.get(path) or 0) != (second.get(path) or 0)]
    differing.sort(key=lambda path: tables.index(_table_of(path)))
    return [(path, first.get(path), second.get(path)) for path in differing]


def _table_of(path: str) -> str:
    return path.rpartition(".")[0]


def change_words(value: Any) -> str:
    """A value of `differences` as text: conditions in words, nothing as a dash."""
    if value is None:
        return "-"
    if isinstance(value, list):
        return "\n".join(condition_words(Condition(**condition)) for condition in value) or "never"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)

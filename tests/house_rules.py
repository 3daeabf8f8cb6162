"""The rule sets that proofs run over: the built-in ones, and changes to them that meet the rest of the rules."""

from __future__ import annotations

from typing import Any

from ingest.game.rules import BUILTIN_FOLDER, BUILTIN_NAMES, RuleSet, builtin_rules, with_changes
from tests.naive import Rules, changed, load_rules

# Rule sets beyond the built-in ones: a name, the built-in one below, what is changed.
HOUSE_RULES: list[tuple[str, str, dict[str, Any]]] = [
    ("a foul costs 10", "classic", {"points.foul": 10}),
    ("a foul costs nothing", "pineapple", {"points.foul": 0}),
    ("majority and scoop", "classic", {"points.majority": 1, "points.row": 2}),
    ("nothing but rows", "classic", {"points.scoop": 0, "points.foul": 3}),
    ("row winner, naturals on top", "naturals", {"royalties.count": "row_winner"}),
    ("row winner, 2-7", "pineapple-2-7", {"royalties.count": "row_winner"}),
    ("naturals instead, royalties, Fantasyland", "naturals", {"naturals.pay": "instead"}),
    ("naturals instead, row winner", "naturals", {"naturals.pay": "instead", "royalties.count": "row_winner"}),
    ("moon, naturals on top", "naturals", {"moon.points": 20}),
    ("moon, naturals instead", "chinese-1-6", {"moon.points": 20}),
    ("moon up to a ten", "shoot-the-moon", {"moon.highest": "T", "moon.points": 7}),
    ("moon up to an ace", "shoot-the-moon", {"moon.highest": "A"}),
    ("other prices of naturals", "naturals", {"naturals.points.dragon": 0, "naturals.points.no_broadway": 50}),
    ("equal prices of naturals", "chinese-2-4", {f"naturals.points.{name}": 5 for name in ("dragon", "all_low")}),
    ("2-7, two decks", "pineapple-2-7", {"deal.decks": 2}),
    ("2-7, naturals on top", "pineapple-2-7", {"naturals.pay": "on_top", "naturals.points.six_and_a_half_pairs": 6}),
    ("2-7, naturals instead", "pineapple-2-7", {"naturals.pay": "instead", "naturals.points.no_broadway": 3}),
    ("2-7, moon", "pineapple-2-7", {"moon.points": 20}),
    ("2-7, table stakes", "pineapple-2-7", {"points.settlement": "table_stakes"}),
    ("pineapple made 2-7", "pineapple", {"deal.middle": "deuce_to_seven", "royalties.middle": {"T": 1, "8": 3}}),
    ("eight players at table stakes", "double-deck", {"points.settlement": "table_stakes"}),
    ("double deck, naturals and moon", "double-deck-pineapple", {
        "naturals.pay": "on_top", "naturals.points.three_quads": 20, "naturals.points.four_triples": 8,
        "naturals.points.three_flushes": 3, "naturals.points.six_and_a_half_pairs": 6, "moon.points": 20,
    }),
    ("enter by royalties", "classic", {"fantasyland.enter": [
        {"royalty": 4, "cards": 13}, {"royalty": 9, "front": "QQ+", "cards": 16}, {"back": "flush+", "cards": 14},
    ]}),
    ("several conditions at once", "pineapple", {"fantasyland.enter": [
        {"front": "66+", "middle": "two_pair+", "cards": 14}, {"front": "pair", "back": "straight", "cards": 15},
        {"front": "trips", "cards": 17}, {"middle": "quads", "back": "quads+", "cards": 16},
    ]}),
    ("as many as now, or 14", "pineapple-ultimate", {"fantasyland.stay": [
        {"front": "JJ+", "cards": "same"}, {"back": "full_house+", "cards": 14}, {"middle": "flush+", "cards": 17},
    ]}),
    ("2-7 middles lead to Fantasyland", "pineapple-2-7", {"fantasyland.enter": [
        {"middle": "8+", "cards": 13}, {"middle": "9", "front": "pair+", "cards": 14}, {"royalty": 8, "cards": 16},
    ]}),
]  # fmt: skip
ALL_RULES = [(name, name, dict[str, Any]()) for name in BUILTIN_NAMES] + HOUSE_RULES


def rules_of(base: str, changes: dict[str, Any]) -> tuple[Rules, RuleSet]:
    """A rule set as the twin and as the scorer read it, from the same file."""
    twin = changed(load_rules(BUILTIN_FOLDER / f"{base}.toml"), changes)
    return twin, with_changes(builtin_rules()[base], changes)

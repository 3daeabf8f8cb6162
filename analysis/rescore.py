"""Fill the table `scores`: stored hands under rule sets, each hand once per rule set.

The key of a rule set is made from its content, so a changed rule set is another one and its hands are scored again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from analysis.tables import foreign_scores, scoring_input, unscored_hands
from ingest.game.rules import RuleSet
from ingest.scoring import Scorable, rules_key, scorable, score_frame

if TYPE_CHECKING:
    from ingest.store import Store

# Hands scored and written in one step: bounds what is in memory.
CHUNK = 100_000

OnProgress = Callable[[str, int, int], None]
"""Name of the rule set, hands done, hands to do."""


@dataclass(frozen=True)
class Rescored:
    """What became of one rule set: hands scored now, scored before, and of both those built for another game."""

    rules: RuleSet
    scored: int
    already: int
    another_game: int


def fill_scores(store: Store, rule_sets: Sequence[RuleSet], on_progress: OnProgress | None = None) -> list[Rescored]:
    """Score every stored hand that can be scored under each rule set and has not been; a rule set is done or not."""
    answers = []
    for rules in rule_sets:
        key = rules_key(rules)
        missing, already = unscored_hands(store.connection, key)
        if len(missing):
            with store.transaction():
                for done, given in _chunks(store, missing):
                    store.write_scores(rules, score_frame(rules, given))
                    if on_progress:
                        on_progress(rules.name, done, len(missing))
        answers.append(Rescored(rules, len(missing), already, foreign_scores(store.connection, key)))
    return answers


def _chunks(store: Store, missing: pl.DataFrame) -> Iterator[tuple[int, Scorable]]:
    """What scoring needs of the missing hands, some at a time, with how many are done after each."""
    for start in range(0, len(missing), CHUNK):
        chosen = missing[start : start + CHUNK]
        hands, seats = scoring_input(store.connection, chosen)
        yield start + len(chosen), scorable(hands, seats)

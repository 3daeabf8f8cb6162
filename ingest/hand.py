"""One hand as a record: the view for people, errors, tests and the formats where speed does not matter.

Fast readers and the loader carry many hands at once as columns, see `ingest.batch`; both forms say the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from ingest.game.board import EMPTY, SLOTS

Cards = tuple[int, ...]

EMPTY_BOARD: Cards = (EMPTY,) * SLOTS
# In Fantasyland, or entering it, with a number of cards that the source does not say.
CARDS_UNKNOWN = -1
# What may stand in `Hand.status`:
#   complete      played to its end; scored, and a board that never got its 13 cards counts as fouled
#   partial       the source stops before the hand does; kept, not scored
#   cancelled     the room gave every stake back; kept, not scored
#   results_only  points or money without cards; kept, not scored
STATUSES = ("complete", "partial", "cancelled", "results_only")


@dataclass(frozen=True, slots=True)
class Action:
    """What one player did with the cards of one street: cards are numbers of `ingest.game.cards`.

    `dealt` holds every card that he got, `discard` those that he threw away; 255 stands for a card that
    he got or threw away unseen. `auto`: the room acted for him; None where the source does not say. `ms`:
    his thinking time.
    """

    seat: int
    street: int
    dealt: Cards = ()
    front: Cards = ()
    middle: Cards = ()
    back: Cards = ()
    discard: Cards = ()
    auto: bool | None = None
    ms: int | None = None


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's part in a hand; the result fields are what the source claims, never what we compute.

    `board`: 13 slots, 254 where no card ever came, 255 for a card that is there but unknown.
    `fantasyland`: the number of cards he was dealt in Fantasyland, 0 for a normal hand, -1 for
    Fantasyland with an unknown number; `fantasyland_next` the same for his next hand, None where the
    source does not say. `stack` and `net` in the unit of the hand, `net` after rake and caps. `chair`:
    the place at the table as the source numbers it.
    """

    player: str
    chair: int | None = None
    hero: bool = False
    stack: Decimal | None = None
    fantasyland: int = 0
    board: Cards = EMPTY_BOARD
    points: int | None = None
    net: Decimal | None = None
    fouled: bool | None = None
    fantasyland_next: int | None = None


@dataclass(frozen=True, slots=True)
class Hand:
    """One deal from first card to result. `seats` stand in acting order, the button last.

    `id`, `session` None: the source has none. `game`: classic, pineapple or chinese, None if unknown;
    `rules`: the name of a rule set with `rules_changes` as a rule file would write them. `decks`,
    `middle` None: as the rules say. Times are in UTC, `source_zone` is the zone they were written in.
    `point_value` in `unit` (a unit is a chip unless the source names a currency), `unit_price` and
    `unit_currency`: what one unit is worth. `pair_values`: (seat, seat, value) where a pair plays for
    another value. `settlement`: points or table_stakes. `rake` in the unit. `flags`: what a reader
    noticed. `extra`: the fields of the source that have no place here.
    """

    site: str
    seats: tuple[Seat, ...]
    id: str | None = None
    session: str | None = None
    number: int | None = None
    game: str | None = None
    rules: str | None = None
    rules_changes: Mapping[str, Any] = field(default_factory=dict)
    decks: int | None = None
    middle: str | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    source_zone: str | None = None
    point_value: Decimal | None = None
    unit: str | None = None
    unit_price: Decimal | None = None
    unit_currency: str | None = None
    pair_values: tuple[tuple[int, int, Decimal], ...] = ()
    settlement: str | None = None
    rake: Decimal | None = None
    actions: tuple[Action, ...] = ()
    status: str = "complete"
    flags: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    position: int = 0
    """Byte offset of the record in its file."""


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One session of which only the result was written down; never mixed into figures per hand.

    `points`: won or lost; `net` and `rake` in `currency` (or in chips where it is None); `point_value`
    the stake.
    """

    site: str
    player: str | None = None
    played_at: datetime | None = None
    source_zone: str | None = None
    rules: str | None = None
    point_value: Decimal | None = None
    currency: str | None = None
    hands: int | None = None
    points: Decimal | None = None
    net: Decimal | None = None
    rake: Decimal | None = None
    notes: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    position: int = 0

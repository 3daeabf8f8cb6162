"""Every figure: its name, what it means, what is counted over what, and how sure it is.

METRICS is the one list: the command line, the dashboard and the README read it. A metric is applied to the frame of
`scored.Scored` (a row per seat) and to the columns that it is broken down by; it gives one row per group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from analysis.measure import HANDS
from analysis.measure import measure as measure
from analysis.rows import FIVE_NAMES, FRONT_NAMES
from ingest.game.errors import OFCError, known

# How the interval is made: a rate by Wilson, a mean by resampling sessions, a spread (standard deviation) the same way
# through its square, a count has none.
Method = Literal["wilson", "sessions", "spread", "count"]

# What figures can be broken down by: the name on the command line, and the columns of the frame.
BREAKDOWNS: dict[str, tuple[str, ...]] = {
    "player": ("player",),
    "rules": ("rules",),
    "players_at_table": ("players_at_table",),
    "position": ("position",),
    "month": ("month",),
    "site": ("site",),
    "session": ("session",),
    "unit": ("money",),
    # With frames of `streets.with_streets`, see STREET_COLUMNS.
    "first_five": ("first_five",),
    "sealed": ("sealed",),
    # With frames of `scored.score_pairs`.
    "opponent": ("player", "opponent"),
}
# Columns that only `streets.with_streets` gives a frame.
STREET_COLUMNS = frozenset({"first_five", "sealed", "sealed_with", "ms", "decisions"})
BY_CATEGORY, BY_STREET = "royalties by category", "when fouls were sealed"
# Sections of many figures, most of which are zero in most hands: people are shown the others.
SHOWN_IF_ANY = (BY_CATEGORY, BY_STREET)


@dataclass(frozen=True)
class Metric:
    """One figure. `precision`: the half-width of the interval that one would want, in `unit`.

    `numerator` and `denominator` are summed over seats; `of` and `over` say in words what they count. `factor` turns
    the ratio into the unit (100 for points per 100 hands). `alike`: a column that must hold one value only, such as the
    currency, unless figures are broken down by it. A frame without the columns of a metric is measured without it.
    """

    name: str
    title: str
    definition: str
    of: str
    over: str
    unit: str
    method: Method
    numerator: pl.Expr
    denominator: pl.Expr
    precision: float = 0.02
    factor: float = 1.0
    section: str = "results"
    alike: str | None = None

    @property
    def columns(self) -> set[str]:
        """The columns of the frame that the metric reads."""
        return {*self.numerator.meta.root_names(), *self.denominator.meta.root_names()}

    def can_measure(self, frame: pl.DataFrame, by: Sequence[str]) -> bool:
        """Whether the frame holds what the metric needs."""
        if not self.columns <= set(frame.columns):
            return False
        return self.alike is None or self.alike in by or frame[self.alike].drop_nulls().n_unique() <= 1

    def __call__(self, frame: pl.DataFrame, by: Sequence[str] = ()) -> pl.DataFrame:
        """One row per group: the columns of `by`, then value, low, high, n, sessions, small, more_hands."""
        return measure(frame, by, [self]).drop("metric")


_IN = pl.col("fantasyland") != 0
_OUT = pl.col("fantasyland") == 0
_NEXT = pl.col("fantasyland_next") != 0
_LEGAL = ~pl.col("fouled")
_ROYALTIES = pl.sum_horizontal("value_front", "value_middle", "value_back")
_ROWS = ("front", "middle", "back")


def _mean(name: str, title: str, definition: str, of: pl.Expr, what: str, **changes: object) -> Metric:
    given = {"over": "hands", "unit": "points", "denominator": HANDS, "precision": 0.5, **changes}
    return Metric(name, title, definition, of=what, method="sessions", numerator=of, **given)  # type: ignore[arg-type]


def _rate(name: str, title: str, definition: str, of: pl.Expr, what: str, **changes: object) -> Metric:
    given = {"over": "hands", "unit": "share", "denominator": HANDS, **changes}
    return Metric(name, title, definition, of=what, method="wilson", numerator=of, **given)  # type: ignore[arg-type]


def _results() -> list[Metric]:
    points = pl.col("points")
    spread = {"of": "squared deviations", "over": "hands", "method": "spread", "numerator": points}
    return [
        Metric(
            "hands", "Hands", "Seats whose results are counted: hands of one player, seats of all players.", "hands",
            "1", "hands", "count", HANDS, HANDS,
        ),
        _mean("points_per_hand", "Points per hand", "Points won less points lost, a hand.", points, "points"),
        _mean(
            "points_per_100", "Points per 100 hands", "Points won less points lost, 100 hands.", points, "points",
            factor=100.0, precision=50.0,
        ),
        Metric(
            "sd_per_hand", "Standard deviation per hand", "How far the points of a hand spread around their mean.",
            unit="points", denominator=HANDS, precision=0.5, **spread,  # type: ignore[arg-type]
        ),
        Metric(
            "sd_per_100", "Standard deviation per 100 hands",
            "How far the points of 100 hands spread, were they independent: ten times that of a hand.",
            unit="points", denominator=HANDS, precision=5.0, factor=10.0, **spread,  # type: ignore[arg-type]
        ),
        _mean(
            "net_per_hand", "Money per hand", "Money won less money lost, a hand, where the source states it.",
            pl.col("net").fill_null(0), "money", over="hands with money", unit="money",
            denominator=pl.col("net").is_not_null().cast(pl.Float64), alike="money",
        ),
        _mean(
            "hands_per_hour", "Hands per hour", "3,600 over the seconds that a hand lasts, where the source has times.",
            pl.col("seconds").is_not_null() * 3600.0, "hands with times", over="seconds of play", unit="hands",
            denominator=pl.col("seconds").fill_null(0), precision=5.0,
        ),
        _mean(
            "seconds_per_decision", "Seconds per decision", "Thinking time of a street, where the source has it.",
            pl.col("ms").fill_null(0) / 1000, "seconds", over="decisions", unit="seconds",
            denominator=pl.col("decisions").fill_null(0), precision=1.0,
        ),
    ]  # fmt: skip


def _rows() -> list[Metric]:
    opponents = pl.col("opponents")
    rows = [
        _rate(
            f"{row}_won", f"Wins the {row}", f"The {row} beats an opponent's, among pairs in which neither fouls.",
            pl.col(f"won_{row}"), "rows won", over="opponents compared with", denominator=pl.col("compared"),
            section="rows",
        )
        for row in _ROWS
    ]  # fmt: skip
    return [
        _rate("foul_rate", "Fouls", "The board is fouled.", pl.col("fouled"), "fouled boards", section="rows"),
        _rate(
            "foul_rate_normal", "Fouls outside Fantasyland", "The board of a normal hand is fouled.",
            pl.col("fouled") & _OUT, "fouled boards", over="normal hands", denominator=_OUT, section="rows",
        ),
        _rate(
            "scoop_rate", "Scoops", "Wins all three rows of an opponent, or does not foul where he does.",
            pl.col("scoops"), "scoops", over="opponents", denominator=opponents, section="rows",
        ),
        _rate(
            "scooped_rate", "Scooped", "Loses all three rows to an opponent, or fouls where he does not.",
            pl.col("scooped"), "scoops against", over="opponents", denominator=opponents, section="rows",
        ),
        *rows,
    ]  # fmt: skip


def _sealed() -> list[Metric]:
    """Fouls by when they could no longer be helped, where the log shows what was dealt."""
    slots = pl.col("sealed_with")

    def rate(name: str, title: str, definition: str, shown: pl.Expr) -> Metric:
        return _rate(
            name, title, definition, pl.col("fouled") & shown.fill_null(False), "fouled boards",
            over="hands with known streets", denominator=slots.is_not_null(), section=BY_STREET,
        )  # fmt: skip

    early = [
        rate(
            f"foul_sealed_{number}", f"Fouls sealed with {number} slot{'s' * (number > 1)} open",
            f"With {number} slot{'s' * (number > 1)} still open, and not before, no cards that the player had not seen "
            "could make his board legal.",
            slots == number,
        )
        for number in range(8, 0, -1)
    ]  # fmt: skip
    return [
        *early,
        rate(
            "foul_sealed_0", "Fouls sealed by the last cards",
            "The board is fouled, and before its last cards (or all, where they are set at once) it could have become "
            "legal.",
            slots == 0,
        ),
        rate(
            "foul_unfinished", "Fouls of boards never finished",
            "The board counts as fouled because it never got its 13 cards; some could still have made it legal.",
            slots < 0,
        ),
    ]  # fmt: skip


def _royalties() -> list[Metric]:
    by_row = [
        _mean(
            f"royalties_{row}", f"Royalties per hand, {row}", f"What the {row} is worth, 0 where the board is fouled.",
            pl.col(f"value_{row}"), "royalties", section="royalties", precision=0.2,
        )
        for row in _ROWS
    ]  # fmt: skip
    legal = [
        _mean(
            f"royalties_legal_{row}", f"Royalties per legal board, {row}",
            f"What the {row} is worth where the board is not fouled.", pl.col(f"value_{row}"), "royalties",
            over="legal boards", denominator=_LEGAL, section="royalties", precision=0.2,
        )
        for row in _ROWS
    ]  # fmt: skip
    return [
        _mean(
            "royalties", "Royalties per hand", "What the player's own rows are worth, 0 where the board is fouled.",
            _ROYALTIES, "royalties", section="royalties", precision=0.25,
        ),
        _mean(
            "royalties_normal", "Royalties per normal hand", "The same over hands not played in Fantasyland.",
            _ROYALTIES * _OUT, "royalties", over="normal hands", denominator=_OUT, section="royalties", precision=0.25,
        ),
        _mean(
            "royalties_legal", "Royalties per legal board", "What the rows are worth where the board is not fouled.",
            _ROYALTIES, "royalties", over="legal boards", denominator=_LEGAL, section="royalties", precision=0.25,
        ),
        *by_row,
        *legal,
    ]  # fmt: skip


def _category(row: str, names: Sequence[str], label: str, name: str) -> list[Metric]:
    """How often a legal board has this row, and what it brings a hand and a legal board."""
    held = pl.col(row).is_in(list(names)) & _LEGAL
    brought = pl.col(f"value_{row}") * held
    section = BY_CATEGORY
    return [
        _rate(
            f"{row}_{name}", f"{row.capitalize()} {label}", f"The {row} of a legal board is {label}.", held, "boards",
            over="legal boards", denominator=_LEGAL, section=section, precision=0.01,
        ),
        _mean(
            f"royalties_{row}_{name}", f"Royalties per hand, {row} {label}",
            f"What {label} in the {row} brings a hand.", brought, "royalties", section=section, precision=0.1,
        ),
        _mean(
            f"royalties_legal_{row}_{name}", f"Royalties per legal board, {row} {label}",
            f"What {label} in the {row} brings a legal board.", brought, "royalties",
            over="legal boards", denominator=_LEGAL, section=section, precision=0.1,
        ),
    ]  # fmt: skip


def _categories() -> list[Metric]:
    pairs = [name for name in FRONT_NAMES if len(name) == 2]
    low, high = FIVE_NAMES.index("no low") + 1, FIVE_NAMES.index("trips")
    metrics = _category("front", pairs[4:10], "66 to JJ", "66_JJ")
    for name in pairs[10:]:
        metrics += _category("front", [name], name, name)
    metrics += _category("front", [name for name in FRONT_NAMES if len(name) == 3], "trips", "trips")
    for row in ("middle", "back"):
        for name in FIVE_NAMES[high : low - 1]:
            metrics += _category(row, [name], name.replace("_", " "), name)
    for name in FIVE_NAMES[low:]:
        label = "7-5-4-3-2" if name == "75432" else f"{'ten' if name == 'T' else name}-high low"
        metrics += _category("middle", [name], label, f"low_{name}")
    return metrics


def _fantasyland() -> list[Metric]:
    entry = {"over": "normal hands", "denominator": _OUT, "section": "Fantasyland"}
    stay = {"section": "Fantasyland", "precision": 0.05}
    kinds = {
        "QQ": ("queens in front", pl.col("front") == "QQ"),
        "KK": ("kings in front", pl.col("front") == "KK"),
        "AA": ("aces in front", pl.col("front") == "AA"),
        "trips": ("trips in front", pl.col("front").is_in([name for name in FRONT_NAMES if len(name) == 3])),
    }
    by_kind = [
        _rate(
            f"entry_{name}", f"Enters by {label}", f"A normal hand earns Fantasyland with {label}.",
            _NEXT & _OUT & shown, "entries", **entry,
        )
        for name, (label, shown) in kinds.items()
    ]  # fmt: skip
    other = ~pl.any_horizontal(shown for _, shown in kinds.values())
    low = pl.col("middle").is_in(list(FIVE_NAMES[FIVE_NAMES.index("no low") + 1 :]))
    by_cards = [
        _rate(
            f"stay_{cards}", f"Stays, {cards} cards", f"A Fantasyland hand of {cards} cards earns another one.",
            _NEXT & (pl.col("fantasyland") == cards), "stays", over=f"Fantasyland hands of {cards} cards",
            denominator=pl.col("fantasyland") == cards, **stay,
        )
        for cards in range(13, 18)
    ]  # fmt: skip
    return [
        _rate("entry_rate", "Enters Fantasyland", "A normal hand earns Fantasyland.", _NEXT & _OUT, "entries", **entry),
        *by_kind,
        _rate(
            "entry_low", "Enters by a low middle", "A normal hand earns Fantasyland with a 2-7 middle alone.",
            _NEXT & _OUT & other & low, "entries", **entry,
        ),
        _rate(
            "stay_rate", "Stays in Fantasyland", "A hand played in Fantasyland earns another one.", _NEXT & _IN,
            "stays", over="Fantasyland hands", denominator=_IN, **stay,
        ),
        *by_cards,
        _rate("fantasyland_share", "Hands in Fantasyland", "The hand is played in Fantasyland.", _IN, "hands in it",
              section="Fantasyland"),
        _mean(
            "points_in", "Points per Fantasyland hand", "Points of hands that the player plays in Fantasyland.",
            pl.col("points") * _IN, "points", over="Fantasyland hands", denominator=_IN, precision=2.0,
            section="Fantasyland",
        ),
        _mean(
            "points_out", "Points per normal hand", "Points of hands that he does not play in Fantasyland.",
            pl.col("points") * _OUT, "points", over="normal hands", denominator=_OUT, section="Fantasyland",
        ),
        _mean(
            "points_against", "Points against Fantasyland",
            "Points of normal hands in which an opponent is in Fantasyland.",
            pl.col("points") * (_OUT & pl.col("others_in_fantasyland")), "points",
            over="normal hands against Fantasyland", denominator=_OUT & pl.col("others_in_fantasyland"),
            precision=2.0, section="Fantasyland",
        ),
    ]  # fmt: skip


METRICS: tuple[Metric, ...] = (
    *_results(), *_rows(), *_sealed(), *_royalties(), *_fantasyland(), *_categories(),
)  # fmt: skip
# What a table with one line per group shows.
KEY_METRICS = (
    "hands", "points_per_hand", "sd_per_hand", "foul_rate", "scoop_rate", "royalties", "entry_rate", "stay_rate",
)  # fmt: skip


def find_metric(name: str) -> Metric:
    """The metric called `name`; an unknown name is answered with the known ones."""
    for metric in METRICS:
        if metric.name == name:
            return metric
    raise OFCError(f"expected the name of a metric, got {name!r}; known: {known(m.name for m in METRICS)}")


def find_breakdown(name: str) -> tuple[str, ...]:
    """The columns that `name` breaks figures down by."""
    if name not in BREAKDOWNS:
        raise OFCError(f"expected one of {known(BREAKDOWNS)} to break figures down by, got {name!r}")
    return BREAKDOWNS[name]

"""What pages of the dashboard show beside whole tables: single figures, categories of rows, where sessions start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from analysis.bankroll import bankroll_for, course_of, resample, risk_of_ruin
from analysis.compare import NOT_ZERO, Comparison
from analysis.filters import Filters
from analysis.intervals import ENOUGH_SESSIONS
from analysis.luck import Luck
from analysis.metrics import METRICS, Metric, find_metric, measure
from analysis.scored import ANOTHER_GAME, Scored, score_as_played
from analysis.tables import Hands
from analysis.variance import thin
from ingest.game.rules import RuleSet

# What a chart can hold apart by colour.
MOST_LINES = 6
# More marks than this would be a wall.
MOST_MARKS = 60


@dataclass(frozen=True)
class Figure:
    """One metric over some hands; None where nothing can be said."""

    metric: Metric
    value: float | None
    low: float | None
    high: float | None
    n: int
    sessions: int
    small: bool
    more_hands: int | None


# Zero by construction where the results of all seats count.
_ZERO_SUM = ("points_per_hand", "points_per_100", "net_per_hand")


def telling(names: Sequence[str], filters: Filters) -> list[str]:
    """Those of the metrics that say something about the hands that `filters` choose."""
    return [name for name in names if not (filters.everybody and name in _ZERO_SUM)]


def size_note(scored: Scored) -> str:
    """How many hands the figures stand on."""
    return f"{scored.hands:,} hands of {scored.sessions:,} sessions."


def zero_sum_notes(filters: Filters) -> list[str]:
    """What a reader must know where the results of all seats count."""
    return [NOT_ZERO] if filters.everybody else []


def figures(scored: Scored, names: Sequence[str], *, anytime: bool = False) -> list[Figure]:
    """The metrics called `names`, in that order, over all hands together; those without data are left out."""
    metrics = [find_metric(name) for name in names]
    rows = measure(scored.frame, metrics=metrics, anytime=anytime).drop("metric").rows(named=True)
    return [Figure(metric, **row) for metric, row in zip(metrics, rows, strict=True) if row["n"]]


def labelled(scored: Scored, names: Sequence[str]) -> pl.DataFrame:
    """The metrics called `names` as rows of a chart: label, value, low, high, n, sessions, small; if there is data."""
    metrics = [find_metric(name) for name in names]
    titles = {metric.name: metric.title for metric in metrics}
    found = measure(scored.frame, metrics=metrics).filter(pl.col("n") > 0)
    return found.with_columns(pl.col("metric").replace_strict(titles, return_dtype=pl.String).alias("label"))


def by_group(scored: Scored, name: str, by: str) -> pl.DataFrame:
    """One metric for each group as rows of a chart, most hands first: label, value, low, high, n, sessions, small."""
    found = measure(scored.frame, [by], [find_metric(name)])
    return found.with_columns(pl.col(by).cast(pl.String).alias("label")).sort("n", descending=True, maintain_order=True)


def _categories(row: str, prefix: str = "") -> list[Metric]:
    section = [metric for metric in METRICS if metric.section == "royalties by category"]
    return [metric for metric in section if metric.name.startswith(f"{prefix}{row}_")]


def row_frequencies(scored: Scored, row: str) -> pl.DataFrame:
    """How often a legal board has each kind of row that pays, strongest last: label, value, low, high, n, small.

    Kinds that never came are left out.
    """
    return _kinds(scored, row, _categories(row))


def row_royalties(scored: Scored, row: str) -> pl.DataFrame:
    """What each kind of row brings a hand in royalties; columns and order as `row_frequencies`."""
    return _kinds(scored, row, _categories(row, "royalties_"))


def _kinds(scored: Scored, row: str, metrics: list[Metric]) -> pl.DataFrame:
    ends = {metric.name: _kind(metric.title, row) for metric in metrics}
    found = measure(scored.frame, metrics=metrics).filter((pl.col("n") > 0) & (pl.col("value") > 0))
    return found.with_columns(pl.col("metric").replace_strict(ends, return_dtype=pl.String).alias("label"))


def _kind(title: str, row: str) -> str:
    """The kind of a row out of a metric's title: ``Back full house`` is full house."""
    return title[title.lower().index(row) + len(row) :].strip()


def leading_players(scored: Scored, most: int = MOST_LINES) -> list[str]:
    """The players with the most hands."""
    counts = scored.frame.group_by("player").len().sort("len", "player", descending=[True, False])
    return counts["player"].head(most).to_list()


def session_starts(scored: Scored, player: str) -> list[int]:
    """The hands, counted from 1, with which a player's sessions begin; none if they are too many to tell apart."""
    own = scored.frame.filter(pl.col("player") == player)
    found = own.select(pl.col("session").is_first_distinct().arg_true() + 1).to_series().to_list()
    return found if len(found) <= MOST_MARKS else []


def result_bins(every: Sequence[Scored], most: int = 60) -> pl.DataFrame:
    """How often results of a hand fall into bins of equal width, the same for all: series, start, last, hands, share.

    A bin holds the results from `start` to `last`, both included.
    """
    results = [scored.frame.select(pl.col("points").cast(pl.Int64)) for scored in every]
    spread = pl.concat(results).select((pl.col("points").max() - pl.col("points").min() + 1).fill_null(1)).item()
    width = -(-spread // most)
    return pl.concat(
        points.group_by((pl.col("points") // width * width).alias("start"))
        .agg(pl.len().alias("hands"))
        .sort("start")
        .select(
            pl.lit(scored.label).alias("series"),
            "start",
            (pl.col("start") + width - 1).alias("last"),
            "hands",
            (pl.col("hands") / pl.col("hands").sum()).alias("share"),
        )
        for scored, points in zip(every, results, strict=True)
    )


def depths(course: pl.DataFrame) -> pl.DataFrame:
    """How far each point of one player's course lies below the best before it: hand_no, depth (0 or less)."""
    best = pl.max_horizontal(pl.col("total").cum_max(), 0)
    return course.select("hand_no", (pl.col("total") - best).alias("depth"))


def most_played(hands: Hands) -> RuleSet | None:
    """The rule set that most of the hands were played by; None if none says by which."""
    counts = hands.hands["rules_key"].drop_nulls().value_counts().sort("count", "rules_key", descending=True)
    known = [key for key in counts["rules_key"] if key in hands.rules]
    return hands.rules[known[0]] if known else None


def alike(baseline: RuleSet, known: Mapping[str, RuleSet]) -> list[str]:
    """The names of the other rule sets that are built for the game of `baseline`."""
    return [name for name, rules in known.items() if rules.is_built_for(baseline.deal) and name != baseline.name]


def system_rows(comparison: Comparison, figure: str) -> pl.DataFrame:
    """A figure of `Comparison.systems` as rows of a chart: label, value, low, high, n, small; unknown values out."""
    return comparison.systems.select(
        pl.col("rules").alias("label"),
        pl.col(figure).alias("value"),
        pl.col(f"{figure}_low").alias("low"),
        pl.col(f"{figure}_high").alias("high"),
        pl.col("hands").alias("n"),
        (pl.col("sessions") < ENOUGH_SESSIONS).alias("small"),
    ).filter(pl.col("value").is_not_null())


def without_baseline(rows: pl.DataFrame, comparison: Comparison) -> pl.DataFrame:
    """Rows of a chart of differences: the baseline differs from itself by nothing."""
    return rows.filter(pl.col("label") != comparison.baseline)


def spread_parts(comparison: Comparison) -> pl.DataFrame:
    """What the variance of each rule set is made of: label and a column for each component, which add up to it."""
    wide = comparison.spread.pivot("component", index="rules", values="contribution")
    order = comparison.systems.select("rules")
    return order.join(wide, on="rules", how="left", maintain_order="left").rename({"rules": "label"})


def state_parts(comparison: Comparison) -> pl.DataFrame:
    """The variance of each rule set by who is in Fantasyland: label, a column for each state, one for between them."""
    wide = comparison.states.pivot("state", index="rules", values="within")
    between = comparison.states.group_by("rules").agg(pl.col("between").sum().alias("between these"))
    order = comparison.systems.select("rules")
    joined = order.join(wide, on="rules", how="left", maintain_order="left").join(between, on="rules", how="left")
    return joined.rename({"rules": "label"})


def left_out_notes(comparison: Comparison) -> list[str]:
    """Which rule sets are compared on fewer hands, because the boards of the others were built for another game."""
    fewer = comparison.systems.filter(pl.col("left_out") > 0).select("rules", "left_out")
    if fewer.is_empty():
        return []
    if len(fewer) == len(comparison.systems) and fewer["left_out"].n_unique() == 1:
        return [f"{fewer['left_out'][0]:,} hands left out: their boards were built for another game."]
    each = ", ".join(f"{count:,} for {rules}" for rules, count in fewer.rows())
    return [f"Hands left out, their boards built for another game: {each}."]


def ruin_curve(hands: Hands, horizon: int, *, points: int = 40, seed: int = 0) -> pl.DataFrame:
    """The chance to lose a bankroll within `horizon` hands, for bankrolls up to one that is hardly ever lost.

    Of the one player whose results count, as played; columns: bankroll (points), value, low, high.
    """
    paths = resample(course_of(score_as_played(hands).frame), horizon, seed=seed)
    most = max(bankroll_for(paths, 0.005).high, 1.0)
    bankrolls = [most * place / points for place in range(1, points + 1)]
    return pl.DataFrame([{"bankroll": each, **risk_of_ruin(paths, each)._asdict()} for each in bankrolls])


# Up to so many hands luck is worked out without asking: some 4,000 a second.
FEW_FOR_LUCK = 20_000
AS_IT_CAME, WITHOUT_LUCK = "as it came", "without the luck of the deal"


def one_game(hands: Hands) -> tuple[Hands, RuleSet] | None:
    """The hands that were built for the game of the rule set most of them were played by, and that rule set."""
    usual = most_played(hands)
    return None if usual is None else (hands.keep(hands.built_for(usual), ANOTHER_GAME), usual)


def left_out_sentences(hands: Hands) -> list[str]:
    """What is not in the figures, by why."""
    return [f"{count:,} hands left out: {reason}." for reason, count in hands.left_out.items()]


def luck_rows(luck: Luck, most: int = 8) -> pl.DataFrame:
    """Points per hand of the players with the most hands, each as it came and without luck, as rows of a chart."""
    own = luck.players.head(most)
    rows = [
        own.select(
            pl.format("{}, {}", "player", pl.lit(words)).alias("label"),
            pl.col(figure).alias("value"),
            pl.col(f"{figure}_low").alias("low"),
            pl.col(f"{figure}_high").alias("high"),
            pl.col("hands").alias("n"),
            (pl.col("sessions") < ENOUGH_SESSIONS).alias("small"),
        ).with_row_index("place")
        for figure, words in (("points", "as it came"), ("adjusted", "without luck"))
    ]
    return pl.concat(rows).sort("place", maintain_order=True).drop("place")


def luck_course(luck: Luck, player: str) -> pl.DataFrame:
    """A player's running totals with and without luck, thinned out: player (which of the two), hand_no, total."""
    own = luck.seats.filter(pl.col("player") == player).with_row_index("hand_no", offset=1)
    both = pl.concat(
        own.select(pl.lit(name).alias("player"), "hand_no", pl.col(column).cum_sum().alias("total"))
        for name, column in ((AS_IT_CAME, "points"), (WITHOUT_LUCK, "adjusted"))
    )
    return thin(both, "total", by="player")


def usual_table(hands: Hands) -> int:
    """How many players sit at the table in most of the hands."""
    return int(hands.hands["players"].mode().max())  # type: ignore[arg-type]


def credit_rows(credits: pl.DataFrame, figure: str) -> pl.DataFrame:
    """A figure of `credit` (points, credit, with_credit) as rows of a chart: label, value, low, high, n, small."""
    return credits.select(
        pl.col("rules").alias("label"),
        pl.col(figure).alias("value"),
        pl.col(f"{figure}_low").alias("low"),
        pl.col(f"{figure}_high").alias("high"),
        pl.col("hands").alias("n"),
        pl.lit(False).alias("small"),
    ).filter(pl.col("value").is_not_null())


def play_rows(both: pl.DataFrame, metric: str) -> pl.DataFrame:
    """One metric of `same_and_adapted` as rows of a chart: label, series (which play), value, low, high, n, small."""
    own = both.filter((pl.col("metric") == metric) & pl.col("value").is_not_null())
    return own.rename({"rules": "label", "play": "series"})

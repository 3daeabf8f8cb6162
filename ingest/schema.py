"""Every table and column of the database: type, unit, meaning, and the named checks that hold over them.

Keys are made from content (see `ingest.keys`), never from a sequence, so that the order of files does not
matter. There are no indexes and no declared primary keys: the loader looks keys up in bulk, and `run_checks`
proves them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.game.cards import CARD_NAMES

if TYPE_CHECKING:
    import duckdb

SCHEMA_VERSION = 1
MONEY = "DECIMAL(18,6)"


@dataclass(frozen=True, slots=True)
class Column:
    """One column; `unit` is empty where there is none, `null` says what NULL means (empty: never NULL)."""

    name: str
    type: str
    meaning: str
    unit: str = ""
    null: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """One table; `key` names the columns that together occur once."""

    name: str
    meaning: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)


@dataclass(frozen=True, slots=True)
class Check:
    """A law over the tables: `violations` is a query that must return nothing."""

    name: str
    meaning: str
    violations: str


_HAND_KEY = Column("hand_key", "BIGINT", "hash of site and hand id, or of players, boards and order")
_SOURCE_KEY = Column("source_key", "BIGINT", "key of the source: from its content, or its name if it was not read")
_SEAT = Column("seat", "UTINYINT", "acting order from 0, the button last")
_PLAYER = Column("player", "VARCHAR", "name of the player as the site writes it")
_CARDS = "UTINYINT[]"
_UNIT = "unit of the hand"
_NEXT = "cards in the next hand, 0 none, -1 unknown number"

META = Table(
    "meta",
    "Facts about the database: schema_version, snapshot, session_gap, anonymised.",
    ("name",),
    (Column("name", "VARCHAR", "name of the fact"), Column("value", "VARCHAR", "its value")),
)

SOURCES = Table(
    "sources",
    "Every file, archive member or stream that was read, once per content; and those that nothing could be read of.",
    ("source_key",),
    (
        _SOURCE_KEY,
        Column("name", "VARCHAR", "its path, archive members behind a slash; - is standard input"),
        Column("sha256", "VARCHAR", "SHA-256 of the content, unpacked, in hex; empty if it is damaged"),
        Column("bytes", "BIGINT", "size, unpacked", "bytes"),
        Column("format", "VARCHAR", "name of the format; empty if it is of none that is known"),
        Column("parser", "VARCHAR", "format and version of its reader: collector/1; empty likewise"),
        Column("read_to", "BIGINT", "where reading goes on when the file has grown", "bytes"),
        Column("note", "VARCHAR", "why nothing could be read", null="it could"),
        Column("ingested_at", "TIMESTAMP", "when it was read, UTC"),
    ),
)

SESSIONS = Table(
    "sessions",
    "Hands that belong together: one table of one room, or no long pause between them.",
    ("session_key",),
    (
        Column("session_key", "BIGINT", "key of the session"),
        Column("site", "VARCHAR", "where it was played"),
        Column("session_id", "VARCHAR", "as the source names it", null="cut by pauses between hands"),
        Column("started_at", "TIMESTAMP", "first known time of its hands, UTC", null="no hand has a time"),
        Column("ended_at", "TIMESTAMP", "last known time of its hands, UTC", null="no hand has a time"),
        Column("hands", "INTEGER", "hands in it", "hands"),
    ),
)

HANDS = Table(
    "hands",
    "One deal each.",
    ("hand_key",),
    (
        _HAND_KEY,
        Column("site", "VARCHAR", "where it was played"),
        Column("hand_id", "VARCHAR", "as the source names it", null="the source has none"),
        Column("session_key", "BIGINT", "its session"),
        Column("session_id", "VARCHAR", "session as the source names it", null="the source has none"),
        Column("hand_no", "INTEGER", "number in its session, as the source counts", null="it does not"),
        Column("game", "VARCHAR", "how cards are dealt: classic, pineapple or chinese", null="unknown"),
        Column("rules", "VARCHAR", "rule set that it was played by", null="unknown"),
        Column("rules_changes", "VARCHAR", "what was played differently, JSON", null="nothing"),
        Column("rules_key", "BIGINT", "the played rules with their changes", null="unknown"),
        Column("decks", "UTINYINT", "decks of cards in play", "decks"),
        Column("middle", "VARCHAR", "ranking of the middle row: high or deuce_to_seven"),
        Column("players", "UTINYINT", "players at the table", "players"),
        Column("started_at", "TIMESTAMP", "first card, UTC", null="unknown"),
        Column("ended_at", "TIMESTAMP", "end of the hand, UTC", null="unknown"),
        Column("played_at", "TIMESTAMP", "the end of the hand, else its start, UTC", null="no time known"),
        Column("source_zone", "VARCHAR", "zone the source wrote its times in", null="not named"),
        Column("point_value", MONEY, "stake: what one point pays", "unit per point", null="unknown"),
        Column("unit", "VARCHAR", "what money is counted in: chip, or a currency", null="unknown"),
        Column("unit_price", MONEY, "worth of one unit, in unit_currency", null="unknown"),
        Column("unit_currency", "VARCHAR", "currency of unit_price", null="unknown"),
        Column("pair_values", "VARCHAR", "JSON [[seat, seat, value]] of pairs with their own", null="none"),
        Column("settlement", "VARCHAR", "points or table_stakes", null="unknown"),
        Column("rake", MONEY, "as stated, else missing from the nets", _UNIT, null="unknown"),
        Column("status", "VARCHAR", "complete, partial, cancelled or results_only"),
        Column("scored", "BOOLEAN", "complete, and every card of it is one of the 52: can be scored"),
        Column("flags", "VARCHAR[]", "what was noticed, sorted; see ingest.flags"),
        Column("derived", "VARCHAR[]", "columns of this row that the source did not state and we filled in"),
        Column("extra", "VARCHAR", "further fields of the source, JSON", null="none"),
    ),
)

HAND_SOURCES = Table(
    "hand_sources",
    "Which source holds which hand, and where; a hand in several sources is still one hand.",
    ("source_key", "position"),
    (
        Column("hand_key", "BIGINT", "the hand that it tells of"),
        _SOURCE_KEY,
        Column("position", "BIGINT", "where its record starts", "bytes"),
        Column("view", "BIGINT", "hash of what the record says; equal for records that say the same"),
    ),
)

VIEWS = Table(
    "views",
    "All records of a hand of which there are several that differ (two heroes, contradictions).",
    ("hand_key", "view"),
    (
        _HAND_KEY,
        Column("view", "BIGINT", "hash of what the record says"),
        Column("record", "VARCHAR", "the record as a line of ofc-hh/1"),
    ),
)

SEATS = Table(
    "seats",
    "One player in one hand.",
    ("hand_key", "seat"),
    (
        _HAND_KEY,
        _SEAT,
        Column("chair", "SMALLINT", "place at the table as the source numbers it", null="unknown"),
        _PLAYER,
        Column("hero", "BOOLEAN", "whose log it is"),
        Column("stack", MONEY, "money in front of him at the start", _UNIT, null="unknown"),
        Column("in_fantasyland", "BOOLEAN", "plays this hand in Fantasyland"),
        Column("fantasyland_cards", "UTINYINT", "cards dealt in it, 0 outside", "cards", null="unknown"),
        Column("board", "UTINYINT[13]", "front, middle, back; 255 unknown card, 254 no card", "card"),
        Column("complete", "BOOLEAN", "all 13 slots hold a card"),
        Column("front_strength", "USMALLINT", "strength of the row, 0..454", "rank", null="no full row"),
        Column("middle_strength", "USMALLINT", "strength of the row, 0..11192", "rank", null="no full row"),
        Column("back_strength", "USMALLINT", "strength of the row, 0..11192", "rank", null="no full row"),
        Column("naturals", "USMALLINT", "bit mask of the naturals that the board holds"),
        Column("claimed_points", "INTEGER", "points as the source states them", "points", null="not stated"),
        Column("claimed_fouled", "BOOLEAN", "fouled, as the source states it", null="not stated"),
        Column("claimed_fantasyland_next", "TINYINT", "as stated: " + _NEXT, "cards", "not stated"),
        Column("points", "SMALLINT", "recomputed under the played rules", "points", null="not scored"),
        Column("fouled", "BOOLEAN", "recomputed under the played rules", null="not scored"),
        Column("fantasyland_next", "TINYINT", "recomputed: " + _NEXT, "cards", null="not scored"),
        Column("net", MONEY, "money won or lost after rake and caps, as stated", _UNIT, null="not stated"),
    ),
)

ACTIONS = Table(
    "actions",
    "What a player did with the cards of one street; none where only final boards are known.",
    ("hand_key", "action_no"),
    (
        _HAND_KEY,
        Column("action_no", "USMALLINT", "order of play in the hand, from 0"),
        _SEAT,
        Column("street", "UTINYINT", "street, from 0"),
        Column("dealt", _CARDS, "cards that he got on this street; 255 unseen", "card"),
        Column("front", _CARDS, "cards put in front", "card"),
        Column("middle", _CARDS, "cards put in the middle", "card"),
        Column("back", _CARDS, "cards put in the back", "card"),
        Column("discard", _CARDS, "cards thrown away; 255 unseen", "card"),
        Column("auto", "BOOLEAN", "the room acted for him", null="unknown"),
        Column("ms", "INTEGER", "thinking time", "ms", null="unknown"),
    ),
)

REJECTS = Table(
    "rejects",
    "Records that did not become hands: rejected, cut off at the end, or skipped on purpose.",
    ("source_key", "position", "reason"),
    (
        _SOURCE_KEY,
        Column("position", "BIGINT", "where the record starts", "bytes"),
        Column("outcome", "VARCHAR", "rejected, partial or skipped"),
        Column("reason", "VARCHAR", "reason code, see ingest.rejects"),
        Column("message", "VARCHAR", "what was expected and what came"),
        Column("raw", "BLOB", "the text, compressed with zstandard", null="not kept (anonymised)"),
    ),
)

RULE_SETS = Table(
    "rule_sets",
    "Every rule set that a hand was played or scored by.",
    ("rules_key",),
    (
        Column("rules_key", "BIGINT", "key of the rule set: from the hash of its content"),
        Column("name", "VARCHAR", "its name; tells the changes where there are any"),
        Column("title", "VARCHAR", "what people call it"),
        Column("game", "VARCHAR", "classic, pineapple or chinese"),
        Column("decks", "UTINYINT", "decks of cards", "decks"),
        Column("middle", "VARCHAR", "high or deuce_to_seven"),
        Column("definition", "VARCHAR", "the whole rule set, JSON"),
    ),
)

_POINTS = "points against all opponents together"
SCORES = Table(
    "scores",
    "Rule set x hand x seat: what the hand is worth under it. The parts sum to the points.",
    ("rules_key", "hand_key", "seat"),
    (
        Column("rules_key", "BIGINT", "the rule set"),
        _HAND_KEY,
        _SEAT,
        Column("points", "SMALLINT", _POINTS, "points"),
        Column("row_front", "SMALLINT", "front won and lost", "points"),
        Column("row_middle", "SMALLINT", "middle won and lost", "points"),
        Column("row_back", "SMALLINT", "back won and lost", "points"),
        Column("scoop", "SMALLINT", "for winning all three rows", "points"),
        Column("majority", "SMALLINT", "for winning two rows", "points"),
        Column("royalty_front", "SMALLINT", "own royalties less the opponents', front", "points"),
        Column("royalty_middle", "SMALLINT", "own royalties less the opponents', middle", "points"),
        Column("royalty_back", "SMALLINT", "own royalties less the opponents', back", "points"),
        Column("foul", "SMALLINT", "for fouls", "points"),
        Column("special", "SMALLINT", "for naturals and for shooting the moon", "points"),
        Column("value_front", "SMALLINT", "royalty that the front itself is worth, 0 if fouled", "points"),
        Column("value_middle", "SMALLINT", "royalty that the middle itself is worth, 0 if fouled", "points"),
        Column("value_back", "SMALLINT", "royalty that the back itself is worth, 0 if fouled", "points"),
        Column("fouled", "BOOLEAN", "the board is fouled"),
        Column("best_natural", "TINYINT", "number of the natural that counts, -1 none"),
        Column("moon", "BOOLEAN", "shot the moon"),
        Column("fantasyland_next", "TINYINT", _NEXT, "cards"),
        Column("chips", MONEY, "points settled in money", _UNIT, null="stake unknown"),
        Column("built_for_another_game", "BOOLEAN", "played as another game, with other decks or middle"),
    ),
)
SCORE_PARTS = SCORES.names[4:14]

LEDGER_RECORDS = Table(
    "ledger_records",
    "Sessions of which only the result was written down, as each source has them; read them through the view ledger.",
    ("source_key", "position"),
    (
        Column("ledger_key", "BIGINT", "hash of the entry and of how often its source had it before"),
        _SOURCE_KEY,
        Column("position", "BIGINT", "where the entry starts", "bytes"),
        Column("site", "VARCHAR", "where it was played"),
        Column("player", "VARCHAR", "whose result", null="not stated"),
        Column("played_at", "TIMESTAMP", "when, UTC", null="not stated"),
        Column("source_zone", "VARCHAR", "zone the source wrote its times in", null="not named"),
        Column("rules", "VARCHAR", "rules as the source names them", null="not stated"),
        Column("point_value", MONEY, "stake per point", "currency per point", null="not stated"),
        Column("currency", "VARCHAR", "currency of stake, net and rake", null="chips"),
        Column("hands", "INTEGER", "hands played", "hands", null="not stated"),
        Column("points", "DECIMAL(18,2)", "points won or lost", "points", null="not stated"),
        Column("net", MONEY, "money won or lost", "currency", null="not stated"),
        Column("rake", MONEY, "rake paid", "currency", null="not stated"),
        Column("notes", "VARCHAR", "remarks", null="none"),
        Column("extra", "VARCHAR", "further columns of the source, JSON", null="none"),
    ),
)

TABLES = (
    META,
    SOURCES,
    SESSIONS,
    HANDS,
    HAND_SOURCES,
    VIEWS,
    SEATS,
    ACTIONS,
    REJECTS,
    RULE_SETS,
    SCORES,
    LEDGER_RECORDS,
)

_NAMES = "[" + ", ".join(f"'{name}'" for name in CARD_NAMES) + "]"
# Cards and boards by name, and the counts of each source: a hand counts as stored in the first that holds it.
MACROS_AND_VIEWS = (
    "CREATE OR REPLACE MACRO card_name(card) AS "
    f"CASE WHEN card < 54 THEN {_NAMES}[card + 1] WHEN card = 255 THEN '??' END",
    "CREATE OR REPLACE MACRO cards_text(cards) AS array_to_string("
    "list_transform(list_filter(cards, lambda c: c <> 254), lambda c: card_name(c)), ' ')",
    "CREATE OR REPLACE MACRO board_text(board) AS "
    "cards_text(board[1:3]) || ' / ' || cards_text(board[4:8]) || ' / ' || cards_text(board[9:13])",
    # An entry that several sources have is one session.
    """CREATE OR REPLACE VIEW ledger AS
    SELECT * FROM ledger_records
    QUALIFY row_number() OVER (PARTITION BY ledger_key ORDER BY source_key, position) = 1""",
    """CREATE OR REPLACE VIEW source_counts AS
    WITH records AS (
        SELECT hand_key, source_key,
            row_number() OVER (PARTITION BY hand_key ORDER BY source_key, position) AS nth
        FROM hand_sources
    ), held AS (
        SELECT source_key, count(*) FILTER (nth = 1) AS stored, count(*) FILTER (nth > 1) AS duplicate,
            count(*) FILTER (nth = 1 AND list_contains(flags, 'claimed_score_mismatch')) AS mismatched
        FROM records JOIN hands USING (hand_key) GROUP BY source_key
    ), lost AS (
        SELECT source_key, count(*) FILTER (outcome = 'partial') AS partial,
            count(*) FILTER (outcome = 'skipped') AS skipped,
            count(*) FILTER (outcome = 'rejected') AS rejected
        FROM rejects GROUP BY source_key
    ), results AS (SELECT source_key, count(*) AS ledger_entries FROM ledger_records GROUP BY source_key)
    SELECT sources.*, coalesce(stored, 0) AS stored, coalesce(duplicate, 0) AS duplicate,
        coalesce(partial, 0) AS partial, coalesce(skipped, 0) AS skipped, coalesce(rejected, 0) AS rejected,
        coalesce(mismatched, 0) AS mismatched, coalesce(ledger_entries, 0) AS ledger_entries
    FROM sources LEFT JOIN held USING (source_key) LEFT JOIN lost USING (source_key)
        LEFT JOIN results USING (source_key)""",
)


def _key_check(table: Table) -> Check:
    key = ", ".join(table.key)
    return Check(
        f"{table.name}_key_once",
        f"{key} occurs once in {table.name}",
        f"SELECT {key} FROM {table.name} GROUP BY ALL HAVING count(*) > 1",
    )


CHECKS = (
    Check(
        "points_sum_to_zero",
        "the points of a hand sum to zero under every rule set",
        "SELECT rules_key, hand_key FROM scores GROUP BY ALL HAVING sum(points) <> 0",
    ),
    Check(
        "score_parts_sum_to_points",
        "points by row, scoops, majorities, royalties, fouls and specials sum to the points",
        f"SELECT rules_key, hand_key, seat FROM scores WHERE {' + '.join(SCORE_PARTS)} <> points",
    ),
    Check(
        "played_points_sum_to_zero",
        "the recomputed points of a hand sum to zero",
        "SELECT hand_key FROM seats GROUP BY ALL HAVING sum(points) <> 0",
    ),
    Check(
        "seats_count_up",
        "the seats of a hand are 0 to players - 1",
        "SELECT hand_key FROM hands LEFT JOIN seats USING (hand_key) GROUP BY hand_key, players "
        "HAVING count(seat) <> players OR (players > 0 AND max(seat) <> players - 1)",
    ),
    Check(
        "rows_have_a_hand",
        "no seat, action, score or record of a source without its hand",
        "SELECT hand_key FROM (SELECT hand_key FROM seats UNION SELECT hand_key FROM actions "
        "UNION SELECT hand_key FROM scores UNION SELECT hand_key FROM hand_sources) "
        "ANTI JOIN hands USING (hand_key)",
    ),
    Check(
        "hands_have_a_source",
        "every hand stands in a source",
        "SELECT hand_key FROM hands ANTI JOIN hand_sources USING (hand_key)",
    ),
    Check(
        "complete_means_13_cards",
        "a board is complete when no slot is empty",
        "SELECT hand_key, seat FROM seats WHERE complete = list_contains(board::UTINYINT[], 254)",
    ),
    *(_key_check(table) for table in TABLES),
)


def create_statements() -> list[str]:
    """The SQL that makes an empty database of this schema."""
    statements = []
    for table in TABLES:
        columns = ", ".join(f"{c.name} {c.type}{'' if c.null else ' NOT NULL'}" for c in table.columns)
        statements.append(f"CREATE TABLE {table.name} ({columns})")
    return statements + list(MACROS_AND_VIEWS)


def run_checks(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """How many violations each named check finds, by its name; all 0 in a sound database."""
    found = {}
    for check in CHECKS:
        [(count,)] = connection.execute(f"SELECT count(*) FROM ({check.violations})").fetchall()
        found[check.name] = int(count)
    return found

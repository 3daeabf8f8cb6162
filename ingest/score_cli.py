"""The command `ofc score`: the referee at the table."""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from ingest.game.claim import Claim
    from ingest.game.errors import OFCError
    from ingest.game.rules import RuleSet

# Hands that are judged together: enough to make the arrays worth while, few enough to answer a pipe soon.
BATCH = 4096
# How a line of JSON begins; a typed board may begin with a name in brackets.
_JSON = re.compile(r"\{|\[\s*([\[{\]]|$)")


def register(app: typer.Typer) -> None:
    """Add `ofc score` to the root command."""
    app.command("score")(score)


def score(
    file: Annotated[str, typer.Argument(help="ofc-hh/1 lines or typed boards; - is standard input")] = "-",
    rules: Annotated[
        str | None, typer.Option("--rules", metavar="NAME", help="rule set; else the one that each hand names")
    ] = None,
    changes: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="change one rule")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one object a line")] = False,
) -> None:
    """Score hands: points, fouls, royalties, naturals, Fantasyland next, every pair, chips.

    Hands are ofc-hh/1 lines, of which only players and boards are needed, or boards as people type them: one a line,
    front / middle / back, the button last, an empty line after each deal.
    """
    from ingest.game.claim import NotScoredError, RuleShelf, read_claim
    from ingest.game.errors import OFCError, plain
    from ingest.game.referee import judge
    from ingest.game.rule_files import parse_change
    from ingest.game.rules import find_rules, with_changes
    from ingest.places import rule_folders

    folders = rule_folders()
    changed = dict(map(parse_change, changes or []))
    chosen = None if rules is None else with_changes(find_rules(rules, folders), changed)
    if chosen is None:
        _verify_changes(changed)
    shelf = RuleShelf(folders)
    write = _write_json if as_json else _write_text
    made: dict[RuleSet, RuleSet] = {}
    claims: list[Claim] = []
    read = rejected = written = 0
    for where, record in _records(_lines(file)):
        read += 1
        try:
            if isinstance(record, OFCError):
                raise record
            claim = read_claim(record, chosen, shelf)
            claims.append(claim if chosen or not changed else _under_changes(claim, changed, made))
        except NotScoredError as reason:
            typer.echo(plain(f"{where}: {reason}"), err=True)
        except OFCError as error:
            rejected += 1
            typer.echo(plain(f"{where}: rejected: {error}"), err=True)
        if len(claims) == BATCH:
            write(claims, judge(claims), written)
            written += len(claims)
            claims = []
    if claims:
        write(claims, judge(claims), written)
    if read == 0:
        raise OFCError(f"expected hands in {_called(file)}, as ofc-hh/1 lines or typed boards, got nothing")
    if rejected:
        typer.echo(f"{rejected} of {read} {'hand' if read == 1 else 'hands'} rejected", err=True)
        raise typer.Exit(3)


def _verify_changes(changes: dict[str, Any]) -> None:
    """Raise RuleError for changes that no rule set takes, once instead of at each hand."""
    from ingest.game.errors import RuleError
    from ingest.game.rules import builtin_rules, with_changes

    # What a middle can be paid for is all in which rule sets differ here.
    try:
        with_changes(builtin_rules()["classic"], changes)
    except RuleError as error:
        try:
            with_changes(builtin_rules()["pineapple-2-7"], changes)
        except RuleError:
            raise error from None


def _under_changes(claim: Claim, changes: dict[str, Any], made: dict[RuleSet, RuleSet]) -> Claim:
    """A claim under its rule set with changes; `made` keeps the changed rule sets, which are few."""
    from dataclasses import replace

    from ingest.game.rules import with_changes

    if claim.rules not in made:
        made[claim.rules] = with_changes(claim.rules, changes)
    return replace(claim, rules=made[claim.rules])


def _called(file: str) -> str:
    return "standard input" if file == "-" else file or "a file without a name"


def _lines(file: str) -> Iterator[str]:
    """The lines of a file, ended in any of the three ways; a byte that is no UTF-8 becomes a lone surrogate."""
    from ingest.game.errors import OFCError

    try:
        data = _standard_input() if file == "-" else Path(file).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise OFCError(f"expected a file of hands at {_called(file)}: {reason}") from None
    is_utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))  # as Windows shells write into files
    text = data.decode("utf-16", "replace") if is_utf16 else data.decode("utf-8-sig", "surrogateescape")
    # Not splitlines(), which also ends lines at characters that a name may hold.
    yield from re.split("\r\n|\n|\r", text)


def _standard_input() -> bytes:
    if sys.stdin is None:
        return b""
    if sys.stdin.isatty():
        typer.echo("Type a board a line, front / middle / back, an empty line after each deal; Ctrl-D ends.", err=True)
    return sys.stdin.buffer.read()


def _records(lines: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Where each hand stands, and its record, or the error that it is."""
    typed: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith("#"):  # a remark
            continue
        if text and not _JSON.match(text):
            typed.append((number, text))
            continue
        if typed:
            yield _typed_deal(typed)
            typed = []
        if text:
            record = _json_hand(text)
            name = record.get("id") if isinstance(record, dict) else None
            yield f"line {number}" if name is None else f"line {number}, hand {_hand_name(name)}", record
    if typed:
        yield _typed_deal(typed)


def _json_hand(text: str) -> Any:
    """The record of a line of JSON, or the error that it is."""
    import orjson

    from ingest.game.errors import OFCError

    if not_utf8 := _not_utf8(text):
        return not_utf8
    try:
        record = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        return OFCError(
            f"expected a hand as one JSON object on one line, got what is no JSON at column {error.colno}: {error.msg}"
        )
    if not isinstance(record, dict):
        return OFCError("expected a hand as one JSON object, got a list: put each hand on a line of its own")
    return record


def _not_utf8(text: str) -> OFCError | None:
    from ingest.game.errors import OFCError

    if text.isascii() or not (found := re.search("[\udc80-\udcff]", text)):
        return None
    return OFCError(f"expected text in UTF-8, got the byte {ord(found[0]) - 0xDC00:#04x} at column {found.start() + 1}")


def _hand_name(name: Any) -> str:
    """A hand's id for people."""
    from ingest.game.errors import plain

    return plain(str(name), 60)


def _typed_deal(lines: list[tuple[int, str]]) -> tuple[str, Any]:
    """One deal of typed boards as a record."""
    import numpy as np

    from ingest.formats.boards import parse_seat
    from ingest.game.board import ROWS, board_rows
    from ingest.game.cards import format_card
    from ingest.game.errors import OFCError
    from ingest.hand import CARDS_UNKNOWN

    first, last = lines[0][0], lines[-1][0]
    where = f"line {first}" if first == last else f"lines {first}-{last}"
    players, boards = [], []
    for place, (number, line) in enumerate(lines):
        try:
            if not_utf8 := _not_utf8(line):
                raise not_utf8
            seat = parse_seat(line, place)
        except OFCError as error:
            return f"line {number}", error
        in_it = True if seat.fantasyland == CARDS_UNKNOWN else seat.fantasyland
        players.append({"name": seat.player, "fantasyland": in_it})
        rows = board_rows(np.array(seat.board, np.uint8))
        boards.append({row: [format_card(card) for card in cards] for row, cards in zip(ROWS, rows, strict=True)})
    return where, {"id": None, "players": players, "boards": boards}


def _write_json(_: list[Claim], answers: list[dict[str, Any]], __: int) -> None:
    import orjson

    lines = (orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE) for answer in answers)
    typer.echo(b"".join(lines), nl=False)


def _write_text(claims: list[Claim], answers: list[dict[str, Any]], written: int) -> None:
    texts = [_text(claim, answer) for claim, answer in zip(claims, answers, strict=True)]
    typer.echo(("\n" if written else "") + "\n".join(texts), nl=False)


def _text(claim: Claim, answer: dict[str, Any]) -> str:
    """One hand for people."""
    title = "Deal" if claim.id is None else f"Hand {_hand_name(claim.id)}"
    note = " (its boards were built for another game)" if answer["built_for_another_game"] else ""
    lines = [f"{title}, {answer['rules']}{note}"]
    width = max(map(len, claim.names))
    for seat, name in enumerate(claim.names):
        points = answer["points"][seat]
        said = f"{points:+4d} {'point ' if abs(points) == 1 else 'points'}" if points else "   0 points"
        lines.append(f"  {name:<{width}}  {said}  {_seat_words(claim, answer, seat)}".rstrip())
    lines += [_pair_words(claim.names[i], claim.names[j], net) for i, j, net in answer["pairs"]]
    if answer.get("stack_unknown"):
        without = [name for name, stack in zip(claim.names, claim.stacks, strict=True) if stack is None]
        lines.append(f"  no stack is known of {', '.join(without)}, so nothing caps what is won or lost there")
    return "\n".join(lines) + "\n"


def _pair_words(first: str, second: str, net: int) -> str:
    if net == 0:
        return f"  nothing changes hands between {first} and {second}"
    winner, loser = (first, second) if net > 0 else (second, first)
    return f"  {winner} gets {abs(net)} from {loser}"


def _seat_words(claim: Claim, answer: dict[str, Any], seat: int) -> str:
    words = []
    if answer["fouled"][seat]:
        words.append(_foul_words(claim, seat))
    paid = [f"{row} {points}" for row, points in answer["royalties"][seat].items() if points]
    if paid:
        words.append("royalties " + ", ".join(paid))
    if answer["natural"][seat]:
        words.append("natural " + answer["natural"][seat].replace("_", " "))
    if answer["moon"][seat]:
        words.append("shot the moon")
    cards = answer["fantasyland_next"][seat]
    if cards is None:
        words.append("Fantasyland next, as many cards as now")
    elif cards:
        words.append(f"Fantasyland next with {cards} cards")
    if _has_money(claim):
        chips = answer["chips"][seat]
        words.append(f"chips {chips}" if chips == "0" or chips.startswith("-") else f"chips +{chips}")
    return "; ".join(words)


def _foul_words(claim: Claim, seat: int) -> str:
    """That a board is fouled, and why where it lacks cards."""
    from ingest.game.board import EMPTY, SLOTS

    cards = int((claim.boards[seat] != EMPTY).sum())
    return "fouled" if cards == SLOTS else f"fouled, only {cards} of {SLOTS} cards"


def _has_money(claim: Claim) -> bool:
    return claim.rules.points.settlement == "table_stakes" or claim.point_value != 1 or bool(claim.pair_values)

"""The command `ofc score`: the referee at the table."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from ingest.game.referee import Claim

# Hands that are judged together: enough to make the arrays worth while, few enough to answer a pipe soon.
BATCH = 4096


def register(app: typer.Typer) -> None:
    """Add `ofc score` to the root command."""
    app.command("score")(score)


def score(
    file: Annotated[str, typer.Argument(help="ofc-hh/1 lines or typed boards; - is standard input")] = "-",
    rules: Annotated[str | None, typer.Option("--rules", help="rule set; else the one that each hand names")] = None,
    changes: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="change one rule")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one object a line")] = False,
) -> None:
    """Score hands: points, fouls, royalties, naturals, Fantasyland next, every pair, chips.

    Hands are ofc-hh/1 lines, of which only players and boards are needed, or boards as people type them: one a line,
    front / middle / back, the button last, an empty line after each deal.
    """
    from ingest.game.errors import OFCError
    from ingest.game.referee import NotScoredError, judge, read_claim
    from ingest.game.rule_files import parse_change
    from ingest.game.rules import find_rules, with_changes
    from ingest.places import rule_folders

    folders = rule_folders()
    changed = dict(map(parse_change, changes or []))
    chosen = with_changes(find_rules(rules, folders), changed) if rules else None
    write = _write_json if as_json else _write_text
    claims: list[Claim] = []
    read = rejected = 0
    for where, record in _records(_lines(file)):
        read += 1
        try:
            if isinstance(record, OFCError):
                raise record
            claim = read_claim(record, chosen, folders)
            claims.append(claim if chosen else _under_changes(claim, changed))
        except NotScoredError as reason:
            typer.echo(f"{where}: {reason}", err=True)
        except OFCError as error:
            rejected += 1
            typer.echo(f"{where}: rejected: {error}", err=True)
        if len(claims) == BATCH:
            write(claims, judge(claims))
            claims = []
    if claims:
        write(claims, judge(claims))
    if read == 0:
        name = "standard input" if file == "-" else file
        raise OFCError(f"expected hands in {name}, as ofc-hh/1 lines or typed boards, got nothing")
    if rejected:
        typer.echo(f"{rejected} of {read} hands rejected", err=True)
        raise typer.Exit(3)


def _under_changes(claim: Claim, changes: dict[str, Any]) -> Claim:
    from dataclasses import replace

    from ingest.game.rules import with_changes

    return replace(claim, rules=with_changes(claim.rules, changes)) if changes else claim


def _lines(file: str) -> Iterator[str]:
    from ingest.game.errors import OFCError

    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise OFCError(f"expected a file of hands at {file}: {error.strerror}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise OFCError(f"expected {file} in UTF-8, got a byte that is not at {error.start}") from None
    yield from text.splitlines()


def _records(lines: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Where each hand stands, and its record, or the error that it is."""
    import orjson

    from ingest.game.errors import OFCError

    typed: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith("{"):
            if typed:
                yield _typed_deal(typed)
                typed = []
            try:
                record = orjson.loads(text)
            except orjson.JSONDecodeError as error:
                yield (
                    f"line {number}",
                    OFCError(f"expected a hand as one JSON object, got a line that is none: {error}"),
                )
                continue
            name = record.get("id")
            yield f"line {number}" if name is None else f"line {number}, hand {name}", record
        elif text:
            typed.append((number, text))
        elif typed:
            yield _typed_deal(typed)
            typed = []
    if typed:
        yield _typed_deal(typed)


def _typed_deal(lines: list[tuple[int, str]]) -> tuple[str, Any]:
    """One deal of typed boards as a record; a name may stand before each board, with a colon."""
    from ingest.game.board import ROWS, board_rows, parse_board
    from ingest.game.cards import format_card
    from ingest.game.errors import OFCError

    first, last = lines[0][0], lines[-1][0]
    where = f"line {first}" if first == last else f"lines {first}-{last}"
    players, boards = [], []
    for place, (number, line) in enumerate(lines, 1):
        name, colon, board = line.rpartition(":")
        try:
            rows = board_rows(parse_board(board))
        except OFCError as error:
            return f"line {number}", error
        players.append({"name": name.strip() if colon else f"player {place}"})
        boards.append({row: [format_card(card) for card in cards] for row, cards in zip(ROWS, rows, strict=True)})
    return where, {"id": None, "players": players, "boards": boards}


def _write_json(_: list[Claim], answers: list[dict[str, Any]]) -> None:
    import orjson

    sys.stdout.write("".join(orjson.dumps(answer).decode() + "\n" for answer in answers))


def _write_text(claims: list[Claim], answers: list[dict[str, Any]]) -> None:
    texts = (_text(claim, answer) for claim, answer in zip(claims, answers, strict=True))
    sys.stdout.write("\n".join(texts) + "\n")


def _text(claim: Claim, answer: dict[str, Any]) -> str:
    """One hand for people."""
    title = "Deal" if claim.id is None else f"Hand {claim.id}"
    note = " (its boards were built for another game)" if answer["built_for_another_game"] else ""
    lines = [f"{title}, {answer['rules']}{note}"]
    width = max(map(len, claim.names))
    for seat, name in enumerate(claim.names):
        lines.append(f"  {name:<{width}}  {answer['points'][seat]:+4d} points  {_seat_words(claim, answer, seat)}")
    for i, j, net in answer["pairs"]:
        verb = "gets" if net >= 0 else "pays"
        lines.append(f"  {claim.names[i]} {verb} {abs(net)} {'from' if net >= 0 else 'to'} {claim.names[j]}")
    if answer.get("stack_unknown"):
        lines.append("  a stack is not known: that player has no cap")
    return "\n".join(lines) + "\n"


def _seat_words(claim: Claim, answer: dict[str, Any], seat: int) -> str:
    words = []
    if answer["fouled"][seat]:
        words.append("fouled")
    paid = [f"{row} {points}" for row, points in answer["royalties"][seat].items() if points]
    if paid:
        words.append("royalties " + ", ".join(paid))
    if answer["natural"][seat]:
        words.append(answer["natural"][seat].replace("_", " "))
    if answer["moon"][seat]:
        words.append("shot the moon")
    cards = answer["fantasyland_next"][seat]
    if cards is None:
        words.append("Fantasyland next, as many cards as now")
    elif cards:
        words.append(f"Fantasyland next with {cards} cards")
    if _has_money(claim):
        words.append(f"chips {answer['chips'][seat]}")
    return "; ".join(words)


def _has_money(claim: Claim) -> bool:
    return claim.rules.points.settlement == "table_stakes" or claim.point_value != 1 or bool(claim.pair_values)

"""Make the simulated sample logs of data/samples again: ``python tests/make_samples.py``.

The hands are simulated, the people invented. The files that stand for formats of other programs are written by hand and
not made here.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ingest.formats import ofc_hh
from ingest.game.rules import builtin_rules
from ingest.hand import Hand
from ingest.simulate.run import simulate
from ingest.simulate.session import Plan

FOLDER = Path(__file__).resolve().parents[1] / "data" / "samples"
PEOPLE = ("Ada", "Bo", "Cleo", "Dov", "Edda", "Finn")
AGENT = "fast"
# Rule set, players, hands, hands of a session.
TABLES = (
    ("pineapple", 3, 120, 20),
    ("pineapple-progressive", 2, 160, 40),
    ("pineapple-2-7", 3, 60, 30),
    ("double-deck-pineapple", 5, 20, 10),
    ("classic", 4, 80, 20),
    ("table-stakes", 3, 40, 20),
    ("double-deck", 6, 20, 10),
    ("chinese-1-6", 4, 60, 30),
)


def named(hand: Hand) -> Hand:
    """The hand with people's names in place of the agents' chairs."""
    seats = tuple(
        replace(seat, player=PEOPLE[int(seat.player.rsplit(" ", 1)[1]) - 1], hero=seat.player.endswith(" 1"))
        for seat in hand.seats
    )
    return replace(hand, seats=seats)


def main() -> None:
    for seed, (rules, players, hands, session) in enumerate(TABLES, 1):
        plan = Plan(builtin_rules()[rules], (AGENT,) * players, hands=hands, seed=seed, session_hands=session)
        played = [named(hand) for batch in simulate(plan) for hand in batch.to_hands()]
        with (FOLDER / f"{rules}.ofc.jsonl").open("w", encoding="utf-8", newline="\n") as out:
            ofc_hh.write(played, out)


if __name__ == "__main__":
    main()

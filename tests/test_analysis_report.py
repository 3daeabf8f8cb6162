"""The command line of analysis: every table as text, JSON, CSV, Parquet and as one page that stands alone."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl
import pytest
from typer.main import get_command
from typer.testing import CliRunner

from analysis.metrics import METRICS
from dashboard.cli import app
from ingest.game.errors import OFCError
from ingest.store import Store
from tests.made_hands import made_database

run = CliRunner()
EVIL = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A published database of pineapple and classic hands; one player's name is not kind to browsers."""
    path = tmp_path_factory.mktemp("report") / "made.duckdb"
    with Store(path) as store:
        made_database(400, 3, 35, "pineapple", con=store.connection)
        made_database(200, 2, 35, "classic", seed=2, con=store.connection)
        store.connection.execute("UPDATE seats SET player = ? WHERE player = 'player 2'", [EVIL])
        store.publish()
    return path


def output(*words: str, code: int = 0) -> str:
    answer = run.invoke(app, words)
    if isinstance(answer.exception, OFCError):
        raise answer.exception
    assert answer.exit_code == code, answer.output
    return answer.stdout


def test_a_report_prints_every_figure_that_has_data(database: Path) -> None:
    text = output("report", "--db", str(database), "--rules", "pineapple-aces")
    assert "as played" in text
    assert "pineapple-aces" in text
    for title in ("Hands", "Points per hand", "Fouls", "Scoops", "Royalties per hand, middle", "Stays in Fantasyland"):
        assert title in text
    assert "Results of everybody at the table." in text
    assert "200 hands left out: boards built for another game." in text


@pytest.mark.parametrize("by", ["player", "rules", "players_at_table", "position", "month", "site", "session"])
def test_a_report_can_be_broken_down(database: Path, by: str) -> None:
    data = json.loads(output("report", "--db", str(database), "--by", by, "--json"))
    hands = [row for row in data["figures"] if row["metric"] == "hands"]
    assert sum(row["value"] for row in hands) == 400 * 3 + 200 * 2
    assert len({row[by] for row in hands}) == len(hands)


def test_json_csv_and_parquet_say_the_same(database: Path, tmp_path: Path) -> None:
    data = json.loads(output("report", "--db", str(database), "--json", "--parquet", str(tmp_path / "a.parquet")))
    csv = pl.read_csv(output("report", "--db", str(database), "--csv", "-").encode())
    parquet = pl.read_parquet(tmp_path / "a.parquet")
    assert data["seed"] == 0
    assert [row["metric"] for row in data["figures"]] == csv["metric"].to_list() == parquet["metric"].to_list()
    assert [row["value"] for row in data["figures"]] == pytest.approx(parquet["value"].to_list(), nan_ok=True)
    assert {row["metric"] for row in data["figures"]} <= {metric.name for metric in METRICS}


def test_only_the_figures_that_were_asked_for(database: Path) -> None:
    data = json.loads(output("report", "--db", str(database), "--metrics", "foul_rate, royalties", "--json"))
    assert [row["metric"] for row in data["figures"]] == ["foul_rate", "royalties"]
    with pytest.raises(OFCError, match="expected the name of a metric, got 'busts'"):
        output("report", "--db", str(database), "--metrics", "busts")


def test_filters_that_leave_nothing_say_so(database: Path) -> None:
    with pytest.raises(OFCError, match=r"expected hands to look at, got none\. Results of Nobody\."):
        output("report", "--db", str(database), "--player", "Nobody")


def test_every_command_about_hands_chooses_them_alike(database: Path) -> None:
    commands = get_command(app).commands  # type: ignore[attr-defined]
    filters = ("player", "hero", "site", "played", "players", "since", "until", "kind")
    for name in ("report", "compare", "variance", "luck"):
        options = {option.name: option for option in commands[name].params}
        assert set(filters) <= set(options)
        assert [options[option].help for option in filters] == [
            option.help for option in commands["report"].params if option.name in filters
        ]
        with pytest.raises(OFCError, match="expected --kind all, played or simulated, got 'real'"):
            output(name, "--db", str(database), "--rules", "pineapple", "--kind", "real")
    words = ["--db", str(database), "--player", "player 1", "--played", "classic", "--players", "2", "--json"]
    words += ["--since", "2025-01-02", "--until", "2025-03-01", "--kind", "played", "--site", "made"]
    [row] = json.loads(output("report", *words, "--metrics", "hands"))["figures"]
    assert json.loads(output("compare", *words, "--rules", "classic"))["systems"][0]["seats"] == row["value"]
    assert json.loads(output("variance", *words, "--horizon", "10"))[0]["hands"] == row["value"]


def test_one_session_of_one_player(database: Path) -> None:
    sessions = json.loads(output("report", "--db", str(database), "--by", "session", "--metrics", "hands", "--json"))
    name, hands = (sessions["figures"][3][column] for column in ("session", "value"))
    data = json.loads(output("report", "--db", str(database), "--session", name, "--metrics", "hands", "--json"))
    assert data["figures"][0]["value"] == hands
    assert "in one session" in data["notes"]["as played"][0]
    with pytest.raises(OFCError, match="expected the name of a session, as report --by session shows it, got 'last'"):
        output("report", "--db", str(database), "--session", "last")


def verify_stands_alone(page: str) -> str:
    """The page without its scripts; raises where it would load anything."""
    outside = re.sub(r"<script.*?</script>", "", page, flags=re.S)
    assert not re.search(r"(src|href|url)\s*[=(]", outside)
    assert page.count("Plotly.newPlot") >= 1
    assert EVIL not in page
    return outside


def test_a_report_as_a_page_stands_alone(database: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    output("report", "--db", str(database), "--rules", "pineapple-aces", "--html", str(path), "--seed", "3")
    page = path.read_text("utf-8")
    outside = verify_stands_alone(page)
    assert "Seed: 3." in outside
    assert "Rule sets: as played, pineapple-aces." in outside
    assert "Made by <code>ofc" in outside
    data = json.loads(output("report", "--db", str(database), "--metrics", "foul_rate", "--json", "--seed", "3"))
    assert f"{100 * data['figures'][0]['value']:.1f} %" in outside
    assert "The board is fouled." in outside


def test_a_page_shows_what_the_command_line_shows(database: Path, tmp_path: Path) -> None:
    """The breakdown, the chosen figures, the kind of interval: of players, of opponents, at every look."""
    path = tmp_path / "report.html"
    words = ["report", "--db", str(database), "--metrics", "points_per_hand,sd_per_hand"]
    for by in ("position", "opponent"):
        output(*words, "--by", by, "--html", str(path))
        outside = path.read_text("utf-8")
        figures = json.loads(output(*words, "--by", by, "--json"))["figures"]
        assert len(figures) >= 10
        for row in figures:
            assert f"{row['value']:,.2f}\n{row['low']:,.2f} to {row['high']:,.2f}" in outside
    output(*words, "--anytime", "--hero", "--html", str(path))
    for row in json.loads(output(*words, "--anytime", "--hero", "--json"))["figures"]:
        assert f"{row['low']:,.2f} to {row['high']:,.2f}" in path.read_text("utf-8")


def test_a_comparison_as_a_page_and_as_data(database: Path, tmp_path: Path) -> None:
    path = tmp_path / "compare.html"
    words = ["compare", "--db", str(database), "--rules", "pineapple,pineapple-2-7,classic", "--another-game"]
    output(*words, "--player", EVIL, "--html", str(path))
    outside = verify_stands_alone(path.read_text("utf-8"))
    data = json.loads(output(*words, "--player", EVIL, "--json"))
    assert [row["rules"] for row in data["systems"]] == ["pineapple", "pineapple-2-7", "classic"]
    for row in data["systems"]:
        assert f"{row['sd']:,.2f}" in outside
        assert f"{row['points_per_hand']:+,.2f}" in outside
    assert data["baseline"] == "pineapple"


def test_a_comparison_prints_what_it_is(database: Path) -> None:
    text = output("compare", "--db", str(database), "--rules", "pineapple,row-winner", "--set", "points.scoop=1")
    assert "Same decisions, other scoring" in text
    assert "pineapple with points.scoop=1" in text
    assert "No hands were dealt as these deal: row-winner" in text
    with pytest.raises(OFCError, match="expected rule sets to compare"):
        output("compare", "--db", str(database))


def test_variance_is_one_players(database: Path) -> None:
    words = ["variance", "--db", str(database), "--bankroll", "200", "--horizon", "500"]
    with pytest.raises(OFCError, match="expected the results of one player"):
        output(*words)
    text = output(*words, "--hero")
    assert "Risk to lose 200 points within 500 hands" in text
    [data] = json.loads(output(*words, "--hero", "--json"))
    assert data["player"] == "player 1"
    low, high = data["risk"][1:]
    assert 0 <= low <= data["risk"][0] <= high <= 1
    assert json.loads(output(*words, "--hero", "--json")) == [data]


def test_rescore_tells_what_it_did(database: Path) -> None:
    words = ["rescore", "--db", str(database), "--rules", "row-winner", "--json"]
    assert json.loads(output(*words)) == [{"rules": "row-winner", "scored": 600, "already": 0, "another_game": 400}]
    assert json.loads(output(*words))[0]["scored"] == 0
    assert "row-winner" in output(*words[:-1])
    with pytest.raises(OFCError, match="expected rule sets to score by"):
        output("rescore", "--db", str(database))


def test_no_database_is_said_in_one_sentence(tmp_path: Path) -> None:
    for command in ("report", "variance", "luck"):
        with pytest.raises(OFCError, match=r"expected a database at .*, found none"):
            output(command, "--db", str(tmp_path / "none.duckdb"))


def test_a_figure_leads_to_the_hands_behind_it(database: Path) -> None:
    words = ["report", "--db", str(database), "--metrics", "foul_rate"]
    [row] = json.loads(output(*words, "--json"))["figures"]
    hands = pl.read_csv(output(*words, "--behind", "-").encode())
    assert len(hands) == hands["out_of"].sum() == row["n"]
    assert hands["counted"].sum() / row["n"] == pytest.approx(row["value"])
    with Store(database) as store:
        fouled = store.query("SELECT hand_key, seat FROM seats WHERE fouled ORDER BY ALL")
    assert sorted(hands.filter(pl.col("counted") == 1).select("hand_key", "seat").rows()) == fouled
    with pytest.raises(OFCError, match="expected one figure"):
        output("report", "--db", str(database), "--behind", "-")


def test_rule_sets_that_no_hand_was_dealt_for_are_not_passed_over(database: Path, tmp_path: Path) -> None:
    words = ["report", "--db", str(database), "--played", "classic", "--rules", "pineapple"]
    text = output(*words)
    assert "200 hands left out: boards built for another game." in text
    assert "No hands are left to score." in text
    data = json.loads(output(*words, "--json"))
    assert list(data["notes"]) == ["as played", "pineapple"]
    assert {row["scored_under"] for row in data["figures"]} == {"as played"}
    output(*words, "--html", str(tmp_path / "report.html"))
    assert "No hands are left to score." in (tmp_path / "report.html").read_text("utf-8")
    assert "No hands are left" not in output(*words, "--another-game")
    words = ["variance", "--db", str(database), "--hero", "--played", "classic", "--rules", "pineapple"]
    with pytest.raises(OFCError, match=r"got none; [0-9]+ hands left out: boards built for another game"):
        output(*words)


def test_figures_that_cannot_be_told_are_refused(database: Path) -> None:
    words = ["report", "--db", str(database), "--by", "opponent"]
    with pytest.raises(OFCError, match="expected figures that can be told by opponent, got foul_rate, foul_sealed_0"):
        output(*words, "--metrics", "foul_rate,hands,foul_sealed_0")
    assert "points per hand" in output(*words, "--streets")
    hands = pl.read_csv(output(*words, "--metrics", "points_per_hand", "--behind", "-").encode())
    assert {"player", "opponent", "counted"} <= set(hands.columns)


def test_anytime_intervals_are_wider_and_say_what_they_are(database: Path) -> None:
    words = ["report", "--db", str(database), "--hero", "--metrics", "points_per_hand,foul_rate,sd_per_hand", "--json"]
    usual, anytime = (json.loads(output(*words, *more)) for more in ([], ["--anytime"]))
    for one, other in zip(usual["figures"], anytime["figures"], strict=True):
        assert one["value"] == other["value"]
        assert other["low"] < one["low"] < one["high"] < other["high"]
    assert any("every look at once" in note for note in anytime["notes"]["as played"])


def test_every_table_of_an_answer_can_be_written(database: Path, tmp_path: Path) -> None:
    words = ["compare", "--db", str(database), "--rules", "pineapple,pineapple-aces"]
    for name in ("systems", "spread", "covariances", "states"):
        data = json.loads(output(*words, "--json"))[name]
        csv = pl.read_csv(output(*words, "--table", name, "--csv", "-").encode())
        assert csv.columns == list(data[0])
        assert len(csv) == len(data)
    with pytest.raises(OFCError, match="expected --table to be one of systems, spread, covariances, states, got 'x'"):
        output(*words, "--table", "x", "--csv", "-")
    words = ["variance", "--db", str(database), "--hero", "--rules", "pineapple", "--horizon", "100"]
    for name in ("outcomes", "downswings", "stop_loss", "table_stakes"):
        path = tmp_path / f"{name}.parquet"
        output(*words, "--table", name, "--parquet", str(path))
        [data] = json.loads(output(*words, "--json"))
        assert pl.read_parquet(path).drop("rules").to_dicts() == data[name]


def test_credit_and_adapted_play_come_along(database: Path, tmp_path: Path) -> None:
    words = ["compare", "--db", str(database), "--rules", "pineapple,pineapple-aces", "--hero", "--credit"]
    words += ["--adapted", "100", "--agent", "cautious"]
    data = json.loads(output(*words, "--json"))
    assert [row["rules"] for row in data["credit"]] == ["pineapple", "pineapple-aces"]
    assert data["credit"][0]["credit"] == 0
    assert {row["play"] for row in data["adapted"]} == {"same decisions", "adapted play"}
    text = output(*words)
    assert "Without and with Fantasyland credit" in text
    assert "adapted play" in text
    output(*words, "--html", str(tmp_path / "all.html"))
    outside = verify_stands_alone((tmp_path / "all.html").read_text("utf-8"))
    assert "Same decisions beside adapted play" in outside
    assert f"{data['credit'][1]['with_credit']:+,.2f}" in outside

"""Every page of the dashboard, run without a browser: with data, with none, with filters, with names that bite."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from analysis.metrics import find_metric
from analysis.scored import score_as_played
from analysis.tables import load_hands
from dashboard.charts import TEMPLATE
from dashboard.views import VIEWS
from ingest.game.rules import BUILTIN_NAMES
from ingest.snapshots import open_snapshot
from tests.invented import HERO, NAMES, make_database, make_empty_database

APP = Path(__file__).resolve().parents[1] / "dashboard" / "app.py"
# What app.py does for one page; AppTest cannot go to a page that is a function.
ONE_PAGE = """
from dashboard.cached import newest
from dashboard.sidebar import choose_filters
from dashboard.views import VIEWS
from ingest.places import database_path

snapshot = newest(database_path())
filters = choose_filters(snapshot)
[view] = [view for view in VIEWS if view.path == {path!r}]
view.show(snapshot, filters)
"""
RULE_BOOK = "from dashboard.views.rulebook import show\nshow()"
Use = Callable[[Path], None]
PATHS = [view.path for view in VIEWS]


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_database(tmp_path_factory.mktemp("dashboard"))


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_empty_database(tmp_path_factory.mktemp("empty"))


@pytest.fixture(scope="session")
def sample_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `ofc demo` reads: every format and many rule sets, money in several currencies."""
    from ingest.formats.options import ReadOptions
    from ingest.load import Loader
    from ingest.places import samples_folder
    from ingest.store import Store

    database = tmp_path_factory.mktemp("samples") / "samples.duckdb"
    with Store(database) as store:
        Loader(store, ReadOptions()).load([str(samples_folder())])
        store.publish()
    return database


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    return lambda place: monkeypatch.setenv("OFC_DB", str(place))


def open_page(path: str, **query: str | list[str]) -> AppTest:
    page = AppTest.from_string(ONE_PAGE.format(path=path), default_timeout=600)
    for name, value in query.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception, [error.message for error in page.exception]
    return page


def charts_of(page: AppTest) -> list[dict[str, Any]]:
    return [json.loads(chart.proto.spec) for chart in page.get("plotly_chart")]


def captions(page: AppTest) -> str:
    return "\n".join(caption.value for caption in page.caption)


@pytest.mark.parametrize("path", PATHS)
def test_page_with_data(path: str, database: Path, use: Use) -> None:
    use(database)
    page = open_page(path)
    [view] = [view for view in VIEWS if view.path == path]
    assert [title.value for title in page.title] == [view.title]
    assert not page.error
    if path not in ("imports", "luck"):
        assert "Results of the players whose logs these are" in captions(page)
        assert charts_of(page)


@pytest.mark.parametrize("path", PATHS)
def test_page_of_the_sample_logs(path: str, sample_database: Path, use: Use, ofc: Callable[..., Any]) -> None:
    use(sample_database)
    page = open_page(path)
    assert not page.error
    for code in page.code:
        run = ofc(*shlex.split(code.value)[1:])
        assert run.code == 0, run.err


@pytest.mark.parametrize("path", PATHS)
def test_page_of_a_database_without_hands(path: str, empty_database: Path, use: Use) -> None:
    use(empty_database)
    page = open_page(path)
    assert [info.value for info in page.info], "expected the page to say that there is nothing"


@pytest.mark.parametrize("path", [path for path in PATHS if path != "imports"])
def test_page_when_no_hand_fits(path: str, database: Path, use: Use) -> None:
    use(database)
    page = open_page(path, player=NAMES[3], kind="Simulated")
    assert "fits these filters" in page.info[0].value


def test_whole_app_opens_the_overview(database: Path, use: Use) -> None:
    use(database)
    app = AppTest.from_file(str(APP), default_timeout=60).run()
    assert not app.exception
    assert app.title[0].value == "Overview"


def test_no_database_says_what_to_type(tmp_path: Path, use: Use) -> None:
    use(tmp_path / "none.duckdb")
    app = AppTest.from_file(str(APP), default_timeout=60).run()
    assert not app.exception
    commands = [code.value for code in app.code]
    place = f"--db={tmp_path / 'none.duckdb'}"
    assert f"ofc demo {place}" in commands, "what is typed elsewhere must fill the database that was looked for"
    assert any(command.startswith("ofc ingest") for command in commands)
    assert "none" in captions(app)


def test_a_database_of_another_kind_is_told_in_one_sentence(tmp_path: Path, use: Use) -> None:
    import duckdb

    folder = tmp_path / "other.duckdb.snapshots"
    folder.mkdir()
    duckdb.connect(str(folder / "other-000001.duckdb")).close()
    (folder / "current.json").write_text(json.dumps({"file": "other-000001.duckdb", "version": 1}))
    use(tmp_path / "other.duckdb")
    app = AppTest.from_file(str(APP), default_timeout=60).run()
    assert not app.exception
    assert "expected a database of this program" in app.error[0].value


def test_a_new_snapshot_is_seen(tmp_path: Path, use: Use) -> None:
    from ingest.formats.options import ReadOptions
    from ingest.load import Loader
    from ingest.store import Store
    from tests.invented import write_sessions

    database = make_database(tmp_path, sessions=2, hands=5)
    use(database)
    before = open_page("imports").metric[0].value
    more = write_sessions(tmp_path / "more.ofc.jsonl", sessions=1, hands=7, seed=9)
    with Store(database) as store:
        Loader(store, ReadOptions()).load([str(more)])
        store.publish()
    assert (before, open_page("imports").metric[0].value) == ("15", "22")


def test_filters_come_from_the_address(database: Path, use: Use) -> None:
    use(database)
    page = open_page("overview", rules="pineapple-ultimate", tables="2", since="2026-01-04")
    assert "with 2 players at the table, played by pineapple\\-ultimate, from 2026\\-01\\-04 on" in captions(page)


def test_key_figure_is_the_metric(database: Path, use: Use) -> None:
    use(database)
    page = open_page("overview", player=HERO)
    con, _ = open_snapshot(database)
    from analysis.filters import Filters

    scored = score_as_played(load_hands(con, Filters(players=(HERO,))))
    expected = find_metric("foul_rate")(scored.frame)["value"][0]
    shown = {metric.label: metric.value for metric in page.metric}
    assert shown["Fouls"] == f"{expected:.1%}"


@pytest.mark.parametrize("path", PATHS)
def test_page_of_a_single_hand(path: str, tmp_path: Path, use: Use) -> None:
    from ingest.formats.options import ReadOptions
    from ingest.load import Loader
    from ingest.store import Store
    from tests.invented import write_sessions

    log = write_sessions(tmp_path / "one.ofc.jsonl", sessions=1, hands=1)
    with Store(tmp_path / "one.duckdb") as store:
        Loader(store, ReadOptions()).load([str(log)])
        store.publish()
    use(tmp_path / "one.duckdb")
    open_page(path)
    open_page(path, owners="false")


def test_luck_needs_the_draws(database: Path, use: Use) -> None:
    use(database)
    assert "got final boards only" in open_page("luck").info[0].value


def test_luck_of_sample_logs(tmp_path: Path, use: Use) -> None:
    from ingest.formats.options import ReadOptions
    from ingest.load import Loader
    from ingest.places import samples_folder
    from ingest.store import Store

    database = tmp_path / "samples.duckdb"
    with Store(database) as store:
        Loader(store, ReadOptions()).load([str(samples_folder() / "pineapple.ofc.jsonl")])
        store.publish()
    use(database)
    page = open_page("luck")
    assert "It does not judge decisions" in captions(page)
    assert len(charts_of(page)) == 2
    assert [trace["name"] for trace in charts_of(page)[1]["data"]] == ["as it came", "without the luck of the deal"]


@pytest.mark.parametrize("path", [path for path in PATHS if path != "imports"])
def test_charts_are_ours_and_small(path: str, database: Path, use: Use) -> None:
    use(database)
    template = json.loads(TEMPLATE.to_json()) if hasattr(TEMPLATE, "to_json") else TEMPLATE.to_plotly_json()
    for chart in charts_of(open_page(path, owners="false")):
        layout = chart["layout"]
        assert layout["template"]["layout"]["colorway"] == template["layout"]["colorway"]
        assert layout["xaxis"]["title"]["text"]
        for trace in chart["data"]:
            assert trace["type"] in ("scatter", "bar")
            assert len(trace["x"]) <= 2_000


@pytest.mark.parametrize("path", [path for path in PATHS if path != "imports"])
def test_names_are_text(path: str, database: Path, use: Use) -> None:
    use(database)
    page = open_page(path, player=list(NAMES))
    written = [element.value for kind in ("markdown", "caption", "subheader", "title") for element in page.get(kind)]
    # A picture from elsewhere, or an icon, would need these; escaped they are text.
    assert not any("![x](" in text or " :tada:" in text or "<script>" in text for text in written)
    specs = json.dumps(charts_of(page))
    assert "<script>" not in specs
    if path in ("overview", "rates"):
        assert "&lt;script&gt;" in specs


@pytest.mark.parametrize("name", BUILTIN_NAMES)
def test_rule_book(name: str) -> None:
    page = AppTest.from_string(RULE_BOOK, default_timeout=600)
    page.query_params["rule_set"] = name
    page.query_params["compare_with"] = "classic"
    page.run()
    assert not page.exception, [error.message for error in page.exception]
    assert page.selectbox(key="rule_set").value == name
    assert len(page.get("image")) == 3, "expected the boards of the example"
    differs = [subheader.value for subheader in page.subheader if subheader.value.startswith("What differs")]
    assert bool(differs) == (name != "classic")


def test_rule_book_tells_of_a_broken_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.toml").write_text('name = "mine"\nbase = "pineapple"\n[points]\nscoop = 5\n')
    (tmp_path / "broken.toml").write_text('name = "broken"\nbase = "pineapple"\n[points]\nscop = 5\n')
    monkeypatch.setattr("dashboard.cached.rule_folders", lambda: (tmp_path,))
    page = AppTest.from_string(RULE_BOOK, default_timeout=600)
    page.query_params["rule_set"] = "mine"
    page.run()
    assert not page.exception
    assert "scop" in page.warning[0].value
    assert page.selectbox(key="rule_set").value == "mine"


def test_rules_page_compares_what_the_address_says(database: Path, use: Use) -> None:
    use(database)
    page = open_page("rules", baseline="classic", compare=["classic-2-4", "pineapple"], another_game="true")
    [systems] = [frame.value for frame in page.dataframe if "rules" in frame.value.columns]
    assert systems["rules"].to_list() == ["classic", "classic-2-4", "pineapple"]
    assert (systems["another_game"] > 0).tolist() == [True, True, False]


def test_rules_page_with_nothing_to_compare_with(database: Path, use: Use) -> None:
    use(database)
    page = open_page("rules")
    page.multiselect(key="compare").set_value([]).run()
    assert not page.exception, [error.message for error in page.exception]
    [systems] = [frame.value for frame in page.dataframe if "rules" in frame.value.columns]
    assert systems["rules"].to_list() == ["pineapple"]


def test_choices_on_a_page_change_it(database: Path, use: Use) -> None:
    use(database)
    page = open_page("variance")
    page.selectbox(key="paid").set_value("paid as classic-2-4").run()
    assert not page.exception, [error.message for error in page.exception]
    assert [trace["name"] for trace in charts_of(page)[0]["data"]] == ["as played", "paid as classic-2-4"]
    page = open_page("rates")
    page.selectbox(key="by").set_value("players_at_table").run()
    assert list(charts_of(page)[-1]["data"][0]["y"]) == ["3", "2"]
    page = open_page("rules", compare=["paid as treble-middle"])
    assert any("instead of" in text.value for text in page.markdown)


def test_rejects_show_their_reason(database: Path, use: Use) -> None:
    use(database)
    page = open_page("imports")
    [rejects] = [frame.value for frame in page.dataframe if "outcome" in frame.value.columns]
    assert sorted(rejects["outcome"]) == ["partial", "rejected"]
    assert "a card occurs more often than the decks hold it" in rejects["meaning"].to_list()
    assert {metric.label: metric.value for metric in page.metric}["rejected"] == "1"


def test_rules_page_says_what_the_command_line_says(database: Path, use: Use, ofc: Callable[..., Any]) -> None:
    use(database)
    page = open_page("rules", player=HERO, baseline="pineapple", compare=["pineapple-aces", "paid as classic-2-4"])
    [systems] = [frame.value for frame in page.dataframe if "rules" in frame.value.columns]
    run = ofc(
        "compare", "--player", HERO, "--baseline", "pineapple", "--rules", "pineapple-aces", "--json", "--db", database
    )
    assert run.code == 0, run.err
    told = {row["rules"]: row for row in json.loads(run.out)["systems"]}
    for row in systems.to_dict("records")[:2]:
        for name in ("hands", "points_per_hand", "sd", "sd_low", "sd_high", "stake", "foul_rate", "entry_rate"):
            assert row[name] == pytest.approx(told[row["rules"]][name]), name


@pytest.mark.parametrize("path", ["overview", "rates", "variance", "rules"])
def test_the_command_on_a_page_works(path: str, database: Path, use: Use, ofc: Callable[..., Any]) -> None:
    use(database)
    query = {"player": NAMES[1], "rules": "pineapple", "since": "2026-01-04", "kind": "Really played"}
    if path == "rules":
        query |= {"baseline": "pineapple", "compare": "pineapple-aces"}
    [line] = [code.value for code in open_page(path, **query).code]
    command, *arguments = shlex.split(line)
    run = ofc(*arguments)
    assert (command, run.code) == ("ofc", 0), run.err
    assert NAMES[1] in " ".join(run.out.split())


def test_rates_say_when_fouls_were_sealed(sample_database: Path, use: Use, ofc: Callable[..., Any]) -> None:
    use(sample_database)
    page = open_page("rates", player="Ada")
    [chart] = [chart for chart in charts_of(page) if "known streets" in chart["layout"]["xaxis"]["title"]["text"]]
    drawn = {
        place: (value, *about)
        for trace in chart["data"]
        for place, value, about in zip(trace["y"], trace["x"], trace["customdata"], strict=True)
    }
    run = ofc("report", "--player", "Ada", "--streets", "--json", "--db", sample_database)
    assert run.code == 0, run.err
    told = {row["metric"]: row for row in json.loads(run.out)["figures"]}
    labels = {f"foul_sealed_{slots}": f"with {slots} slots open" for slots in range(8, 1, -1)}
    labels |= {"foul_sealed_1": "with 1 slot open", "foul_sealed_0": "by the last cards"}
    labels |= {"foul_unfinished": "of boards never finished"}
    counts = {name: round(told[name]["value"] * told[name]["n"]) for name in labels}
    expected = {f"{labels[name]} ({counts[name]})": told[name] for name in labels if counts[name]}
    assert len(expected) > 1
    assert list(drawn) == list(expected)
    for name, row in expected.items():
        assert drawn[name] == pytest.approx(tuple(row[key] for key in ("value", "low", "high", "n"))), name
    known = told["foul_sealed_0"]["n"]
    assert f"{sum(counts.values())} fouls in {known:,} hands with known streets" in captions(page)
    assert any("--streets" in code.value for code in page.code)


def test_without_streets_it_is_not_known_when_fouls_were_sealed(database: Path, use: Use) -> None:
    use(database)
    assert "no log of these hands shows, street by street, what was dealt" in captions(open_page("rates"))


def test_many_hands_are_asked_for(database: Path, use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.views.rates.FEW_FOR_STREETS", 100)
    use(database)
    page = open_page("rates")
    assert "street by street" not in captions(page)
    page.toggle(key="streets").set_value(True).run()
    assert "street by street" in captions(page)


def test_sources_are_known_by_their_files(database: Path, use: Use) -> None:
    use(database)
    [sources] = [frame.value for frame in open_page("imports").dataframe if "folder" in frame.value.columns]
    assert set(sources["file"]) == {"broken.ofc.jsonl", "empty.hh", "three.ofc.jsonl", "two.ofc.jsonl"}
    assert set(sources["folder"]) == {str(database.parent / "logs")}


def test_bankroll_says_what_the_command_line_says(database: Path, use: Use, ofc: Callable[..., Any]) -> None:
    use(database)
    page = open_page("variance", player=HERO, horizon="1000", bankroll="300")
    run = ofc("variance", "--player", HERO, "--horizon", 1000, "--bankroll", 300, "--json", "--db", database)
    assert run.code == 0, run.err
    [told] = json.loads(run.out)
    shown = {metric.label: metric.value for metric in page.metric}
    assert shown["Chance to lose 300 points"] == f"{told['risk'][0]:.1%}"
    assert shown["Bankroll for a chance of 5.0%"] == f"{told['needed'][0]:,.0f}"
    assert shown["The same chance by the formula"] == f"{told['formula']:.1%}"


@pytest.mark.full
def test_adapted_play_and_credit(database: Path, use: Use) -> None:
    use(database)
    page = open_page(
        "rules", baseline="pineapple", compare=["pineapple-aces"], adapted="true", credit="true", player=HERO
    )
    assert "tables of 3, agents of the kind fast" in captions(page)
    assert len(charts_of(page)) > 12

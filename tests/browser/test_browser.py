"""The dashboard in a real browser: every page is drawn, without an error, and asks nothing of other machines."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dashboard.commands import free_port
from dashboard.views import VIEWS
from tests.invented import NAMES, make_database

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1440,1000",
)
PATIENCE = 60  # seconds until a page must be there; the first one compiles

pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="needs chromium and chromedriver (Debian: chromium, chromium-driver)"
)


def is_up(base: str) -> bool:
    try:
        with urllib.request.urlopen(f"{base}/_stcore/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a dashboard over invented sessions, started as a user starts it, from a folder of no meaning."""
    folder = tmp_path_factory.mktemp("browser")
    database = make_database(folder)
    port = free_port(18_601)
    command = [sys.executable, "-c", "from dashboard.cli import main; main()"]
    command += ["dashboard", "--no-browser", "--port", str(port), "--db", str(database)]
    root = Path(__file__).resolve().parents[2]
    path = os.pathsep.join(filter(None, (str(root), os.environ.get("PYTHONPATH"))))
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            command, cwd=folder, stdout=log, stderr=log, env={**os.environ, "PYTHONPATH": path, "HOME": str(folder)}
        )
    address = f"http://localhost:{port}"
    try:
        end = time.monotonic() + PATIENCE
        while not is_up(address):
            assert server.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < end, (folder / "log").read_text()
            time.sleep(0.2)
        yield address
    finally:
        server.terminate()
        server.wait(20)


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


def wait_for_page(driver: Any, title: str) -> None:
    """Until the script has run and the page's title stands there."""
    ready = (
        "const app = document.querySelector('[data-testid=stApp]');"
        "return [app && app.getAttribute('data-test-script-state'), "
        "[...document.querySelectorAll('h1')].map(e => e.textContent).join('|')]"
    )
    end = time.monotonic() + PATIENCE
    while True:
        state, titles = driver.execute_script(ready)
        if state == "notRunning" and title in titles:
            # Charts are drawn after the script has ended.
            time.sleep(1)
            return
        assert time.monotonic() < end, f"expected the page {title!r}, got {titles!r} in state {state!r}"
        time.sleep(0.1)


def errors_on_page(driver: Any) -> list[str]:
    found = "[...document.querySelectorAll('[data-testid=stException], [data-testid=stAlertContentError]')]"
    texts: list[str] = driver.execute_script(f"return {found}.map(e => e.textContent)")
    return texts


def outside_requests(driver: Any, base: str) -> set[str]:
    urls = set()
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] in ("Network.requestWillBeSent", "Network.webSocketCreated"):
            urls.add(message["params"].get("url") or message["params"]["request"]["url"])
    own = (base, base.replace("http:", "ws:"), "data:", "blob:", "chrome:", "about:")
    return {url for url in urls if not url.startswith(own)}


def console_errors(driver: Any) -> list[str]:
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]


def test_every_page(driver: Any, base: str) -> None:
    driver.get(f"{base}/")
    wait_for_page(driver, "Overview")
    for path, title in [*((view.path, view.title) for view in VIEWS), ("rulebook", "Rule book")]:
        if path != VIEWS[0].path:
            driver.execute_script(f"document.querySelector('a[href*=\"/{path}\"]').click()")
            wait_for_page(driver, title)
        assert errors_on_page(driver) == [], title
        charts = driver.execute_script("return document.querySelectorAll('.js-plotly-plot .main-svg').length")
        assert (charts > 0) == (path not in ("imports", "luck", "rulebook")), title
    assert console_errors(driver) == []
    assert outside_requests(driver, base) == set()


def test_names_are_shown_as_they_are(driver: Any, base: str) -> None:
    query = "&".join(f"player={urllib.parse.quote(name)}" for name in NAMES)
    driver.get(f"{base}/?{query}")
    wait_for_page(driver, "Overview")
    text = driver.execute_script("return document.body.textContent")
    for name in NAMES:
        assert name in text
    assert driver.execute_script("return document.querySelectorAll('img[src*=invalid]').length") == 0
    assert outside_requests(driver, base) == set()


def test_filters_stay_from_page_to_page(driver: Any, base: str) -> None:
    driver.get(f"{base}/?tables=2")
    wait_for_page(driver, "Overview")
    driver.execute_script("document.querySelector('a[href*=\"/rates\"]').click()")
    wait_for_page(driver, "Rates")
    assert "with 2 players at the table" in driver.execute_script("return document.body.textContent")
    assert "tables=2" in driver.current_url


def rgb(text: str) -> tuple[float, ...]:
    return tuple(float(part) for part in re.findall(r"[\d.]+", text)[:3])


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_charts_are_readable_in_light_and_dark_and_on_a_phone(driver: Any, base: str, mode: str) -> None:
    feature = {"name": "prefers-color-scheme", "value": mode}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        driver.get(f"{base}/")
        wait_for_page(driver, "Overview")
        text, ground = driver.execute_script(
            "return [getComputedStyle(document.querySelector('.xtitle')).fill, "
            "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor]"
        )
        assert (sum(rgb(ground)) < 384) == (mode == "dark")
        assert abs(sum(rgb(text)) - sum(rgb(ground))) > 300, f"{text} on {ground}"
        width = driver.execute_script("return document.documentElement.scrollWidth")
        assert width <= 390, "expected nothing wider than the window"
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

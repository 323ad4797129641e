"""The streams of the pages: each is opened again after an HTTP error, and only a visible tab holds one."""

import itertools
import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Route
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from tests.benchmarks.browser import ARGUMENTS
from tests.console.conftest import chromium
from tests.console.hands import at_a_station
from tests.console.panel_table import simulated
from tests.console.test_console_pit import Pit
from tests.games import FORTUNE_8
from tests.station.screen import get_table

PATIENCE_SECONDS = 90.0
LOOK_SECONDS = 0.05
NOT_YET = {"code": -32000, "message": "Cannot find default execution context"}  # of a page that is being loaded
ENDPOINT = "DevTools listening on "


class Tab:
    """One tab, brought to the front when it is opened."""

    def __init__(self, window: "Window", address: str) -> None:
        self._window = window
        self._target = window.call("Target.createTarget", url=address)["targetId"]
        self._session = window.call("Target.attachToTarget", targetId=self._target, flatten=True)["sessionId"]

    def close(self) -> None:
        """Close this tab."""
        self._window.call("Target.closeTarget", targetId=self._target)

    def show(self) -> None:
        """Bring this tab to the front; every other one is hidden."""
        self._window.call("Target.activateTarget", targetId=self._target)

    def evaluate(self, expression: str) -> Any:
        """The value of an expression on this page; None while there is none yet."""
        found = self._window.call("Runtime.evaluate", self._session, expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value") if found else None

    def see(self, condition: str) -> None:
        """Wait until this holds on the page."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self.evaluate(condition):
            assert time.monotonic() < deadline, condition
            time.sleep(LOOK_SECONDS)

    def tap(self, selector: str) -> None:
        """Press and release the mouse in the middle of the first of these."""
        box = self.evaluate(f"document.querySelector({json.dumps(selector)}).getBoundingClientRect().toJSON()")
        place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "button": "left", "clickCount": 1}
        for kind in ("mousePressed", "mouseReleased"):
            self._window.call("Input.dispatchMouseEvent", self._session, type=kind, **place)


class Window:
    """A browser window, over Chrome's DevTools protocol."""

    def __init__(self, browser: Connection) -> None:
        self._browser = browser
        self._numbers = itertools.count(1)

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """The result of one command; empty where a page is not there yet."""
        number = next(self._numbers)
        asked = {"id": number, "method": method, "params": parameters, **({"sessionId": session} if session else {})}
        self._browser.send(json.dumps(asked))
        while True:
            answer = json.loads(self._browser.recv(PATIENCE_SECONDS))
            if answer.get("id") == number:
                assert answer.get("error", NOT_YET) == NOT_YET, answer
                result: dict[str, Any] = answer.get("result", {})
                return result


@contextmanager
def window(profile: Path) -> Iterator[Window]:
    """A window whose browser ends with the body."""
    options = ["--headless=new", "--remote-debugging-port=0", f"--user-data-dir={profile}", *ARGUMENTS, "about:blank"]
    browser = subprocess.Popen([chromium(), *options], stderr=subprocess.PIPE, text=True)
    assert browser.stderr is not None
    try:
        endpoint = next(line.partition(ENDPOINT)[2].strip() for line in browser.stderr if ENDPOINT in line)
        with connect(endpoint, max_size=None, open_timeout=PATIENCE_SECONDS, ping_interval=None) as connection:
            yield Window(connection)
    finally:
        browser.terminate()
        browser.stderr.close()
        browser.wait(PATIENCE_SECONDS)


TABS = 7  # a browser opens at most six connections to one origin
# What shows that a page has a message of its stream, where it has none when it begins; its stream.
PAGES = {
    "console": (".console[data-link=live]", "/stream"),
    "display": ("main[data-stage]", "/display/stream"),
    "panel": ("body[data-round]", "/stream"),
    "seat": ("#seats .seat", "/play/3/stream"),
    "pit": (".pit[data-link=live] .shape", "/tables/stream"),
}

SIMILAR = ("display", "panel")  # they follow their streams by the same script as the console, and the seat


@pytest.fixture(scope="module")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The address of every page that has a stream: a simulated table plays, and a pit sees two tables."""
    folder = tmp_path_factory.mktemp("pages")
    options = ("--play", "3", "--speed", "human", "--seed", "3")
    with (
        simulated(folder, *options) as table,
        Pit(tmp_path_factory.mktemp("pit"), asks=False).served() as pit,
    ):
        console = f"http://127.0.0.1:{table.setting.port}"
        yield {
            "console": f"{console}/", "display": f"{console}/display", "panel": f"{table.panel}/",
            "seat": f"{table.panel}/play", "pit": f"http://127.0.0.1:{pit.port}/",
        }  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_its_stream_again_after_an_http_error(
    browser: Browser, addresses: dict[str, str], name: str
) -> None:
    shown, stream = PAGES[name]
    page, asked, wrong = browser.new_page(), list[str](), list[str]()
    page.on("pageerror", lambda error: wrong.append(str(error)))

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.fulfill(status=503, body="busy")
        else:
            route.continue_()

    page.route(urljoin(addresses[name], stream), answer)
    page.goto(addresses[name])
    page.wait_for_selector(shown, state="attached")
    assert len(asked) == 2 and wrong == []
    page.close()


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    """A browser with windows."""
    with window(tmp_path_factory.mktemp("profile")) as seen:
        yield seen


def test_a_tap_in_the_visible_one_of_many_tabs_is_sent_and_another_shows_the_table_when_it_is_looked_at(
    seen: Window, tmp_path: Path
) -> None:
    with at_a_station(tmp_path / "table", FORTUNE_8, "shoe") as (hands, daemon):
        tabs = [Tab(seen, f"http://127.0.0.1:{hands.port}/") for _ in range(TABS)]
        for tab in (tabs[-1], tabs[0]):
            tab.show()
            tab.see("document.querySelector('[data-link=live]') !== null")
        for tab in tabs[1:]:
            tab.see("document.visibilityState === 'hidden'")
        assert [tab.evaluate("document.visibilityState") for tab in tabs] == ["visible"] + ["hidden"] * (TABS - 1)
        tabs[0].tap("[data-kind=open_table]")
        tabs[0].see("document.querySelector('[data-step-kind=begin]') !== null")
        assert get_table(daemon.address)["step"]["kind"] == "begin"
        tabs[-1].show()
        tabs[-1].see("document.querySelector('[data-step-kind=begin]') !== null")
        for tab in tabs:
            tab.close()


@pytest.mark.parametrize("name", ["seat", "pit", *(pytest.param(name, marks=pytest.mark.soak) for name in SIMILAR)])
def test_one_tab_more_of_another_page_than_the_browser_has_connections_is_answered(
    seen: Window, addresses: dict[str, str], name: str
) -> None:
    tabs = [Tab(seen, addresses[name]) for _ in range(TABS)]
    for tab in (tabs[-1], tabs[0]):
        tab.show()
        tab.see(f"document.querySelector('{PAGES[name][0]}') !== null")
    for tab in tabs:
        tab.close()

"""The streams of the pages: each is opened again after an HTTP error, and only a visible page holds one."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Route

from tests.console.hands import at_a_station
from tests.console.simulated import simulated
from tests.console.tabs import Tab, Window, window
from tests.console.test_console_pit import Pit
from tests.games import FORTUNE_8
from tests.station.screen import get_table

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

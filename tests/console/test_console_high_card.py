"""A game that the tests bring along, in the browser: its felt, its display, its panel, and a person at a seat of it."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from simulators.games import GAMES
from simulators.station_toml import TOML, read_setting
from tests.console.tapping import WIDE
from tests.console.test_console_panel import TOO_WIDE
from tests.high_card.table import HighCardTable
from tests.station.processes import Bench, Daemon, ended_at_last

SEAT = 2
# What is on the felt is kept, however short a fast table shows it.
KEEP = """() => {
  window.seen = { open: 0, nets: [] };
  new MutationObserver(() => {
    const felt = document.querySelector(".felt.highcard");
    window.seen.open = Math.max(window.seen.open, felt.querySelectorAll(".card:not(.down)").length);
    window.seen.nets.push(...[...felt.querySelectorAll(".net")].map((net) => net.textContent));
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def opened(browser: Browser, address: str, complaints: list[str]) -> Page:
    page = browser.new_page(viewport={"width": WIDE["width"], "height": WIDE["height"]}, locale="en-GB")
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    return page


def test_every_page_shows_a_game_from_elsewhere_as_it_shows_its_own(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, HighCardTable.id, played := HighCardTable())
    options = ("--game", "high-card", "--play", str(SEAT), "--speed", "5", "--seed", "3")
    bench = Bench(tmp_path, *options, program="tests.high_card.bench")
    with ended_at_last(bench):
        bench.wait_ready()
        setting = read_setting(tmp_path / TOML)
        daemon = Daemon(tmp_path / TOML, (setting.host, setting.port), program="tests.high_card.station")
        with ended_at_last(daemon):
            daemon.start()
            daemon.wait_answering()
            complaints: list[str] = []
            station, bench_address = f"http://{setting.host}:{setting.port}", f"http://127.0.0.1:{setting.panel}"
            console = opened(browser, station, complaints)
            console.wait_for_selector('.felt.highcard [data-space="1/high"]')
            assert console.locator(".felt [data-seat]").count() == played.default_seats
            assert console.inner_text('[data-space="1/high"] .label') == "High"
            assert console.evaluate(TOO_WIDE) == []
            console.evaluate(KEEP)

            display = opened(browser, f"{station}/display?language=pt", complaints)
            display.wait_for_selector("header h1")
            assert display.inner_text("header h1") == "Carta Alta"
            assert display.inner_text(".offer tbody th") == "Alta"

            panel = opened(browser, bench_address, complaints)
            panel.wait_for_selector(".fault")
            named = {
                str(button.get_attribute("data-fault")).partition(":")[0] for button in panel.locator(".fault").all()
            }
            assert named == {"shoe", "deck", "dealer"}

            play = opened(browser, f"{bench_address}/play", complaints)
            play.wait_for_selector("#asked [data-kind=bets]")
            assert play.inner_text("#title") == f"Seat {SEAT}\nHigh Card"
            play.click("[data-key=chip-10000]")
            play.click("#asked [data-key=high]")
            play.click("[data-key=answer]")
            play.wait_for_selector("#result tbody tr")
            play.wait_for_selector("#asked [data-kind=bets]")
            assert play.inner_text("#result tbody th") == "High"
            assert play.locator("#result tbody tr").count() == 1
            came = play.inner_text("#result tfoot td")
            console.wait_for_function("came => window.seen.nets.includes(came)", arg=came)
            assert console.evaluate("() => window.seen.open") > 2
            assert not complaints
            for page in (console, display, panel, play):
                page.close()

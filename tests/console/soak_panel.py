"""The simulator's panel beside the console: what is pressed there is seen here, and comes to its end."""

from pathlib import Path

from playwright.sync_api import Browser

from simulators.devices.sign_dots import frames
from simulators.devices.sign_text import HOLD, RED, Page, Run
from tests.console.panel_table import PanelTable, with_panel

OF_REPORTS = ("corrupt", "lost", "doubled", "unreadable", "overdraw", "cut_card")  # strike when the shoe is drawn from
CHIP_STEPS = ("wagers", "deal", "decisions", "reveal")
# What can be read on the sign, and its dots as they are on the screen: lit where the middle of one is bright.
SIGN = """() => {
  const canvas = document.querySelector("canvas");
  const side = canvas.height / 7;
  const lit = (row, column) => {
    const [red, green] = canvas.getContext("2d").getImageData((column + 0.5) * side, (row + 0.5) * side, 1, 1).data;
    return red > 100 || green > 100;
  };
  const columns = [...Array(canvas.width / side).keys()];
  const rows = [...Array(7).keys()].map((row) => columns.map((column) => (lit(row, column) ? "r" : ".")).join(""));
  return [document.querySelector("#readable").textContent, rows];
}"""


def read_sign(table: PanelTable) -> tuple[str, list[str]]:
    """Text and dots, which must be those of one of its frames."""
    text, rows = table.panel.evaluate(SIGN)
    pages = [Page(HOLD, [Run(page, RED)]) for page in text.split(" | ")]
    assert rows in [list(frame.rows) for frame in frames(pages)]
    return text, rows


def test_the_dealer_stops_and_continues_chips_fall_and_the_sign_follows_the_pot(
    browser: Browser, tmp_path: Path
) -> None:
    with with_panel(browser, tmp_path, "--source", "shoe") as table:
        panel = table.panel
        assert "SIMULATION" in panel.inner_text(".mark") and panel.title().startswith("SIMULATION")
        table.struck(table.press(*(f"shoe:{kind}" for kind in OF_REPORTS)), *(f"shoe:{kind}" for kind in OF_REPORTS))
        table.play_on()
        text, dots = pause(table)
        stopped = still(table)
        panel.wait_for_timeout(500)  # five rounds
        assert (table.round, table.step) == stopped

        panel.click("#pause")
        table.see("text => document.querySelector('#readable').textContent !== text", text)
        table.play_on()
        later, other_dots = pause(table)
        assert later != text and other_dots != dots

        while table.step[1] not in CHIP_STEPS:
            panel.click("#pause")
            pause(table)
        chip = panel.locator("#chips button:not(.on)").first.get_attribute("data-seat")
        panel.click(f"#chips [data-seat='{chip}']")
        table.see("seat => document.querySelector(`#chips [data-seat='${seat}']`).classList.contains('on')", chip)
        panel.click("#pause")
        table.play_on()
        table.play_on()


def pause(table: PanelTable) -> tuple[str, list[str]]:
    """The dealer pauses, and what he had in hand is done; what the sign shows then."""
    table.panel.click("#pause")
    table.see("() => document.querySelector('#rest').textContent")
    still(table)
    return read_sign(table)


def still(table: PanelTable) -> tuple[int, tuple[str, str]]:
    """Round and step, once the station has received all that the dealer did."""
    seen = table.round, table.step
    while True:
        table.panel.wait_for_timeout(200)
        before, seen = seen, (table.round, table.step)
        if seen == before:
            return seen

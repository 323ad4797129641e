"""A simulated table with its station, played by the robot dealer: the console on one page, the panel on another."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, ConsoleMessage, Page
from playwright.sync_api import TimeoutError as PageTimeout

from simulators.setting import Setting
from simulators.station_toml import TOML, read_setting
from tests.console.tapping import LOOK_MS, Tapping
from tests.station.processes import Bench, Daemon, ended_at_last, patiently
from tests.station.screen import get_table


class Simulated(NamedTuple):
    """The two processes, and what the table is set to; `panel` is the address of the simulator's pages, if any."""

    bench: Bench
    station: Daemon
    setting: Setting

    @property
    def panel(self) -> str:
        return f"http://127.0.0.1:{self.setting.panel}"


@contextmanager
def simulated(folder: Path, *options: str) -> Iterator[Simulated]:
    """A table of the simulator with these options, once its station answers."""
    bench = Bench(folder, *options)
    with ended_at_last(bench):
        bench.wait_ready()
        setting = read_setting(folder / TOML)
        station = Daemon(folder / TOML, (setting.host, setting.port))
        with ended_at_last(station):
            station.start()
            station.wait_answering()
            yield Simulated(bench, station, setting)


PATIENCE_SECONDS = 90.0  # a jam in the deal is cleared when the round is over, and acknowledged before the next
TABS = 60
LOGGED_MS = 10_000  # the log is asked for again when the alarms have changed
# What is among the alarms and beside the felt is kept, however short: a robot repairs faster than a test looks.
KEEP = """() => {
  window.seen = [];
  const lines = ".alarms li, .prompt .next, .prompt .notice-list li";
  const look = () => window.seen.push(...[...document.querySelectorAll(lines)].map((line) => line.textContent));
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


class PanelTable:
    """`console` shows the alarms' sheet; `panel` is the panel's page, `complaints` what its console reported."""

    def __init__(self, browser: Browser, console: Tapping, address: tuple[str, int]) -> None:
        self._browser = browser
        self.console = console
        self._address = address
        self.complaints: list[str] = []
        with console.page.expect_popup() as opened:
            console.tap("header .simulation")
        self.panel: Page = opened.value
        self.panel.on("console", self._complained)
        self.panel.wait_for_selector(".fault")
        self.see("() => document.body.dataset.round !== undefined")
        console.tap("[data-sheet=alarms]")
        console.page.evaluate(KEEP)

    def _complained(self, message: ConsoleMessage) -> None:
        if not message.text.startswith("Canvas2D: Multiple readback"):  # which the tests do, not the page
            self.complaints.append(message.text)

    def another_screen(self) -> Tapping:
        """A second console of the same table."""
        return Tapping(self._browser, self._address[1])

    def see(self, condition: str, argument: object = None) -> None:
        """Wait until this holds on the panel."""
        self.panel.wait_for_function(condition, arg=argument, polling=LOOK_MS)

    @property
    def round(self) -> int:
        """The round the panel shows."""
        return int(str(self.panel.locator("body").get_attribute("data-round")))

    @property
    def step(self) -> tuple[str, str]:
        """The step the station is at, and its kind, asked of itself: a page may lag behind."""
        step = get_table(self._address)["step"]
        return str(step["id"]), str(step["kind"])

    @property
    def hits(self) -> list[int]:
        """The seats that have hit the jackpot."""
        return [int(hit["seat"]) for hit in get_table(self._address)["jackpot"]["hits"]]

    def play_on(self) -> None:
        """Wait until another round is on."""
        was = self.round
        self.see("was => Number(document.body.dataset.round) > was", was)

    def keyboard_reaches(self, *selectors: str) -> None:
        """With the tabulator alone the focus comes to each of these, and is seen there."""
        self.panel.evaluate("() => document.activeElement.blur()")
        wanted = set(selectors)
        for _ in range(TABS):
            self.panel.keyboard.press("Tab")
            reached = self.panel.evaluate(
                """selectors => {
                  const at = document.activeElement;
                  return getComputedStyle(at).outlineStyle === "none" ? [] : selectors.filter((css) => at.matches(css));
                }""",
                list(wanted),
            )
            wanted -= set(reached)
            if not wanted:
                return
        raise AssertionError(f"the tabulator does not come to {wanted}")

    @property
    def offered(self) -> list[str]:
        """Every fault that has a button, in their order."""
        return [
            str(named) for named in self.panel.locator(".fault").evaluate_all("all => all.map(x => x.dataset.fault)")
        ]

    def press(self, *faults: str) -> int:
        """Press the buttons of these; the number of the last thing that had happened before."""
        before = self.panel.evaluate("() => document.querySelector('#happened li')?.value ?? 0")
        for fault in faults:
            with self.panel.expect_response("**/fault") as answer:
                self.panel.locator(f"[data-fault='{fault}'] button").first.click()
            assert answer.value.ok, f"{fault}: {answer.value.text()}"
        return int(before)

    def struck(self, before: int, *named: str) -> None:
        """Wait until these have happened since."""
        self.see(
            """([before, named]) => {
              const since = [...document.querySelectorAll("#happened li")].filter((line) => line.value > before);
              return named.every((what) => since.some((line) => line.dataset.what === what));
            }""",
            [before, list(named)],
        )

    def console_showed(self, seconds: float, *words: str) -> bool:
        """Whether any of these were on the console since it was calm, or come to be there so soon."""
        try:
            self.console.page.wait_for_function(
                "any => window.seen.some((text) => any.some((words) => text.includes(words)))",
                arg=words,
                timeout=seconds * 1000,
            )
        except PageTimeout:
            return False
        return True

    def is_logged(self, words: str) -> bool:
        """Whether the last alarm with these words comes to be in the log, with its end and who acknowledged it."""
        last = self.console.page.locator("dialog .log tbody tr", has_text=words).first
        try:
            last.locator("td:nth-child(4)", has_text="·").wait_for(timeout=LOGGED_MS)
        except PageTimeout:
            return False
        return "–" not in last.locator("td").all_inner_texts()

    def end(self, fault: str) -> None:
        """End what lasts by its button, if it lasts; nothing of it is any more."""
        button = self.panel.locator(f"[data-fault='{fault}'] .end")
        if button.count() and button.is_visible():
            with suppress(PageTimeout):  # the dealer has repaired it meanwhile
                button.click(timeout=1000)
            button.wait_for(state="hidden")

    def calm(self) -> None:
        """Wait until no alarm is active or waits to be acknowledged, and forget those that did."""
        patiently(lambda: not self._alarms(), PATIENCE_SECONDS, f"the end of {self._alarms()}")
        self.console.page.evaluate("() => (window.seen = [])")

    def _alarms(self) -> list[str]:
        return self.console.page.locator(".alarms li").all_inner_texts()


@contextmanager
def with_panel(browser: Browser, directory: Path, *options: str) -> Iterator[PanelTable]:
    """The table at full speed; at last nothing was complained of, and the bench still plays."""
    with simulated(directory, "--panel", "--speed", "max", *options) as simulation:
        console = Tapping(browser, simulation.setting.port)
        try:
            table = PanelTable(browser, console, simulation.station.address)
            yield table
            assert not simulation.bench.failed, simulation.bench.complaints.read_text()
            assert not table.complaints, table.complaints
        finally:
            console.close()

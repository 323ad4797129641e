"""The browser a bench looks at the console with: Debian's chromium through playwright, and its clock beside ours.

The page's `performance.now()` counts CLOCK_MONOTONIC from a beginning of its own. Asked for it, the page answers
between two moments of this process; each answer bounds where its zero is, and all of them together bound it best.
"""

import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from controller.commands.bench_table import BenchFailed

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

PAGE_SCRIPT = Path(__file__).with_name("page.js")
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
WIDTH, HEIGHT = 1280, 800
PATIENCE_SECONDS = 20.0
TICK_MS = 0.1  # to which performance.now() is rounded, up or down, in a page that is not isolated
PAINT_TICK_MS = 4  # up to which the moment of a presentation is rounded in such a page
NANOSECONDS = 1_000_000  # in a millisecond
SHOWS_ANYTHING = "() => bench.shows(0) && performance.getEntriesByName('first-contentful-paint').length"
LOADED = "() => [performance.getEntriesByName('first-contentful-paint')[0].startTime, bench.taken().draws[0]]"


@dataclass(frozen=True)
class Load:
    """One cold load of the page, in nanoseconds from the navigation's start."""

    first_paint: int
    drawn: int
    shown: int


@dataclass(frozen=True)
class Draw:
    """A version of the table as the page drew it and the screen showed it, in milliseconds of the page's clock."""

    version: int
    cards: int
    drawn: float
    shown: float


@dataclass(frozen=True)
class Marks:
    """What a page reported itself: when it received each version, and its draws, in milliseconds of its clock."""

    received: dict[int, float]
    draws: list[Draw]

    def draw_of(self, version: int) -> Draw:
        """The first draw that shows this version, or a later one where two came together."""
        return next(draw for draw in self.draws if draw.version >= version)

    def shown_at(self, version: int) -> float:
        """When the page received this version, or a later one where the stream left it out."""
        return self.received[min(seen for seen in self.received if seen >= version)]


class PageClock:
    """Where the zero of a page's clock is on ours."""

    def __init__(self) -> None:
        self._earliest: float | None = None
        self._latest: float | None = None

    def answered(self, asked: int, now_ms: float, received: int) -> None:
        """The page reported `now_ms` between these two moments. Raises BenchFailed where that cannot be."""
        earliest, latest = asked - (now_ms + TICK_MS) * NANOSECONDS, received - (now_ms - TICK_MS) * NANOSECONDS
        self._earliest = earliest if self._earliest is None else max(self._earliest, earliest)
        self._latest = latest if self._latest is None else min(self._latest, latest)
        if self._earliest > self._latest:
            raise BenchFailed("the browser's clock does not go as CLOCK_MONOTONIC does; its times mean nothing here")

    def moment(self, page_ms: float) -> int:
        """A moment of the page on our clock, in nanoseconds; wrong by at most `bound_ms`."""
        assert self._earliest is not None and self._latest is not None
        return round((self._earliest + self._latest) / 2 + page_ms * NANOSECONDS)

    @property
    def bound_ms(self) -> float:
        """Half of what the answers leave open."""
        assert self._earliest is not None and self._latest is not None
        return (self._latest - self._earliest) / 2 / NANOSECONDS


class Screen:
    """The console on a screen that stays open."""

    def __init__(self, page: "Page") -> None:
        self._page = page
        self.clock = PageClock()

    def ask_clock(self, times: int) -> None:
        """Bound the page's clock by so many answers."""
        for _ in range(times):
            asked = time.monotonic_ns()
            now_ms = float(self._page.evaluate("performance.now()"))
            self.clock.answered(asked, now_ms, time.monotonic_ns())

    def marks(self, version: int) -> Marks:
        """Wait until the screen shows this version; what the page noted since the last time."""
        self._page.wait_for_function("version => bench.shows(version)", arg=version)
        taken = self._page.evaluate("bench.taken()")
        received = {int(number): float(at) for number, at in taken["received"].items()}
        return Marks(received=received, draws=[Draw(**draw) for draw in taken["draws"]])


class Chromium:
    """A running browser."""

    def __init__(self, browser: "Browser") -> None:
        self._browser = browser

    @property
    def version(self) -> str:
        """As the browser says it."""
        return self._browser.version

    def load(self, address: str) -> Load:
        """Load the page with nothing kept from before, until it shows the table."""
        with self._context() as context:
            page = context.new_page()
            page.goto(address)
            page.wait_for_function(SHOWS_ANYTHING)
            first_paint, draw = page.evaluate(LOADED)
        times = [round(at * NANOSECONDS) for at in (first_paint, draw["drawn"], draw["shown"])]
        return Load(*times)

    @contextmanager
    def screen(self, address: str) -> Iterator[Screen]:
        """The page, loaded and showing the table."""
        with self._context() as context:
            page = context.new_page()
            page.goto(address)
            screen = Screen(page)
            screen.marks(0)
            yield screen

    @contextmanager
    def _context(self) -> "Iterator[BrowserContext]":
        # A context has a cache of its own, which is empty.
        context = self._browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, locale="en-GB")
        context.set_default_timeout(PATIENCE_SECONDS * 1000)
        context.add_init_script(path=PAGE_SCRIPT)
        try:
            yield context
        finally:
            context.close()


def _refuse_broken(driver: str) -> None:
    """Where the driver, a Node.js that playwright brings along, does not start, playwright itself does not say why."""
    try:
        done = subprocess.run([driver, "--version"], capture_output=True, text=True, check=False)
    except OSError as error:
        raise BenchFailed(f"playwright's driver does not start: {error}") from None
    if done.returncode == 0:
        return
    if lacks := re.search(r"loading shared libraries: (\S*libatomic\S+):", done.stderr):
        raise BenchFailed(f'playwright\'s driver needs {lacks[1]}: "apt-get install libatomic1" as root')
    text = done.stderr.strip() or f"exit code {done.returncode}"
    raise BenchFailed(f"playwright's driver does not start: {text.splitlines()[0]}")


@contextmanager
def running_chromium() -> Iterator[Chromium]:
    """A browser for a bench. Raises BenchFailed, which says what to install where it is missing."""
    program = shutil.which("chromium")
    if program is None:
        raise BenchFailed('no chromium on this machine: "apt-get install chromium" as root')
    try:
        from playwright._impl._driver import compute_driver_executable
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        raise BenchFailed(
            "no playwright in this Python, which drives the browser: it is a development dependency, "
            '"make .venv/.ready" installs it'
        ) from None
    try:
        _refuse_broken(compute_driver_executable()[0])
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
            yield Chromium(browser)
            browser.close()
    except Error as error:
        raise BenchFailed(f"the browser: {error.message.splitlines()[0]}") from None

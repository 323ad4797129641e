"""Every game's screens, in every language, at both sizes; `sheets` is what is over the felt, in English."""

import argparse
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser

from controller.words import SPOKEN
from tests.console.conftest import running_browser
from tests.console.displayed import displayed, stages_of
from tests.console.gates import PINS, keep_pins
from tests.console.hands import Hands, at_a_table
from tests.console.panel_table import simulated
from tests.console.tapping import PHONE, WIDE, Dealer, Tapping
from tests.console.test_console_pit import ALARM, MANY, floor_of
from tests.games import BLACKJACK_21, FORTUNE_3_2008, FORTUNE_3_2025, FORTUNE_8, TAIWAN_PAI_KAO
from tests.pit.broadcasting import retained
from tests.station.processes import Daemon, Mosquitto, ended_at_last

FOLDER = Path(__file__).parent / "screenshots"
SIZES = {"table": WIDE, "phone": PHONE}


@dataclass(frozen=True)
class Scene:
    """A round of one game, and the steps at which it is looked at; at the last one in every language."""

    game: str
    source: str
    stack: str
    bets: tuple[str, ...]
    steps: tuple[str, ...]
    chips: tuple[int, ...] = ()


SCENES = (
    Scene(
        FORTUNE_3_2025, "shuffler", "Ks Kd 4h 9s 8s 7s Jc 6d 2h Qh Qd 5c 3h Tc 6s 5s",
        ("1/ante", "1/pair_plus", "3/ante", "3/pair_plus", "3/pair_plus", "6/ante", "6/six_card_bonus"),
        ("wagers", "decisions", "confirm"), chips=(1, 3),
    ),
    Scene(
        FORTUNE_3_2008, "shoe", "Ah Td 9c Qs Kd Jd 9h 4s Kc 3d 9s 7d",
        ("1/ante", "4/ante", "4/pair_plus", "7/pair_plus"), ("wagers", "decisions", "confirm"),
    ),
    Scene(
        FORTUNE_8, "shoe", "8d 2c Kh 5s 8c Ad 7h",
        ("1/eight", "1/low", "3/high", "3/high", "@A", "5/eight", "@B", "6/low", "7/high"), ("wagers", "confirm"),
    ),
    Scene(
        BLACKJACK_21, "shoe", "2c 8s Th Ad 6d 8h 9c Kd Td 3s Ts 2h 9d 4c",
        ("1/bet", "3/bet", "5/bet", "@B", "1/backing"), ("wagers", "ask", "confirm"),
    ),
    Scene(
        TAIWAN_PAI_KAO, "shoe", "6-6 5-4 1-1 6-2 4-2 2-1 6-5 6-4 5-5 5-5 4-4 3-3 6-1 5-1 3-1 2-2",
        ("2/place", "3/place", "3/place", "6/place", "@B", "3/place", "8/place", "@C", "1/place"),
        ("wagers", "dice", "reveal", "confirm"),
    ),
)  # fmt: skip


SHEETS, DISPLAY, PIT, SIMULATOR = "sheets", "display", "pit", "simulator"
# The players' display: game, stage, language, size.
DISPLAYED = (
    (FORTUNE_3_2025, "bets", "en", (1920, 1080)),
    (FORTUNE_3_2025, "result", "zh", (1920, 1080)),
    (FORTUNE_3_2025, "result", "pt", (1080, 1920)),
    (FORTUNE_8, "bets", "zh", (1920, 1080)),
    (BLACKJACK_21, "result", "en", (1920, 1080)),
    (TAIWAN_PAI_KAO, "result", "pt", (1920, 1080)),
)
# Seat 1, seat 4, the bank, then one for the rack and the community: a straight flush at seat 1.
HIT = Scene(
    FORTUNE_3_2025, "shuffler", "9s 8s 7s 2c 2d Kh Qd 5c 3h 4c 6s 5s",
    ("1/ante", "4/ante", "4/pair_plus", "4/six_card_bonus"), ("claims",), chips=(1, 4),
)  # fmt: skip
LATER_ROUNDS = (("2/ante", "3/ante", "3/pair_plus"), ("1/ante", "4/ante", "4/pair_plus", "4/six_card_bonus"))
PROPOSED = (("increment_bp = 7000", "increment_bp = 6550"), ("\nflush = 25000", "\nflush = 30000"))
Taking = Callable[[Tapping, str], None]
"""What is done with a screen that is looked at, and its name."""

COLOURS = 256  # a screen has few more: its picture is half as large


def main(folder: Path, game: str | None = None) -> None:
    """Make them all again in `folder`, or those of one game."""
    if game is None:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    for scene in SCENES:
        if game not in (None, scene.game):
            continue
        with tempfile.TemporaryDirectory() as place, running_table(scene, Path(place)) as table:
            _look_at(scene, table, folder)
    if game in (None, SHEETS):
        with tempfile.TemporaryDirectory() as place, running_table(HIT, Path(place)) as table:
            look_at_sheets(table, lambda screen, name: _take(screen, folder / f"{SHEETS}-{name}-en-table.png"))
    if game in (None, DISPLAY):
        look_at_display(folder)
    if game in (None, PIT):
        look_at_pit(folder)
    if game in (None, SIMULATOR):
        look_at_simulator(folder)


def look_at_pit(folder: Path) -> None:
    """The floor plan of sixty tables, two of which need someone."""
    with (
        running_browser() as browser,
        tempfile.TemporaryDirectory() as place,
        floor_of(browser, Path(place), MANY) as (pit, page),
    ):
        pit.connect()
        for number in range(1, MANY + 1):
            won = (number * 7_919_000 % 39_000_000) - 9_000_000
            pit.receive(f"t-{number}", "statistics", retained("statistics", win=won, round_count=number))
        for number in (3, 28):
            pit.receive(f"t-{number}", "state", retained("state", open=True, alarms=[ALARM]))
        page.wait_for_selector("[data-first=t-28]")
        _save(page.screenshot(), folder / f"{PIT}-floor-en.png")


def look_at_simulator(folder: Path) -> None:
    """The first page, the panel with a pulled cable, and a seat at which a person decides, in every language."""
    with tempfile.TemporaryDirectory() as place:
        options = ("--play", "3", "--speed", "max", "--seed", "3")
        with simulated(Path(place), *options) as table, running_browser() as browser:
            _look_at_seat_and_panel(browser, table.panel, folder)


def _look_at_seat_and_panel(browser: Browser, address: str, folder: Path) -> None:
    pages = [
        browser.new_page(viewport={"width": size["width"], "height": size["height"]}, reduced_motion="reduce")
        for size in (PHONE, WIDE, WIDE)
    ]
    seat, panel, start = pages
    for page, path in zip(pages, ("play", "", "start"), strict=True):
        page.goto(f"{address}/{path}")
    seat.wait_for_selector("#asked [data-kind=bets]")
    seat.click("#asked [data-key=ante]")
    seat.click("#asked [data-key=answer]")
    seat.wait_for_selector("#asked [data-kind=decide]")
    panel.click("[data-part='slots:unplug']")
    panel.wait_for_selector("[data-part='slots:unplug'][aria-pressed=true]")
    for language in SPOKEN:
        seat.click(f"#languages [lang={language}]")
        start.click(f"#languages [lang={language}]")
        panel.click(f"[data-language={language}]")
        for page, name in zip(pages, ("seat", "panel", "start"), strict=True):
            _save(page.screenshot(), folder / f"{SIMULATOR}-{name}-{language}.png")


def look_at_display(folder: Path) -> None:
    """The players' display of tables that were played in memory, at rest."""
    with running_browser() as browser:
        for game, stage, language, size in DISPLAYED:
            shown = stages_of(game)[stage]
            shown["past"] = None if game == FORTUNE_3_2025 else shown["past"]  # 18.º 1
            with displayed(browser, shown, size, language, still=True) as page:
                upright = "" if size[0] > size[1] else "-portrait"
                _save(page.screenshot(), folder / f"{DISPLAY}-{game}-{stage}-{language}{upright}.png")


@dataclass(frozen=True)
class Table:
    """A station, what it hangs on, and its screens by their size's name."""

    hands: Hands
    broker: Mosquitto
    daemon: Daemon
    screens: dict[str, Tapping]

    def start_again(self, *changes: tuple[str, str]) -> None:
        """Kill the station and start it with these changes of its configuration."""
        self.daemon.kill()
        text = self.hands.config.read_text(encoding="utf-8")
        for before, after in changes:
            assert before in text, before
            text = text.replace(before, after)
        self.hands.config.write_text(text, encoding="utf-8")
        self.daemon.start()
        self.daemon.wait_answering()


@contextmanager
def running_table(scene: Scene, place: Path) -> Iterator[Table]:
    """A table at which a scene can be played, with a screen of each size."""
    broker = Mosquitto(place / "broker")
    with (
        ended_at_last(broker),
        at_a_table(place / "table", scene.game, scene.source, scene.stack, broker.url) as hands,
    ):
        broker.start()
        daemon = Daemon(hands.config, ("127.0.0.1", hands.port))
        with ended_at_last(daemon):
            daemon.start()
            daemon.wait_answering()
            with running_browser() as browser:
                screens = {name: Tapping(browser, hands.port, size) for name, size in SIZES.items()}
                yield Table(hands, broker, daemon, screens)
                for screen in screens.values():
                    # A browser reports the outages above, and of nothing else.
                    screen.complaints = [text for text in screen.complaints if "ERR_" not in text]
                    screen.close()


def betting(scene: Scene, table: Table, dealing: type[Dealer] = Dealer) -> Dealer:
    """The bets of a scene are there."""
    wide = table.screens["table"]
    dealer = dealing(wide, hands=table.hands, by_machine=scene.source == "shuffler")
    dealer.to("shuffle", "wagers")
    if scene.source == "shoe":
        table.hands.load_shoe()
    dealer.to("wagers")
    for bet in scene.bets:
        if bet.startswith("@"):
            wide.tap(f".players button:text-is('{bet[1:]}')")
        else:
            wide.place_bet(bet)
    for seat in scene.chips:
        table.hands.chip(seat)
    return dealer


def _look_at(scene: Scene, table: Table, folder: Path) -> None:
    wide = table.screens["table"]
    dealer = betting(scene, table)
    for step in scene.steps:
        dealer.to(step)
        while step == "ask" and not wide.has("[data-kind=decide-hit]"):
            dealer.proceed()
        for language in SPOKEN if step == scene.steps[-1] else ("en",):
            for name, screen in table.screens.items():
                screen.tap(f"[data-language={language}]")
                screen.see("step => document.querySelector('[data-step]').dataset.step === step", wide.step)
                _take(screen, folder / f"{scene.game}-{step}-{language}-{name}.png")
        wide.tap("[data-language=en]")


def look_at_sheets(table: Table, take: Taking) -> None:
    """What is over the felt of a table of 2025, from a hit to a log-in, in English on the table."""
    wide = table.screens["table"]
    dealer = betting(HIT, table)
    dealer.to("claims")
    wide.see("() => document.querySelector('[data-sheet=jackpot] .badge')")
    table.start_again(*PROPOSED)
    wide.see("() => document.querySelector('[data-sheet=jackpot] .badge')?.innerText.startsWith('2')")
    _open_and_take(wide, "jackpot", take)
    wide.tap("[data-sheet=jackpot]")
    wide.tap("dialog [data-sign^='hit/']")
    wide.tap("dialog [data-sign-done]")
    wide.page.wait_for_selector("[data-slip-of]")
    wide.tap("[data-slip-of]")
    wide.page.wait_for_selector(".slip .signatures")
    take(wide, "slip")
    wide.tap("dialog .close")

    for seat in HIT.chips:
        table.hands.chip(seat, there=False)
    for bets in LATER_ROUNDS:
        dealer.to("begin")
        dealer.to("wagers")
        wide.place_bet(*bets)
        dealer.to("claims")
    dealer.to("begin")
    wide.tap("[data-sheet=rounds]")
    wide.page.wait_for_selector("dialog .rounds tr")
    take(wide, "rounds")
    wide.tap("[data-figures]")
    wide.see("() => document.querySelectorAll('.plot canvas').length === 4")
    take(wide, "figures")
    wide.page.locator(".pot-history").evaluate("(part) => part.scrollIntoView()")
    take(wide, "pot")
    wide.tap("dialog .close")

    table.hands.lid(is_open=True)
    wide.see("() => document.querySelector('.alarm-line')?.innerText.includes('lid')")
    table.hands.lid(is_open=False)
    wide.see("() => document.querySelector('.alarm-line')?.innerText.includes('Over')")
    table.broker.stop()
    wide.see("() => document.querySelector('[data-sheet=alarms] .badge')?.innerText.startsWith('2')")
    _open_and_take(wide, "alarms", take, "dialog .log tbody tr")

    keep_pins(table.hands.config.parent / "state" / "pins.json", PINS)
    table.start_again(("[console]\n", "[console]\npins = true\n"))
    wide.see("() => document.querySelector('.person[data-role=none]')")
    wide.tap(".person")
    wide.page.fill("dialog [data-name]", "rui")  # no one has ever logged in on this screen
    wide.tap("dialog [data-name-done]")
    for digit in PINS["rui"][:-1]:
        wide.tap(f".pinpad [data-digit='{digit}']")
    take(wide, "log-in")


def _open_and_take(screen: Tapping, sheet: str, take: Taking, shows: str = "dialog[open]") -> None:
    screen.tap(f"[data-sheet={sheet}]")
    screen.page.wait_for_selector(shows)
    take(screen, sheet)
    screen.tap("dialog .close")


def _take(screen: Tapping, file: Path) -> None:
    # None of what is on top waits because it is new.
    screen.see("() => !(document.querySelector('dialog[open]') ?? document).querySelector('button[aria-disabled]')")
    screen.drawn()
    # A busy machine draws an edge otherwise by 1 of 255, from which a median cut makes another palette.
    _save(screen.page.screenshot(), file, Image.Quantize.FASTOCTREE)


def _save(picture: bytes, file: Path, method: Image.Quantize = Image.Quantize.MEDIANCUT) -> None:
    """With the palette of a median cut, which alone keeps the shades of a display without bands."""
    taken = Image.open(BytesIO(picture)).convert("RGB")
    taken.quantize(COLOURS, method=method, dither=Image.Dither.NONE).save(file, optimize=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="make screenshots", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    parser.add_argument("game", nargs="?", choices=[*(scene.game for scene in SCENES), SHEETS, DISPLAY, PIT, SIMULATOR])
    given = parser.parse_args()
    main(given.folder, given.game)

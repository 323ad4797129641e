"""Every screen in three languages and at six sizes: nothing overlaps, is cut off or covered, or is against WCAG 2.2 AA.

`Looked` says what is measured.
"""

import tempfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from controller.words import SPOKEN
from tests.console.hands import at_a_station
from tests.console.layout import SIZES, Looked
from tests.console.panel_table import simulated
from tests.console.screenshots import HIT, SCENES, Scene, betting, look_at_sheets, running_table
from tests.console.tapping import Dealer, Tapping
from tests.console.test_console_pit import MANY, floor_of
from tests.console.test_console_play import answer_at_seat, uncaught

SHEETS = ("report", "correct", "rounds", "devices", "alarms", "jackpot")
BELOW = (
    ("rounds", ".rounds button", ".round"),
    ("rounds", "[data-figures]", ".plot canvas"),
    ("rounds", "[data-register]", ".register"),
    ("devices", "[data-setup]", "textarea"),
)
# On the page, which scrolls at 200 %.
FELT = """() => {
  const { left, top, width, height } = document.querySelector('.felt').getBoundingClientRect();
  return [left + scrollX, top + scrollY, width, height];
}"""
SEAT = 3
pytestmark = pytest.mark.timeout(1800)  # hundreds of screens a test: a busy machine looks at each for a second
OF_ALL_SCENES = pytest.mark.parametrize("scene", SCENES, ids=[scene.game for scene in SCENES])


class OfConsole:
    """What is over the felt, each form once."""

    def __init__(self, looked: Looked, screen: Tapping) -> None:
        self._looked, self._screen = looked, screen
        self._forms: set[str] = set()

    def look(self, what: str) -> None:
        """The screen as it is now, and what the dealer's own measures find."""
        self._looked.look(self._screen.page, what)

    def look_at_sheets(self, when: str) -> None:
        """Each sheet of the header, with those of its forms that were not open before, and who acts."""
        screen = self._screen
        for sheet in (name for name in SHEETS if screen.has(f"[data-sheet={name}]")):
            screen.tap(f"[data-sheet={sheet}]")
            self.look(f"{when}, {sheet}")
            offered = screen.page.locator("dialog [data-form]:enabled")
            for form in offered.evaluate_all("all => all.map(part => part.dataset.form)"):
                if form not in self._forms:
                    self._forms.add(form)
                    screen.tap(f"dialog [data-form={form}]")
                    self.look(f"{when}, {sheet}, {form}")
                    screen.tap("dialog .back")
            screen.tap("dialog .close")
        screen.tap(".person")
        self.look(f"{when}, who acts")
        screen.tap("dialog .close")

    def look_below_sheets(self) -> None:
        """What a sheet opens: a round and its picture, figures, the register, the set-up."""
        screen = self._screen
        for sheet, opens, shows in BELOW:
            screen.tap(f"[data-sheet={sheet}]")
            screen.page.wait_for_selector(f"dialog {opens}")
            screen.tap(f"dialog {opens}")
            screen.page.wait_for_selector(f"dialog {shows}")
            self.look(f"{sheet}, {opens}")
            if screen.has("dialog [data-picture]"):
                screen.tap("dialog [data-picture]")
                self.look("a round's picture")
            screen.tap("dialog .close")


@OF_ALL_SCENES
def test_every_step_of_a_round_and_every_sheet(scene: Scene) -> None:
    looked, steps = Looked(), set[str]()
    with tempfile.TemporaryDirectory() as place, running_table(scene, Path(place)) as table:
        wide = table.screens["table"]
        console = OfConsole(looked, wide)

        class Looking(Dealer):
            def proceed(self, *but: str) -> None:
                kind = self.screen.at[1]
                if kind not in steps:
                    steps.add(kind)
                    console.look(kind)
                super().proceed(*but)

        dealer = betting(scene, table, Looking)
        console.look("bets")
        if wide.has("[data-any]"):
            wide.tap("[data-any]")
            console.look("an amount")
            wide.tap("dialog .close")
        dealer.to("confirm")
        console.look_at_sheets("confirm")
        wide.tap(".seat button.head")
        console.look("a seat")
        wide.tap("dialog .close")
        dealer.to("begin")
        console.look("begin")
        console.look_at_sheets("begin")
        console.look_below_sheets()
    print(f"{scene.game}: {looked.screens} screens, {len(steps)} steps")
    assert looked.found == {}


def test_a_hit_its_slip_an_alarm_and_a_log_in() -> None:
    looked = Looked()
    with tempfile.TemporaryDirectory() as place, running_table(HIT, Path(place)) as table:
        look_at_sheets(table, lambda screen, what: looked.look(screen.page, what))
    print(f"sheets: {looked.screens} screens")
    assert looked.found == {}


@OF_ALL_SCENES
def test_the_felt_moves_by_no_pixel(browser: Browser, tmp_path: Path, scene: Scene) -> None:
    seen: dict[str, str] = {}
    with at_a_station(tmp_path, scene.game, scene.source, scene.stack) as (hands, _):
        screen = Tapping(browser, hands.port)

        class Watching(Dealer):
            def proceed(self, *but: str) -> None:
                kind = self.screen.at[1]
                if kind not in (*but, *(text.split(", ")[0] for text in seen)):
                    watch(kind)
                super().proceed(*but)

        def watch(what: str) -> None:
            for size in SIZES:
                screen.page.set_viewport_size({"width": size[0], "height": size[1]})
                for language in SPOKEN:
                    screen.tap(f"[data-language={language}]")
                    screen.drawn()
                    seen[f"{what}, {size[0]} x {size[1]}, {language}"] = str(screen.page.evaluate(FELT))

        dealer = Watching(screen, hands=hands, by_machine=scene.source == "shuffler")
        dealer.to("shuffle", "wagers")
        if scene.source == "shoe":
            hands.load_shoe()
        dealer.to("wagers")
        watch("wagers")
        refuse_a_bet(screen, scene)
        watch("refusal")
        screen.tap("[data-given-back]")
        screen.place_bet(scene.bets[0])
        watch("bets")
        dealer.to("confirm")
        dealer.to("begin")
        screen.close()
    for size in SIZES:
        at = f", {size[0]} x {size[1]}, "
        moved = {where: felt for where, felt in seen.items() if at in where and felt != seen[f"wagers{at}en"]}
        assert moved == {}, seen[f"wagers{at}en"]


def refuse_a_bet(screen: Tapping, scene: Scene) -> None:
    """One of 0.01 is placed, which the station refuses; a chip is taken again."""
    screen.tap("[data-any]")
    screen.tap("dialog [data-digit='1']")
    screen.tap("dialog .numberpad .main")
    screen.place_bet(scene.bets[0])
    assert screen.text(".refusal")
    screen.page.locator(".tray .chip").nth(1).click()


@OF_ALL_SCENES
def test_the_simulators_pages(browser: Browser, tmp_path: Path, scene: Scene) -> None:
    looked = Looked()
    with simulated(tmp_path, "--game", scene.game, "--play", str(SEAT), "--speed", "max", "--seed", "3") as table:
        page = browser.new_page(reduced_motion="reduce")
        errors = uncaught(page)
        page.goto(f"{table.panel}/start")
        page.wait_for_selector("#tiles a")
        looked.look(page, "the first page")
        look_at_seat(looked, page, table.panel)
        look_at_panel(looked, page, table.panel)
        page.close()
    print(f"{scene.game}: {looked.screens} screens of the simulator")
    assert looked.found == {} and errors == []


def look_at_seat(looked: Looked, page: Page, address: str) -> None:
    """Each kind of question in two hands, and the result."""
    asked = set[str]()
    page.goto(f"{address}/play")
    results = 0
    while results < 2:
        page.wait_for_selector("#asked > :not([data-new])")  # presses do not count while it is new
        kind = page.locator("#asked [data-kind]").get_attribute("data-kind") or ""
        if kind == "bets" and page.locator("#result table").count():
            results += 1
            asked.add("result")
        if kind not in asked:
            looked.look(page, f"seat, {kind}")
            asked.add(kind)
        if results == 1 and "result seen" not in asked:
            looked.look(page, "seat, a result")
            asked.add("result seen")
        answer_at_seat(page)
    print("asked:", asked)


def look_at_panel(looked: Looked, page: Page, address: str) -> None:
    """As the robot deals, with a wire's octets and a stop of the tour open, and as a person deals."""
    page.goto(f"{address}/")
    page.wait_for_selector(".fault")
    # The table waits for the person at the seat.
    looked.look(page, "panel")
    page.locator("[data-octets]").first.click()
    page.click("[data-stop='0']")
    looked.look(page, "panel, octets and the tour")
    page.click("#wire-close")
    page.check("[name=actor][value=you]")
    page.wait_for_selector("#take-over:not([hidden])")
    looked.look(page, "panel, a person deals")


def test_the_pits_pages(browser: Browser, tmp_path: Path) -> None:
    looked = Looked()
    with floor_of(browser, tmp_path, MANY) as (_, page):
        looked.look(page, "floor")
        page.click("[data-arrange]")
        looked.look(page, "arranging")
        page.click("[data-arrange]")
        for view, seen in (("alarms", ".log"), ("pots", "[data-pot=t-7] canvas"), ("hours", "[data-hours='2'] canvas")):
            page.click(f"[data-view={view}]")
            page.wait_for_selector(seen)
            looked.look(page, view)
        page.click("[data-view=tables]")
        page.click("[data-table=t-7]")
        page.wait_for_selector(".plot canvas")
        looked.look(page, "a table")
    assert looked.found == {}

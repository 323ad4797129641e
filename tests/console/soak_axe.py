"""axe-core finds nothing against WCAG 2.2 AA on any screen, in three languages, at three sizes and at 200 %."""

import tempfile
from pathlib import Path

import pytest

from controller.words import SPOKEN
from tests.console.screenshots import HIT, SCENES, Scene, betting, look_at_sheets, running_table
from tests.console.tapping import PHONE, WIDE, Dealer, Tapping

SIZES = {"1280": WIDE, "1024": {"width": 1024, "height": 768}, "390": PHONE, "200 %": {"width": 640, "height": 400}}
SPEAK = "language => document.querySelector(`[data-language=${language}]`)?.click()"  # also behind a sheet
SHEETS = ("report", "correct", "rounds", "devices", "alarms", "jackpot")
BELOW = (
    ("rounds", ".rounds button", ".round"),
    ("rounds", "[data-figures]", ".plot canvas"),
    ("rounds", "[data-register]", ".register"),
    ("devices", "[data-setup]", "textarea"),
)


class Looked:
    """What axe-core found, and where it was first seen."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}
        self.screens = 0
        self._forms: set[str] = set()

    def look(self, screen: Tapping, what: str) -> None:
        """At each size and in each language; the screen is then as it was."""
        for name, size in SIZES.items():
            screen.page.set_viewport_size({"width": size["width"], "height": size["height"]})
            for language in (*[one for one in SPOKEN if one != "en"], "en"):
                screen.page.evaluate(SPEAK, language)
                screen.drawn()
                self.screens += 1
                for violation in set(screen.violations()) - self.found.keys():
                    self.found[violation] = f"{what}, {name}, {language}"
                    print(self.found[violation], violation, flush=True)
        screen.page.set_viewport_size({"width": WIDE["width"], "height": WIDE["height"]})
        screen.drawn()

    def look_at_sheets(self, screen: Tapping, when: str) -> None:
        """Each sheet of the header, with those of its forms that were not open before, and who acts."""
        for sheet in (one for one in SHEETS if screen.has(f"[data-sheet={one}]")):
            screen.tap(f"[data-sheet={sheet}]")
            self.look(screen, f"{when}, {sheet}")
            offered = screen.page.locator("dialog [data-form]:enabled")
            for form in offered.evaluate_all("all => all.map(one => one.dataset.form)"):
                if form not in self._forms:
                    self._forms.add(form)
                    screen.tap(f"dialog [data-form={form}]")
                    self.look(screen, f"{when}, {sheet}, {form}")
                    screen.tap("dialog .back")
            screen.tap("dialog .close")
        screen.tap(".person")
        self.look(screen, f"{when}, who acts")
        screen.tap("dialog .close")

    def look_below_sheets(self, screen: Tapping) -> None:
        """What a sheet opens: a round, its figures, the register, the set-up."""
        for sheet, opens, shows in BELOW:
            screen.tap(f"[data-sheet={sheet}]")
            screen.page.wait_for_selector(f"dialog {opens}")
            screen.tap(f"dialog {opens}")
            screen.page.wait_for_selector(f"dialog {shows}")
            self.look(screen, f"{sheet}, {opens}")
            screen.tap("dialog .close")


@pytest.mark.parametrize("scene", SCENES, ids=[scene.game for scene in SCENES])
def test_no_screen_of_a_round_and_no_sheet_is_against_wcag(scene: Scene) -> None:
    looked, steps = Looked(), set[str]()

    class Looking(Dealer):
        def proceed(self, *but: str) -> None:
            kind = self.screen.at[1]
            if kind not in steps:
                steps.add(kind)
                looked.look(self.screen, kind)
            super().proceed(*but)

    with tempfile.TemporaryDirectory() as place, running_table(scene, Path(place)) as table:
        wide = table.screens["table"]
        dealer = betting(scene, table, Looking)
        looked.look(wide, "bets")
        if wide.has("[data-any]"):
            wide.tap("[data-any]")
            looked.look(wide, "an amount")
            wide.tap("dialog .close")
        dealer.to("confirm")
        looked.look_at_sheets(wide, "confirm")
        wide.tap(".seat button.head")
        looked.look(wide, "a seat")
        wide.tap("dialog .close")
        dealer.to("begin")
        looked.look(wide, "begin")
        looked.look_at_sheets(wide, "begin")
        looked.look_below_sheets(wide)
        wide.page.goto(f"http://127.0.0.1:{table.hands.port}/display")
        wide.page.wait_for_selector("#display > *", state="attached")
        looked.look(wide, "the players' display")
    print(f"{scene.game}: {looked.screens} screens, {len(steps)} steps")
    assert looked.found == {}


def test_no_sheet_of_a_hit_its_slip_an_alarm_and_a_log_in_is_against_wcag() -> None:
    looked = Looked()
    with tempfile.TemporaryDirectory() as place, running_table(HIT, Path(place)) as table:
        look_at_sheets(table, looked.look)
    print(f"sheets: {looked.screens} screens")
    assert looked.found == {}

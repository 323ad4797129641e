"""A page looked at in every language and size: what overlaps, what no one can reach, what is against WCAG 2.2 AA."""

from playwright.sync_api import Page

from controller.words import SPOKEN
from tests.console.layout import covered_controls, faults_of_layout, keys_reach_all
from tests.console.tapping import AXE, VIOLATED, WCAG

USUAL = (1280, 720)
SIZES = ((1920, 1080), (1080, 1920), USUAL, (1024, 768), (390, 844), (640, 360))  # the last is 1280 x 720 at 200 %
AXE_SIZES = (USUAL, (390, 844), (640, 360))
SPEAK = "language => document.querySelector(`[data-language=${language}], #languages [lang=${language}]`)?.click()"
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
# A header is over what is scrolled.
TO_THE_TOP = (
    "() => [document.scrollingElement, ...document.querySelectorAll('.column')].forEach((part) => part.scrollTo(0, 0))"
)
TOO_WIDE = "() => document.documentElement.scrollWidth > innerWidth"


class Looked:
    """What is wrong, and where it was first seen."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}
        self.screens = 0

    def look(self, page: Page, what: str) -> None:
        """At each size and in each language, and by keys; the page is then in English at the usual size."""
        root = "dialog" if page.locator("dialog[open]").count() else "body"
        for size in SIZES:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            for language in (*[code for code in SPOKEN if code != "en"], "en"):
                page.evaluate(SPEAK, language)
                page.evaluate(TO_THE_TOP)
                page.evaluate(DRAWN)
                self.screens += 1
                where = f"{what}, {size[0]} x {size[1]}, {language}"
                layout = faults_of_layout(page, root)
                self._keep(where, *(f"{kind}: {text}" for kind, texts in layout.items() for text in texts))
                self._keep(where, *(f"covered: {control}" for control in covered_controls(page, root)))
                if page.evaluate(TOO_WIDE):
                    self._keep(where, f"wider than the screen: {what}")
                if size in AXE_SIZES:
                    self._keep(where, *self._violations(page))
        page.set_viewport_size({"width": USUAL[0], "height": USUAL[1]})
        page.evaluate(DRAWN)
        self._keep(what, *(f"no key reaches: {control}" for control in keys_reach_all(page, root)))

    def _violations(self, page: Page) -> list[str]:
        if not page.evaluate("() => 'axe' in window"):
            page.evaluate(AXE)
        found: list[str] = page.evaluate(VIOLATED, WCAG)
        return found

    def _keep(self, where: str, *faults: str) -> None:
        for fault in faults:
            if fault not in self.found:
                self.found[fault] = where
                print(where, fault, flush=True)

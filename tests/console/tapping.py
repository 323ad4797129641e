"""A dealer who only taps: the console in a real browser, and what the browser complained of."""

import re
import socket
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from select import select
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page
from playwright.sync_api import TimeoutError as PageTimeout

from tests.console.hands import Hands
from tests.station.processes import PATIENCE_SECONDS, patiently

WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
PATIENCE_MS = 45_000.0
REFUSED = "the server responded with a status of 422"  # what the browser itself says of an input that was refused
TOO_WIDE = (
    "() => [...document.querySelectorAll("
    "'.top, .top button, .felt, .prompt, .seat, .seat .card, .prompt button, .bankrow > *, .pair')]"
    ".filter(part => { const box = part.getBoundingClientRect();"
    " const cut = part.matches('.tab') && part.scrollWidth > part.clientWidth;"
    " const right = part.matches('.seat .card') ? part.closest('.seat').getBoundingClientRect().right : innerWidth;"
    " return box.width && (cut || box.left < -1 || box.right > right + 1); }).map(part => part.className)"
)
# A betting space that is over the bank, the pot, or where the cards come from.
COVERED = """() => {
  const below = [...document.querySelectorAll('.bankrow > *')].map(part => part.getBoundingClientRect());
  return [...document.querySelectorAll('.seat .space')].filter(part => {
    const box = part.getBoundingClientRect();
    return below.some(of => box.width && of.width && box.bottom > of.top + 1 && box.top < of.bottom - 1
      && box.right > of.left + 1 && box.left < of.right - 1);
  }).map(part => `${part.dataset.space ?? part.className} covers the bank's row`);
}"""

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# Without what no rule of these uses: the style sheets once more, and a selector for each part.
VIOLATED = (
    "wcag => axe.run(document, {runOnly: wcag, resultTypes: ['violations'], selectors: false, preload: false})"
    ".then(found => "
    "found.violations.flatMap(violation => violation.nodes.map(node => `${violation.id}: ${node.html}`)))"
)

# The middle of the first of these, once a finger there would press it. A press that then meets something else, or meets
# it while it is off, because the page has been drawn again, does nothing and is not `met`; nor is one under which the
# part moves away before it is released, as in a sheet whose log arrives.
AIM = """([selector, patience]) => new Promise((aimed, failed) => {
  const off = ":disabled, [aria-disabled=true]";
  const kinds = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"], began = performance.now();
  const look = () => {
    const part = document.querySelector(selector);
    if (part?.checkVisibility({ visibilityProperty: true }) && !part.closest(off)) {
      part.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
      const box = part.getBoundingClientRect(), [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      if (part.contains(document.elementFromPoint(x, y))) return guard(part), aimed([x, y]);
    }
    if (performance.now() - began > patience) return failed(new Error(`${selector}: ${part?.outerHTML}`));
    setTimeout(look, 20);
  };
  const guard = (part) => {
    let met = null, clicked = false;
    const pressed = (event) => {
      met ??= part.contains(event.target) && !part.closest(off);
      clicked ||= event.type === "click" && part.contains(event.target);
      if (!met) event.preventDefault(), event.stopImmediatePropagation();
    };
    kinds.forEach((kind) => window.addEventListener(kind, pressed, true));
    window.met = () => {
      kinds.forEach((kind) => window.removeEventListener(kind, pressed, true));
      return met && clicked;
    };
  };
  look();
})"""
MET = "() => new Promise(requestAnimationFrame).then(() => window.met())"
NO_CSS = re.compile(r">>|text=|:has-text|:text")  # of playwright
LOOK_MS = 25.0  # each frame costs more
AGAIN_MS = 450.0  # for less the page takes a press for the one before
STATION = "127.0.0.1"
SHOWN_OCTETS = 500  # of a request to another host

LATE = Path(__file__).with_name("late.js")  # a page that draws and receives late

WHERE = "Asia/Macau"  # the room's clock: times are recorded in UTC


def until_dispatched(page: Page, condition: Callable[[], object], what: str) -> None:
    """Wait until events of the page have made this so: they come into this process while Playwright is called there."""
    patiently(lambda: (page.title(), condition())[1], PATIENCE_SECONDS, what)


class Tapping:
    """One screen. `complaints` is whatever its console reported; with `--late` its page is LATE.

    `taps` counts what was tapped.
    """

    late = False
    script = ""  # runs in the page before its own

    def __init__(self, browser: Browser, port: int, size: dict[str, int] = WIDE, language: str = "en-GB") -> None:
        self._proxy = socket.create_server((STATION, 0))  # gets every request to another host
        self.context: BrowserContext = browser.new_context(
            proxy={"server": f"{STATION}:{self._proxy.getsockname()[1]}", "bypass": f"<-loopback>,{STATION}"},
            viewport={"width": size["width"], "height": size["height"]},
            locale=language,
            reduced_motion="reduce",
            timezone_id=WHERE,
        )
        if self.late:
            self.context.add_init_script(path=LATE)
        if self.script:
            self.context.add_init_script(self.script)
        self.page: Page = self.context.new_page()
        self.taps = 0
        self.complaints: list[str] = []
        self.page.on(
            "console", lambda message: self.complaints.append(message.text) if REFUSED not in message.text else None
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(f"http://{STATION}:{port}/")
        self.page.wait_for_selector("[data-step]")

    def close(self) -> None:
        """Close the screen; nothing was complained of, and no other host was asked."""
        self.context.close()
        assert self.complaints == [], self.complaints
        with self._proxy:
            assert not select([self._proxy], [], [], 0)[0], self._proxy.accept()[0].recv(SHOWN_OCTETS)

    @property
    def at(self) -> tuple[str, str]:
        """The step the screen shows, and its kind."""
        step, kind = self.page.evaluate(
            "(({ step, stepKind }) => [step, stepKind])(document.querySelector('[data-step]').dataset)"
        )
        return str(step), str(kind)

    @property
    def step(self) -> str:
        """The step the screen shows."""
        return self.at[0]

    def drawn(self) -> None:
        """Wait for the frame in which the page draws what it knows by now."""
        self.page.evaluate("() => new Promise(requestAnimationFrame)")

    def tap(self, selector: str) -> None:
        """Tap the first of these, and wait until what comes of it on this screen is drawn."""
        self.taps += 1
        if NO_CSS.search(selector):
            self.page.locator(selector).first.click()
            return self.drawn()
        while True:
            self.page.mouse.click(*self.page.evaluate(AIM, [selector, PATIENCE_MS]))
            if self.page.evaluate(MET):
                return None
            self.page.wait_for_timeout(AGAIN_MS)

    def type(self, keys: str) -> None:
        """Type these where the focus is, and wait as for a tap."""
        self.page.keyboard.type(keys)
        self.drawn()

    def find(self, words: str) -> None:
        """Search the open sheet for these, and wait as for a tap."""
        self.page.fill("dialog .find", words)
        self.drawn()

    def see(self, condition: str, argument: Any = None) -> None:
        """Wait until this holds on the page. Raises AssertionError with what the page shows if it never does."""
        try:
            self.page.wait_for_function(condition, arg=argument, polling=LOOK_MS)
        except PageTimeout as late:
            raise AssertionError(f"{condition} with {argument!r}; the page shows: {self.text('body')}") from late

    def on_from(self, step: str) -> None:
        """Wait until the screen shows another step, and nothing is on its way: until then no answer can be given."""
        self.see(
            "step => document.querySelector('[data-step]').dataset.step !== step"
            " && !document.querySelector('.answers[aria-busy=true]')",
            step,
        )

    def answer(self, selector: str) -> None:
        """Tap an answer and wait until the table has continued."""
        step = self.step
        self.tap(selector)
        self.on_from(step)

    def place_bet(self, *spaces: str) -> None:
        """Tap these spaces ("3/ante"), and wait until what was tapped is there."""
        for space in spaces:
            self.tap(f"[data-space='{space}']")
        self.see("() => !document.querySelector('.space.going') && !document.querySelector('[aria-busy=true]')")

    def key_in(self, cards: str) -> None:
        """Key in cards, one tap each and on a phone one for their suit, and confirm them."""
        for card in cards.split():
            key = f".keypad [data-card='{card}']"
            if self.page.locator(key).first.is_hidden():
                self.tap(f".keypad [data-suit={card[-1]}]")
            self.tap(key)
        self.tap(".keypad .main")

    def throw(self, dice: str) -> None:
        """Key in what the dice show."""
        for shows in dice:
            self.tap(f".dicepad [data-die='{shows}']")
        self.tap(".dicepad .main")

    def text(self, selector: str) -> str:
        """The text there."""
        return self.page.inner_text(selector)

    def too_wide(self) -> dict[str, list[str]]:
        """What reaches beyond the screen, by language; English is chosen at last."""
        found = {}
        for language in ("zh", "pt", "en"):
            self.tap(f"[data-language={language}]")
            wide = self.page.evaluate(TOO_WIDE)
            if wide or not self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
                found[language] = wide
        return found

    def violations(self) -> list[str]:
        """What of the screen is against WCAG 2.2 AA, as far as axe-core sees it, and what is over the bank."""
        if not self.page.evaluate("() => 'axe' in window"):
            self.page.evaluate(AXE)
        found: list[str] = self.page.evaluate(VIOLATED, WCAG)
        return found + list(self.page.evaluate(COVERED))

    def has(self, selector: str) -> bool:
        """Whether there is one."""
        return self.page.locator(selector).count() > 0


FURTHEST = ".answers [data-key=G]:enabled"
Deal = Callable[[], None]

USUAL = {
    "open": "[data-kind=open_table]", "begin": "[data-kind=begin_round]", "shuffle": "button[data-kind=shuffled]",
    "cut": "button.main[data-kind=cut]", "warning": "[data-kind=warning_card]", "wagers": "[data-kind=lock_in]",
    "announce": "[data-kind=announce]", "form": "[data-kind=announce_form]",
    "count": ".numberpad .main", "confirm": "[data-kind=confirm]",
    "arrange": "[data-kind=arranged]", "claims": "[data-kind=close_claims]",
    "burn": "[data-kind=unreported_card]", "deal": "[data-kind=unreported_card]",
}  # fmt: skip
CAPITAL = "1000000"  # minor units, digit by digit
DICE = "3152"
ANSWERS = ("decline_all", "give_up-false", "even_money-false", "decide-stand", "decide-hit", "insure", "follow")


class Dealer:
    """Plays on by what is usual. `cards` are keyed in where the screen asks for them; `hands` draw from the shoe.

    `at_once` takes what leads furthest, where one tap says several things.
    """

    def __init__(
        self,
        screen: Tapping,
        cards: str = "",
        hands: Hands | None = None,
        by_machine: bool = False,
        at_once: bool = False,
    ) -> None:
        self.screen = screen
        self._cards = iter(cards.split())
        self._hands = hands
        self._by_machine = by_machine
        self._at_once = at_once
        self.kinds: list[str] = []

    def to(self, *kinds: str) -> None:
        """Play until one of these steps."""
        while self.screen.at[1] not in kinds:
            self.proceed(*kinds)

    def proceed(self, *but: str) -> None:
        """Answer the present step, unless it is one of these by now."""
        screen, (step, kind) = self.screen, self.screen.at
        if kind in but:
            return
        self.kinds.append(kind)
        if self._at_once and screen.has(FURTHEST):
            screen.answer(FURTHEST)
        elif kind in ("deal", "burn") and self._hands is not None and not self._by_machine:
            self._hands.draw()
            screen.on_from(step)
        elif self._by_machine and self._hands is not None and kind in ("shuffle", "deal", "claims"):
            if kind == "claims":
                self._hands.put_in()
            screen.on_from(step)
        elif kind == "bank":
            if screen.has("[data-least]"):
                screen.tap("[data-least]")
            elif screen.has(".takes .numberpad"):
                for digit in CAPITAL:
                    screen.tap(f".takes [data-digit='{digit}']")
                screen.tap(".takes .numberpad .main")
            screen.answer("[data-kind=take_bank]")
        elif kind == "dice":
            screen.throw(DICE)
            screen.on_from(step)
        elif kind == "deal" and screen.has(".main[data-kind=tiles_dealt]"):
            screen.answer("[data-kind=tiles_dealt]")
        elif kind == "decisions":
            seat = (screen.page.get_attribute("button[data-decide]", "data-decide") or "").split("/")[0]
            screen.tap("button[data-kind=decide-play]")
            screen.see("seat => !document.querySelector(`[data-decide='${seat}/play']`)", seat)
        elif kind == "ask":
            asked = next(answer for answer in ANSWERS if screen.has(f"button[data-kind={answer}]:enabled"))
            screen.answer(f"button[data-kind={asked}]")
        elif kind == "reveal" and screen.has(".keypad"):
            wanted = screen.page.locator(".entered .empty").count()
            screen.key_in(" ".join(next(self._cards) for _ in range(wanted)))
            screen.on_from(step)
        elif kind == "reveal":
            screen.answer("button[data-kind=reveal]")
        else:
            screen.answer(USUAL[kind])

"""A dealer who presses twice where once is meant, and what the page posts of it."""

import json
import time
from typing import Any

from playwright.sync_api import Browser, Request

from tests.console.tapping import WIDE, Tapping
from tests.station.processes import patiently
from tests.station.screen import get_table

PATIENCE_SECONDS = 15.0
LOOK_SECONDS = 0.2
QUIET_MS = 390  # a little less than a button waits
AGAIN_SECONDS = 0.25  # from one press of a double click to the other
ENDING = {
    "confirm", "confirm_hit", "settle_on_paper", "close_claims", "hold_cards", "no_bets", "void_round", "misdealt",
    "exposed", "to_empty_seat", "shuffler_failed", "cards_counted", "lock_in", "close_table",
}  # fmt: skip
# What would lead the round elsewhere, as would a button that is no answer: each of these counts at once.
ASTRAY = ", ".join(
    (
        *(f"[data-kind^={kind}]" for kind in ("use_source", "pass_cut", "dice_null", "pass_bank", "unreported_card")),
        *(f"[data-{name}]" for name in ("as-placed", "moved", "acts", "keying", "digit", "die", "card", "tile")),
    )
)
LEADS_ASTRAY = """([x, y, astray]) => {
  const button = document.elementFromPoint(x, y)?.closest("button:enabled");
  return Boolean(button && (!button.closest(".answers") || button.matches(astray)));
}"""
# What each press of the pointer meets: the step, for how long it has been there, what the button ends, if it ends
# anything, and whether it shows that it waits.
MEETS = """
  window.presses = [];
  let [step, came] = [null, 0];
  new MutationObserver(() => {
    const now = document.querySelector("[data-step]")?.dataset.step;
    if (now !== step) [step, came] = [now, performance.now()];
  }).observe(document, { subtree: true, childList: true, attributeFilter: ["data-step"] });
  document.addEventListener("pointerdown", ({ target }) => {
    const button = target.closest("[data-guarded]:enabled");
    const waits = button?.ariaDisabled === "true";
    window.presses.push({ step, since: performance.now() - came, ends: button?.dataset.kind ?? null, waits });
  }, true);
"""


class Pressing(Tapping):
    """A screen on which each answer is pressed twice.

    `posted` has the kinds of each request, in their order; `pressed` the steps whose answer was
    pressed twice, and what waited under the second press.
    """

    script = MEETS

    def __init__(self, browser: Browser, port: int, size: dict[str, int] = WIDE) -> None:
        self.posted: list[list[str]] = []
        self.pressed: list[tuple[str, str | None]] = []
        self._address = ("127.0.0.1", port)
        super().__init__(browser, port, size)
        self.page.on("request", self._requested)

    def _requested(self, request: Request) -> None:
        if request.url.endswith("/inputs"):
            content: Any = json.loads(request.post_data or "[]")
            self.posted.append([input["kind"] for input in (content if isinstance(content, list) else [content])])

    def middle(self, selector: str) -> tuple[float, float]:
        """The middle of the first of these, once it can be pressed."""
        button = self.page.locator(selector).first
        button.click(trial=True)
        box = button.bounding_box()
        assert box is not None, selector
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def caught_up(self) -> None:
        """Wait until the screen shows the station's present step, and nothing is on its way."""
        self.drawn()
        patiently(lambda: self.is_at(get_table(self._address)["step"]["id"]), PATIENCE_SECONDS, "the station's step")

    def is_at(self, step: str) -> bool:
        return self.step == step and not self.has(".answers[aria-busy=true]")

    def press(self, place: tuple[float, float], times: int, every: float = AGAIN_SECONDS) -> None:
        """Press and release there so often, with so many seconds from one press to the next."""
        began = time.monotonic()
        for number in range(times):
            self.page.wait_for_timeout(max(0.0, began + number * every - time.monotonic()) * 1000)
            self.page.mouse.click(*place)
        self.taps += times

    def answer(self, selector: str) -> None:
        """Press an answer, and once more; the second press ends nothing, and what it would end shows that it waits.

        Where this machine was too slow for a double click, nothing is reported.
        """
        step, kind = self.at
        place = self.middle(selector)
        began = time.monotonic()
        self.page.mouse.click(*place)
        self.page.wait_for_timeout(max(0.0, began + LOOK_SECONDS - time.monotonic()) * 1000)
        astray, before = self.page.evaluate(LEADS_ASTRAY, [*place, ASTRAY]), len(self.posted)
        self.page.wait_for_timeout(max(0.0, began + AGAIN_SECONDS - time.monotonic()) * 1000)
        if not astray:
            self.page.mouse.click(*place)
        self.on_from(step)
        self.caught_up()
        self.taps += 1
        met = self.page.evaluate("() => window.presses.at(-1)")
        if astray or met["since"] > QUIET_MS:
            return
        ended = [sent for kinds in self.posted[before:] for sent in kinds if sent in ENDING]
        assert not ended, f"{kind}: the second press of {selector} did {ended}"
        if met["step"] != step:
            assert met["ends"] is None or met["waits"], f"{kind}: {met['ends']} does not show that it waits"
        self.pressed.append((kind, met["ends"]))

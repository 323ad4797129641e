"""A dealer who presses twice where once is meant, and what the page posts of it."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Request

from tests.console.tapping import WIDE, Tapping
from tests.station.journal_eye import read_only
from tests.station.processes import patiently
from tests.station.screen import get_table

PATIENCE_SECONDS = 15.0
QUIET_MS = 390  # a little less than a button waits
AGAIN_SECONDS = 0.25  # from one press of a double click to the other
# The second press of a double click: in the page, so that it comes when it should on a busy machine too. `met` is the
# step it meets and for how long that has been there, what the button there does, and whether it shows that it waits.
# Where the step has been there for longer than a button waits, nothing is pressed.
AGAIN = """
  let [step, came] = [null, 0];
  new MutationObserver(() => {
    const now = document.querySelector("[data-step]")?.dataset.step;
    if (now !== step) [step, came] = [now, performance.now()];
  }).observe(document, { subtree: true, childList: true, attributeFilter: ["data-step"] });
  window.pressAgain = ([x, y, after, quiet]) => {
    const first = step;
    window.met = null;
    const press = () => {
      const target = document.elementFromPoint(x, y);
      const button = target.closest("button");
      const since = performance.now() - came;
      const quick = step === first || since <= quiet;
      const does = button && !button.disabled ? JSON.stringify(button.dataset) : null;
      const met = { other: step !== first, quick, does, waits: button?.ariaDisabled === "true" };
      const at = { bubbles: true, cancelable: true, clientX: x, clientY: y, detail: 1 };
      if (quick && !button?.disabled) {
        target.dispatchEvent(new PointerEvent("pointerdown", at));
        target.dispatchEvent(new MouseEvent("click", at));
      }
      window.met = met;
    };
    document.addEventListener("click", () => setTimeout(press, after), { once: true, capture: true });
  };
  // More presses there after the next one. One that is late would count, and is left out with those after it.
  window.pressOften = ([x, y, more, every, quiet]) => {
    window.pressed = false;
    let last;
    const press = () => {
      const now = performance.now();
      if (more === 0 || now - last > quiet) return (window.pressed = true);
      [last, more] = [now, more - 1];
      const target = document.elementFromPoint(x, y);
      const at = { bubbles: true, cancelable: true, clientX: x, clientY: y, detail: 1 };
      if (!target.closest("button")?.disabled) {
        target.dispatchEvent(new PointerEvent("pointerdown", at));
        target.dispatchEvent(new MouseEvent("click", at));
      }
      setTimeout(press, every);
    };
    document.addEventListener("click", () => {
      last = performance.now();
      setTimeout(press, every);
    }, { once: true, capture: true });
  };
"""


class Pressing(Tapping):
    """A screen on which each answer is pressed twice.

    `posted` has the kinds of each request, in their order, and `ids` the id of each input; `pressed` the steps whose
    answer was pressed twice, and what waited under the second press.
    """

    script = AGAIN

    def __init__(self, browser: Browser, port: int, size: dict[str, int] = WIDE) -> None:
        self.posted: list[list[str]] = []
        self.ids: set[str] = set()
        self.pressed: list[tuple[str, str | None]] = []
        self._address = ("127.0.0.1", port)
        super().__init__(browser, port, size)
        self.page.on("request", self._requested)

    def _requested(self, request: Request) -> None:
        if request.url.endswith("/inputs"):
            content: Any = json.loads(request.post_data or "[]")
            inputs = content if isinstance(content, list) else [content]
            self.posted.append([input["kind"] for input in inputs])
            self.ids |= {input["input_id"] for input in inputs}

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

    def press(self, place: tuple[float, float], times: int) -> None:
        """Press there so often; the page itself does so from the second press on, in time on a busy machine too."""
        self.page.evaluate("at => window.pressOften(at)", [*place, times - 1, AGAIN_SECONDS * 1000, QUIET_MS])
        self.page.mouse.click(*place)
        self.see("() => window.pressed")
        self.taps += times

    def answer(self, selector: str) -> None:
        """Press an answer, and once more: the second press posts nothing, and what is under it shows that it waits.

        Where this machine is too slow for a double click, the second press is left out.
        """
        step, kind = self.at
        place, before = self.middle(selector), len(self.posted)
        self.page.evaluate("at => window.pressAgain(at)", [*place, AGAIN_SECONDS * 1000, QUIET_MS])
        self.page.mouse.click(*place)
        self.see("() => window.met")
        self.on_from(step)
        self.caught_up()
        self.taps += 1
        met = self.page.evaluate("() => window.met")
        if met["quick"]:
            assert len(self.posted) == before + 1, f"{kind}: {selector} and a second press: {self.posted[before:]}"
            waits = met["waits"] or met["does"] is None or not met["other"]
            assert waits, f"{kind}: {met['does']} does not show that it waits"
            self.pressed.append((kind, met["does"]))


def answered_inputs(folder: Path) -> set[str]:
    """The ids of the inputs that the journal of this table has answered."""
    with closing(read_only(folder / "state" / "journal.db")) as file:
        return {input_id for (input_id,) in file.execute("SELECT input_id FROM answers")}

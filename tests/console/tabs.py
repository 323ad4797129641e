"""Several tabs of one window, of which one is visible: playwright lets every page believe that it is."""

import itertools
import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import connect
from websockets.sync.connection import Connection

from tests.benchmarks.browser import ARGUMENTS
from tests.console.conftest import chromium

PATIENCE_SECONDS = 90.0
LOOK_SECONDS = 0.05
NOT_YET = {"code": -32000, "message": "Cannot find default execution context"}  # of a page that is being loaded
ENDPOINT = "DevTools listening on "


class Tab:
    """One tab, brought to the front when it is opened."""

    def __init__(self, window: "Window", address: str) -> None:
        self._window = window
        self._target = window.call("Target.createTarget", url=address)["targetId"]
        self._session = window.call("Target.attachToTarget", targetId=self._target, flatten=True)["sessionId"]

    def close(self) -> None:
        """Close this tab."""
        self._window.call("Target.closeTarget", targetId=self._target)

    def show(self) -> None:
        """Bring this tab to the front; every other one is hidden."""
        self._window.call("Target.activateTarget", targetId=self._target)

    def evaluate(self, expression: str) -> Any:
        """The value of an expression on this page; None while there is none yet."""
        found = self._window.call("Runtime.evaluate", self._session, expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value") if found else None

    def see(self, condition: str) -> None:
        """Wait until this holds on the page."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self.evaluate(condition):
            assert time.monotonic() < deadline, condition
            time.sleep(LOOK_SECONDS)

    def tap(self, selector: str) -> None:
        """Press and release the mouse in the middle of the first of these."""
        box = self.evaluate(f"document.querySelector({json.dumps(selector)}).getBoundingClientRect().toJSON()")
        place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "button": "left", "clickCount": 1}
        for kind in ("mousePressed", "mouseReleased"):
            self._window.call("Input.dispatchMouseEvent", self._session, type=kind, **place)


class Window:
    """A browser window, over Chrome's DevTools protocol."""

    def __init__(self, browser: Connection) -> None:
        self._browser = browser
        self._numbers = itertools.count(1)

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """The result of one command; empty where a page is not there yet."""
        number = next(self._numbers)
        asked = {"id": number, "method": method, "params": parameters, **({"sessionId": session} if session else {})}
        self._browser.send(json.dumps(asked))
        while True:
            answer = json.loads(self._browser.recv(PATIENCE_SECONDS))
            if answer.get("id") == number:
                assert answer.get("error", NOT_YET) == NOT_YET, answer
                result: dict[str, Any] = answer.get("result", {})
                return result


@contextmanager
def window(profile: Path) -> Iterator[Window]:
    """A window whose browser ends with the body."""
    options = ["--headless=new", "--remote-debugging-port=0", f"--user-data-dir={profile}", *ARGUMENTS, "about:blank"]
    browser = subprocess.Popen([chromium(), *options], stderr=subprocess.PIPE, text=True)
    assert browser.stderr is not None
    try:
        endpoint = next(line.partition(ENDPOINT)[2].strip() for line in browser.stderr if ENDPOINT in line)
        with connect(endpoint, max_size=None) as connection:
            yield Window(connection)
    finally:
        browser.terminate()
        browser.stderr.close()
        browser.wait(PATIENCE_SECONDS)

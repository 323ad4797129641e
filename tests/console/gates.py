"""A gate with a clock that a test moves, and PINs whose hashes cost nothing."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from argon2 import PasswordHasher
from starlette.testclient import TestClient

from controller.console.app import make_app
from controller.console.gate import Gate
from controller.console.pins import PinHasher, changing_pins
from controller.console.request_head import KEY
from controller.console.screens import Screens
from controller.console.session_routes import SCREEN
from controller.console.sessions import SessionLimits
from controller.console.two_persons import HEADER as PINS_GIVEN
from controller.engine.state.events import SignInEvent
from controller.rulebook.roles import People
from tests.console.test_console_page import HOST, Face

Result = TypeVar("Result")

QUICK = PinHasher(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
PEOPLE: People = {"ana": "dealer", "bia": "dealer", "rui": "supervisor", "sol": "supervisor", "mei": "technician"}
PINS = {"ana": "274951", "rui": "862043", "mei": "590318"}  # no one else has one
LIMITS = SessionLimits(dealer_idle=1000, idle=100, longest=5000)
WHERE = ("address", "screen", "screen_persons", "first_login", "attempts")


class Clock:
    """Seconds, as a test sets them."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


def keep_pins(path: Path, pins: dict[str, str]) -> None:
    """These PINs are in the file beside those that are there."""
    with changing_pins(path) as kept:
        kept.update({name: QUICK.hash(pin) for name, pin in pins.items()})


def quick_gate(folder: Path) -> Gate:
    """A gate that keeps no note, of persons who have their PINs."""
    keep_pins(folder / "pins.json", PINS)
    return Gate(PEOPLE, folder / "pins.json", SessionLimits(3600, 3600, 3600), lambda _: None, QUICK)


class Console:
    """The console of a table whose persons log in; `notes` is what was kept of it, `receive` what reached the table."""

    def __init__(self, folder: Path, pins: dict[str, str] | None = None) -> None:
        self.file = folder / "pins.json"
        if pins != {}:
            keep_pins(self.file, PINS if pins is None else pins)
        self.notes: list[SignInEvent] = []
        self.clock = Clock()
        self.face = Face("live")
        self.start()

    def start(self) -> None:
        """The station starts, or is started again."""
        self.gate = Gate(PEOPLE, self.file, LIMITS, self.notes.append, QUICK, self.clock)
        self._app = make_app(self.face, self.face.answer, "127.0.0.1", self.gate)

    def screen(self) -> TestClient:
        """A browser of its own."""
        return TestClient(self._app, headers=HOST)

    @property
    def kept(self) -> list[str]:
        """What was kept, without where it was."""
        return [
            " ".join(str(value) for key, value in msgspec.to_builtins(note).items() if key not in WHERE)
            for note in self.notes
        ]


def log_in(screen: TestClient, name: str, pin: str | None = None) -> int:
    """Try a PIN, the right one unless another is given; the status. The screen keeps what it is given."""
    answer = screen.post("/session", json={"name": name, "pin": PINS[name] if pin is None else pin})
    if answer.status_code == 200:
        screen.headers.update({SCREEN: answer.json()["screen"], KEY: answer.json()["key"]})
    return int(answer.status_code)


def marked(screens: Screens, name: str, shown: str | None) -> str:
    """What a screen shows once this person has logged in there."""
    return apart(screens.mark(name, shown))


def apart(work: Coroutine[Any, Any, Result]) -> Result:
    """What it gives, run in a thread of its own: a browser's tests hold a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def act(screen: TestClient, actor: str, pins: str = "", **more: Any) -> tuple[int, object]:
    """Post an input, these PINs with it; status, and what is wanting."""
    input = {"input_id": "1", "step_id": "1/begin", "actor": actor, "kind": "begin_round", **more}
    answer = screen.post("/inputs", json=input, headers={PINS_GIVEN: pins} if pins else {})
    return answer.status_code, answer.json().get("who")


def names(screen: TestClient) -> list[str]:
    """Who is logged in there."""
    return [person["name"] for person in screen.get("/session").json()["persons"]]

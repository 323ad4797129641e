"""A table that asks for PINs, and how persons log in and sign there."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from tests.console.gates import PINS, keep_pins
from tests.console.hands import Hands, at_a_station
from tests.console.tapping import Tapping
from tests.station.processes import Daemon
from tests.station.screen import Address
from tests.station.test_station_log_in import Screen

EXPECTED = (
    "ERR_",
    "status of 401",
    "status of 403",
    "status of 422",
    "status of 429",
)  # what the browser reports a refusal and of an outage


@contextmanager
def pin_table(
    directory: Path, game: str, source: str, stack: str = "", technician: str = ""
) -> Iterator[tuple[Hands, Daemon]]:
    """A station that is running; `technician` is one more of its people."""
    (directory / "state").mkdir(parents=True)
    keep_pins(directory / "state" / "pins.json", PINS)

    def edited(text: str) -> str:
        more = f'[people]\n{technician} = "technician"\n' if technician else "[people]\n"
        return text.replace("[console]\n", "[console]\npins = true\n").replace("[people]\n", more)

    with at_a_station(directory, game, source, stack, edited) as running:
        yield running


@contextmanager
def pin_screen(browser: Browser, hands: Hands) -> Iterator[Tapping]:
    """A screen of the station, closed at last; beside refusals nothing was complained of."""
    screen = Tapping(browser, hands.port)
    try:
        yield screen
    finally:
        screen.complaints = [text for text in screen.complaints if not any(words in text for words in EXPECTED)]
        screen.close()


def acts(screen: Tapping, name: str) -> None:
    """Wait until the screen says that this person acts."""
    screen.see("name => document.querySelector('.person .name')?.innerText === name", name)


def logs_in(screen: Tapping, name: str) -> None:
    """A person logs in on a screen on which no one has logged in."""
    screen.tap(".person")
    screen.page.fill("dialog [data-name]", name)
    screen.tap("dialog [data-name-done]")
    screen.type(f"{PINS[name]}\n")
    acts(screen, name)


def signs(screen: Tapping, name: str, pin: str) -> None:
    """This person keys in a PIN in the open sheet."""
    screen.see("name => document.querySelector('.signing h3')?.innerText.includes(name)", name)
    screen.page.wait_for_selector(".signing .pinpad:focus")
    screen.type(f"{pin}\n")


def table_seen_by(address: Address, name: str) -> dict[str, Any]:
    """The table as a person sees it who has logged in at another screen."""
    other = Screen(address)
    assert other.log_in(name, PINS[name]) == 200
    return other.ask("GET", "/table")[1]

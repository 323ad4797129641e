"""A table that asks for PINs, and how persons log in and sign there."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.console.gates import PINS, keep_pins
from tests.console.hands import Hands, at_a_table
from tests.console.tapping import Tapping
from tests.station.processes import Daemon, ended_at_last

EXPECTED = (
    "ERR_",
    "status of 401",
    "status of 403",
    "status of 422",
    "status of 429",
)  # what the browser tells of a refusal and of an outage


@contextmanager
def pin_table(
    directory: Path, game: str, source: str, stack: str = "", technician: str = ""
) -> Iterator[tuple[Hands, Daemon]]:
    """A station that is running; `technician` is one more of its people."""
    with at_a_table(directory, game, source, stack) as hands:
        text = hands.config.read_text(encoding="utf-8").replace("[console]\n", "[console]\npins = true\n")
        if technician:
            text = text.replace("[people]\n", f'[people]\n{technician} = "technician"\n')
        hands.config.write_text(text, encoding="utf-8")
        (directory / "state").mkdir()
        keep_pins(directory / "state" / "pins.json", PINS)
        daemon = Daemon(hands.config, ("127.0.0.1", hands.port))
        with ended_at_last(daemon):
            daemon.start()
            daemon.wait_answering()
            yield hands, daemon


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


def closed(screen: Tapping) -> None:
    """Close the screen; beside refusals nothing was complained of."""
    screen.complaints = [text for text in screen.complaints if not any(words in text for words in EXPECTED)]
    screen.close()

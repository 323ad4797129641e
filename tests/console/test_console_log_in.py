"""Log-in by tapping: no one acts without a PIN, wrong ones lock out, a supervisor sees who came, a restart logs out."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from controller.console.throttle import FREE
from tests.console.gates import PINS
from tests.console.hands import Hands
from tests.console.tapping import Tapping
from tests.console.with_pins import EXPECTED, acts, pin_table
from tests.games import FORTUNE_8
from tests.station.processes import Daemon

NO_ONE = "() => document.querySelector('.person .role')?.innerText === 'No one is logged in'"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[Hands, Daemon]]:
    """A station of Fortune 8 that asks for PINs."""
    with pin_table(tmp_path, FORTUNE_8, "shoe", technician="mei") as running:
        yield running


def key_in(screen: Tapping, pin: str) -> None:
    for digit in pin:
        screen.tap(f".pinpad [data-digit='{digit}']")
    assert screen.text(".pinpad .value") == "•" * len(pin)
    screen.tap("[data-pin-done]")


def is_locked_out(screen: Tapping, name: str, wrong: str) -> None:
    """Try this wrong PIN until no one is let in under this name."""
    screen.tap(".person")
    screen.tap(f"dialog [data-log-in={name}]")
    screen.page.wait_for_selector(".pinpad:focus")
    for _ in range(FREE + 1):
        screen.type(wrong + "\n")
        screen.see("() => document.querySelector('.pinpad .value')?.innerText === '–'")
        screen.page.wait_for_selector(".pinpad .refusal")
    assert screen.text(".pinpad .refusal").startswith(f"Too many wrong PINs: {name} is locked out here for 1 min.")
    screen.tap("dialog .back")
    screen.tap(f"dialog [data-log-in={name}]")
    screen.page.wait_for_selector(".pinpad:focus")
    screen.type(PINS[name] + "\n")  # the right one does not help now
    screen.see("() => document.querySelector('.pinpad .refusal')?.innerText.includes('is locked out here for 1 min')")
    screen.tap("dialog .close")


def sees_who_came(screen: Tapping) -> None:
    """A supervisor who is logged in reads and searches the log of log-ins."""
    screen.tap(".person")
    screen.tap("dialog [data-entries]")
    screen.page.wait_for_selector("dialog .log tbody tr")
    lines = screen.text("dialog .log tbody").replace("\t", " ").splitlines()
    assert "mei, Technician" in lines[0] and "rui, Supervisor logged in 127.0.0.1" in lines[1], lines
    assert f"mei, Technician locked out for 1 min after {FREE + 1} wrong PINs" in "\n".join(lines)
    screen.find("wrong pin")
    screen.see("count => document.querySelectorAll('dialog .log tbody tr').length === count", FREE + 3)
    screen.find("no one of this name")
    assert "Nothing found" in screen.text("dialog")
    screen.tap("dialog .back")
    screen.tap("dialog .close")


def signs(screen: Tapping, name: str, pin: str) -> None:
    """Key in this person's PIN, which an act asks for."""
    screen.see("name => document.querySelector('dialog[aria-label=\"PIN of ' + name + '\"] .pinpad:focus')", name)
    screen.type(f"{pin}\n")


def adjusts_a_round(screen: Tapping) -> None:
    """A supervisor adjusts round 1, which there is not, and the dealer signs it too: each with a PIN."""
    screen.tap("[data-sheet=correct]")
    screen.tap("[data-form=adjust_round]")
    for amount in (False, True):
        if amount:
            screen.tap("dialog [data-value='3']")
        screen.tap("dialog [data-digit='1']")
        screen.tap("dialog .numberpad .main")
    screen.tap("dialog [data-value=ana]")
    screen.tap("dialog .reason .plain")
    screen.tap("dialog [data-kind=adjust_round]")
    signs(screen, "rui", PINS["rui"])
    signs(screen, "ana", PINS["mei"])
    screen.see("() => document.querySelector('.pinpad .refusal')?.innerText === 'Name or PIN is wrong.'")
    screen.page.keyboard.press("Escape")
    screen.see("() => document.querySelector('dialog .refusal')?.innerText === 'ana has not signed with the PIN.'")
    screen.tap("dialog [data-kind=adjust_round]")
    signs(screen, "rui", PINS["rui"])
    signs(screen, "ana", PINS["ana"])
    screen.see("() => document.querySelector('dialog .refusal')?.innerText.includes('are confirmed')")
    screen.tap("dialog .close")


def test_no_one_taps_without_a_pin_and_two_persons_share_a_screen(
    browser: Browser, table: tuple[Hands, Daemon]
) -> None:
    hands, daemon = table
    screen = Tapping(browser, hands.port)
    try:
        screen.see(NO_ONE)
        screen.tap("[data-sheet=rounds]")
        screen.see("() => document.querySelector('dialog')?.innerText.includes('Log in to see it.')")
        screen.tap("dialog .close")
        screen.tap("[data-kind=open_table]")
        screen.page.wait_for_selector("dialog [data-name]")
        assert not screen.has("dialog [data-log-in]"), "a stranger gets no names"
        screen.page.fill("dialog [data-name]", "ana")
        screen.tap("dialog [data-name-done]")
        key_in(screen, PINS["rui"])
        screen.see("() => document.querySelector('.pinpad .refusal')?.innerText === 'Name or PIN is wrong.'")
        screen.type(PINS["ana"][:-1])
        assert screen.page.locator("[data-pin-done]").is_disabled(), "a PIN is six digits or more"
        screen.type(PINS["ana"][-1])
        assert screen.text("dialog p").startswith("What was tapped is kept")
        screen.page.keyboard.press("Enter")
        acts(screen, "ana")
        screen.see("() => document.querySelector('[data-step-kind=begin]')")  # what was tapped is done
        assert not screen.has("dialog") and not screen.has(".refusal")
        is_locked_out(screen, "mei", PINS["ana"])
        screen.tap(".person")
        assert not screen.has("dialog [data-entries]"), "a dealer does not see who logged in"

        screen.tap("dialog [data-log-in=rui]")
        key_in(screen, PINS["rui"])
        acts(screen, "rui")
        screen.tap(".person")
        screen.page.wait_for_selector("dialog [data-acting=ana]")
        screen.tap("dialog [data-lift=mei]")  # at once: the delay is over after a minute
        screen.see("() => !document.querySelector('dialog [data-lift]')")
        assert not screen.has(".pins-off")
        screen.tap("dialog .close")
        sees_who_came(screen)
        adjusts_a_round(screen)
        screen.tap(".person")
        screen.tap("dialog [data-log-out=rui]")
        acts(screen, "ana")
        screen.see("() => !document.querySelector('dialog [data-acting=rui]')")
        screen.tap("dialog .close")
        assert PINS["ana"] not in screen.page.content()

        daemon.kill()
        text = hands.config.read_text(encoding="utf-8")
        daemon.start()
        daemon.wait_answering()
        screen.see(NO_ONE)
        daemon.kill()
        hands.config.write_text(text.replace("pins = true", "pins = false"), encoding="utf-8")
        daemon.start()
        daemon.wait_answering()
        acts(screen, "rui")  # who was chosen last
        screen.tap(".person")
        assert "PINs are off: any person can be chosen" in screen.text(".pins-off")
    finally:
        screen.complaints = [text for text in screen.complaints if not any(words in text for words in EXPECTED)]
        screen.close()

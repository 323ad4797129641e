"""What two persons enter at a table of a linked pot, in a browser: the page has it of a table that is made up.

That the station takes it is tested in `tests/engine/test_engine_linked.py`.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Route

from controller.engine.decisions.deciders import union_of
from controller.engine.decisions.link import AcceptPit, CompareGrant, SettleOnPaper, Vouch
from controller.engine.shown.public import PublicComparison, PublicDoubted
from controller.engine.state.persons import PersonInput
from controller.rulebook.jackpot_award import Win
from controller.words import SPOKEN
from tests.console.hands import at_a_station
from tests.console.tapping import PHONE, TOO_WIDE, WIDE, Tapping
from tests.games import FORTUNE_3_2025
from tests.link.entries import PUBLIC, key_of
from tests.station.processes import Daemon

KEYS = (PUBLIC, str(key_of("pit.example/next").verifier))
LINKED = {
    "doubted": (PublicDoubted("t1-1", 7, 3, 40, 40), PublicDoubted("t1-1", 9, None, -1, -1)),
    "claimed": (Win(2, "straight_flush"), Win(5, "royal_flush", "Wong")),
    "compared": (PublicComparison("t1-1/7", 7, "pot_too_high"), PublicComparison("t1-1/9", 9, "another_grant")),
    "pit_keys": KEYS,
    "pit_waits": True,
}
OVER_IT = (Path(__file__).parent / "linked.js").read_text("utf-8")


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """A station of 2025 where no one plays."""
    with at_a_station(tmp_path_factory.mktemp("linked"), FORTUNE_3_2025, "shuffler") as (_hands, daemon):
        yield daemon


class Entering(Tapping):
    """A supervisor's screen; `inputs` is what it would have sent."""

    def __init__(self, browser: Browser, port: int) -> None:
        super().__init__(browser, port)
        self.inputs: list[Any] = []
        self.context.add_init_script(f"const LINKED = {msgspec.json.encode(LINKED).decode()};\n{OVER_IT}")
        self.context.route("**/inputs", self._keep)
        self.page.reload()
        self.page.wait_for_selector("[data-step]")
        self.tap(".person")
        self.tap("dialog .choice:has-text('rui')")

    def _keep(self, route: Route) -> None:
        body = route.request.post_data_buffer
        assert body is not None
        self.inputs.append(msgspec.json.decode(body, type=union_of(PersonInput)))
        route.fulfill(status=200, body=json.dumps({"as_of": 1}))

    def fill_in(self, form: str) -> None:
        """Open this form, and look at it."""
        self.inputs.clear()
        self.tap("[data-sheet=correct]")
        self.tap(f"[data-form={form}]")
        self.look()

    def look(self) -> None:
        """On a table and a phone: it fits in every language, and is not against WCAG."""
        for size in (PHONE, WIDE):
            self.page.set_viewport_size({"width": size["width"], "height": size["height"]})
            for language in (*[code for code in SPOKEN if code != "en"], "en"):
                self.page.evaluate("part => document.querySelector(`[data-language=${part}]`).click()", language)
                self.drawn()
                assert self.page.evaluate(TOO_WIDE) == []
            assert self.violations() == []

    def amount(self, digits: str) -> None:
        """Key in a sum, to the last minor unit."""
        for digit in digits:
            self.tap(f"dialog [data-digit='{digit}']")
        self.tap("dialog .numberpad .main")

    def sign(self, kind: str) -> None:
        """The second person, a reason, and it is sent."""
        self.tap("dialog [data-value=ana]")
        self.tap("dialog .reason .plain")
        self.tap(f"dialog [data-kind={kind}]")
        self.see("() => !document.querySelector('dialog')")


@pytest.fixture(scope="module")
def screen(browser: Browser, daemon: Daemon) -> Iterator[Entering]:
    screen = Entering(browser, daemon.address[1])
    yield screen
    screen.close()


def test_linked_pot_8_two_persons_say_that_a_contribution_counts_or_never_was(screen: Entering) -> None:
    screen.fill_in("vouch")
    screen.tap("dialog [data-value='t1-1/9']")
    screen.tap("dialog [data-value=never_was]")
    screen.look()
    screen.sign("vouch")
    [input] = screen.inputs
    assert isinstance(input, Vouch)
    assert (input.journal, input.entry, input.outcome, input.actor, input.second) == (
        "t1-1",
        9,
        "never_was",
        "rui",
        "ana",
    )


def test_linked_pot_5_two_persons_enter_the_pot_and_each_winners_sum(screen: Entering) -> None:
    screen.fill_in("settle_on_paper")
    screen.amount("60015750")
    assert "Wong" not in screen.text("dialog"), "one after the other"
    screen.amount("25000")
    screen.look()
    screen.amount("0")
    assert "Wong" in screen.text("dialog")
    screen.sign("settle_on_paper")
    [input] = screen.inputs
    assert isinstance(input, SettleOnPaper)
    assert (input.pot, input.amounts, input.actor, input.second) == (60015750, (25000, 0), "rui", "ana")


def test_linked_pot_2_two_persons_enter_what_the_page_of_the_pit_has(screen: Entering) -> None:
    screen.fill_in("compare_grant")
    screen.tap("dialog [data-value='t1-1/9']")
    screen.amount("25000")
    screen.sign("compare_grant")
    [input] = screen.inputs
    assert isinstance(input, CompareGrant)
    assert (input.claim, input.amount, input.actor, input.second) == ("t1-1/9", 25_000, "rui", "ana")


def test_linked_pot_2_two_persons_accept_the_keys_of_the_pit_that_are_shown(screen: Entering) -> None:
    screen.fill_in("accept_pit")
    assert all(key in screen.text("dialog") for key in KEYS)
    screen.sign("accept_pit")
    [input] = screen.inputs
    assert isinstance(input, AcceptPit)
    assert (input.keys, input.actor, input.second) == (KEYS, "rui", "ana")

"""One finger pays, clears, voids or closes nothing by pressing twice, and what is keyed in fast counts."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.console.hands import Hands, at_a_station
from tests.console.pressing import Pressing
from tests.console.tapping import Dealer
from tests.games import FORTUNE_8
from tests.station.processes import Daemon

SIX_KEYS_SECONDS = 1.2
STEP = "kind => document.querySelector('[data-step]').dataset.stepKind === kind"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Hands, Daemon]]:
    """A station of Fortune 8 whose cards come from the shoe."""
    with at_a_station(tmp_path_factory.mktemp("presses"), FORTUNE_8, "shoe") as (hands, daemon):
        yield hands, daemon


def test_a_double_click_at_every_step_of_a_round_ends_nothing_twice_and_three_presses_do_not_close_the_table(
    browser: Browser, table: tuple[Hands, Daemon]
) -> None:
    hands, _ = table
    screen = Pressing(browser, hands.port)
    dealer = Dealer(screen, hands=hands)
    dealer.to("wagers")
    hands.load_shoe()
    screen.place_bet("1/low")
    dealer.to("confirm")
    before = len(screen.posted)
    screen.press(screen.middle("[data-kind=confirm]"), 3)
    screen.see(STEP, "claims")
    screen.caught_up()
    assert screen.posted[before:] == [["confirm"]] and screen.at[1] == "claims"
    screen.tap("[data-kind=close_claims]")  # once it waits no more
    screen.see(STEP, "begin")
    assert not screen.has(".answers [data-kind=close_table]")
    screen.tap("[data-sheet=report]")
    before = len(screen.posted)
    screen.press(screen.middle("[data-form=close_table]"), 2)
    screen.tap("dialog [data-kind=close_table]")
    screen.see(STEP, "open")
    assert screen.posted[before:] == [["close_table"]]
    screen.close()


def test_a_key_that_is_kept_pressed_or_pressed_twice_ends_nothing_twice_and_another_key_counts_at_once(
    browser: Browser, table: tuple[Hands, Daemon]
) -> None:
    hands, _ = table
    screen = Pressing(browser, hands.port)
    keyboard = screen.page.keyboard
    dealer = Dealer(screen, hands=hands)
    dealer.to("wagers")
    hands.load_shoe()
    screen.place_bet("1/low")
    dealer.to("confirm")
    screen.page.locator("[data-kind=confirm]").focus()
    before = len(screen.posted)
    for _ in range(5):
        keyboard.down("Enter")  # again and again, as long as it is not let go
        screen.drawn()
    screen.see(STEP, "claims")
    keyboard.down("Enter")
    keyboard.up("Enter")
    screen.caught_up()
    assert screen.posted[before:] == [["confirm"]]

    step = screen.step
    keyboard.press("g")
    screen.on_from(step)
    assert screen.at[1] == "wagers" and screen.has(".answers [data-key=G][data-guarded]")
    keyboard.press("g")
    screen.caught_up()
    assert screen.posted[before + 1 :] == [["close_claims", "begin_round"]]
    keyboard.press("l")
    screen.see(
        "() => document.querySelector('.prompt .refusal') || document.querySelector('[data-step-kind=announce]')"
    )
    assert screen.posted[before + 2 :] == [["lock_in"]]
    screen.close()


def test_six_keys_in_a_second_all_count(browser: Browser, table: tuple[Hands, Daemon]) -> None:
    screen = Pressing(browser, table[0].port)
    Dealer(screen, hands=table[0]).to("wagers")
    screen.tap("[data-any]")
    screen.press(screen.middle("dialog [data-digit='2']"), 6, SIX_KEYS_SECONDS / 6)
    screen.drawn()
    assert screen.text("dialog .numberpad .value") == "2,222.22"
    screen.tap("dialog .close")
    screen.close()

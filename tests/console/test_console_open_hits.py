"""2025, 8.º 6): a hit on the screen: what is paid now, and two persons who pay it or record its cards in one sheet."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.console.gates import PINS
from tests.console.hands import Hands
from tests.console.tapping import Dealer, Tapping
from tests.console.with_pins import logs_in, pin_screen, pin_table, signs, table_seen_by
from tests.games import FORTUNE_3_2025
from tests.station.processes import Daemon
from tests.station.screen import get_table

# Seat 1, the bank, then one for the rack and the community: a straight flush at seat 1.
STACK = "9s 8s 7s Kh Qd 5c 3h 6s 5s"
MOST_TAPS = 12


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[Hands, Daemon]]:
    """A table of 2025 that asks for PINs."""
    with pin_table(tmp_path, FORTUNE_3_2025, "shuffler", STACK) as running:
        yield running


def won(screen: Tapping, hands: Hands) -> Dealer:
    """Ana alone is logged in, and seat 1 has won of the pot; the settlement is open."""
    logs_in(screen, "ana")
    dealer = Dealer(screen, hands=hands, by_machine=True)
    dealer.to("wagers")
    screen.place_bet("1/ante")
    hands.chip(1)
    screen.see("() => document.querySelector('[data-seat=\"1\"] .slot.placed')")
    dealer.to("confirm")
    return dealer


def test_art_8_6_a_hit_is_paid_in_one_sheet_with_two_pins_and_few_taps(
    browser: Browser, table: tuple[Hands, Daemon]
) -> None:
    hands, daemon = table
    with pin_screen(browser, hands) as screen:
        dealer = won(screen, hands)
        payout = get_table(daemon.address)["round"]["payouts"]["1"]
        assert payout["now"] == 70_000 and payout["later"] > 0
        now, later = screen.page.locator("[data-seat='1'] .net").inner_text().splitlines()
        assert (now, later[-6:]) == ("+700", " later")
        text = screen.text(".prompt .next")
        assert "Seat 1: pay 700.00 now. Jackpot " in text and "after the round, with a supervisor." in text
        dealer.to("claims")
        assert screen.page.locator("[data-kind=close_claims]").is_disabled()
        screen.taps, pins = 0, 0
        screen.tap("[data-prize]")
        screen.tap("dialog [data-sign='hit/1']")
        for name in ("ana", "rui"):
            signs(screen, name, PINS[name])
            pins += 1
        screen.see("() => !document.querySelector('dialog [data-waiting]')")
        screen.tap("dialog .close")
        assert screen.taps <= MOST_TAPS and pins == 2
        print(f"a hit is paid with {screen.taps} taps beside the PIN pads, {pins} PINs and one sheet")
        [hit] = table_seen_by(daemon.address, "rui")["jackpot"]["hits"]
        assert (hit["state"], hit["confirmed_by"]) == ("paid", ["ana", "rui"])
        assert screen.text(".person .name") == "ana", "the supervisor is not logged in here"
        screen.see("() => !document.querySelector('[data-kind=close_claims]').disabled")
        screen.see("() => !document.querySelector('[data-seat=\"1\"] .net .later')")


def test_art_8_6_two_persons_record_the_cards_in_one_sheet_and_the_hit_is_paid_later(
    browser: Browser, table: tuple[Hands, Daemon]
) -> None:
    hands, daemon = table
    with pin_screen(browser, hands) as screen:
        dealer = won(screen, hands)
        dealer.to("claims")
        screen.tap("[data-prize]")
        assert "until a supervisor and a second person record that they saw them" in screen.text("[data-witness]")
        screen.tap("dialog [data-sign=witness]")
        signs(screen, "rui", PINS["mei"])
        screen.see("() => document.querySelector('.signing h3')?.innerText.includes('ana')")
        signs(screen, "ana", PINS["ana"])
        screen.see("() => document.querySelector('.signing .refusal')?.innerText === 'Name or PIN is wrong.'")
        signs(screen, "rui", PINS["rui"])
        screen.see("() => !document.querySelector('dialog [data-witness]')")
        assert "cards seen by rui, ana" in screen.text("dialog [data-waiting='1']")
        screen.tap("dialog .close")
        hands.chip(1, there=False)
        dealer.to("begin")
        assert screen.text(".prompt .next").endswith("Not paid yet: hit 1.")
        dealer.to("wagers")
        screen.tap("[data-sheet=jackpot]")
        screen.tap("dialog [data-sign='hit/1']")
        signs(screen, "ana", PINS["ana"])
        signs(screen, "rui", PINS["rui"])
        screen.see("() => document.querySelector('dialog .hits [data-hit=\"1\"]')")
        [hit] = table_seen_by(daemon.address, "rui")["jackpot"]["hits"]
        assert (hit["state"], hit["round"], hit["witnessed_by"]) == ("paid", 1, ["rui", "ana"])

"""Changes after their moment and hits of 2025: what waits is approved, paid or witnessed in one sheet with PINs."""

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

# Seats 1 and 2, the bank, one for the rack and the community.
CHANGED_STACK = "2h 3d 7c Qs Js Ts 2s 4d 6h 3h 9c 8d"


@pytest.fixture(scope="module")
def changed_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Hands, Daemon]]:
    """A table of 2025 that asks for PINs."""
    with pin_table(tmp_path_factory.mktemp("changes"), FORTUNE_3_2025, "shuffler", CHANGED_STACK) as running:
        yield running


@pytest.fixture(scope="module")
def screen(browser: Browser, changed_table: tuple[Hands, Daemon]) -> Iterator[Tapping]:
    """A screen on which ana has logged in."""
    with pin_screen(browser, changed_table[0]) as screen:
        logs_in(screen, "ana")
        yield screen


def settled_with_a_fold(screen: Tapping, hands: Hands) -> Dealer:
    """Ana deals: seat 1 plays, seat 2 is entered as folded; the settlement is open."""
    dealer = Dealer(screen, hands=hands, by_machine=True)
    dealer.to("wagers")
    screen.place_bet("1/ante", "2/ante")
    dealer.to("decisions")
    screen.tap("[data-decide='2/fold']")
    screen.see("() => !document.querySelector(\"[data-decide='2/fold']\")")
    dealer.to("confirm")
    return dealer


def corrects(screen: Tapping, seat: int, decision: str) -> None:
    """The dealer enters another decision of a seat, from the seat, without a reason."""
    screen.tap(f"[data-seat='{seat}'] .head")
    now = screen.text("dialog p:has([data-correct-decision]) b")
    other = screen.text(f"dialog [data-correct-decision={decision}]")
    screen.tap(f"dialog [data-correct-decision={decision}]")
    assert screen.text("dialog .before-after") == f"Entered now: {now} · Corrected to: {other}"
    screen.tap("dialog [data-kind=correct_decision]")
    screen.see("() => document.querySelector('.answers [data-changes]') && !document.querySelector('dialog')")


def test_art_12_2_what_the_dealer_corrects_after_the_bank_is_open_waits_for_a_supervisor(
    screen: Tapping, changed_table: tuple[Hands, Daemon]
) -> None:
    hands, daemon = changed_table
    dealer = settled_with_a_fold(screen, hands)
    before = get_table(daemon.address)["round"]
    corrects(screen, 2, "play")
    waiting = get_table(daemon.address)["round"]
    assert (waiting["decisions"], waiting["settlement"]) == (before["decisions"], before["settlement"])
    assert screen.page.locator("[data-kind=confirm]").is_disabled(), "the round waits"
    screen.taps = 0
    screen.tap(".answers [data-changes]")
    assert "fold" in screen.text("[data-change='1']").lower() and "→" in screen.text("[data-change='1']")
    assert "after the result was open" in screen.text("[data-change='1']")
    assert screen.page.locator("[data-sign=changes]").is_disabled(), "a supervisor gives a reason"
    screen.tap("dialog .reason button")
    screen.tap("dialog [data-sign=changes]")
    signs(screen, "rui", PINS["mei"])
    screen.see("() => document.querySelector('.signing .refusal')?.innerText === 'Name or PIN is wrong.'")
    signs(screen, "rui", PINS["rui"])
    screen.see("() => !document.querySelector('dialog') && !document.querySelector('[data-changes]')")
    assert screen.taps == 3, "beside the PIN pads"
    now = table_seen_by(daemon.address, "rui")["round"]
    assert now["decisions"]["2"] == "play" and now["settlement"] != before["settlement"]
    assert [(made["actor"], made["approved_by"], made["after_result"]) for made in now["corrections"]] == [
        ("ana", ["rui"], True)
    ]
    dealer.to("claims")


def test_art_10_3_a_bet_that_appears_afterwards_takes_two_persons(
    screen: Tapping, changed_table: tuple[Hands, Daemon]
) -> None:
    hands, daemon = changed_table
    dealer = settled_with_a_fold(screen, hands)
    screen.tap("[data-sheet=correct]")
    screen.tap("dialog [data-form=correct_wager]")
    screen.tap("dialog .choose [data-value='1']")
    screen.tap("dialog .choose [data-value=pair_plus]")
    for digit in "10000":
        screen.tap(f"dialog .numberpad [data-digit='{digit}']")
    screen.tap("dialog .numberpad .main")
    screen.tap("dialog [data-kind=correct_wager]")
    screen.see("() => document.querySelector('.answers [data-changes]') && !document.querySelector('dialog')")
    screen.tap(".answers [data-changes]")
    screen.tap("dialog .reason button")
    assert "a second person" in screen.text("[data-sign=changes]")
    screen.tap("dialog [data-sign=changes]")
    signs(screen, "rui", PINS["rui"])
    signs(screen, "ana", PINS["ana"])
    screen.see("() => !document.querySelector('dialog') && !document.querySelector('[data-changes]')")
    [made] = table_seen_by(daemon.address, "rui")["round"]["corrections"]
    assert made["approved_by"] == ["rui", "ana"] and made["wager"] == "pair_plus"
    dealer.to("claims")


def test_the_dealer_withdraws_what_waits_and_confirms_the_round_alone(
    screen: Tapping, changed_table: tuple[Hands, Daemon]
) -> None:
    hands, daemon = changed_table
    dealer = settled_with_a_fold(screen, hands)
    before = get_table(daemon.address)["round"]
    corrects(screen, 2, "play")
    screen.tap(".answers [data-changes]")
    screen.tap("dialog [data-reject='1']")
    screen.see("() => !document.querySelector('.answers [data-changes]')")
    screen.tap("dialog .close")
    assert get_table(daemon.address)["round"]["settlement"] == before["settlement"]
    dealer.to("claims")


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

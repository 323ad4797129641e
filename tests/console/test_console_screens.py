"""The screens of one table: languages, a second screen, a killed daemon, keys and names, and what stays hidden."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from simulators.station_toml import FORTUNE_3_2025
from tests.console.hands import Hands, at_a_table
from tests.console.tapping import PHONE, Dealer, Tapping
from tests.station.processes import Daemon, ended_at_last
from tests.station.screen import Stream, get_table, request

STACK = "9s 8s 7h 2c 2d Kh Qd 5c 3h 4c 6s 5s"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Hands, Daemon]]:
    """A station of 2025 with its shuffler, and nobody who plays."""
    with at_a_table(tmp_path_factory.mktemp("screens"), FORTUNE_3_2025, "shuffler", STACK) as hands:
        daemon = Daemon(hands.config, ("127.0.0.1", hands.port))
        with ended_at_last(daemon):
            daemon.start()
            daemon.wait_answering()
            yield hands, daemon


def test_no_card_is_anywhere_before_it_is_shown_and_a_killed_daemon_comes_back_into_the_same_round(
    browser: Browser, table: tuple[Hands, Daemon]
) -> None:
    hands, daemon = table
    streamed: list[bytes] = []
    stream = Stream(daemon.address, streamed.append)
    first, second = Tapping(browser, hands.port), Tapping(browser, hands.port, PHONE, "pt-PT")
    try:
        dealer = Dealer(first, hands=hands, by_machine=True)
        dealer.to("wagers")
        first.lay("1/ante", "4/ante")
        second.see("() => document.querySelector('[data-space=\"4/ante\"] .stake').innerText === '100'")
        dealer.to("decisions")
        second.see("() => document.querySelector('[data-step-kind=decisions]')")

        daemon.kill()
        first.see("() => document.querySelector('.console.away')")
        daemon.start()
        daemon.wait_answering()
        first.see("() => document.querySelector('.console.live')")
        second.see("() => document.querySelector('.console.live')")
        assert first.at[1] == "decisions"
        first.complaints = [text for text in first.complaints if "ERR_" not in text]  # the browser tells of the outage
        second.complaints = [text for text in second.complaints if "ERR_" not in text]

        dealer.to("reveal")
        bodies = [request(daemon.address, "GET", path)[1] for path in ("/table", "/setting", "/rounds", "/metrics")]
        seen = b"".join([*streamed, *bodies, first.page.content().encode(), second.page.content().encode()])
        hidden = [card.encode() for card in STACK.split()]
        assert not [card for card in hidden if re.search(rb"\b" + card + rb"\b", seen)]
        names = first.page.locator(".felt .card").evaluate_all("all => all.map(card => card.ariaLabel)")
        assert len(names) == 9 and set(names) == {"Card face down"}
        dealer.to("confirm")
        assert first.page.locator(".felt .card:not(.back)").count() == 9
        dealer.to("begin")
        for one in (first, second):
            one.see("() => !document.querySelector('.felt .card')")
    finally:
        stream.close()
        first.close()
        second.close()


def test_the_language_is_switched_at_once_amounts_and_refusals_too(
    browser: Browser, table: tuple[Hands, Daemon]
) -> None:
    screen = Tapping(browser, table[0].port)
    Dealer(screen, hands=table[0], by_machine=True).to("wagers")
    screen.tap("[data-language=pt]")
    assert screen.page.get_attribute("html", "lang") == "pt" and "Aceite as apostas" in screen.text(".next")
    assert "600\u202f" in screen.text(".pot .amount") and ",00" in screen.text(".pot .amount")
    screen.tap(".tray .chip:first-child")
    screen.lay("2/ante")
    assert "fora dos limites 100 a 10\u202f000" in screen.text(".refusal") and "10.º 1)" in screen.text(".refusal")
    assert screen.has("[data-space='2/ante'].refused")
    screen.tap("[data-language=zh]")
    assert screen.page.get_attribute("html", "lang") == "zh-Hant-MO"
    assert screen.text(".next").startswith("接受投注") and "原注 50不在限額100至10,000之內" in screen.text(".refusal")
    screen.lay("2/ante")
    assert screen.has("[data-space='2/ante'].laid") and screen.text("[data-space='2/ante'] .stake") == "100"
    screen.tap(".tray button:last-child")
    screen.see("() => document.querySelector('[data-space=\"2/ante\"].refused')")
    screen.tap(".tray button:last-child")
    screen.see("() => !document.querySelector('[data-space=\"2/ante\"].full')")
    screen.page.reload()
    screen.page.wait_for_selector("[data-step]")
    assert screen.page.get_attribute("html", "lang") == "zh-Hant-MO"
    screen.close()


def test_it_is_worked_by_keys_alone_and_every_control_has_a_name(browser: Browser, table: tuple[Hands, Daemon]) -> None:
    screen = Tapping(browser, table[0].port)
    page = screen.page
    for sheet in ("report", "correct", "rounds", "devices", "jackpot"):
        page.locator(f"[data-sheet={sheet}]").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog[open]")
        named = "all => all.every(one => (one.ariaLabel || one.innerText || one.placeholder || '').trim())"
        assert page.locator("button, input").evaluate_all(named), sheet
        assert page.evaluate("document.activeElement.closest('dialog') !== null")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
    assert page.get_attribute(".next", "aria-live") == "polite"
    page.locator(".person").focus()
    page.keyboard.press("Enter")
    page.locator("dialog .choice").nth(1).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".person[data-role=supervisor]")
    screen.close()


def test_a_supervisor_breaks_a_round_off_and_a_dealer_is_told_why_he_may_not(
    browser: Browser, table: tuple[Hands, Daemon]
) -> None:
    hands, daemon = table
    screen = Tapping(browser, hands.port)
    dealer = Dealer(screen, hands=hands, by_machine=True)
    dealer.to("wagers")
    screen.lay("3/ante")
    dealer.to("decisions")
    screen.tap("[data-sheet=correct]")
    screen.tap("[data-form=correct_wager]")
    for choice in ("3", "ante"):
        screen.tap(f"dialog [data-value='{choice}']")
    for digit in "20000":
        screen.tap(f"dialog [data-digit='{digit}']")
    screen.tap("dialog .numberpad .main")
    screen.tap("dialog .reason .plain")
    screen.tap("dialog [data-kind=correct_wager]")
    screen.see("() => document.querySelector('[data-seat=\"3\"] .stakes').innerText === 'Ante 200'")
    screen.tap("[data-sheet=correct]")
    assert "100.00 → 200.00 · ana · Keyed in wrongly" in screen.text("dialog .record")
    screen.tap("dialog .close")
    screen.tap("[data-sheet=report]")
    assert "Only a supervisor" in screen.text("dialog") and screen.page.locator("[data-form=void_round]").is_disabled()
    screen.tap("dialog .close")
    screen.tap(".person")
    screen.tap("dialog .choice:has-text('rui')")
    screen.tap("[data-sheet=report]")
    screen.tap("[data-form=void_round]")
    screen.tap("dialog .reason .plain")
    screen.tap("dialog [data-kind=void_round]")
    screen.see("() => document.querySelector('[data-step-kind=confirm]')")
    assert get_table(daemon.address)["round"]["void"]["article"] == "policy: supervisor's void"
    dealer.to("begin")
    before = get_table(daemon.address)["jackpot"]["pot"]
    screen.tap("[data-sheet=correct]")
    screen.tap("[data-form=adjust_meter]")
    screen.tap("dialog [data-value=pot]")
    for digit in "125":
        screen.tap(f"dialog [data-digit='{digit}']")
    screen.tap("dialog .numberpad .main")
    screen.tap("dialog [data-value=ana]")
    screen.tap("dialog .reason .plain")
    screen.tap("dialog [data-kind=adjust_meter]")
    screen.see("() => !document.querySelector('dialog')")
    assert get_table(daemon.address)["jackpot"]["pot"] == before + 125
    screen.tap("[data-sheet=rounds]")
    screen.tap("dialog .rounds tr:first-child button")
    assert "Keyed in wrongly" in screen.text("dialog") and "200.00" in screen.text("dialog .lines")
    screen.tap("dialog .close")
    screen.close()


@pytest.mark.parametrize("size", [PHONE, {"width": 360, "height": 640}, {"width": 1280, "height": 800}], ids=str)
def test_nothing_is_wider_than_the_screen(browser: Browser, table: tuple[Hands, Daemon], size: dict[str, int]) -> None:
    screen = Tapping(browser, table[0].port, size)
    assert screen.too_wide() == {}
    screen.close()

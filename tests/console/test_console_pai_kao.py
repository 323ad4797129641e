"""Rounds of Taiwan-Pai Kao by tapping alone, at a real station without a tile reader."""

import re
from pathlib import Path

from playwright.sync_api import Browser

from tests.console.hands import at_a_table
from tests.console.tapping import PHONE, Dealer, Tapping
from tests.console.test_console_rounds import minor_units
from tests.games import TAIWAN_PAI_KAO
from tests.station.processes import Daemon, ended_at_last
from tests.station.screen import get_table

# The banker's place 1 first, then 3 to 8 and 2 as the dice want it; the bank loses to every pair.
EIGHT = (
    "6-1 6-3 5-1 5-4 5-5 5-5 3-3 3-3 2-2 2-2 6-5 6-5 4-4 4-4 3-1 3-1 "
    "6-4 6-4 6-1 5-1 5-3 6-2 5-2 4-3 6-6 6-6 1-1 1-1 4-1 3-2 4-2 2-1 "
)
# The banker's place 1 first, then 2 to 4 as the dice want it; place 2 has placed its higher pair in front.
FOUR = "6-5 4-2 3-1 3-1 6-6 6-6 2-2 4-1 6-4 5-3 5-5 5-5 2-1 5-1 4-4 4-4"


def round_with_eight_places(screen: Tapping, dealer: Dealer, daemon: Daemon) -> None:
    """Tap a round with all places through; whatever is reported of it is reported of places and tiles."""
    screen.answer("[data-fields*=eight_places]")
    dealer.to("wagers")
    screen.place_bet("8/place", "5/place")
    dealer.to("reveal")
    for sheet in ("report", "correct"):
        screen.tap(f"[data-sheet={sheet}]")
        for form in screen.page.locator("dialog [data-form]:enabled").evaluate_all(
            "all => all.map(part => part.dataset.form)"
        ):
            screen.tap(f"dialog [data-form={form}]")
            assert not re.search(r"\b(card|seat)s?\b", screen.text("dialog"), re.IGNORECASE), form
            screen.tap("dialog .back")
        screen.tap("dialog .close")
    dealer.to("confirm")
    assert screen.page.locator(".felt .pair .tile:not(.back)").count() == 32
    settled = get_table(daemon.address)["round"]["settlement"]
    nets = {seat["seat"]: seat["net"] for seat in settled["seats"]}
    for place in (5, 8):
        net = nets[place]
        assert minor_units(screen.text(f"[data-seat='{place}'] .net")) == net > 0
    assert settled["bank"]["net"] < 0
    assert screen.too_wide() == {}


def test_a_round_with_eight_places_and_one_with_four_are_tapped_through_from_the_bank_to_the_other_tiles(
    browser: Browser, tmp_path: Path
) -> None:
    with at_a_table(tmp_path, TAIWAN_PAI_KAO, "hand") as hands:
        daemon = Daemon(hands.config, ("127.0.0.1", hands.port))
    with ended_at_last(daemon):
        daemon.start()
        daemon.wait_answering()
        screen = Tapping(browser, hands.port, PHONE)
        dealer = Dealer(screen, EIGHT + FOUR)
        dealer.to("announce")
        assert screen.page.locator("[data-seat]").count() == 8
        round_with_eight_places(screen, dealer, daemon)
        dealer.to("announce")
        screen.answer("[data-fields*=four_places]")
        assert screen.page.locator("[data-seat]").count() == 4
        dealer.to("bank")
        assert screen.page.is_disabled(".takes .numberpad .main"), "no capital is proposed: a banker chooses it"
        assert "as before" in screen.text("[data-kind=take_bank-again]")
        screen.answer("[data-kind=take_bank-again]")
        dealer.to("wagers")
        screen.place_bet("2/place", "3/place")
        screen.tap(".players button:text-is('B')")
        screen.place_bet("2/place", "2/place", "1/place")
        assert "B has a wager on another place (5.º e))" in screen.text(".refusal")
        assert screen.page.is_disabled("[data-kind=lock_in]")
        screen.tap("[data-given-back='1/place']")
        screen.tap(".players button:text-is('C')")
        screen.place_bet("1/place")
        assert "B 200 holds the tiles" in screen.text("[data-seat='2'] .bettors").replace("\n", " ")
        assert "Capital 10,000" in screen.text("[data-seat='1'] .bettors").replace("\n", " ")

        screen.tap("[data-moved]")
        screen.tap("dialog [data-value='seat 3']")
        screen.tap("dialog [data-kind=tiles_moved]")
        screen.page.wait_for_selector("dialog", state="detached")
        dealer.to("dice")
        screen.answer("[data-kind=dice_null]")
        screen.throw("1111")
        screen.see("() => document.querySelector('[data-step-kind=deal]')")
        assert "Order of the tiles changed: Place 3" in screen.text(".middle")
        assert "Void throws: 1" in screen.text(".middle")

        dealer.to("arrange")
        assert screen.page.locator(".felt .tile.back").count() == 16
        screen.tap("[data-sheet=correct]")
        screen.tap("dialog [data-form=correct_dice]")
        screen.throw("1152")
        screen.tap("dialog .reason button")
        screen.tap("dialog [data-kind=correct_dice]")
        screen.page.wait_for_selector("dialog", state="detached")
        assert get_table(daemon.address)["round"]["dice"] == [1, 1, 5, 2]

        dealer.to("confirm")
        round = get_table(daemon.address)["round"]
        assert round["order"] == [2, 3, 4] and round["pairs"]["seat 2"]["rearranged"]
        assert screen.text("[data-seat='2'] [data-pair=rear] b") == "Pair"
        assert screen.text("[data-seat='2'] [data-pair=rear] .title") == "Seong Tin"
        assert screen.text("[data-seat='2'] .corrected") == "corrected (6.º b))"
        settled = round["settlement"]
        nets = {seat["seat"]: seat["net"] for seat in settled["seats"]}
        assert nets[1] == settled["bank"]["net"] < 0 == nets[3] < nets[2]
        for place, net in nets.items() - {(4, nets[4])}:  # no one bet there
            assert minor_units(screen.text(f"[data-seat='{place}'] .net")) == net
        assert minor_units(screen.text(".answers .total b")) == sum(
            line["commission"] for seat in settled["seats"] for line in seat["lines"]
        )
        assert screen.too_wide() == {}
        screen.tap("[data-seat='2'] .head")
        assert "Commission" in screen.text("dialog .lines") and "Seong Tin" in screen.text("dialog")
        screen.tap("dialog .close")

        dealer.to("bank")
        assert dealer.kinds[-3:] == ["confirm", "claims", "begin"]
        assert screen.page.locator(".used .tile").count() == 16
        screen.tap("[data-sheet=rounds]")
        screen.tap("dialog .rounds button")
        screen.see("() => document.querySelectorAll('dialog .shown .tile').length === 16")
        assert "NaN" not in screen.text("dialog")
        screen.tap("dialog .close")
        screen.close()

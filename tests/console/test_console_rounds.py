"""A whole round of each game, by tapping alone, at a real station."""

import json
import re
from decimal import Decimal
from io import BytesIO
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, Page

from tests.console.hands import at_a_station, at_a_table
from tests.console.layout import NOTHING_WRONG, answers_outside, faults_of_layout
from tests.console.tapping import PHONE, Dealer, Tapping
from tests.games import BLACKJACK_21, FORTUNE_3_2008, FORTUNE_3_2025, FORTUNE_8
from tests.station.processes import Daemon, ended_at_last
from tests.station.screen import get_table, request


def sheets_of_paper(page: Page, **paper: str) -> int:
    """How many pages the printer would take."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(**paper)))  # type: ignore[arg-type]


def hit_is_found(screen: Tapping, *words: str) -> None:
    """The one hit paid is found by each of these, and by nothing else."""
    for wanted in words:
        screen.find(wanted)
        assert screen.page.locator(".hits tr").count() == 1, wanted
    screen.find("slip 2")
    assert not screen.has(".hits tr")
    screen.find("")


def act_as(screen: Tapping, person: str) -> None:
    """Someone else acts at this screen."""
    screen.tap(".person")
    screen.tap(f"dialog .choice:has-text('{person}')")


def confirm_hit(screen: Tapping) -> None:
    """The one hit is paid: ana and the only supervisor sign."""
    act_as(screen, "ana")
    screen.tap("[data-sheet=jackpot]")
    sign_hit(screen, 1)
    screen.tap("dialog .close")
    act_as(screen, "rui")


def sign_hit(screen: Tapping, hit: int) -> None:
    """Two persons sign the payment in the open sheet, at a table without PINs."""
    screen.page.locator(f"dialog [data-sign='hit/{hit}']").dblclick()
    screen.drawn()
    assert screen.has(f"dialog [data-waiting='{hit}'] [data-sign-done][data-guarded]"), "a double click pays nothing"
    assert "PINs are off: this button signs for ana + rui." in screen.text("dialog")
    screen.tap("dialog [data-sign-done]")
    screen.see("hit => !document.querySelector(`dialog [data-waiting='${hit}']`)", hit)


def looks_at_picture(screen: Tapping) -> None:
    """The felt as it was, with cards and bets; alone on one sheet of paper."""
    screen.tap("dialog [data-picture]")
    assert screen.page.locator(".picture [data-place='4'] .card:not(.back)").count() == 3
    assert screen.page.locator(".picture .house .card").count() >= 3, "those of the bank"
    assert "Ante" in screen.text(".picture [data-place='4'] ul")
    complaint = screen.page.locator(".picture .complaints li").all_inner_texts()
    assert [line.split(" · ")[:3] for line in complaint] == [
        ["Complaint 1", "Seat 4", "Error in the count"],
        ["Complaint 1", "Seat 4", "The result is unchanged"],
    ]
    assert faults_of_layout(screen.page, ".picture") == NOTHING_WRONG
    screen.page.emulate_media(media="print")
    assert not screen.page.locator(".top, .felt, .prompt, .slip-tools, dialog > header").filter(visible=True).count()
    assert sheets_of_paper(screen.page, format="A4") == 1
    screen.page.emulate_media(media="screen")
    screen.tap("dialog .back")


def minor_units(text: str) -> int:
    """An amount as the English screen shows it."""
    return int(Decimal(text.replace(",", "").replace("−", "-")) * 100)


def test_a_round_of_2025_from_the_shuffler_with_a_jackpot_hit_paid_by_two_persons(
    browser: Browser, tmp_path: Path
) -> None:
    # Seat 1, seat 4, the bank, then one for the rack and the community: a straight flush at seat 1.
    stack = "9s 8s 7s 2c 2d Kh Qd 5c 3h 4c 6s 5s"
    with at_a_station(tmp_path, FORTUNE_3_2025, "shuffler", stack) as (hands, daemon):
        screen = Tapping(browser, hands.port)
        dealer = Dealer(screen, hands=hands, by_machine=True)
        dealer.to("wagers")
        screen.place_bet("1/ante", "4/ante", "4/pair_plus", "4/pair_plus", "4/six_card_bonus")
        hands.chip(1)
        screen.see("() => document.querySelector('[data-seat=\"1\"] .slot.placed')")
        dealer.to("decisions")
        assert "card back" in screen.page.inner_html("[data-seat='1'] .cards")
        assert not screen.has(".felt .card:not(.back) b")
        dealer.to("confirm")
        assert screen.text("[data-space='4/pair_plus']").split() == ["Pair", "Plus", "200", "+200"]
        screen.tap("[data-seat='4'] .head")
        assert "16.º 1 5)" in screen.text("dialog .lines")
        screen.tap("dialog [data-correct=pair_plus]")
        assert screen.text("dialog .set >> nth=0").startswith("200.00"), "what is there, to be changed"
        assert screen.text("dialog .choose [aria-pressed=true] >> nth=0") == "4"
        screen.tap("dialog .close")
        dealer.to("claims")
        hit = get_table(daemon.address)["jackpot"]["hits"][0]
        assert hit["tier"] == "straight_flush" and hit["state"] == "payable"
        screen.see("() => document.querySelector('[data-sheet=jackpot] .badge')?.innerText.startsWith('1')")
        confirm_hit(screen)
        assert get_table(daemon.address)["jackpot"]["hits"][0]["confirmed_by"] == ["ana", "rui"]
        assert not screen.has("[data-sheet=jackpot] .badge")
        screen.tap("[data-sheet=jackpot]")
        for shown in screen.page.locator(".hits tr > *").all_inner_texts():
            hit_is_found(screen, *filter(None, shown.splitlines()))
        hit_is_found(screen, "9s", "nine of spades", hit["article"], "rui")
        screen.tap(f"dialog [data-slip-of='{hit['hit']}']")
        screen.tap("[data-slip-language=pt]")
        slip = json.loads(request(daemon.address, "GET", "/slips/1")[1])
        paper = screen.text(".slip")
        assert screen.page.get_attribute("html", "lang") == "en" != screen.page.get_attribute(".slip", "lang")
        assert re.search(r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC\+08:00", paper) and " UTC\n" not in paper
        assert (
            slip["words"]["pt"][1:] in paper
            and "SIMULAÇÃO" in paper
            and f"{slip['journal']} / {slip['event']}" in paper
        )
        drawn = Image.open(BytesIO(screen.page.locator(".slip svg").screenshot()))
        [code] = zxingcpp.read_barcodes(drawn, formats=zxingcpp.barcode_formats_from_str("QRCode"))
        assert code.text == slip["code"]["text"], "as a phone reads it"
        assert screen.text(".slip .figures").replace("\u202f", "").replace(",", "").endswith(f" {slip['amount']}")
        screen.page.evaluate("() => { window.print = () => {}; }")  # its dialogue would still be printing below
        for times in (1, 2):
            screen.tap("[data-print]")
            screen.see("n => document.querySelector('.slip-tools').innerText.includes(`so far: ${n}`)", times)
        screen.see("() => /2.ª VIA · rui/.test(document.querySelector('.slip .copy')?.innerText)")
        screen.page.emulate_media(media="print")
        assert screen.page.locator(".slip").is_visible()
        assert (
            not screen.page.locator(".top, .felt, .prompt, .slip-tools, dialog > header").filter(visible=True).count()
        )
        screen.page.emulate_media(media="screen")
        assert sheets_of_paper(screen.page, format="A4") == 1
        assert sheets_of_paper(screen.page, width="80mm", height="265mm") == 1, "set smaller on a roll"
        screen.tap("dialog .close")
        report(screen, "complaint", "[data-value='4']", ".reason button:text-is('Error in the count')")
        report(screen, "decide_complaint", "[data-value=unchanged]", ".reason .plain")
        dealer.to("begin")
        screen.tap("[data-sheet=rounds]")
        read_figures(screen)
        search_rounds(screen)
        screen.tap("dialog .rounds button")
        assert "Complaints of this round" in screen.text("dialog .round")
        looks_at_picture(screen)
        screen.tap("dialog [data-adjust='4']")
        assert "Round 1" in screen.text("dialog .set")
        assert screen.text("dialog .choose [aria-pressed=true] >> nth=0") == "4"
        assert not screen.page.locator("dialog .numberpad .value").inner_text().strip("0., –"), "no proposed money"
        screen.tap("dialog .close")
        screen.tap("[data-sheet=rounds]")
        screen.tap("dialog .rounds button")
        screen.tap("dialog [data-release]")
        assert "Round 1" in screen.text("dialog .set")
        screen.tap("dialog [data-value=ana]")
        screen.tap("dialog .reason .plain")
        screen.tap("dialog [data-kind=release_key]")
        screen.see("() => !document.querySelector('dialog')")
        screen.tap("[data-sheet=rounds]")
        screen.tap("dialog .rounds button")
        screen.see("() => document.querySelector('dialog .round').innerText.includes('Card key released: rui, ana')")
        assert not screen.has("dialog [data-release]")
        screen.tap("dialog .close")
        screen.close()


def test_the_hits_of_a_round_are_offered_in_their_order_and_a_misdeal_waits_for_a_supervisor(
    browser: Browser, tmp_path: Path
) -> None:
    # Seat 1, seat 4, the bank, then one for the rack and the community: a royal flush and a straight flush.
    stack = "As Ks Qs 9s 8s 7s Qd 5c 3h 4c Js Ts"
    with at_a_station(tmp_path, FORTUNE_3_2025, "shuffler", stack) as (hands, daemon):
        screen = Tapping(browser, hands.port)
        dealer = Dealer(screen, hands=hands, by_machine=True)
        dealer.to("wagers")
        screen.place_bet("1/ante", "4/ante")
        for seat in (1, 4):
            hands.chip(seat)
            screen.see(f"() => document.querySelector('[data-seat=\"{seat}\"] .slot.placed')")
        dealer.to("confirm")
        screen.tap("[data-sheet=report]")
        screen.tap("[data-form=misdealt]")
        screen.tap("dialog [data-value=order]")
        screen.tap("dialog [data-kind=misdealt]")
        screen.see("() => document.querySelector('.answers [data-changes]') && !document.querySelector('dialog')")
        screen.tap(".answers [data-changes]")
        change = screen.text("[data-change='1']")
        assert "Misdeal" in change and "Players in total\t+601,397 → 0" in change
        screen.tap("dialog [data-reject='1']")
        screen.see("() => !document.querySelector('.answers [data-changes]')")
        screen.tap("dialog .close")
        dealer.to("claims")
        assert screen.page.locator("[data-kind=close_claims]").is_disabled()
        assert "until two persons have recorded that they saw them (8.º 6))" in screen.text(".answers")
        screen.tap("[data-prize]")
        assert "hit 1 of seat 4 is paid before it (15.º 5)" in screen.text("dialog [data-waiting='2']")
        assert not screen.has("dialog [data-sign='hit/2']")
        for hit in (1, 2):
            sign_hit(screen, hit)
        screen.tap("dialog .close")
        screen.see("() => document.querySelector('[data-kind=close_claims]:enabled:not([aria-disabled])')")
        hits = get_table(daemon.address)["jackpot"]["hits"]
        assert [(hit["tier"], hit["slip"]) for hit in hits] == [("straight_flush", 1), ("royal_flush", 2)]
        screen.close()


def read_figures(screen: Tapping) -> None:
    """The trade's words and the four plots of today, as it is on the screen's clock."""
    screen.page.wait_for_selector("dialog .rounds thead")
    heads = screen.page.locator("dialog .rounds thead th").all_inner_texts()
    assert heads == ["Round", "Confirmed", "Seats", "By", "Win", "With jackpot"]
    screen.tap("[data-figures]")
    screen.see("() => document.querySelectorAll('.plot canvas').length === 4")
    heads = screen.page.locator("dialog .figures > .scrolling thead th").all_inner_texts()
    assert heads[1:] == [
        "Handle",
        "Win",
        "Hold",
        "Theoretical win",
        "Theoretical hold",
        "Expected",
        "Deviation from expectation",
    ]
    assert screen.text("dialog [data-wager=pair_plus] td >> nth=0") == "200"
    assert screen.text("dialog [data-wager=pair_plus] td >> nth=3") == "+14", "373/5525 of it, in whole units"
    assert "%" not in screen.text("dialog [data-wager=jackpot]"), "what it pays comes out of the pot"
    assert "σ" in screen.text("dialog [data-wager=total]") and "–" not in screen.text("dialog [data-wager=total]")
    rows = screen.page.locator("[data-pot-history] tbody tr").all_inner_texts()
    assert [row.split("\t")[1] for row in rows] == ["Jackpot hit", "Contributions, chips: 1", "Set at the start"]
    pots = [minor_units(row.split("\t")[3]) for row in rows]
    assert minor_units(rows[0].split("\t")[2]) == pots[0] - pots[1] < 0 < pots[1] - pots[2]
    screen.page.focus(".pot-history .scrolling")
    assert screen.violations() == []
    screen.tap("dialog .back")


def search_rounds(screen: Tapping) -> None:
    """A query that finds the round, one that finds none, and what is none, with what was expected."""
    screen.find("no such words")
    assert "Not among the rounds shown" in screen.text("dialog"), "while it is typed, and not sent"
    for query, found in (("net>100 prize:straight_flush", 1), ("seat:2", 0)):
        screen.page.fill("dialog [name=query]", query)
        screen.type("\n")
        screen.see("() => document.querySelector('dialog .read-to')?.innerText.includes('beginning')")
        assert screen.page.locator("dialog .rounds tbody tr").count() == found, query
    screen.page.fill("dialog [name=query]", "seat:four")
    screen.type("\n")
    screen.see("() => document.querySelector('dialog .refusal')?.innerText === 'seat wants a whole number, not four'")
    screen.page.fill("dialog [name=query]", "")
    screen.type("\n")
    screen.see("() => document.querySelectorAll('dialog .rounds tbody tr').length === 1")


CASES = [
    pytest.param(
        *(FORTUNE_3_2008, ("1/ante", "1/pair_plus", "6/ante"), "2c 3d 9h Ks Kd 4c 7h 8h 9c"),
        marks=pytest.mark.soak, id="2008",
    ),
    pytest.param(FORTUNE_8, ("1/low", "1/eight", "7/high", "7/high"), "2c 8d 9h Ks Kd 4c 7h", id="fortune-8"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "bets", "cards"), CASES)
def test_a_round_is_tapped_through_on_a_phone_whose_devices_are_all_away(
    browser: Browser, tmp_path: Path, game: str, bets: tuple[str, ...], cards: str
) -> None:
    with at_a_table(tmp_path, game, "shoe") as hands:
        hands_off = Daemon(hands.config, ("127.0.0.1", hands.port))
    with ended_at_last(hands_off):
        hands_off.start()
        hands_off.wait_answering()
        screen = Tapping(browser, hands.port, PHONE)
        dealer = Dealer(screen, cards)
        dealer.to("wagers")
        if game == FORTUNE_8:
            give_back_what_is_no_bet(screen)
        screen.place_bet(*bets)
        dealer.to("confirm")
        assert screen.violations() == []
        settled = get_table(hands_off.address)["round"]["settlement"]
        text = screen.text(f"[data-seat='{bets[-1][0]}'] .net").replace(",", "").replace("−", "-")
        assert int(text) * 100 == {seat["seat"]: seat["net"] for seat in settled["seats"]}[int(bets[-1][0])]
        if game == FORTUNE_8:
            read_who_is_paid(screen)
        dealer.to("begin")
        if game == FORTUNE_8:
            dealer.to("wagers")
            screen.tap("[data-repeat]")
            screen.place_bet()
            again = [(bet["seat"], bet["amount"]) for bet in get_table(hands_off.address)["round"]["bets"]]
            assert sorted(again) == [(1, 10000), (1, 10000), (1, 20000), (7, 20000)]
            screen.tap(".tray button:last-child")
            screen.place_bet()
            assert get_table(hands_off.address)["round"]["bets"] == [], "one tap placed them, and one takes them back"
        screen.close()


def give_back_what_is_no_bet(screen: Tapping) -> None:
    """Place chips below the minimum, named until they are given back; then B bets 200 beside someone unnamed."""
    for amount in ("2000", "20000"):
        screen.tap("[data-any]")
        for digit in amount:
            screen.tap(f"dialog [data-digit='{digit}']")
        screen.tap("dialog .numberpad .main")
        if amount == "2000":
            screen.place_bet("3/low")
            assert "Seat 3, L · 2–7: 0 counts. Give 20 back" in screen.text(".stack")
            assert screen.page.is_disabled("[data-kind=lock_in]")
            screen.tap("[data-given-back='3/low']")
            screen.see("() => !document.querySelector('.stack')")
            screen.see("() => document.querySelector('[data-kind=lock_in]:enabled:not([aria-disabled])')")
    screen.tap(".players button:text-is('B')")
    screen.place_bet("1/eight")
    screen.tap(".players button:first-of-type")
    screen.tap(".tray .chip:nth-child(2)")


def read_who_is_paid(screen: Tapping) -> None:
    """The felt has what each bettor is paid or loses, and the sheet their lines, with the sum last."""
    assert "B −200" in screen.text("[data-seat='1'] .bettors")
    screen.tap("[data-seat='1'] .head")
    lines = screen.page.locator("dialog .lines tbody th").all_inner_texts()
    assert [line[:3] for line in lines] == ["1. ", "2. ", "3. "] and "Fortune 8 · B" in "".join(lines)
    sums = screen.page.locator("dialog .lines tfoot tr").all_inner_texts()
    assert len(sums) == 3 and "B" in sums[1] and sums[2].startswith("Sum")
    screen.tap("dialog .close")


def report(screen: Tapping, form: str, *choices: str, authorised_by: str = "") -> None:
    """What is entered on the sheet of reports, with these taps of its form and who authorised it."""
    screen.tap("[data-sheet=report]")
    screen.tap(f"[data-form={form}]")
    for choice in choices:
        screen.tap(f"dialog {choice}")
    if authorised_by:
        screen.page.locator("dialog .reason input").nth(1).fill(authorised_by)
    screen.tap(f"dialog [data-kind={form}]")
    screen.see("() => !document.querySelector('dialog')")


def test_blackjack_rule_51_a_supervisor_enters_at_the_screen_who_cleared_a_jam(
    browser: Browser, tmp_path: Path
) -> None:
    with at_a_station(tmp_path, BLACKJACK_21, "shuffler") as (hands, daemon):
        screen = Tapping(browser, hands.port)
        screen.answer("[data-kind=open_table]")
        hands.jam()
        screen.see("() => document.body.textContent.includes('it is not entered by whom')")
        act_as(screen, "rui")
        screen.tap("[data-sheet=report]")
        screen.tap("[data-form=jam_cleared]")
        screen.tap("dialog [data-value=true]")
        assert screen.page.is_disabled("dialog [data-kind=jam_cleared]"), "without a name"
        screen.page.fill("dialog .reason input", "Mr. Lei")
        screen.tap("dialog [data-kind=jam_cleared]")
        screen.see("() => !document.querySelector('dialog')")
        open_now = {alarm["name"] for alarm in get_table(daemon.address)["alarms"] if not alarm["over"]}
        assert "clearing-not-entered" not in open_now
        screen.close()


def test_a_round_of_blackjack_from_the_shoe_with_a_hand_split_a_backers_prize_an_inspector_who_cuts_and_a_damaged_card(
    browser: Browser, tmp_path: Path
) -> None:
    # Burned, then seat 2, seat 5, the bank; twice. Seat 2 splits eights, its backer follows; two aces win at seat 5.
    stack = "2c 8s As 6d 8h Ad Td 3s Ts 2h 9d 4c"
    with at_a_station(tmp_path, BLACKJACK_21, "shoe", stack, marking="manual", inspector="eva") as (hands, daemon):
        screen = Tapping(browser, hands.port)
        dealer = Dealer(screen, hands=hands)
        dealer.to("cut")
        assert not screen.has("[data-kind=cut-eva]"), "it is the turn of seat 1"
        for _ in range(7):
            screen.answer("[data-kind=pass_cut]")
        assert screen.text("[data-kind=cut-eva]") == "eva cuts"
        screen.answer("[data-kind=cut-eva]")
        dealer.to("burn", "wagers")
        hands.load_shoe()
        dealer.to("wagers")
        screen.place_bet("2/bet", "5/bet")
        screen.tap(".players button:text-is('B')")
        screen.place_bet("2/backing", "5/backing", "5/jackpot")
        assert screen.text("[data-space='2/backing']").split() == ["Backing", "100"]
        dealer.to("increment")
        for digit in "350":
            screen.tap(f".numberpad [data-digit='{digit}']")
        screen.answer(".numberpad .main")
        dealer.to("ask")
        while "decide" not in screen.page.inner_html(".answers"):
            dealer.proceed()
        assert screen.page.locator("[data-kind=decide-stand]").is_enabled()
        assert "is not doubled" in screen.text(".answers")
        assert answers_outside(screen.page) == {}
        screen.answer("button[data-kind=decide-split]")
        assert screen.has("[data-kind=follow]")
        screen.tap(".answers .row button:text-is('No')")  # so that he has a bet on the first hand alone
        screen.answer("button[data-kind=follow]")
        dealer.to("confirm")
        assert screen.violations() == []
        assert screen.page.locator("[data-seat='2'] .onehand").count() == 2
        seats = get_table(daemon.address)["round"]["settlement"]["seats"]
        nets = {answer["seat"]: sum(line["net"] for line in answer["lines"]) for answer in seats}
        assert nets[2] != {answer["seat"]: answer["net"] for answer in seats}[2], "the backer won or lost too"
        assert minor_units(screen.text("[data-seat='2'] .net")) == nets[2]
        assert minor_units(screen.text(".answers .total b")) == -sum(nets.values())
        dealer.to("claims")
        assert "is not paid" in screen.text(".answers .why") and answers_outside(screen.page) == {}
        confirm_hit(screen)
        screen.tap("[data-sheet=jackpot]")
        assert "Seat 5, B" in screen.text(".hits")
        screen.tap("dialog [data-slip-of='1']")
        assert re.search(r"Player\s+B\b", screen.text(".slip dl"))
        screen.tap("dialog .close")
        act_as(screen, "ana")
        dealer.to("begin")
        report(screen, "damaged_card")
        act_as(screen, "rui")
        report(screen, "card_replaced", ".reason .plain", authorised_by="Rita")
        assert not {alarm["name"] for alarm in get_table(daemon.address)["alarms"] if not alarm["over"]} & {
            "damaged-card",
            "inspection-not-informed",
        }
        screen.close()

"""The screens of one table: languages, keys, a second screen, a killed daemon, alarms, parameters, what is hidden."""

import json
import re
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

import pytest
from playwright.sync_api import Browser, Page, Route

from controller.words import CATALOGUES
from tests.console.hands import Hands, at_a_station
from tests.console.tapping import PHONE, TOO_WIDE, USUAL, WIDE, Dealer, Tapping, until_dispatched
from tests.games import FORTUNE_3_2025
from tests.station.processes import Daemon
from tests.station.screen import Stream, get_table, post, request

NAMED = "all => all.every(part => (part.ariaLabel || part.innerText || part.placeholder || '').trim())"
HAS_FOCUS = "selector => document.activeElement.matches(selector)"
INSIDE = "() => document.activeElement === document.body || document.activeElement.closest('dialog') !== null"
IN_SIGHT = """seat => {
    const [at, felt] = [`.felt [data-seat="${seat}"]`, ".felt"].map(
        (selector) => document.querySelector(selector).getBoundingClientRect());
    return at.top >= felt.top - 1 && at.bottom <= felt.bottom + 1;
}"""
RING = "() => getComputedStyle(document.activeElement).outlineWidth"
NAMED_BET = "async (bet) => (await import('/page/inputs.js')).send('wager', bet)"
STACK = "9s 8s 7h 2c 2d Kh Qd 5c 3h 4c 6s 5s"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Hands, Daemon]]:
    """A station of 2025 with its shuffler, and no one who plays."""
    with at_a_station(tmp_path_factory.mktemp("screens"), FORTUNE_3_2025, "shuffler", STACK) as (hands, daemon):
        yield hands, daemon


@pytest.fixture(scope="module")
def kept(browser: Browser, table: tuple[Hands, Daemon]) -> Iterator[Tapping]:
    screen = Tapping(browser, table[0].port)
    yield screen
    screen.close()


@pytest.fixture
def screen(kept: Tapping) -> Iterator[Tapping]:
    """The screen of all these tests: it is wide, in English, without a sheet, and ana acts there."""
    yield kept
    assert kept.complaints == []
    kept.page.set_viewport_size({"width": WIDE["width"], "height": WIDE["height"]})
    kept.page.evaluate("() => document.querySelector('dialog .close')?.click()")
    kept.tap("[data-language=en]")
    if kept.text(".person .name") != "ana":
        kept.tap(".person")
        kept.tap("dialog [data-acting=ana]")


def test_no_card_is_anywhere_before_it_is_shown_and_a_killed_daemon_comes_back_into_the_same_round(
    browser: Browser, screen: Tapping, table: tuple[Hands, Daemon]
) -> None:
    hands, daemon = table
    streamed: list[bytes] = []
    stream = Stream(daemon.address, streamed.append)
    second = Tapping(browser, hands.port, PHONE, "pt-PT")
    try:
        dealer = Dealer(screen, hands=hands, by_machine=True)
        dealer.to("wagers")
        screen.place_bet("1/ante", "4/ante")
        second.see("() => document.querySelector('[data-space=\"4/ante\"] .stake')?.innerText === '100'")
        dealer.to("decisions")
        second.see("() => document.querySelector('[data-step-kind=decisions]')")
        assert screen.page.evaluate(TOO_WIDE) == second.page.evaluate(TOO_WIDE) == []

        daemon.kill()
        for each in (screen, second):
            each.see("() => document.querySelector('[data-link=away]')")
        daemon.start()
        daemon.wait_answering()
        screen.see("() => document.querySelector('[data-link=live]')")
        second.see("() => document.querySelector('[data-link=live]')")
        assert screen.at[1] == "decisions"
        screen.complaints = [text for text in screen.complaints if "ERR_" not in text]  # the browser reports the outage
        second.complaints = [text for text in second.complaints if "ERR_" not in text]

        dealer.to("reveal")
        second.see("step => document.querySelector('[data-step]').dataset.step === step", screen.step)
        bodies = [request(daemon.address, "GET", path)[1] for path in ("/table", "/setting", "/rounds", "/metrics")]
        seen = b"".join([*streamed, *bodies, screen.page.content().encode(), second.page.content().encode()])
        hidden = [card.encode() for card in STACK.split()]
        assert not [card for card in hidden if re.search(rb"\b" + card + rb"\b", seen)]
        names = screen.page.locator(".felt .card").evaluate_all("all => all.map(card => card.ariaLabel)")
        assert len(names) == 9 and set(names) == {"Card face down"}
        dealer.to("confirm")
        assert screen.page.locator(".felt .card:not(.back)").count() == 9
        dealer.to("begin")
        for each in (screen, second):
            each.see("() => !document.querySelector('.felt .card')")
    finally:
        stream.close()
        second.close()


def test_the_language_is_switched_at_once_amounts_and_refusals_too(
    screen: Tapping, table: tuple[Hands, Daemon]
) -> None:
    Dealer(screen, hands=table[0], by_machine=True).to("wagers")
    screen.tap("[data-language=pt]")
    assert screen.page.get_attribute("html", "lang") == "pt" and "Aceite as apostas" in screen.text(".next")
    assert "600\u202f" in screen.text(".pot .amount") and ",00" in screen.text(".pot .amount")
    screen.tap(".tray .chip:first-child")
    screen.place_bet("2/ante")
    assert "fora dos limites 100 a 10\u202f000" in screen.text(".refusal") and "10.º 1)" in screen.text(".refusal")
    assert screen.has("[data-space='2/ante'].refused")
    screen.tap("[data-language=zh]")
    assert screen.page.get_attribute("html", "lang") == "zh-Hant-MO"
    assert screen.text(".next").startswith("接受投注") and "原注 50不在限額100至10,000之內" in screen.text(".refusal")
    screen.place_bet("2/ante")
    assert screen.has("[data-space='2/ante'].placed") and screen.text("[data-space='2/ante'] .stake") == "100"
    screen.tap(".tray button:last-child")
    screen.see("() => document.querySelector('[data-space=\"2/ante\"].refused')")
    screen.tap(".tray button:last-child")
    screen.see("() => !document.querySelector('[data-space=\"2/ante\"].full')")
    screen.page.reload()
    screen.page.wait_for_selector("[data-step]")
    assert screen.page.get_attribute("html", "lang") == "zh-Hant-MO"


FELT = "JSON.stringify(document.querySelector('.felt').getBoundingClientRect())"
WHOLE = """() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const [inside, around] = [box('.words .refusal'), box('.words')];
  return inside.top >= around.top - 1 && inside.bottom <= around.bottom + 1;
}"""


def test_the_felt_moves_by_no_pixel_at_a_refusal_and_the_seat_that_bets_is_marked(
    screen: Tapping, table: tuple[Hands, Daemon]
) -> None:
    Dealer(screen, hands=table[0], by_machine=True).to("wagers")
    screen.tap(".tray .chip:first-child")
    for size in (PHONE, {"width": 1280, "height": 720}):  # the others in the soak of screens
        screen.page.set_viewport_size({"width": size["width"], "height": size["height"]})
        screen.drawn()
        before = screen.page.evaluate(FELT)
        screen.place_bet("3/ante")
        assert screen.text(".refusal") and screen.page.evaluate(FELT) == before
        assert screen.page.evaluate(WHOLE)
        borders = "at => getComputedStyle(document.querySelectorAll('.head .number')[at - 1]).borderTopWidth"
        screen.place_bet("3/ante")
        screen.see("() => document.querySelector('[data-space=\"3/ante\"].placed')")
        assert (screen.page.evaluate(borders, 3), screen.page.evaluate(borders, 2)) == ("3px", "1px")
        assert screen.page.evaluate(FELT) == before
        for _ in range(2):
            screen.tap(".tray button:last-child")
        screen.see("() => !document.querySelector('[data-space=\"3/ante\"].full')")


def test_undo_takes_the_last_tap_back_and_puts_no_chip_back_that_was_given_back(
    browser: Browser, screen: Tapping, table: tuple[Hands, Daemon]
) -> None:
    other = Tapping(browser, table[0].port)
    Dealer(screen, hands=table[0], by_machine=True).to("wagers")
    undo, stake = ".tray button:last-child", "[data-space='5/ante'] .stake"
    screen.tap("[data-any]")
    for digit in "200000":
        screen.tap(f"dialog [data-digit='{digit}']")
    screen.tap("dialog .numberpad .main")
    screen.place_bet(*["5/ante"] * 8)
    assert screen.text(stake) == "16,000" and "Give 6,000 back" in screen.text(".stack")
    screen.tap("[data-given-back='5/ante']")
    for left in ("10,000", "8,000", "6,000"):
        screen.see("([selector, left]) => document.querySelector(selector).innerText === left", [stake, left])
        assert not screen.has(".stack")
        screen.tap(undo)
        screen.place_bet()
    other.see("([selector, left]) => document.querySelector(selector)?.innerText === left", [stake, "4,000"])
    other.tap("[data-space='5/ante']")
    screen.see("selector => document.querySelector(selector).innerText === '4,100'", stake)
    assert screen.page.is_disabled(undo), "the last amount is of another screen"
    other.tap(".tray .take")
    other.place_bet("5/ante")
    screen.see("selector => document.querySelector(selector).innerText === ''", stake)
    other.close()


def goes_round_in(screen: Tapping, sheet: str, leave: str) -> None:
    """Open a sheet by a key, go round in it, leave it by a key; the focus is where it was."""
    page, tab = screen.page, f"[data-sheet={sheet}]"
    page.locator(tab).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    assert page.locator("button, input").evaluate_all(NAMED), sheet
    assert screen.violations() == [], sheet
    for _ in range(page.locator("dialog button:enabled, dialog input").count() + 2):
        assert page.evaluate(INSIDE), f"{sheet}: a key reaches what is below"
        page.keyboard.press("Tab")
    if leave == "Enter":
        page.locator("dialog .close").focus()
    page.keyboard.press(leave)
    page.wait_for_selector("dialog", state="detached")
    page.wait_for_function(HAS_FOCUS, arg=tab)


def tab_to(page: Page, selector: str, most: int) -> None:
    """Press the tabulator until this has the focus, and see that it shows."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(HAS_FOCUS, selector):
            assert page.evaluate(RING) == "3px", selector
            return
    raise AssertionError(f"{selector} is not reached with {most} keys")


def test_sheets_keep_the_focus_and_give_it_back_and_a_round_is_played_by_keys_alone(
    screen: Tapping, table: tuple[Hands, Daemon]
) -> None:
    dealer = Dealer(screen, hands=table[0], by_machine=True)
    dealer.to("wagers")
    page = screen.page
    page.reload()
    page.wait_for_selector("[data-step]")
    tab_to(page, ".skip", 1)
    page.keyboard.press("Enter")
    tab_to(page, ".tray .chip", 1)
    words = page.locator(".next").element_handle()
    ways = ("Escape", "Enter") * 3
    for sheet, leave in zip(("report", "correct", "rounds", "devices", "alarms", "jackpot"), ways, strict=True):
        goes_round_in(screen, sheet, leave)
    tab_to(page, "[data-space='2/ante']", 20)
    page.keyboard.press("Enter")
    screen.see("() => document.querySelector('[data-space=\"2/ante\"]').matches('.placed.full')")
    for on in (False, True):  # the keys may be switched off
        screen.tap(".person")
        screen.tap("dialog [data-own=keys]")
        screen.tap("dialog .close")
        page.keyboard.press("l")
        screen.drawn()
        assert on or (screen.at[1] == "wagers" and not screen.has("[aria-busy=true]"))
    screen.see("() => document.querySelector('[data-step-kind=decisions]')")
    while (at := screen.at)[1] != "claims":
        screen.see(HAS_FOCUS, ".answers")  # what was pressed is gone: the next key finds the next answer
        tab_to(page, USUAL.get(at[1], "[data-kind=reveal], [data-kind=decide-play]"), 1)
        page.keyboard.press("g" if at[1] == "reveal" else "Enter")
        screen.on_from(at[0])
    assert page.evaluate("part => part.isConnected && part.ariaLive === 'polite'", words), (
        "what a screen reader reads when it changes"
    )
    dealer.to("begin")


def test_an_alarm_that_is_over_comes_after_one_that_is_active_and_not_in_the_colour_of_alarms(
    screen: Tapping, table: tuple[Hands, Daemon]
) -> None:
    hands, daemon = table
    line, colour = "[data-alarm-line]", "selector => getComputedStyle(document.querySelector(selector)).color"
    screen.page.wait_for_selector(line)
    alarmed = screen.page.evaluate(colour, line)
    hands.lid(is_open=True)
    screen.see("selector => document.querySelector(selector).innerText.includes('lid')", line)
    hands.lid(is_open=False)
    screen.see("selector => document.querySelector(selector).innerText.includes('The floor does not answer')", line)
    assert screen.page.evaluate(colour, line) == alarmed
    screen.tap(line)
    screen.tap("[data-alarm=device-floor] [data-kind=acknowledge]")
    screen.tap("dialog .close")
    screen.see("selector => document.querySelector(selector).innerText.includes('Over: ')", line)
    assert screen.page.evaluate(colour, line) != alarmed
    assert {alarm["over"] for alarm in get_table(daemon.address)["alarms"] if not alarm["acknowledged_by"]} == {True}
    for there, shown in ((False, "slots"), (True, "Over: ")):
        hands.plug("slots", there)
        screen.see("([selector, shown]) => document.querySelector(selector).innerText.includes(shown)", [line, shown])
    screen.tap(line)
    screen.see("() => document.querySelector('[data-kind=acknowledge_over]')")
    # The end is in the log, which the page asks for when the sheet opens.
    slots = "[data-alarm=device-slots]"
    screen.see("selector => document.querySelector(selector).innerText.includes('until 20')", slots)
    assert "since 20" in screen.text(slots) and "(just now)" in screen.text(slots)
    screen.tap("[data-kind=acknowledge_over]")
    screen.see("() => !document.querySelector('.alarms .over')")
    screen.tap("dialog .close")


def test_an_alarm_is_seen_at_once_and_listed_until_it_is_over_and_acknowledged(
    screen: Tapping, table: tuple[Hands, Daemon]
) -> None:
    hands, daemon = table
    line = ".alarm-line[role=alert]"
    for alarm in (active for active in get_table(daemon.address)["alarms"] if active["acknowledged_by"] is None):
        screen.tap("[data-alarm-line]")
        screen.tap(f"[data-alarm={alarm['name']}] [data-kind=acknowledge]")
        screen.see("name => !document.querySelector(`[data-alarm=${name}] button`)", alarm["name"])
        screen.tap("dialog .close")
    assert screen.text(line) == "" and not screen.has("[data-sheet=alarms] .badge"), "no nuisance once it is known"
    tone = "document.documentElement.dataset.tone"
    assert screen.page.evaluate(tone) is None, "no one wanted any"
    screen.tap(".person")
    screen.tap("dialog [data-own=tones]")
    screen.tap("dialog .close")
    screen.page.evaluate(f"delete {tone}")  # the one that says how loud it is

    hands.lid(is_open=True)
    screen.page.wait_for_selector("[data-alarm-line]")
    assert screen.page.evaluate(tone) == "alarm"
    assert "shuffler" in screen.text(line) and screen.text("[data-sheet=alarms] .badge").startswith("1")
    screen.tap("[data-alarm-line]")
    listed = "[data-alarm=shuffler-lid]"
    assert not screen.has(f"{listed} details"), "its sentence has all that the device reports"
    assert screen.text(f"{listed} .state") == "Active"
    since = next(alarm["since"] for alarm in get_table(daemon.address)["alarms"] if alarm["name"] == "shuffler-lid")
    on_the_wall = datetime.fromisoformat(since).astimezone(timezone(timedelta(hours=8)))
    assert f"since {on_the_wall:%Y-%m-%d %H:%M:%S}" in screen.text(listed), "it may stand for days"
    hands.lid(is_open=False)
    screen.see("listed => document.querySelector(`${listed} .state`)?.innerText === 'Over'", listed)
    screen.tap("dialog .close")
    assert screen.text(f"{line} .what").startswith("Over:"), "it is over, and not acknowledged"
    screen.tap("[data-alarm-line]")
    screen.tap(f"{listed} [data-kind=acknowledge]")
    screen.see("listed => !document.querySelector(listed)", listed)
    screen.see("() => document.querySelector('dialog .log tbody tr')?.innerText.endsWith(' · ana')")
    screen.find("no such alarm")
    assert "Nothing found" in screen.text("dialog") and not screen.has("dialog .log")
    screen.find("LID")
    row = screen.text("dialog .log tbody tr").strip()
    assert row.count(screen.text("dialog .log tbody td").split()[0]) == 3, "raised, over and acknowledged on a day"
    screen.tap("dialog .close")
    assert screen.text(line) == ""


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_nothing_in_the_alarms_sheet_moves_as_its_log_arrives_or_is_searched(
    screen: Tapping, size: dict[str, int]
) -> None:
    waiting: list[Route] = []
    unknown = dict.fromkeys(["cleared", "acknowledged", "acknowledged_by", "details"])
    raised = "2025-11-05T12:00:00.000+08:00"
    alarm = {"alarm": "shuffler-lid", "raised": raised, "text": {"en": "the lid is open"}, **unknown}
    screen.page.set_viewport_size({"width": size["width"], "height": size["height"]})

    def answer(route: Route) -> None:
        route.fulfill(json={"alarms": [alarm] * 100})

    screen.page.route("**/alarms?*", lambda route: waiting.append(route))
    screen.tap("[data-sheet=alarms]")
    place = screen.page.locator("dialog h3").bounding_box()
    until_dispatched(screen.page, lambda: waiting, "the request for the log")
    assert not screen.has("dialog .log")
    screen.page.route("**/alarms?*", answer)  # also where it is asked for again, as an alarm changes
    for route in waiting:
        answer(route)
    screen.see("() => document.querySelectorAll('dialog .log tbody tr').length === 100")
    assert screen.page.locator("dialog h3").bounding_box() == place
    screen.find("no such alarm")
    screen.see("() => !document.querySelector('dialog .log')")
    assert screen.page.locator("dialog h3").bounding_box() == place
    screen.page.unroute("**/alarms?*")


def test_a_complaint_is_entered_where_claims_are_taken_and_keeps_the_cards_until_it_is_decided(
    screen: Tapping, table: tuple[Hands, Daemon]
) -> None:
    hands, _ = table
    screen.page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    dealer = Dealer(screen, hands=hands, by_machine=True)
    dealer.to("wagers")
    screen.page.evaluate(NAMED_BET, {"seat": 1, "wager": "ante", "amount": 10000, "player": "B"})
    screen.place_bet("6/ante")
    dealer.to("decisions")
    screen.tap("[data-decide='1/fold']")
    screen.see(IN_SIGHT, "6")
    dealer.to("claims")
    screen.tap("[data-complaint]")
    offered = screen.page.locator("dialog .choose [data-value]").all_inner_texts()
    assert offered == ["1 · B", "6"], "the seats with bets, by the names that were entered"
    screen.tap("dialog .choose [data-value='1']")
    screen.tap("dialog .reason .plain >> text=B")
    screen.tap("dialog .reason:last-of-type .plain")
    screen.tap("dialog [data-kind=complaint]")
    screen.see("() => document.querySelector('.answers [data-kind=close_claims]')?.disabled")
    assert "complaint" in screen.text(".answers [data-kind=close_claims] + .why")
    for name in ("rui", "ana"):
        screen.tap(".person")
        screen.tap(f"dialog [data-acting={name}]")
        if name == "rui":
            screen.tap("[data-complaint]")
            assert screen.text("dialog .complaint").count("B") and "Enter the correction" in screen.text("dialog .why")
            screen.tap("dialog [data-value=unchanged]")
            screen.tap("dialog .reason .plain")
            screen.tap("dialog [data-kind=decide_complaint]")
            screen.see("() => document.querySelector('.answers [data-kind=close_claims]')?.disabled === false")
            screen.tap("[data-sheet=rounds]")
            screen.tap("dialog [data-register]")
            screen.page.wait_for_selector("dialog .register tbody tr")
            heads = screen.page.locator("dialog .register thead th").all_inner_texts()
            assert heads == ["No.", "Time", "Round", "What", "Who"]
            screen.page.emulate_media(media="print")
            assert screen.page.locator("dialog .register thead th").filter(visible=True).all_inner_texts() == heads
            screen.page.emulate_media(media="screen")
            assert "rui" in screen.text("dialog .register tbody")
            screen.tap("dialog .close")
    assert screen.text("[data-complaint]") == "A player complains"
    dealer.to("begin")


def test_new_parameters_of_the_jackpot_are_approved_by_two_persons(
    screen: Tapping, table: tuple[Hands, Daemon]
) -> None:
    hands, daemon = table
    screen.page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    assert not screen.has("[data-sheet=jackpot] .badge")
    daemon.kill()
    text = hands.config.read_text(encoding="utf-8")
    for before, after in (("increment_bp = 7000", "increment_bp = 6550"), ("\nflush = 25000", "\nflush = 30000")):
        assert before in text
        text = text.replace(before, after)
    hands.config.write_text(text, encoding="utf-8")
    daemon.start()
    daemon.wait_answering()
    screen.see("() => document.querySelector('[data-sheet=jackpot] .badge')?.innerText.startsWith('1')")
    screen.complaints = [text for text in screen.complaints if "ERR_" not in text]
    screen.tap("[data-sheet=jackpot]")
    changes = screen.page.locator(".proposal tr").all_inner_texts()
    assert [" ".join(change.split()) for change in changes] == [
        "Of each chip into the pot 70 % → 65.5 %", "Prize: Flush 250.00 → 300.00",
    ]  # fmt: skip
    screen.tap(".proposal [data-kind=approve_parameters]")
    screen.see("() => document.querySelector('.proposal')?.innerText.includes('1 of 2 approved: ana')")
    assert screen.page.locator(".proposal [data-kind=approve_parameters]").is_disabled(), "another person must"
    screen.tap("dialog .close")
    screen.tap(".person")
    screen.tap("dialog .choice:has-text('rui')")
    screen.tap("[data-sheet=jackpot]")
    screen.tap(".proposal [data-kind=approve_parameters]")
    screen.page.wait_for_selector("[data-scheduled]")
    assert "65.5 %" in screen.text("[data-scheduled]") and not screen.has(".proposal")
    screen.tap("dialog .close")
    assert not screen.has("[data-sheet=jackpot] .badge")
    jackpot = get_table(daemon.address)["jackpot"]
    assert jackpot["scheduled"]["fixed"]["flush"] == 30000 and jackpot["fixed"]["flush"] == 25000


def test_a_supervisor_breaks_a_round_off_and_a_dealer_is_shown_why_he_may_not(
    screen: Tapping, table: tuple[Hands, Daemon]
) -> None:
    hands, daemon = table
    dealer = Dealer(screen, hands=hands, by_machine=True)
    dealer.to("wagers")
    screen.place_bet("3/ante")
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
    screen.see("() => document.querySelector('.prompt')?.innerText.includes('changes that wait')")
    approval = {"kind": "approve_changes", "input_id": "approval", "step_id": "changes", "actor": "rui"}
    [waits] = get_table(daemon.address)["round"]["changes_waiting"]
    assert (waits["amount_before"], waits["amount_after"], waits["two_persons"]) == (10000, 20000, True)
    signed = {"changes": [waits["change"]], "reason": "seen on the film", "second": "ana"}
    assert post(daemon.address, approval | signed)[0] == 200
    screen.see("() => document.querySelector('[data-seat=\"3\"] .stakes')?.innerText === 'Ante 200'")
    screen.tap("[data-sheet=correct]")
    assert "100.00 → 200.00 · ana · seen on the film" in screen.text("dialog .record")
    screen.tap("dialog .close")
    screen.tap("[data-sheet=report]")
    assert "Only a supervisor" in screen.text("dialog") and screen.page.locator("[data-form=void_round]").is_disabled()
    screen.tap("dialog .close")
    screen.tap(".person")
    screen.tap("dialog .choice:has-text('rui')")
    screen.tap("[data-sheet=correct]")
    screen.tap("[data-form=void_round]")
    screen.tap("dialog .reason .plain")
    screen.tap("dialog [data-kind=void_round]:not([data-sure])")
    staked = sum(sum(bets.values()) for bets in get_table(daemon.address)["round"]["wagers"].values())
    asked = screen.text("[data-asking=void_round]")
    assert "Void round" in asked and "no article orders it" in asked and "cleared away" in asked
    assert int(screen.text("[data-returned] tr:last-child td").replace(",", "")) * 100 >= staked > 0
    assert screen.page.eval_on_selector("[data-sure]", "it => it.getBoundingClientRect().bottom <= innerHeight")
    screen.tap("[data-not]")
    screen.tap("dialog [data-kind=void_round]:not([data-sure])")
    screen.tap("dialog [data-sure]")
    screen.see("() => document.querySelector('[data-step-kind=confirm]')")
    voided = get_table(daemon.address)
    assert voided["round"]["void"]["article"] == "policy: supervisor's void"
    for language, void in (("en", "The round is void: "), ("pt", "A jogada é inválida: "), ("zh", "本局作廢：")):
        prompt = voided["step"]["prompt"][language]
        assert prompt.startswith(void) and "supervisor's void" not in prompt
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
    screen.tap("dialog .rounds tbody tr:first-child button")
    assert "seen on the film" in screen.text("dialog") and "200.00" in screen.text("dialog .lines")
    screen.tap("dialog .close")


LONGEST = " ".join(json.loads(CATALOGUES["pt"])[part]["older_copy"] for part in ("alarm_texts", "alarm_actions"))
SIZES = ((390, 844), (360, 640), (1280, 800), (640, 400))  # the last is 1280 × 800 at 200 %
SMALL = """() => [...document.querySelectorAll('.top button, .top a, .prompt button')].filter(part => {
  const box = part.getBoundingClientRect();
  return box.width && (box.width < 43.5 || box.height < 43.5); }).map(part => part.outerHTML)"""


def test_nothing_is_wider_than_the_screen_nor_too_small_to_be_tapped_or_read(
    screen: Tapping, table: tuple[Hands, Daemon]
) -> None:
    hands = table[0]
    Dealer(screen, hands=hands, by_machine=True).to("begin")
    hands.lid(is_open=True)
    screen.page.wait_for_selector("[data-alarm-line] .what")
    for width, height in SIZES:
        screen.page.set_viewport_size({"width": width, "height": height})
        screen.page.evaluate("text => { document.querySelector('[data-alarm-line] .what').innerText = text; }", LONGEST)
        assert screen.too_wide() == {}
        assert screen.page.evaluate(SMALL) == []
        assert screen.page.evaluate("document.querySelector('.felt').clientHeight") > 200
    hands.lid(is_open=False)


def test_the_players_display_is_drawn_in_one_language_or_in_one_after_the_other(
    browser: Browser, table: tuple[Hands, Daemon]
) -> None:
    page = browser.new_page(locale="en-GB")
    for asked, language in (("?language=pt", "pt"), ("", "en"), ("?language=xx", "en")):
        page.goto(f"http://127.0.0.1:{table[0].port}/display{asked}")
        page.wait_for_selector("#display main[data-stage] h1")
        assert page.get_attribute("html", "lang") == language
    page.close()

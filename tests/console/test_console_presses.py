"""One finger pays, clears, voids or closes nothing by pressing twice, and what is keyed in fast counts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.console.displayed import displayed, stages_of
from tests.console.hands import Hands, at_a_station
from tests.console.pressing import Pressing, answered_inputs
from tests.console.tapping import WIDE, Dealer, Tapping
from tests.console.taps import SCRIPTS, Counted, stack
from tests.games import FORTUNE_3_2025, FORTUNE_8
from tests.station.processes import Daemon
from tests.station.screen import get_table

# A key is pressed again as soon as its other button is there.
KEY_AGAIN = """key => {
  const seen = new MutationObserver(() => {
    if (!document.querySelector("[data-step-kind=wagers] .answers [data-key=G][data-guarded]")) return;
    seen.disconnect();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    window.again = true;
  });
  seen.observe(document.body, { subtree: true, childList: true });
}"""
# What a step offers while so many answers are on their way: each button that answers, and whether it is off.
OFFERED = """async ([file, part, props, keyed, sending]) => {
  const { html, render } = await import("/page/html.js");
  const { station } = await import("/page/station.js");
  const { [part]: Part } = await import(`/page/${file}.js`);
  Object.assign(station, { sending, table: { round: { shown: {}, used: "" } } });
  const root = document.createElement("div");
  render(html`<${Part} ...${props} />`, root);
  for (const key of keyed) {
    root.querySelector(key).click();
    await new Promise(requestAnimationFrame);
  }
  const buttons = [...root.querySelectorAll("[data-kind], .main")];
  return Object.fromEntries(buttons.map((button) => [button.dataset.kind ?? part, button.disabled]));
}"""
# A sheet is scrolled down, and then another part of the page changes: the buttons that wait.
SCROLLED = """async () => {
  const sheet = document.querySelector("dialog .body"), frame = () => new Promise(requestAnimationFrame);
  sheet.scrollTop = 100;
  await frame().then(frame);
  if (!sheet.scrollTop) throw new Error("nothing to scroll");
  document.querySelector(".felt").append("");
  await null;
  return [...document.querySelectorAll("dialog [aria-disabled=true]")].map((button) => button.textContent);
}"""
OF_A_SEAT = {"seat": 2, "waiting": [2]}
PLAYED = {"table": {"round": {"pending_cards": 0}}}
INSURED = {"step": {**OF_A_SEAT, "question": "insurance", "most": [500]}, **PLAYED}
FOLLOWED = {"step": {**OF_A_SEAT, "question": "follow", "backers": ["A"], "hand": 1}, **PLAYED}
EVEN_MONEY = {"step": {**OF_A_SEAT, "question": "even_money"}, **PLAYED}
TAKEN = {"step": {"seat": 2, "least": 100}}
Answering = tuple[str, str, dict[str, Any], list[str], set[str]]
# The piece of the page, what it shows, what is pressed in it, and what answers.
ANSWERING: list[Answering] = [
    ("answers/cards", "Ask", INSURED, [], {"insure"}),
    ("answers/cards", "Ask", FOLLOWED, [], {"follow"}),
    ("answers/cards", "Ask", EVEN_MONEY, [], {"even_money-true", "even_money-false"}),
    ("answers/places", "Bank", TAKEN, ["[data-least]"], {"take_bank", "pass_bank-refuse", "pass_bank-absent"}),
    ("parts/keypad", "NumberPad", {"first": 5}, [], {"NumberPad"}),
    ("parts/keypad", "CardKeypad", {"count": 1}, ["[data-card=As]"], {"CardKeypad"}),
    ("parts/keypad", "DicePad", {}, ["[data-die='6']"] * 4, {"DicePad"}),
    (
        "parts/keypad",
        "TileKeypad",
        {"place": "seat 2"},
        ["[data-card='6-5']"] * 2 + ["[data-card='6-4']"] * 2,
        {"TileKeypad"},
    ),
]
MAIN, KINDS = ".answers .main", "all => all.map((button) => button.dataset.kind)"
STEP = "kind => document.querySelector('[data-step]').dataset.stepKind === kind"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Hands, Daemon]]:
    """A station of Fortune 8 whose cards come from the shoe."""
    with at_a_station(tmp_path_factory.mktemp("presses"), FORTUNE_8, "shoe") as (hands, daemon):
        yield hands, daemon


@pytest.fixture(scope="module")
def screen(browser: Browser, table: tuple[Hands, Daemon]) -> Iterator[Pressing]:
    screen = Pressing(browser, table[0].port)
    yield screen
    screen.close()


def test_a_double_click_at_every_step_of_a_round_ends_nothing_twice_and_three_presses_do_not_close_the_table(
    screen: Pressing, table: tuple[Hands, Daemon]
) -> None:
    hands, _ = table
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


def test_a_key_that_is_kept_pressed_or_pressed_twice_ends_nothing_twice_and_another_key_counts_at_once(
    screen: Pressing, table: tuple[Hands, Daemon]
) -> None:
    hands, _ = table
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
    screen.page.evaluate(KEY_AGAIN, "g")
    keyboard.press("g")
    screen.on_from(step)
    screen.see("() => window.again")
    screen.caught_up()
    assert screen.posted[before + 1 :] == [["close_claims", "begin_round"]]
    keyboard.press("l")
    screen.see(
        "() => document.querySelector('.prompt .refusal') || document.querySelector('[data-step-kind=announce]')"
    )
    assert screen.posted[before + 2 :] == [["lock_in"]]


def rounds_pressed_twice(
    browser: Browser, folder: Path, game: str, rounds: int, size: dict[str, int] = WIDE, at_once: bool = False
) -> list[tuple[str, str | None]]:
    """Play so many rounds with a double click for each answer: the journal has what the first presses posted alone."""
    script = SCRIPTS[game]
    with at_a_station(folder, game, script.source, stack(game)) as (hands, daemon):
        screen = Pressing(browser, hands.port, size)
        dealer = Counted(screen, hands, script, daemon.address, at_once)
        for number in range(rounds):
            dealer.to("wagers")
            dealer.bet(number)
            dealer.to("confirm")
            dealer.proceed()
        screen.close()
        assert answered_inputs(folder) == screen.ids
        return screen.pressed


def test_a_double_click_for_each_answer_of_a_round_enters_each_once(browser: Browser, tmp_path: Path) -> None:
    """Every game in the soak of presses."""
    assert len(rounds_pressed_twice(browser, tmp_path / "table", FORTUNE_3_2025, 1)) > 3


def test_another_source_of_cards_is_asked_about_first(browser: Browser, tmp_path: Path) -> None:
    with at_a_station(tmp_path / "table", FORTUNE_3_2025, "shuffler") as (hands, daemon):
        screen = Pressing(browser, hands.port)
        screen.answer("[data-kind=open_table]")
        assert screen.page.locator(MAIN).evaluate_all(KINDS) == ["begin_round"]
        before = len(screen.posted)
        screen.press(screen.middle(".answers [data-kind=use_source]"), 2)
        for language, words in (
            ("pt", "já não do baralhador"),
            ("zh", "不再由洗牌機派出"),
            ("en", "no longer from the shuffler"),
        ):
            screen.tap("dialog .close")
            screen.tap(f"[data-language={language}]")
            screen.tap(".answers [data-kind=use_source]")
            assert words in screen.text("dialog .body")
        assert screen.posted[before:] == [] and get_table(daemon.address)["source"] == "shuffler"
        screen.tap("dialog [data-kind=use_source]")
        screen.see(
            "() => !document.querySelector('dialog') && document.querySelector('.answers [data-fields*=shuffler]')"
        )
        assert screen.posted[before:] == [["use_source"]] and get_table(daemon.address)["source"] == "shoe"
        assert screen.page.locator(MAIN).evaluate_all(KINDS) == ["use_source"], "the shuffler of this table answers"
        screen.close()


def test_six_keys_in_a_second_all_count(screen: Pressing, table: tuple[Hands, Daemon]) -> None:
    Dealer(screen, hands=table[0]).to("wagers")
    screen.tap("[data-any]")
    place = screen.middle("dialog [data-digit='2']")
    for _ in range(6):
        screen.page.mouse.click(*place)
    screen.drawn()
    assert screen.text("dialog .numberpad .value") == "2,222.22"
    screen.tap("dialog .close")


def test_a_button_of_a_sheet_that_was_scrolled_does_not_wait_when_something_else_changes(screen: Pressing) -> None:
    screen.page.set_viewport_size({"width": 390, "height": 480})
    screen.tap("[data-sheet=report]")
    screen.see("() => !document.querySelector('dialog [aria-disabled=true]')")
    assert screen.page.evaluate(SCROLLED) == []
    screen.tap("dialog .close")
    screen.page.set_viewport_size({"width": WIDE["width"], "height": WIDE["height"]})


def test_an_answer_is_off_while_another_is_on_its_way(browser: Browser) -> None:
    with displayed(browser, stages_of(FORTUNE_8)["bets"], (1280, 720)) as page:
        for file, part, props, keyed, kinds in ANSWERING:
            for sending in (0, 1):
                offered = page.evaluate(OFFERED, [file, part, props, keyed, sending])
                assert offered == dict.fromkeys(kinds, sending > 0), part


def test_a_tap_whose_button_moves_away_before_it_is_released_is_made_again(browser: Browser) -> None:
    screen = Tapping.__new__(Tapping)
    screen.page, screen.taps = browser.new_page(), 0
    screen.page.set_content("<button onclick='clicks = (window.clicks ?? 0) + 1'>Acknowledge</button>")
    screen.page.evaluate(
        "() => addEventListener('pointerdown', ({ target }) => (target.style.marginTop = '144px'), { once: true })"
    )
    screen.tap("button")
    clicks_and_margin = "() => [window.clicks, document.querySelector('button').style.marginTop]"
    assert screen.page.evaluate(clicks_and_margin) == [1, "144px"]
    screen.page.close()

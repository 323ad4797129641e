"""The simulator's panel in a browser: taken over and given back, in another language, with a fault, at both sizes."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import ANY

import pytest
from playwright.sync_api import Browser

from tests.console.layout import DRAWN, TO_THE_TOP, faults_of_layout
from tests.console.panel_table import PanelTable, with_panel
from tests.console.tapping import AXE, PHONE, VIOLATED, WCAG, WIDE
from tests.games import BLACKJACK_21, FORTUNE_3_2025
from tests.station.processes import patiently

SHOWN_SECONDS = 60.0
HIT_SECONDS = 90.0  # a round at twenty times the speed of people, and the one before
TOO_WIDE = (
    "() => [...document.querySelectorAll('header *, main *')]"
    ".filter(part => { const box = part.getBoundingClientRect();"
    " return box.width && !part.closest('ol') && (box.left < -1 || box.right > innerWidth + 1); })"
    ".map(part => part.outerHTML.slice(0, 80))"
)


def test_the_drawn_table_is_tapped_and_a_fault_of_the_tour_is_met(browser: Browser, tmp_path: Path) -> None:
    with with_panel(browser, tmp_path, "--seed", "3", "--speed", "5") as table:
        panel = table.panel
        assert panel.locator(".lights .light").count() == panel.locator(".slot").count() == 6
        panel.click("[data-octets=slots]")
        table.see("() => [...document.querySelectorAll('#octets li')].some(line => / × [0-9]+/.test(line.textContent))")
        assert {"to", "from"} == set(panel.locator("#octets li").evaluate_all("all => all.map(part => part.className)"))
        panel.click("#wire-close")

        panel.click("[data-part='slots:unplug']")
        panel.wait_for_selector("[data-part='slots:unplug'][aria-pressed=true]")
        assert table.console_showed(SHOWN_SECONDS, "The slots do not answer")
        panel.click("[data-part='slots:unplug']")
        panel.wait_for_selector("[data-part='slots:unplug'][aria-pressed=false]")

        panel.click("[data-stop='1']")
        assert "Lid open" in panel.inner_text("#stop h3")
        panel.click("[data-strike='shuffler:lid_open']")
        panel.wait_for_selector("#stop .met")
        assert panel.inner_text("[data-stop='1']") == "✓"
        assert "the lid is open" in panel.inner_text("#stop ul")


@pytest.mark.parametrize(
    "options",
    [
        ("--game", FORTUNE_3_2025, "--source", "shuffler"),
        ("--game", BLACKJACK_21, "--source", "shoe", "--marking", "manual"),
        pytest.param(("--game", FORTUNE_3_2025, "--source", "shoe"), marks=pytest.mark.soak),
        pytest.param(("--game", BLACKJACK_21, "--source", "shuffler"), marks=pytest.mark.soak),
    ],
)
def test_a_hit_comes_with_the_next_deal_when_it_is_asked_for(
    browser: Browser, tmp_path: Path, options: tuple[str, ...]
) -> None:
    with with_panel(browser, tmp_path, *options, "--seed", "3", "--speed", "20", "--chip-rate", "0") as table:
        assert not table.hits
        table.panel.click("#pause")
        table.see("() => document.querySelector('#pause[aria-pressed=true]')")
        table.panel.click("[data-preset=hit]")
        table.panel.wait_for_selector("[data-preset=hit].waits:not(.on) small:text('Waits for the next bets')")
        table.panel.click("#pause")
        patiently(lambda: table.hits, HIT_SECONDS, "a hit", pause=0.2)


@pytest.fixture(scope="module")
def table(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PanelTable]:
    """A table that plays at twenty times the speed of people, of the tests that follow."""
    with with_panel(browser, tmp_path_factory.mktemp("panel"), "--seed", "3", "--speed", "20") as table:
        yield table


def test_a_person_takes_over_reads_what_is_wanted_in_his_language_and_gives_back(table: PanelTable) -> None:
    panel = table.panel
    panel.evaluate(AXE)
    assert len(table.offered) == panel.evaluate(
        "() => fetch('/furnishing').then(a => a.json()).then(f => f.faults.length)"
    )
    panel.check("[name=actor][value=you]")
    table.see("() => document.querySelector('#wanted li:not(.entered)')")
    table.keyboard_reaches("#pause", "#speed", "#lock-in", "#happened")
    for code, words in (("pt", "Avarias e erros"), ("zh", "故障與差錯"), ("en", "Faults")):
        panel.click(f"[data-language={code}]")
        assert panel.locator("#wrong h2").inner_text() == words
        panel.click("[data-stop='0']")
        assert panel.locator("#stop [data-strike]").count() == 1
        assert "SIMULATION" in panel.inner_text(".mark")
        for size in (PHONE, WIDE):
            panel.set_viewport_size({"width": size["width"], "height": size["height"]})
            panel.evaluate(DRAWN)
            assert panel.evaluate(TOO_WIDE) == []
            panel.evaluate(TO_THE_TOP)
            assert faults_of_layout(panel)["overlaps"] == []
            assert code != "en" or panel.evaluate(VIOLATED, WCAG) == []
    panel.click("[data-language=zh]")
    panel.reload()
    panel.wait_for_selector(".fault")
    assert panel.locator("#wrong h2").inner_text() == "故障與差錯", "the language is remembered"
    panel.click("[data-language=en]")

    # The cards come from the shuffler.
    groups = {
        fault: panel.locator(f"[data-cards]:has([data-fault='{fault}'])").get_attribute("data-cards")
        for fault in ("shoe:unplug", "shuffler:unplug", "sign:unplug", "slots:unplug")
    }
    assert groups == {
        "shoe:unplug": "spare", "shuffler:unplug": "deal", "sign:unplug": "sign", "slots:unplug": "chips",
    }  # fmt: skip
    before = table.press("shoe:mute")
    table.struck(before, "shoe:mute")
    assert "Shoe: Silent" in panel.inner_text("#happened")
    panel.check("[name=actor][value=robot]")
    table.see("() => document.querySelector('#take-over').hidden")
    table.play_on()


def plain(text: str) -> str:
    """A sentence without its button, and without articles, capitals and the full stop, as a button is written."""
    return text.partition(" → ")[0].rstrip(".").casefold().replace("the ", "")


def test_what_is_to_be_entered_is_on_the_dealers_own_screen_while_a_person_plays_the_dealer(table: PanelTable) -> None:
    console, frame = table.console.page, table.console.page.frame_locator(".hint")
    console.keyboard.press("Escape")  # a press might be taken for one of the alarms' button
    console.wait_for_selector("dialog", state="detached")
    felt = console.locator(".felt").bounding_box()
    frame.locator("#robot").wait_for()
    assert not frame.locator("#title").is_visible(), "the robot needs no help"
    frame.get_by_role("button", name="Deal yourself").click()
    table.see("() => document.querySelector('[name=actor][value=you]').checked")
    frame.locator("#wanted li").first.wait_for()

    def agree() -> bool:
        wanted = table.panel.locator("#wanted li:not(.entered) > span").all_inner_texts()
        shown = frame.locator("#wanted li").all_inner_texts()
        return bool(wanted) and [plain(text) for text in shown] == [plain(text) for text in wanted]

    patiently(agree, SHOWN_SECONDS, "the same lines on both pages")
    assert "#wanted" not in console.content(), "it stays on the simulator's page"
    assert console.locator(".felt").bounding_box() == felt, "the line is as high while the robot deals"
    for language, words in (("pt", "A introduzir"), ("zh", "待輸入"), ("en", "To be entered")):
        console.click(f"header [data-language={language}]")
        frame.locator("h1", has_text=words).wait_for()
        assert faults_of_layout(console, ".felt")["overlaps"] == []
    assert console.get_attribute(".hint", "title") == "To be entered, from the simulator"
    console.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    assert console.locator(".hint").bounding_box() == {"x": 0, "y": ANY, "width": PHONE["width"], "height": 48}
    hint = console.context.new_page()  # axe does not reach into a frame of another origin
    hint.goto(table.panel.url.rstrip("/") + "/hint.html")
    hint.wait_for_selector("h1", state="visible")
    hint.evaluate(AXE)
    assert hint.evaluate(VIOLATED, WCAG) == []
    hint.get_by_role("button", name="Let the robot deal").click()
    hint.wait_for_selector("#robot", state="visible")
    assert hint.evaluate(VIOLATED, WCAG) == []
    hint.close()
    frame.locator("#robot").wait_for()


def test_several_faults_happen_at_one_press(table: PanelTable) -> None:
    before = int(table.panel.evaluate("() => document.querySelector('#happened li')?.value ?? 0"))
    with table.panel.expect_response("**/preset") as answer:
        table.panel.click("[data-preset=noisy_wires]")
    assert answer.value.ok, answer.value.text()
    table.struck(before, "shuffler:babble", "shoe:split", "slots:babble", "sign:split")

"""The simulator's panel in a browser: taken over and given back, in another language, with a fault, at both sizes."""

from pathlib import Path

from playwright.sync_api import Browser

from tests.console.panel_table import with_panel
from tests.console.tapping import PHONE, WIDE

TOO_WIDE = (
    "() => [...document.querySelectorAll('header *, main *')]"
    ".filter(one => { const box = one.getBoundingClientRect();"
    " return box.width && !one.closest('ol') && (box.left < -1 || box.right > innerWidth + 1); })"
    ".map(one => one.outerHTML.slice(0, 80))"
)


def test_a_person_takes_over_reads_what_is_wanted_in_his_language_and_gives_back(
    browser: Browser, tmp_path: Path
) -> None:
    with with_panel(browser, tmp_path, "--seed", "3") as table:
        panel = table.panel
        panel.check("[name=actor][value=you]")
        table.see("() => document.querySelector('#wanted li:not(.entered)')")
        table.keyboard_reaches("#pause", "#speed", "#lock-in", "#happened")
        for code, words in (("pt", "Avarias e erros"), ("zh", "故障與差錯"), ("en", "Faults")):
            panel.click(f"[data-language={code}]")
            assert panel.locator("#wrong h2").inner_text() == words
            assert "SIMULATION" in panel.inner_text(".mark")
            for size in (PHONE, WIDE):
                panel.set_viewport_size({"width": size["width"], "height": size["height"]})
                assert panel.evaluate(TOO_WIDE) == []
        panel.click("[data-language=zh]")
        panel.reload()
        panel.wait_for_selector(".fault")
        assert panel.locator("#wrong h2").inner_text() == "故障與差錯", "the language is remembered"
        panel.click("[data-language=en]")

        before = table.press("shoe:mute")
        table.struck(before, "shoe:mute")
        assert "Shoe: Silent" in panel.inner_text("#happened")
        panel.check("[name=actor][value=robot]")
        table.see("() => document.querySelector('#take-over').hidden")
        table.play_on()

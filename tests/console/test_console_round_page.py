"""The page of a disputed round in a browser: readable, printable on one sheet, without a network."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from controller.words import SPOKEN
from tests.console.layout import NOTHING_WRONG, faults_of_layout
from tests.console.tapping import AXE, VIOLATED, WCAG
from tests.console.test_console_rounds import sheets_of_paper
from tests.disputes.test_disputes_page import CONFIRMED, page, recorded
from tests.games import BLACKJACK_21, FORTUNE_8, TAIWAN_PAI_KAO

WIDTHS = (390, 900)


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("game", [BLACKJACK_21, FORTUNE_8, TAIWAN_PAI_KAO])
def test_the_page_is_readable_everywhere_and_prints_on_paper(
    browser: Browser, game: str, language: str, tmp_path: Path
) -> None:
    file = tmp_path / "round.html"
    file.write_text(page(recorded(game, tmp_path, CONFIRMED), language), encoding="utf-8")
    asked: list[str] = []
    with browser.new_context(java_script_enabled=True) as context, context.new_page() as opened:
        opened.on("request", lambda request: asked.append(request.url))
        opened.goto(file.as_uri())
        for width in WIDTHS:
            opened.set_viewport_size({"width": width, "height": 900})
            assert faults_of_layout(opened) == NOTHING_WRONG
        opened.evaluate(AXE)
        assert opened.evaluate(VIOLATED, WCAG) == []
        assert sheets_of_paper(opened, format="A4") <= 2
        assert asked == [file.as_uri()]

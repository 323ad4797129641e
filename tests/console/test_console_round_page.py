"""The page of a disputed round in a browser: readable, printable on one sheet, without a network."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from controller.commands.wires import OnWire, wires_page
from controller.words import SPOKEN
from tests.console.layout import NOTHING_WRONG, faults_of_layout
from tests.console.tapping import AXE, VIOLATED, WCAG
from tests.console.test_console_rounds import sheets_of_paper
from tests.disputes.test_disputes_page import CONFIRMED, page, recorded
from tests.games import BLACKJACK_21, FORTUNE_8, TAIWAN_PAI_KAO

WIDTHS = (390, 900)
ON_WIRES = [
    ("shoe", "device", "CardDrawn"),
    ("slots", "host", ""),
    ("slots", "device", "ChipIn"),
    ("shoe", "link", ""),
] * 5


# Every game and every language once; each game in each language in the soak.
ONCE = [(BLACKJACK_21, "pt"), (FORTUNE_8, "zh"), (TAIWAN_PAI_KAO, "en")]


@pytest.mark.parametrize(
    ("game", "language"),
    [
        pytest.param(game, language, marks=() if (game, language) in ONCE else pytest.mark.soak)
        for game, _ in ONCE
        for language in SPOKEN
    ],
)
def test_the_page_is_readable_everywhere_and_prints_on_paper(
    browser: Browser, game: str, language: str, tmp_path: Path
) -> None:
    file = tmp_path / "round.html"
    file.write_text(page(recorded(game, tmp_path, CONFIRMED), language), encoding="utf-8")
    look_at(browser, file, sheets=2)


@pytest.mark.parametrize(
    "language", [pytest.param(code, marks=() if code == "pt" else pytest.mark.soak) for code in SPOKEN]
)
def test_the_timeline_of_the_wires_is_readable_everywhere(browser: Browser, language: str, tmp_path: Path) -> None:
    bundle = recorded(FORTUNE_8, tmp_path, CONFIRMED)
    lines = [
        OnWire(f"2026-01-02T03:04:{second:02}.000+00:00", wire, by, octets="053144", message=message)
        for second, (wire, by, message) in enumerate(ON_WIRES, start=5)
    ]
    file = tmp_path / "wires.html"
    file.write_text(wires_page(bundle, lines, b"the file", "dispute-1-3.json", language), encoding="utf-8")
    look_at(browser, file, sheets=4)


def look_at(browser: Browser, file: Path, sheets: int) -> None:
    asked: list[str] = []
    with browser.new_context(java_script_enabled=True) as context, context.new_page() as opened:
        opened.on("request", lambda request: asked.append(request.url))
        opened.goto(file.as_uri())
        for width in WIDTHS:
            opened.set_viewport_size({"width": width, "height": 900})
            assert faults_of_layout(opened) == NOTHING_WRONG
        opened.evaluate(AXE)
        assert opened.evaluate(VIOLATED, WCAG) == []
        assert sheets_of_paper(opened, format="A4") <= sheets
        assert asked == [file.as_uri()]

"""A person deals at the simulator: the line on the dealer's screen names each button as the button itself does."""

import uuid
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error

from controller.words import SPOKEN
from simulators.station_toml import TOML, read_setting
from tests.console.panel_table import PanelTable, with_panel
from tests.games import BLACKJACK_21, FORTUNE_3_2008, FORTUNE_3_2025, FORTUNE_8, TAIWAN_PAI_KAO
from tests.station.processes import patiently
from tests.station.screen import get_table, post

PATIENCE_SECONDS = 60.0
# A button's text is the page's own in each language, so that one language shows whether the right button is named.
TABLES = [
    (FORTUNE_3_2025, "shuffler", 1, "zh"),
    *(
        pytest.param(game, source, 2, " ".join(SPOKEN), marks=pytest.mark.soak)
        for game, source in (
            (FORTUNE_3_2025, "shuffler"),
            (FORTUNE_3_2025, "shoe"),
            (BLACKJACK_21, "shoe"),
            (TAIWAN_PAI_KAO, "shoe"),
            (FORTUNE_3_2008, "shuffler"),
            (FORTUNE_8, "shoe"),
            (BLACKJACK_21, "shuffler"),
        )
    ),
]
# Keyed in on a pad or the felt, entered in a sheet, or answered for several places at once.
WITHOUT_BUTTON = {
    "wager", "dice", "cards_counted", "increment", "extracted", "acknowledge", "confirm_hit", "witness_cards",
    "close_table", "give_up", "take_bank", "tiles_moved", "exposed", "cut_card",
}  # fmt: skip
FOLLOW = "() => { new EventSource('/stream').onmessage = ({ data }) => { window.now = JSON.parse(data); }; }"
WANTED = "() => (window.now?.wanted ?? []).filter(entry => !entry.entered)"
BUTTONS = """
  () => [...document.querySelectorAll(".answers button, [data-decide]")].map(button => button.textContent.trim())
"""


class Guided:
    """A person who enters what the line says, in each of these languages."""

    def __init__(self, table: PanelTable, station: tuple[str, int], languages: str) -> None:
        self._table, self._station, self._languages = table, station, languages.split()
        self._line = table.console.page.frame_locator(".hint").locator("#wanted li")
        self._dealt_with: set[int] = set()
        self.named: set[str] = set()

    def act(self) -> None:
        """Compare what is to be entered now with the buttons, and enter it."""
        wanted = [entry for entry in self._table.panel.evaluate(WANTED) if entry["number"] not in self._dealt_with]
        if not wanted:
            self._table.panel.wait_for_timeout(50)
            return
        kinds = {entry["input"]["kind"] for entry in wanted}
        if kinds - self.named:
            for language in self._languages:
                self._table.console.tap(f"header [data-language={language}]")
                patiently(
                    partial(self._is_named, language), PATIENCE_SECONDS, f"the names of {kinds}, {language}", 0.05
                )
            self.named |= kinds
        for entry in wanted:
            self._dealt_with.add(entry["number"])
            post(self._station, [{"input_id": uuid.uuid4().hex, **entry["input"]}])

    def _is_named(self, language: str) -> bool:
        """Whether each entry of the line ends with the text of a button that is there."""
        wanted: list[dict[str, Any]] = [entry["input"] for entry in self._table.panel.evaluate(WANTED)]
        buttons = self._table.console.page.evaluate(BUTTONS)
        try:
            line = self._line.all_inner_texts()
        except Error:  # another language is another address of the frame
            return False
        due = [
            text
            for input, text in zip(wanted, line, strict=False)
            if input["kind"] not in WITHOUT_BUTTON and not (input["kind"] == "reveal" and "cards" in input)
        ]
        return len(line) == len(wanted) and all(
            text.partition(" (")[0].rpartition(" → ")[2].rstrip(".。") in buttons for text in due
        )


@pytest.mark.parametrize(("game", "source", "rounds", "languages"), TABLES)
def test_at_every_step_the_line_names_the_button_that_is_there(
    browser: Browser, tmp_path: Path, game: str, source: str, rounds: int, languages: str
) -> None:
    with with_panel(browser, tmp_path, "--game", game, "--source", source, "--seed", "3", "--speed", "20") as table:
        table.console.tap("dialog .close")
        table.panel.evaluate(FOLLOW)
        table.panel.check("[name=actor][value=you]")
        table.console.page.wait_for_selector(".hint", state="visible")
        setting = read_setting(tmp_path / TOML)
        guided, first = Guided(table, (setting.host, setting.port), languages), table.round
        while table.round < first + rounds + 1:
            guided.act()
        assert {"begin_round", "wager", "lock_in", "confirm"} <= guided.named
        print(game, source, sorted(guided.named), get_table((setting.host, setting.port))["step"]["kind"])
        table.panel.check("[name=actor][value=robot]")

"""Every answer of every game is double-clicked: no second press enters anything."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.console.tapping import PHONE, WIDE
from tests.console.taps import SCRIPTS
from tests.console.test_console_presses import rounds_pressed_twice

ROUNDS = 3


@pytest.mark.parametrize("at_once", [False, True], ids=["one-thing", "at-once"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["table", "phone"])
@pytest.mark.parametrize("game", SCRIPTS)
def test_no_second_press_enters_anything(
    browser: Browser, tmp_path: Path, game: str, size: dict[str, int], at_once: bool
) -> None:
    pressed = rounds_pressed_twice(browser, tmp_path / "table", game, ROUNDS, size, at_once)
    print(f"{game}: {len(pressed)} answers pressed twice, of which {pressed}")

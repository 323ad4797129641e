"""Every answer of every game is double-clicked: no second press pays, clears, voids or closes anything."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.console.hands import at_a_station
from tests.console.pressing import Pressing
from tests.console.tapping import PHONE, WIDE
from tests.console.taps import SCRIPTS, Counted, stack

ROUNDS = 3


@pytest.mark.parametrize("at_once", [False, True], ids=["one-thing", "at-once"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["table", "phone"])
@pytest.mark.parametrize("game", SCRIPTS)
def test_no_second_press_ends_anything(
    browser: Browser, tmp_path: Path, game: str, size: dict[str, int], at_once: bool
) -> None:
    script = SCRIPTS[game]
    with at_a_station(tmp_path / "table", game, script.source, stack(game)) as (hands, daemon):
        screen = Pressing(browser, hands.port, size)
        dealer = Counted(screen, hands, script, daemon.address, at_once)
        for number in range(ROUNDS):
            dealer.to("wagers")
            dealer.bet(number)
            dealer.to("confirm")
            dealer.proceed()
        screen.close()
        print(f"{game}: {len(screen.pressed)} answers pressed twice, of which {screen.pressed}")

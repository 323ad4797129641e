"""What is pressed: every answer of every game twice, and every button of the panel to the end of what it does."""

import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from playwright.sync_api import TimeoutError as PageTimeout

from simulators.devices.sign_dots import frames
from simulators.devices.sign_protocol import HOLD, RED, Page, Run
from tests.console.panel_table import PanelTable, with_panel
from tests.console.tapping import PHONE, WIDE, Tapping
from tests.console.taps import SCRIPTS
from tests.console.test_console_presses import rounds_pressed_twice

EACH_ROUNDS = 3


@pytest.mark.parametrize("at_once", [False, True], ids=["one-thing", "at-once"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["table", "phone"])
@pytest.mark.parametrize("game", SCRIPTS)
def test_no_second_press_enters_anything(
    browser: Browser, tmp_path: Path, game: str, size: dict[str, int], at_once: bool
) -> None:
    pressed = rounds_pressed_twice(browser, tmp_path / "table", game, EACH_ROUNDS, size, at_once)
    print(f"{game}: {len(pressed)} answers pressed twice, of which {pressed}")


OF_REPORTS = ("corrupt", "lost", "doubled", "unreadable", "overdraw", "cut_card")  # strike when the shoe is drawn from
CHIP_STEPS = ("wagers", "deal", "decisions", "reveal")
# What can be read on the sign, and its dots as they are on the screen: lit where the middle of one is bright.
SIGN = """() => {
  const canvas = document.querySelector("canvas");
  const side = canvas.height / 7;
  const lit = (row, column) => {
    const [red, green] = canvas.getContext("2d").getImageData((column + 0.5) * side, (row + 0.5) * side, 1, 1).data;
    return red > 100 || green > 100;
  };
  const columns = [...Array(canvas.width / side).keys()];
  const rows = [...Array(7).keys()].map((row) => columns.map((column) => (lit(row, column) ? "r" : ".")).join(""));
  return [document.querySelector("#readable").textContent, rows];
}"""


def read_sign(table: PanelTable) -> tuple[str, list[str]]:
    """Text and dots, which must be those of one of its frames."""
    text, rows = table.panel.evaluate(SIGN)
    pages = [Page(HOLD, [Run(page, RED)]) for page in text.split(" | ")]
    assert rows in [list(frame.rows) for frame in frames(pages)]
    return text, rows


def test_the_dealer_stops_and_continues_chips_fall_and_the_sign_follows_the_pot(
    browser: Browser, tmp_path: Path
) -> None:
    with with_panel(browser, tmp_path, "--source", "shoe") as table:
        panel = table.panel
        assert "SIMULATION" in panel.inner_text(".mark") and panel.title().startswith("SIMULATION")
        table.struck(table.press(*(f"shoe:{kind}" for kind in OF_REPORTS)), *(f"shoe:{kind}" for kind in OF_REPORTS))
        table.play_on()
        text, dots = pause(table)
        stopped = still(table)
        panel.wait_for_timeout(500)  # five rounds
        assert (table.round, table.step) == stopped

        panel.click("#pause")
        table.see("text => document.querySelector('#readable').textContent !== text", text)
        table.play_on()
        later, other_dots = pause(table)
        assert later != text and other_dots != dots

        while table.step[1] not in CHIP_STEPS:
            panel.click("#pause")
            pause(table)
        chip = panel.locator("#chips button:not(.on)").first.get_attribute("data-seat")
        panel.click(f"#chips [data-seat='{chip}']")
        table.see("seat => document.querySelector(`#chips [data-seat='${seat}']`).classList.contains('on')", chip)
        panel.click("#pause")
        table.play_on()
        table.play_on()


def pause(table: PanelTable) -> tuple[str, list[str]]:
    """The dealer pauses, and what he had in hand is done; what the sign shows then."""
    table.panel.click("#pause")
    table.see("() => document.querySelector('#rest').textContent")
    still(table)
    return read_sign(table)


def still(table: PanelTable) -> tuple[int, tuple[str, str]]:
    """Round and step, once the station has received all that the dealer did."""
    seen = table.round, table.step
    while True:
        table.panel.wait_for_timeout(200)
        before, seen = seen, (table.round, table.step)
        if seen == before:
            return seen


ATTEMPTS = 8  # a card that is misread may be in a hand that folds; a machine restarts between two deals
SHOWN_SECONDS = 15.0
SENSOR = "The sensor of seat"
AWAY = {device: f"The {device} does not answer" for device in ("shuffler", "shoe", "sign")} | {
    "slots": "The slots do not answer"
}
# What comes to be among the alarms, is over again, and is found in their log.
ALARMS = {
    **{f"{device}:unplug": words for device, words in AWAY.items()},
    **{f"slots:{kind}": AWAY["slots"] for kind in ("split", "bytewise", "mute")},
    "shuffler:jam": "shuffler: jam",
    "shuffler:lid_open": "the lid is open",
    "slots:storm": SENSOR,
    "slots:bounce": SENSOR,
}
# What the dealer is notified of, or asked to do, beside the felt, in one of these ways; it goes with its round.
PROMPTED = {
    "shuffler:misread": ("A card was not read",),
    "shuffler:damaged": ("found a damaged card",),
    "deck:missing": ("The deck is not whole",),
    "deck:doubled": ("The deck is not whole",),
    "shoe:unreadable": ("A card was not read",),
    "players:late_chip": ("chip after the bets were closed", "a chip came and went"),
}
CORRECTED = "keyed in wrongly"
# Of a correction after the cards were seen: a supervisor enters it, and gives the reason. A wrong seat is always
# noticed so late, other mistakes by chance.
APPROVED = "seen by the supervisor"
# What is found among the rounds afterwards: void, irregular or corrected.
AMONG_ROUNDS = {
    "shuffler:restart": ("the shuffler was switched on again",),
    "shuffler:short": ("cards came where",),
    "dealer:expose": ("seen while it was dealt",),
    "dealer:order": ("the order of the deal was broken",),
    "dealer:number": ("a wrong number of cards was dealt",),
    "dealer:empty_seat": ("null: dealt to a seat",),
    "dealer:slip_wager": (CORRECTED, APPROVED),
    "dealer:slip_seat": (APPROVED,),
    "dealer:slip_decision": (CORRECTED, APPROVED),
    "dealer:miskey": (CORRECTED, APPROVED),
}
# What the station lives through: bytes in pieces, late or out of place, a packet lost or twice, a card drawn too soon
# that is the next one all the same, a chip taken back before the bets are closed, a sign that forgot its text, a device
# switched on again between two questions, a complaint.
BORNE = (
    *(f"{device}:{kind}" for device in ("shuffler", "shoe", "sign") for kind in ("split", "bytewise", "late", "mute")),
    *(f"{device}:{kind}" for device in AWAY for kind in ("babble", "corrupt", "lost", "doubled")),
    *(f"{device}:restart" for device in ("shoe", "slots", "sign")),
    "dealer:complaint", "players:in_and_out", "shoe:cut_card", "shoe:overdraw",
    "slots:late", "slots:stuck", "slots:passing", "slots:watchdog", "sign:nak", "sign:memory_lost",
)  # fmt: skip
FROM_THE_SHOE = {f"shoe:{kind}" for kind in ("corrupt", "lost", "doubled", "unreadable", "overdraw", "cut_card")}
BEFORE = {"dealer:miskey": ("shuffler:misread",), "sign:memory_lost": ("sign:restart",)}  # what gives it its occasion
FILMED = {"dealer:expose": "exposed"}  # under another name than its own


def strike(table: PanelTable, fault: str) -> bool:
    """Press its button, and wait until it has struck, or found no occasion."""
    before = table.press(*BEFORE.get(fault, ()), fault)
    try:
        table.struck(before, FILMED.get(fault, fault.removeprefix("dealer:").removeprefix("players:")))
    except PageTimeout:
        return False
    return True


def last_round_with(screen: Tapping, any_words: tuple[str, ...]) -> int:
    """The last round in which one of these is found, 0 for none."""
    screen.tap("[data-sheet=rounds]")
    screen.page.wait_for_selector("dialog .rounds tr")
    last = 0
    for words in any_words:
        screen.find(words)
        found = screen.page.locator("dialog .rounds tbody th")
        last = max(last, int(found.first.inner_text()) if found.count() else 0)
    screen.tap("dialog .close")
    return last


def appears_among_rounds(table: PanelTable, screen: Tapping, fault: str, words: tuple[str, ...]) -> bool:
    """Struck, it is found in a later round than before."""
    before = last_round_with(screen, words)
    if not strike(table, fault):
        return False
    deadline = time.monotonic() + SHOWN_SECONDS
    while time.monotonic() < deadline:
        if last_round_with(screen, words) > before:
            return True
        table.panel.wait_for_timeout(300)
    return False


@pytest.mark.parametrize("source", ["shuffler", "shoe"])
def test_every_fault_button_ends_in_what_the_console_shows_of_it(browser: Browser, tmp_path: Path, source: str) -> None:
    with with_panel(browser, tmp_path, "--seed", "4", "--source", source) as table:
        offered = {fault for fault in table.offered if (fault in FROM_THE_SHOE) == (source == "shoe")}
        known = {*ALARMS, *PROMPTED, *AMONG_ROUNDS, *BORNE}
        assert set(table.offered) <= known, set(table.offered) - known
        screen = table.another_screen()
        table.panel.select_option("#for", "10")
        for fault in sorted(offered):
            # A round of the fastest hands is over before a screen has drawn what is reported in it.
            table.panel.select_option("#speed", "20" if fault in PROMPTED else "max")
            for _ in range(ATTEMPTS):
                if fault in AMONG_ROUNDS:
                    ended = appears_among_rounds(table, screen, fault, AMONG_ROUNDS[fault])
                elif fault in BORNE:
                    ended = strike(table, fault)
                else:
                    words = PROMPTED.get(fault) or (ALARMS[fault],)
                    ended = strike(table, fault) and table.console_showed(SHOWN_SECONDS, *words)
                table.end(fault)
                if ended:
                    break
            assert ended, f"{fault}: nothing of it was shown"
            table.calm()
            if fault in ALARMS:
                assert table.is_logged(ALARMS[fault]), f"{fault}: begun, over and acknowledged"
            table.play_on()
        screen.close()

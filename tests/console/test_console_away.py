"""The screen of a station that is away: it is read, says since when, shows nothing as present, and takes no tap."""

import re
from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, Route

from tests.console.hands import Hands, at_a_station
from tests.console.tapping import PHONE, TOO_WIDE, WHERE, WIDE, Dealer, Tapping, until_dispatched
from tests.games import FORTUNE_3_2025
from tests.station.processes import Daemon

AWAY = "() => document.querySelector('.away')"
LIVE = "() => document.querySelector('[data-link=live]') && !document.querySelector('.away')"
SHUFFLER = "() => document.querySelector('.source .state')?.innerText === 'ready'"
AA = 4.5
READ = (".next", ".top h1", ".top .table p", ".away", ".source .what", ".seat .head", ".space .label")
# The contrast of a text as it is painted: from the page's ground inwards, whatever is translucent put over it.
CONTRAST = """selector => {
  const colour = (text) => text.match(/[\\d.]+/g).map(Number);
  const over = ([r, g, b, a = 1], under) => [r, g, b].map((part, at) => part * a + under[at] * (1 - a));
  const elements = [];
  for (let part = document.querySelector(selector); part; part = part.parentElement) elements.unshift(part);
  const painted = (at, under) => {
    const style = getComputedStyle(elements[at]);
    const here = over(colour(style.backgroundColor), under);
    const last = at === elements.length - 1;
    const inside = last ? [here, over(colour(style.color), here)] : painted(at + 1, here);
    return inside.map((shade) => over([...shade, Number(style.opacity)], under));
  };
  const luminance = (shade) => {
    const [r, g, b] = shade.map((part) => part / 255).map((part) => (
      part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [dark, light] = painted(0, [255, 255, 255]).map(luminance).sort((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
}"""
# Which of these a finger in their middle would meet.
TAPPED = """selector => [...document.querySelectorAll(selector)].filter((part) => {
  part.scrollIntoView({ block: "nearest" });
  const { x, y, width, height } = part.getBoundingClientRect();
  return part.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}).length"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Hands, Daemon]]:
    """A station of 2025 with its shuffler, where bets are taken."""
    with at_a_station(tmp_path_factory.mktemp("away"), FORTUNE_3_2025, "shuffler") as (hands, daemon):
        yield hands, daemon


@pytest.fixture(scope="module")
def kept(browser: Browser, table: tuple[Hands, Daemon]) -> Iterator[Tapping]:
    screen = Tapping(browser, table[0].port)
    yield screen
    screen.complaints = [text for text in screen.complaints if "ERR_" not in text]  # the browser reports the outages
    screen.close()


@pytest.fixture
def screen(kept: Tapping, table: tuple[Hands, Daemon]) -> Iterator[Tapping]:
    """The screen of these tests, at the wagers; whatever becomes of a test, the next one finds the station."""
    Dealer(kept, hands=table[0], by_machine=True).to("wagers")
    kept.see(SHUFFLER)
    yield kept
    if not table[1].running:
        table[1].start()
        table[1].wait_answering()
    kept.see(LIVE)


def test_the_screen_of_a_station_that_died_is_read_and_says_since_when(
    screen: Tapping, table: tuple[Hands, Daemon]
) -> None:
    before = datetime.now(ZoneInfo(WHERE)).replace(microsecond=0)
    table[1].kill()
    screen.see(AWAY)
    for size in (PHONE, WIDE):
        screen.page.set_viewport_size({"width": size["width"], "height": size["height"]})
        found = {selector: round(screen.page.evaluate(CONTRAST, selector), 2) for selector in READ}
        assert not {selector: contrast for selector, contrast in found.items() if contrast < AA}, found
        assert screen.page.evaluate(TOO_WIDE) == []
    for language, words in (
        ("pt", "SEM LIGAÇÃO À ESTAÇÃO desde as "),
        ("zh", "與系統失去連線 始於"),
        ("en", "NO LINK TO THE STATION since "),
    ):
        screen.tap(f"[data-language={language}]")
        matched = re.fullmatch(rf"{words}(\d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d)[.。].+", screen.text(".away"))
        assert matched is not None, screen.text(".away")
        since = datetime.fromisoformat(matched[1]).replace(tzinfo=ZoneInfo(WHERE))
        assert before <= since <= datetime.now(ZoneInfo(WHERE))


def test_a_station_that_is_away_shows_no_device_as_ready_and_no_answer_as_one_to_be_given(
    screen: Tapping, table: tuple[Hands, Daemon]
) -> None:
    answers = ".prompt button, .felt button"
    assert screen.page.evaluate(TAPPED, answers) > 10
    screen.page.locator("[data-kind=lock_in]").focus()
    table[1].kill()
    screen.see(AWAY)
    assert screen.text(".source .state") == "unknown" and not screen.has(".lamp.up")
    assert set(screen.page.locator(".slot").evaluate_all("all => all.map(part => part.ariaLabel)")) == {
        "Jackpot slot: unknown"
    }
    assert screen.page.evaluate(TAPPED, answers) == 0
    screen.tap("[data-sheet=devices]")
    states = dict(line.split("\n") for line in screen.page.locator("dialog .devices li").all_inner_texts())
    assert states.pop("Station") == "no answer" and set(states.values()) == {"unknown"}
    assert "since" in screen.text("dialog .away") and not screen.has("dialog .lamp.up")
    screen.tap("dialog .close")

    table[1].start()
    table[1].wait_answering()
    screen.see(LIVE)
    screen.see(SHUFFLER)
    assert screen.page.evaluate(TAPPED, answers) > 10


def test_who_keys_something_in_while_the_station_goes_away_continues_where_he_was(
    screen: Tapping, table: tuple[Hands, Daemon]
) -> None:
    for sheet, focused in ((None, "[data-kind=lock_in]"), ("rounds", "dialog [name=query]")):
        if sheet is not None:
            screen.tap(f"[data-sheet={sheet}]")
            screen.find("7")
        screen.page.locator(focused).focus()
        table[1].kill()
        screen.see(AWAY)
        screen.drawn()
        table[1].start()
        table[1].wait_answering()
        screen.see(LIVE)
        screen.see("focused => document.activeElement.matches(focused)", focused)
    assert screen.page.input_value("dialog [name=query]") == "7"
    screen.tap("dialog .close")


def test_a_station_that_answers_again_is_back_though_nothing_changed_at_its_table(screen: Tapping) -> None:
    lost: list[Route] = []

    def lose(route: Route) -> None:
        lost.append(route)
        if len(lost) == 1:
            route.abort()

    screen.page.route("**/inputs", lose)
    screen.tap(".tray .chip:first-child")
    screen.tap("[data-space='2/ante']")
    screen.see(AWAY)
    until_dispatched(screen.page, lambda: len(lost) == 2, "the input again")
    lost[1].continue_()
    screen.see("() => document.querySelector('[data-space=\"2/ante\"].refused')")
    screen.see(LIVE)
    assert len(lost) == 2
    screen.tap(".tray button:last-child")

"""The players' display in a browser without a station: tables played in memory, as their display shows them."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from playwright.sync_api import Browser, Page, Route
from starlette.applications import Starlette
from starlette.testclient import TestClient

from controller.console.files import page_files
from controller.engine.shown.device_orders import react
from controller.engine.shown.display import display
from controller.engine.shown.projection import project
from controller.rulebook.games import game_of
from controller.rulebook.results import PastOutcome, past_outcome
from controller.statistics.wagered import edge_shown
from tests.engine.hands import Hands
from tests.engine.places import Places
from tests.engine.playing import Play, stacked
from tests.engine.spaces import Spaces
from tests.engine.table_2008 import Play2008
from tests.games import BLACKJACK_21, FORTUNE_3_2008, FORTUNE_3_2025, FORTUNE_8, TAIWAN_PAI_KAO

Shown = dict[str, Any]
PAST = 10
HOST = "http://display.test"


def fortune_3() -> Play:
    """Seven seats; a straight flush at seat 1, with community cards that lead to nothing more."""
    hands = ("9s 8s 7s", "Kh Kd 4c", "Ac 9d 3h", "6c 6d 6h", "Qs Jd 9c", "5h 4h 2h", "Td 9h 8d", "Qc 5d 3c", "2s 4d")
    play = Play(stacked(*hands), seat_count=7).to_wagers()
    for seat in range(1, 8):
        play.bet(seat, ante=1000, pair_plus=500, six_card_bonus=200)
    return play.chips(1, 4)


def fortune_3_2008() -> Play:
    """Six seats as they come."""
    play = Play2008().to_wagers()
    for seat in range(1, 7):
        play.bet(seat, ante=100, pair_plus=100)
    return play


def blackjack() -> Play:
    """Six seats with a prize of two aces at seat 1."""
    play = Hands("Ac Th 9h 7s 4d Kc 9d Ad 9s 8h 5c Jc Qd 8d", prize="auto").to_wagers()
    for seat in range(1, 7):
        play.place_bet(seat, 200)
    return play.chips(1)


def fortune_8() -> Play:
    """Seven spaces, each with bets in two boxes."""
    play = Spaces("8d 2c Kh 5s 8c Ad 7h").to_wagers()
    for seat in range(1, 8):
        play.place_bet(seat, "A", low=100, eight=200)
    return play


def pai_kao() -> Play:
    """Eight places, the bank at one of them."""
    tiles = "6-6 5-4 1-1 6-2 4-2 2-1 6-5 6-4 5-5 5-5 4-4 3-3 6-1 5-1 3-1 2-2 4-1 3-2 6-3 5-3 4-3 5-2"
    play = Places(tiles).until("wagers")
    for place in range(2, 9):
        play.place_bet(place, "A", 1000)
    return play


TABLES: dict[str, Callable[[], Play]] = {
    FORTUNE_3_2025: fortune_3,
    FORTUNE_3_2008: fortune_3_2008,
    FORTUNE_8: fortune_8,
    BLACKJACK_21: blackjack,
    TAIWAN_PAI_KAO: pai_kao,
}


def as_shown(play: Play) -> Shown:
    """What the display of a played table gets, with the last confirmed round as each of the past ones."""
    shown = display(project(play.table, react(play.table, 2), play.settings), play.settings)
    round = play.table.round
    before: list[PastOutcome] = []
    if round is not None and round.settled is not None:
        last = past_outcome(game_of(round).report(round))
        before = [msgspec.structs.replace(last, round=number) for number in range(41 - PAST, 41)]
    edges = {wager: edge_shown(play.settings.terms, wager) for wager in shown.limits}
    return {
        "table": "MESA-07", "mode": "simulation", "currency": "MOP", "exponent": 0,
        "edges": {wager: msgspec.to_builtins(edge) for wager, edge in edges.items() if edge is not None},
        **msgspec.to_builtins(shown), "past": msgspec.to_builtins(before),
        "fault": "", "pot_changed": None if shown.pot is None else "2026-01-31T20:04:09.000Z",
    }  # fmt: skip


@functools.cache
def stages_of(game: str) -> dict[str, Shown]:
    """The display while bets are made, when they are closed, with the last card open before the result, at the result
    and after it.
    """
    play = TABLES[game]()
    found: dict[str, Shown] = {}
    while not play.at("begin"):
        shown = as_shown(play)
        found.setdefault(shown["stage"], shown)
        if shown["stage"] == "no_more" and shown["cards"]:
            found["open"] = shown
        play.proceed()
    past = found["result"]["past"]
    return {**found, "waiting": as_shown(play) | {"past": past}, "bets": found["bets"] | {"past": past}}


STREAM = """(() => {
  const given = window.fetch;
  window.fetch = (address, options) => {
    if (address !== "/display/stream") return given(address, options);
    return Promise.resolve(new Response(new ReadableStream({ start(stream) {
      window.showNow = (shown) => stream.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(shown)}\n\n`));
      showNow(null);
    } })));
  };
})();"""
AWAY = "main.away"


ANSWERED = functools.cache(TestClient(Starlette(routes=page_files("simulation", "fortune-8"))).get)


def _answer(route: Route) -> None:
    answer = ANSWERED(route.request.url.removeprefix(HOST))
    route.fulfill(status=answer.status_code, body=answer.content, content_type=answer.headers["content-type"])


def show(page: Page, shown: Shown) -> None:
    """The display gets this and has drawn every piece of the stage."""
    page.evaluate("shown => showNow(shown)", shown)
    page.wait_for_selector(f"#display:not([data-drawing]) main[data-stage={shown['stage']}] h1")


def _loaded(browser: Browser, language: str, clock: bool) -> Page:
    page = browser.new_page()
    if clock:
        page.clock.install(time=0)
    page.route("**/*", _answer)
    page.add_init_script(STREAM)
    page.goto(f"{HOST}/display?language={language}")
    page.wait_for_selector(AWAY)  # its words may come after it is loaded, and its stream after them
    return page


_in_language = functools.cache(functools.partial(_loaded, clock=False))


@contextmanager
def displayed(
    browser: Browser,
    shown: Shown,
    size: tuple[int, int],
    language: str = "en",
    clock: bool = False,
    still: bool = False,
) -> Iterator[Page]:
    """A page of the display that shows this, and showed nothing before; with a `clock` its time is the test's.

    There is one for each language, which moves while it is used, unless it is to be `still`.
    """
    page = _loaded(browser, language, clock) if clock else _in_language(browser, language)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(reduced_motion="reduce" if still else "no-preference")
    page.evaluate("showNow(null)")
    page.wait_for_selector(AWAY)
    show(page, shown)
    yield page
    page.emulate_media(reduced_motion="reduce")
    if clock:
        page.close()

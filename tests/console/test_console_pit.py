"""The pit's page in a browser: tiles of two tables, one by itself with its charts, in three languages, by PIN."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route

from controller.console.server import ConsoleServer
from controller.engine.outcomes import NotFound
from controller.pit.alarms import GAPS, LOCKED, Alarms
from controller.pit.links_watch import LinkShown, LinksWatch, OfferedKey, OpenClaim
from controller.pit.live import Live
from controller.pit.picture import make_picture
from controller.pit.plans import Plan
from controller.words import SPOKEN
from simulators.broker import free_port
from tests.console.gates import PINS, quick_gate
from tests.console.layout import NOTHING_WRONG, faults_of_layout
from tests.console.tapping import AXE, LOOK_MS, PHONE, VIOLATED, WCAG, WHERE, WIDE, until_dispatched
from tests.console.test_console_connections import connected
from tests.link.entries import PUBLIC
from tests.pit.broadcasting import EXAMPLES, retained
from tests.pit.test_pit_picture import KeptPlans
from tests.station.processes import PATIENCE_SECONDS, patiently

ALARM = {
    "name": "shoe-error",
    "level": "warning",
    "texts": {"en": "shoe: card overdrawn", "pt": "shoe: erro", "zh": "發牌靴：錯誤"},
    "since": "2026-03-14T14:00:00Z",
    "over": False,
    "acknowledged_by": None,
}
PER_HOUR = f"{float(EXAMPLES['statistics']['data']['per_hour']):.1f}"
NOW = int(time.time())
ROUND = {
    "round": 41, "confirmed": "2026-03-14T14:02:00Z", "outcome": "settled", "occupied": 5, "handle": 321000,
    "win": -1000, "win_with_jackpot": -501000,
    "confirmed_by": "ana", "void_article": None, "void_reason": None, "currency": "MOP", "exponent": 2,
}  # fmt: skip
LOST = {f"{cause}_minutes": 1.5 for cause in ("shuffle", "jam", "dispute", "device", "broker")}
HOURS = [
    {"at": NOW - ago, "rounds": 30, "tables": 2, "hold": 0.1, "expected": 0.04, "band": 0.2, "sigmas": 0.6, **LOST}
    for ago in (7200, 3600)
]
SCREENS = {"macau-1/t-7": {"start": "http://127.0.0.1:9/start", "display": "http://127.0.0.1:8/display"}}
POTS = [
    {"site": "macau-1", "table": "t-7", "currency": "MOP", "exponent": 2, "at": NOW - ago, "pot": 60000000 + ago}
    for ago in (7200, 3600)
]
WINS = [
    {"at": at, "currency": "MOP", "exponent": 2, "win": 100_000, "win_with_jackpot": -400_000}
    for at in (NOW - 7200, NOW - 3600)
]
RAISED = {"time": ALARM["since"], "site": "macau-1", "table": "t-2", "what": "raised", "alarm": "shoe-error",
          "text": ALARM["texts"], "actor": None}  # fmt: skip


def hits() -> list[dict[str, Any]]:
    now = datetime.now().astimezone()
    return [
        {"time": time.isoformat(), "site": "macau-1", "table": table, "round": round, "seat": 3, "tier": "flush",
         "amount": 6_001_785, "currency": "MOP", "exponent": 2, "article": "15.º 2", "paid": time.isoformat(),
         "slip": 4, "confirmed_by": ["ana", "rui"], "withdrawn": None}
        for time, table, round in ((now, "t-7", 41), (now, "t-2", 12), (now - timedelta(days=31), "t-7", 3))
    ]  # fmt: skip


class Archive:
    """What an archive has of these tables."""

    async def of_table(self, site: str, table: str) -> bytes | NotFound:
        return json.dumps({"rounds": [ROUND], "alarms": [RAISED], "pots": POTS, "hours": HOURS}).encode()

    async def alarms(self) -> bytes | NotFound:
        return json.dumps({"alarms": [RAISED]}).encode()

    async def pots(self) -> bytes | NotFound:
        return json.dumps({"pots": POTS, "hits": hits()}).encode()

    async def hours(self) -> bytes | NotFound:
        tables = [{"site": "macau-1", "table": "t-7", "at": hour["at"], "rounds": hour["rounds"]} for hour in HOURS]
        return json.dumps({"hours": HOURS, "wins": WINS, "tables": tables}).encode()


class Pit:
    """A pit in a thread of its own, with two tables: t-2 has an alarm, t-7 plays. `asks` for PINs, or for none."""

    def __init__(self, folder: Path, asks: bool = True) -> None:
        self._asks = asks
        self.port = free_port()
        self._folder, self._loop = folder, asyncio.new_event_loop()
        self._up = threading.Event()
        self._thread = threading.Thread(target=lambda: self._loop.run_until_complete(self._run()))

    async def _run(self) -> None:
        self.links = LinksWatch("")
        self.alarms = Alarms()
        self.plans = KeptPlans()
        self.live = Live(links=self.links, alarms=self.alarms)
        gate = quick_gate(self._folder) if self._asks else None
        for table, alarms in (("t-7", []), ("t-2", [ALARM])):
            for topic in ("status", "jackpot", "statistics"):
                self.live.receive(f"dealer/macau-1/{table}/{topic}", retained(topic))
            self.live.receive(f"dealer/macau-1/{table}/state", retained("state", open=True, alarms=alarms))
        self.server = ConsoleServer(
            make_picture(self.live, Archive(), self.plans, "127.0.0.1", gate, SCREENS), ("127.0.0.1", self.port), gate
        )
        self._up.set()
        await self.server.run()

    def receive(self, table: str, topic: str, content: bytes) -> None:
        """A table says something."""
        self._loop.call_soon_threadsafe(self.live.receive, f"dealer/macau-1/{table}/{topic}", content)

    def connect(self) -> None:
        """The broker answers."""
        self._loop.call_soon_threadsafe(setattr, self.live, "_connected", True)

    def link(self, *links: LinkShown) -> None:
        """The books have these linked pots."""
        self._loop.call_soon_threadsafe(self.links._take, links)

    def report(self, name: str, details: str, **values: object) -> None:
        """The pit has an alarm of its own."""
        self._loop.call_soon_threadsafe(lambda: self.alarms.report(name, details, **values))

    def clear(self, name: str) -> None:
        """And no longer."""
        self._loop.call_soon_threadsafe(self.alarms.clear, name)

    @contextmanager
    def served(self) -> Iterator["Pit"]:
        """While the page answers."""
        self._thread.start()
        self._up.wait()
        try:
            while True:
                with suppress(ConnectionRefusedError), connected(("127.0.0.1", self.port)):
                    break
            yield self
        finally:
            self.server.stop()
            self._thread.join()
            self._loop.close()


def test_a_supervisor_sees_both_tables_the_one_with_an_alarm_first_and_looks_at_each(
    browser: Browser, tmp_path: Path
) -> None:
    pit = Pit(tmp_path)
    with pit.served():
        context = browser.new_context(
            viewport={"width": WIDE["width"], "height": WIDE["height"]},
            locale="en-GB",
            timezone_id=WHERE,
            reduced_motion="reduce",
        )
        page, complaints = context.new_page(), list[str]()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"http://127.0.0.1:{pit.port}/")

        def sees(condition: str, argument: object = None) -> None:
            page.wait_for_function(condition, arg=argument, polling=LOOK_MS)

        def order() -> list[str]:
            found: list[str] = page.locator("[data-first]").evaluate_all("all => all.map(part => part.dataset.first)")
            return found

        def fits() -> bool:
            return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))

        page.fill("[data-name]", "rui")
        page.click("[data-name-done]")
        page.keyboard.type(PINS["rui"])
        page.click("[data-pin-done]")
        page.wait_for_selector(".shape")
        assert order() == ["t-2"]
        first = page.inner_text("[data-first=t-2]")
        assert "Warning since 22:00:00" in first and "shoe: card overdrawn" in first
        marked = "part => ['--mark', '--warn'].map(name => getComputedStyle(part).getPropertyValue(name))"
        mark, alarm = page.eval_on_selector(".shape[data-table=t-2]", marked)
        assert mark == alarm != ""
        second = page.inner_text(".shape[data-table=t-7]")
        assert "Fortune 3 Card Poker (2025)" in second and "MOP 600,000" in second and PER_HOUR in second
        page.evaluate(AXE)
        assert page.evaluate(VIOLATED, WCAG) == []
        for size in (PHONE, WIDE):
            page.set_viewport_size({"width": size["width"], "height": size["height"]})
            assert fits()

        pit.link(LinkShown("hall", "closed_claim_paid", (OpenClaim("macau-1/t-7", "j-1/4", 60_001_000, 61, True),)))
        page.wait_for_selector("[data-stopped=closed_claim_paid]")
        assert "hall is stopped" in page.inner_text("[data-stopped]")
        unpaid = page.inner_text("[data-unpaid='j-1/4']")
        assert "is not paid" in unpaid and "MOP 600,010, granted 61 min ago" in unpaid
        assert fits() and page.evaluate(VIOLATED, WCAG) == []
        pit.link(LinkShown("hall", "", (), (OfferedKey("macau-1/t-7", PUBLIC),)))
        page.wait_for_selector("[data-offered]")
        assert PUBLIC in page.inner_text("[data-offered]")
        assert fits() and page.evaluate(VIOLATED, WCAG) == []
        pit.link(LinkShown("hall", "", ()))
        sees("() => !document.querySelector('[data-unpaid]') && !document.querySelector('[data-stopped]')")

        pit.report(LOCKED, "a lock of pg_dump (process 4711, user postgres): COPY " + "pit.messages_" * 20)
        pit.report(GAPS, "it has a NUL in a text", count=3, tables="macau-1/t-7")
        page.wait_for_selector("[data-pit-alarm=gaps]")
        assert "3 messages fewer than macau-1/t-7 published" in page.inner_text("[data-pit-alarm=gaps]")
        page.click("[data-pit-alarm=database_locked] summary")
        assert "pg_dump (process 4711" in page.inner_text("[data-pit-alarm=database_locked]")
        assert fits() and page.evaluate(VIOLATED, WCAG) == []
        page.click("[data-view=alarms]")
        page.wait_for_selector(".alarms [data-alarm=shoe-error]")
        assert "shoe: card overdrawn" in page.inner_text(".alarms [data-alarm=shoe-error]")
        page.click("[data-view=tables]")
        pit.clear(LOCKED)
        pit.clear(GAPS)
        sees("() => !document.querySelector('[data-pit-alarm]')")

        pit.receive("t-2", "state", retained("state", open=True, alarms=[]))
        sees("() => document.querySelector('[data-table=t-2]').dataset.need === 'open'")
        page.click("[data-table=t-7]")
        for code, words in (("pt", "Últimas jogadas"), ("zh", "最近的牌局"), ("en", "Last rounds")):
            page.click(f"[data-language={code}]")
            sees("words => document.querySelector('main').textContent.includes(words)", words)
        sees("() => document.querySelectorAll('.plot canvas').length === 4")
        assert page.get_attribute("[data-screen=display]", "href") == SCREENS["macau-1/t-7"]["display"]
        rounds = page.inner_text(".rounds tbody")
        assert "41" in rounds and "−10" in rounds and "−5,010" in rounds
        assert page.evaluate(VIOLATED, WCAG) == []
        for view, seen in (("alarms", ".log"), ("pots", "[data-pot=t-7] canvas"), ("hours", "[data-hours='2'] canvas")):
            page.click(f"[data-view={view}]")
            page.wait_for_selector(seen)
            assert fits(), view
        lost = page.locator(".keys span").all_inner_texts()
        assert lost[-1] == "Floor not connected, while play continued: 3.0" and len(lost) == 5, lost
        assert page.inner_text("[data-total]").split() == ["In", "all", "+2,000", "−8,000"]
        page.click("[data-log-out=rui]")
        page.wait_for_selector("[data-name]")
        context.close()
        assert complaints == []


MANY = 60
CALM: dict[str, Any] = {"open": True, "alarms": []}
SIZES = ((1920, 1080), (1080, 1920), (1280, 720), (390, 844))
PLACES = "all => Object.fromEntries(all.map((part) => [part.dataset.table, [part.offsetLeft, part.offsetTop]]))"


@contextmanager
def floor_of(browser: Browser, folder: Path, tables: int) -> Iterator[tuple[Pit, Page]]:
    """A pit of so many tables for everyone, and a page that shows its floor."""
    pit = Pit(folder, asks=False)
    with pit.served():
        for number in range(1, tables + 1):
            for topic in ("status", "jackpot", "statistics", "state"):
                pit.receive(f"t-{number}", topic, retained(topic, **(CALM if topic == "state" else {})))
        page = browser.new_page(viewport={"width": 1920, "height": 1080}, locale="en-GB", reduced_motion="reduce")
        page.goto(f"http://127.0.0.1:{pit.port}/")
        page.wait_for_selector(f"[data-tables='{tables}']:has(.shape)")
        yield pit, page
        page.close()


def test_sixty_tables_are_seen_without_scrolling_with_what_was_won_in_all(browser: Browser, tmp_path: Path) -> None:
    with floor_of(browser, tmp_path, MANY) as (_, page):
        height, width = page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]")
        assert (height, width) == (1080, 1920)
        assert len(page.query_selector_all(".shape")) == MANY
        won = EXAMPLES["statistics"]["data"]["win"] * MANY // 100
        assert page.locator(".sum").all_inner_texts()[1] == f"Win with jackpot\nMOP +{won:,}"
        tables = [{"currency": currency, "exponent": 0, "win": 1, "pot": None} for currency in ("MOP", "EUR")]
        both = "async (tables) => (await import('/picture/words.js')).wins(tables).map(([, sum]) => sum)"
        for order in (tables, tables[::-1]):
            assert page.evaluate(both, order) == ["EUR +1", "MOP +1"], "whichever table needs someone first"
        wrong = {}
        for language in SPOKEN:
            page.click(f"[data-language={language}]")
            for wide, high in SIZES:
                page.set_viewport_size({"width": wide, "height": high})
                if (found := faults_of_layout(page, ".pit")) != NOTHING_WRONG:
                    wrong[language, wide, high] = found
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert not wrong


def test_a_jackpot_that_is_not_paid_comes_first_and_its_pot_leads_to_the_hits(browser: Browser, tmp_path: Path) -> None:
    with floor_of(browser, tmp_path, 8) as (pit, page):
        pit.receive("t-2", "state", retained("state", open=True, alarms=[ALARM | {"level": "critical"}]))
        hit = {"hit": 1, "seat": 4, "amount": 6_001_785, "state": "payable"}
        pit.receive("t-7", "jackpot", retained("jackpot", time="2026-03-14T14:00:00Z", hits=[hit]))
        page.wait_for_selector("[data-first=t-7] [data-hit]")
        page.wait_for_selector("[data-first=t-2]")
        firsts = page.eval_on_selector_all("[data-first]", "all => all.map((part) => part.dataset.first)")
        assert firsts == ["t-7", "t-2"]
        for language, words in (
            ("pt", "Um fiscal-chefe vai à mesa: duas pessoas confirmam o pagamento."),
            ("zh", "4號位：MOP 60,017.85。請監場主任到賭枱"),
            ("en", "Seat 4: MOP 60,017.85. A supervisor goes to the table: two persons confirm the payment."),
        ):
            page.click(f"[data-language={language}]")
            page.wait_for_function(
                "words => document.querySelector('[data-first=t-7]').innerText.includes(words)", arg=words
            )
        assert "since" in page.inner_text("[data-first=t-7]")
        page.click("[data-view=pots]")
        page.click("[data-hits=t-7]")
        page.wait_for_function("() => document.querySelectorAll('.log tbody tr').length === 1")  # of this table, today
        line = page.inner_text(".log tbody")
        assert all(text in line for text in ("t-7", "MOP 60,017.85", "Flush (15.º 2)", "ana + rui", "Slip"))
        page.click("a[href='#/pots']:not([data-view])")
        page.wait_for_function("() => document.querySelectorAll('.log tbody tr').length === 2")
        page.evaluate(AXE)
        assert page.evaluate(VIOLATED, WCAG) == [] and faults_of_layout(page, ".pit") == NOTHING_WRONG


def revision(pit: Pit) -> int:
    """Of the plan that the pit has, 0 while it has none."""
    return pit.plans.plans[""].revision if "" in pit.plans.plans else 0


def is_at(page: Page, table: str, place: list[int]) -> None:
    """Waits until a table is drawn there."""
    page.wait_for_function(
        "([name, at]) => { const part = document.querySelector(`.shape[data-table=${name}]`);"
        " return part?.offsetLeft === at[0] && part.offsetTop === at[1]; }",
        arg=[table, place],
    )


def test_an_arranged_floor_is_kept_and_tables_change_places_by_pointer_and_by_key(
    browser: Browser, tmp_path: Path
) -> None:
    with floor_of(browser, tmp_path, 8) as (pit, page):
        before = page.eval_on_selector_all(".shape", PLACES)
        page.click("[data-arrange]")
        page.focus("[data-table=t-1]")
        page.keyboard.press("ArrowRight")
        is_at(page, "t-1", before["t-2"])
        page.keyboard.press("ArrowUp")  # beyond the floor
        moved = page.eval_on_selector_all(".shape", PLACES)
        assert (moved["t-1"], moved["t-2"]) == (before["t-2"], before["t-1"])
        page.drag_and_drop("[data-table=t-1]", "[data-table=t-8]")
        is_at(page, "t-1", before["t-8"])
        page.click("[data-arrange]")
        patiently(lambda: revision(pit) == 2, PATIENCE_SECONDS, "the plan as it was arranged")
        page.reload()
        page.wait_for_selector(".shape")
        is_at(page, "t-1", before["t-8"])
        is_at(page, "t-8", moved["t-1"])
        assert len({tuple(at) for at in page.eval_on_selector_all(".shape", PLACES).values()}) == 8


def test_no_table_is_drawn_before_the_plan_is_known_for_it_would_move_under_a_finger(
    browser: Browser, tmp_path: Path
) -> None:
    with floor_of(browser, tmp_path, 8) as (pit, page):
        before = page.eval_on_selector_all(".shape", PLACES)
        pit.plans.plans[""] = Plan(1, {"macau-1/t-1": (3, 1)})
        waiting: list[Route] = []
        page.route("**/plan", lambda route: waiting.append(route))
        page.reload()
        page.wait_for_selector("[data-tables='8'] aside")
        until_dispatched(page, lambda: waiting, "the request for the plan")
        assert page.locator(".starting").is_visible() and not page.query_selector(".shape")
        waiting.pop().continue_()
        page.wait_for_selector(".shape")
        drawn = page.eval_on_selector_all(".shape", PLACES)
        assert drawn["t-1"] != before["t-1"]
        page.reload()
        until_dispatched(page, lambda: waiting, "the request for the plan")
        waiting.pop().abort()  # a plan that cannot be read keeps no table away
        page.wait_for_selector(".shape")
        assert page.eval_on_selector_all(".shape", PLACES) == before


def test_a_plan_is_the_same_on_another_screen_which_overwrites_no_newer_one(browser: Browser, tmp_path: Path) -> None:
    with floor_of(browser, tmp_path, 8) as (pit, page):
        other = browser.new_context(viewport={"width": 1920, "height": 1080}, locale="en-GB").new_page()
        other.add_init_script("window.setInterval = () => 0")  # the plan is read again every 30 s
        other.goto(f"http://127.0.0.1:{pit.port}/")
        other.wait_for_selector("[data-tables='8']:has(.shape)")
        before = page.eval_on_selector_all(".shape", PLACES)
        for screen, table in ((page, "t-1"), (other, "t-7")):
            screen.click("[data-arrange]")
            screen.focus(f"[data-table={table}]")
            screen.keyboard.press("ArrowRight")
            patiently(lambda: pit.plans.plans, PATIENCE_SECONDS, "the plan of the first screen")
        other.wait_for_selector("aside [role=alert]")
        is_at(other, "t-1", before["t-2"])
        is_at(other, "t-7", before["t-7"])
        other.focus("[data-table=t-7]")
        other.keyboard.press("ArrowRight")
        other.wait_for_selector("aside [role=alert]", state="detached")
        is_at(other, "t-7", before["t-8"])
        patiently(lambda: revision(pit) == 2, PATIENCE_SECONDS, "the plan of the other screen")
        assert len(pit.plans.plans) == 1
        pit.plans.away = True
        other.keyboard.press("ArrowLeft")
        other.wait_for_selector("aside [role=alert]")
        is_at(other, "t-7", before["t-8"])
        other.context.close()


def test_one_pot_that_tables_share_is_shown_once_with_the_value_of_the_books(browser: Browser, tmp_path: Path) -> None:
    with floor_of(browser, tmp_path, 8) as (pit, page):
        pit.link(LinkShown("hall", "", (), (), ("macau-1/t-1", "macau-1/t-2"), 70_000_000))
        page.wait_for_selector("[data-table=t-2] .figures :text('Shared jackpot')", state="attached")
        own = EXAMPLES["jackpot"]["data"]["pot"] // 100
        for table, pot in (("t-1", 700_000), ("t-2", 700_000), ("t-3", own)):
            assert f"MOP {pot:,}" in (page.text_content(f"[data-table={table}] .figures") or "")
        page.click("[data-view=pots]")
        page.wait_for_selector(".shared[data-link=hall]")
        shared = page.inner_text(".shared")
        assert "MOP 700,000" in shared and "Shared by macau-1/t-1, macau-1/t-2" in shared
        pots = page.eval_on_selector_all("[data-pot]", "all => all.map((part) => part.dataset.pot)")
        assert not {"t-1", "t-2"} & set(pots) and len(pots) == 6


def test_the_felt_of_a_table_is_shown_as_it_is_now_and_has_nothing_to_tap(browser: Browser, tmp_path: Path) -> None:
    with floor_of(browser, tmp_path, 8) as (pit, page):
        page.click("[data-table=t-3]")
        page.wait_for_selector(".felt-now .seats-now li")
        wagers = [{"seat": 2, "wager": "ante", "amount": 12300}]
        shown = {"bank": ["7h", "7d", "7c"], "seat 2": ["As", "Kd", "2c"]}
        round = {"round": 7, "phase": "reveal", "wagers": wagers, "chips": [2], "shown": shown}
        pit.receive("t-3", "state", retained("state", open=True, alarms=[], round_in_play=round))
        page.wait_for_selector(".seats-now .taken .bet")
        assert "Ante 123" in page.inner_text(".seats-now .taken")
        assert len(page.query_selector_all(".seats-now .taken .card")) == 3
        assert page.query_selector_all(".felt-now :is(button, a, input)") == []


def test_a_pit_that_has_just_started_has_time_to_find_its_broker_before_it_alarms(
    browser: Browser, tmp_path: Path
) -> None:
    page = browser.new_page()
    page.clock.install()
    pit = Pit(tmp_path, asks=False)
    with pit.served():
        page.goto(f"http://127.0.0.1:{pit.port}/")
        page.wait_for_selector(".pit > .nothing[role=status]")
        assert page.query_selector("[role=alert]") is None
        page.clock.fast_forward(11_000)
        page.wait_for_selector(".away[role=alert]")
    page.close()

"""A person plays a hand in the browser: bets with chips, decides, reads the result line by line, in his language."""

import json
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Browser, Page

from simulators.broker import free_port
from simulators.station_toml import TOML, read_setting
from tests.benchmarks.browser import ARGUMENTS
from tests.console.conftest import WITHOUT_WINDOWS, chromium
from tests.console.layout import NOTHING_WRONG, faults_of_layout
from tests.console.panel_table import Simulated, simulated
from tests.console.tapping import AXE, PHONE, VIOLATED, WCAG, WIDE
from tests.console.test_console_panel import TOO_WIDE
from tests.games import FORTUNE_8, TAIWAN_PAI_KAO
from tests.station.processes import Bench, ended_at_last

SEAT = 3
ROUND_MS = 180_000.0  # of eight places, where other programs take the processor
PIT = "http://127.0.0.1:9/"
# The buttons that were anywhere else than where they came, and the new questions of which a press took a button.
WATCHED = """() => {
  window.wrong = { moved: [], early: [] };
  const came = new WeakMap();
  const look = () => {
    for (const button of document.querySelectorAll("#asked button")) {
      const { left, top } = button.getBoundingClientRect(), at = `${left} ${top + scrollY}`;
      const before = came.get(button) ?? at;
      if (before !== at) wrong.moved.push(`${button.dataset.key} ${before} ${at}`);
      came.set(button, at);
    }
    requestAnimationFrame(look);
  };
  look();
  new MutationObserver((changes) => {
    for (const area of changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((area) => area.dataset?.kind)) {
      const { left, top } = area.querySelector("button").getBoundingClientRect();
      if (document.elementFromPoint(left + 5, top + 5)?.closest("button")) wrong.early.push(area.dataset.kind);
    }
  }).observe(document.getElementById("asked"), { childList: true });
}"""


def asked(page: Page, kind: str) -> None:
    page.wait_for_selector(f"#asked [data-kind={kind}]")


def answer_at_seat(page: Page) -> None:
    """What leads on, and wait for the next question."""
    before = page.locator("#asked [data-kind]").element_handle()
    kind = before.get_attribute("data-kind")
    if kind == "bets":
        page.click("#asked .box >> nth=0")
        page.click("[data-key=answer]")
    elif kind == "pairs":
        for at in (0, 1):
            page.click(f"[data-key=tile-{at}]")
        page.click("[data-key=answer]")
    elif kind == "bank":
        page.click("[data-key=refuse]")
    else:
        page.click("#asked button:enabled >> nth=0")
    page.wait_for_function(
        "area => !area.isConnected && document.querySelector('#asked [data-kind]')", arg=before, timeout=ROUND_MS
    )


def uncaught(page: Page) -> list[str]:
    """The errors that no script of the page catches, which are not among the messages of its console."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    return errors


def begins_at_the_first_page(page: Page, table: Simulated) -> None:
    """Its tiles lead to the screens of this table, in each language, without anything too wide or against WCAG."""
    page.goto(f"{table.panel}/start")
    page.wait_for_selector("#tiles a")
    page.evaluate(AXE)
    for code, words in (("pt", "O seu lugar"), ("zh", "您的座位"), ("en", "Your seat")):
        page.click(f"#languages [lang={code}]")
        assert page.inner_text("#tiles [data-tile=play] b") == words
        for size in (PHONE, WIDE):
            page.set_viewport_size({"width": size["width"], "height": size["height"]})
            assert page.evaluate(TOO_WIDE) == []
        assert page.evaluate(VIOLATED, WCAG) == []
    assert page.get_attribute("#tiles [data-tile=pit]", "href") == PIT
    assert "pot, limits" in page.inner_text("#tiles [data-tile=display]")
    assert page.inner_text("#floor") == f"mosquitto_sub -L {table.setting.broker}/dealer/laptop/table-1/# -v"
    for tile, shows in (("screen", ".console"), ("panel", ".fault"), ("display", "main"), ("play", "#asked")):
        with page.expect_popup() as opened:
            page.click(f"#tiles [data-tile={tile}]")
        opened.value.wait_for_selector(shows)
        opened.value.close()


def test_the_first_page_promises_no_pot_to_a_game_without_and_names_the_command_of_a_pit(
    browser: Browser, tmp_path: Path
) -> None:
    bench = Bench(tmp_path, "--game", FORTUNE_8, "--panel")
    with ended_at_last(bench):
        bench.wait_ready()
        page = browser.new_page(viewport={"width": PHONE["width"], "height": PHONE["height"]})
        page.goto(f"http://127.0.0.1:{read_setting(tmp_path / TOML).panel}/start")
        for code, words in (("pt", "não tem jackpot"), ("zh", "沒有彩池"), ("en", "no pot")):
            page.click(f"#languages [lang={code}]")
            assert words in page.inner_text("#tiles [data-tile=display]")
            assert page.inner_text("#tiles [data-tile=pit]").endswith("dealer-pit simulate")
            assert faults_of_layout(page) == NOTHING_WRONG
        page.close()


def test_a_person_plays_a_hand_and_reads_what_it_came_to(browser: Browser, tmp_path: Path) -> None:
    with simulated(tmp_path, "--play", str(SEAT), "--speed", "max", "--seed", "3", "--pit-page", PIT) as table:
        page = browser.new_page(viewport={"width": WIDE["width"], "height": WIDE["height"]})
        complaints = uncaught(page)
        page.on("console", lambda message: complaints.append(message.text))
        begins_at_the_first_page(page, table)
        page.goto(f"{table.panel}/play")
        asked(page, "bets")
        for code, words in (("pt", "Façam as vossas apostas"), ("zh", "請下注"), ("en", "Place your bets")):
            page.click(f"#languages [lang={code}]")
            assert page.inner_text("#asked h2") == words
        assert page.inner_text("#money") == "Play money 20,000 · so far 0"
        assert page.is_disabled("[data-key=answer]")
        page.click("[data-key=chip-500000]")
        for _ in range(3):
            page.click("#asked [data-key=ante]")
        assert page.inner_text("#refusal") == "That is outside the limits."
        assert page.inner_text("#asked [data-key=ante] b") == "10,000"
        page.click("[data-key=clear]")
        page.click("[data-key=chip-50000]")
        page.click("#asked [data-key=ante]")
        assert page.inner_text("#refusal") == ""
        page.click("[data-key=chip-10000]")
        page.click("#asked [data-key=ante]")
        page.click("#asked [data-key=pair_plus]")
        assert page.inner_text("#asked [data-key=ante] b") == "600"
        page.click("[data-key=answer]")

        asked(page, "decide")
        assert page.locator(".mine .card:not(.down)").count() == 3
        assert page.locator("#own .card").all_inner_texts() == page.locator(".mine .card").all_inner_texts()
        assert page.locator(".seat:not(.mine) .card:not(.down)").count() == 0, "no one else's are shown"
        assert page.evaluate("() => document.activeElement.dataset.key") == "play", "the focus is here"
        assert page.evaluate(TOO_WIDE) == []
        page.keyboard.press("Enter")

        asked(page, "bets")
        rows = page.locator("#result tbody tr").all_inner_texts()
        assert [row.split("\t")[0] for row in rows][:3] == ["Ante", "Play", "Pair Plus"]
        assert all("º" in row.split("\t")[-1] for row in rows), "each with its article"
        came = page.inner_text("#result tfoot td")
        assert page.inner_text("#money b + b, #money b:last-child") == came
        money = int(page.inner_text("#money b:first-child").rpartition(" ")[2].replace(",", ""))
        assert money - 20_000 == int(came.replace(",", "").replace("−", "-").replace("+", ""))
        assert page.locator(".mine .card:not(.down)").count() == 3, "the cards are there to be looked at"
        assert page.locator(".last li").count() == 1 and came in page.inner_text(".last")
        assert "3.37 %" in page.inner_text("#pays") and "40 : 1" in page.inner_text("#pays")
        assert f"you are at {came}." in page.inner_text("#session")
        page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
        assert page.evaluate(TOO_WIDE) == []
        assert faults_of_layout(page)["overlaps"] == []
        page.evaluate(AXE)
        assert page.evaluate(VIOLATED, WCAG) == []
        page.click("[data-key=again]")
        asked(page, "decide")
        page.click("[data-key=fold]")
        asked(page, "bets")
        assert not complaints
        page.close()


def test_two_persons_play_at_one_table_one_on_a_phone_with_the_code_of_his_seat(
    browser: Browser, tmp_path: Path
) -> None:
    at = f"127.0.0.1:{free_port()}"
    another = browser.browser_type.launch(executable_path=chromium(WITHOUT_WINDOWS), args=ARGUMENTS)
    with (
        simulated(tmp_path, "--play", "3,5", "--play-at", at, "--speed", "max", "--seed", "3") as table,
        closing(another),
    ):
        links = json.loads((tmp_path / "seats.json").read_text())
        assert links.keys() == {"3", "5"} and links["5"].startswith(f"http://{at}/play?seat=5&code=")
        desktop = browser.new_page(viewport={"width": WIDE["width"], "height": WIDE["height"]})
        phone = another.new_page(viewport={"width": PHONE["width"], "height": PHONE["height"]})
        desktop.goto(f"{table.panel}/play")
        desktop.click("#asked a[href='/play?seat=3']")
        phone.goto(f"http://{at}/play?seat=5&code=WRONG234")
        phone.wait_for_selector("#asked p:has-text('the code')")
        phone.goto(links["5"])
        for page in (desktop, phone):
            asked(page, "bets")
            page.click("#asked [data-key=ante]")
            page.click("[data-key=answer]")
        for page in (desktop, phone):
            asked(page, "decide")
            assert page.locator("#own .card:not(.down)").count() == 3
            assert page.locator(".seat:not(.mine) .card:not(.down)").count() == 0, "the other's are hidden too"
            assert page.evaluate(TOO_WIDE) == [] and faults_of_layout(page)["overlaps"] == []
            page.click("[data-key=play]")
        for page, seat in ((desktop, 3), (phone, 5)):
            asked(page, "bets")
            page.wait_for_selector("#result tbody tr")
            assert page.locator(".mine").get_attribute("data-seat") == str(seat)
            assert page.locator(".last li").count() == 1
        assert phone.is_hidden("#links") and desktop.is_visible("#links")
        for path in ("", "start", "stream", "furnishing", "play/3/furnishing", "play/3/stream"):
            assert phone.request.get(f"http://{at}/{path}").status in (403, 404), path
        desktop.close()


def test_what_is_asked_stays_where_it_came_and_takes_no_press_that_was_for_the_question_before(
    browser: Browser, tmp_path: Path
) -> None:
    """Each hand ends with the person's two pairs and the line of the bet."""
    with simulated(tmp_path, "--game", TAIWAN_PAI_KAO, "--play", str(SEAT), "--speed", "max", "--seed", "3") as table:
        page = browser.new_page()
        errors = uncaught(page)
        for size in (WIDE, PHONE):
            page.set_viewport_size({"width": size["width"], "height": size["height"]})
            page.goto(f"{table.panel}/play")
            page.wait_for_selector("#asked [data-kind]")
            page.evaluate(WATCHED)
            played = page.locator(".last li").count()
            while page.locator(".last li").count() == played:
                answer_at_seat(page)
            assert page.evaluate("wrong") == {"moved": [], "early": []}
            assert page.locator("#own .pair .tile").count() == 4 and page.locator("#result tbody tr").count() == 1
        assert errors == []
        page.close()

"""A person plays a hand in the browser: bets with chips, decides, reads the result line by line, in his language."""

import json
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Browser, Page

from simulators.broker import free_port
from simulators.setting import Setting
from simulators.station_toml import TOML, read_setting
from tests.benchmarks.browser import ARGUMENTS
from tests.console.conftest import WITHOUT_WINDOWS, chromium
from tests.console.layout import NOTHING_WRONG, faults_of_layout
from tests.console.tapping import AXE, PHONE, VIOLATED, WCAG, WIDE
from tests.console.test_console_panel import TOO_WIDE
from tests.games import FORTUNE_8
from tests.station.processes import Bench, Daemon, ended_at_last

SEAT = 3
PIT = "http://127.0.0.1:9/"


def asked(page: Page, kind: str) -> None:
    page.wait_for_selector(f"#asked [data-kind={kind}]")


def begins_at_the_first_page(page: Page, setting: Setting) -> None:
    """Its tiles lead to the screens of this table, in each language, without anything too wide or against WCAG."""
    page.goto(f"http://127.0.0.1:{setting.panel}/start")
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
    assert page.inner_text("#floor") == f"mosquitto_sub -L {setting.broker}/dealer/laptop/table-1/# -v"
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
    bench = Bench(tmp_path, "--play", str(SEAT), "--speed", "max", "--seed", "3", "--pit-page", PIT)
    with ended_at_last(bench):
        bench.wait_ready()
        setting = read_setting(tmp_path / TOML)
        daemon = Daemon(tmp_path / TOML, (setting.host, setting.port))
        with ended_at_last(daemon):
            daemon.start()
            page = browser.new_page(viewport={"width": WIDE["width"], "height": WIDE["height"]})
            complaints: list[str] = []
            page.on("console", lambda message: complaints.append(message.text))
            begins_at_the_first_page(page, setting)
            page.goto(f"http://127.0.0.1:{setting.panel}/play")
            asked(page, "bets")
            for code, words in (("pt", "Façam as vossas apostas"), ("zh", "請下注"), ("en", "Place your bets")):
                page.click(f"#languages [lang={code}]")
                assert page.inner_text("#asked h2") == words
            assert page.inner_text("#money") == "Play money 20,000 · so far 0"
            assert page.is_disabled("[data-key=place]")
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
            page.click("[data-key=place]")

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
    bench = Bench(tmp_path, "--play", "3,5", "--play-at", at, "--speed", "max", "--seed", "3")
    another = browser.browser_type.launch(executable_path=chromium(WITHOUT_WINDOWS), args=ARGUMENTS)
    with ended_at_last(bench), closing(another):
        bench.wait_ready()
        setting = read_setting(tmp_path / TOML)
        daemon = Daemon(tmp_path / TOML, (setting.host, setting.port))
        with ended_at_last(daemon):
            daemon.start()
            links = json.loads((tmp_path / "seats.json").read_text())
            assert links.keys() == {"3", "5"} and links["5"].startswith(f"http://{at}/play?seat=5&code=")
            desktop = browser.new_page(viewport={"width": WIDE["width"], "height": WIDE["height"]})
            phone = another.new_page(viewport={"width": PHONE["width"], "height": PHONE["height"]})
            desktop.goto(f"http://127.0.0.1:{setting.panel}/play")
            desktop.click("#asked a[href='/play?seat=3']")
            phone.goto(f"http://{at}/play?seat=5&code=WRONG234")
            phone.wait_for_selector("#asked p:has-text('the code')")
            phone.goto(links["5"])
            for page in (desktop, phone):
                asked(page, "bets")
                page.click("#asked [data-key=ante]")
                page.click("[data-key=place]")
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

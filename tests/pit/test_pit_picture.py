"""The pit's page over HTTP: no one sees a table who has not logged in, and no page of another origin is received."""

import asyncio
import json
import re
from pathlib import Path
from urllib.parse import urljoin

import pytest
from starlette.testclient import TestClient

from controller.config.console import LogInSettings
from controller.console.gate import Gate
from controller.console.server import ConsoleServer
from controller.engine.outcomes import JournalUnreadable, NotFound
from controller.floor.broker import Broker
from controller.pit.live import Live
from controller.pit.picture import make_picture, served
from controller.pit.tiles import RETAINED
from controller.words import CATALOGUES
from tests.console.gates import PEOPLE, log_in, quick_gate
from tests.console.test_console_page import HOST
from tests.pit.broadcasting import retained
from tests.pit.kept_plans import KeptPlans

PATIENCE_SECONDS = 10
BEHIND = ("/tables", "/tables/stream", "/tables/macau-1/t-1", "/alarms", "/pots", "/hours", "/plan")


class Archive:
    """An archive that says one thing, or cannot be read."""

    def __init__(self, there: bool = True) -> None:
        self.there = there

    async def _answer(self) -> bytes | NotFound:
        return b'{"rows": []}' if self.there else JournalUnreadable("away")

    async def of_table(self, site: str, table: str) -> bytes | NotFound:
        return await self._answer()

    alarms = pots = hours = _answer


@pytest.fixture
def live() -> Live:
    live = Live()
    for topic in RETAINED:
        live.receive(f"dealer/macau-1/t-1/{topic}", retained(topic))
    return live


def page(live: Live, folder: Path | None = None, there: bool = True) -> TestClient:
    gate = None if folder is None else quick_gate(folder)
    return TestClient(make_picture(live, Archive(there), KeptPlans(), "127.0.0.1", gate), headers=HOST)


def test_a_stranger_sees_the_page_and_no_table_and_anyone_who_logs_in_sees_them(live: Live, tmp_path: Path) -> None:
    screen = page(live, tmp_path)
    assert screen.get("/").status_code == 200 and "SIMULATION" not in screen.get("/").text
    assert [screen.get(path).status_code for path in BEHIND] == [401] * len(BEHIND)
    assert log_in(screen, "rui", "111222") == 403
    assert log_in(screen, "rui") == 200
    assert [table["table"] for table in screen.get("/tables").json()["tables"]] == ["t-1"]
    shown_table = screen.get("/tables/macau-1/t-1").json()
    assert shown_table["retained"]["state"]["posted"] and shown_table["archived"] == {"rows": []}
    screen.delete("/session")
    assert screen.get("/tables").status_code == 401


def test_without_a_gate_the_page_says_that_it_is_a_simulation(live: Live) -> None:
    screen = page(live)
    assert "SIMULATION" in screen.get("/").text
    assert screen.get("/session").json() == {"pins": False, "persons": []}
    assert [screen.get(path).status_code for path in ("/tables", "/alarms", "/pots", "/hours")] == [200] * 4


def test_nothing_of_another_origin_or_name_is_answered_and_every_answer_has_the_consoles_headers(live: Live) -> None:
    screen = page(live)
    assert screen.get("/tables", headers={"origin": "http://elsewhere.example"}).status_code == 403
    assert screen.get("/tables", headers={"host": "elsewhere.example"}).status_code == 400
    assert screen.get("/tables").headers["content-security-policy"].startswith("default-src 'none'")
    assert {screen.post(path).status_code for path in BEHIND} == {405}, "it only shows"


def test_a_table_that_published_nothing_is_not_there_and_an_archive_that_is_away_is_reported(live: Live) -> None:
    assert page(live).get("/tables/macau-1/t-9").status_code == 404
    screen = page(live, there=False)
    assert [screen.get(path).status_code for path in ("/tables", "/tables/macau-1/t-1", "/pots")] == [200, 503, 503]


def test_every_file_that_the_page_names_is_served(live: Live) -> None:
    screen = page(live)
    named = {part.split('"')[0] for part in screen.get("/").text.replace("src=", "href=").split('href="')[1:]}
    assert {"/picture/main.js", "/picture/style/index.css", "/page/language.js"} < named
    assert {name for name in named if screen.get(name).status_code != 200} == set()
    assert "@import" not in screen.get("/picture/style/index.css").text


@pytest.mark.parametrize(("of", "work"), [(Gate, "keep"), (ConsoleServer, "run"), (Live, "listen")])
async def test_what_fails_of_the_page_ends_the_pit_that_would_continue_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, of: type, work: str
) -> None:
    async def fails(*_: object) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr(of, work, fails)
    log_in = LogInSettings(True, tmp_path / "pins.json", dealer_idle=1000, idle=100, longest=5000)
    with pytest.raises(ExceptionGroup) as failed:
        async with asyncio.timeout(PATIENCE_SECONDS):
            async with served(("127.0.0.1", 0), Broker("127.0.0.1", 1), "", PEOPLE, log_in):
                await asyncio.Event().wait()
    assert [str(exception) for exception in failed.value.exceptions] == ["a defect"]


def test_the_page_has_the_words_that_its_modules_name_and_no_others(live: Live) -> None:
    screen, texts, wanted = page(live), dict[str, str](), ["/picture/main.js"]
    while wanted:
        address = wanted.pop()
        texts[address] = screen.get(address).text
        found = re.findall(r'(?:from |import\()"([^"]+\.js)"', texts[address])
        wanted += [link for name in found if (link := urljoin(address, name)) not in texts and "/vendor/" not in link]
    english = json.loads(CATALOGUES["en"])
    assert "/page/parts/log.js" in texts and "/picture/curves.js" in texts
    answer = screen.get("/page/words.json")
    assert len(answer.content) < 40_000, "the tiles wait for them"
    for words in answer.json().values():
        for text in texts.values():
            keys = re.findall(r'\bsay\("([^"]+)"', text)
            for prefix in re.findall(r"\bsay\(`([a-z_.]+\.)\$", text):
                keys += [key for key in english if key.startswith(prefix)]
            keys += [key for key in re.findall(r'"((?:[a-z_]+\.)+[a-z_]+)"', text) if key in english]
            assert set(keys) <= words.keys()
            assert "reason(" not in text or text is texts["/page/language.js"], "it has none"


def test_a_plan_is_of_who_is_logged_in_and_a_change_of_an_older_one_gets_the_newer(live: Live, tmp_path: Path) -> None:
    screen = page(live, tmp_path)
    log_in(screen, "rui")
    cells = {"macau-1/t-1": [2, 1]}
    assert screen.get("/plan").json() == {"revision": 0, "cells": {}}
    kept = {"revision": 1, "cells": cells}
    assert screen.put("/plan", json={"revision": 0, "cells": cells}).json() == kept
    late = screen.put("/plan", json={"revision": 0, "cells": {}})
    assert (late.status_code, late.json()) == (409, kept)
    assert screen.get("/plan").json() == kept


@pytest.mark.parametrize(
    "body", [b"[]", b'{"revision": -1}', b'{"cells": {"a/b": [1]}}', b'{"cells": {"a/b": [0, 1000]}}']
)
def test_what_is_no_plan_is_refused_with_what_was_expected(live: Live, body: bytes) -> None:
    answer = page(live).put("/plan", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400 and "SITE/TABLE" in answer.json()["expected"]

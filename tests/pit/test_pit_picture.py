"""The pit's page: who sees it over HTTP, floor plans, what the archive does not have yet, and its end at a signal."""

import asyncio
import json
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urljoin

import msgspec
import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from controller.config.console import LogInSettings
from controller.console.gate import Gate
from controller.console.server import ConsoleServer
from controller.engine.outcomes import JournalUnreadable, NotFound
from controller.floor.broker import Broker
from controller.pit import backlog as backlog_module
from controller.pit.backlog import Backlog
from controller.pit.live import Live
from controller.pit.picture import make_picture, served
from controller.pit.plans import Plan, StoredPlans
from controller.pit.tiles import RETAINED
from controller.system.tasks import ended
from controller.words import CATALOGUES
from simulators.broker import free_port
from tests.console.gates import PEOPLE, log_in, quick_gate
from tests.console.test_console_page import HOST
from tests.pit.broadcasting import JOURNAL, message, retained
from tests.pit.conftest import opened


class KeptPlans:
    """`away` is a database that does not answer."""

    def __init__(self) -> None:
        self.plans: dict[str, Plan] = {}
        self.away = False

    async def of(self, person: str) -> Plan | NotFound:
        """The plan of a person."""
        return JournalUnreadable("away") if self.away else self.plans.get(person, Plan())

    async def replace(self, person: str, plan: Plan) -> Plan | NotFound:
        """The plan that is kept now."""
        kept = self.plans.get(person, Plan())
        if not self.away and plan.revision == kept.revision:
            self.plans[person] = Plan(plan.revision + 1, plan.cells)
        return await self.of(person)


PATIENCE_SECONDS = 60
FOR_ANYONE = ("/session", "/session/{name}", "/delays/{name}")


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


def behind(screen: TestClient) -> list[str]:
    """All that the pit answers but log-in and its files: of t-1 where it is of a table."""
    assert isinstance(screen.app, Starlette)
    paths = {route.path for route in screen.app.routes if isinstance(route, Route)}.difference(FOR_ANYONE)
    return sorted(path.format(site="macau-1", table="t-1") for path in paths)


def test_a_stranger_sees_the_page_and_no_table_and_anyone_who_logs_in_sees_them(live: Live, tmp_path: Path) -> None:
    screen = page(live, tmp_path)
    assert screen.get("/").status_code == 200 and "SIMULATION" not in screen.get("/").text
    assert "/tables/macau-1/t-1/now" in behind(screen)
    assert {path: screen.get(path).status_code for path in behind(screen)} == dict.fromkeys(behind(screen), 401)
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
    assert {screen.post(path).status_code for path in behind(screen)} == {405}, "it only shows"


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


FIRST, SECOND = {"macau-1/t-1": (3, 0)}, {"macau-1/t-1": (5, 1), "macau-1/t-2": (3, 0)}


@pytest.fixture
async def plans(database: str) -> StoredPlans:
    archive = await opened(database)
    await archive.close()
    return StoredPlans(database)


async def test_each_person_has_a_plan(plans: StoredPlans) -> None:
    assert await plans.of("rui") == Plan()
    assert await plans.replace("rui", Plan(0, FIRST)) == Plan(1, FIRST)
    assert await plans.replace("rui", Plan(1, SECOND)) == Plan(2, SECOND)
    assert await plans.of("rui") == Plan(2, SECOND)
    assert await plans.of("ana") == Plan()


@pytest.mark.parametrize("revision", [0, 2])
async def test_a_change_of_another_revision_is_not_kept_and_gets_the_plan_that_is_there(
    plans: StoredPlans, revision: int
) -> None:
    await plans.replace("rui", Plan(0, FIRST))
    assert await plans.replace("rui", Plan(revision, SECOND)) == Plan(1, FIRST)
    assert await plans.of("rui") == Plan(1, FIRST)


async def test_a_database_that_is_away_is_reported() -> None:
    plans = StoredPlans("host=127.0.0.1 port=1")
    assert isinstance(await plans.of("rui"), JournalUnreadable)
    assert isinstance(await plans.replace("rui", Plan(0, FIRST)), JournalUnreadable)


def state(as_of: int) -> bytes:
    content = json.loads(retained("state"))
    content["source"] = f"/dealer/{JOURNAL.site}/{JOURNAL.table}/{JOURNAL.name}"
    content["data"]["as_of"] = as_of
    return json.dumps(content).encode()


async def test_the_page_shows_how_many_messages_of_a_table_the_archive_does_not_have(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backlog_module, "LOOK_SECONDS", 0.02)
    topic, backlog = f"dealer/{JOURNAL.site}/{JOURNAL.table}/state", Backlog(database)
    live = Live(backlog=backlog)

    async def shown(behind: int | None) -> None:
        picture = b""
        while True:
            picture = await live.changed(picture)
            found = [table["behind"] for table in msgspec.json.decode(picture)["tables"]]
            if found == [behind]:
                return

    running = asyncio.create_task(backlog.run())
    live.receive(topic, state(7))
    await shown(None)  # there is no archive
    archive = await opened(database)
    await shown(7)
    await archive.store([*map(message, range(1, 6))])
    await shown(2)
    live.receive(topic, state(40))
    await shown(35)
    await archive.store([*map(message, range(6, 41))])
    await shown(0)
    await archive.close()
    live.receive(topic, b"")
    while backlog.behind:  # noqa: ASYNC110 the database is another process
        await asyncio.sleep(0.01)
    await ended(running)


SECONDS = 60.0
SERVE = """
import asyncio, sys
from controller.command_line.signals import until_signal
from controller.floor.broker import Broker
from controller.pit.picture import served
from controller.telemetry.logs import configure

async def serve(port):
    async with served(("127.0.0.1", port), Broker("127.0.0.1", 1), "host=127.0.0.1 port=1"):
        print("ready", flush=True)
        await asyncio.Event().wait()

configure()
asyncio.run(until_signal(serve(int(sys.argv[1]))))
"""
ASK = b"GET /tables/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_pit_with_a_page_open_stops_without_a_traceback(sent: signal.Signals) -> None:
    port = free_port()
    with subprocess.Popen(
        ["env", "--default-signal=INT", sys.executable, "-c", SERVE, str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as pit:
        assert pit.stdout is not None
        assert pit.stdout.readline() == "ready\n"
        with socket.create_connection(("127.0.0.1", port)) as page:
            page.sendall(ASK)
            assert page.recv(65536)
            pit.send_signal(sent)
            _, errors = pit.communicate(timeout=SECONDS)
            while page.recv(65536):
                pass
    assert pit.returncode == 0
    assert [line for line in errors.splitlines() if "no messages of tables are received" not in line] == []

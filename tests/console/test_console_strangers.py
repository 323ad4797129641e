"""What a stranger is shown at a table that asks for PINs, how many may read, and whose page may speak to a screen."""

import asyncio
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.responses import Response
from starlette.testclient import TestClient

from controller.config.document import BadConfiguration
from controller.config.file import Config
from controller.console.app import make_app
from controller.console.gate import Gate
from controller.console.readings import MOST_AT_ONCE, Readings
from controller.runtime import view
from controller.runtime.gate import _metrics_token
from tests.console.gates import LIMITS, PEOPLE, QUICK, Console, apart, log_in
from tests.console.test_console_page import Face, client

OF_THE_JOURNAL = {"/rounds": 200, "/alarms": 200, "/slips/1": 404, "/metrics": 200}
TOKEN = "a token of the floor"


@pytest.fixture
def console(tmp_path: Path) -> Console:
    return Console(tmp_path)


def people(screen: Any) -> dict[str, str]:
    """Whom the setting names."""
    named: dict[str, str] = screen.get("/setting").json()["people"]
    return named


def test_a_stranger_sees_the_public_table_alone(console: Console) -> None:
    stranger, screen = console.screen(), console.screen()
    log_in(screen, "ana")
    stranger.cookies.update(screen.cookies)
    for path, status in OF_THE_JOURNAL.items():
        refused = stranger.get(path)
        assert (refused.status_code, refused.json()["error"]) == (401, "log_in"), path
        assert screen.get(path).status_code == status, path
    assert stranger.get("/table").status_code == stranger.get("/").status_code == 200
    assert people(stranger) == {} and people(screen) == {"ana": "dealer"}


def test_a_screen_that_is_known_is_shown_whom_to_let_log_in_and_no_more(console: Console) -> None:
    screen = console.screen()
    log_in(screen, "ana")
    screen.delete("/session")
    assert people(screen) == {"ana": "dealer"}
    assert [screen.get(path).status_code for path in OF_THE_JOURNAL] == [401] * len(OF_THE_JOURNAL)


def test_without_pins_a_simulated_table_is_open() -> None:
    assert [client().get(path).status_code for path in OF_THE_JOURNAL] == list(OF_THE_JOURNAL.values())
    assert people(client()) == {"ana": "dealer"}


def test_the_metrics_are_read_by_a_log_in_or_by_their_token(console: Console, tmp_path: Path) -> None:
    def measures(gate: Gate, *tokens: str) -> list[bool]:
        return [gate.may_measure(token) for token in tokens]

    gate = Gate(PEOPLE, tmp_path / "pins.json", LIMITS, console.notes.append, QUICK, metrics_token=TOKEN)
    assert measures(gate, f"Bearer {TOKEN}", f"bearer {TOKEN}") == [True, True]
    assert measures(gate, f"Bearer {TOKEN}x", f"Basic {TOKEN}", TOKEN, "Bearer ", "", "Bearer é") == [False] * 6
    assert not gate.may_measure(None) and measures(console.gate, "Bearer ", "Bearer", f"Bearer {TOKEN}") == [False] * 3
    assert console.screen().get("/metrics", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 401
    console.gate._metrics_token = TOKEN
    answer = console.screen().get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    assert console.screen().get("/rounds", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 401


def test_a_token_that_cannot_be_read_or_is_short_is_a_mistake_of_the_configuration(tmp_path: Path) -> None:
    file = tmp_path / "token"

    def token() -> str:
        log_in = SimpleNamespace(metrics_token_file=file)
        config: Config = SimpleNamespace(log_in=log_in, path=tmp_path / "station.toml")  # type: ignore[assignment]
        return _metrics_token(config)

    for content in (None, b"", b"short\n", b"\xff" * 40):
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(BadConfiguration) as refused:
            token()
        assert [mistake.key for mistake in refused.value.mistakes] == ["console.metrics_token_file"]
    file.write_text(f"{TOKEN}\n", encoding="utf-8")
    assert token() == TOKEN


async def forty_readers() -> None:
    """Ask all at once; one is answered at a time, a few wait, and the others are notified when to ask again."""
    readings, asked, most, now = Readings(), 0, 0, 0
    proceed = asyncio.Event()

    async def question() -> bytes:
        nonlocal asked, most, now
        asked, now = asked + 1, now + 1
        most = max(most, now)
        await proceed.wait()
        now -= 1
        return b"{}"

    readers = [asyncio.create_task(readings.answer(question)) for _ in range(40)]
    for _ in range(5):
        await asyncio.sleep(0)
    refused = [reader.result() for reader in readers if reader.done()]
    assert len(refused) == 40 - MOST_AT_ONCE
    for answer in refused:
        assert answer.status_code == 503 and answer.headers["retry-after"] == "1"
    assert asked == 1
    proceed.set()
    answers: list[Response] = await asyncio.gather(*readers[:MOST_AT_ONCE])
    assert [answer.status_code for answer in answers] == [200] * MOST_AT_ONCE and most == 1
    assert (await readings.answer(question)).status_code == 200, "a place is free again"


def test_one_reads_the_journal_at_a_time_a_few_wait_and_no_more() -> None:
    apart(forty_readers())


def test_rounds_are_read_beside_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[int] = []

    def last_rounds(path: Path, events: int, *asked: object) -> dict[str, Any]:
        threads.append(threading.get_ident())
        assert events == 7, "what is durable"
        return {}

    monkeypatch.setattr(view, "last_rounds", last_rounds)
    shown = view.View.__new__(view.View)
    shown._journal, shown._identity = SimpleNamespace(path=Path("x"), events=7), None  # type: ignore[assignment]

    async def ask() -> None:
        assert await shown.rounds(5, None) == b"{}"
        assert threads != [threading.get_ident()]

    apart(ask())
    assert len(threads) == 1


@pytest.mark.parametrize(
    ("listens", "asked", "status"),
    [
        ("127.0.0.1", "127.0.0.1:8080", 200),
        ("127.0.0.1", "localhost:8080", 200),
        ("::1", "[::1]:8080", 200),
        ("127.0.0.1", "evil.example:8080", 400),
        ("::1", "[::2]:8080", 400),
        ("::1", "evil.example", 400),
    ],
)
def test_a_page_under_another_name_is_not_this_tables_screen(listens: str, asked: str, status: int) -> None:
    face = Face()
    client = TestClient(make_app(face, face.answer, listens, None))
    assert client.get("/table", headers={"host": asked}).status_code == status

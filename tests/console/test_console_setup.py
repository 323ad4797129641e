"""The set-up on the console: a technician sees what is plugged in and proposes a configuration; nobody else does."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from starlette.testclient import TestClient

from controller.config.file import read_config
from controller.console.app import make_app
from controller.runtime.proposal import PROPOSED, Proposing
from tests.console.gates import Console, log_in
from tests.console.tapping import Tapping
from tests.console.test_console_page import HOST, Face
from tests.console.test_console_session_times import run_apart
from tests.station.processes import ended_at_last, lone_daemon

PLUGGED = [{"wire": "usb", "device": "bus 1 device 2", "make": "Ontrak", "name": "ADU218", "fits": ["adu218"],
            "remarks": [], "usb_id": None, "serial_number": None, "port": None}]  # fmt: skip


SELECTED = """() => {
  const area = document.activeElement;
  return area.value.slice(area.selectionStart, area.selectionEnd);
}"""


class Setup:
    """Notes who proposes what; a configuration with `wrong` in it has a mistake."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, str]] = []

    async def shown(self) -> dict[str, Any]:
        return {"configuration": "a = 1", "path": "/station.toml", "proposed": bool(self.kept), "plugged": PLUGGED}

    async def proposed(self, text: str, by: str | None) -> list[dict[str, str]]:
        if "wrong" in text:
            return [{"key": "a", "value": "wrong", "expected": "a number"}]
        if by is not None:
            self.kept.append((by, text))
        return []


def test_only_a_technician_who_is_logged_in_sees_and_proposes(tmp_path: Path) -> None:
    setup, face = Setup(), Face("live")
    app = make_app(face, face.answer, "127.0.0.1", Console(tmp_path).gate, "", setup)
    for name in (None, "ana", "rui"):
        screen = TestClient(app, headers=HOST)
        assert name is None or log_in(screen, name) == 200
        for answer in (screen.get("/setup"), screen.post("/setup", json={"configuration": "a = 2", "propose": True})):
            assert (answer.status_code, answer.json()["who"]) == (403, "technician")
    screen = TestClient(app, headers=HOST)
    log_in(screen, "mei")
    assert screen.get("/setup").json()["plugged"] == PLUGGED
    assert screen.post("/setup", json={"configuration": "a = 2"}).json() == {"mistakes": [], "proposed": False}
    wrong = screen.post("/setup", json={"configuration": "a = wrong", "propose": True}).json()
    assert ([one["key"] for one in wrong["mistakes"]], wrong["proposed"], setup.kept) == (["a"], False, [])
    assert screen.post("/setup", json={"configuration": "a = 2", "propose": True}).json()["proposed"]
    assert setup.kept == [("mei", "a = 2")]
    wrong_bodies: list[Any] = [
        {"configuration": 1},
        {"propose": True},
        {"configuration": "", "path": "/etc/passwd"},
        [],
    ]
    for body in wrong_bodies:
        assert screen.post("/setup", json=body).status_code == 400
    assert screen.post("/setup", json={"configuration": "a" * 300_000}).status_code == 413
    assert screen.post("/setup", content=b"{}", headers={"content-type": "text/plain"}).status_code == 415
    without = TestClient(make_app(face, face.answer, "127.0.0.1", None), headers=HOST)
    assert without.get("/setup").status_code == 404


@pytest.fixture
def proposing(tmp_path: Path) -> Proposing:
    from simulators.station_toml import station_toml

    text = station_toml(
        game="fortune-8", source="shoe", broker="mqtt://127.0.0.1:1", protocol="5", listen="127.0.0.1:1"
    )
    (tmp_path / "station.toml").write_text(text)
    (tmp_path / "state").mkdir()
    return Proposing(read_config(tmp_path / "station.toml"), lambda: json.loads(json.dumps(PLUGGED)))


def test_a_proposal_without_a_mistake_lies_beside_the_journal_and_changes_nothing(
    proposing: Proposing, tmp_path: Path
) -> None:
    file, before = tmp_path / "state" / PROPOSED, (tmp_path / "station.toml").read_text()

    async def run() -> None:
        assert (await proposing.shown())["configuration"] == before
        assert not (await proposing.shown())["proposed"]
        wrong = await proposing.proposed(before.replace("min = 10000", 'min = "few"'), "mei")
        assert [one["key"] for one in wrong] == ["table.limits.min"] and not file.exists()
        assert await proposing.proposed("= no TOML", "mei") and not file.exists()
        assert await proposing.proposed(before, None) == [] and not file.exists()
        assert await proposing.proposed(before.replace("min = 10000", "min = 20000"), "mei") == []
        assert (await proposing.shown())["proposed"]

    run_apart(run())
    assert "min = 20000" in file.read_text() and file.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "station.toml").read_text() == before


def test_the_sheet_names_the_mistakes_and_says_who_puts_the_proposal_in_place(browser: Browser, tmp_path: Path) -> None:
    daemon = lone_daemon(tmp_path)
    with ended_at_last(daemon):
        daemon.start()
        daemon.wait_answering()
        console = Tapping(browser, daemon.address[1])
        try:
            console.tap("[data-sheet=devices]")
            console.tap("[data-setup=open]")
            page = console.page
            page.wait_for_selector("textarea.configuration")
            before = page.input_value("textarea.configuration")
            page.fill("textarea.configuration", before.replace("[table.limits]", "[table.limits]\nmost = 1"))
            page.click("[data-setup=check]")
            page.wait_for_selector("dialog .notices button")
            assert page.inner_text("dialog .notices button") == "table.limits.most"
            page.click("dialog .notices button")
            assert page.evaluate(SELECTED) == "most = 1"
            page.fill("textarea.configuration", before)
            page.click("[data-setup=propose]")
            page.wait_for_selector("dialog code")
            assert page.inner_text("dialog code") == "dealer-station setup --apply"
            assert (read_config(daemon.config).journal.parent / PROPOSED).read_text() == before
        finally:
            console.close()

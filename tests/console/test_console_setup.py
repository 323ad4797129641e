"""The set-up on the console: a technician sees what is plugged in and proposes a configuration; no one else does."""

import json
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest
from playwright.sync_api import Browser
from starlette.testclient import TestClient

from controller.config.file import read_config
from controller.console.app import make_app
from controller.engine.shown.device_orders import react
from controller.engine.state.table import Table
from controller.rulebook.parts.faults import DeviceName
from controller.runtime.translation import Translator
from controller.runtime.workbench import PROPOSED, Proposing, Workbench
from drivers.messages import Message, SlotsRead
from drivers.orders import LampStates, ShoeLock, SignFace
from drivers.wiring import Wiring
from tests.configured import configured
from tests.console.gates import Console, apart, log_in
from tests.console.tapping import Tapping
from tests.console.test_console_page import HOST, Face
from tests.station.processes import ended_at_last, lone_daemon

PLUGGED = [{"wire": "usb", "device": "bus 1 device 2", "make": "Ontrak", "name": "ADU218", "fits": ["adu218"],
            "remarks": [], "usb_id": None, "serial_number": None, "port": None}]  # fmt: skip


SELECTED = """() => {
  const area = document.activeElement;
  return area.value.slice(area.selectionStart, area.selectionEnd);
}"""


class Bench:
    """A workbench at a table that is closed until it is `open`; `ends` are what it does later."""

    def __init__(self) -> None:
        self.open = False
        self.ordered: list[dict[DeviceName, Any]] = []
        self.ends: list[Callable[[], None]] = []
        self.wanted: dict[DeviceName, Any] = {"shoe": ShoeLock(True), "sign": SignFace(("{amount}",), "5")}
        self.workbench = Workbench(
            now=lambda: "2026-01-31T16:00:00.000Z",
            is_closed=lambda: not self.open,
            trials=lambda: {"lock": ("shoe", ShoeLock(False)), "sign": ("sign", SignFace(("TEST",), "0"))},
            order=self.order,
            later=lambda seconds, then: self.ends.append(then),
        )

    def order(self) -> None:
        self.ordered.append(self.workbench.orders(self.wanted))


class Setup:
    """Notes who proposes what; a configuration with `wrong` in it has a mistake."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, str]] = []
        self.bench = Bench()
        self.wires = self.bench.workbench

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
    assert ([mistake["key"] for mistake in wrong["mistakes"]], wrong["proposed"], setup.kept) == (["a"], False, [])
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


def test_what_was_on_a_wire_is_shown_decoded_newest_first_and_no_card_of_it() -> None:
    bench = Bench()
    for sent_message in every_message_with_cards():
        bench.workbench.receive("shuffler", sent_message)
    for _ in range(3):
        bench.workbench.receive("slots", SlotsRead((True, False), (1, 0)))
    bench.order()
    bench.order()
    frames = bench.workbench.as_shown()["frames"]
    assert [(frame["device"], frame["message"], frame["text"], frame["times"]) for frame in frames[:3]] == [
        ("sign", "SignFace", "pages {amount}, amount 5", 1),
        ("shoe", "ShoeLock", "locked True", 1),
        ("slots", "SlotsRead", "levels 10, counters 1 0, before None", 3),
    ]
    assert len(frames) == 3 + len([*every_message_with_cards()]) > 7
    assert CARD not in json.dumps(frames)


CARD = "Qs"


def every_message_with_cards() -> Iterator[Any]:
    """Each message that has a card, with one."""
    for message in get_args(Message):
        sent_message = {
            field.name: (CARD,) if "tuple" in str(field.type) else CARD for field in fields(message) if not field.repr
        }
        if sent_message:
            yield message(**{field.name: sent_message.get(field.name, 1) for field in fields(message)})


def test_a_device_is_tried_out_for_a_while_and_only_while_the_table_is_closed() -> None:
    bench = Bench()
    assert bench.workbench.try_out("lock", "mei") == 5
    assert bench.ordered == [{**bench.wanted, "shoe": ShoeLock(False)}]
    bench.ends.pop()()
    assert bench.ordered[1:] == [bench.wanted]
    bench.workbench.try_out("lock", "mei")
    bench.workbench.try_out("sign", "mei")
    bench.ends[0]()
    assert bench.ordered[-1]["sign"] == SignFace(("TEST",), "0"), "the trial that came after continues"
    bench.open = True
    bench.order()
    assert bench.ordered[-1] == bench.wanted, "the table was opened"
    assert bench.workbench.try_out("sign", "mei") is None and len(bench.ends) == 2


def test_only_a_technician_sees_the_wires_and_tries_devices_out(tmp_path: Path) -> None:
    setup, face = Setup(), Face("live")
    app = make_app(face, face.answer, "127.0.0.1", Console(tmp_path).gate, "", setup)
    stranger, screen = TestClient(app, headers=HOST), TestClient(app, headers=HOST)
    log_in(stranger, "rui")
    log_in(screen, "mei")
    assert stranger.get("/setup/wires").status_code == 403
    assert stranger.post("/setup/test", json={"what": "sign"}).status_code == 403 and not setup.bench.ordered
    assert screen.get("/setup/wires").json() == {"frames": [], "closed": True, "trials": ["lock", "sign"]}
    assert screen.post("/setup/test", json={"what": "sign"}).json() == {"seconds": 5}
    bodies: list[Any] = [{"what": "shuffler"}, {}, {"what": "sign", "more": 1}, []]
    for body in bodies:
        wrong = screen.post("/setup/test", json=body)
        assert (wrong.status_code, wrong.json()["expected"]) == (400, "one of lock, sign")
    setup.bench.open = True
    assert screen.post("/setup/test", json={"what": "sign"}).status_code == 409


def test_at_a_table_lamps_lock_and_sign_can_be_tried_out() -> None:
    wiring = Wiring(seats={0: 1, 1: 2}, button_input=6, lock_lamp_relay=7)
    trials = Translator(wiring).trials(react(Table(), 2))
    assert trials["lamps"] == ("slots", LampStates((True, True, *[False] * 5, True), in_play=False))
    assert trials["lock"] == ("shoe", ShoeLock(False)) and trials["sign"][0] == "sign"
    assert trials.keys() - Translator(None).trials(react(Table(), 2)).keys() == {"lamps"}


@pytest.fixture
def proposing(tmp_path: Path) -> Proposing:

    configured(tmp_path)
    (tmp_path / "state").mkdir()
    return Proposing(read_config(tmp_path / "station.toml"), lambda: json.loads(json.dumps(PLUGGED)), Bench().workbench)


def test_a_proposal_without_a_mistake_is_beside_the_journal_and_changes_nothing(
    proposing: Proposing, tmp_path: Path
) -> None:
    file, before = tmp_path / "state" / PROPOSED, (tmp_path / "station.toml").read_text()

    async def run() -> None:
        assert (await proposing.shown())["configuration"] == before
        assert not (await proposing.shown())["proposed"]
        wrong = await proposing.proposed(before.replace("min = 10000", 'min = "few"'), "mei")
        assert [mistake["key"] for mistake in wrong] == ["table.limits.min"] and not file.exists()
        assert await proposing.proposed("= no TOML", "mei") and not file.exists()
        assert await proposing.proposed(before, None) == [] and not file.exists()
        assert await proposing.proposed(before.replace("min = 10000", "min = 20000"), "mei") == []
        assert (await proposing.shown())["proposed"]

    apart(run())
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
            page.wait_for_selector("dialog .wires tr:has-text('LinkLost')")
            page.click("[data-trial=sign]")
            console.see("() => document.querySelector('dialog .wires')?.innerText.includes('TEST')")
            before = page.input_value("textarea.configuration")
            page.fill("textarea.configuration", before.replace("[table.limits]", "[table.limits]\nmost = 1"))
            page.click("[data-setup=check]")
            page.wait_for_selector("dialog .notices button")
            assert page.inner_text("dialog .notices button") == "table.limits.most"
            console.tap("dialog .notices button")
            assert page.evaluate(SELECTED) == "most = 1"
            page.fill("textarea.configuration", before)
            page.click("[data-setup=propose]")
            page.wait_for_selector("dialog code")
            assert page.inner_text("dialog code") == "dealer-station setup --apply"
            assert (read_config(daemon.config).journal.parent / PROPOSED).read_text() == before
        finally:
            console.close()

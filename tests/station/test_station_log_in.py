"""PINs at a running station: no one acts without one, what is kept of it, and what a restart does not lift."""

import asyncio
import http.client
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from argon2 import PasswordHasher
from structlog.testing import capture_logs

from controller.config.file import read_config
from controller.console.pins import PinHasher, changing_pins
from controller.queries.sign_ins import last_sign_ins
from controller.runtime.bus import Bus
from controller.runtime.gate import log_if_closed, make_gate
from controller.station import Station
from tests.journal.keeping import open_journal
from tests.station.processes import Daemon, ended_at_last, lone_daemon, patiently
from tests.station.screen import entered, get_table, post

SECONDS = 100
PINS = {"ana": "274951", "rui": "862043"}
WRONG = "111222"
QUICK = PinHasher(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


class Screen:
    """A browser: it keeps the one cookie that it is given, and its page the key."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._address = address
        self._cookie = self._key = ""

    def ask(self, method: str, path: str, content: object = None, pins: str = "") -> tuple[int, dict[str, Any]]:
        connection = http.client.HTTPConnection(*self._address, timeout=SECONDS)
        body = None if content is None else json.dumps(content).encode()
        fields = {"Content-Type": "application/json", "Cookie": self._cookie, "Dealer-Station-Key": self._key}
        fields |= {"Dealer-Station-Pin": pins} if pins else {}
        connection.request(method, path, body, fields)
        answer = connection.getresponse()
        self._cookie = (answer.headers["set-cookie"] or self._cookie).partition(";")[0]
        answered = json.loads(answer.read())
        self._key = answered.get("key", self._key)
        connection.close()
        return answer.status, answered

    def log_in(self, name: str, pin: str | None = None) -> int:
        return self.ask("POST", "/session", {"name": name, "pin": pin or PINS[name]})[0]

    def act(self, kind: str, actor: str, pins: str = "", **more: Any) -> int:
        return self.ask("POST", "/inputs", entered(get_table(self._address), kind, actor, **more), pins)[0]


@pytest.fixture
def asking(tmp_path: Path) -> Daemon:
    """A station, not yet started, that asks for PINs; ana and rui have one."""
    daemon = lone_daemon(tmp_path)
    text = daemon.config.read_text(encoding="utf-8")
    daemon.config.write_text(
        text.replace("[console]\n", '[console]\npins = true\npin_file = "pins"\n'), encoding="utf-8"
    )
    with changing_pins(tmp_path / "pins") as pins:
        pins.update({name: QUICK.hash(pin) for name, pin in PINS.items()})
    return daemon


def test_no_one_acts_without_a_pin_and_a_restart_logs_out_but_lifts_no_lock_out(asking: Daemon, tmp_path: Path) -> None:
    journal = tmp_path / "state" / "journal.db"
    with ended_at_last(asking):
        asking.start()
        table = asking.wait_answering()
        assert post(asking.address, entered(table, "open_table"))[0] == 401
        screen = Screen(asking.address)
        assert screen.log_in("ana") == 200 and screen.act("open_table", "ana") == 200
        adjusted: dict[str, Any] = {
            "step_id": "adjustment",
            "part": "pot",
            "amount": 100,
            "reason": "audit",
            "second": "ana",
        }
        assert screen.act("adjust_meter", "rui", **adjusted) == 403
        assert screen.log_in("rui") == 200 and screen.act("adjust_meter", "rui", **adjusted) == 403
        both = ",".join(f"{name}={pin}" for name, pin in PINS.items())
        assert screen.act("adjust_meter", "rui", both, **adjusted) == 200
        stranger = Screen(asking.address)
        assert [stranger.log_in("rui", WRONG) for _ in range(5)] == [403] * 4 + [429]
        assert screen.act("close_table", "ana") == 200, "who is logged in stays so"

        def seen() -> list[str]:
            status, answered = screen.ask("GET", "/entries")
            assert status == 200, answered
            return [entry["what"] for entry in answered["entries"]]

        patiently(lambda: len(seen()) == 8, SECONDS, "the entries in the journal")
        assert seen() == ["locked", *["refused"] * 5, "made", "made"]

        asking.kill()
        asking.start()
        asking.wait_answering()
        assert screen.act("open_table", "ana") == 401
        assert Screen(asking.address).log_in("rui") == 429
        assert screen.log_in("ana") == 200 and screen.act("open_table", "ana") == 200
        assert asking.terminate() == 0
    kept = b"".join(path.read_bytes() for path in (*journal.parent.iterdir(), asking.log))
    assert b"entry_locked" in kept and not [pin for pin in (*PINS.values(), WRONG) if pin.encode() in kept]
    logged = [msgspec.to_builtins(entry.event)["type"] for entry in last_sign_ins(journal, "simulation", 1)]
    assert logged == ["entry_made"]


def test_the_log_says_where_no_one_can_log_in_and_where_no_one_needs_to(asking: Daemon, tmp_path: Path) -> None:
    open_journal(tmp_path / "journal.db").close()
    assert complaints(asking.config, tmp_path) == []
    (tmp_path / "pins").unlink()
    [closed] = complaints(asking.config, tmp_path)
    assert closed["reason"] == "no PIN is set" and "dealer-station pin" in closed["expected"]
    text = asking.config.read_text(encoding="utf-8")
    asking.config.write_text(text.replace("pins = true", "pins = false"), encoding="utf-8")
    [off] = complaints(asking.config, tmp_path)
    assert "PINs are off" in off["event"]


def complaints(file: Path, folder: Path) -> list[Any]:
    config = read_config(file)
    gate = make_gate(config, folder / "journal.db", Bus())
    assert (gate is None) is not config.log_in.required
    with capture_logs() as logged:
        log_if_closed(gate, config)
    return list(logged)


def test_a_stranger_reads_how_many_alarms_there_are_and_no_text_of_them(asking: Daemon) -> None:
    with ended_at_last(asking):
        asking.start()
        asking.wait_answering()
        patiently(lambda: get_table(asking.address).get("alarms_waiting") == 5, SECONDS, "an alarm of each device")
        stranger, screen = Screen(asking.address), Screen(asking.address)
        assert screen.log_in("ana") == 200
        answered, whole = stranger.ask("GET", "/table")[1], screen.ask("GET", "/table")[1]
        assert answered["alarms"] == [] and answered["alarms_waiting"] == len(whole["alarms"])
        assert all(alarm["texts"]["en"] for alarm in whole["alarms"]) and "alarms_waiting" not in whole


def test_where_the_rules_by_user_are_not_loaded_the_log_says_so_at_start(asking: Daemon) -> None:
    with ended_at_last(asking):
        asking.start()
        asking.wait_answering()
        open_to_all = "every user of this computer may connect to the console"
        patiently(lambda: open_to_all in asking.log.read_text(), SECONDS, "a line in the log")
        assert asking.log.read_text().count(open_to_all) == 1


async def test_a_station_that_starts_does_not_wait_until_it_knows_whether_the_rules_are_loaded(
    asking: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where they are, what it sends to ask is dropped, and no answer is the answer."""

    async def never(port: int) -> bool:
        await asyncio.Event().wait()
        return True

    monkeypatch.setattr("controller.runtime.gate.rules_hold", never)
    station = await Station.open(read_config(asking.config))
    running = asyncio.create_task(station.run())
    try:
        async with asyncio.timeout(SECONDS):
            await station.console.answers()
    finally:
        station.stop()
        await running

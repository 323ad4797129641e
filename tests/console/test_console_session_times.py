"""What the sweep notices by itself, and who stays."""

import asyncio
import threading
from collections.abc import Coroutine
from pathlib import Path

import pytest

from controller.console.sessions import Credential, ScreenSessions
from controller.engine.state.events import SignInEvent
from tests.console.gates import LIMITS, PINS, Clock, Console, keep_pins, log_in, names


def test_who_comes_again_stays_one_person_with_a_new_time() -> None:
    clock, notes = Clock(), list[SignInEvent]()
    presence = ScreenSessions(LIMITS, notes.append, clock)
    token = presence.sign_in(Credential(None, None), "rui", "supervisor", "", "hash")
    clock.now += LIMITS.idle - 1
    token = presence.sign_in(token, "rui", "supervisor", "", "hash")
    clock.now += LIMITS.idle - 1
    assert [person.name for person in presence.on(token)] == ["rui"]
    presence.leave(token, "zoe")
    presence.leave(Credential("another", token.key), None)
    assert len(presence.on(token)) == 1 and len(notes) == 2


def run_apart(work: Coroutine[None, None, None]) -> None:
    """In a thread of its own: where the browser runs, this one has a running loop."""
    failed: list[BaseException] = []

    def run() -> None:
        try:
            asyncio.run(work)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert not failed


async def swept(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the gate keep watch until it has looked at everything twice."""
    looked = asyncio.Event()
    turns = 0

    async def sleep(seconds: float) -> None:
        nonlocal turns
        turns += 1
        if turns == 2:
            looked.set()
            await asyncio.Event().wait()

    monkeypatch.setattr(asyncio, "sleep", sleep)
    keeping = asyncio.create_task(console.gate.keep())
    await looked.wait()
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)


def test_the_door_logs_out_by_itself_whose_time_is_over_or_whose_pin_was_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    console = Console(tmp_path)
    screen = console.screen()
    for name in PINS:
        log_in(screen, name)
    run_apart(swept(console, monkeypatch))
    assert len(console.notes) == 3
    keep_pins(console.file, {"ana": "741852"})
    run_apart(swept(console, monkeypatch))
    assert console.kept[3:] == ["entry_ended ana dealer pin_changed"]
    console.clock.now += LIMITS.idle
    run_apart(swept(console, monkeypatch))
    assert console.kept[4:] == ["entry_ended rui supervisor idle", "entry_ended mei technician idle"]
    assert names(screen) == []


def test_a_file_that_is_gone_logs_everybody_out_and_one_that_cannot_be_read_no_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    console = Console(tmp_path)
    screen = console.screen()
    log_in(screen, "ana")
    console.file.write_text("{", encoding="utf-8")
    run_apart(swept(console, monkeypatch))
    assert names(screen) == ["ana"]
    console.file.unlink()
    run_apart(swept(console, monkeypatch))
    assert names(screen) == []

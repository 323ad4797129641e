"""What outlives a restart, what the sweep notices by itself, and how long a lock-out grows."""

import asyncio
import threading
from collections.abc import Coroutine
from pathlib import Path

import pytest

from controller.console.sessions import Sessions
from controller.console.throttle import FAILURES, LONGEST_SECONDS, Throttle
from controller.engine.sign_ins import LockedOut, SignedIn, SignInEvent, SignInRefused
from tests.console.gates import LIMITS, PINS, Clock, Console, keep_pins, log_in, names

WRONG = SignInRefused(name="ana", role="dealer", address="", reason="wrong_pin")
IN = SignedIn(name="ana", role="dealer", address="")


def locked_out(seconds: int) -> LockedOut:
    return LockedOut(name="ana", role="dealer", address="", failures=5, seconds=seconds)


def test_a_lock_out_outlives_a_restart_and_ends_when_it_would_have() -> None:
    clock = Clock()
    attempts = Throttle(clock)
    attempts.resume([*((101.0 + at, WRONG) for at in range(5, 0, -1)), (100.0, locked_out(300))])
    assert attempts.locked("ana") == 200 and attempts.locked("rui") == 0
    clock.now += 200
    assert attempts.locked("ana") == 0
    assert [attempts.failed("ana") for _ in range(FAILURES)][-1] == (10, 600), "and the next is twice as long"


def test_a_clock_that_was_set_back_makes_no_lock_out_longer() -> None:
    attempts = Throttle(Clock())
    attempts.resume([(-5000.0, locked_out(300))])
    assert attempts.locked("ana") == 300


def test_wrong_pins_before_a_restart_count_with_those_after_it_unless_the_right_one_came() -> None:
    unknown = SignInRefused(name=None, role=None, address="", reason="unknown_name")
    cases: list[tuple[list[SignInEvent], int]] = [
        ([WRONG, WRONG, WRONG, WRONG], 1), ([WRONG, WRONG, WRONG, WRONG, IN], 5), ([WRONG, IN, WRONG, unknown], 4)
    ]  # fmt: skip
    for before, left in cases:
        attempts = Throttle(Clock())
        attempts.resume([(1.0, one) for one in before])
        tries = [attempts.failed("ana") for _ in range(left)]
        assert tries[:-1] == [None] * (left - 1) and tries[-1] == (5, 300)


def test_no_lock_out_is_longer_than_a_day() -> None:
    clock = Clock()
    attempts = Throttle(clock)
    found = [out[1] for out in (attempts.failed("ana") for _ in range(40 * FAILURES)) if out is not None]
    assert found[:3] == [300, 600, 1200] and found[-1] == max(found) == LONGEST_SECONDS


def test_who_comes_again_stays_one_person_with_a_new_time() -> None:
    clock, notes = Clock(), list[SignInEvent]()
    presence = Sessions(LIMITS, notes.append, clock)
    token = presence.sign_in(None, "rui", "supervisor", "", "hash")
    clock.now += LIMITS.idle - 1
    token = presence.sign_in(token, "rui", "supervisor", "", "hash")
    clock.now += LIMITS.idle - 1
    assert [person.name for person in presence.on(token)] == ["rui"]
    presence.leave(token, "nobody")
    presence.leave("another", None)
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


def test_a_file_that_is_gone_logs_everybody_out_and_one_that_cannot_be_read_nobody(
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

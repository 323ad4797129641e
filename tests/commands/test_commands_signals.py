"""What runs until a signal ends it does so once, and in its own order."""

import asyncio
import os
import signal
import subprocess
import sys

import pytest

from controller.command_line.signals import leaving_nothing, unbroken, until_signal


@pytest.mark.parametrize("first", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_a_second_signal_does_not_end_what_ends_already(first: signal.Signals) -> None:
    done: list[str] = []
    behind = asyncio.Event()

    async def work() -> int:
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, behind.set)
        os.kill(os.getpid(), first)
        try:
            await asyncio.Event().wait()
        finally:
            for number in (signal.SIGTERM, signal.SIGUSR1):
                os.kill(os.getpid(), number)
            await behind.wait()
            done.append("put away")
        return 1

    assert await until_signal(work()) is None
    assert done == ["put away"]


async def test_what_ends_by_itself_gives_what_it_gives() -> None:
    async def work() -> int:
        return 3

    assert await until_signal(work()) == 3


async def test_what_is_cancelled_and_was_not_ordered_to_end_is_no_good_end() -> None:
    async def work() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await until_signal(work())


def test_a_signal_within_what_is_unbroken_takes_effect_at_its_end() -> None:
    done: list[str] = []
    with pytest.raises(SystemExit) as ended, leaving_nothing():
        with unbroken():
            signal.raise_signal(signal.SIGTERM)
            done.append("whole")
        done.append("not reached")
    assert (ended.value.code, done) == (128 + signal.SIGTERM, ["whole"])


FORKS = """
import os, signal
from controller.commands.bench_table import ended_with_this
from controller.command_line.signals import leaving_nothing
os.register_at_fork(after_in_parent=lambda: signal.raise_signal(signal.SIGTERM))
with leaving_nothing(), ended_with_this(["sleep", "60"]):
    print("the signal is lost", flush=True)
"""


def test_a_signal_that_comes_while_a_process_is_forked_is_not_lost() -> None:
    ended = subprocess.run([sys.executable, "-c", FORKS], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (128 + signal.SIGTERM, "", "")

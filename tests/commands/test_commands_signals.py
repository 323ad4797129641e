"""What runs until a signal ends it does so once, and in its own order."""

import asyncio
import os
import signal

import pytest

from controller.commands.signals import until_told


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
            for one in (signal.SIGTERM, signal.SIGUSR1):
                os.kill(os.getpid(), one)
            await behind.wait()
            done.append("put away")
        return 1

    assert await until_told(work()) is None
    assert done == ["put away"]


async def test_what_ends_by_itself_gives_what_it_gives() -> None:
    async def work() -> int:
        return 3

    assert await until_told(work()) == 3


async def test_what_is_cancelled_and_was_not_told_to_end_is_no_good_end() -> None:
    async def work() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await until_told(work())

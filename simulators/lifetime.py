"""The life of a simulator's process: ready, at work until it is asked to stop, ended by the first failure."""

import asyncio
import contextlib
import os
import signal
import stat
import sys
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import Any

from simulators.felt.camera import Camera

GLANCE_SECONDS = 0.1
STANDSTILL_SECONDS = 1.0  # a device that is asked waits less before it is called silent


def say_ready(path: Path) -> None:
    """Reports to the program that started the simulators that everything is up."""
    print(f"ready {path}", flush=True)


def listen_for_the_end(stop: asyncio.Event) -> None:
    """Stop at SIGTERM or SIGINT, and at the end of standard input when that is a pipe."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    descriptor = sys.stdin.fileno()
    kind = os.fstat(descriptor).st_mode
    if stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind):

        def readable() -> None:
            if not os.read(descriptor, 4096):
                loop.remove_reader(descriptor)
                stop.set()

        loop.add_reader(descriptor, readable)


async def film_standstills(camera: Camera) -> None:
    """Films when this process got no processor time for long: its devices sent nothing meanwhile, although they have no
    fault.
    """
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + GLANCE_SECONDS
        await asyncio.sleep(GLANCE_SECONDS)
        if (late := loop.time() - due) >= STANDSTILL_SECONDS:
            camera.saw("stalled", seconds=round(late, 3))


@contextlib.asynccontextmanager
async def run_beside(works: list[Coroutine[Any, Any, None]], stop: asyncio.Event) -> AsyncIterator[None]:
    """Run these during the body; the first failure sets `stop` and is raised at the end of the body."""
    tasks = [asyncio.create_task(work) for work in works]

    def ended(task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception():
            stop.set()

    for task in tasks:
        task.add_done_callback(ended)
    try:
        yield
    finally:
        failures = [failure for task in tasks if task.done() and (failure := task.exception())]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if failures:
            raise failures[0]

"""A thousand hostile drafts of the configuration, as the console hands them in, while the loop runs."""

import asyncio
import resource
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.toml.hostile import hostile_texts
from tests.toml.test_toml_limits import table

DRAFTS = 1000
TICK = 0.001
IDLE_SECONDS = 20


def memory() -> int:
    """What the process has now, in KiB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() >> 10


@asynccontextmanager
async def watched_loop() -> AsyncIterator[list[float]]:
    """The longest gaps between two turns of the loop, in seconds."""
    gaps = [0.0]

    async def tick() -> None:
        last = time.monotonic()
        while True:
            await asyncio.sleep(TICK)
            now = time.monotonic()
            gaps.append(now - last)
            last = now

    ticking = asyncio.create_task(tick())
    try:
        yield gaps
    finally:
        ticking.cancel()


async def test_each_of_a_thousand_drafts_ends_in_a_sentence_and_the_loop_runs(tmp_path: Path) -> None:
    proposing, taken, wrong, kib = table(tmp_path), [], 0, []
    async with watched_loop() as idle:
        await asyncio.sleep(IDLE_SECONDS)
    async with watched_loop() as gaps:
        for octets in hostile_texts(DRAFTS):
            begun = time.monotonic()
            mistakes = await proposing.proposed(octets.decode(errors="surrogateescape"), None)
            taken.append(time.monotonic() - begun)
            wrong += bool(mistakes)
            kib.append(memory())
    taken.sort()
    idle.sort()
    gaps.sort()
    print(
        f"{DRAFTS} drafts, {wrong} with mistakes: median {taken[DRAFTS // 2]:.3f} s, longest {taken[-1]:.3f} s; ",
        end="",
    )
    longest = [[round(1000 * gap) for gap in some[-3:]] for some in (idle, gaps)]
    print(f"longest gaps of the loop idle {longest[0]} ms, meanwhile {longest[1]} ms; ", end="")
    print(f"memory after 100 {kib[99]} KiB, after all {kib[-1]} KiB")
    assert wrong > DRAFTS * 0.9
    assert kib[-1] < kib[99] + (16 << 10)

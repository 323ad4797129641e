"""The one reconnect loop: edges are reported once, noise is counted together; and a blocking call beside it."""

import asyncio
import threading

import pytest

from drivers.faults import DeviceSilent, PortLost
from drivers.link import BACKOFF_CEILING_SECONDS, BACKOFF_FLOOR_SECONDS, Link, LinkTiming
from drivers.messages import LinkLost, LinkUp, Message, NoiseReceived
from drivers.unheld import unheld
from tests.made_up_time import in_made_up_time


class Script:
    """Conversations that end as asked: "absent", "silent", or "good" (answered, then hung up)."""

    def __init__(self, link: Link, *ends: str) -> None:
        self.link = link
        self.ends = list(ends)
        self.over = asyncio.Event()

    async def converse(self) -> None:
        if not self.ends:
            self.over.set()
            await asyncio.sleep(60)
        match self.ends.pop(0):
            case "absent":
                raise PortLost("shoe", "no device")
            case "silent":
                raise DeviceSilent("shoe", 2.0)
            case "good":
                self.link.answered()
                self.link.answered()
                raise PortLost("shoe", "hung up")


async def run(*ends: str) -> list[Message]:
    messages: list[Message] = []
    link = Link("shoe", LinkTiming(floor=0.001, ceiling=0.004, noise_report=0.05))
    script = Script(link, *ends)
    task = asyncio.create_task(link.run(lambda sent: messages.append(sent.message), script.converse))
    await script.over.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return messages


@in_made_up_time
async def test_a_device_that_stays_away_is_lost_once() -> None:
    assert await run("absent", "silent", "absent", "absent") == [LinkLost("no device")]


@in_made_up_time
async def test_back_once_with_the_length_of_the_outage_and_the_number_of_tries() -> None:
    messages = await run("absent", "silent", "good", "absent", "good")
    assert [type(message) for message in messages] == [LinkLost, LinkUp, LinkLost, LinkUp, LinkLost]
    ups = [message for message in messages if isinstance(message, LinkUp)]
    assert [up.tries for up in ups] == [3, 2]
    assert all(0 < up.outage_seconds < 1 for up in ups)


def test_silence_names_the_device_and_the_blame() -> None:
    assert str(DeviceSilent("shoe", waited=0.4)) == "shoe: port is open, but no answer for 0.4 s"


def test_the_back_off_grows_from_the_floor_to_the_ceiling_with_jitter() -> None:
    least, most = Link("shoe", LinkTiming(), jitter=lambda: 0.0), Link("shoe", LinkTiming(), jitter=lambda: 1.0)
    pauses = [(least._back_off(), most._back_off()) for _ in range(12)]
    assert pauses[0] == (BACKOFF_FLOOR_SECONDS, BACKOFF_FLOOR_SECONDS)
    assert pauses[1:4] == [(0.5, 1.0), (1.0, 2.0), (2.0, 4.0)]
    assert pauses[-1] == (BACKOFF_CEILING_SECONDS / 2, BACKOFF_CEILING_SECONDS)


@in_made_up_time
async def test_noise_is_reported_at_once_and_then_together() -> None:
    messages: list[Message] = []
    link = Link("shoe", LinkTiming(noise_report=0.05))

    async def babble() -> None:
        for _ in range(20):
            link.noise(3)
        await asyncio.sleep(0.07)
        await asyncio.sleep(0.07)
        link.noise(1)
        await asyncio.sleep(60)

    task = asyncio.create_task(link.run(lambda sent: messages.append(sent.message), babble))
    await asyncio.sleep(0.25)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert messages == [NoiseReceived(3), NoiseReceived(57), NoiseReceived(1)]


@in_made_up_time
async def test_another_cause_is_reported_once_two_tries_in_a_row_fail_for_it() -> None:
    messages = await run("absent", "silent", "absent", "silent", "silent", "silent", "absent", "good")
    assert [message.cause for message in messages if isinstance(message, LinkLost)] == ["unknown", "silent", "unknown"]
    assert [type(message) for message in messages] == [LinkLost, LinkLost, LinkUp, LinkLost]


SECONDS = 60.0


async def test_the_result_and_the_error_of_a_call() -> None:
    late: list[int] = []
    assert await unheld(lambda: 7, late.append, "call") == 7
    with pytest.raises(ZeroDivisionError):
        await unheld(lambda: 1 // 0, late.append, "call")
    assert late == []


async def test_what_comes_after_a_cancellation_is_handed_over_once() -> None:
    begun, go, given = threading.Event(), threading.Event(), threading.Event()
    late: list[int] = []

    def call() -> int:
        begun.set()
        go.wait(SECONDS)
        return 7

    def take(result: int) -> None:
        late.append(result)
        given.set()

    task = asyncio.create_task(unheld(call, take, "call"))
    assert await asyncio.to_thread(begun.wait, SECONDS)
    task.cancel()
    await asyncio.wait([task], timeout=SECONDS)
    assert task.cancelled() and late == []
    go.set()
    assert await asyncio.to_thread(given.wait, SECONDS)
    assert late == [7]


async def test_a_result_that_comes_together_with_a_cancellation_is_handed_over_once() -> None:
    for _ in range(200):
        late: list[int] = []
        task = asyncio.create_task(unheld(lambda: 7, late.append, "call"))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task], timeout=SECONDS)
        for thread in [known for known in threading.enumerate() if known.name == "call"]:
            await asyncio.to_thread(thread.join)
        await asyncio.sleep(0)
        assert late == ([7] if task.cancelled() else [])

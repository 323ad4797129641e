"""A retained topic that the broker's access list denies: it is named, and all other topics continue."""

import asyncio
import gc
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiomqtt
import pytest

from controller.floor import client
from controller.floor.broker import Broker
from controller.floor.mqtt import PublishRefused, connection
from controller.floor.outbox import UnsentMessage
from simulators.broker import free_port
from tests.floor.informing_station import EVENTS, Station, informing
from tests.floor.test_floor_forged import received
from tests.station.processes import Mosquitto

PATIENCE_SECONDS = 10
DENIED = "topic read dealer/#\ntopic write dealer/events/#\ntopic write dealer/status\n"


class Clock:
    """The time of the clients, which continues by itself and a while at once."""

    later = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.later


@asynccontextmanager
async def served(folder: Path, settings: str = "") -> AsyncIterator[tuple[Mosquitto, Station, aiomqtt.Client]]:
    """A broker whose list denies the state, a table, and someone who receives all."""
    (folder / "acl").write_text(DENIED)
    with Mosquitto(folder / "broker", f"allow_anonymous true\nacl_file {folder / 'acl'}\n{settings}") as broker:
        async with asyncio.timeout(PATIENCE_SECONDS), aiomqtt.Client("127.0.0.1", broker.port) as floor:
            await floor.subscribe("dealer/#", qos=1)
            async with informing(Broker("127.0.0.1", broker.port)) as station:
                yield broker, station, floor


# Where nothing bounds its queues, as in the other tests, this mosquitto hangs up after each denial.
@pytest.mark.parametrize("hangs_up", [False, True])
async def test_one_denied_topic_is_named_and_holds_up_no_other_until_it_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hangs_up: bool
) -> None:
    clock = Clock()
    monkeypatch.setattr(client, "time", clock)
    async with served(tmp_path, "" if hangs_up else "max_queued_messages 1000") as (broker, station, floor):
        await station.until(lambda: bool(station.refused))
        assert station.refused == ["the broker refuses dealer/state: Not authorized"]
        for number in range(5):
            station.state = dict.fromkeys(station.state, b"state %d" % number)
            station.say("card", b"%d" % number)
            await received(floor, EVENTS + "card", b"%d" % number)
        assert station.edges[-1] == "back" and station.edges.count("lost") == hangs_up
        assert all("refuses dealer/state" in reason for reason in station.reasons), "why it hung up"
        assert len(station.refused) == 1, "it is not tried again with each change"
        (tmp_path / "acl").write_text("topic readwrite #\n")
        broker.read_settings_again()
        clock.later = client.REFUSED_AGAIN_SECONDS
        station.say("card")
        await received(floor, "dealer/state", b"state 4")
        assert station.edges[-1] == "back" and len(station.refused) == 1


async def test_a_topic_that_is_still_denied_is_reported_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(client, "time", clock)
    async with served(tmp_path, "max_queued_messages 1000") as (_, station, _):
        await station.until(lambda: len(station.refused) == 1)
        clock.later = client.REFUSED_AGAIN_SECONDS
        station.say("card")
        await station.until(lambda: len(station.refused) == 2)
        assert station.edges == ["back"]


async def test_a_denied_message_is_named_where_the_hang_up_behind_it_is_noticed_first(tmp_path: Path) -> None:
    (tmp_path / "acl").write_text("topic read dealer/#\ntopic write dealer/status\ntopic write dealer/state\n")
    with Mosquitto(tmp_path / "broker", f"allow_anonymous true\nacl_file {tmp_path / 'acl'}") as broker:
        async with asyncio.timeout(PATIENCE_SECONDS), informing(Broker("127.0.0.1", broker.port)) as station:
            head = station.outbox.head

            async def slow(after: int = 0) -> UnsentMessage | None:
                if after:
                    await asyncio.Event().wait()  # for ever: anyone who sends the next receives no answer to the first
                return await head(after)

            station.outbox.head = slow  # type: ignore[method-assign]
            station.say("card")
            await station.until(lambda: bool(station.untaken))
    denied = "the broker refuses dealer/events/card: Not authorized"
    assert (station.causes, station.reasons, station.untaken) == (["not_authorised"], [denied], [(1, denied)])


async def test_why_no_one_is_at_the_brokers_address_is_reported_without_the_systems_number() -> None:
    async with asyncio.timeout(PATIENCE_SECONDS), informing(Broker("127.0.0.1", free_port())) as station:
        await station.until(lambda: bool(station.reasons))
    assert station.reasons == ["Connection refused"]


async def test_a_broker_that_hangs_up_behind_a_denial_leaves_no_word_of_the_event_loop_in_the_log(
    tmp_path: Path,
) -> None:
    alarms: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: alarms.append(context))
    (tmp_path / "acl").write_text(DENIED)
    with Mosquitto(tmp_path / "broker", f"allow_anonymous true\nacl_file {tmp_path / 'acl'}") as broker:
        async with connection(Broker("127.0.0.1", broker.port)) as denied:
            with pytest.raises(PublishRefused):
                await denied.deliver("dealer/state", b"state", retain=True)
            await asyncio.wait([denied._disconnected], timeout=PATIENCE_SECONDS)
        del denied
        gc.collect()
    assert alarms == []

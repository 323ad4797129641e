"""The floor's client: the private members of aiomqtt and paho that it uses, and its stop while the broker is lost."""

import asyncio
import inspect
import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.metadata import version
from pathlib import Path

import aiomqtt
import pytest
from paho.mqtt.client import Client as PahoClient
from paho.mqtt.enums import MQTTErrorCode

from controller.floor.broker import Broker
from controller.floor.mqtt import AcknowledgedClient, connection
from controller.floor.witnessing import Witnessing
from controller.system.tasks import ended
from controller.tlog.notes import Signer
from controller.tlog.witness import Seen, Witness
from tests.floor.informing_station import Station, connecting, disconnected
from tests.station.processes import Mosquitto

AIOMQTT = {
    "__aenter__": "(self)",
    "__aexit__": "(self, exc_type, exc, tb)",
    "_on_connect": "(self, client, userdata, flags, reason_code, properties)",
    "_on_disconnect": "(self, client, userdata, flags, reason_code, properties)",
    "_on_message": "(self, client, userdata, message)",
    "_on_publish": "(self, client, userdata, mid, reason_code, properties)",
    "_on_socket_close": "(self, client, userdata, sock)",
    "_on_socket_open": "(self, client, userdata, sock)",
    "_on_socket_register_write": "(self, client, userdata, sock)",
    "_on_socket_unregister_write": "(self, client, userdata, sock)",
    "_wait_for": "(self, fut, timeout)",
}
PAHO = {
    "_loop_rc_handle": "(self, rc)",
    "_packet_read": "(self)",
    "_sock_close": "(self)",
    "_sock_recv": "(self, bufsize)",
}


def signature(function: object) -> str:
    """The names of its parameters, without types and defaults."""
    assert callable(function)
    parameters = inspect.signature(function).parameters.values()
    return f"({', '.join(parameter.name for parameter in parameters)})"


@pytest.mark.parametrize(
    ("owner", "expected"), [(aiomqtt.Client, AIOMQTT), (PahoClient, PAHO)], ids=["aiomqtt", "paho"]
)
def test_a_private_member_that_is_overridden_has_the_parameters_that_it_had(
    owner: type[object], expected: dict[str, str]
) -> None:
    assert {name: signature(getattr(owner, name)) for name in expected} == expected


async def test_the_state_that_is_read_is_there() -> None:
    client = aiomqtt.Client("127.0.0.1")
    assert isinstance(client._disconnected, asyncio.Future) and isinstance(client._client, PahoClient)
    assert aiomqtt.client.MessagesIterator(client)._client is client
    assert {"command", "have_remaining", "remaining_length", "packet"} <= client._client._in_packet.keys()


def test_both_libraries_are_pinned_to_the_version_that_is_installed() -> None:
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    for name in ("aiomqtt", "paho-mqtt"):
        assert f"{name}=={version(name)}" in project["dependencies"]


SECONDS = 60.0
TABLE, WITNESS = (Signer(name, bytes([number]) * 32) for number, name in enumerate(("dealer/site/t1", "w1")))


async def stops(task: asyncio.Task[None]) -> bool:
    """Whether it has ended because it was cancelled."""
    try:
        await asyncio.wait([task], timeout=SECONDS)
        return task.cancelled()
    finally:
        await ended(task)


WAITS: dict[str, Callable[[AcknowledgedClient], Awaitable[object]]] = {
    "on_connect": lambda client: asyncio.sleep(0),
    "on_subscribe": lambda client: client.subscribe("topic"),
    "on_unsubscribe": lambda client: client.unsubscribe("topic"),
    "on_publish": lambda client: client.deliver("topic", b"payload"),
}


@pytest.mark.parametrize("answer", WAITS)
async def test_a_cancellation_that_comes_together_with_an_answer_is_not_lost(mosquitto: Mosquitto, answer: str) -> None:
    client = AcknowledgedClient("127.0.0.1", port=mosquitto.port)
    callback = getattr(client._client, answer)

    async def use() -> None:
        async with client:
            await WAITS[answer](client)
            await asyncio.sleep(60)

    task = asyncio.create_task(use())

    def receives(*arguments: object) -> None:
        callback(*arguments)
        task.cancel()

    setattr(client._client, answer, receives)
    assert await stops(task)
    assert client._client.socket() is None, "the connection is given up"


async def test_a_cancellation_is_not_lost_where_the_broker_does_not_let_go(mosquitto: Mosquitto) -> None:
    client = AcknowledgedClient("127.0.0.1", port=mosquitto.port)
    here = asyncio.Event()

    def says_nothing(*_: object) -> MQTTErrorCode:
        return MQTTErrorCode.MQTT_ERR_SUCCESS

    async def use() -> None:
        async with client:
            client.timeout = 0.05
            client._client.disconnect = says_nothing  # type: ignore[method-assign,assignment]
            here.set()
            await asyncio.sleep(60)

    task = asyncio.create_task(use())
    await here.wait()
    task.cancel()
    assert await stops(task)


@asynccontextmanager
async def table(mosquitto: Mosquitto) -> AsyncIterator[asyncio.Task[None]]:
    station = Station(Broker("127.0.0.1", mosquitto.port))
    task = asyncio.create_task(station.client.run())
    await station.until(lambda: station.acknowledged >= 1)
    yield task
    await disconnected(station.client)


@asynccontextmanager
async def witness(mosquitto: Mosquitto) -> AsyncIterator[asyncio.Task[None]]:
    judged = asyncio.Event()

    async def keep(_: Mapping[str, Seen]) -> None:
        judged.set()

    async with connection(Broker("127.0.0.1", mosquitto.port)) as other:
        await other.deliver(f"{TABLE.name}/checkpoint", b"none", retain=True)
    witnessing = Witnessing(Broker("127.0.0.1", mosquitto.port), Witness(WITNESS, [TABLE.verifier], {}, 0.0), keep)
    task = asyncio.create_task(witnessing.run())
    await judged.wait()
    async with witnessing._turn:  # it has reported it, and receives again
        pass
    yield task


@pytest.mark.parametrize("turns", range(7))
@pytest.mark.parametrize("who", [table, witness])
async def test_a_client_that_is_ordered_to_stop_while_the_broker_is_lost_stops(
    mosquitto: Mosquitto,
    monkeypatch: pytest.MonkeyPatch,
    who: Callable[[Mosquitto], AbstractAsyncContextManager[asyncio.Task[None]]],
    turns: int,
) -> None:
    clients = connecting(monkeypatch)
    async with who(mosquitto) as task:
        clients[-1]._disconnected.set_exception(aiomqtt.MqttError("gone"))
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        assert await stops(task)


async def test_no_task_is_left_behind_by_anyone_who_ends_another_and_is_cancelled() -> None:
    tidy = asyncio.Event()

    async def slow() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await tidy.wait()

    task = asyncio.create_task(slow())
    await asyncio.sleep(0)
    other = asyncio.create_task(ended(task))
    await asyncio.sleep(0)
    other.cancel()
    await asyncio.sleep(0)
    assert not other.done(), "it continues until the first has ended"
    tidy.set()
    assert await stops(other) and task.done()

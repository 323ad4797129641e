"""The retained status is true: online exactly while the station is connected, whatever became of its connections.

The broker is a real one, and the proxy before it falls silent without closing a connection. Intervals are shorter than
at a table; `tests/soak` has the same with those of a table.
"""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import aiomqtt
import pytest

from controller.__main__ import main
from controller.config.floor_connection import client_id_of
from controller.floor import backoff, client, mqtt
from controller.floor.backoff import CEILING_SECONDS, Backoff
from controller.floor.broker import Broker
from controller.floor.client import FloorClient
from controller.floor.handler import Topics
from controller.floor.mqtt import AcknowledgedClient, connection
from controller.system.tasks import ended
from tests.floor.informing_station import Station, disconnected, informing, quiet_status
from tests.floor.moody_broker import SilentProxy
from tests.station.processes import Mosquitto, lone_daemon

KEEPALIVE = 2
WILL_SECONDS = 2.5 * KEEPALIVE  # one and a half keepalives, and a broker that looks once a second
PATIENCE_SECONDS = 60
NEVER_SECONDS = 1000.0


@pytest.fixture
def proxy(mosquitto: Mosquitto) -> Iterator[SilentProxy]:
    with SilentProxy(mosquitto.port) as proxy:
        yield proxy


def at(port: int, protocol: str, client_id: str | None = None) -> Broker:
    return Broker("127.0.0.1", port, protocol=protocol, client_id=client_id, keepalive=KEEPALIVE)


async def retained(mosquitto: Mosquitto) -> bytes:
    """What a subscriber is given that comes now."""
    async with connection(Broker("127.0.0.1", mosquitto.port)) as late:
        await late.subscribe("dealer/status", qos=1)
        async with asyncio.timeout(PATIENCE_SECONDS):
            payload = (await anext(late.messages)).payload
        assert isinstance(payload, bytes)
        return payload


async def until_retained(mosquitto: Mosquitto, payload: bytes) -> None:
    found = b""
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (found := await retained(mosquitto)) != payload:  # noqa: ASYNC110 the broker is another process
                await asyncio.sleep(0.1)
    assert found == payload


async def until_published(watcher: AcknowledgedClient, payload: bytes) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (await anext(watcher.messages)).payload != payload:
            pass


@pytest.mark.parametrize(("protocol", "client_id"), [("5", None), ("5", "t1"), ("3.1.1", "t1")])
@pytest.mark.parametrize("plays", [True, False], ids=["plays", "idle"])
async def test_a_table_that_was_cut_off_silently_and_is_back_is_online(
    mosquitto: Mosquitto,
    proxy: SilentProxy,
    protocol: str,
    client_id: str | None,
    plays: bool,
) -> None:
    async with (
        informing(at(proxy.port, protocol, client_id), status_again=NEVER_SECONDS) as station,
        connection(Broker("127.0.0.1", mosquitto.port)) as watcher,
    ):
        await station.until(lambda: station.acknowledged >= 1)
        assert await retained(mosquitto) == quiet_status(station.session, True)
        await watcher.subscribe("dealer/status", qos=1)
        will = quiet_status(station.session, False)
        with patch.object(client, "ACKNOWLEDGE_SECONDS", 0.3):  # so that it is back before the broker notices
            proxy.silence()
            if plays:
                station.say("card")
            await station.until(lambda: "lost" in station.edges)
        await station.until(lambda: station.edges == ["back", "lost", "back"])
        if client_id is None:  # then the broker does not know that one connection replaces the other
            await until_published(watcher, will)
        else:
            await asyncio.sleep(WILL_SECONDS)
        await until_retained(mosquitto, quiet_status(station.session, True))


async def test_a_broker_that_publishes_the_will_of_an_earlier_connection_late_is_corrected_at_3_1_1(
    mosquitto: Mosquitto, proxy: SilentProxy
) -> None:
    # Without an id, the broker does not know that one connection replaces the other.
    async with (
        informing(at(proxy.port, "3.1.1"), status_again=3 * WILL_SECONDS) as station,
        connection(Broker("127.0.0.1", mosquitto.port)) as watcher,
    ):
        await station.until(lambda: station.acknowledged >= 1)
        await watcher.subscribe("dealer/status", qos=1)
        will = quiet_status(station.session, False)
        with patch.object(client, "ACKNOWLEDGE_SECONDS", 0.3):
            proxy.silence()
            station.say("card")
            await station.until(lambda: "lost" in station.edges)
        await station.until(lambda: station.edges == ["back", "lost", "back"])
        await until_published(watcher, will)
        await until_retained(mosquitto, quiet_status(station.session, True))


@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
async def test_a_table_that_is_cut_off_is_offline_as_long_as_that_lasts(
    mosquitto: Mosquitto, proxy: SilentProxy, protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (client, mqtt):
        monkeypatch.setattr(module, "ACKNOWLEDGE_SECONDS", 5.0)  # then a try at a silent broker is over
    async with informing(at(proxy.port, protocol, "t1")) as station:
        await station.until(lambda: station.acknowledged >= 1)
        online = station.session
        proxy.silence(lets_in=False)
        await until_retained(mosquitto, quiet_status(online, False))
        await station.until(lambda: "lost" in station.edges)
        proxy.silence()
        await station.until(lambda: station.edges == ["back", "lost", "back"])
        await asyncio.sleep(WILL_SECONDS)
        await until_retained(mosquitto, quiet_status(station.session, True))


async def stopped_at(broker: Broker) -> Station:
    """A station that has informed this broker and was stopped, before its goodbye."""
    station = Station(broker)
    running = asyncio.create_task(station.client.run())
    await station.until(lambda: station.acknowledged >= 1)
    await ended(running)
    return station


@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
@pytest.mark.parametrize("more", [True, False], ids=["more", "no more"])
async def test_a_station_that_stops_says_offline_in_the_session_that_it_ends_though_the_broker_accepts_no_more(
    mosquitto: Mosquitto, proxy: SilentProxy, protocol: str, more: bool
) -> None:
    station = await stopped_at(at(proxy.port, protocol, "t1"))
    if not more:
        proxy.refuse()
    async with connection(Broker("127.0.0.1", mosquitto.port)) as watcher:
        await watcher.subscribe("dealer/status", qos=1)
        await station.client.say_goodbye()
        async with asyncio.timeout(PATIENCE_SECONDS):
            received = [(await anext(watcher.messages)).payload for _ in range(2)]
    assert received == [quiet_status(station.session, online) for online in (True, False)]
    await until_retained(mosquitto, quiet_status(station.session, False))


@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
@pytest.mark.parametrize("let_in", ["before", "late", "as it ends", "at once"])
async def test_a_goodbye_that_takes_too_long_is_left_to_the_will(
    mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch, protocol: str, let_in: str
) -> None:
    async def never(*_: object) -> None:
        await asyncio.Event().wait()

    def too_long(before: Callable[..., Any]) -> Callable[..., Any]:
        """The time is over once this has been called, however busy the machine is."""

        def over(*given: object) -> object:
            result = before(*given)
            [goodbye] = [task for task in asyncio.all_tasks() if "_say_goodbye" in repr(task.get_coro())]
            goodbye.cancel()
            return result

        return over

    monkeypatch.setattr(client, "GOODBYE_SECONDS", 0.5)
    monkeypatch.setattr(client, "GOODBYE_AWAY_SECONDS", NEVER_SECONDS)
    station = await stopped_at(at(mosquitto.port, protocol, "t1"))
    if let_in != "before":
        await disconnected(station.client)
    monkeypatch.setattr(FloorClient, "_deliver_retained", too_long(never) if let_in == "at once" else never)
    if let_in == "late":  # the CONNECT is sent
        monkeypatch.setattr(AcknowledgedClient, "_write_packets", too_long(AcknowledgedClient._write_packets))
    elif let_in == "as it ends":
        monkeypatch.setattr(AcknowledgedClient, "_on_connect", too_long(AcknowledgedClient._on_connect))
    with mosquitto.suspended() if let_in == "late" else nullcontext():
        await station.client.say_goodbye()
    monkeypatch.undo()
    await until_retained(mosquitto, quiet_status(station.session, False))


class Other(Station):
    """A station of the same table with another journal."""

    def __init__(self, broker: Broker, journal: str) -> None:
        super().__init__(broker)
        self.journal = journal
        self.others: list[str] = []
        self.client = FloorClient(broker, self.outbox, self, Topics(own=["dealer/status", "dealer/state"]))

    def status(self, online: bool) -> tuple[str, bytes]:
        topic, payload = super().status(online)
        return topic, payload.replace(b"quiet", getattr(self, "journal", "quiet").encode())

    def on_other(self, source: str) -> None:
        self.others.append(source)
        self._changed.set()


@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
async def test_two_stations_of_one_id_know_of_each_other_and_make_no_storm(
    mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch, protocol: str
) -> None:
    monkeypatch.setattr(backoff, "FLOOR_SECONDS", 0.2)
    stations = [Other(at(mosquitto.port, protocol, "t1"), journal) for journal in ("one", "other")]
    running = [asyncio.create_task(station.client.run()) for station in stations]
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            for station in stations:
                await station.until(lambda station=station: bool(station.others))  # type: ignore[misc]
        first, other = stations
        assert {*first.others} == {"/dealer/site/t1/other"} and {*other.others} == {"/dealer/site/t1/one"}
    finally:
        for task in running:
            task.cancel()
        await asyncio.wait(running)
        for station in stations:
            await disconnected(station.client)
    assert all(station.client._backoff.contested for station in stations)
    assert first.forged == other.forged == []


@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
async def test_another_client_that_takes_the_connection_again_and_again_is_reported_once(
    mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch, protocol: str
) -> None:
    monkeypatch.setattr(backoff, "FLOOR_SECONDS", 0.05)
    async with informing(at(mosquitto.port, protocol, "t1")) as station:
        for times in range(1, 6):
            await station.until(lambda times=times: station.edges.count("back") == times)  # type: ignore[misc]
            assert station.contested == (times > backoff.TAKEN_TIMES)
            with suppress(aiomqtt.MqttError):
                async with connection(at(mosquitto.port, protocol, "t1")):
                    await station.until(lambda times=times: station.edges.count("lost") == times)  # type: ignore[misc]
        assert station.edges.count("lost") >= 5


def test_two_clients_that_take_each_others_connection_do_so_ever_more_rarely() -> None:
    clients, taken = [Backoff(), Backoff()], 0
    now, connected, began = 0.0, 0, 0.0
    while now < 3600:
        loser = clients[connected]
        loser.lost(now - began, True)
        loser.contested |= loser.seems_contested
        connected, began, taken = 1 - connected, now, taken + 1
        now += loser.pause()
    assert all(known.contested for known in clients)
    assert taken <= 3600 / (0.75 * CEILING_SECONDS) + 10


def test_a_client_id_is_one_that_every_broker_takes_and_each_table_has_its_own() -> None:
    tables = [("macau-1", "table-1"), ("macau", "1table-1"), ("macau1", "table1"), ("m" * 60, "t" * 60), ("-", "_")]
    ids = [client_id_of(*table) for table in tables]
    assert all(re.fullmatch("[0-9a-zA-Z]{1,23}", id) for id in ids), "MQTT 3.1.1, 3.1.3.1"
    assert len({*ids}) == len(ids) and ids == [client_id_of(*table) for table in tables]


@pytest.mark.parametrize(
    ("keys", "id"),
    [
        ('protocol = "5"', None),
        ('protocol = "5"\nclient_id = "t1"', "t1"),
        ('protocol = "3.1.1"\nclient_id = "t1"', "t1"),
        ('protocol = "3.1.1"', client_id_of("laptop", "table-1")),
    ],
)
def test_check_config_prints_the_client_id_that_no_other_client_may_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], keys: str, id: str | None
) -> None:
    file = lone_daemon(tmp_path).config
    text = file.read_text(encoding="utf-8")
    assert 'protocol = "5"' in text
    file.write_text(text.replace('protocol = "5"', keys), encoding="utf-8")
    assert main(["check-config", str(file)]) == 0
    line = f"client id at the broker: {id}"
    assert (line in capsys.readouterr().out.splitlines()) == (id is not None)


def test_what_a_broker_does_that_restarts_is_no_other_client() -> None:
    backoff = Backoff()
    for _ in range(5):
        backoff.lost(1.0, True)
        assert not backoff.seems_contested
        backoff.failed()


def test_a_status_without_a_time_cannot_be_older_than_what_it_replaces() -> None:
    from controller.floor.messages import status
    from tests.engine.playing import IDENTITY

    online, offline = (json.loads(status(IDENTITY, 7, since)[1]) for since in ("2026-03-14T14:33:24.184Z", None))
    assert online["session"] == offline["session"] == 7
    assert online["data"]["online"] and not offline["data"]["online"]
    assert online["time"] and "time" not in offline

"""A forger at the broker of a whole station: nothing that it sends for the pit is believed; and keys that are lost."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from controller.config.file import Config
from controller.engine.decisions.alarms import alarms
from controller.engine.decisions.link import AcceptPit
from controller.engine.state.current import Settings
from controller.engine.state.events import DeviceUp
from controller.engine.state.jackpot import MeterOpened
from controller.engine.state.table import PIT, Table
from controller.floor.broker import Broker
from controller.floor.mqtt import connection
from controller.link.messages import BEFORE_ANY, Acknowledged, Grant, Granted, KeyUnknown, Pot
from controller.link.signing import sealed
from controller.pit.leader import Leader
from controller.pit.ledger.state import new_ledger
from controller.runtime.linked import LinkedPot
from controller.system.tasks import ended
from controller.tlog.notes import Signer
from tests.link.entries import PIT_KEY, PUBLIC, key_of, table_key
from tests.station.processes import Mosquitto
from tests.station.test_station_linked import (
    ANSWERS,
    GAME,
    LINKED,
    NAME,
    POT,
    SECONDS,
    TABLE,
    Running,
    configuration,
    pit,
    running,
)

FAR = 10**15
FORGERS = {"the broker": None, "another table": table_key("macau-1/table-2"), "this table": table_key(TABLE)}


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """One that lets everyone publish everywhere: the access list is another matter."""
    with Mosquitto(tmp_path / "broker") as mosquitto:
        yield mosquitto


def opening(config: Config) -> Leader:
    assert config.jackpot is not None
    return Leader(new_ledger(NAME, GAME, (TABLE,), MeterOpened(600_000, 0, config.jackpot.parameters)), 1)


def forgeries(leader: Leader, journal: str) -> list[tuple[str, msgspec.Struct]]:
    """Messages of the pit that it has not sent; an epoch of the year 33658, a beat that no other reaches."""
    parameters = leader.ledger.meter.parameters
    pot = Pot(NAME, 1, FAR, FAR, 90_000_000, 1, 1, parameters, 1)
    grant = Grant(f"{journal}/1", BEFORE_ANY, 1, 90_000_000, 1, parameters, (), {})
    return [
        (POT, pot),
        (POT, replace(pot, epoch=FAR, beat=1)),
        (ANSWERS, Acknowledged(NAME, TABLE, journal, 1, FAR, FAR)),
        (ANSWERS, Acknowledged(NAME, TABLE, journal, 0, 1, FAR, refused="unknown_journal")),
        (ANSWERS, Granted(NAME, TABLE, 1, FAR, grant)),
        (ANSWERS, KeyUnknown(NAME, TABLE, 1, FAR, str(table_key(TABLE).verifier))),
    ]


async def publish(port: int, forged: Sequence[tuple[str, bytes]], retain: bool = False) -> None:
    async with connection(Broker("127.0.0.1", port)) as client:
        for topic, content in forged:
            await client.publish(topic, content, qos=1, retain=retain and topic == POT)


def made(leader: Leader, journal: str, signer: Signer | None) -> list[tuple[str, bytes]]:
    forged = forgeries(leader, journal)
    return [
        (topic, msgspec.json.encode(body) if signer is None else sealed(signer, topic, body)) for topic, body in forged
    ]


async def dropped(live: Running, count: int) -> None:
    async with asyncio.timeout(SECONDS):
        while live.station.metrics.link_dropped._value.get() < count:  # noqa: ASYNC110 whatever of it comes
            await asyncio.sleep(0.01)


def is_up(table: Table) -> bool:
    return isinstance(table.devices.get(PIT), DeviceUp)


def other_keys(table: Table, settings: Settings) -> bool:
    """Whether the alarm of the pit, as it is now, says that two persons have to accept its keys."""
    return any(alarm.code == "device_lost/other_keys" for alarm in alarms(table, settings))


@pytest.mark.parametrize("who", FORGERS)
async def test_linked_pot_2_nothing_forged_is_believed_over_a_start_and_the_link_works_on(
    broker: Mosquitto, tmp_path: Path, who: str
) -> None:
    config = configuration(tmp_path, broker.port, LINKED.format(NAME))
    leader = opening(config)
    leads = asyncio.create_task(pit(broker.port, leader))
    async with running(config) as live:
        await live.until(is_up)
        assert live.table.link is not None
        journal = live.table.link.kept.journal
        forged = made(leader, journal, FORGERS[who])
        await publish(broker.port, forged)
        await dropped(live, len(forged))
        await live.until(lambda table: "floor-forged" in table.alarms)
        kept, alarm = live.table.link.kept, live.table.alarms["floor-forged"]
        await publish(broker.port, forged * 20)
        await dropped(live, 21 * len(forged))
        after = live.table.link.kept
        assert (after.learnt, after.hits, after.broken) == (kept.learnt, {}, ""), "none of it is believed"
        assert live.table.alarms["floor-forged"] == alarm, "and it is journaled once"
        await live.until(is_up)
        assert kept.learnt is not None and kept.learnt.epoch == 1
    await ended(leads)
    await publish(broker.port, forged, retain=True)
    async with running(config) as live:
        await dropped(live, 1)
        await publish(broker.port, forged)
        await dropped(live, 1 + len(forged))
        assert not is_up(live.table) and live.table.link is not None and live.table.link.kept.learnt == kept.learnt
        leads = asyncio.create_task(pit(broker.port, Leader(leader.ledger, 2)))
        await live.until(is_up)
        assert live.table.link.kept.hits == {} and not live.table.link.kept.broken
        await ended(leads)


async def test_linked_pot_2_what_the_pit_published_before_is_no_sign_of_it_after_a_start(
    broker: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = configuration(tmp_path, broker.port, LINKED.format(NAME))
    recorded: list[tuple[str, bytes]] = []
    listens = asyncio.Event()

    async def record() -> None:
        async with connection(Broker("127.0.0.1", broker.port)) as client:
            for topic in (POT, ANSWERS):
                await client.subscribe(topic)
            listens.set()
            async for message in client.messages:
                recorded.append((str(message.topic), bytes(message.payload)))

    recording = asyncio.create_task(record())
    await listens.wait()  # the pit answers once
    leader = opening(config)
    leads = asyncio.create_task(pit(broker.port, leader))
    async with running(config) as live:
        await live.until(is_up)
        await live.until(lambda _: len(recorded) > 10)
    await ended(leads)
    await ended(recording)
    assert {topic for topic, _ in recorded} == {POT, ANSWERS}
    retained: list[bool] = []
    receive = LinkedPot.receive

    def counted(link: LinkedPot, topic: str, content: bytes, is_retained: bool) -> None:
        receive(link, topic, content, is_retained)
        retained.append(is_retained)

    monkeypatch.setattr(LinkedPot, "receive", counted)
    async with running(config) as live:
        await live.until(lambda _: retained)  # it has subscribed
        for _ in range(3):
            retained.clear()
            await publish(broker.port, recorded)
            await live.until(lambda _: retained.count(False) == len(recorded))
            assert not is_up(live.table)
        assert not live.station.metrics.link_dropped._value.get(), "each is signed by the pit"
        leads = asyncio.create_task(pit(broker.port, leader))
        await live.until(is_up)
        await ended(leads)


async def test_linked_pot_4_the_keys_of_a_pit_are_changed_by_two_persons_who_forget_what_a_stolen_one_signed(
    broker: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = configuration(tmp_path, broker.port, LINKED.format(NAME))
    leader = opening(config)
    leads = asyncio.create_task(pit(broker.port, leader))
    async with running(config) as live:
        await live.until(is_up)
        await ended(leads)
        stolen = [(POT, sealed(PIT_KEY, POT, Pot(NAME, FAR, 1, 0, 1, 1, 1, leader.ledger.meter.parameters, 1)))]
        await publish(broker.port, stolen, retain=True)
        await live.until(lambda table: table.link is not None and table.link.kept.broken)
    new = key_of("pit.example/new")
    monkeypatch.setattr("tests.station.test_station_linked.PIT_KEY", new)
    leads = asyncio.create_task(pit(broker.port, leader))
    text = LINKED.format(NAME)
    renewed = configuration(tmp_path, broker.port, text.replace(PUBLIC, str(new.verifier)))
    async with running(renewed) as live:
        await live.until(lambda table: other_keys(table, live.station.loop._settings))
        await asyncio.sleep(0.5)
        assert not is_up(live.table), "it believes no pit before two persons have looked"
        keys = (str(new.verifier),)
        answer = AcceptPit("1", "pit", "rui", keys=keys, reason="the old one was stolen", second="ana")
        forged = await live.station.loop.answer([answer])
        assert isinstance(forged, list), forged
        await live.until(is_up)
        assert live.table.link is not None and live.table.link.kept.learnt is not None
        assert live.table.link.kept.learnt.epoch == 1 and not live.table.link.kept.broken
        await publish(broker.port, stolen)
        await dropped(live, 1)
        assert is_up(live.table)
        await ended(leads)
    assert json.loads(msgspec.json.encode(live.table.link.keys)) == list(keys)

"""The pit is a witness too: it cosigns what continues, keeps it in the database, and its page shows what does not."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

import aiomqtt
import msgspec
import psycopg
import pytest

from controller.engine.shown.prompts import alarm_words
from controller.floor import witnessing
from controller.floor.access import Site, TableUser
from controller.floor.broker import Broker
from controller.floor.messages import cosignature
from controller.floor.mqtt import AcknowledgedClient, PublishRefused, connection
from controller.floor.shapes import SCHEMA, Cosignature
from controller.pit.__main__ import main
from controller.pit.live import Live
from controller.pit.service import Service, ServiceIntervals
from controller.system.tasks import ended
from controller.tlog.notes import Signer
from controller.tlog.witness import REFUSED, Seen, Witness
from tests.floor.informing_station import connecting
from tests.pit.broadcasting import retained
from tests.pit.conftest import rows
from tests.station.processes import Mosquitto, guarded_broker
from tests.tlog.test_tlog_checkpoints import COSIGNER, STATION, TABLE, Station
from tests.tlog.test_tlog_checkpoints import WITHIN as SECONDS

TOPIC = f"{TABLE}/cosignatures/{COSIGNER.name}"
OLDER = "it was rewound from 3 events to 2"


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    table = TableUser("macau-1", "1", "1", ("hall",), (COSIGNER.name,))
    site = Site((table,), witnesses={COSIGNER.name: "hall"}, consumers=("floor",))
    with guarded_broker(tmp_path / "broker", site) as mosquitto:
        yield mosquitto


def witness(seen: dict[str, Seen]) -> Witness:
    return Witness(COSIGNER, [STATION.verifier], seen, SECONDS)


@asynccontextmanager
async def pit(broker: Mosquitto, database: str, holder: str) -> AsyncIterator[Service]:
    at = Broker("127.0.0.1", broker.port, username="hall", client_id=holder)
    service = Service(at, "hall", database, holder, ServiceIntervals(retry=0.05), witness=witness)
    task = asyncio.create_task(service.run())
    try:
        yield service
    finally:
        await ended(task)


async def until(database: str, holds: Callable[[list[tuple[object, ...]]], bool], query: str) -> None:
    found: list[tuple[object, ...]] = []
    while not holds(found):
        await asyncio.sleep(0.02)  # the database is another process: it reports no one
        with suppress(psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName):
            found = await asyncio.to_thread(rows, database, query)


async def show(broker: Mosquitto, station: Station) -> None:
    async with connection(Broker("127.0.0.1", broker.port, username="1")) as table:
        payload = msgspec.json.encode({"data": station.checkpoints.published})
        await table.deliver(f"{TABLE}/checkpoint", payload, retain=True)


async def received(ear: AcknowledgedClient, wanted: Callable[[bytes], bool]) -> None:
    async for message in ear.messages:
        assert isinstance(message.payload, bytes)
        if wanted(message.payload):
            return


SIZES = "SELECT array_agg(size ORDER BY size) FROM pit.checkpoints"
REFUSAL = "SELECT refusal FROM pit.witnessed"


async def test_the_pit_cosigns_what_continues_and_refuses_what_does_not_whichever_process_leads(
    broker: Mosquitto, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(witnessing, "LOOK_SECONDS", 0.05)
    station, page = Station(tmp_path / "j.db").happens("1", "2"), Live(COSIGNER.verifier)
    station.checkpoints.make(0.0)
    first = station.checkpoints.published
    page.receive(f"{TABLE}/state", retained("state", table="1"))

    def cosigned(payload: bytes) -> int:
        station.checkpoints.receive(payload, 0.0)
        return station.checkpoints._cosigned[COSIGNER.name]

    def shown(payload: bytes) -> str:
        page.receive(TOPIC, payload)
        return page.tables()[0].need

    async with connection(Broker("127.0.0.1", broker.port, username="floor")) as ear:
        await ear.subscribe(TOPIC, qos=1)
        with closing(station.journal):
            await show(broker, station)
            async with pit(broker, database, "one"):
                await until(database, lambda found: found == [([2],)], SIZES)
                await received(ear, lambda payload: cosigned(payload) == 2)
            station.happens("3").checkpoints.make(1.0)
            await show(broker, station)
            async with pit(broker, database, "two"):
                await until(database, lambda found: found == [([2, 3],)], SIZES)
                station.checkpoints.published = first
                await show(broker, station)
                await until(database, lambda found: found != [(None,)] != [], REFUSAL)
                await received(ear, lambda payload: shown(payload) == "alarm")
                [tile] = page.tables()
                assert tile.need == "alarm" and (tile.alarms[0].texts, tile.alarms[0].details) == (
                    alarm_words("witness_refuses", {"witness": COSIGNER.name}),
                    OLDER,
                )

                (tmp_path / "pit.toml").write_text(
                    f'[floor]\nbroker = "mqtt://127.0.0.1:1"\n[archive]\nname = "pit"\ndatabase = "{database}"\n'
                )
                accept = ["accept", TABLE, "--config", str(tmp_path / "pit.toml")]
                assert await asyncio.to_thread(main, accept) == 0
                await until(database, lambda found: found == [(None,)], REFUSAL)
                await received(ear, lambda payload: shown(payload) != "alarm")
                assert await asyncio.to_thread(main, [*accept[:1], "dealer/macau-1/7", *accept[2:]]) == 2


@pytest.mark.parametrize("forged", ["another key", "another table", "no refusal", "nothing", "deep"])
def test_what_anyone_else_publishes_is_no_alarm(forged: str) -> None:
    signer = Signer(COSIGNER.name, bytes(32)) if forged == "another key" else COSIGNER
    base = "dealer/macau-1/9" if forged == "another table" else TABLE
    note = str(signer.sign(f"{'accepted' if forged == 'no refusal' else REFUSED}\n{base}\n{OLDER}\n"))
    content = cosignature(COSIGNER.name, Cosignature(SCHEMA, None, note), "2026-01-02T03:04:05.678Z")
    content = {"nothing": b"{}", "deep": b"[" * 100_000}.get(forged, content)
    page = Live(COSIGNER.verifier)
    page.receive(f"{TABLE}/state", retained("state", table="1", alarms=[]))
    page.receive(TOPIC, content)
    assert page.tables()[0].alarms == ()


async def test_the_pit_leads_again_after_it_and_its_witness_have_lost_the_broker_at_once(
    broker: Mosquitto, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clients = connecting(monkeypatch)
    station = Station(tmp_path / "j.db").happens("1", "2")
    station.checkpoints.make(0.0)
    with closing(station.journal):
        await show(broker, station)
    clients.clear()
    async with asyncio.timeout(100.0), pit(broker, database, "one") as service:
        await service.listening.wait()
        await until(database, lambda found: found == [([2],)], SIZES)
        service.listening.clear()
        assert len(clients) == 2
        for client in clients:
            client._disconnected.set_exception(aiomqtt.MqttError("gone"))
        await service.listening.wait()


async def test_a_checkpoint_that_cannot_be_read_is_refused_and_the_witness_continues() -> None:
    kept: list[Seen] = []

    class Client:
        async def deliver(self, topic: str, payload: bytes, retain: bool) -> None: ...

    async def keep(seen: object) -> None:
        kept.append(msgspec.convert(seen, dict[str, Seen])[TABLE])

    follower = witnessing.Witnessing(Broker("127.0.0.1", 1), witness({}), keep)
    await follower._judge(Client(), TABLE, b'{"data":{"additions":' + b"[" * 100_000)  # type: ignore[arg-type]
    assert kept[0].refusal is not None


async def test_a_table_whose_topic_the_broker_refuses_keeps_no_other_from_being_published(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    notes: list[str] = []
    other = Signer("dealer/macau-1/9", bytes(32)).verifier

    class Client:
        async def deliver(self, topic: str, payload: bytes, retain: bool) -> None:
            notes.append(topic)
            if topic == TOPIC:
                raise PublishRefused(f"the broker refuses {topic}: Not authorized")

    async def keep(seen: object) -> None: ...

    both = Witness(COSIGNER, [STATION.verifier, other], {}, SECONDS)
    follower = witnessing.Witnessing(Broker("127.0.0.1", 1), both, keep)
    for _ in range(2):
        for table in both.tables:
            await follower._publish(Client(), table)  # type: ignore[arg-type]
    assert notes == [TOPIC, *[f"dealer/macau-1/9/cosignatures/{COSIGNER.name}"] * 2], "some brokers hang up each time"
    monkeypatch.setattr(witnessing, "REFUSED_AGAIN_SECONDS", 0.0)
    follower._refused.clear()
    for _ in range(2):
        await follower._publish(Client(), TABLE)  # type: ignore[arg-type]
    assert notes[3:] == [TOPIC] * 2, "and it is tried again"

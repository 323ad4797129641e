"""A whole station at a linked pot: a real broker, the shipped access list, and a pit whose ledger is here."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.config.file import Config, read_config
from controller.engine.decisions.betting import ChipSensed, LockIn, PlaceWager
from controller.engine.decisions.cards import Cut, DeckComplete, Shuffled, ShuffleReported
from controller.engine.decisions.deciders import step_answered
from controller.engine.decisions.decision import DeviceInput
from controller.engine.decisions.devices import DeviceFound
from controller.engine.decisions.session import BeginRound, OpenTable
from controller.engine.shown.device_orders import Sign, react
from controller.engine.state.events import DeviceLost, DeviceUp
from controller.engine.state.jackpot import MeterOpened
from controller.engine.state.persons import PersonInput
from controller.engine.state.table import PIT, Table, next_step
from controller.floor import access
from controller.floor.broker import Broker
from controller.floor.mqtt import PublishRefused, connection
from controller.journal.records import WrongJournal
from controller.link.messages import Entry, SentEntry
from controller.link.signing import sealed, verified_message
from controller.link.table import Shown
from controller.pit.leader import Leader
from controller.pit.ledger.state import new_ledger
from controller.runtime.bus import FromStation
from controller.station import Station
from controller.system.tasks import ended
from simulators.broker import free_port
from tests.configured import table_toml
from tests.link.entries import PIT_KEY, PUBLIC, place_key, table_key
from tests.station.processes import Mosquitto, guarded_broker

GAME, NAME, TABLE = "fortune-3-card-poker-2025", "hall", "macau-1/table-1"
ENTRIES, ANSWERS, POT = (
    f"dealer/{TABLE}/link/{NAME}",
    f"dealer/{TABLE}/linked/{NAME}",
    f"dealer/macau-1/links/{NAME}/pot",
)
LINKED = f"""
[checkpoint]
key_file = "state/table.key"
[link]
pot = "{{}}"
keys = ["{PUBLIC}"]
"""
SECONDS = 100


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    table = access.TableUser("macau-1", "table-1", "table-1", link=NAME)
    site = access.Site((table,), pit="pit", consumers=("floor",))
    with guarded_broker(tmp_path / "broker", site) as guarded:
        yield guarded


def configuration(folder: Path, port: int, link: str) -> Config:
    if not (folder / "state").exists():
        place_key(folder, TABLE)
    listen = f"127.0.0.1:{free_port()}"
    text = table_toml(
        game=GAME, source="shuffler", broker=f"mqtt://127.0.0.1:{port}", listen=listen, site="macau-1", table="table-1"
    )
    file = folder / "station.toml"
    file.write_text(text.replace("[floor]\n", '[floor]\nusername = "table-1"\n') + link, encoding="utf-8")
    return read_config(file)


def as_user(port: int, user: str) -> Any:
    return connection(Broker("127.0.0.1", port, username=user))


class Running:
    """A station that runs, and the answers of its people and devices."""

    def __init__(self, station: Station) -> None:
        self.station, self._numbers = station, iter(range(1_000_000))

    @property
    def table(self) -> Table:
        return self.station.loop.table

    async def until(self, done: Callable[[Table], object]) -> None:
        async with asyncio.timeout(SECONDS):
            while not done(self.table):  # noqa: ASYNC110 whatever of it comes next
                await asyncio.sleep(0.01)

    def receive(self, input: DeviceInput) -> None:
        self.station.loop.receive(FromStation(input=input))

    async def say(self, kind: type[PersonInput], **fields: Any) -> None:
        answer: Any = kind(input_id=f"{id(self)}/{next(self._numbers)}", step_id="", actor="ana", **fields)
        answer = msgspec.structs.replace(answer, step_id=step_answered(self.table, answer))
        outcome = await self.station.loop.answer([answer])
        assert isinstance(outcome, list), outcome

    async def to_wagers(self) -> None:
        simple = {"open": OpenTable, "begin": BeginRound, "deck": DeckComplete}
        while (step := next_step(self.table)).kind != "wagers":
            if step.kind in simple:
                await self.say(simple[step.kind])
            elif step.kind == "cut":
                await self.say(Cut, by="bank")
            elif step.order is None:
                await self.say(Shuffled)
            else:
                self.receive(ShuffleReported(order=step.order, count=52))
                await self.until(lambda table: next_step(table).kind != "shuffle")


@asynccontextmanager
async def running(config: Config) -> AsyncIterator[Running]:
    station = await Station.open(config)
    task = asyncio.create_task(station.run())
    try:
        started = Running(station)
        await started.until(lambda table: {"slots", "sign", "floor"} <= table.devices.keys())
        for device in ("slots", "sign"):  # nothing is behind them: they are reported to be there
            started.receive(DeviceFound(device=device, outage_ms=0, tries=1))
        yield started
    finally:
        station.stop()
        await task


def sign_of(table: Table, leader: Leader) -> Sign | None:
    return react(table, 2, linked=Shown(leader.ledger.pot.pot, False)).sign


async def pit(port: int, leader: Leader) -> None:
    """Receives entries, answers them, and beats."""
    async with as_user(port, "pit") as client, asyncio.TaskGroup() as group:

        async def beat() -> None:
            while True:
                await client.publish(POT, sealed(PIT_KEY, POT, leader.beat()), retain=True)
                await asyncio.sleep(0.1)

        await client.subscribe(f"dealer/+/+/link/{NAME}", qos=1)
        group.create_task(beat())
        async for message in client.messages:
            content = verified_message([table_key(TABLE).verifier], ENTRIES, bytes(message.payload))
            entry = msgspec.json.decode(content, type=SentEntry)
            answers = leader.receive(
                Entry(entry.link, entry.table, entry.journal, entry.seq, entry.body), entry.session
            )
            batch, refused = leader.batch(100)
            answers += [*refused, *(leader.committed() if batch is not None else [])]
            for answer in answers:
                await client.publish(ANSWERS, sealed(PIT_KEY, ANSWERS, answer))


async def test_linked_pot_1_a_station_says_what_its_meter_does_until_the_pit_has_it(
    broker: Mosquitto, tmp_path: Path
) -> None:
    config = configuration(tmp_path, broker.port, LINKED.format(NAME))
    assert config.jackpot is not None
    opened = MeterOpened(600_000, 0, config.jackpot.parameters)
    leader = Leader(new_ledger(NAME, GAME, (TABLE,), opened), 1)
    leads = asyncio.create_task(pit(broker.port, leader))
    async with running(config) as live:
        await live.until(lambda table: isinstance(table.devices.get(PIT), DeviceUp))
        await live.to_wagers()
        await live.say(PlaceWager, seat=1, wager="ante", amount=config.minimum)
        live.receive(ChipSensed(seat=1, counter=1))
        await live.say(LockIn)
        assert live.table.round is not None and live.table.round.chips == (1,)
        await live.until(lambda table: table.link is not None and not table.link.kept.unsaid)
        await live.until(lambda _: live.station.view.effects.sign == sign_of(live.table, leader))
        assert live.table.meter is not None
        jackpot = live.station.view.public().jackpot
        assert jackpot is not None and jackpot.linked == Shown(leader.ledger.pot.pot, False)
        assert leader.ledger.pot.contributions_e4 == live.table.meter.contributions_e4 > 0

        # The pit alone publishes the pot and answers a table; what it publishes that is wrong is dropped.
        for user, topic in (
            ("floor", POT),
            ("table-1", POT),
            ("table-1", ANSWERS),
            ("table-2", ANSWERS),
            ("pit", ENTRIES),
        ):
            async with as_user(broker.port, user) as other:
                with pytest.raises(PublishRefused, match="Not authorized"):
                    await other.deliver(topic, b"{}")
        async with as_user(broker.port, "pit") as other:
            await other.deliver(POT, b"{}")
        async with asyncio.timeout(SECONDS):
            while live.station.metrics.link_dropped._value.get() == 0:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert isinstance(live.table.devices[PIT], DeviceUp)
        await ended(leads)
    before = live.table.link

    # Begun again, it is without its pit until that is received, and continues from its journal.
    async with running(config) as live:
        await live.until(lambda table: isinstance(table.devices[PIT], DeviceLost))
        leads = asyncio.create_task(pit(broker.port, Leader(leader.ledger, 2)))
        await live.until(lambda table: isinstance(table.devices.get(PIT), DeviceUp))
        assert live.table.link is not None and before is not None
        assert live.table.link.kept.hits == before.kept.hits and live.table.link.returnable == before.returnable
        await ended(leads)

    for link, named in (("", "has no"), (LINKED.format("other"), "is linked to other")):
        with pytest.raises(WrongJournal, match=named):
            await Station.open(configuration(tmp_path, broker.port, link))
    with pytest.raises(WrongJournal, match=r"is macau-1/table-1 to the .* names it macau-1/t-9"):
        await Station.open(msgspec.structs.replace(config, table="t-9"))

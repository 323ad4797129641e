"""A linked pot over a real broker and a real database: two tables, and pits that take over from each other."""

import asyncio
from collections.abc import Iterator

import aiomqtt
import pytest

from controller.engine.jackpot_events import MeterOpened
from controller.floor.broker import Broker
from controller.pit import service as service_module
from controller.pit.inbox import BadMessage
from controller.pit.ledger import Decided, Ledger, Resume, begin
from controller.pit.linking import Linking
from controller.pit.service import Pace, Service
from controller.rulebook.jackpot_award import Win
from controller.tasks import ended
from tests.link.entries import FORTUNE, PARAMETERS, TO_POT
from tests.pit.conftest import rows
from tests.pit.linked_tables import LINK, LinkedTable
from tests.station.processes import Mosquitto

OPENING = begin(LINK, FORTUNE, ("macau-1/t-1", "macau-1/t-2"), MeterOpened(20_100, 300, PARAMETERS))


@pytest.fixture
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path_factory.mktemp("broker"))
    broker.start()
    yield broker
    broker.stop()


def service(broker: Mosquitto, database: str, holder: str, opening: Ledger = OPENING) -> Service:
    return Service(Broker("127.0.0.1", broker.port), "pit-1", database, holder, Pace(retry=0.05), [opening])


async def test_two_tables_at_one_pot_whoever_leads(broker: Mosquitto, database: str) -> None:
    first = asyncio.create_task(service(broker, database, "one").run())
    one, two = (LinkedTable(broker.port, "macau-1", name, FORTUNE) for name in ("t-1", "t-2"))
    await one.contribute(3)
    await two.contribute(5)
    due = 20_100 + 8 * TO_POT // 10_000
    await one.until(lambda: one.seen[-1][0].pot == two.seen[-1][0].pot == due)
    hit = await one.win(Win(2, "royal_flush"), Win(3, "flush"))
    assert hit.grant is not None and [award.amount for award in hit.grant.awards] == [due, 100]
    broker.kill()
    await asyncio.to_thread(broker.start)
    await one.contribute(1)
    await one.said_all()
    epoch = one.seen[-1][0].epoch
    await ended(first)
    second = asyncio.create_task(service(broker, database, "two").run())
    await two.kill()
    two.start()
    await two.until(lambda: two.seen and two.seen[-1][0].epoch > epoch)
    other = await two.win(Win(1, "straight_flush"))
    assert other.grant is not None and other.grant.number == 3 and other.grant.pot == 20_033
    for table in (one, two):
        await table.said_all()
        await table.kill()
        assert not table.table.kept.broken
    await ended(second)
    said = {name: len(entries) for table in (one, two) for name, entries in table.said.items()}
    kept = rows(database, "SELECT journal, count(*) FROM pit.link_entries GROUP BY journal")
    assert {str(journal): count for journal, count in kept} == said, "every entry once"


def test_what_a_link_loses_its_broker_by_is_no_defect_and_a_defect_is() -> None:
    lost, defect = aiomqtt.MqttError("lost"), ValueError("wrong")
    assert service_module._reasons(ExceptionGroup("", [ExceptionGroup("", [lost]), lost])) == [lost, lost]
    with pytest.raises(ExceptionGroup):
        service_module._reasons(ExceptionGroup("", [ExceptionGroup("", [lost, defect])]))


async def test_what_is_no_entry_of_the_table_is_a_bad_message(broker: Mosquitto, database: str) -> None:
    linking = Linking(OPENING, database)
    entry = b'{"type":"entry","link":"linked","table":"macau-1/t-2","journal":"j","seq":1,"body":{"type":"announced"}}'
    async with aiomqtt.Client("127.0.0.1", broker.port) as client:
        for content in (b"", b"{}", b"[" * 200_000, entry, entry.replace(b"linked", b"other")):
            with pytest.raises(BadMessage, match="macau-1/t-1: expected"):
                await linking.hear(client, "macau-1", "t-1", content)
        await linking.hear(client, "macau-1", "t-2", entry)
    with pytest.raises(LookupError):
        linking.decide(Decided(Resume(), "carla", "supervisor"))

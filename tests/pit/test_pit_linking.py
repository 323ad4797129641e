"""A linked pot over a real broker and a real database: two tables, and pits that take over from each other."""

import asyncio
import time
from pathlib import Path

import aiomqtt
import msgspec
import pytest
from msgspec.structs import replace

from controller.engine.state.jackpot import MeterOpened
from controller.floor.broker import Broker
from controller.link.messages import Announced, Claimed, SentEntry
from controller.link.signing import sealed
from controller.link.table import UNKNOWN_KEY
from controller.pit import service as service_module
from controller.pit.__main__ import main
from controller.pit.inbox import BadMessage
from controller.pit.leader import Leader
from controller.pit.ledger.state import PitDecision, PotLedger, Resume, new_ledger
from controller.pit.linking import Linking
from controller.pit.marks import Marks
from controller.pit.service import Service, ServiceIntervals
from controller.rulebook.jackpot_award import Win
from controller.system.tasks import ended
from controller.tlog.notes import Signer
from tests.link.entries import FORTUNE, PARAMETERS, PIT_KEY, TO_POT, table_key, table_keys
from tests.pit.conftest import pit_toml, rows
from tests.pit.linked_tables import LINK, LinkedTable
from tests.station.processes import Mosquitto

TABLES = ("macau-1/t-1", "macau-1/t-2")
OPENING = new_ledger(LINK, FORTUNE, TABLES, MeterOpened(20_100, 300, PARAMETERS), table_keys(*TABLES))


def service(
    broker: Mosquitto, database: str, holder: str, opening: PotLedger = OPENING, marks: Path | None = None
) -> Service:
    link = Linking(opening, database, PIT_KEY, Marks(marks or broker.log.parent / "marks"))
    return Service(Broker("127.0.0.1", broker.port), "pit-1", database, holder, ServiceIntervals(retry=0.05), [link])


async def test_two_tables_at_one_pot_whichever_process_leads(broker: Mosquitto, database: str) -> None:
    first = asyncio.create_task(service(broker, database, "one").run())
    table_1, table_2 = (LinkedTable(broker.port, "macau-1", name, FORTUNE) for name in ("t-1", "t-2"))
    await table_1.contribute(3)
    await table_2.contribute(5)
    due = 20_100 + 8 * TO_POT // 10_000
    await table_1.until(lambda: table_1.seen[-1][0].pot == table_2.seen[-1][0].pot == due)
    hit = await table_1.win(Win(2, "royal_flush"), Win(3, "flush"))
    assert hit.grant is not None and [award.amount for award in hit.grant.awards] == [due, 100]
    broker.kill()
    await asyncio.to_thread(broker.start)
    await table_1.contribute(1)
    await table_1.published_all()
    epoch = table_1.seen[-1][0].epoch
    await ended(first)
    second = asyncio.create_task(service(broker, database, "two").run())
    await table_2.kill()
    table_2.start()
    await table_2.until(lambda: table_2.seen and table_2.seen[-1][0].epoch > epoch)
    other = await table_2.win(Win(1, "straight_flush"))
    assert other.grant is not None and other.grant.number == 3 and other.grant.pot == 20_033
    for table in (table_1, table_2):
        await table.published_all()
        await table.kill()
        assert not table.table.kept.broken
    await ended(second)
    sent = {name: len(entries) for table in (table_1, table_2) for name, entries in table.entries.items()}
    kept = rows(database, "SELECT journal, count(*) FROM pit.link_entries GROUP BY journal")
    assert {str(journal): count for journal, count in kept} == sent, "every entry once"


def test_what_a_link_loses_its_broker_by_is_no_defect_and_a_defect_is() -> None:
    lost, defect = aiomqtt.MqttError("lost"), ValueError("wrong")
    assert service_module._reasons(ExceptionGroup("", [ExceptionGroup("", [lost]), lost])) == [lost, lost]
    with pytest.raises(ExceptionGroup):
        service_module._reasons(ExceptionGroup("", [ExceptionGroup("", [lost, defect])]))


@pytest.mark.parametrize("by", ["no key", "another table's key", "a key of its own under the table's name"])
async def test_linked_pot_2_a_forged_claim_touches_nothing_and_the_link_continues(
    broker: Mosquitto, database: str, by: str
) -> None:
    serving = asyncio.create_task(service(broker, database, "one").run())
    table = LinkedTable(broker.port, "macau-1", "t-1", FORTUNE)
    await table.contribute(3)
    await table.published_all()
    kept = table.table.kept
    topic, claim = f"dealer/{TABLES[0]}/link/{LINK}", Claimed(f"{kept.journal}/1", 1, (Win(2, "royal_flush"),))
    forger = {"no key": None, "another table's key": table_key(TABLES[1])}.get(
        by, Signer(f"dealer/{TABLES[0]}", bytes(32))
    )
    key = "" if forger is None else str(forger.verifier)
    entry = SentEntry(LINK, TABLES[0], kept.journal, kept.seq + 1, claim, "", key)
    content = msgspec.json.encode(entry) if forger is None else sealed(forger, topic, entry)
    async with aiomqtt.Client("127.0.0.1", broker.port) as client:
        for _ in range(5):
            await client.publish(topic, content, qos=1)
    await table.contribute(2)
    await table.published_all()
    due = 20_100 + 5 * TO_POT // 10_000
    await table.until(lambda: table.seen[-1][0].pot == due)
    hit = await table.win(Win(3, "flush"))
    assert hit.grant is not None and hit.grant.number == 1 and not table.table.kept.broken
    assert table.seen[-1][0].pot <= due
    await table.published_all()
    await table.kill()
    await ended(serving)
    assert rows(database, "SELECT count(*) FROM pit.link_claims") == [(1,)]
    [(offered,)] = rows(database, "SELECT state->'offered' FROM pit.links")
    assert offered == ({TABLES[0]: [key]} if by.startswith("a key") else {}), "two persons see it, once"


async def test_linked_pot_3_a_tables_key_that_was_stolen_is_replaced_by_two_persons_and_believed_no_more(
    broker: Mosquitto, database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    serving = asyncio.create_task(service(broker, database, "one").run())
    table = LinkedTable(broker.port, "macau-1", "t-1", FORTUNE)
    await table.contribute(3)
    await table.published_all()
    await table.kill()
    renewed = Signer(f"dealer/{TABLES[0]}", b"the table has another key by now")
    table.renew_key(renewed)
    table.start()
    await table.until(lambda: table.table.kept.broken)
    assert table.table.kept.broken == UNKNOWN_KEY and not table.table.takes_chips(time.monotonic())
    command = ["link", LINK, "--config", str(pit_toml(tmp_path, database))]
    offered = f"{TABLES[0]}, unknown key: {renewed.verifier}\n"
    async with asyncio.timeout(60):  # the table has its answer before the key is in the database
        while offered not in capsys.readouterr().out:
            assert await asyncio.to_thread(main, command) == 0
    await ended(serving)
    accept = ["--accept-key", TABLES[0], str(renewed.verifier), "--by", "nuno", "--and", "carla"]
    assert await asyncio.to_thread(main, [*command, *accept]) == 0
    serving = asyncio.create_task(service(broker, database, "two").run())
    await table.contribute(2)
    await table.published_all()
    assert not table.table.kept.broken
    topic, kept = f"dealer/{TABLES[0]}/link/{LINK}", table.table.kept
    stolen = SentEntry(LINK, TABLES[0], kept.journal, kept.seq + 1, Claimed("x/1", 1, (Win(2, "royal_flush"),)))
    async with aiomqtt.Client("127.0.0.1", broker.port) as client:
        await client.publish(topic, sealed(table_key(TABLES[0]), topic, stolen), qos=1)
    await table.contribute(1)
    await table.published_all()
    await table.kill()
    await ended(serving)
    assert rows(database, "SELECT count(*) FROM pit.link_claims") == [(0,)]


async def test_what_is_no_entry_of_the_table_is_a_bad_message(broker: Mosquitto, database: str, tmp_path: Path) -> None:
    linking = Linking(OPENING, database, PIT_KEY, Marks(tmp_path))
    linking._leader = Leader(OPENING, 1)
    entry = SentEntry(LINK, TABLES[1], "j", 1, Announced())
    topics = [f"dealer/{table}/link/{LINK}" for table in TABLES]
    signed = [
        sealed(table_key(TABLES[0]), topics[0], body)
        for body in (entry, replace(entry, link="other"), Announced(), replace(entry, table=TABLES[0], seq="x"))
    ]
    own = sealed(table_key(TABLES[1]), topics[1], entry)
    async with aiomqtt.Client("127.0.0.1", broker.port) as client:
        for content in (b"", b"{}", b"[" * 200_000, msgspec.json.encode(entry), own, *signed):
            with pytest.raises(BadMessage, match="macau-1/t-1: expected"):
                await linking.receive(client, "macau-1", "t-1", content)
        await linking.receive(client, "macau-1", "t-2", own)
    far = msgspec.structs.replace(entry, epoch=2**53)
    with pytest.raises(BadMessage, match="expected an epoch below"):
        await linking.receive(client, "macau-1", "t-2", sealed(table_key(TABLES[1]), topics[1], far))
    linking._leader = None
    with pytest.raises(LookupError):
        linking.decide(PitDecision(Resume(), "carla", "supervisor"))

"""Whole simulated tables at one pot, with broker and a pit in PostgreSQL: a stacked deck wins, stations are killed."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import aiomqtt
import msgspec
import pytest
from msgspec.structs import replace
from psycopg import AsyncConnection

from controller.config.file import read_config
from controller.engine.state.jackpot import E4
from controller.floor.broker import Broker
from controller.link.messages import BEFORE_ANY, Claimed, Entry, Grant, Granted, SentEntry, head_after
from controller.link.signing import sealed
from controller.pit import simulate
from controller.pit.books import Books
from controller.pit.cluster import Cluster
from controller.pit.ledger.state import PotLedger, new_ledger
from controller.pit.linking import Linking
from controller.pit.marks import Marks
from controller.pit.service import Service, ServiceIntervals
from controller.rulebook.games import GAMES
from controller.station import Station
from controller.system.tasks import ended
from controller.tlog.notes import Signer
from tests.link.entries import PIT_KEY, PUBLIC, place_key, table_key, table_keys
from tests.pit.replicated import folder_of_a_database
from tests.station.processes import Bench, Daemon, Mosquitto, ended_at_last

TABLES = ("table-1", "table-2")
ROUNDS = 8
KILLS = 30
OF_THE_LINK = tuple(f"{simulate.SITE}/{table}" for table in TABLES)
PACE = ServiceIntervals()
LINKED = ("--link", simulate.LINK, "--pit-key", PUBLIC)


@asynccontextmanager
async def started() -> AsyncIterator[tuple[Path, Cluster, Mosquitto]]:
    with folder_of_a_database() as folder:
        cluster, broker = Cluster(folder / "cluster"), Mosquitto(folder / "broker")
        await asyncio.to_thread(cluster.start)
        await asyncio.to_thread(broker.start)
        try:
            yield folder, cluster, broker
        finally:
            broker.stop()
            await asyncio.to_thread(cluster.stop, "immediate")


def pit_of(
    tables: tuple[str, ...],
    folder: Path,
    cluster: Cluster,
    broker: Mosquitto,
    holder: str = "one",
    pace: ServiceIntervals = PACE,
) -> Service:
    """A pit that keeps the pot of these tables."""
    link = new_ledger(simulate.LINK, simulate.LINKED_GAME, tables, simulate.OPENED, table_keys(*tables))
    linking = Linking(link, cluster.database, PIT_KEY, Marks(folder / "marks"))
    return Service(Broker("127.0.0.1", broker.port), "pit", cluster.database, holder, pace, [linking])


async def play(folder: Path, name: str, broker: Mosquitto) -> None:
    """A table with its robot dealer, who confirms and pays through the console, until it has played its rounds."""
    own = folder / name
    place_key(own, f"{simulate.SITE}/{name}")
    (own / "stack.txt").write_text(f"{simulate.flush_for_the_first_seat()}\n" * 2 * ROUNDS)
    arguments = ["--site", simulate.SITE, "--table", name, "--game", simulate.LINKED_GAME, "--seed", name[-1]]
    arguments += ["--broker", broker.url, *LINKED, "--stack", str(own / "stack.txt")]
    arguments += ["--state-dir", str(own), "--rounds", str(ROUNDS), "--speed", "max"]
    with (own / "log").open("wb") as log:
        table = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "controller", "simulate", *arguments, stdout=log, stderr=log
        )
        assert await table.wait() == 0, (own / "log").read_text()[-2000:]


async def kept(database: str) -> PotLedger:
    async with await AsyncConnection.connect(database, autocommit=True) as connection:
        return await Books(connection, 0).load(simulate.LINK)


@pytest.mark.timeout(300)
async def test_linked_pot_4_hits_of_two_whole_tables_are_granted_and_paid_out_of_one_pot() -> None:
    async with started() as (folder, cluster, broker):
        pit = pit_of(OF_THE_LINK, folder, cluster, broker)
        serving = asyncio.create_task(pit.run())
        await pit.listening.wait()
        await asyncio.gather(*(play(folder, table, broker) for table in TABLES))
        ledger = await kept(cluster.database)
        await ended(serving)
    claims = ledger.claims.values()
    assert ledger.stopped == "" and not ledger.pending
    assert {claim.table for claim in claims if claim.paid is not None} == set(OF_THE_LINK)
    for claim in claims:
        assert claim.grant is not None and claim.paid in (None, claim.grant.amount)  # what is paid last may be unsaid
    print(f"\n{ledger.pot.chips_counted} chips, {len(claims)} wins of two tables out of one pot")


async def forge(port: int) -> None:
    """Answer each claim at once, before the pit does: of more than there is, and of other fixed amounts."""
    parameters = simulate.OPENED.parameters
    much = replace(parameters, fixed={tier: 1000 * amount for tier, amount in parameters.fixed.items()})
    heads: dict[str, str] = {}
    async with aiomqtt.Client("127.0.0.1", port) as client:
        await client.subscribe(f"dealer/+/+/link/{simulate.LINK}")
        async for message in client.messages:
            sent = msgspec.json.decode(bytes(message.payload), type=SentEntry)
            entry = Entry(sent.link, sent.table, sent.journal, sent.seq, sent.body)
            heads[entry.journal] = head_after(heads.get(entry.journal, BEFORE_ANY), (entry,))
            if not isinstance(entry.body, Claimed):
                continue
            awards = GAMES[simulate.LINKED_GAME].award(entry.body.winners, much.chip, much.terms(much.ceiling)).awards
            grant = Grant(
                entry.body.claim,
                heads[entry.journal],
                1,
                much.ceiling,
                1,
                much,
                tuple(awards),
                {entry.journal: entry.seq},
            )
            topic, epoch = f"dealer/{entry.table}/linked/{simulate.LINK}", 10**13
            granted = Granted(simulate.LINK, entry.table, epoch, 1, grant)
            for signer in (None, table_key(entry.table), Signer(PIT_KEY.name, bytes(32))):
                content = msgspec.json.encode(granted) if signer is None else sealed(signer, topic, granted)
                await client.publish(topic, content, qos=1)


@pytest.mark.timeout(300)
async def test_linked_pot_2_a_forger_who_answers_each_claim_before_the_pit_is_paid_nothing() -> None:
    async with started() as (folder, cluster, broker):
        pit = pit_of(OF_THE_LINK, folder, cluster, broker)
        working = [asyncio.create_task(pit.run()), asyncio.create_task(forge(broker.port))]
        await pit.listening.wait()
        await asyncio.gather(*(play(folder, table, broker) for table in TABLES))
        ledger = await kept(cluster.database)
        for task in working:
            await ended(task)
    paid = [claim for claim in ledger.claims.values() if claim.paid is not None]
    assert ledger.stopped == "" and {claim.table for claim in paid} == set(OF_THE_LINK)
    assert all(claim.grant is not None and claim.paid == claim.grant.amount for claim in paid)


async def settled(database: str) -> PotLedger:
    """The ledger once nothing has come for some seconds, and everything that was won is paid."""
    async with asyncio.timeout(60):
        while True:
            before = await kept(database)
            await asyncio.sleep(3.0)
            after = await kept(database)
            over = all(claim.paid is not None or claim.withdrawn for claim in after.claims.values())
            if over and after.revision == before.revision:
                return after


@pytest.mark.timeout(600)
async def test_linked_pot_6_a_station_that_is_killed_while_it_wins_loses_and_doubles_nothing() -> None:
    chance = Random(20)
    async with started() as (folder, cluster, broker):
        own = folder / "table-1"
        place_key(own, "laptop/table-1")
        (own / "stack.txt").write_text(f"{simulate.flush_for_the_first_seat()}\n" * 1000)

        def serve(holder: str) -> "asyncio.Task[None]":
            pit = pit_of(("laptop/table-1",), folder, cluster, broker, holder, ServiceIntervals(retry=0.2))
            return asyncio.create_task(pit.run())

        serving = serve("pit 0")
        options = ("--broker", broker.url, *LINKED, "--stack", str(own / "stack.txt"))
        bench = await asyncio.to_thread(Bench, own, "--rounds", str(KILLS * 8), "--speed", "max", *options)
        await asyncio.to_thread(bench.wait_ready)
        config = read_config(bench.config)
        daemon = Daemon(bench.config, config.listen)
        with ended_at_last(daemon, bench):
            daemon.start()
            kills = 0
            while not bench.finished.is_set():
                await asyncio.to_thread(daemon.wait_answering)
                await asyncio.sleep(chance.uniform(0.1, 1.5))
                assert not bench.failed, bench.complaints.read_text()
                if kills < KILLS and not bench.finished.is_set():
                    kills += 1
                    await asyncio.to_thread(daemon.kill)
                    daemon.start()
                if kills % 10 == 5:
                    await ended(serving)
                    serving = serve(f"pit {kills}")
            ledger = await settled(cluster.database)
            await asyncio.to_thread(daemon.terminate)
        await ended(serving)
        station = await Station.open(config)
        table = station.loop.table
        await station.close()
    assert kills == KILLS and table.link is not None and table.meter is not None
    mine, [theirs] = table.link.kept, ledger.journals.values()
    assert (mine.seq, mine.head, mine.unsaid, mine.broken) == (theirs.through, theirs.head, (), "")
    assert mine.totals == theirs.totals and ledger.stopped == "" and not ledger.pending
    assert mine.totals.chip_count == table.meter.chips_counted == ledger.pot.chips_counted
    paid = sum(claim.paid or 0 for claim in ledger.claims.values())
    assert table.meter.paid_e4 == paid * E4 == mine.totals.paid * E4 and table.meter.pending_e4 == 0
    print(f"\n{kills} kills, {mine.totals.chip_count} chips, {len(ledger.claims)} wins: the same in journal and ledger")

"""A linked pot with its real parts: pit, broker, tables and database are killed in turn, and sixty tables are fast."""

import asyncio
from pathlib import Path
from random import Random

import psycopg
import pytest
from psycopg import AsyncConnection

from controller.link.messages import Entry, Grant
from controller.pit.books import Books
from controller.pit.cluster import Cluster
from controller.pit.ledger.recovery import rebuild
from controller.pit.ledger.state import PotLedger
from controller.rulebook.jackpot_award import Win
from tests.link.entries import FORTUNE
from tests.link.model import model_of
from tests.pit.link_pit import OPENED, Pits, opening
from tests.pit.linked_tables import LINK, LinkedTable
from tests.pit.replicated import Replicated, folder_of_a_database
from tests.station.processes import Mosquitto

KILLS = 30  # of each
TABLES = 4
MANY = 60
SECONDS = 1500
TIERS = ("royal_flush", "straight_flush", "four_of_a_kind", "flush")


async def play(table: LinkedTable, chance: Random) -> None:
    """Round after round; a hit waits for its grant."""
    while True:
        entry = await table.contribute(chance.randrange(1, 6))
        await asyncio.sleep(chance.uniform(0.02, 0.2))
        happens = chance.random()
        if happens < 0.1:
            table.do(table.table.give_back(entry, 1))
        elif happens < 0.3:
            await table.win(*(Win(seat, chance.choice(TIERS)) for seat in chance.sample(range(1, 8), 2)))
        elif happens < 0.33:
            table.begin()
        elif table.table.is_to_count(asyncio.get_running_loop().time()):
            table.do(table.table.count(asyncio.get_running_loop().time()))


async def kept(database: str) -> PotLedger:
    connection = await AsyncConnection.connect(database, autocommit=True)
    try:
        return await Books(connection, 0).load(LINK)
    finally:
        await connection.close()


def judge(ledger: PotLedger, tables: list[LinkedTable]) -> int:
    """Every entry once, every claim one grant that its table has and paid, and the pot that the journals prove."""
    entries: dict[str, list[Entry]] = {}
    grants: list[Grant] = []
    for table in tables:
        entries |= table.entries
        assert not table.table.kept.broken and not table.table.kept.unsaid
    assert {name: journal.through for name, journal in ledger.journals.items()} == {
        name: len(own) for name, own in entries.items()
    }
    for claim in ledger.claims.values():
        assert claim.grant is not None and claim.paid == claim.grant.amount
        grants.append(claim.grant)
    assert not ledger.stopped and not ledger.pending
    model, pot = model_of((OPENED.pot, OPENED.reserve, OPENED.parameters), entries, grants), ledger.pot
    assert not model.wrong
    assert model.end() == (pot.pot_e4, pot.reserve_e4, pot.overflow_e4, pot.house_funded_e4)
    again = rebuild(opening(len(tables)), entries, grants)
    assert (again.pot, again.journals, again.claims) == (pot, ledger.journals, ledger.claims)
    return len(grants)


@pytest.mark.timeout(SECONDS + 300)
async def test_nothing_of_a_linked_pot_is_lost_or_doubled_whichever_process_is_killed(tmp_path: Path) -> None:
    broker, chance = Mosquitto(tmp_path / "broker"), Random(5)
    with folder_of_a_database() as folder:
        database = await asyncio.to_thread(Replicated, folder)
        await asyncio.to_thread(broker.start)
        pits = Pits(tmp_path, broker.port, database.database, TABLES)
        tables = [LinkedTable(broker.port, "macau-1", f"t-{number}", FORTUNE) for number in range(TABLES)]
        players = [asyncio.create_task(play(table, Random(number))) for number, table in enumerate(tables)]
        try:
            goal = 0
            for number in range(4 * KILLS):
                goal += 20
                while sum(table.round for table in tables) < goal:  # noqa: ASYNC110 they play
                    await asyncio.sleep(0.05)
                match number % 4:
                    case 0:
                        pits.kill_oldest()
                        pits.start()
                    case 1:
                        broker.kill()
                        await asyncio.to_thread(broker.start)
                    case 2:
                        await asyncio.to_thread(database.fail_over)
                    case _:
                        table = chance.choice(tables)
                        await table.kill()
                        table.start()
                for player in players:
                    assert not player.done(), player.exception()
            for table, player in zip(tables, players, strict=True):
                player.cancel()
                await asyncio.wait([player])
                for claim, hit in table.table.kept.hits.items():
                    await table.granted(claim)
                    if hit.state != "paid":
                        table.do(table.table.pay(claim))
            for table in tables:
                await table.published_all()
                await table.kill()
            granted = judge(await kept(database.database), tables)
            rounds = sum(table.round for table in tables)
            print(f"\n{KILLS} kills of each, {rounds} rounds with chips, {granted} claims: each granted and paid once")
        finally:
            pits.stop()
            broker.stop()
            await asyncio.to_thread(database.stop)


@pytest.mark.timeout(300)
async def test_sixty_tables_see_each_others_chips(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """How long a contribution takes to every sign: a figure, for anyone who reads it."""
    broker = Mosquitto(tmp_path / "broker")
    with folder_of_a_database() as folder:
        cluster = Cluster(folder / "cluster")
        await asyncio.to_thread(cluster.start)
        await asyncio.to_thread(broker.start)
        pits = Pits(tmp_path, broker.port, cluster.database, MANY)
        tables = [LinkedTable(broker.port, "macau-1", f"t-{number}", FORTUNE) for number in range(MANY)]
        at: dict[tuple[str, int], float] = {}

        async def contribute(table: LinkedTable, chance: Random) -> None:
            for _ in range(10):
                await asyncio.sleep(chance.uniform(1.5, 4.5))
                entry = await table.contribute(3)
                at[entry.journal, entry.seq] = asyncio.get_running_loop().time()

        try:
            await asyncio.gather(*(contribute(table, Random(number)) for number, table in enumerate(tables)))
            for table in tables:
                await table.published_all()
            await asyncio.sleep(1)
            with psycopg.connect(cluster.database) as connection:
                applied = connection.execute("SELECT journal, seq, revision FROM pit.link_entries").fetchall()
                (batches,) = connection.execute("SELECT count(*) FROM pit.link_revisions").fetchone() or (0,)
            took = []
            for journal, seq, revision in applied:
                if (journal, seq) in at:
                    seen = max(next(now for pot, now in table.seen if pot.revision >= revision) for table in tables)
                    took.append(seen - at[journal, seq])
            took.sort()
            with capsys.disabled():
                middle, late = took[len(took) // 2], took[len(took) * 99 // 100]
                print(
                    f"\n{len(took)} contributions of {MANY} tables in {batches} transactions, to every sign: ", end=""
                )
                print(f"p50 {middle * 1000:.0f} ms, p99 {late * 1000:.0f} ms")
            assert len(took) == 10 * MANY
        finally:
            for table in tables:
                await table.kill()
            pits.stop()
            broker.stop()
            await asyncio.to_thread(cluster.stop, "immediate")

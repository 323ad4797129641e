"""Two properties and a head office: a line that is cut and healed, and a database that is put back, lose nothing."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.pit.__main__ import main
from controller.pit.archive import Archive
from controller.pit.inbox import Message
from tests.games import BLACKJACK_21, FORTUNE_3_2025, TAIWAN_PAI_KAO
from tests.pit.conftest import rows
from tests.pit.group import Group, group, messages_of, run
from tests.pit.replicated import folder_of_a_database

ONE, TWO = "macau_1", "macau_2"
TABLES = (
    "heads", "rounds", "lines", "hits", "adjustments", "alarms", "persons", "table_hours", "meter_hours", "figures",
)  # fmt: skip
JOURNAL = {"table_hours": "''", "figures": "''"}  # where a row is of no journal
AT_ONCE = 50  # messages of a transaction
COUNTED = """
    SELECT '{table}', "table", {journal}, count(*), sum(('x' || left(md5(t::text), 15))::bit(60)::bigint)
    FROM (SELECT * FROM pit.{table} WHERE site = '{site}') AS t GROUP BY 1, 2, 3
"""


def counted(group: Group, site: str, at_head: bool) -> list[tuple[object, ...]]:
    """Rows of a property by table, journal, number and hash."""
    cluster = group.head if at_head else group.properties[site]
    counts = [COUNTED.format(table=table, site=site, journal=JOURNAL.get(table, "journal")) for table in TABLES]
    return sorted(rows(cluster.database, " UNION ALL ".join(counts)), key=str)


def even(group: Group, site: str) -> bool:
    return counted(group, site, at_head=True) == counted(group, site, at_head=False)


async def until(condition: Callable[[], bool]) -> None:
    while not await asyncio.to_thread(condition):  # noqa: ASYNC110 another process does it
        await asyncio.sleep(0.05)


async def store(archive: Archive, messages: list[Message]) -> None:
    for first in range(0, len(messages), AT_ONCE):
        assert await archive.store(messages[first : first + AT_ONCE]) == []


async def check(group: Group, *sites: str) -> int:
    databases = [group.properties[site].database for site in sites or group.properties]
    return await asyncio.to_thread(main, ["group", "check", "--wait", "1", group.head.database, *databases])


def through(group: Group, site: str, at_head: bool) -> object:
    cluster = group.head if at_head else group.properties[site]
    [(number,)] = rows(cluster.database, f"SELECT through FROM pit.heads WHERE site = '{site}'")
    return number


async def test_a_cut_line_and_a_database_that_was_put_back_are_noticed_and_nothing_is_overwritten(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with folder_of_a_database() as folder, group(folder, ONE, TWO) as properties:
        await play(properties, folder, capsys)


async def play(group: Group, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = messages_of(ONE, "t-1", FORTUNE_3_2025), messages_of(TWO, "t-1", BLACKJACK_21)
    here, there = await group.open(ONE), await group.open(TWO)
    await store(here, first[:200])
    for site in (ONE, TWO):
        group.subscribe(site)
    await store(there, second[:200])
    await until(lambda: even(group, ONE) and even(group, TWO))
    assert await check(group) == 0
    assert f"{ONE}: " in capsys.readouterr().out

    group.cut(ONE)
    await store(here, first[200:400])
    await store(there, second[200:400])
    await until(lambda: even(group, TWO))
    assert through(group, ONE, at_head=True) == 200
    assert await check(group) == 65
    assert f"slot {ONE} is not read" in capsys.readouterr().err
    group.heal(ONE)
    await until(lambda: even(group, ONE))
    assert await check(group) == 0

    await here.close()
    yesterday = group.copy(ONE)
    here = await group.open(ONE)
    await store(here, first[400:])
    await until(lambda: even(group, ONE))
    before = counted(group, ONE, at_head=True)
    await here.abandon()
    group.put_back(ONE, yesterday)
    capsys.readouterr()
    assert await check(group, ONE) == 65
    assert (
        f"went back: the property has all through 400, the head office through {len(first)}" in capsys.readouterr().err
    )

    # PostgreSQL passes over what is committed until the WAL is as long as it was. Then a table publishes again.
    here = await group.open(ONE)
    await store(here, messages_of(ONE, "t-2", TAIWAN_PAI_KAO, "j-2"))
    await store(here, first[400:])
    log = group.head.folder / "log"

    def refused() -> bool:
        return "the property continues after message 400" in log.read_text(encoding="utf-8")

    await until(refused)
    kept = [row for row in counted(group, ONE, at_head=True) if row[2] != "j-2" and row[0] != "table_hours"]
    assert kept == [row for row in before if row[0] != "table_hours"]
    assert await check(group, ONE) == 65
    printed = capsys.readouterr().err
    assert "the head office has not received" in printed and "pit.rounds differs" in printed
    assert even(group, TWO)

    run(group.head, f"DROP SUBSCRIPTION {ONE}", f"SELECT pit.forget_site('{ONE}')")
    group.cut(ONE)
    group.subscribe(ONE)
    await until(lambda: even(group, ONE))
    assert await check(group) == 0
    await here.close()
    await there.close()

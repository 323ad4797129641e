"""`dealer-pit link`: two persons let a linked pot continue that was stopped, admit a journal, change its parameters."""

import asyncio
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace
from psycopg import AsyncConnection
from structlog.testing import capture_logs

from controller.link.messages import Announced, Claimed, Entry, SettledOnPaper
from controller.pit.__main__ import main
from controller.pit.leader import Leader, LedgerTransaction
from controller.pit.ledger.state import Offered, PotLedger, Stop
from controller.pit.link_decisions import STOPPED
from controller.pit.links_watch import LinkShown, LinksWatch, OfferedKey, OpenClaim, shown_links
from controller.words import CATALOGUES
from tests.link.entries import Teller, key_of, wins
from tests.link.test_link_ledger import TWO
from tests.pit.conftest import leading, pit_toml, rows
from tests.pit.test_pit_books import connected, led
from tests.pit.test_pit_config import LINK


@pytest.fixture
def file(tmp_path: Path, database: str) -> Path:
    """A pit whose link is stopped, since something was paid on paper otherwise than granted."""
    teller = Teller()
    teller.say("t1", Claimed("t1-1/1", 1, wins((1, "straight_flush"))))
    teller.say("t1", SettledOnPaper("t1-1/1", 1_500, TWO))
    assert teller.ledger.stopped == "paper_differs"
    asyncio.run(_kept(database, teller.ledger))
    return pit_toml(tmp_path, database)


async def _kept(database: str, ledger: PotLedger) -> None:
    connection, books = await connected(database, await led(database))
    await books.open(replace(ledger, revision=0, journals={}, claims={}))
    for name, claim in ledger.claims.items():
        await connection.execute(
            "INSERT INTO pit.link_claims (link, claim, place, state) VALUES (%s, %s, 0, %s)",
            (ledger.link, name, msgspec.json.encode(claim).decode()),
        )
    await connection.execute("UPDATE pit.leases SET holder = ''")
    await connection.close()


def test_whatever_stops_a_link_is_shown_in_a_sentence() -> None:
    assert set(STOPPED) == set(get_args(Stop))
    for words in CATALOGUES.values():
        assert all(f'"pit.stopped.{why}"'.encode() in words for why in STOPPED)


def test_linked_pot_5_two_persons_at_the_pit_look_at_a_difference_and_let_the_link_continue(
    file: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["link", "link", "--config", str(file)]
    assert main(command) == 0
    output = capsys.readouterr().out
    assert output.startswith("link: stopped: a claim was paid on paper otherwise than it was granted (paper_differs)\n")
    assert "t1, claim t1-1/1: granted 2010, paid on paper 1500\n" in output
    for persons, why in (
        (["--by", "carla"], "two persons decide"),
        (["--by", "carla", "--and", "carla"], "not one twice"),
        (["--by", "nuno", "--and", "vera"], "a supervisor"),
        (["--by", "carla", "--and", "eva"], "eva: not among [people]"),
        (["--admit", "t1", "t1-2"], "two persons decide"),
    ):
        assert main([*command, *persons]) == 2 and why in capsys.readouterr().err
    assert main([*command, "--by", "nuno", "--and", "carla"]) == 0
    assert capsys.readouterr().out.startswith("link: runs\n")
    assert rows(database, "SELECT revision, stopped, decided IS NOT NULL FROM pit.link_revisions") == [(1, "", True)]
    assert main([*command, "--by", "nuno", "--and", "carla"]) == 2 and "not stopped" in capsys.readouterr().err
    assert main(["link", "none", "--config", str(file)]) == 2


def test_two_persons_at_the_pit_agree_on_other_parameters_from_the_next_pot_on(
    file: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["link", "link", "--config", str(file), "--parameters"]
    assert main([*command, "--by", "nuno", "--and", "carla"]) == 2
    assert "no [[link]] of the name link" in capsys.readouterr().err
    file.write_text(file.read_text("utf-8") + LINK.replace('"hall"', '"link"'), encoding="utf-8")
    for persons, why in (
        ([], "two persons decide"),
        (["--by", "carla", "--and", "carla"], "not one twice"),
        (["--by", "nuno", "--and", "vera"], "a supervisor"),
    ):
        assert main([*command, *persons]) == 2 and why in capsys.readouterr().err
    assert rows(database, "SELECT count(*) FROM pit.link_revisions") == [(0,)]
    assert main([*command, "--by", "nuno", "--and", "carla"]) == 0
    output = capsys.readouterr().out
    assert "from the next pot on, ceiling: 200000000 (now " in output and "\npot " in output
    assert main([*command, "--by", "nuno", "--and", "carla"]) == 2
    assert "the parameters that were agreed on last" in capsys.readouterr().err
    assert main(command[:-1]) == 0 and "from the next pot on, ceiling: 200000000" in capsys.readouterr().out


async def opened_ago(connection: AsyncConnection[Any], age: str) -> tuple[LinkShown, ...]:
    """The links when each claim that is open has been so for this long, in a transaction, whose time does not pass."""
    async with connection.transaction():
        query = "UPDATE pit.link_claims SET open_since = now() - %s::interval WHERE open_since IS NOT NULL"
        await connection.execute(query, (age,))
        return await shown_links(connection)


def test_linked_pot_7_what_is_granted_and_not_paid_is_listed_and_two_persons_close_it(
    file: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["link", "link", "--config", str(file), "--by", "nuno", "--and", "carla"]
    assert main(command) == 0
    teller = Teller()
    teller.say("t1", Claimed("t1-1/9", 1, wins((1, "straight_flush"))))

    async def granted() -> tuple[LinkShown, ...]:
        connection, books = await connected(database, epoch := await led(database))
        before = await books.load("link")
        claim = teller.ledger.claims["t1-1/9"]
        meter = teller.ledger.meter
        after = replace(before, revision=before.revision + 1, epoch=epoch, meter=meter)
        await books.commit(LedgerTransaction(before, replace(after, claims={**before.claims, "t1-1/9": claim}), (), ()))
        await connection.execute("UPDATE pit.leases SET holder = ''")
        just, late = [
            await opened_ago(connection, age) for age in ("59 minutes 59 seconds", "2 hours 59 minutes 59 seconds")
        ]
        watch = LinksWatch(database)
        changes: list[bool] = []
        watch.changed = lambda: changes.append(True)
        with capture_logs() as logs:
            for links in (just, late, late):
                watch._take(links)
        assert [entry["event"] for entry in logs] == ["a granted claim is not paid"] and len(changes) == 2
        await opened_ago(connection, "2 hours 59 minutes")  # for as long as a minute, in which the command reads it
        await connection.close()
        assert not just[0].claims[0].late
        return late

    [link] = asyncio.run(granted())
    assert link == LinkShown("link", "", (OpenClaim("t1", "t1-1/9", 2_010, 179, True),), (), ("t1", "t2"), 18_090)
    capsys.readouterr()
    assert main(command[:4]) == 0
    assert "t1, claim t1-1/9: granted 2010, not paid for 179 min: pay it at the table, or" in capsys.readouterr().out
    assert main([*command, "--close", "t1-1/8", "gone"]) == 2 and "no grant" in capsys.readouterr().err
    assert main([*command, "--close", "t1-1/9", ""]) == 2 and "with a reason" in capsys.readouterr().err
    assert main([*command[:4], "--close", "t1-1/9", "gone"]) == 2 and "two persons" in capsys.readouterr().err
    assert main([*command, "--close", "t1-1/9", "the journal of t1 was lost"]) == 0
    assert "t1, claim t1-1/9: closed\n" in capsys.readouterr().out
    query = "SELECT decided->1->'what'->>'reason' FROM pit.link_revisions ORDER BY revision DESC LIMIT 1"
    assert rows(database, query) == [("the journal of t1 was lost",)]
    assert rows(database, "SELECT open_since FROM pit.link_claims WHERE claim = 't1-1/9'") == [(None,)]


def test_linked_pot_9_two_persons_at_the_pit_admit_a_journal_while_no_one_leads(
    file: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["link", "link", "--config", str(file), "--by", "nuno", "--and", "carla", "--admit"]

    async def admitted_while_another_leads() -> int:
        async with leading(database):
            return await asyncio.to_thread(main, [*command, "t1", "t1-2"])

    assert asyncio.run(admitted_while_another_leads()) == 75
    assert "another process leads the archive: stop it first" in capsys.readouterr().err
    assert main([*command, "t9", "t9-2"]) == 2
    assert main([*command, "t1", "t1-2"]) == 0
    assert rows(database, "SELECT state->'admitted' FROM pit.links") == [(["t1-2"],)]


def test_linked_pot_3_two_persons_at_the_pit_accept_the_key_of_a_table(
    file: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    key, forged = (str(key_of(name).verifier) for name in ("dealer/t1", "dealer/t2"))
    asyncio.run(_offered(database, Offered("t1", key)))
    [page] = asyncio.run(_shown(database))
    assert page.offered == (OfferedKey("t1", key),)
    command = ["link", "link", "--config", str(file)]
    assert main(command) == 0 and f"t1, unknown key: {key}\n" in capsys.readouterr().out
    accept, both = ["--accept-key", "t1", key], ["--by", "nuno", "--and", "carla"]
    for more, why in (
        (accept, "two persons decide"),
        ([*accept, "--by", "nuno", "--and", "vera"], "a supervisor"),
        (["--accept-key", "t1", forged, *both], "no public key of that table"),
        (["--accept-key", "t9", key, *both], "none of the link's tables"),
    ):
        assert main([*command, *more]) == 2 and why in capsys.readouterr().err
    assert main([*command, *accept, *both]) == 0 and "unknown key" not in capsys.readouterr().out
    assert rows(database, "SELECT state->'keys', state->'offered' FROM pit.links") == [({"t1": key}, {})]
    assert not asyncio.run(_shown(database))[0].offered


async def _offered(database: str, offered: Offered) -> None:
    connection, books = await connected(database, epoch := await led(database))
    leader = Leader(await books.load("link"), epoch)
    entry = Entry("link", offered.table, "j", 1, Announced())
    for _ in range(2):
        leader.offer(entry, offered.key)
    batch, _ = leader.batch(9)
    assert batch is not None and batch.offered == (offered,)
    await books.commit(batch)
    leader.committed()
    leader.offer(entry, offered.key)
    assert leader.batch(9) == (None, []), "a key that waits is no news"
    await connection.execute("UPDATE pit.leases SET holder = ''")
    await connection.close()


async def _shown(database: str) -> tuple[LinkShown, ...]:
    async with await AsyncConnection.connect(database) as connection:
        return await shown_links(connection)

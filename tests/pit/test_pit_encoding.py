"""A database keeps text in UTF-8, whatever the environment asks for; another one is refused before anything is lost."""

import asyncio
import json
from pathlib import Path

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from controller.pit.__main__ import main
from controller.pit.archive import Archive
from controller.pit.cluster import Cluster
from controller.pit.database import UnfitDatabase
from controller.pit.inbox import read
from controller.pit.readings import ArchiveReader
from tests.pit.broadcasting import JOURNAL, content_of
from tests.pit.conftest import _numbers, opened, pit_toml, rows

NAMES = "牌靴 João č"


@pytest.fixture(params=["SQL_ASCII", "LATIN1"])
def other(request: pytest.FixtureRequest, cluster: Cluster) -> str:
    """A database of another encoding."""
    name = f"other_{next(_numbers)}"
    how = SQL("CREATE DATABASE {} ENCODING {} TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'")
    with psycopg.connect(cluster.database, autocommit=True) as connection:
        connection.execute(how.format(Identifier(name), request.param))
    return cluster.database.replace("dbname=postgres", f"dbname={name}")


@pytest.fixture
def file(tmp_path: Path, other: str) -> Path:
    return pit_toml(tmp_path, other)


@pytest.mark.parametrize("command", ["check", "run", "gaps", "accept dealer/macau-1/t-1", "link hall"])
def test_a_database_of_another_encoding_is_refused_in_a_sentence_with_the_cure(
    file: Path, other: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command.split(), "--config", str(file)]) == 78
    [line] = capsys.readouterr().err.splitlines()
    assert "has the encoding" in line and "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0" in line
    assert rows(other, "SELECT 1 FROM pg_namespace WHERE nspname = 'pit'") == []


async def test_a_page_on_it_says_that_it_cannot_be_read(other: str) -> None:
    reader = ArchiveReader(other)
    assert not isinstance(await reader.hours(), bytes)
    with pytest.raises(UnfitDatabase):
        await Archive.open(other, "a")


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII", "BIG5"])
@pytest.mark.parametrize("where", ["environment", "connection string"])
async def test_names_of_any_script_are_kept_whatever_encoding_the_environment_asks_for(
    database: str, encoding: str, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if where == "environment":
        monkeypatch.setenv("PGCLIENTENCODING", encoding)
        own = database
    else:
        own = f"{database} client_encoding={encoding}"
    archive = await opened(own)
    content = content_of(1, kind="event.alarm_raised", alarm=NAMES, texts={"zh": NAMES}, actor=NAMES)
    assert await archive.store([read(JOURNAL.site, JOURNAL.table, content)]) == []
    await archive.close()
    reader = ArchiveReader(own)
    answer = await reader.alarms()
    await reader.close()
    assert isinstance(answer, bytes)
    [alarm] = json.loads(answer)["alarms"]
    assert (alarm["alarm"], alarm["text"]["zh"], alarm["actor"]) == (NAMES,) * 3


def test_a_database_that_is_away_is_reported_and_the_file_is_good(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--config", str(pit_toml(tmp_path, f"host={tmp_path} dbname=none"))]) == 0
    printed = capsys.readouterr()
    assert "good" in printed.out and "cannot be reached now, and was not checked" in printed.err


def test_a_person_decides_on_gaps(tmp_path: Path, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    async def keep() -> None:
        archive = await opened(database)
        await archive.store([read(JOURNAL.site, JOURNAL.table, content_of(1, kind="event.entry_made", name="\0"))])
        await archive.pass_over(JOURNAL, 5, "the table keeps it no longer")
        await archive.close()

    asyncio.run(keep())
    command = ["gaps", "--config", str(pit_toml(tmp_path, database))]
    assert main(command) == 0
    assert capsys.readouterr().out.splitlines() == [
        "macau-1/t-1, journal j-1, message 1: PostgreSQL text fields cannot contain NUL (0x00) bytes; its bytes are in "
        "pit.gaps",
        "macau-1/t-1, journal j-1, messages 2 to 4: the table keeps it no longer; not received",
        "2 to be decided",
    ]
    assert main([*command, "--by", "rui"]) == 2 and "table by table" in capsys.readouterr().err
    assert main([*command, "macau-1/t-1", "--by", "eva"]) == 2 and "eva: not among" in capsys.readouterr().err
    assert main([*command, "macau-1/t-2"]) == 0 and capsys.readouterr().out == "0 to be decided\n"
    assert main([*command, "macau-1/t-1", "--by", "rui"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "2 decided by rui"
    assert main(command) == 0 and capsys.readouterr().out == "0 to be decided\n"

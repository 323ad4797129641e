"""`pit.toml`: read whole, or every mistake in it is named; a database of another encoding is refused."""

import asyncio
import json
from importlib.metadata import version
from pathlib import Path

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from controller.config.document import BadConfiguration
from controller.pit.__main__ import main
from controller.pit.archive import Archive
from controller.pit.cluster import Cluster
from controller.pit.config import read_config
from controller.pit.database import UnfitDatabase
from controller.pit.inbox import read
from controller.pit.readings import ArchiveReader
from tests.pit.broadcasting import JOURNAL, content_of
from tests.pit.conftest import _numbers, opened, pit_toml, rows

GOOD = '[floor]\nbroker = "mqtt://127.0.0.1:1"\n[archive]\nname = "cellar"\ndatabase = "dbname=pit"\n'


FORTUNE = "fortune-3-card-poker-2025"
PAGE = (Path(__file__).parents[2] / "docs" / "pit.md").read_text(encoding="utf-8")
SIGNING = '[signing]\nkey_file = "pit.key"\n'
LINK = SIGNING + "[[link]]" + PAGE.partition("[[link]]")[2].partition("```")[0]


def test_the_pit_has_the_version_of_the_station(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"dealer-pit {version('dealer-station')}\n"


def test_linked_pots_are_those_of_the_configuration_and_each_is_authorised(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file := tmp_path / "pit.toml").write_text(GOOD + LINK)
    [link] = read_config(file).links
    assert (link.link, link.game, link.tables) == ("hall", FORTUNE, ("macau-1/table-1", "macau-1/table-2"))
    assert link.pot.pot == 60_000_000 and link.terms[0].fixed["flush"] == 25_000
    assert main(["check", "--config", str(file)]) == 0
    assert "link hall authorised: DICJ 9/2026, 2026-01-31" in capsys.readouterr().out
    file.write_text(GOOD + LINK.replace("DICJ 9/2026", ""))
    assert main(["check", "--config", str(file)]) == 78
    assert "link 1.authorisation.reference" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_named_with_the_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (good := tmp_path / "pit.toml").write_text(GOOD)
    missing, witnessed = tmp_path / "pitt.toml", tmp_path / "seen.json"
    assert main(["check", "--config", str(missing)]) == 78
    reason = "No such file or directory"
    assert capsys.readouterr().err == f"dealer-pit: {missing}: {reason}; did you mean {good}?\n"
    assert main(["rebuild", "--config", str(good), "--witnessed", str(witnessed), "journal.db"]) == 69
    assert capsys.readouterr().err == f"dealer-pit: {witnessed}: {reason}\n"


def test_a_configuration_is_read(tmp_path: Path) -> None:
    (file := tmp_path / "pit.toml").write_text(GOOD)
    assert (read_config(file).archive, read_config(file).database) == ("cellar", "dbname=pit")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (GOOD.replace("cellar", "a b"), ["archive.name"]),
        (GOOD.replace('"dbname=pit"', "5").replace("cellar", "a/b"), ["archive.database", "archive.name"]),
        (GOOD.replace("[archive]", 'protocol = "3.1.1"\n[archive]'), ["floor.protocol"]),
        (GOOD + "[console]\n", ["people"]),
        (GOOD + "[people]\n[console]\n", ["people"]),
        (GOOD + '[people]\nrui = "boss"\n[console]\nlisten = "0.0.0.0:80"\n', ["console.listen", "people.rui"]),
        (GOOD + '[witness]\ntables = ["x"]\n', ["witness.key_file", "witness.tables"]),
        (GOOD + LINK.replace("hall", "a/b").replace("table-2", "links"), ["link 1.name", "link 1.tables"]),
        (GOOD + LINK.replace("macau-1/table-2", "macau-1/table-1"), ["link 1.tables"]),
        (GOOD + LINK.replace("table-2", "#"), ["link 1.tables"]),
        (GOOD + LINK.replace(SIGNING, ""), ["signing"]),
        (GOOD + LINK + LINK.replace(SIGNING, ""), ["link 2.name", "link 2.tables"]),
        (GOOD + LINK.replace(FORTUNE, "fortune-8"), ["link 1.game"]),
        (GOOD + LINK[: LINK.index("[link.auth")] + "x = 1\n", ["link 1.authorisation", "link 1.fixed.x"]),
        (GOOD + '[returns]\ntime_zone = "Asia/Macao/"\n', ["returns.time_zone"]),
        (GOOD + "[retention]\nenvelopes_months = -1\nx = 1\n", ["retention.envelopes_months", "retention.x"]),
        ("x = " + "9" * 5000, ["(file)"]),
        ("x = " + "[" * 5000, ["(file)"]),
        ("x = \xff", ["(file)"]),
    ],
    ids=[
        *("name", "two", "protocol", "no people", "no one", "console", "witness"),
        *("link", "a table twice", "a wildcard", "no key", "two links of one name", "another game", "not authorised"),
        *("zone", "retention", "number", "depth", "bytes"),
    ],
)
def test_every_mistake_is_named(tmp_path: Path, content: str, expected: list[str]) -> None:
    (file := tmp_path / "pit.toml").write_text(content, encoding="latin-1")
    with pytest.raises(BadConfiguration) as bad:
        read_config(file)
    assert sorted(mistake.key for mistake in bad.value.mistakes) == expected


def test_without_a_console_there_is_no_page_and_one_listens_on_this_computer(tmp_path: Path) -> None:
    (file := tmp_path / "pit.toml").write_text(GOOD)
    assert read_config(file).listen is None
    file.write_text(GOOD + '[people]\nrui = "supervisor"\n[console]\nstay_hours = 8\n')
    found = read_config(file)
    assert found.listen == ("127.0.0.1", 8090) and found.people == {"rui": "supervisor"}
    assert found.log_in.pin_file == tmp_path / "pins.json"
    assert {found.log_in.idle, found.log_in.dealer_idle, found.log_in.longest} == {8 * 3600}


def test_a_witness_without_its_key_does_not_begin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (file := tmp_path / "pit.toml").write_text(GOOD + '[witness]\nkey_file = "witness.key"\ntables = []\n')
    assert main(["run", "--config", str(file)]) == 78
    assert "witness.key" in capsys.readouterr().err


def test_pins_are_those_of_the_pits_own_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (file := tmp_path / "pit.toml").write_text(GOOD + '[people]\nrui = "supervisor"\n[console]\n')
    assert main(["pin", "--list", "--config", str(file)]) == 0
    assert capsys.readouterr().out == "rui  –    supervisor\n"
    assert main(["pin", "ana", "--config", str(file)]) == 2
    assert "ana is not in [people], which has rui" in capsys.readouterr().err


NAMES = "牌靴 João č"


@pytest.fixture
def other(cluster: Cluster) -> str:
    """A database of another encoding."""
    name = f"other_{next(_numbers)}"
    how = SQL("CREATE DATABASE {} ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'")
    with psycopg.connect(cluster.database, autocommit=True) as connection:
        connection.execute(how.format(Identifier(name)))
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


@pytest.mark.parametrize("where", ["environment", "connection string"])
async def test_names_of_any_script_are_kept_whatever_encoding_the_environment_asks_for(
    database: str, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if where == "environment":
        monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
        own = database
    else:
        own = f"{database} client_encoding=LATIN1"
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

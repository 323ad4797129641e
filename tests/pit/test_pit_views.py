"""The rows of the archive are what the tables published: computed a second time, from the messages themselves."""

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest

from controller.pit import archive as archive_module
from controller.pit.archive import Superseded
from controller.pit.inbox import Message, TableJournal, read
from controller.rulebook.games import GAMES
from tests.floor.happened import messages
from tests.pit.broadcasting import message, of_jackpots_and_voids
from tests.pit.conftest import opened, rows
from tests.pit.ingest import of_a_table, sequenced
from tests.pit.kept import as_json


async def stored(game: str, database: str) -> list[bytes]:
    """What a table reported in two rounds, in order, once an archive has it."""
    payloads = [payload for topic, payload in messages(game) if topic == "rounds" or topic.startswith("events/")]
    payloads.sort(key=lambda content: int(json.loads(content)["data"]["sequence"]))
    archive = await opened(database)
    _, _, site, table, *_ = json.loads(payloads[0])["source"].split("/")
    await archive.store([read(site, table, content) for content in payloads])
    await archive.close()
    return payloads


def won_by_the_house(data: dict[str, Any]) -> int:
    """At Taiwan-Pai Kao its commission, and its share where it kept a part of the bank."""
    lines = [line for seat in data["seats"] for line in seat["lines"] if line["wager"] != "jackpot"]
    if "tiles" not in data or data["outcome"] == "void":
        return -int(sum(line["net"] for line in lines))
    commission = sum(line["commission"] for line in [*lines, *data["bank"]["joiners"]])
    return int(commission + (data["bank"]["casino"] or {"net": 0})["net"])


@pytest.mark.parametrize("game", GAMES)
async def test_rounds_lines_and_hours_are_those_that_were_published(game: str, database: str) -> None:
    payloads = await stored(game, database)
    data: list[dict[str, Any]] = [json.loads(content)["data"] for content in payloads]
    rounds = [row for row in data if "confirmed" in row and "seats" in row]
    lines = [line for round in rounds for seat in round["seats"] for line in seat["lines"]]
    counting = [line for line in lines if line["wager"] != "jackpot"]
    assert rounds and lines
    assert rows(database, "SELECT round, outcome, occupied, confirmed_by FROM pit.rounds ORDER BY sequence") == [
        (round["round"], round["outcome"], len(round["seats"]), round["actor"]) for round in rounds
    ]
    handle, win = sum(line["stake"] for line in counting), sum(map(won_by_the_house, rounds))
    assert rows(database, "SELECT sum(handle)::bigint, sum(win)::bigint FROM pit.rounds") == [(handle, win)]
    voids = sum(round["outcome"] == "void" for round in rounds)
    assert rows(
        database, "SELECT sum(rounds)::int, sum(voids)::int, sum(handle)::bigint, sum(win)::bigint FROM pit.table_hours"
    ) == [(len(rounds), voids, handle, win)]
    by_wager = Counter[str]()
    for line in lines:
        by_wager[line["wager"]] += line["net"]
    assert dict(rows(database, "SELECT wager, sum(net)::bigint FROM pit.lines GROUP BY wager")) == by_wager  # type: ignore[arg-type]


VIEWS_OF_JSON = Path(__file__).with_name("views_of_json.sql")
NAMES = ("rounds", "lines", "hits", "alarms", "persons", "table_hours", "pots")
COLUMNS = """
    SELECT string_agg(format(CASE WHEN atttypid = 'json'::regtype THEN '%%I::text' ELSE '%%I' END, attname), ', ')
    FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND attname <> 'data'
"""


def differences(database: str) -> dict[str, tuple[int, int, int]]:
    """By name: how many rows the envelopes give, how many of those are missing, and how many rows are too many."""
    found = {}
    with psycopg.connect(database) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.execute(VIEWS_OF_JSON.read_bytes())
        as_json(connection)
        for name in NAMES:
            [[columns]] = connection.execute(COLUMNS, (f"before.{name}",)).fetchall()
            from_json, kept = (f"SELECT {columns} FROM {schema}.{name}" for schema in ("before", "pit"))
            query = f"""
                SELECT (SELECT count(*) FROM ({from_json}) AS a),
                    (SELECT count(*) FROM ({from_json} EXCEPT ALL {kept}) AS b),
                    (SELECT count(*) FROM ({kept} EXCEPT ALL {from_json}) AS c)
            """
            [found[name]] = connection.execute(query.encode()).fetchall()
        connection.rollback()
    return found


def digests(database: str) -> list[list[tuple[object, ...]]]:
    """Of all rows of each table, and of the messages."""
    query = "SELECT count(*), md5(string_agg(row::text, chr(10) ORDER BY row::text)) FROM pit.{} AS row"
    return [rows(database, query.format(name)) for name in ("messages", "journals", *NAMES)]


@cache
def of_many_tables(tables: int) -> tuple[Message, ...]:
    """Recorded rounds of all games as those of many tables, an hour later from table to table."""
    found: list[Message] = []
    for number in range(tables):
        for topic, content in of_a_table(number, sequenced([*GAMES][number % len(GAMES)]), 1):
            at = f"2026-03-{14 + number // 20}T{number % 20:02}:33:24".encode()
            _, site, table, *_ = topic.split("/")
            found.append(read(site, table, content.replace(b"2026-03-14T14:33:24", at)))
    return (*found,)


@pytest.mark.parametrize("at_once", [2000, 7])
async def test_rows_are_what_the_envelopes_say(database: str, at_once: int) -> None:
    payloads = [*of_many_tables(10 if at_once == 2000 else 5), *of_jackpots_and_voids()]
    archive = await opened(database)
    for first in range(0, len(payloads), at_once):
        assert await archive.store(payloads[first : first + at_once]) == []
    found = differences(database)
    assert {name: (missing, surplus) for name, (_, missing, surplus) in found.items()} == dict.fromkeys(NAMES, (0, 0))
    assert all(count for count, _, _ in found.values()), found
    before = digests(database)
    for again in (payloads[:at_once], payloads[-1:]):  # doubled messages, and a replay
        with pytest.raises(Superseded):
            await archive.store(again)
    await archive.close()
    assert digests(database) == before
    assert rows(database, "SELECT hit, slip, confirmed_by FROM pit.hits WHERE site = 'macau-1' ORDER BY hit") == [
        (1, 5, ["rui"]),
        (2, 4, ["ana", "rui"]),
        (3, None, None),
    ]
    days = "SELECT sum(rounds)::int, sum(voids)::int, sum(handle)::bigint, sum(win)::bigint FROM pit.table_"
    assert rows(database, f"{days}days") == rows(database, f"{days}hours")


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("round", {"seats": [{"seat": 1, "lines": [{"stake": "100"}]}]}),
        ("round", {"seats": [{"seat": 1, "lines": [{"stake": 2**60}]}]}),
        ("round", {"began": "yesterday"}),
        ("event.hit_locked", {"hit": 1.5}),
        ("event.hit_paid", {"slip": 2**64}),
        ("event.alarm_raised", {"texts": ["en"]}),
        ("event.entry_made", {"name": 7}),
    ],
)
async def test_a_message_of_which_no_row_can_be_made_is_a_gap_with_its_bytes(
    database: str, kind: str, data: dict[str, Any]
) -> None:
    bad = message(2, kind=kind, **data)
    archive = await opened(database)
    assert [sent.sequence for sent in await archive.store([message(1), bad, message(3, kind="round", round=1)])] == [2]
    [gap] = await archive.gaps()
    assert (gap.first, gap.last, gap.kept) == (2, 2, True) and f"it is no dealer.station.{kind}" in gap.reason
    await archive.close()
    assert rows(database, "SELECT content FROM pit.gaps") == [(bad.content,)]
    assert rows(database, "SELECT sequence FROM pit.rounds") == [(3,)]


QUESTIONS = Path(__file__).parents[2] / "docs/examples/pit-questions.sql"


async def test_the_ten_questions_are_answered_and_parse_no_envelope(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows of the day before, of a month that may have ended since: those of this month are stored again."""
    day_before = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0) - timedelta(days=1)
    archive = await opened(database)
    of_day = [
        msgspec.structs.replace(row, time=None if row.time is None else day_before.isoformat())
        for row in of_jackpots_and_voids()
    ]
    for at, journal in ((day_before, "j-1"), (datetime.now(UTC), "j-2")):
        monkeypatch.setattr(archive_module, "_now", lambda at=at: at)
        own = TableJournal("macau-1", "table-1", journal)
        assert await archive.store([msgspec.structs.replace(sent, journal=own) for sent in of_day]) == []
    await archive.close()
    with psycopg.connect(database) as connection:
        connection.execute("SET TIME ZONE 'UTC'")
        connection.execute("UPDATE pit.hits SET slip = 1 WHERE slip = 4")
        connection.execute("DROP TABLE pit.messages")
        around = "SELECT now() - interval '1 day' - %s", (day_before,)
        [[shift]] = connection.execute(*around).fetchall()
        connection.execute("UPDATE pit.lines SET confirmed = confirmed + %s", (shift,))
        found = [connection.execute(part.encode()).fetchall() for part in QUESTIONS.read_text().split(";\n")[:-1]]
    months = 2 if day_before.month == datetime.now(UTC).month else 1
    assert found[0][0][:2] == ("macau-1", "table-1")
    assert found[1] == [("flush", "MOP", 3 * months, 75000 * months, months)]
    assert found[2] and len(found[3]) == 2 and found[3][0][-1] == ["ana", "rui"]
    assert found[4] == [("table-1", "sign_lost", 2)]
    assert [row[1] for row in found[5]] == ["ana", None]
    assert len(found[6]) == 10 and len(found[7]) == 6
    assert found[8] or months == 1
    assert found[9] == [("table-1", "4.º", months)]

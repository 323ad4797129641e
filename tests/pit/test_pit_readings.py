"""What the pit's page and Grafana ask of the archive: figures hour by hour, rounds, alarms, pots of made-up tables."""

import asyncio
import json
import re
import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar

import psycopg
import pytest

from controller.pit import readings as readings_module
from controller.pit.archive import Archive
from controller.pit.figures import row
from controller.pit.inbox import Message, TableJournal
from controller.pit.readings import ArchiveReader
from tests.pit.broadcasting import EXAMPLES, JOURNAL, message, retained
from tests.pit.conftest import opened, rows

EXAMPLES_FOLDER = Path(__file__).parents[2] / "docs" / "examples"
HOUR = timedelta(hours=1)
NOW = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
LOST = {"shuffle_ms": 0, "jam_ms": 0, "dispute_ms": 0, "device_ms": 0, "broker_ms": 0}


def figures_row(at: datetime, since: datetime, table: str = "t-1", **changes: Any) -> tuple[object, ...]:
    content = retained("statistics", table=table, time=at.isoformat(), since=since.isoformat(), **changes)
    return row("macau-1", table, content)


def at(moment: datetime, sequence: int, kind: str, table: str = "t-1", **data: Any) -> Message:
    journal = TableJournal("macau-1", table, f"{JOURNAL.name}-{table}")
    message_read = message(sequence, journal, kind, **data)
    content = re.sub(rb'"time":"[^"]*"', f'"time":"{moment.isoformat()}"'.encode(), message_read.content)
    return Message(journal, sequence, message_read.type, message_read.round, moment.isoformat(), content)


def won(pot: int, confirmed: datetime, round: int) -> dict[str, Any]:
    example = {key: value for key, value in EXAMPLES["round"]["data"].items() if key != "sequence"}
    return {**example, "round": round, "confirmed": confirmed.isoformat(), "jackpot": {"pot_after": pot, "awards": []}}


@pytest.fixture
async def archive(database: str) -> Any:
    archive = await opened(database)
    yield archive
    await archive.close()


async def test_hours_are_what_came_since_the_hour_before_and_hold_is_that_of_the_day(
    archive: Archive, database: str
) -> None:
    since, wagers = NOW - 5 * HOUR, [{"handle": 1000, "win": 80, "theoretical": "50.00", "deviation": "60.00"}]
    first: dict[str, Any] = {
        "round_count": 30, "open_ms": 3_600_000, "lost_time": LOST | {"jam_ms": 60_000}, "wager_totals": [],
    }  # fmt: skip
    second: dict[str, Any] = {
        "round_count": 70, "open_ms": 7_200_000, "lost_time": LOST | {"jam_ms": 240_000}, "wager_totals": wagers,
    }  # fmt: skip
    await archive.keep_figures([figures_row(NOW - 3 * HOUR, since, **first | {"round_count": 9})])
    await archive.keep_figures(
        [
            figures_row(NOW - 3 * HOUR + timedelta(minutes=59), since, **first),
            figures_row(NOW - 2 * HOUR, since, **second),
            figures_row(NOW - 2 * HOUR - timedelta(seconds=1), since, **first | {"round_count": 8}),
            figures_row(NOW - HOUR, NOW - HOUR, round_count=5),
        ]
    )
    found = rows(
        database,
        "SELECT rounds::int, open_minutes::int, jam_minutes::int, hold::float, band::float, sigmas::float"
        " FROM pit.kpis ORDER BY hour",
    )
    assert found[0] == (8, 60, 1, None, None, None)
    assert found[1] == (62, 60, 3, 0.08, 0.12, 0.5)
    assert found[2][0] == 5, "a new day, or a new journal, counts from its own beginning"


async def test_what_was_sent_late_does_not_replace_what_was_sent_after_it(archive: Archive, database: str) -> None:
    for minute, rounds in ((50, 7), (20, 3)):
        await archive.keep_figures([figures_row(NOW + timedelta(minutes=minute), NOW, round_count=rounds)])
    assert rows(database, "SELECT rounds FROM pit.figures") == [(7,)]


async def test_the_page_gets_a_tables_rounds_alarms_and_curves_and_those_of_all(
    archive: Archive, database: str
) -> None:
    begin = NOW - 2 * HOUR
    text = {"en": "shoe jammed", "pt": "sabot", "zh": "發牌靴"}
    await archive.store(
        [
            at(begin, 1, "round", **won(600, begin, 1)),
            at(begin + timedelta(minutes=2), 2, "round", **won(700, begin + timedelta(minutes=2), 2)),
            at(begin + timedelta(minutes=31), 3, "round", **won(800, begin + timedelta(minutes=31), 3)),
            at(begin + timedelta(minutes=32), 4, "event.alarm_raised", alarm="shoe-jam", texts=text),
            at(begin, 1, "event.alarm_raised", "t-2", alarm="slots-gone", texts=text),
        ]
    )
    await archive.keep_figures(
        [figures_row(begin, begin, round_count=3), figures_row(begin, begin, "t-2", round_count=4)]
    )
    await archive.keep_figures(
        [figures_row(begin + timedelta(minutes=9), begin + timedelta(minutes=5), "t-2", round_count=5)]
    )
    reader = ArchiveReader(database)
    try:
        of_table = json.loads(str(await asked(reader.of_table("macau-1", "t-1"))))
        assert [round["round"] for round in of_table["rounds"]] == [3, 2, 1]
        assert [pot["pot"] for pot in of_table["pots"]] == [700, 800], "the last of each ten minutes"
        assert [hour["rounds"] for hour in of_table["hours"]] == [3]
        assert [(alarm["what"], alarm["alarm"], alarm["text"]) for alarm in of_table["alarms"]] == [
            ("raised", "shoe-jam", text)
        ]
        pots = json.loads(await asked(reader.pots()))
        assert [pot["pot"] for pot in pots["pots"]] == [800] and pots["hits"] == []
        day = json.loads(await asked(reader.hours()))
        hours = day["hours"]
        assert sum(table["rounds"] for table in day["tables"]) == sum(hour["rounds"] for hour in hours)
        assert [(hour["rounds"], hour["tables"]) for hour in hours] == [(12, 2)], (
            "a day that began again is no table more"
        )
        assert [alarm["table"] for alarm in json.loads(await asked(reader.alarms()))["alarms"]] == ["t-1", "t-2"]
    finally:
        await reader.close()


async def test_the_page_gets_what_was_won_with_the_jackpot_and_without_it_and_the_hits(
    archive: Archive, database: str
) -> None:
    round = won(600, NOW, 1)
    jackpot = {"wager": "jackpot", "stake": 500, "net": 49_500}
    round["seats"] = [{"seat": 1, "lines": [{"wager": "ante", "stake": 100, "net": -100}, jackpot]}]
    hit: dict[str, Any] = {
        "seat": 1,
        "tier": "flush",
        "amount": 50_000,
        "currency": "MOP",
        "exponent": 2,
        "article": "15.º 2",
    }
    await archive.store(
        [
            at(NOW, 1, "event.hit_locked", hit=7, **hit),
            at(NOW, 2, "round", **round),
            at(NOW, 3, "event.hit_paid", hit=7, slip=4, confirmed_by=["ana", "rui"]),
            at(NOW, 4, "event.alarm_raised", alarm="shoe-jam", texts={"en": "shoe jammed"}),
            at(NOW, 5, "event.alarm_cleared", alarm="shoe-jam"),
        ]
    )
    wagers = [{"wager": "jackpot", "handle": 500, "win": -49_500, "theoretical": None, "deviation": None}]
    await archive.keep_figures([figures_row(NOW, NOW, win=-49_400, wager_totals=wagers)])
    reader = ArchiveReader(database)
    try:
        of_table = json.loads(await asked(reader.of_table("macau-1", "t-1")))
        assert [(row["win"], row["win_with_jackpot"]) for row in of_table["rounds"]] == [(100, -49_400)]
        assert [(row["what"], row["text"]) for row in of_table["alarms"]] == [
            ("cleared", {"en": "shoe jammed"}), ("raised", {"en": "shoe jammed"}),
        ]  # fmt: skip
        [wins] = json.loads(await asked(reader.hours()))["wins"]
        assert (wins["win"], wins["win_with_jackpot"], wins["currency"]) == (100, -49_400, "MOP")
        [found] = json.loads(await asked(reader.pots()))["hits"]
        assert (found["table"], found["amount"], found["tier"], found["article"]) == ("t-1", 50_000, "flush", "15.º 2")
        assert (found["confirmed_by"], found["slip"], found["withdrawn"]) == (["ana", "rui"], 4, None) and found["paid"]
    finally:
        await reader.close()


async def asked(answer: Any) -> str:
    found = await answer
    assert isinstance(found, bytes)
    return found.decode()


async def test_a_reader_writes_nothing_and_continues_once_the_archive_is_back(archive: Archive, database: str) -> None:
    reader = ArchiveReader(database)
    try:
        assert json.loads(await asked(reader.hours())) == {"hours": [], "wins": [], "tables": []}
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                "WHERE application_name = 'dealer-pit-page'"
            )
        assert not isinstance(await reader.hours(), bytes)
        assert json.loads(await asked(reader.hours())) == {"hours": [], "wins": [], "tables": []}
        assert reader._connection is not None
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            await reader._connection.execute("DELETE FROM pit.figures")
    finally:
        await reader.close()


async def test_an_archive_that_lets_one_in_and_says_nothing_cannot_be_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(readings_module, "ANSWER_SECONDS", 0.05)
    reader = ArchiveReader(f"host={tmp_path} dbname=pit user=pit")
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(tmp_path / ".s.PGSQL.5432"))
        silent.listen()
        assert not isinstance(await reader.hours(), bytes)

    class Hung:
        calls: ClassVar[list[str]] = []

        async def execute(self, *_: object) -> None:
            await asyncio.Event().wait()

        async def cancel_safe(self, timeout: float) -> None:
            self.calls.append("cancelled")

        @property
        def pgconn(self) -> "Hung":
            return self

        def finish(self) -> None:
            self.calls.append("closed")

    reader._connection = hung = Hung()  # type: ignore[assignment]
    assert not isinstance(await reader.hours(), bytes)
    assert hung.calls == ["cancelled", "closed"] and reader._connection is None


def test_every_question_of_the_grafana_dashboard_is_one_that_the_archive_answers(database: str) -> None:
    board = json.loads((EXAMPLES_FOLDER / "grafana-pit.json").read_text(encoding="utf-8"))
    questions = [target["rawSql"] for panel in board["panels"] for target in panel["targets"]]
    questions += [event["query"] for event in board["templating"]["list"] if event["type"] == "query"]
    assert len(questions) >= 8
    with psycopg.connect(database) as connection:
        for question in questions:
            asked = re.sub(r"\$__timeFilter\((\w+)\)", r"\1 BETWEEN now() - interval '1 day' AND now()", question)
            asked = asked.replace("$__timeFrom()", "now() - interval '1 day'")
            asked = asked.replace("${table:sqlstring}", "'t-1', 't-2'")
            assert "$" not in asked, question
            connection.execute(asked.encode())

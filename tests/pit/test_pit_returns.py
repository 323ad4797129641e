"""The monthly return: out of the rows, signed, and the same again from envelopes and from the tables' journals."""

import asyncio
import json
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest

from controller.engine.state.jackpot import E4
from controller.link.messages import Claimed, Counted, Paid, Returned, Totals
from controller.pit.__main__ import main
from controller.pit.archive import Archive
from controller.pit.cluster import Cluster
from controller.pit.inbox import Message, TableJournal, read
from controller.pit.leader import Leader
from controller.pit.meters import SUMS, Moved, movement
from controller.pit.recount import Recount, differences
from controller.pit.refusals import CannotReport
from controller.pit.returned_rows import compute
from controller.pit.returns import Month, Return
from controller.rulebook.games import GAMES
from tests.floor.happened import happened
from tests.link.entries import PIT_KEY, TO_POT, TO_RESERVE, Teller, wins
from tests.pit.broadcasting import message
from tests.pit.conftest import copy_of, rows
from tests.pit.ingest import sequenced
from tests.pit.test_pit_books import connected as connected_books
from tests.pit.test_pit_books import led
from tests.pit.test_pit_rebuild import Floor, receive_all
from tests.pit.test_pit_views import of_many_tables

MARCH = Month.of("2026-03", "UTC")
JANUARY = "2026-01"


def dated(message: Message, time: str) -> Message:
    """The message with another time."""
    content = re.sub(rb'"time":"[^"]*"', f'"time":"{time}"'.encode(), message.content)
    return read(message.journal.site, message.journal.table, content)


async def stored(database: str, messages: Iterable[Message]) -> None:
    archive = await Archive.open(database, "a")
    assert await archive.lead_once_free()
    assert await archive.store([*messages]) == []
    await archive.close()


async def returned(database: str, month: Month) -> Return:
    async with await psycopg.AsyncConnection.connect(database) as connection:
        return await compute(connection, "pit", month)


def counted(month: Month, messages: Iterable[Message], head: Return) -> Return:
    recount = Recount(month)
    for sent in messages:
        recount.take(sent)
    return recount.result(head)


@pytest.mark.parametrize("game", GAMES)
def test_movements_of_messages_add_up_to_the_meter(game: str) -> None:
    meter, found = happened(game)[-1].after.meter, Moved()
    for _, content in sequenced(game):
        moves = movement(read("site", "t1", content))
        found = found if moves is None else found.plus(moves.moved)
    if meter is None:
        assert found == Moved()
        return
    assert found.opened == 1 and found.chips == meter.chips_counted
    columns = [name for name in SUMS if name.endswith("_e4")]
    assert [getattr(found, name) for name in columns] == [getattr(meter, name) for name in columns]
    assert found.sum_e4 == found.balance_e4


async def test_rows_give_the_return_that_the_messages_give(database: str) -> None:
    published = of_many_tables(10)
    for first in range(0, len(published), 97):  # a round and its hour over several transactions
        await stored(database, published[first : first + 97])
    of = await returned(database, MARCH)
    again = counted(MARCH, published, of)
    assert differences(of, again, {(game.site, game.table) for game in of.games}) == []
    assert len(of.games) == 10 and {meter.ledger_difference_e4 for meter in of.meters} == {0}
    signs = [meter for meter in of.meters if meter.sign_pot is not None]
    assert signs and {sign.sign_difference for sign in signs} == {0}
    assert sum(game.win for game in of.games) == rows(database, "SELECT sum(win)::bigint FROM pit.rounds")[0][0]


async def test_the_month_after_begins_with_what_was_in_the_pot_and_lists_what_is_pending(database: str) -> None:
    journal = TableJournal("macau-1", "t-1", "j-1")

    def at(sequence: int, time: str, kind: str, **data: Any) -> Message:
        return dated(message(sequence, journal, kind, currency="MOP", exponent=2, **data), time)

    published = [
        at(1, "2026-01-31T15:00:00+00:00", "event.meter_opened", pot=1000, reserve=10),
        at(2, "2026-01-31T15:10:00+00:00", "event.hit_locked", hit=1, round=1, amount=100, from_pot=100, from_house=0),
        at(3, "2026-01-31T15:20:00+00:00", "round", round=1, game="g", seats=[], jackpot={"pot_after": 900}),
        at(4, "2026-01-31T15:59:59.999+00:00", "event.chip_contributed", round=2, to_pot_e4=35_000, to_reserve_e4=1),
        at(5, "2026-01-31T16:00:00+00:00", "round", round=2, game="g", seats=[], jackpot={"pot_after": 903}),
        at(6, "2026-01-31T16:10:00+00:00", "event.hit_paid", hit=1, amount=100, slip=1, confirmed_by=["ana", "rui"]),
        at(7, "2026-02-01T10:00:00+00:00", "event.round_adjusted", round=1, seat=3, amount=-50, actor="rui"),
        at(8, "2026-02-02T10:00:00+00:00", "event.hit_locked", hit=2, round=3, amount=5, from_pot=0, from_house=5),
        at(9, "2026-02-02T10:01:00+00:00", "event.hit_withdrawn", hit=2, amount=5, from_pot=0, from_house=5),
        at(10, "2026-02-03T10:00:00+00:00", "event.meter_adjusted", part="pot", amount=7, actor="rui", second="sol"),
    ]  # fmt: skip
    await stored(database, published)
    january, february = Month.of(JANUARY, "Asia/Macau"), Month.of("2026-02", "Asia/Macau")
    found = {month.name: await returned(database, month) for month in (january, february)}
    for month in (january, february):
        of = found[month.name]
        assert differences(of, counted(month, published, of), {("macau-1", "t-1")}) == []
    [meter] = found[JANUARY].meters
    assert (meter.chips, meter.opening_pot_e4, meter.closing_pot_e4) == (1, 0, 900 * E4 + 35_000)
    assert (meter.sign_round, meter.sign_pot, meter.sign_difference) == (1, 900, 0), "before the next round's chip"
    [pending] = found[JANUARY].hits
    assert (pending.hit, pending.paid, pending.slip, pending.confirmed_by) == (1, None, None, None)
    [meter] = found["2026-02"].meters
    assert (meter.chips, meter.opening_pot_e4, meter.closing_pot_e4) == (0, 900 * E4 + 35_000, 907 * E4 + 35_000)
    assert (meter.paid_e4, meter.opening_pending_e4, meter.closing_pending_e4) == (100 * E4, 100 * E4, 0)
    assert [(hit.hit, hit.paid, hit.withdrawn) for hit in found["2026-02"].hits] == [
        (1, "2026-01-31T16:10:00.000Z", None),
        (2, None, "2026-02-02T10:01:00.000Z"),
    ]
    assert [(adjustment.what, adjustment.round, adjustment.amount) for adjustment in found["2026-02"].adjustments] == [
        ("round", 1, -50),
        ("meter", None, 7),
    ]
    assert [game.rounds for month in (january, february) for game in found[month.name].games] == [1, 1]


async def test_a_linked_pot_is_reconciled_entry_by_entry(database: str) -> None:
    teller, units = Teller(tables=("macau-1/t1", "macau-1/t2")), TO_POT + TO_RESERVE
    first, second = teller.tables
    teller.chips(first, 3)
    teller.chips(second, 5, round=4)
    teller.say(first, Returned(2, 1, units))
    teller.say(second, Claimed("c", 4, wins((3, "royal_flush"), (4, "flush"))))
    teller.say(second, Paid("c", teller.grant("c").amount))
    teller.say(second, Counted(Totals(5, 5 * units, 0, 1, teller.grant("c").amount)))
    published = []
    for entries in teller.entries.values():
        site, _, table = entries[0].table.partition("/")
        own = TableJournal(site, table, table)
        for entry in entries:
            one_message = message(entry.seq, own, "event.link_recorded", sent=msgspec.to_builtins(entry))
            published.append(dated(one_message, "2026-03-05T10:00:00+00:00"))
    published.append(message(len(entries) + 1, own, "event.link_recorded", sent={"type": "through", "seq": 1}))
    await stored(database, published)
    connection, books = await connected_books(database, await led(database))
    leader = Leader(await books.open(teller.fresh()), 1)
    for entries in teller.entries.values():
        for entry in entries:
            leader.receive(entry)
    batch, _ = leader.batch(50)
    assert batch is not None
    await books.commit(batch)
    await connection.execute("UPDATE pit.link_revisions SET applied = '2026-03-05T10:00:01Z'")
    await connection.close()
    of = await returned(database, MARCH)
    for found in of.linked:
        assert (found.ledger_chips, found.ledger_contributions_e4) == (found.chips, found.contributions_e4)
        assert (found.ledger_returned_e4, found.ledger_paid_e4) == (found.returned_e4, found.paid_e4)
        assert found.missing_entries == 0
    assert [found.chips for found in of.linked] == [2, 5] and of.linked[1].paid_e4 == teller.grant("c").amount * E4
    [pot] = of.links
    assert (pot.opening_revision, pot.closing_pot_e4) == (None, teller.ledger.pot.pot_e4)
    assert differences(of, counted(MARCH, published, of), {("macau-1", "t1"), ("macau-1", "t2")}) == []
    with psycopg.connect(database) as changed:
        changed.execute("DELETE FROM pit.link_entries WHERE seq = 3 AND journal = %s", (of.linked[0].journal,))
    less = (await returned(database, MARCH)).linked[0]
    assert (less.missing_entries, less.ledger_chips, less.chips) == (1, 3, 2)


class Filing:
    """A floor whose archive has all, and a pit with a key."""

    def __init__(self, floor: Floor) -> None:
        self.floor, self.folder = floor, floor.folder / "2026-01"
        (floor.folder / "pit.key").write_text(PIT_KEY.private, encoding="ascii")
        self.config = floor.config
        with self.config.open("a") as file:
            file.write('[signing]\nkey_file = "pit.key"\n')

    def make(self, month: str = JANUARY) -> int:
        return main(["return", month, str(self.folder), "--config", str(self.config)])

    def check(self, *journals: Path, key: str = str(PIT_KEY.verifier)) -> int:
        how = ["--key", key, *map(str, journals)] if journals else ["--config", str(self.config)]
        return main(["return", "--check", str(self.folder), *how])


@pytest.fixture(scope="module")
def filled(cluster: Cluster, empty_archive: str) -> str:
    """No test changes this one: each has a copy."""
    database = copy_of(cluster, empty_archive)
    asyncio.run(receive_all(database))
    return database


@pytest.fixture
def filing(tmp_path: Path, cluster: Cluster, filled: str) -> Filing:
    return Filing(Floor(tmp_path, copy_of(cluster, filled)))


def test_a_return_is_the_same_from_journals_and_envelopes(filing: Filing, capsys: pytest.CaptureFixture[str]) -> None:
    assert filing.make() == 0
    assert len([*filing.folder.iterdir()]) == 11
    found = json.loads((filing.folder / "return.json").read_text())
    assert [(game["table"], game["rounds"] > 0) for game in found["games"]] == [("t-1", True), ("t-2", True)]
    assert found["meters"][0]["sign_difference"] == 0
    assert filing.check() == 0
    assert filing.check(*filing.floor.journals.values()) == 0
    capsys.readouterr()
    assert filing.check(filing.floor.journals["t-1"]) == 0
    assert "not checked: macau-1/t-2: journal" in capsys.readouterr().err
    first = {path.name: path.read_bytes() for path in filing.folder.iterdir()}
    assert filing.make() == 2 and "is not an empty folder" in capsys.readouterr().err
    filing.folder.rename(filing.folder.with_name("first"))
    assert filing.make() == 0
    assert {path.name: path.read_bytes() for path in filing.folder.iterdir()} == first, "it has no time of its own"


def test_each_figure_that_differs_is_named(filing: Filing, capsys: pytest.CaptureFixture[str]) -> None:
    with psycopg.connect(filing.floor.database) as connection:
        connection.execute("UPDATE pit.table_hours SET win = win + 1 WHERE \"table\" = 't-1'")
        connection.execute("UPDATE pit.meter_hours SET contributions_e4 = contributions_e4 + 5")
        connection.execute(
            """
            INSERT INTO pit.hits (site, "table", journal, locked, received, hit)
            SELECT site, "table", journal, '2026-01-05', received, 9 FROM pit.rounds WHERE "table" = 't-1' LIMIT 1
            """
        )
    assert filing.make() == 0
    for journals in ((), tuple(filing.floor.journals.values())):
        capsys.readouterr()
        assert filing.check(*journals) == 65
        named = capsys.readouterr()
        lines = named.out.splitlines()
        assert any(
            line.startswith("games macau-1 t-1 fortune-3-card-poker-2025") and ": win is " in line for line in lines
        )
        assert any(line.startswith("meters macau-1 t-1") and ": contributions_e4 is " in line for line in lines)
        assert any(line.startswith("hits macau-1 t-1") and "only the return has it" in line for line in lines)
        assert "figures differ" in named.err and not any(" t-2 " in line for line in lines)


@pytest.mark.parametrize("file", ["return.json", "games.csv", "return.note"])
def test_a_return_that_was_changed_is_refused(filing: Filing, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert filing.make() == 0
    path = filing.folder / file
    path.write_bytes(path.read_bytes().replace(b"2026", b"2025").replace(b"macau-1", b"macau-2"))
    assert filing.check() == 65
    assert file in capsys.readouterr().err
    assert filing.check(*filing.floor.journals.values(), key=PIT_KEY.verifier.name) == 2


@pytest.mark.parametrize(
    ("month", "change", "sentence"),
    [
        ("2026-13", "", "'2026-13' is not a month"),
        (f"{datetime.now(UTC):%Y-%m}", "", "is not over before"),
        (
            JANUARY,
            "INSERT INTO pit.gaps VALUES ('macau-1', 't-2', 'j', 3, 5, 'lost')",
            "the archive has gaps: macau-1/t-2 has 1 with 3 messages",
        ),
    ],
)  # fmt: skip
def test_a_month_that_is_not_over_or_has_a_gap_has_no_return(
    filing: Filing, month: str, change: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if change:
        with psycopg.connect(filing.floor.database) as connection:
            connection.execute(change.encode())
    assert filing.make(month) == 2
    assert sentence in capsys.readouterr().err and not filing.folder.exists()
    if change:
        assert main(["gaps", "macau-1/t-2", "--by", "rui", "--config", str(filing.config)]) == 0
        assert filing.make(month) == 0
        [gap] = json.loads((filing.folder / "return.json").read_text())["gaps"]
        assert gap["decided_by"] == "rui"


def test_a_table_of_which_nothing_came_since_is_named(filing: Filing, capsys: pytest.CaptureFixture[str]) -> None:
    with psycopg.connect(filing.floor.database) as connection:
        connection.execute("UPDATE pit.journals SET last_received = '2026-01-20' WHERE \"table\" = 't-2'")
    assert filing.make() == 0
    assert "macau-1/t-2: nothing was received since 2026-01-2" in capsys.readouterr().err


def test_a_full_disk_leaves_nothing(
    filing: Filing, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("controller.pit.returns.write_synced", full)
    assert filing.make() == 74
    assert "No space left on device" in capsys.readouterr().err
    assert not [path for path in filing.folder.parent.iterdir() if "2026-01" in path.name]


def test_a_month_begins_with_an_hour() -> None:
    assert Month.of("2026-12", "Asia/Macau").end == datetime(2026, 12, 31, 16, tzinfo=UTC)
    with pytest.raises(CannotReport, match="does not begin with an hour"):
        Month.of("2026-12", "Asia/Kolkata")

"""An archive and a linked pot out of the tables' own journals: the same to the byte, and to the unit."""

import asyncio
import os
import shutil
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest

from controller.engine.state.applied import Event, apply
from controller.engine.state.events import LinkRecorded, MessageSetAside, MessageUntaken
from controller.engine.state.table import Table
from controller.floor.messages import Identity, publications
from controller.journal.closing import close_messages, close_segment
from controller.journal.records import Batch, JournalEntry, OutboxRow
from controller.journal.store import Journal
from controller.link import table as link
from controller.link.messages import Claimed, Paid
from controller.link.table import GrantReceived
from controller.pit.__main__ import main
from controller.pit.inbox import read
from controller.queries.published import messages, spoken
from controller.rulebook.events import RoundBegun
from controller.tlog.notes import Checkpoint, Signer
from controller.tlog.witness import Seen
from tests.floor.happened import happened
from tests.journal.keeping import STAMP, open_journal, tamper
from tests.link.entries import Teller, wins
from tests.pit.conftest import leading, opened, pit_toml, rows
from tests.pit.kept import kept

SITE = "macau-1"
ASIDE = 7  # a message that was put aside
DAY = "2026-01-02"
AT_ONCE = 20  # events of a commit
TABLES = {"t-1": "fortune-3-card-poker-2025", "t-2": "fortune-8"}


def time_of(number: int) -> str:
    return f"{DAY}T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}.678Z"


def written(path: Path, game: str, table: str, dropped: int = 0) -> list[bytes]:
    """A journal of recorded rounds in segments and files, with what its archive has received.

    Its messages up to `dropped` it keeps no longer.
    """
    with closing(open_journal(path)) as journal:
        journal.restore()
        identity = Identity(SITE, table, journal.name, "simulation", "MOP", 2)
        aside: list[Event] = [
            MessageUntaken(ASIDE, "t", "x", "too long"),
            MessageSetAside(ASIDE, "t", "rui", "too long"),
        ]
        events: list[Event] = [*(moment.event for moment in happened(game)), *aside]
        state, payloads, began = Table(), list[bytes](), ""
        for first in range(0, len(events), AT_ONCE):
            stamp = msgspec.structs.replace(STAMP, time=time_of(first))
            outbox, some = list[OutboxRow](), events[first : first + AT_ONCE]
            for event in some:
                before, state = state, apply(state, event)
                began = stamp.time if isinstance(event, RoundBegun) else began
                last = outbox[-1].sequence if outbox else journal.sequence
                published = publications(
                    identity, event, before, state, last, stamp.time, began=began if state.round else None
                )
                outbox += [OutboxRow(message.sequence, message.topic, message.payload) for message in published]
            snapshot = state if first + 2 * AT_ONCE > len(events) > first + AT_ONCE else None
            journal.commit(Batch(stamp, [JournalEntry(event) for event in some], outbox, snapshot=snapshot))
            payloads += [row.payload for row in outbox]
        tidied(journal, dropped)
    return [*payloads[: ASIDE - 1], *payloads[ASIDE:]]


def tidied(journal: Journal, dropped: int) -> None:
    journal.forget(journal.sequence)
    for close in (
        partial(close_messages, journal.path, DAY, messages=20),
        partial(close_segment, journal.path, events=60),
    ):
        while (file := close()) is not None:
            journal.take_up(file)
            tidy(journal)
    if dropped:
        journal.drop((dropped, STAMP))
        tidy(journal)
    assert [*journal.path.parent.glob(f"{journal.path.name}.0*.zst")], "it has segments"


def tidy(journal: Journal) -> None:
    while journal.untidy:
        journal.forget(0)


def silent(done: int, total: int) -> None: ...


@pytest.mark.parametrize("game", ["fortune-3-card-poker-2025", "taiwan-pai-kao"])
def test_what_a_table_keeps_no_longer_is_computed_again_byte_for_byte(tmp_path: Path, game: str) -> None:
    payloads = written(tmp_path / "j.db", game, "t-1", dropped=100)
    of = spoken(tmp_path / "j.db", silent)
    assert of is not None and (of.first, of.kept, of.last) == (1, 101, len(payloads) + 1)
    assert [message.payload for message in messages(of, silent)] == payloads


@cache
def made() -> tuple["TemporaryDirectory[str]", dict[str, list[bytes]]]:
    """The journals, a folder each, and what was published of them."""
    folder = TemporaryDirectory()
    messages = {}
    for table, game in TABLES.items():
        (path := Path(folder.name) / table).mkdir()
        messages[table] = written(path / "journal.db", game, table, dropped=60)
    return folder, messages


class Floor:
    """Journals of two tables, what a witness has seen of them, and a database."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder, self.database = folder, database
        self.journals = {table: folder / table / "journal.db" for table in TABLES}
        shutil.copytree(made()[0].name, folder, dirs_exist_ok=True)
        self.config = pit_toml(folder, database)
        self.witness()

    def witness(self) -> None:
        seen = {}
        for table, path in self.journals.items():
            base = f"dealer/{SITE}/{table}"
            with closing(open_journal(path)) as journal:
                size, root = journal.tree
                note = Signer(base, bytes(32)).sign(Checkpoint(f"{base}/{journal.name}", size, root).text)
            seen[base] = Seen(str(Signer("witness.example/w1", bytes([1]) * 32).cosign(note, 1_700_000_000)))
        (self.folder / "seen.json").write_bytes(msgspec.json.encode(seen))

    def rebuild(self, *more: str) -> int:
        given = ["--config", str(self.config), "--witnessed", str(self.folder / "seen.json")]
        return main(["rebuild", *given, *map(str, self.journals.values()), *more])


async def receive_all(database: str) -> None:
    """What an archive has that was there all the time."""
    archive = await opened(database)
    for table, payloads in made()[1].items():
        found = [read(SITE, table, payload) for payload in payloads]
        await archive.store(found[: ASIDE - 1])
        await archive.pass_over(found[0].journal, ASIDE + 1)
        await archive.store(found[ASIDE - 1 :])
    await archive.close()


@pytest.fixture
def one_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Journals are verified in this process: where one is changed, and in the first test, processes take a share."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0})


@pytest.fixture
def floor(tmp_path: Path, new_database: str) -> Floor:
    return Floor(tmp_path, new_database)


KEPT = (
    'SELECT site, "table", journal, first, through FROM pit.journals ORDER BY 3',
    "SELECT round, handle, win FROM pit.rounds ORDER BY journal, round",
)


def test_an_empty_database_and_the_journals_make_the_same_archive(
    floor: Floor, another_database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(receive_all(another_database))
    assert floor.rebuild() == 0
    assert kept(floor.database) == kept(another_database) != []
    for query in KEPT:
        assert rows(floor.database, query) == rows(another_database, query) != []
    published = capsys.readouterr().out
    assert published.count("that were witnessed") == 2 and published.count("computed again from the events") == 2
    assert floor.rebuild() == 0
    assert capsys.readouterr().out.count("  0 stored") == 2


@pytest.mark.parametrize("wrong", ["forked", "an older copy", "missing", "changed"])
def test_what_is_not_as_it_was_witnessed_is_not_stored(
    floor: Floor, wrong: str, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> None:
    if wrong != "changed":
        request.getfixturevalue("one_processor")
    path = floor.journals["t-2"]
    if wrong == "missing":
        del floor.journals["t-2"]
    elif wrong == "an older copy":
        shutil.copy(path, floor.folder / "older.db")
        with closing(open_journal(path)) as journal:
            journal.restore()
            journal.commit(Batch(STAMP, [JournalEntry(MessageUntaken(9, "t", "x", "too long"))]))
        floor.witness()
        shutil.copy(floor.folder / "older.db", path)
    elif wrong == "forked":
        content = (floor.folder / "seen.json").read_bytes()
        size = msgspec.json.decode(content)[f"dealer/{SITE}/t-2"]["note"].splitlines()[2]
        (floor.folder / "seen.json").write_bytes(content.replace(size.encode(), b"A" * 43 + b"="))
    else:
        tamper(path, ("UPDATE events SET time = 'then' WHERE id = (SELECT max(id) FROM events)", ()))
    assert floor.rebuild() == 65
    sentence = {
        "forked": "are others than were witnessed",
        "an older copy": "were witnessed: an older copy",
        "missing": "is not among the journals",
        "changed": "is not as it was written",
    }
    refusal = capsys.readouterr().err
    assert refusal.startswith("dealer-pit: ") and sentence[wrong] in refusal
    assert rows(floor.database, "SELECT 1 FROM pg_namespace WHERE nspname = 'pit'") == []


@pytest.mark.usefixtures("one_processor")
async def test_no_one_rebuilds_while_another_process_leads(floor: Floor) -> None:
    async with leading(floor.database):
        assert await asyncio.to_thread(floor.rebuild) == 75


@pytest.mark.usefixtures("one_processor")
def test_the_pot_is_the_same_to_the_unit(floor: Floor, capsys: pytest.CaptureFixture[str]) -> None:
    """Rule 10 of a linked pot."""
    teller = Teller(tables=(f"{SITE}/t-1", f"{SITE}/t-2"))
    first, second = teller.tables
    teller.chips(first, 3)
    teller.chips(second, 5, round=4)
    claim = teller.say(second, Claimed("c", 4, wins((3, "royal_flush"), (4, "flush"))))
    teller.say(second, Paid("c", teller.grant("c").amount))
    teller.chips(first, 4, round=2)
    for table, path in zip(teller.tables, floor.journals.values(), strict=True):
        with closing(open_journal(path)) as journal:
            journal.restore()
            published: list[link.Event] = [*teller.entries[f"{table}-1"]]
            if claim in published:
                published.append(GrantReceived(teller.grant("c")))
            for event in published:
                journal.commit(Batch(STAMP, [JournalEntry(LinkRecorded(event))]))
    floor.witness()
    (floor.folder / "opened.json").write_bytes(msgspec.json.encode(teller.fresh()))
    assert floor.rebuild("--opened", str(floor.folder / "opened.json")) == 0
    pot = teller.ledger.pot
    assert f"link: pot {pot.pot_e4}, reserve {pot.reserve_e4}, " in capsys.readouterr().out
    parts = "pot_e4, reserve_e4, overflow_e4, pending_e4"
    found = rows(floor.database, f"SELECT revision, {parts} FROM pit.link_revisions")
    [(epoch,)] = rows(floor.database, "SELECT epoch FROM pit.leases")
    assert found == [(epoch, pot.pot_e4, pot.reserve_e4, pot.overflow_e4, pot.pending_e4)]
    assert epoch > 10**12, "higher than any that a table has received, or it would be a loss to it"  # type: ignore[operator]
    assert floor.rebuild("--opened", str(floor.folder / "opened.json")) == 65, "the books are not empty any more"

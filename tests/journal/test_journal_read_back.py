"""Rounds and log-ins read back from a journal's file."""

import asyncio
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from controller.__main__ import main
from controller.engine.decisions.deciders import decide
from controller.engine.decisions.session import SignInReceived
from controller.engine.state.applied import Event, apply
from controller.engine.state.events import (
    DeviceReported,
    KeyReleased,
    LockedOut,
    LockLifted,
    RoundAdjusted,
    SignedIn,
    SignedOut,
    SignInEvent,
    SignInRefused,
)
from controller.engine.state.table import Table
from controller.journal import past
from controller.journal.closing import close_segment
from controller.journal.creation import RARE_KINDS, starts_with
from controller.journal.reading import reading
from controller.journal.records import JournalCorrupt, JournalEntry
from controller.queries import rounds
from controller.queries.rounds import last_rounds, rounds_in, rows_of_last
from controller.queries.sign_ins import ages, last_sign_ins, sign_ins_since
from controller.rulebook.events import RoundBegun, RoundConfirmed
from controller.rulebook.results import past_outcome
from controller.runtime.past_rounds import MOST_PAST, PastRounds
from controller.system.times import as_utc
from tests.configured import configured
from tests.engine.playing import IDENTITY, NAMED, Play
from tests.journal.keeping import (
    STAMP,
    batch,
    commit_each,
    entries_of,
    open_journal,
    played,
    tamper,
    write,
    write_entries,
)

ROUNDS = 5
EVERYTHING = 10**9


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of five rounds and one more whose cards are face down."""
    path = tmp_path_factory.mktemp("rounds") / "journal.db"
    write(path, played(ROUNDS))
    return path


CASES = [(100, None, [5, 4, 3, 2, 1]), (2, None, [5, 4]), (2, 4, [3, 2]), (100, 1, []), (1, 6, [5]), (3, 99, [5, 4, 3])]


@pytest.mark.parametrize("page", [1, 7, 500])
@pytest.mark.parametrize(("last", "before", "numbers"), CASES)
def test_as_many_rounds_come_as_are_asked_for_whatever_the_page(
    path: Path, monkeypatch: pytest.MonkeyPatch, page: int, last: int, before: int | None, numbers: list[int]
) -> None:
    monkeypatch.setattr(past, "PAGE", page)
    with reading(path, "simulation") as (events, _):
        rows = rows_of_last(events, EVERYTHING, last, before)
        assert [round.round.id for round in rounds_in(rows, last, before)] == numbers
        assert [row[0] for row in rows] == sorted(row[0] for row in rows)


def test_a_storm_of_other_events_is_not_read_for_ever(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "MOST_ROWS", 40)
    with reading(path, "simulation") as (events, _):
        assert len(rows_of_last(events, EVERYTHING, 100, None)) == 40


def test_no_card_that_is_face_down_is_read_back(path: Path) -> None:
    with reading(path, "simulation") as (events, _):
        rows = rows_of_last(events, EVERYTHING, 1, None)
        begun = max(at for at, row in enumerate(rows) if row[2].startswith(b'{"type":"round_begun"'))
        assert len(rows) - begun > 5
        assert not [row for row in rows[begun:] if NAMED.search(row[2])]


def test_rounds_deep_in_the_past_come_with_what_was_recorded_of_them_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, play = tmp_path / "journal.db", played(9)
    recorded: list[Event] = [
        *(RoundAdjusted(of, 1, 5, "rui", "x", "ana", after_claims=False) for of in (2, 7, 2)),
        KeyReleased(round=3, actor="rui", reason="x", second="ana"),
    ]
    last = [i for i, entry in enumerate(entries_of(play)) if isinstance(entry.event, RoundConfirmed)][6]
    entries = [*entries_of(play)[:last], *(JournalEntry(event=event) for event in recorded), *entries_of(play)[last:]]
    with closing(open_journal(path)) as journal:
        commit_each(journal, entries)
        read_pages = [last_rounds(path, EVERYTHING, IDENTITY, 2, before) for before in (10, 8, 6, 4, 2, 1)]
        monkeypatch.setattr(rounds, "MOST_ROWS", 150)  # a few rounds
        for _ in range(9):
            assert read_pages == [last_rounds(path, EVERYTHING, IDENTITY, 2, before) for before in (10, 8, 6, 4, 2, 1)]
            if (segment := close_segment(path, events=30)) is not None:
                journal.take_up(segment)
                while journal.untidy:
                    journal.forget(0)
    assert [[row.round for row in page["rounds"]] for page in read_pages] == [[9, 8], [7, 6], [5, 4], [3, 2], [1], []]
    pages = [round for page in read_pages for round in page["rounds"]]
    assert {page.round: len(page.adjustments) for page in pages if page.adjustments} == {2: 2, 7: 1}
    assert [page.round for page in pages if page.released] == [3]
    with reading(path, "simulation") as (events, _):
        assert [events.begins(number) for number in (0, 11)] == [None, None]
        segments = [part.segment for part in events.segments if part.segment.says_more]
        assert [part.says_more for part in segments] == [(2, 7)]
        asked = [segments[0].says_no_more(*of) for of in ((1, 2), (1, 3), (7, 8), (8, 9))]
        assert asked == [True, False, False, True]


def test_where_a_round_begins_is_found_among_other_events(tmp_path: Path) -> None:
    noise = [JournalEntry(event=DeviceReported(device="slots", what="noise", details="x", values={"count": 1}))] * 7
    path, entries = tmp_path / "journal.db", list[JournalEntry]()
    for entry in entries_of(played(9)):
        entries += [*noise, entry] if isinstance(entry.event, RoundBegun) else [entry]
    write_entries(path, entries)
    begun = {entry.event.round: at for at, entry in enumerate(entries, start=1) if isinstance(entry.event, RoundBegun)}
    with reading(path, "simulation") as (events, _):
        assert {number: events.begins(number) for number in range(-1, 13)} == {
            number: begun.get(number) for number in range(-1, 13)
        }


def test_what_a_round_says_more_is_found_by_an_index(path: Path) -> None:
    with reading(path, "simulation") as (events, _):
        which = starts_with("body", RARE_KINDS["round_adjusted"])
        [plan] = events._db.execute(f"EXPLAIN QUERY PLAN SELECT id FROM events WHERE id > 9 AND {which}").fetchall()
    assert "USING INDEX events_of_round_adjusted" in plan[3]


# ---- The rounds before on the players' display: read from the journal once, then taken from the table, ten at most.


async def test_rounds_that_were_confirmed_before_the_start_come_back_and_later_ones_follow(tmp_path: Path) -> None:
    path, play = tmp_path / "journal.db", played(3)
    write(path, play)
    read = asyncio.Event()
    past = PastRounds(path, IDENTITY, read.set)
    assert past.shown(EVERYTHING, None) == ()
    await read.wait()
    assert [report.round for report in past.shown(EVERYTHING, None)] == [1, 2, 3]
    for _ in range(9):
        past.take(play.table.round)
        assert play.round.id not in [report.round for report in past.shown(EVERYTHING, None)]
        play.until("claims")
        past.take(play.table.round)
        last = past_outcome(play.report)
        play.until("begin")
        play.to_wagers().bet(1, ante=100)
        play.lock()
    shown = past.shown(EVERYTHING, None)
    assert len(shown) == MOST_PAST and [report.round for report in shown] == list(range(3, 13)) and shown[-1] == last


async def test_a_round_that_is_confirmed_while_the_journal_is_read_is_there_once(tmp_path: Path) -> None:
    path, play = tmp_path / "journal.db", played(2)
    write(path, play)
    while not (play.table.round is not None and play.round.confirmed):
        play.proceed()
    read = asyncio.Event()
    past = PastRounds(path, IDENTITY, read.set)
    assert [report.round for report in past.shown(EVERYTHING, play.table.round)] == [play.round.id]
    await read.wait()
    numbers = [report.round for report in past.shown(EVERYTHING, play.table.round)]
    assert numbers == sorted(set(numbers)) and numbers[-1] == play.round.id


ENTRIES: list[SignInEvent] = [
    SignedIn(name="ana", role="dealer", address="127.0.0.1"),
    SignInRefused(name="rui", role="supervisor", address="127.0.0.1", reason="wrong_pin"),
    SignInRefused(name=None, role=None, address="127.0.0.1", reason="unknown_name"),
    LockedOut(
        name="rui",
        role="supervisor",
        address="127.0.0.1",
        failures=5,
        seconds=300,
        screen="aa",
        screen_persons=("ana",),
    ),
    LockLifted(name="rui", role="supervisor", address="127.0.0.1", actor="sol"),
    SignedOut(name="ana", role="dealer", address="127.0.0.1", how="idle"),
]


def at(second: int) -> datetime:
    return datetime(2026, 1, 2, 3, 4, second, tzinfo=UTC)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal of a little play, and of these entries."""
    path = tmp_path / "state" / "journal.db"
    kept = open_journal(path)
    play = Play().to_wagers()
    kept.commit(batch(entries_of(play)))
    for second, event in enumerate(ENTRIES):
        kept.commit(replace(batch([JournalEntry(event=event)]), stamp=replace(STAMP, time=as_utc(at(second)))))
    kept.close()
    return path


def test_an_entry_becomes_an_event_of_its_own_and_moves_nothing_at_the_table() -> None:
    play = Play().to_wagers()
    for entry in ENTRIES:
        assert decide(play.table, SignInReceived(event=entry), play.settings, {}).events == (entry,)
        assert apply(play.table, entry) == replace(play.table, version=play.table.version + 1)
        assert apply(Table(), entry) == Table(version=1)


def test_the_last_entries_are_read_newest_first(journal: Path) -> None:
    assert [entry.event for entry in last_sign_ins(journal, "simulation", 100)] == ENTRIES[::-1]
    assert [entry.event for entry in last_sign_ins(journal, "simulation", 2)] == ENTRIES[:-3:-1]
    [entry_shown] = [entry.as_published() for entry in last_sign_ins(journal, "simulation", 1)]
    assert entry_shown["what"] == "ended" and entry_shown["name"] == "ana" and entry_shown["how"] == "idle"
    assert entry_shown["time"].endswith("Z") and entry_shown["address"] == "127.0.0.1"


def test_all_of_a_time_are_read_however_many_there_are_and_none_from_before(journal: Path) -> None:
    for number in range(len(ENTRIES) + 1):
        found = [entry.event for entry in sign_ins_since(journal, "simulation", at(number))]
        assert found == ENTRIES[number:][::-1]


def test_how_long_ago_an_entry_was_is_computed_from_its_recorded_time(journal: Path) -> None:
    entries = last_sign_ins(journal, "simulation", 2)
    assert ages(entries, at(len(ENTRIES))) == [(2.0, ENTRIES[-2]), (1.0, ENTRIES[-1])]


def test_an_entry_that_was_changed_is_noticed(journal: Path) -> None:
    rewritten = (
        "UPDATE events SET body = CAST(replace(body, 'ana', 'bia') AS BLOB) WHERE id = (SELECT max(id) FROM events)"
    )
    tamper(journal, (rewritten, ()))
    with pytest.raises(JournalCorrupt, match="hash chain"):
        last_sign_ins(journal, "simulation", 100)


def test_the_command_prints_them_oldest_first(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = configured(journal.parents[1])
    assert main(["entries", "--config", str(config)]) == 0
    lines = capsys.readouterr().out.splitlines()
    expected = (
        "logged in",
        "wrong PIN",
        "a name no one has",
        "locked out for 300 s after 5 wrong PINs, at a screen of ana",
        "lock lifted by sol",
        "nothing done for too long",
    )
    assert len(lines) == len(expected) and all(words in line for words, line in zip(expected, lines, strict=True))
    assert main(["entries", "--json", "--last", "1", "--config", str(config)]) == 0
    assert [entry["what"] for entry in msgspec.json.decode(capsys.readouterr().out)] == ["ended"]
    assert main(["entries", "--config", str(config), "--journal", str(config)]) != 0

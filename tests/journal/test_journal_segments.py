"""Events of closed rounds in segments: everything is read across them, and none is missing or changed unnoticed."""

import hashlib
import json
import os
import signal
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from queue import Queue
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.__main__ import main
from controller.command_line.output import EXIT_TEMPORARY
from controller.engine.decisions.deciders import decide
from controller.engine.decisions.session import SegmentsExpired
from controller.engine.outcomes import NoSlip
from controller.engine.state.alarms import AlarmAcknowledged, AlarmCleared, AlarmRaised
from controller.engine.state.applied import Event, apply
from controller.engine.state.events import DeviceReported, JournalPruned, SignedIn, SignedOut
from controller.engine.state.jackpot import HitPaid
from controller.engine.state.table import Table
from controller.floor.messages import Identity
from controller.journal import auditing, guards, restoring, rows, segments, verifying
from controller.journal import closing as closing_module
from controller.journal.auditing import audit
from controller.journal.closing import SEGMENT_FILES, Closer, close_segment, remove_left_over
from controller.journal.creation import KINDS, RARE_KINDS
from controller.journal.past import Past, head_of, segments_of
from controller.journal.payments import read_payment, read_payments
from controller.journal.pruning import expired, keep_from
from controller.journal.reading import opened_journal, reading
from controller.journal.records import NOTHING, JournalCorrupt, JournalEntry, JournalUnavailable, Stamp
from controller.journal.sealing import Seal
from controller.journal.segments import SegmentReader, SegmentRow
from controller.journal.store import Journal
from controller.journal.verifying import Verifier
from controller.queries import replayed
from controller.queries.alarms import last_alarms
from controller.queries.audited import WantedRounds
from controller.queries.audited import rounds as audited_rounds
from controller.queries.exported import line_rows
from controller.queries.register import register
from controller.queries.rounds import last_rounds
from controller.queries.search import read_query
from controller.queries.shown import round_shown
from controller.queries.sign_ins import last_sign_ins
from controller.queries.slips import numbered_slip
from controller.rulebook.games import GAMES
from tests.engine.playing import Play
from tests.games import FORTUNE_3_2025, TAIWAN_PAI_KAO
from tests.journal.keeping import (
    KEY,
    STAMP,
    batch,
    close_segments,
    commit_each,
    contents,
    entries_of,
    of_itself,
    open_journal,
    played,
    prune,
    record,
    restored,
    tamper,
    write_entries,
)
from tests.journal.recorded.kept import read_journal
from tests.slips.keeping_slips import configuration, paid, time_of
from tests.station.processes import patiently

pytestmark = pytest.mark.long

EVENTS = 30  # of a segment
IDENTITY = Identity(site="hall", table="1", journal="kept", mode="simulation", currency="MOP", exponent=2)
NOISE = DeviceReported(device="slots", what="noise", details="x", values={"count": 1})
EVENTFUL: list[Event] = [
    SignedIn(name="ana", role="dealer", address="127.0.0.1"),
    SignedOut(name="ana", role="dealer", address="127.0.0.1", how="idle"),
    AlarmRaised("device-sign", "device_lost/unplugged", {"device": "sign"}, STAMP.time),
    AlarmCleared("device-sign", STAMP.time),
    *([NOISE] * EVENTS),
    AlarmAcknowledged("device-sign", "rui"),
    DeviceReported(device="shuffler", what="damaged_card", values={"position": 3}),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of rounds, in the middle of one, with checkpoints; most of its events are in segments."""
    path = tmp_path / "journal.db"
    write_closed(path)
    return path


def write_closed(path: Path, stamp: Stamp = STAMP) -> None:
    path.parent.mkdir(exist_ok=True)
    for name, content in closed_files(path.name, stamp).items():
        (path.parent / name).write_bytes(content)


@cache
def closed_files(name: str, stamp: Stamp) -> dict[str, bytes]:
    """The files of such a journal: written once, since that takes longer than most tests of it."""
    with TemporaryDirectory() as directory:
        path = Path(directory, name)
        write_whole(path, stamp)
        return {file.name: file.read_bytes() for file in path.parent.iterdir()}


def write_whole(path: Path, stamp: Stamp) -> None:
    table, due = Table(), 20
    play = played(9)
    entries = entries_of(play)
    with closing(open_journal(path)) as journal:
        for entry, then in pairwise([*entries, of_itself(NOISE)]):
            table = apply(table, entry.event)
            ends = table.version >= due and then.input is not None
            due += 20 * ends
            written = batch([entry], snapshot=table if ends else None, settings=play.settings)
            journal.commit(replace(written, stamp=stamp))
        close_segments(journal, EVENTS)


def files(path: Path) -> list[Path]:
    return sorted(path.parent.glob("*.zst"))


def verify(path: Path) -> None:
    with closing(open_journal(path)) as journal:
        journal.restore()
        Verifier(path, lambda: journal.end, lambda _: None).verify()
    audit(path, "simulation", Seal(KEY), lambda *_: None)


def asked(path: Path, rounds: int) -> list[Any]:
    """Whatever a journal is asked for."""
    mode = "simulation"
    with reading(path, mode) as (past, _):
        events = len(list(past.after(0)))
    answers: list[Any] = [last_rounds(path, events, IDENTITY, 3, before) for before in (None, *range(1, rounds + 2))]
    answers += [[read_payment(path, mode, slip) for slip in range(4)]]
    answers += [last_alarms(path, mode, 100), last_sign_ins(path, mode, 100), read_payments(path, mode)]
    everything = register(path, IDENTITY)
    days = sorted({date.fromisoformat(entry.time[:10]) for entry in everything})
    answers += [round_shown(path, IDENTITY, round, 3600) for round in range(rounds + 2)]
    answers += [everything, *(register(path, IDENTITY, day) for day in days)]
    with reading(path, mode) as (past, _):
        rows = list(past.after(0))
        assert [*past.before(events + 1)] == rows[::-1]
        assert [[*past.after(number)][:1] for number in range(events)] == [[row] for row in rows]
        answers += [rows, [past.round_begun_before(number) for number in range(1, events + 2)]]
    return answers


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=() if game in (FORTUNE_3_2025, TAIWAN_PAI_KAO) else pytest.mark.soak) for game in GAMES],
)
def test_a_journal_of_every_game_answers_the_same_once_it_is_in_segments(game: str, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(read_journal(game).journal)
    table = restored(path).table
    before = asked(path, table.rounds)
    with closing(open_journal(path)) as journal:
        journal.restore()
        journal.commit(batch(snapshot=table))
        close_segments(journal, EVENTS)
    assert len(files(path)) >= 2
    assert asked(path, table.rounds) == before
    assert restored(path).table == table
    verify(path)


def test_slips_alarms_sign_ins_and_the_register_reach_into_the_segments(tmp_path: Path) -> None:
    path, table = tmp_path / "journal.db", Table()
    happened = [*(JournalEntry(event=event) for event in EVENTFUL), *([JournalEntry(event=NOISE)] * 2 * EVENTS)]
    with closing(open_journal(path)) as journal:
        for number, entry in enumerate([*entries_of(paid(2, 1)), *happened], start=1):
            table = apply(table, entry.event)
            stamp = replace(STAMP, time=time_of(number))
            journal.commit(replace(batch([entry], snapshot=table if number % 10 == 0 else None), stamp=stamp))
        before = asked(path, 1)
        close_segments(journal, EVENTS)
    assert asked(path, 1) == before
    assert [entry.event for entry in last_sign_ins(path, "simulation", 100)] == EVENTFUL[1::-1]
    assert [payment.paid.slip for payment in read_payments(path, "simulation")] == [1, 2]
    [alarm] = last_alarms(path, "simulation", 100)
    assert (alarm.alarm, alarm.acknowledged_by) == ("device-sign", "rui")
    assert "alarm_acknowledged" in [entry.kind for entry in register(path, IDENTITY)]
    with opened_journal(path, "simulation") as (db, _):
        kinds = [segment.segment.kinds for segment in Past(path, db).segments]
    assert {kind for found in kinds for kind, count in found.items() if count} == {
        *("alarm", "entry", "hit", "meter_opened", "pot_restarted")
    }
    verify(path)


def test_the_register_after_an_event_reads_no_segment_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.db"
    happened = [*entries_of(paid(2, 1)), *(JournalEntry(event=event) for event in 2 * EVENTFUL)]
    with closing(open_journal(path)) as journal:
        commit_each(journal, happened, every=10)
        close_segments(journal, EVENTS)
    everything = register(path, IDENTITY)
    assert len(everything) == 5 and len(files(path)) == 2
    read: list[int] = []
    rows = SegmentReader.rows

    def watched(self: SegmentReader, after: int = 0) -> Iterator[SegmentRow]:
        read.append(self.segment.last)
        return rows(self, after)

    monkeypatch.setattr(SegmentReader, "rows", watched)
    for number in range(len(happened) + 1):
        read.clear()
        assert register(path, IDENTITY, after=number) == [entry for entry in everything if entry.event > number]
        assert all(last > number for last in read)
        assert read or number


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The last event of each segment of which anything was read, once for each block."""
    read: list[int] = []
    verified = SegmentReader._verified

    def watched(self: SegmentReader, at: int) -> list[SegmentRow]:
        read.append(self.segment.last)
        return verified(self, at)

    monkeypatch.setattr(SegmentReader, "_verified", watched)
    return read


def test_rounds_from_a_time_a_number_or_a_day_on_are_found_without_reading_the_segments_before(
    tmp_path: Path, read: list[int]
) -> None:
    path, table = tmp_path / "journal.db", Table()
    with closing(open_journal(path)) as journal:
        for number, entry in enumerate(entries_of(played(9)), start=1):
            table = apply(table, entry.event)
            stamp = replace(STAMP, time=f"2026-01-{1 + table.rounds:02}T00:00:00.000Z")
            journal.commit(replace(batch([entry], snapshot=table if number % 20 == 0 else None), stamp=stamp))
        close_segments(journal, EVENTS)
    everything = audited_rounds(path, "simulation", WantedRounds(), lambda *_: None)
    assert len(everything) == 10 and len(set(read)) == len(files(path)) > 4
    for round in (2, 5, 9):
        day, before = f"2026-01-{1 + round:02}", everything[round - 2].events[0]
        for wanted in (
            WantedRounds(since=f"{day}T00:00:00.000Z"),
            WantedRounds(query=read_query(f"round>={round}", 2)),
            WantedRounds(query=read_query(f"day>={day}", 2)),  # the clock may have been put back
        ):
            read.clear()
            assert audited_rounds(path, "simulation", wanted, lambda *_: None) == everything[round - 1 :]
            assert all(last >= before for last in read)
        read.clear()
        exported = line_rows(path, IDENTITY, WantedRounds(since=f"{day}T00:00:00.000Z"), lambda *_: None)
        assert {row["round"] for row in exported} == set(range(round, 10))
        assert all(last >= before for last in read)


def test_one_slip_is_found_without_reading_the_segments_that_have_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.db"
    with closing(open_journal(path)) as journal:
        commit_each(journal, [*entries_of(paid(2, 1)), *([JournalEntry(event=NOISE)] * 3 * EVENTS)], every=10)
        close_segments(journal, EVENTS)
    with reading(path, "simulation") as (past, _):
        of_slips = [segment.segment for segment in past.segments if segment.segment.slips]
        assert len(past.segments) > 2 and of_slips
    payments = read_payments(path, "simulation")
    assert [read_payment(path, "simulation", slip) for slip in (1, 2)] == [(payments[0], 2), (payments[1], 2)]
    monkeypatch.setattr(SegmentReader, "rows_of", lambda *_: pytest.fail("a segment is read"))
    assert read_payment(path, "simulation", 3) == (None, 2)
    assert isinstance(numbered_slip(path, IDENTITY, 3), NoSlip)


def test_the_rounds_before_the_oldest_checkpoint_leave_the_file_and_nothing_is_missing(path: Path) -> None:
    play = played(9)
    before = contents(path)
    [oldest, *_] = [event for event, _ in before["snapshots"]]
    live = [row[0] for row in before["events"]]
    assert live[0] <= oldest and live[-1] == len(play.entries)
    assert len(live) < 2 * EVENTS + 10
    with opened_journal(path, "simulation") as (db, _):
        readers = Past(path, db).segments
        ends = [reader.segment.last for reader in readers]
        assert live[0] == ends[-1] + 1
        for reader in readers:
            following = next(Past(path, db).after(reader.segment.last))
            assert following[5].startswith(b'{"type":"round_begun"')
    for _ in range(2):
        found = restored(path)
        assert (found.table, found.vault) == (play.table, play.vault)
    verify(path)


def test_a_round_with_a_storm_in_it_continues_though_its_cards_are_in_a_segment(tmp_path: Path) -> None:
    path, play = tmp_path / "journal.db", played(2)
    with closing(open_journal(path)) as journal:
        journal.commit(batch(entries_of(play), snapshot=play.table))
        commit_each(journal, [JournalEntry(event=NOISE)] * 5 * EVENTS, play.table)
        close_segments(journal, EVENTS)
        assert contents(path)["events"][0][0] > len(play.entries)
    assert restored(path).vault == play.vault != {}
    prune_decided(path)
    assert restored(path).vault == play.vault and expired(path, "2027") is None, "the round is not over"


def test_a_segment_is_text_one_event_a_line(path: Path) -> None:
    lines = segments.zstd.decompress(files(path)[0].read_bytes()).splitlines()
    with opened_journal(path, "simulation") as (db, _):
        [first, *_] = Past(path, db).segments
        assert [msgspec.json.decode(line)[0] for line in lines] == [row[0] for row in first.rows()]
    assert len(lines) > EVENTS // 2


@pytest.mark.parametrize("length", [1 << 20, segments.LONGEST + 1])
def test_no_more_is_decompressed_than_the_length_that_is_known(tmp_path: Path, length: int) -> None:
    bomb = segments.zstd.compress(bytes(64 << 20))
    tracemalloc.start()
    try:
        with pytest.raises(JournalCorrupt, match="has not the length"):
            segments.decompressed(tmp_path / "it", bomb, length)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


def test_an_auditor_without_the_key_decompresses_no_more_of_a_forged_segment_than_it_says(path: Path) -> None:
    with opened_journal(path, "simulation") as (db, _):
        first = segments_of(db)[0]
    file = first.file(path)
    bomb = segments.zstd.compress(bytes(64 << 20))
    index = b"\x5e\x2a\x4d\x18" + len(bomb).to_bytes(4, "little") + bomb
    file.write_bytes(file.read_bytes()[: first.index_at] + index)
    forged = replace(first, size=first.index_at + len(index), index_hash=hashlib.sha256(index).digest())
    tracemalloc.start()
    try:
        with pytest.raises(JournalCorrupt, match="has not the length"):
            SegmentReader(path, forged).block(0)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_segment_is_a_file_and_no_link_or_pipe(path: Path, kind: str) -> None:
    [file, *_] = files(path)
    file.rename(path.parent / "elsewhere")
    if kind == "link":
        file.symlink_to(path.parent / "elsewhere")
    else:
        os.mkfifo(file)
    with pytest.raises((JournalUnavailable, JournalCorrupt)):
        audit(path, "simulation", None, lambda *_: None)


def test_without_a_checkpoint_that_can_be_read_everything_is_folded_across_the_segments(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restoring, "SCHEMA", 99)
    found = restored(path)
    assert found.table == played(9).table and found.snapshot == 0
    files(path)[0].unlink()
    with pytest.raises(JournalCorrupt, match="is missing: it holds events 1 to"):
        restored(path)


def remove(file: Path) -> None:
    file.unlink()


def shorten(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


def exchange(file: Path) -> None:
    other = next(own for own in files(file) if own != file)
    file.write_bytes(other.read_bytes())


@pytest.mark.parametrize("which", [0, -1])
@pytest.mark.parametrize("change", [remove, shorten, exchange])
def test_a_segment_that_is_missing_or_another_is_named_and_the_table_continues(
    path: Path, which: int, change: Any
) -> None:
    file = files(path)[which]
    change(file)
    assert restored(path).table == played(9).table
    with pytest.raises(JournalCorrupt, match=file.name):
        verify(path)
    with pytest.raises(JournalCorrupt, match=file.name):
        audit(path, "simulation", Seal(KEY), lambda *_: None)
    with pytest.raises(JournalCorrupt, match=file.name):
        asked(path, 9)


def test_a_byte_changed_anywhere_in_a_segment_is_noticed(path: Path) -> None:
    file = files(path)[1]
    content = file.read_bytes()
    with opened_journal(path, "simulation") as (db, _):
        segment = Past(path, db).segments[1].segment
    silent = []
    for at in range(0, len(content), 7):
        file.write_bytes(content[:at] + bytes([content[at] ^ 0x10]) + content[at + 1 :])
        reader = SegmentReader(path, segment)
        try:
            rows = [row for block in range(len(reader.index.blocks)) for row in reader.block(block)]
            assert rows[-1][7] == segment.hash
            silent.append(at)
        except JournalCorrupt:
            pass
    assert not silent


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM segments WHERE last = (SELECT min(last) FROM segments)",
        "DELETE FROM segments",
        "UPDATE segments SET about = CAST(replace(about, '\"size\":', '\"size\":1') AS BLOB)",
    ],
)
def test_what_the_journal_knows_of_its_segments_is_guarded(path: Path, change: str) -> None:
    tamper(path, (change, ()))
    with pytest.raises(JournalCorrupt):
        restored(path)


@pytest.mark.parametrize("hidden", [KINDS, RARE_KINDS])
def test_an_index_of_a_segment_that_hides_an_event_is_found(
    path: Path, monkeypatch: pytest.MonkeyPatch, hidden: dict[str, bytes]
) -> None:
    numbers_of = SegmentReader.numbers_of
    monkeypatch.setattr(
        SegmentReader, "numbers_of", lambda self, kind: [] if kind in hidden else numbers_of(self, kind)
    )
    with pytest.raises(JournalCorrupt, match="an index of the events"):
        verify(path)


def test_rows_of_a_segment_that_are_still_in_the_file_are_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "ROWS_AT_ONCE", 7)
    path = tmp_path / "journal.db"
    with closing(open_journal(path)) as journal:
        commit_each(journal, entries_of(played(9)))
        before = asked_of(journal)
        segment = close_segment(path, events=EVENTS)
        assert segment is not None
        assert asked_of(journal) == before, "it was not taken up yet"
        journal.take_up(segment)
        journal.forget(0)
        assert asked_of(journal) == before
    verify(path)


def asked_of(journal: Journal) -> list[Any]:
    with reading(journal.path, "simulation") as (past, _):
        return list(past.after(0))


def test_what_was_written_and_never_taken_up_is_removed(path: Path) -> None:
    known = files(path)
    left = [path.with_name(f"{path.name}{end}") for end in (".000000000999-000000001999.zst", ".segment.new")]
    others = [path.with_name(name) for name in ("other.db.000000000001-000000000002.zst", "journal.db.keep.zst")]
    for file in (*left, *others):
        file.touch()
    remove_left_over(path)
    assert files(path) == sorted([*known, *others])
    assert not any(file.exists() for file in left)


def test_the_closer_writes_one_segment_and_waits_until_it_is_taken_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(closing_module, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(closing_module, "SOON_SECONDS", 0.0)
    monkeypatch.setattr(closing_module, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(closing_module, "EVENTS", EVENTS)
    path = tmp_path / "journal.db"
    written = threading.Semaphore(0)
    with closing(open_journal(path)) as journal:
        commit_each(journal, entries_of(played(9)))

        def take_up(segment: Any) -> None:
            journal.take_up(segment)
            written.release()

        answers: Queue[JournalPruned] = Queue()
        keep_from: list[str | None] = [None]
        closer = Closer(
            path=path,
            files=SEGMENT_FILES,
            close=partial(close_segment, path),
            take_up=take_up,
            taken_up=lambda: journal.segment_taken_up,
            expired=lambda: None if keep_from[0] is None else expired(path, keep_from[0]),
            on_expired=answers.put,
            on_broken=lambda broken: pytest.fail(str(broken)),
            on_defect=lambda defect: pytest.fail(str(defect)),
        )
        closer.start()
        for number in (1, 2, 3):
            assert written.acquire(timeout=60)
            assert len(files(path)) == number
            while journal.untidy:
                journal.forget(0)
        keep_from[0] = "2027-01-01T00:00:00.000Z"

        def is_pruned() -> bool:
            journal.forget(0)  # it may have written one more, which is to be taken up first
            return not answers.empty()

        patiently(is_pruned, 20, "the segments that have expired")
        pruned = answers.get()
        closer.stop()
        assert pruned.first == 1 and 3 <= pruned.segments <= len(files(path)), "it may have continued meanwhile"
    verify(path)


SEAMS = 10**3  # more processes than segments: each border of two is a seam


def why_not(path: Path, processes: int, seal: Seal | None = None) -> str:
    with pytest.raises(JournalCorrupt) as corrupt:
        audit(path, "simulation", seal, lambda *_: None, processes)
    return str(corrupt.value)


def test_several_processes_find_what_one_finds(path: Path, walks: None) -> None:
    alone, answers = audit(path, "simulation", Seal(KEY), lambda *_: None), list[tuple[int, int]]()
    assert audit(path, "simulation", Seal(KEY), lambda *report: answers.append(report), SEAMS) == alone
    assert answers == sorted(answers) and answers[-1] == (alone.events, alone.events)
    with closing(open_journal(path)) as journal:
        journal.restore()
        gone = Past(path, journal._db).segments[2].segment
        record(journal, JournalPruned(1, gone.last, 3, gone.hash.hex(), "2027"))
    alone = audit(path, "simulation", Seal(KEY), lambda *_: None)
    assert audit(path, "simulation", Seal(KEY), lambda *_: None, SEAMS) == alone and alone.pruned == gone.last


def test_two_processes_find_what_one_finds(path: Path) -> None:
    alone = audit(path, "simulation", Seal(KEY), lambda *_: None)
    assert audit(path, "simulation", Seal(KEY), lambda *_: None, 2) == alone
    file = files(path)[-1]
    content = bytearray(file.read_bytes())
    content[20] ^= 1
    file.write_bytes(content)
    assert file.name in why_not(path, 1) == why_not(path, 2)


class Deadly:
    """Work that kills the process it is handed to; nothing here."""

    def __reduce__(self) -> tuple[Callable[[int], None], tuple[int]]:
        return signal.raise_signal, (signal.SIGKILL,)

    def __call__(self, *_: object, **__: object) -> None: ...


@pytest.mark.parametrize(
    ("what", "module", "work", "verdict"),
    [("verify", auditing, "_verified", "good"), ("replay", replayed, "_decided_again", "equal")],
)
def test_where_a_process_dies_the_command_says_that_there_is_no_verdict(
    what: str,
    module: ModuleType,
    work: str,
    verdict: str,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(module, work, Deadly())
    config = configuration(path.parent)
    (path.parent / "state" / "seal.key").write_bytes(KEY)
    asked = ["audit", what, "--config", str(config), "--journal", str(path), "--processes", "2", "--json"]
    assert main(asked) == EXIT_TEMPORARY
    answers = capsys.readouterr()
    assert json.loads(answers.out) == {verdict: None, "reason": "a process of this run died, probably out of memory"}
    assert answers.err == (
        "dealer-station: a process of this run died, probably out of memory. There is no verdict: --processes 1 needs "
        "the least memory.\n"
    )


def test_a_byte_changed_at_a_seam_is_noticed_as_by_one_process(path: Path, walks: None) -> None:
    for file in files(path)[3:5]:
        content = file.read_bytes()
        for at in (*range(0, 12, 3), *range(12, len(content), 199), *range(len(content) - 12, len(content), 3)):
            file.write_bytes(content[:at] + bytes([content[at] ^ 0x10]) + content[at + 1 :])
            assert why_not(path, SEAMS) == why_not(path, 1)
        file.write_bytes(content)
    assert audit(path, "simulation", Seal(KEY), lambda *_: None, SEAMS)


def test_what_was_put_together_of_two_journals_is_noticed_at_the_seam_without_the_key(path: Path, walks: None) -> None:
    other = path.parent / "other" / "journal.db"
    write_closed(other, replace(STAMP, boot="another"))
    put_together(path, other, count=4)
    assert "event 95 is not as it was written (hash chain)" in why_not(path, 1)
    assert "event 94 is not the one that was written (hash chain)" in why_not(path, SEAMS)


def test_a_tree_that_does_not_continue_is_noticed_at_the_seam_without_the_key(path: Path, walks: None) -> None:
    put_together(path, path, count=4, edge=bytes(128))
    assert "the tree up to event 94 is not as it was written" in why_not(path, SEAMS)


def put_together(path: Path, other: Path, count: int, **of_the_last: Any) -> None:
    """So many segments become another journal's, the last of which claims to end as the journal's own does."""
    with opened_journal(path, "simulation") as (db, _), opened_journal(other, "simulation") as (db_of_other, _):
        own, others, head = segments_of(db), segments_of(db_of_other)[:count], head_of(db)
    last = own[count - 1]
    others[-1] = replace(others[-1], **{"hash": last.hash, "edge": last.edge, **of_the_last})
    rows = [(segment.last, msgspec.json.encode(segment)) for segment in (*others, *own[count:])]
    summed = msgspec.json.encode(replace(head, segments_sum=guards.plus(NOTHING, rows)))
    tamper(
        path,
        *(("UPDATE segments SET about = ? WHERE last = ?", (about, last)) for last, about in rows),
        ("UPDATE meta SET value = ? WHERE key = 'head'", (summed,)),
    )
    for segment in others:
        segment.file(path).write_bytes(segment.file(other).read_bytes())


def prune_decided(path: Path) -> JournalPruned:
    """What is from before is pruned, as the table says that it is."""
    with closing(open_journal(path)) as journal:
        table = journal.restore().table
        pruned = prune(journal)
        assert decide(table, SegmentsExpired(event=pruned), Play().settings, {}).events == (pruned,)
        table = apply(table, pruned)
        assert decide(table, SegmentsExpired(event=pruned), Play().settings, {}).events == (), (
            "it was published once more"
        )
    return pruned


def test_pruned_events_are_gone_and_an_event_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = restored(path).table
    with opened_journal(path, "simulation") as (db, _):
        last = Past(path, db).segments[-1].segment
    assert expired(path, "2026") is None
    pruned = prune_decided(path)
    assert (pruned.first, pruned.last, pruned.hash) == (1, last.last, last.hash.hex())
    assert restored(path).table == apply(table, pruned)
    assert len(files(path)) == pruned.segments, "someone may still read them"
    remove_left_over(path)
    assert files(path) == [] and expired(path, "2027") is None
    verify(path)
    assert audit(path, "simulation", None, lambda *_: None).pruned == last.last
    with reading(path, "simulation") as (past, _):
        assert next(past.after(0))[0] == last.last + 1 and [*past.before(10**6)][-1][0] == last.last + 1
    assert [round.round for round in last_rounds(path, table.version, IDENTITY, 100, None)["rounds"]] == [9, 8]
    monkeypatch.setattr(verifying, "_PRUNED", b"x")
    with pytest.raises(JournalCorrupt, match="and no event of it says so"):
        verify(path)
    monkeypatch.setattr(restoring, "SCHEMA", 99)
    with pytest.raises(JournalCorrupt, match="continue with the version that wrote it"):
        restored(path)


def test_what_was_pruned_is_followed_by_more(tmp_path: Path) -> None:
    path, ends = tmp_path / "journal.db", []
    for _ in range(3):
        with closing(open_journal(path)) as journal:
            commit_each(journal, [JournalEntry(event=NOISE)] * 4 * EVENTS, journal.restore().table)
            close_segments(journal, EVENTS)
        ends.append(prune_decided(path))
        remove_left_over(path)
        verify(path)
    assert [end.first for end in ends] == [1, ends[0].last + 1, ends[1].last + 1]


def test_a_walk_continues_behind_what_is_pruned_meanwhile(path: Path) -> None:
    with closing(open_journal(path)) as journal:
        journal.restore()
        end = journal.end
        with opened_journal(path, "simulation") as (db, _):
            walk = verifying.begin_walk(path, db)
            assert verifying.walk_on(path, db, walk, 10)
    prune_decided(path)
    while walk.event < end[0]:
        with opened_journal(path, "simulation") as (db, _):
            assert verifying.walk_on(path, db, walk, min(10, end[0] - walk.event))
    verifying.check_end(path, walk, end)


def test_a_segment_that_continues_from_another_event_than_the_one_before_it_is_named(path: Path) -> None:
    with opened_journal(path, "simulation") as (db, _):
        walk = verifying.begin_walk(path, db)
        while walk.reader is None or walk.event < walk.reader.segment.last:
            verifying.walk_on(path, db, walk, EVENTS)
        walk.hash = bytes(32)
        with pytest.raises(JournalCorrupt, match=f"event {walk.event + 1} is not as it was written"):
            verifying.walk_on(path, db, walk, EVENTS)


def test_a_slip_whose_hit_was_won_before_what_is_kept_is_not_given(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    entries = entries_of(paid(2, 1))
    handed = [number for number, entry in enumerate(entries, start=1) if isinstance(entry.event, HitPaid)]
    write_entries(path, [*entries, *[JournalEntry(event=NOISE)] * 100], snapshot_at=handed[1])
    with closing(open_journal(path)) as journal:
        journal.restore()
        segment = close_segment(path, events=handed[0])
        assert segment is not None and segment.last == handed[0]
        journal.take_up(segment)
        journal.forget(0)
    prune_decided(path)
    assert read_payments(path, "simulation") == []


@pytest.mark.parametrize(
    ("days", "synchronised", "expected"), [(0, True, None), (100, False, None), (100, True, "2026-04-13T12:00:00.123Z")]
)
def test_nothing_is_pruned_by_a_clock_that_no_one_set(days: int, synchronised: bool, expected: str | None) -> None:
    now = Stamp(time="2026-07-22T12:00:00.123Z", boot="b", monotonic_ns=1, synchronised=synchronised)
    assert keep_from(now, days) == expected

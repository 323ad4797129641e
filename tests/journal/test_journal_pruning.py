"""How much of the record goes in a day, and that a wrong clock takes no more; all at once, two persons say so."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.__main__ import main
from controller.commands import journal as command
from controller.config.file import read_config
from controller.engine.state.applied import apply
from controller.engine.state.table import Table
from controller.journal.auditing import audit
from controller.journal.closing import Closer, close_messages
from controller.journal.past import segments_of
from controller.journal.pruning import expired, expired_today, has_jumped, lapsed_today
from controller.journal.records import JournalEntry, Stamp
from controller.journal.sealing import Seal
from controller.journal.sql import snapshot
from controller.journal.store import Journal
from controller.journal.writer import Writer
from controller.runtime import clock
from controller.runtime.clock import Clock
from controller.runtime.upkeep import Upkeep
from controller.system.times import as_utc
from tests.configured import configured
from tests.journal.keeping import KEY, batch, close_segments, open_journal
from tests.journal.test_journal_copies import config, new
from tests.journal.test_journal_segments import EVENTS, NOISE

pytestmark = pytest.mark.long

__all__ = ["config"]

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = 10  # of a segment
HOUR_NS = 3600 * 10**9


def at(days: float, boot: str = "a", hours: float = 0.0, synchronised: bool = True) -> Stamp:
    """So many days after the first event, and so many hours after the computer started."""
    return Stamp(as_utc(BEGAN + timedelta(days=days)), boot, round(hours * HOUR_NS), synchronised)


def write(journal: Journal, segments: int) -> None:
    """So many segments of ten days each, and some events more, all of another boot than those that are asked about."""
    table = Table()
    for number in range((segments + 1) * EVENTS):
        table = apply(table, NOISE)
        kept = batch([JournalEntry(event=NOISE)], [(number + 1, b"{}")], snapshot=table if number % 10 == 9 else None)
        journal.commit(replace(kept, stamp=at(number / EVENTS * DAYS, "long ago")))
    close_segments(journal, EVENTS)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(open_journal(tmp_path / "j.db")) as journal:
        journal.restore()
        write(journal, 12)
        yield journal


def kept(journal: Journal) -> int:
    with snapshot(journal.path) as db:
        return len(segments_of(db))


def prune(journal: Journal, now: Stamp, before: str = "2040") -> int:
    """How many segments go now."""
    found = expired_today(journal.path, before, now)
    if found is None:
        return 0
    journal.commit(replace(batch([JournalEntry(event=found)]), stamp=now))
    return found.segments


def test_a_clock_that_is_years_ahead_takes_a_month_of_the_record_in_a_day(journal: Journal) -> None:
    before = kept(journal)
    assert before == 12 and expired(journal.path, "2040") is not None
    ahead = 3650.0
    assert prune(journal, at(ahead, hours=1)) == 3, "ten days each"
    assert [prune(journal, at(ahead + hours / 24, hours=1 + hours)) for hours in (0.1, 12, 23.9)] == [0, 0, 0]
    assert prune(journal, at(ahead + 1, hours=25)) == 3
    assert prune(journal, at(ahead + 1.5, "b", hours=1)) == 0, "a restart of the computer is no other day"
    assert prune(journal, at(ahead + 2.1, "b", hours=12)) == 3
    assert kept(journal) == before - 9
    audit(journal.path, "simulation", Seal(KEY), lambda *_: None)


def test_a_segment_that_holds_more_than_a_month_goes_by_itself(tmp_path: Path) -> None:
    with closing(open_journal(tmp_path / "j.db")) as journal:
        table = Table()
        for number in range(4 * EVENTS):
            table = apply(table, NOISE)
            snapshot_now = table if number % 10 == 9 else None
            journal.commit(
                replace(batch([JournalEntry(event=NOISE)], snapshot=snapshot_now), stamp=at(number * 3, "b"))
            )
        close_segments(journal, EVENTS)
        assert kept(journal) > 1
        assert prune(journal, at(4000, hours=1)) == 1


def test_nothing_goes_after_the_clock_has_jumped_since_the_computer_started(journal: Journal) -> None:
    right = at(200, hours=1)
    journal.commit(replace(batch([JournalEntry(event=NOISE)]), stamp=replace(right, synchronised=False)))
    journal.commit(replace(batch([JournalEntry(event=NOISE)]), stamp=right))
    assert prune(journal, at(3850, hours=2)) == 0, "ten years in an hour"
    assert prune(journal, at(100, hours=2)) == 0, "back is no better"
    assert prune(journal, at(200 + 1 / 24, hours=2)) == 3


def test_a_clock_that_was_not_synchronised_yet_has_not_jumped(journal: Journal) -> None:
    early = replace(at(-20_000, hours=0.1), synchronised=False)
    journal.commit(replace(batch([JournalEntry(event=NOISE)]), stamp=early))
    assert prune(journal, at(200, hours=1)) == 3


def test_messages_lapse_a_month_a_day_likewise(journal: Journal) -> None:
    last = journal.sequence
    for month in range(4):
        for _ in range(2):
            file = close_messages(journal.path, at(31 * month).time, messages=20)
            assert file is not None
            journal.take_up(file)
            journal.forget(last)
    assert lapsed_today(journal.path, "2020", at(3650, hours=1), ()) == 0
    assert lapsed_today(journal.path, "2040", at(3650, hours=1), ("hall",)) == 0
    gone = lapsed_today(journal.path, "2040", at(3650, hours=1), ())
    assert gone == 40
    journal.drop((gone, at(3650, hours=1)))
    journal.forget(0)
    assert lapsed_today(journal.path, "2040", at(3650.5, hours=13), ()) == 0
    assert lapsed_today(journal.path, "2040", at(3651, hours=25), ()) == 80


def test_a_station_s_clock_notices_that_it_jumps(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = iter(["1970-01-01T00:00:01.000Z", *("2026-01-01T00:00:00.000Z",) * 2, "2036-01-01T00:00:00.000Z"])
    synchronised = iter([False, True, True, True])
    monkeypatch.setattr(clock, "now", lambda: next(shown))
    monkeypatch.setattr(clock, "is_synchronised", lambda: next(synchronised))
    found = Clock()
    assert [found.has_jumped(found.stamp()) for _ in range(4)] == [False, False, False, True]


@pytest.mark.parametrize("jumped", [False, True])
def test_a_station_prunes_what_has_expired_unless_its_clock_has_jumped(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jumped: bool
) -> None:
    file = close_messages(journal.path, at(0).time, messages=20)
    assert file is not None
    journal.take_up(file)
    journal.forget(journal.sequence)
    monkeypatch.setattr(Clock, "stamp", lambda _: at(3650, hours=1))
    monkeypatch.setattr(Clock, "has_jumped", lambda *_: jumped)
    published: list[object] = []
    upkeep = Upkeep(read_config(configured(tmp_path)), Writer(journal, journal.restore()), Clock(), published.append)
    for closer in upkeep._threads[1:]:
        assert isinstance(closer, Closer)
        closer._close()
    journal.forget(0)
    assert ["SegmentsExpired" in repr(sent) for sent in published] == [True] * (not jumped)
    assert journal.oldest_message == (1 if jumped else 21)


@pytest.mark.parametrize(("minutes", "jumped"), [(0, False), (9, False), (-9, False), (11, True), (-11, True)])
def test_a_clock_that_is_corrected_a_little_has_not_jumped(minutes: int, jumped: bool) -> None:
    assert has_jumped(at(0, hours=1), at(1 + minutes / 24 / 60, hours=25)) is jumped


def live(config: Path) -> None:
    """The journal of a live table, with five segments."""
    assert new(config, "rui", "ana") == 0
    with closing(Journal(config.parent / "journal.db", Seal(KEY), "live", create=False)) as journal:
        journal.restore()
        write(journal, 5)


def test_two_persons_prune_all_at_once_and_the_journal_says_who(
    config: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    live(config)
    path = config.parent / "journal.db"

    class Known(Clock):
        def stamp(self) -> Stamp:
            return at(3650, hours=1)

    monkeypatch.setattr(command, "Clock", Known)
    pruned = ["journal", "prune", "--config", str(config), "--before"]
    assert main([*pruned, "2027-01-01", "--by", "rui", "--and", "rui"]) == 2
    assert main([*pruned, "2035-12-01", "--by", "rui", "--and", "ana"]) == 2
    assert "which [journal] keep_days keeps" in capsys.readouterr().err
    assert main([*pruned, "2020-01-01", "--by", "rui", "--and", "ana"]) == 2
    assert "nothing was changed" in capsys.readouterr().err
    assert len(list(config.parent.glob("journal.db.0*.zst"))) == 5
    with closing(Journal(path, Seal(KEY), "live", create=False)):
        assert main([*pruned, "2027-01-01", "--by", "rui", "--and", "ana"]) == 75, "its station runs"
    assert main([*pruned, "2027-01-01", "--by", "rui", "--and", "ana"]) == 0
    assert "keeps no event up to" in capsys.readouterr().out
    assert list(config.parent.glob("journal.db.0*.zst")) == []
    with closing(Journal(path, Seal(KEY), "live", create=False)) as journal:
        restored = journal.restore()
        row = journal.messages(restored.sequence, 1)[0]
    assert b'"approved_by":["rui","ana"]' in row.payload
    assert main(["audit", "verify", "--config", str(config)]) == 0

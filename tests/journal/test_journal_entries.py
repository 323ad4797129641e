"""Who came to the console, read back from a journal's file; the table is as it was."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from controller.__main__ import main
from controller.engine.decisions.deciders import decide
from controller.engine.decisions.session import SignInReceived
from controller.engine.state.applied import apply
from controller.engine.state.events import LockedOut, LockLifted, SignedIn, SignedOut, SignInEvent, SignInRefused
from controller.engine.state.table import Table
from controller.journal.records import JournalCorrupt, JournalEntry
from controller.queries.sign_ins import ages, last_sign_ins, sign_ins_since
from tests.configured import configured
from tests.engine.playing import Play
from tests.journal.keeping import batch, entries_of, open_journal, tamper

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


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal of a little play, and of these entries."""
    path = tmp_path / "state" / "journal.db"
    kept = open_journal(path)
    play = Play().to_wagers()
    kept.commit(batch([*entries_of(play), *(JournalEntry(event=event) for event in ENTRIES)]))
    kept.close()
    return path


def test_an_entry_becomes_an_event_of_its_own_and_moves_nothing_at_the_table() -> None:
    play = Play().to_wagers()
    for entry in ENTRIES:
        assert decide(play.table, SignInReceived(event=entry), play.settings, {}).events == (entry,)
        assert apply(play.table, entry) == msgspec.structs.replace(play.table, version=play.table.version + 1)
        assert apply(Table(), entry) == Table(version=1)


def test_the_last_entries_are_read_newest_first(journal: Path) -> None:
    assert [entry.event for entry in last_sign_ins(journal, "simulation", 100)] == ENTRIES[::-1]
    assert [entry.event for entry in last_sign_ins(journal, "simulation", 2)] == ENTRIES[:-3:-1]
    [entry_shown] = [entry.as_published() for entry in last_sign_ins(journal, "simulation", 1)]
    assert entry_shown["what"] == "ended" and entry_shown["name"] == "ana" and entry_shown["how"] == "idle"
    assert entry_shown["time"].endswith("Z") and entry_shown["address"] == "127.0.0.1"


def test_all_of_a_time_are_read_however_many_there_are_and_none_from_before(journal: Path) -> None:
    [*_, first] = last_sign_ins(journal, "simulation", 100)
    began = datetime.fromisoformat(first.time)
    assert [entry.event for entry in sign_ins_since(journal, "simulation", began)] == ENTRIES[::-1]
    assert sign_ins_since(journal, "simulation", began + timedelta(hours=1)) == []


def test_how_long_ago_an_entry_was_is_computed_from_its_recorded_time(journal: Path) -> None:
    entries = last_sign_ins(journal, "simulation", 2)
    now = datetime(2030, 1, 1, tzinfo=UTC)
    wanted = (now - datetime.fromisoformat(entries[0].time)).total_seconds()
    assert ages(entries, now) == [(wanted, ENTRIES[-2]), (wanted, ENTRIES[-1])]


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

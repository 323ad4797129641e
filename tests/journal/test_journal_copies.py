"""A live journal that is an older copy is refused until two persons decide; backup and restore do it right."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.command_line.exit_codes import EXIT_CONFIGURATION, EXIT_CORRUPT
from controller.engine.state.events import DeviceForgotten, EpochBegun
from controller.journal.closing import close_messages
from controller.journal.records import Epoch, JournalEntry, JournalRewound
from controller.journal.sealing import Seal
from controller.journal.store import Journal
from tests.journal.keeping import batch, entries_of, played
from tests.journal.test_journal_begun import KEY, config, new

__all__ = ["config"]


def opened(path: Path) -> Journal:
    return Journal(path, Seal(KEY), "live", create=False)


def commit(path: Path, *sequences: int) -> str:
    """Messages for the floor; under which name."""
    with closing(opened(path)) as journal:
        journal.restore()
        for number in sequences:
            journal.commit(batch(outbox=[(number, b"%d" % number)]))
        return journal.name


def journal(config: Path, *arguments: str) -> int:
    return main(["journal", arguments[0], "--config", str(config), *arguments[1:]])


PERSONS = ("--by", "rui", "--and", "ana")
BEGAN = JournalEntry(event=EpochBegun(actor="rui", reason="the newest is lost", second="ana", second_role="dealer"))


@pytest.fixture
def path(config: Path) -> Path:
    """A live journal with five messages."""
    assert new(config, "rui", "ana") == 0
    commit(config.parent / "journal.db", 1, 2, 3, 4, 5)
    return config.parent / "journal.db"


def test_a_copy_without_its_log_or_its_mark_does_not_start(
    config: Path, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(opened(path)) as running:
        running.restore()
        content = path.read_bytes()
        running.commit(batch(outbox=[(6, b"6")]))
    path.write_bytes(content)
    assert main(["run", "--config", str(config)]) == EXIT_CORRUPT
    arguments = capsys.readouterr().err
    assert (
        "message 5, and event 0 and message 6 were on the disk" in arguments
        and "dealer-station journal epoch" in arguments
    )
    (path.parent / "journal.db.mark").unlink()
    assert main(["run", "--config", str(config)]) == EXIT_CORRUPT
    assert "has no journal.db.mark beside it" in capsys.readouterr().err
    assert path.read_bytes() == content


def test_two_persons_continue_from_an_older_copy_and_no_id_is_given_twice(
    config: Path, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = commit(path, 6)
    shutil.copy(path, path.parent / "old")
    commit(path, 7, 8)
    assert journal(config, "epoch", *PERSONS) == 2, "it is not rewound"
    shutil.copy(path.parent / "old", path)
    assert journal(config, "epoch", "--by", "rui", "--and", "rui") == 2
    assert journal(config, "epoch", *PERSONS) == 0
    second = commit(path, 7)
    capsys.readouterr()
    assert main(["audit", "verify", "--config", str(config)]) == 0
    assert "continues from a copy after event 0, by rui and ana" in capsys.readouterr().out
    # A copy of the epoch before is none of this one; and another epoch has another name.
    shutil.copy(path.parent / "old", path)
    assert main(["run", "--config", str(config)]) == EXIT_CORRUPT
    assert journal(config, "epoch", *PERSONS) == 0
    assert len({first, second, commit(path, 7)}) == 3


def test_an_epoch_is_under_the_mac(config: Path, path: Path) -> None:
    (path.parent / "journal.db.mark").unlink()
    assert journal(config, "epoch", *PERSONS) == 0
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM meta WHERE key = 'epochs'")
    assert main(["audit", "verify", "--config", str(config)]) == EXIT_CORRUPT


def test_a_backup_beside_the_running_station_is_whole_and_is_restored(
    config: Path, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = path.parent / "backup"
    with closing(opened(path)) as running:
        running.restore()
        running.commit(batch(entries_of(played(1)), outbox=[(6, b"6")]))
        first, events = running.name, running.events
        running.forget(6)
        text = close_messages(path, "2026", messages=3)
        assert text is not None
        running.take_up(text)
        running.forget(6)
        segment = text.file(path)
        content = segment.read_bytes()
        assert journal(config, "backup", str(folder)) == 0
        running.commit(batch(outbox=[(7, b"7")]))
    assert {file.name for file in folder.iterdir()} == {"journal.db", segment.name}
    assert all(file.stat().st_mode & 0o077 == 0 for file in folder.iterdir())
    assert journal(config, "backup", str(folder)) == 75, "nothing is written over a backup"
    assert journal(config, "restore", str(folder), *PERSONS) == 2
    assert "exists already" in capsys.readouterr().err
    for file in (path, segment):
        file.unlink()
    assert journal(config, "restore", str(folder), *PERSONS) == 0
    assert segment.read_bytes() == content
    with closing(opened(path)) as again:
        assert again.restore().sequence == 6 and again.events == events and again.name.startswith(f"{first}.")


def test_a_damaged_backup_or_another_key_restores_nothing(config: Path, path: Path) -> None:
    folder = path.parent / "backup"
    assert journal(config, "backup", str(folder)) == 0
    path.unlink()
    (config.parent / "other.key").write_bytes(bytes(32))
    other = ("--seal-key", str(config.parent / "other.key"))
    assert journal(config, "restore", str(folder), *PERSONS, *other) == EXIT_CONFIGURATION
    with closing(sqlite3.connect(folder / "journal.db")) as db, db:
        db.execute("UPDATE outbox SET payload = x'00' WHERE sequence = 2")
    assert journal(config, "restore", str(folder), *PERSONS) == EXIT_CORRUPT
    assert not path.exists()


def test_an_epoch_that_two_persons_begin_at_the_table_has_another_name_and_what_waits_goes_out_under_it(
    config: Path, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(opened(path)) as running:
        running.restore()
        old = running.name
        running.commit(batch(outbox=[(6, b"6 of " + old.encode()), (7, b"7 of " + old.encode())]), acknowledged=5)
        running.commit(batch([BEGAN], outbox=[(8, b"8 of " + old.encode())]), acknowledged=6)
        new = running.name
        assert new != old and new.startswith(f"{old}.") and running.names == [old, new]
        assert [row.payload for row in running.outbox(6, 9)] == [b"%d of %s" % (at, new.encode()) for at in (7, 8)]
        running.commit(batch(outbox=[(9, b"9")]))
    capsys.readouterr()
    assert main(["audit", "verify", "--config", str(config)]) == 0
    assert "continues from a copy after event 1, by rui and ana" in capsys.readouterr().out


def test_where_the_power_failed_before_its_mark_had_the_new_name_an_epoch_continues(path: Path) -> None:
    mark = path.with_name("journal.db.mark")
    with closing(opened(path)) as running:
        running.restore()
        before = mark.read_bytes()
        running.commit(batch([BEGAN]))
    mark.write_bytes(before)
    assert "." in commit(path, 6)
    # An older copy of the new epoch, and one of the epoch before, are none of it.
    shutil.copy(path, path.parent / "old")
    commit(path, 7)
    shutil.copy(path.parent / "old", path)
    with pytest.raises(JournalRewound, match="message 7 were on the disk"):
        opened(path)


def test_an_epoch_is_not_taken_for_what_continued_without_it(path: Path) -> None:
    mark = path.with_name("journal.db.mark")
    shutil.copy(path, path.parent / "old")
    with closing(opened(path)) as running:
        running.restore()
        running.commit(batch([JournalEntry(event=DeviceForgotten("sign"))] * 2))
    elsewhere = mark.read_bytes()
    mark.unlink()
    shutil.copy(path.parent / "old", path)
    with closing(Journal(path, Seal(KEY), "live", create=False, epoch=Epoch({}, "", "a"))) as running:
        running.restore()
        running.commit(batch([BEGAN]))
    mark.write_bytes(elsewhere)
    with pytest.raises(JournalRewound, match="of the epoch"):
        opened(path)

"""A live journal that is an older copy is refused, and none begins by itself, until two persons decide."""

import json
import os
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.command_line.output import EXIT_CONFIGURATION, EXIT_CORRUPT, EXIT_NO_JOURNAL
from controller.engine.state.events import DeviceForgotten, EpochBegun
from controller.journal.closing import close_messages
from controller.journal.records import Epoch, JournalEntry, JournalRewound, JournalUnavailable, NoJournal
from controller.journal.sealing import Seal
from controller.journal.store import Journal
from tests.journal.keeping import batch, entries_of, played

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


# ---- A live table never begins a journal by itself: two persons do, and the journal says who.


ROOT = Path(__file__).parents[2]
KEY = bytes(range(32))


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """The live table of the example."""
    text = (ROOT / "systemd" / "station.toml").read_text(encoding="utf-8")
    for path in ("/var/lib/dealer-station", "/run/credentials/dealer-station.service"):
        text = text.replace(path, str(tmp_path))
    (tmp_path / "station.toml").write_text(text, encoding="utf-8")
    (tmp_path / "seal.key").write_bytes(KEY)
    (tmp_path / "broker.password").write_text("secret")
    return tmp_path / "station.toml"


def new(config: Path, by: str, second: str) -> int:
    return main(["journal", "new", "--config", str(config), "--by", by, "--and", second])


def refused_start(config: Path, capsys: pytest.CaptureFixture[str]) -> str:
    before = sorted(config.parent.iterdir())
    assert main(["run", "--config", str(config)]) == EXIT_NO_JOURNAL == 66
    assert sorted(config.parent.iterdir()) == before, "nothing was made"
    return capsys.readouterr().err


def test_a_live_table_without_a_journal_does_not_start(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = refused_start(config, capsys)
    assert "journal.db is not there" in output and "dealer-station journal new" in output
    (config.parent / "journal.db").write_bytes(b"")
    assert "or is empty" in refused_start(config, capsys)


def test_the_folder_of_a_disk_that_is_not_mounted_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(NoJournal):
        Journal(tmp_path / "disk" / "j.db", Seal(KEY), "live", create=False)
    assert not (tmp_path / "disk").exists()


def test_two_persons_begin_a_journal_that_says_who_and_a_station_finds_it(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert new(config, "rui", "ana") == 0
    output = capsys.readouterr().out
    path = config.parent / "journal.db"
    with closing(sqlite3.connect(path)) as db:
        [[begun_by]] = db.execute("SELECT value FROM meta WHERE key = 'begun_by'")
    assert json.loads(begun_by)["persons"] == {"rui": "supervisor", "ana": "dealer"}
    assert path.stat().st_mode & 0o077 == 0
    with closing(Journal(path, Seal(KEY), "live", create=False)) as journal:
        assert journal.restore().table.version == 0 and journal.uuid in output
    assert new(config, "rui", "ana") == 2
    assert "exists already" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["run"], ["audit", "verify"]])
def test_another_seal_key_is_a_mistake_of_the_configuration_and_the_right_one_is_named_by_its_check_value(
    config: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    assert new(config, "rui", "ana") == 0
    begun = capsys.readouterr().out
    (config.parent / "seal.key").write_bytes(bytes(32))
    assert main([*command, "--config", str(config)]) == EXIT_CONFIGURATION == 78
    output = capsys.readouterr().err
    [expected] = re.findall("expected one with the check value ([0-9a-f]{12})", output)
    assert f"check value of its seal key: {expected}" in begun


@pytest.mark.parametrize(
    ("by", "second", "reason"),
    [("rui", "rui", "one person"), ("rui", "eve", "eve is not in"), ("ana", "mei", "a supervisor")],
)
def test_one_person_a_stranger_or_no_supervisor_begin_none(
    config: Path, capsys: pytest.CaptureFixture[str], by: str, second: str, reason: str
) -> None:
    assert new(config, by, second) == 2
    assert reason in capsys.readouterr().err and not (config.parent / "journal.db").exists()


def test_a_journal_made_by_hand_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with closing(Journal(tmp_path / "j.db", Seal(KEY), "simulation")) as journal:
            journal.restore()
            journal.commit(batch(outbox=[(1, b"1")]))
            modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("j.db", "j.db-wal", "j.db-shm", "j.db.lock", "j.db.mark"), 0o600)


def test_a_link_in_the_place_of_the_lock_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("kept")
    (tmp_path / "j.db.lock").symlink_to(tmp_path / "precious")
    with pytest.raises(JournalUnavailable, match="cannot be opened"):
        Journal(tmp_path / "j.db", Seal(KEY), "simulation")
    assert (tmp_path / "precious").read_text() == "kept"

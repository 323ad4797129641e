"""A live table never begins a journal by itself: two persons do, and the journal says who."""

import json
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.command_line.exit_codes import EXIT_CONFIGURATION, EXIT_NO_JOURNAL
from controller.journal.records import JournalUnavailable, NoJournal
from controller.journal.sealing import Seal
from controller.journal.store import Journal
from tests.journal.keeping import batch

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

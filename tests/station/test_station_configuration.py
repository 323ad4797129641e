"""Configurations, journals and addresses the daemon cannot work with: one clear line each, and its own exit code."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.configured import configured
from tests.station.journal_eye import fingerprints
from tests.station.processes import Daemon, ended_at_last, lone_daemon
from tests.station.screen import entered, post

TEN_MISTAKES = {
    'mode = "simulation"': 'mode = "simulated"',
    'site = "laptop"': 'site = "lap/top"',
    "seats = 6": "seats = 9",
    'card_source = "shuffler"': 'card_source = "shufler"',
    "max = 1000000": "max = 10",
    "chip = 500": 'chip = "five"',
    "ceiling = 200000000": "ceiling = 1",
    'rui = "supervisor"': 'rui = "boss"',
    'broker = "mqtt:': 'broker = "http:',
    'format = "7E1"': 'format = "6O2"',
}
TEN_KEYS = (
    "mode", "table.site", "table.seats", "table.card_source", "table.limits.max", "jackpot.chip", "jackpot.ceiling",
    "people.rui", "floor.broker", "devices.sign.format",
)  # fmt: skip


def changed(config: Path, changes: dict[str, str]) -> None:
    text = config.read_text()
    for before, after in changes.items():
        assert before in text, before
        text = text.replace(before, after, 1)
    config.write_text(text)


def complaint(daemon: Daemon) -> str:
    text = daemon.log.read_text()
    assert "Traceback" not in text
    return text


def test_all_of_ten_mistakes_are_named_at_once_and_the_exit_is_78(lone: Daemon) -> None:
    changed(lone.config, TEN_MISTAKES)
    lone.start()
    assert lone.wait_exit() == 78
    complaints = complaint(lone)
    named = [line.split(" = ")[0].strip() for line in complaints.splitlines() if line.startswith("  ")]
    assert set(TEN_KEYS) <= set(named), complaints
    assert not (lone.config.parent / "state").exists(), "nothing was made before the configuration was good"


def test_a_file_that_is_not_there_or_no_toml_is_exit_78(lone: Daemon) -> None:
    lone.config.write_text("schema = \x00")
    lone.start()
    assert lone.wait_exit() == 78
    lone.config.unlink()
    lone.start()
    assert lone.wait_exit() == 78
    assert "No such file" in complaint(lone)


def test_a_live_configuration_with_a_simulated_device_is_exit_78(lone: Daemon) -> None:
    changed(lone.config, {'mode = "simulation"': 'mode = "live"'})
    lone.start()
    assert lone.wait_exit() == 78
    assert "simulated device" in complaint(lone)


@pytest.fixture(scope="module")
def closed_journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The state folder of a station that has run a little and was stopped in order."""
    daemon = lone_daemon(tmp_path_factory.mktemp("before"))
    with ended_at_last(daemon):
        daemon.start()
        table = daemon.wait_answering()
        assert post(daemon.address, entered(table, "open_table"))[0] == 200
        assert daemon.terminate() == 0
    return daemon.config.parent / "state"


@pytest.fixture
def state(lone: Daemon, closed_journal: Path) -> Path:
    """That folder as the one of `lone`, to be spoilt."""
    return shutil.copytree(closed_journal, lone.config.parent / "state")


def test_a_live_configuration_refuses_the_journal_of_a_simulation_with_78(lone: Daemon, state: Path) -> None:
    before = fingerprints(state)
    simulated = 'usb_backend = "simulators.usb_backend:open_backend"\nusb_socket = "usb.sock"\n'
    changed(lone.config, {'mode = "simulation"': 'mode = "live"', simulated: ""})
    lone.start()
    assert lone.wait_exit() == 78
    assert "'simulation'" in complaint(lone) and "'live'" in complaint(lone)
    assert fingerprints(state)["journal.db"] == before["journal.db"]


def test_a_journal_of_another_game_is_refused_with_78(lone: Daemon, state: Path) -> None:
    before = fingerprints(state)
    host, port = lone.address
    configured(lone.config.parent, listen=f"{host}:{port}")
    lone.start()
    assert lone.wait_exit() == 78
    assert "a journal of" in complaint(lone) and "fortune-8" in complaint(lone)
    assert fingerprints(state)["journal.db"] == before["journal.db"]


CORRUPTIONS = {
    "an event's text": "UPDATE events SET body = CAST(replace(body, 'ana', 'rui') AS BLOB) "
    "WHERE id = (SELECT max(id) FROM events WHERE instr(body, 'ana'))",
    "no head": "DELETE FROM meta WHERE key = 'head'",
}


@pytest.mark.parametrize("statement", CORRUPTIONS.values(), ids=CORRUPTIONS.keys())
def test_a_corrupt_journal_row_is_exit_65_and_the_file_stays_as_it_is(
    lone: Daemon, state: Path, statement: str
) -> None:
    sound = fingerprints(state)
    with closing(sqlite3.connect(state / "journal.db")) as file, file:
        assert file.execute(statement).rowcount >= 1
    before = fingerprints(state)
    assert before["journal.db"] != sound["journal.db"]
    lone.log.write_text("")
    lone.start()
    assert lone.wait_exit() == 65
    complaints = complaint(lone)
    assert (
        len(complaints.strip().splitlines()) == 1 and "journal.db" in complaints and "Nothing was changed" in complaints
    ), complaints
    assert fingerprints(state)["journal.db"] == before["journal.db"]
    assert not (state / "journal.db-wal").exists() or (state / "journal.db-wal").stat().st_size == 0


def test_a_journals_file_that_is_no_database_is_exit_65_and_it_stays_as_it_is(lone: Daemon, state: Path) -> None:
    content = b"\xa5" * 12 + (state / "journal.db").read_bytes()[12:]
    (state / "journal.db").write_bytes(content)
    lone.log.write_text("")
    lone.start()
    assert lone.wait_exit() == 65, lone.log.read_text()
    assert "journal.db" in complaint(lone)
    assert (state / "journal.db").read_bytes() == content


def test_a_second_daemon_on_the_same_journal_is_exit_75_and_the_first_continues(lone: Daemon, tmp_path: Path) -> None:
    lone.start()
    lone.wait_answering()
    (tmp_path / "second").mkdir()
    second = lone_daemon(tmp_path / "second")
    journal = tmp_path / "state" / "journal.db"
    changed(second.config, {'path = "state/journal.db"': f'path = "{journal}"'})
    with ended_at_last(second):
        second.start()
        assert second.wait_exit() == 75
    complaints = complaint(second)
    assert len(complaints.strip().splitlines()) == 1 and f"in use by process {lone.pid} (" in complaints, complaints
    assert "Stop the program that has it" in complaints and "disk" not in complaints, complaints
    assert lone.wait_answering()["open"] is False


def test_a_taken_console_address_is_exit_69_and_names_it(lone: Daemon, tmp_path: Path) -> None:
    lone.start()
    lone.wait_answering()
    (tmp_path / "second").mkdir()
    second = lone_daemon(tmp_path / "second")
    mine, others = (f"127.0.0.1:{daemon.address[1]}" for daemon in (second, lone))
    changed(second.config, {mine: others})
    with ended_at_last(second):
        second.start()
        assert second.wait_exit() == 69
    complaints = complaint(second)
    assert len(complaints.strip().splitlines()) == 1 and others in complaints, complaints
    assert f"in use by process {lone.pid} (" in complaints

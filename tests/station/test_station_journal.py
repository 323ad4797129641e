"""A journal that was put back, or that another program cuts while the table plays."""

import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.command_line.output import EXIT_CORRUPT
from controller.journal.high_water import HighWaterFile
from controller.tlog.notes import Signer
from tests.station.floor_ear import BASE, FloorEar
from tests.station.forked import Forked
from tests.station.processes import END_SECONDS, Daemon, Mosquitto, ended_at_last, fast_table, lone_daemon, patiently
from tests.station.screen import active_alarms, entered, get_table, post, request

SECONDS = 20.0
STATION, WITNESS = Signer(BASE, bytes([7]) * 32), Signer("witness.example/w1", bytes([8]) * 32)


@pytest.fixture
def station(tmp_path: Path, broker: Mosquitto) -> Iterator[Daemon]:
    daemon = lone_daemon(tmp_path, broker.url)
    (tmp_path / "checkpoint.key").write_text(STATION.private)
    signed = f'\n[checkpoint]\nkey_file = "checkpoint.key"\nwitnesses = ["{WITNESS.coverifier}"]\n'
    daemon.config.write_text(daemon.config.read_text(encoding="utf-8") + signed, encoding="utf-8")
    with ended_at_last(daemon):
        yield daemon


@contextmanager
def witness(folder: Path, broker: Mosquitto) -> Iterator[Forked]:
    (folder / "witness.key").write_text(WITNESS.private)
    (folder / "witness.toml").write_text(
        f'[floor]\nbroker = "{broker.url}"\nprotocol = "5"\n'
        f'[witness]\nkey_file = "witness.key"\nstate_file = "seen.json"\ntables = ["{STATION.verifier}"]\n'
    )
    with (folder / "witness.err").open("ab") as log:
        process = Forked("controller", "witness", "--config", str(folder / "witness.toml"), stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.kill()
        process.wait(END_SECONDS)


def ran(station: Daemon, *kinds: str) -> None:
    """Let it run, with these inputs, and stop."""
    station.start()
    station.wait_answering()
    for kind in kinds:
        status, answer = post(station.address, entered(get_table(station.address), kind))
        assert status == 200, answer
    assert station.terminate() == 0


def cosigned(station: Daemon) -> float:
    """When the witness has cosigned last, 0 as long as the station knows of nothing."""
    _, body = request(station.address, "GET", "/metrics")
    name = f'dealer_station_cosigned_timestamp_seconds{{witness="{WITNESS.name}"}} '
    return float((re.findall(rf"^{re.escape(name)}(.+)$", body.decode(), re.M) or ["0"])[0])


def test_a_witness_cosigns_what_continues_and_refuses_a_journal_that_was_put_back(
    tmp_path: Path, station: Daemon, broker: Mosquitto
) -> None:
    began = int(time.time())
    ran(station, "open_table")
    shutil.copytree(tmp_path / "state", tmp_path / "copy")
    ran(station, "close_table")
    with witness(tmp_path, broker) as process:
        station.start()
        station.wait_answering()
        patiently(lambda: cosigned(station), SECONDS, "a cosignature")
        assert began <= cosigned(station) <= time.time() and "witness" not in active_alarms(get_table(station.address))
        assert station.terminate() == 0

        shutil.rmtree(tmp_path / "state")
        shutil.copytree(tmp_path / "copy", tmp_path / "state")
        station.start()
        station.wait_answering()
        patiently(lambda: "witness" in active_alarms(get_table(station.address)), SECONDS, "the alarm")
        patiently(lambda: "rewound" in (tmp_path / "witness.err").read_text(), SECONDS, "the refusal")
        process.terminate()
        assert process.wait(END_SECONDS) == EXIT_CORRUPT
    complaint = (tmp_path / "witness.err").read_text()
    assert re.search(rf"{BASE}: it was rewound from \d+ events to \d+", complaint), complaint


def test_a_station_whose_log_is_cut_ends_with_65_and_publishes_nothing_more(tmp_path: Path, broker: Mosquitto) -> None:
    journal = tmp_path / "state" / "journal.db"
    with fast_table(tmp_path, "--broker", broker.url) as (bench, daemon):
        daemon.start()
        with FloorEar(broker.port) as ear:
            bench.wait_rounds(2, 30)
            os.truncate(journal.with_name("journal.db-wal"), 0)
            assert daemon.wait_exit() == 65
            ear.catch_up()
        log = daemon.log.read_text()
        assert "journal.db-wal was cut or overwritten" in log and "Traceback" not in log, log
        mark = HighWaterFile(journal).read()
        assert mark is not None
        published = [json.loads(message.payload) for message in ear.messages if message.payload]
        numbers = [int(message["sequence"]) for message in published if "sequence" in message]
        assert numbers and max(numbers) <= mark.sequence, "more was published than was certainly written"
        daemon.start()
        assert daemon.wait_exit() == 65, "an older journal is continued"

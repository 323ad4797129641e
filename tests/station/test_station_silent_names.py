"""A station, a witness or a pit stops on a signal while the resolver gives no answer."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.station.processes import fast_table, patiently
from tests.station.silent_names import SILENT, silent_names

SECONDS = 20.0
PIT = f"""
[archive]
name = "pit-1"
database = "host={SILENT} dbname=pit"
[floor]
broker = "mqtt://{SILENT}"
"""


def test_a_station_stops_while_neither_its_broker_nor_its_sign_has_an_address(tmp_path: Path) -> None:
    environment, asked = silent_names(tmp_path / "names")
    with fast_table(tmp_path / "table", "--rounds", "1", service=True) as (bench, daemon):
        text = bench.config.read_text()
        [broker] = [line for line in text.splitlines() if line.startswith("broker = ")]
        text = text.replace(broker, f'broker = "mqtt://{SILENT}"').replace(
            'port = "sign"', f'port = "socket://{SILENT}:1"'
        )
        assert text.count(SILENT) == 2
        bench.config.write_text(text)
        daemon._environment |= environment
        daemon.start()
        daemon.wait_answering()
        patiently(asked.exists, SECONDS, "the resolver")
        assert daemon.terminate() == 0
        assert "Traceback" not in daemon.log.read_text()


def test_a_pit_stops_while_neither_its_database_nor_its_broker_has_an_address(tmp_path: Path) -> None:
    environment, asked = silent_names(tmp_path / "names")
    (tmp_path / "pit.toml").write_text(PIT)
    with subprocess.Popen(
        [sys.executable, "-m", "controller.pit", "run", "--config", tmp_path / "pit.toml"],
        env={**os.environ, **environment},
        stderr=subprocess.PIPE,
        text=True,
    ) as pit:
        patiently(lambda: asked.exists() or pit.poll() is not None, SECONDS, "the resolver")
        pit.send_signal(signal.SIGTERM)
        try:
            _, complaint = pit.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            pit.kill()
            pytest.fail("it does not stop")
    assert pit.returncode == 0 and "Traceback" not in complaint, complaint

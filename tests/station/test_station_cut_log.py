"""A log of the journal that another program cuts while the table plays: the station ends before it publishes more."""

import json
import os
from pathlib import Path

from controller.journal.high_water import HighWaterFile
from tests.station.floor_ear import FloorEar
from tests.station.processes import Mosquitto, fast_table


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

"""A recording played through ptys into a daemon that is a process of its own, and what it informed the floor."""

import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from simulators.station_toml import read_setting
from tests.recordings.one_file import unpack
from tests.recordings.what_was_published import END, Message, messages
from tests.station.floor_ear import FloorEar
from tests.station.forked import Forked
from tests.station.processes import Daemon, Mosquitto, ended_at_last

READY_SECONDS = 100.0
PUBLISHED_SECONDS = 100.0


@dataclass(frozen=True, slots=True)
class Replayed:
    """How it went; `published` has what came up to the closing of the table."""

    exit_code: int
    complaint: str
    published: list[Message]
    log: str


def replay(
    recording: Path, directory: Path, *options: str, seconds: float = 120.0, program: str = "tests.recordings.patient"
) -> Replayed:
    """Play a recording in `directory`, which must be empty, to a station that is this program."""
    broker = Mosquitto(directory / "broker")
    table = directory / "table"
    command = ["play", str(recording), "--dir", str(table), *options, "--broker", broker.url]
    printed, stdout = os.pipe()
    with ended_at_last(broker), tempfile.TemporaryFile() as complaints, open(printed, encoding="utf-8") as lines:
        broker.start()
        ear = FloorEar(broker.port)
        with open(stdout, "wb") as output:
            player = Forked("simulators", *command, stdout=output, stderr=complaints)

        def complaint() -> str:
            complaints.seek(0)
            return complaints.read().decode()

        try:
            if not lines.readline().startswith("ready "):
                return Replayed(player.wait(READY_SECONDS), complaint(), [], "")
            config = table / "station.toml"
            config.write_text(f"{config.read_text()}\n[recorder]\n")
            setting = read_setting(config)
            daemon = Daemon(config, (setting.host, setting.port), program=program)
            with ended_at_last(daemon):
                daemon.start()
                code = player.wait(seconds)
                if code == 0:
                    ear.wait(
                        lambda messages_seen: any(message.topic == END for message in messages_seen),
                        PUBLISHED_SECONDS,
                        "the table's closing",
                    )
                daemon.terminate()
            return Replayed(code, complaint(), messages(ear.messages), daemon.log.read_text())
        finally:
            player.kill()
            ear.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        recording = unpack(sys.argv[1], Path(folder) / "recording")
        replayed = replay(recording, Path(folder), *sys.argv[2:])
        print(replayed.exit_code, replayed.complaint, len(replayed.published), f"{time.monotonic() - began:.1f} s")

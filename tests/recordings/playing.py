"""A recording as one text, played through ptys into a daemon of its own, and what is compared of the messages."""

import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulators.station_toml import read_setting
from tests.station.floor_ear import BASE, FloorEar, Published, sequenced
from tests.station.forked import Forked
from tests.station.processes import Daemon, Mosquitto, ended_at_last

FOLDER = Path(__file__).parent
SUFFIX = ".recording"
NAME, NAME_END = "==> ", " <==\n"


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob(f"*{SUFFIX}"))


def pack(folder: Path, name: str) -> int:
    """Keep the files of a folder as the recording of this name; its length in octets."""
    files = sorted(folder.iterdir())
    text = "".join(f"{NAME}{file.name}{NAME_END}{file.read_text(encoding='utf-8')}" for file in files)
    return (FOLDER / f"{name}{SUFFIX}").write_text(text, encoding="utf-8")


def unpack(name: str, folder: Path) -> Path:
    """Write the files of a recording into a folder, which is made."""
    folder.mkdir()
    text = (FOLDER / f"{name}{SUFFIX}").read_text(encoding="utf-8")
    for part in text.removeprefix(NAME).split(f"\n{NAME}"):
        file, _, content = part.partition(NAME_END)
        (folder / file).write_text(content.removesuffix("\n") + "\n", encoding="utf-8")
    return folder


# Another in every run, or measured by a clock: what is left is what the wires and the law made of it.
VOLATILE = frozenset({"sequence", "time", "began", "confirmed", "outage_ms", "tries", "journal"})
END = f"{BASE}/events/table_closed"
ALARMS = f"{BASE}/events/alarm_"

Message = tuple[str, dict[str, Any]]
Sequences = dict[str, list[dict[str, Any]]]


def messages(published: Iterable[Published]) -> list[Message]:
    """Topic and data of events and rounds up to the closing of the table; then only wires are pulled.

    Alarms follow from the links and reports that are among them, and whether one was over as someone acknowledged it
    is a matter of milliseconds.
    """
    found = []
    for topic, envelope in sequenced(published):
        if topic.startswith(ALARMS):
            continue
        found.append((topic.removeprefix(f"{BASE}/"), _steady(envelope["data"])))
        if topic == END:
            break
    return found


def _steady(data: dict[str, Any]) -> dict[str, Any]:
    steady = {key: value for key, value in data.items() if key not in VOLATILE}
    if isinstance(steady.get("reason"), str):
        # The path of a port is of this run's folder; a hang-up is an error or an end, as the kernel comes to it.
        words = [word for word in steady["reason"].split() if not word.startswith("/")]
        reason = " ".join(words).removesuffix(" (Input/output error)")
        steady["reason"] = re.sub(r"for [\d.]+ s$", "for some time", reason)
    return steady


def _is_noise(topic: str, data: dict[str, Any]) -> bool:
    return topic == "events/device_reported" and data.get("what") == "noise"


def by_topic(published: Iterable[Message]) -> Sequences:
    """One sequence for each topic, of links and reports for each device.

    Their order across topics is not the wires' alone: the slots' answer crosses from a thread of its own, the sign is
    up when a packet has left, and the floor when its broker has answered, each some milliseconds sooner or later. Noise
    is reported once a second, as much as there was by then: only that there was some is compared.
    """
    sequences: Sequences = {}
    for topic, data in published:
        device = data.get("device")
        sequence = sequences.setdefault(topic if device is None else f"{topic} {device}", [])
        if not _is_noise(topic, data):
            sequence.append(data)
        elif not any(_is_noise(topic, earlier) for earlier in sequence):
            sequence.append({**data, "text": "bytes made no message"})
    return sequences


def write_expected(path: Path, published: Iterable[Message]) -> None:
    """One message a line."""
    lines = [json.dumps({"topic": topic, "data": data}, ensure_ascii=False) + "\n" for topic, data in published]
    path.write_text("".join(lines), encoding="utf-8")


def read_expected(path: Path) -> list[Message]:
    """What `write_expected` wrote."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(line["topic"], line["data"]) for line in map(json.loads, lines)]


READY_SECONDS = 100.0
PUBLISHED_SECONDS = 100.0


@dataclass(frozen=True, slots=True)
class Replayed:
    """How it went; `published` has what came up to the closing of the table."""

    exit_code: int
    complaint: str
    published: list[Message]
    log: str


def replay(recording: Path, directory: Path, *options: str, seconds: float = 120.0) -> Replayed:
    """Play a recording in `directory`, which must be empty, to a station whose drivers wait longer."""
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
            daemon = Daemon(config, (setting.host, setting.port), program="tests.recordings.patient")
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

"""What a table informed the floor, as it can be compared with another run of the same wires."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.station.floor_ear import BASE, Published, sequenced

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

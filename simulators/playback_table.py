"""The station.toml of a played recording: the recorded one, with wires, journal, broker and screen of its own."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from simulators import broker as brokers
from simulators.devices.make import SORTS, SimulatedMake, make_of
from simulators.playback_file import SCREEN, BadRecording, WireRecording
from simulators.station_toml import TOML, read_setting

HEADING = re.compile(r"\[([\w.-]+)\]")
KEY = re.compile(r"([\w-]+)\s*=")


@dataclass(frozen=True, slots=True)
class PlayWishes:
    """The wishes of the command line. `speed` 1 is the original speed, None as fast as causality allows."""

    recording: Path
    directory: Path
    speed: float | None
    broker: str


def furnish(wishes: PlayWishes, wires: list[WireRecording]) -> brokers.Mosquitto | brokers.Amqtt | None:
    """Write station.toml unless there is one, and name the broker it speaks of, if it is ours to start."""
    path = wishes.directory / TOML
    mosquitto = brokers.find_mosquitto()
    if not path.exists():
        ours = f"mqtt://127.0.0.1:{brokers.free_port()}"
        text = table_toml(
            (wishes.recording / TOML).read_text(encoding="utf-8"),
            {wire.name: _keys(wire) for wire in wires if wire.name != SCREEN},
            ours if wishes.broker in ("auto", "none") else wishes.broker,
            brokers.Amqtt.protocol if wishes.broker == "auto" and mosquitto is None else None,
            f"127.0.0.1:{brokers.free_port()}",
        )
        path.write_text(text, encoding="utf-8")
        (wishes.directory / "state").mkdir(exist_ok=True)
    if wishes.broker != "auto":
        return None
    port = int(read_setting(path).broker.rpartition(":")[2])
    return brokers.Mosquitto(mosquitto, wishes.directory, port) if mosquitto else brokers.Amqtt(port)


def make_of_wire(wire: WireRecording) -> SimulatedMake:
    """The make of a wire. Raises BadRecording if it is not on the bench."""
    try:
        return make_of(SORTS[wire.name], wire.device)
    except KeyError:
        raise BadRecording(f"{wire.name}: no make {wire.device} is on the bench") from None


def _keys(wire: WireRecording) -> Mapping[str, str]:
    """The keys with which the station finds the wire."""
    return make_of_wire(wire).played_at or {"port": wire.name}


def table_toml(text: str, wires: dict[str, Mapping[str, str]], broker: str, protocol: str | None, listen: str) -> str:
    """Rewrite a station.toml; `wires` are the recorded ones with their keys."""
    given: dict[str, dict[str, str]] = {
        "journal": {"path": "state/journal.db", "seal_key_file": "state/seal.key"},
        "floor": {"broker": broker},
        "console": {"listen": listen},
    }
    if protocol is not None:
        given["floor"]["protocol"] = protocol
    dropped = {"floor": {"username", "password_file"}}
    given |= {f"devices.{name}": dict(keys) for name, keys in wires.items()}
    lines = []
    section = ""
    for line in text.splitlines():
        if found := HEADING.match(line):
            section = found[1]
            lines.append(line)
            lines += [f'{key} = "{content}"' for key, content in given.get(section, {}).items()]
            continue
        key = KEY.match(line)
        if key is None or key[1] not in {*given.get(section, ()), *dropped.get(section, ())}:
            lines.append(line)
    return "\n".join(lines) + "\n"

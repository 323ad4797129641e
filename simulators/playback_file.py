"""A recording as `dealer-station --record` leaves it: one file of JSON lines for each wire, read into entries."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SCHEMA = 1
SUFFIX = ".wire"
SCREEN = "screen"


class BadRecording(Exception):
    """The files are not a recording, or cannot be played; the text names the file and line."""


@dataclass(frozen=True, slots=True)
class WireEntry:
    """One line of a wire. `source` is device, host, link or screen; fields that do not apply are empty."""

    wire: str
    line: int
    t: float
    source: str
    octets: bytes = b""
    edge: str = ""
    by: str = ""
    body: Any = None
    status: int = 0

    @property
    def place(self) -> str:
        """The path of the file."""
        return f"{self.wire}{SUFFIX} line {self.line}, at {self.t:.6f} s"


@dataclass(slots=True)
class WireRecording:
    """One file: its first line, and the entries in the order of their times."""

    name: str
    device: str
    port: str
    entries: list[WireEntry] = field(default_factory=list)


def read_recording(directory: Path) -> list[WireRecording]:
    """Every wire of a recording. Raises BadRecording, OSError."""
    wires = [_read_wire(path) for path in sorted(directory.glob(f"*{SUFFIX}"))]
    if not wires:
        raise BadRecording(f"{directory} holds no *{SUFFIX}")
    return wires


def _read_wire(path: Path) -> WireRecording:
    texts = path.read_text(encoding="utf-8").split("\n")
    texts.pop()  # nothing, or the line in the middle of which the recording was killed
    wire: WireRecording | None = None
    for number, text in enumerate(texts, 1):
        try:
            content = json.loads(text)
            if wire is None:
                if content["schema"] != SCHEMA:
                    raise BadRecording(f"{path}: schema {content['schema']}, not {SCHEMA}")
                wire = WireRecording(path.stem, content["device"], content.get("port", ""))
            else:
                wire.port = wire.port or content.get("port", "")
                wire.entries.append(_read_entry(path.stem, number, content))
        except (ValueError, KeyError, TypeError) as mistake:
            raise BadRecording(f"{path} line {number}: {type(mistake).__name__} {mistake}") from None
    if wire is None:
        raise BadRecording(f"{path} is empty")
    wire.entries.sort(key=lambda entry: entry.t)  # a request is written once it is answered, with the time it came
    return wire


def _read_entry(wire: str, line: int, content: dict[str, Any]) -> WireEntry:
    return WireEntry(
        wire=wire,
        line=line,
        t=content["t"],
        source=content["from"],
        octets=bytes.fromhex(content.get("hex", "")),
        edge=content.get("edge", ""),
        by=content.get("by", ""),
        body=content.get("body"),
        status=content.get("status", 0),
    )

"""A recording of a device's wire, as text that its owner reads and sends: a header, octets both ways, what they mean.

    # recording of a device's wire, version 1
    # driver: angel-eye                 and the other keys of `RecordingHeader`, in their order
    0.000 open tty baud=4800 format=8N1
    0.012 > 02 4f 50 4c 4b 30 31 03 31 38                  the host sent this
    0.020 < 06                                             the device sent this
    = CommandAccepted                                      which is this, by the codec
    1.500 closed host the recording is over
    end 3c81…                                              SHA-256 of all lines before

No I/O here but in `read_file`. Octets of a device are decoded line by line, from an `open` to the next.
"""

import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any

from drivers.make import Blot, Decode, DeviceMake
from drivers.tap import End

FIRST = "# recording of a device's wire, version 1"
CONSENT = ("public", "private")
BLOTTED, CLEAR, NO_CARDS = "blotted", "clear", "none"
LONGEST_FILE = 8_000_000  # octets
LONGEST_LINE = 4000  # characters
OCTETS_OF_A_LINE = 1024
_EDGE = re.compile(r"(\d{1,7}\.\d{3}) (open|refused|closed) (\S.*)")
_OCTETS = re.compile(r"(\d{1,7}\.\d{3}) ([<>])((?: [0-9a-f]{2})+)")
_MESSAGE = re.compile(r"= \w+(?: .+)?")
_END = re.compile(r"end [0-9a-f]{64}")


class BadRecording(Exception):
    """The file is not a recording; the text names the line, what was expected there, and what was found."""


@dataclass(frozen=True, slots=True)
class RecordingHeader:
    """The header of a recording. Each value is one line of text. `when` is a time of ISO 8601, `cards` says whether
    cards can be read.
    """

    driver: str
    model: str
    firmware: str
    by: str
    when: str
    consent: str
    done: str
    cards: str


@dataclass(frozen=True, slots=True)
class RecordedLine:
    """A line, with the messages that the recording has below it. `source` is device or host; else it is an `edge`."""

    line: int
    at: float
    source: str = ""
    octets: bytes = b""
    edge: str = ""
    words: str = ""
    messages: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class DeviceRecording:
    """A recording. `sum_is_right` is false if it was changed after it was written."""

    header: RecordingHeader
    entries: tuple[RecordedLine, ...]
    sum_is_right: bool


def named(message: object) -> tuple[str, dict[str, Any]]:
    """The name and fields of a codec's output, cards among them; for a frame those of the message in it."""
    inner = getattr(message, "message", message)
    number = getattr(message, "sequence", None)
    numbered = {} if number is None else {"number": number}
    values = asdict(inner) if is_dataclass(inner) and not isinstance(inner, type) else {}
    return type(inner).__name__, numbered | values


def message_text(message: object) -> str:
    """A message as a recording has it, without ``=``.

    >>> from drivers.messages import CardDrawn
    >>> message_text(CardDrawn("8s"))
    'CardDrawn card="8s"'
    """
    name, values = named(message)
    text = " ".join([name, *(f"{key}={json.dumps(value)}" for key, value in values.items())])
    return text[: LONGEST_LINE // 2]


class RecordingWriter:
    """Writes the lines of one recording, as a Tap of its wire or by calls with times; `write` gets each line.

    The device's octets are blotted first if the header says so, and decoded as they are written. After `write` raises
    OSError, or near LONGEST_FILE, only the end is written, and `stopped` has the reason.
    """

    def __init__(
        self,
        write: Callable[[str], object],
        header: RecordingHeader,
        make: DeviceMake,
        clock: Callable[[], float],
    ) -> None:
        self.stopped = ""
        self.octets = {"device": 0, "host": 0}
        self._write, self._make, self._clock = write, make, clock
        self._header = header
        self._sum, self._length = hashlib.sha256(), 0
        self._order = threading.Lock()
        self._began = clock()
        self._begin()
        self._line(FIRST)
        for key, value in asdict(header).items():
            self._line(f"# {key}: {value}")

    def opened(self, port: str, settings: Mapping[str, int | str]) -> None:
        with self._order:
            self._begin()
            self._edge("open", " ".join([port, *(f"{key}={value}" for key, value in settings.items())]))

    def refused(self, reason: str) -> None:
        with self._order:
            self._edge("refused", reason)

    def closed(self, by: End, reason: str) -> None:
        with self._order:
            self._edge("closed", f"{by} {reason}")

    def sent(self, octets: bytes) -> None:
        with self._order:
            self._octets("host", ">", octets)

    def received(self, octets: bytes) -> None:
        with self._order:
            self._octets("device", "<", self._blot(octets))

    def end(self) -> None:
        """The last line."""
        with self._order:
            self._write_line(f"end {self._sum.hexdigest()}")
            self.stopped = self.stopped or "it is ended"

    def _begin(self) -> None:
        self._decode, self._blot = codec_of(self._make), _blot_of(self._header, self._make)

    def _octets(self, source: str, sign: str, octets: bytes) -> None:
        self.octets[source] += len(octets)
        for at in range(0, len(octets), OCTETS_OF_A_LINE):
            piece = octets[at : at + OCTETS_OF_A_LINE]
            self._line(f"{self._now()} {sign} {piece.hex(' ')}")
            if source == "device":
                for message in self._decode(piece):
                    self._line(f"= {message_text(message)}")

    def _edge(self, edge: str, words: str) -> None:
        self._line(f"{self._now()} {edge} {_printable(words)}")

    def _now(self) -> str:
        return f"{self._clock() - self._began:.3f}"

    def _line(self, text: str) -> None:
        if not self.stopped and self._length + len(text) > LONGEST_FILE - LONGEST_LINE:
            self.stopped = f"it is as long as a recording may be, {LONGEST_FILE} octets"
        if not self.stopped:
            self._write_line(text)

    def _write_line(self, text: str) -> None:
        octets = text.encode() + b"\n"
        try:
            self._write(text + "\n")
        except OSError as error:
            self.stopped = error.strerror or "it cannot be written"
        self._length += len(octets)
        self._sum.update(octets)


def read_file(path: Path) -> DeviceRecording:
    """Raises BadRecording, and OSError."""
    with path.open("rb") as file:
        octets = file.read(LONGEST_FILE + 1)
    if len(octets) > LONGEST_FILE:
        raise BadRecording(f"expected at most {LONGEST_FILE} octets")
    return read_text(octets)


def read_text(octets: bytes) -> DeviceRecording:
    """Raises BadRecording."""
    try:
        lines = octets.decode().split("\n")
    except UnicodeDecodeError as error:
        raise BadRecording(f"expected UTF-8; octet {error.start} is none") from None
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE or not line.isprintable():
            raise BadRecording(f"line {number}: expected at most {LONGEST_LINE} characters that can be printed")
    keys = [key.name for key in fields(RecordingHeader)]
    _expect(lines, 0, re.compile(re.escape(FIRST)), FIRST)
    head = [re.compile(rf"# {key}: (\S.*)") for key in keys]
    header = RecordingHeader(*(_expect(lines, at, head[at - 1], f"# {key}: TEXT")[1] for at, key in enumerate(keys, 1)))
    _among(keys.index("consent") + 2, header.consent, CONSENT)
    _among(keys.index("cards") + 2, header.cards, (BLOTTED, CLEAR, NO_CARDS))
    entries: list[RecordedLine] = []
    for at in range(1 + len(keys), len(lines) - 1):  # the last line ends too
        line = lines[at]
        if _END.fullmatch(line):
            if lines[at + 1 :] != [""]:
                raise BadRecording(f"line {at + 2}: expected nothing behind the end")
            before = "\n".join(lines[:at]) + "\n"
            return DeviceRecording(header, tuple(entries), line == f"end {hashlib.sha256(before.encode()).hexdigest()}")
        entry = _entry(at + 1, line)
        if entry is None:
            if not _MESSAGE.fullmatch(line) or not entries or entries[-1].source != "device":
                raise BadRecording(
                    f"line {at + 1}: expected a time with open, refused, closed, > or <, or = below a line with <"
                )
            entries[-1].messages.append(line.removeprefix("= "))
        elif entries and entry.at < entries[-1].at:
            raise BadRecording(f"line {at + 1}: expected a time from {entries[-1].at:.3f} on")
        else:
            entries.append(entry)
    raise BadRecording("expected a last line `end` with a sum: this recording was cut off")


def replay_differences(recording: DeviceRecording, make: DeviceMake) -> Iterator[str]:
    """Each place where the present codec gives another message, or where the recording was changed."""
    if not recording.sum_is_right:
        yield "the sum in the last line is another: a line was changed after it was written"
    decode, blot, pending = codec_of(make), _blot_of(recording.header, make), b""
    for entry in recording.entries:
        if entry.edge == "open":
            decode, blot, pending = codec_of(make), _blot_of(recording.header, make), b""
        elif entry.source == "device":
            found = [message_text(message) for message in decode(entry.octets)]
            if found != entry.messages:
                yield f"line {entry.line}: the codec gives {found or 'nothing'}, the recording has {entry.messages}"
            pending, blotted = pending + entry.octets, blot(entry.octets)
            if not pending.startswith(blotted):
                yield f"line {entry.line}: a card can be read, though the header has cards: {BLOTTED}"
            pending = pending[len(blotted) :]


def codec_of(make: DeviceMake) -> Decode:
    """A new codec, as at an opening; for a device that sends nothing, one that decodes nothing."""
    return make.codec() if make.codec is not None else lambda octets: ()


def _blot_of(header: RecordingHeader, make: DeviceMake) -> Blot:
    return make.blot() if header.cards == BLOTTED and make.blot is not None else bytes


def _entry(number: int, line: str) -> RecordedLine | None:
    if found := _OCTETS.fullmatch(line):
        source = "device" if found[2] == "<" else "host"
        return RecordedLine(number, float(found[1]), source=source, octets=bytes.fromhex(found[3]))
    if found := _EDGE.fullmatch(line):
        return RecordedLine(number, float(found[1]), edge=found[2], words=found[3])
    return None


def _expect(lines: list[str], at: int, form: re.Pattern[str], expected: str) -> re.Match[str]:
    found = form.fullmatch(lines[at]) if at < len(lines) else None
    if found is None:
        raise BadRecording(f"line {at + 1}: expected {expected}")
    return found


def _among(line: int, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise BadRecording(f"line {line}: expected one of {', '.join(known)}, not {value}")


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)[: LONGEST_LINE // 2] or "-"

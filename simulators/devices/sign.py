"""A progressive sign: its memory, and what a viewer reads on it."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from simulators.devices.sign_protocol import PacketReader, Page, SignCommand, pages_of
from simulators.devices.spoiling import Report, ignored

BAUD = 9600
PRIORITY = "0"
PRIORITY_BYTES = 125
STRING_BYTES = 125
MEMORY_RECORD = 11  # label, type, protection, size (4 hex), times (4 hex)
NAK = b"\x15"


@dataclass(slots=True)
class SignFile:
    """A file of the sign's memory: TEXT (A) or STRING (B), its size in bytes, and its content."""

    kind: str
    size: int
    content: bytes = b""


class SimulatedSign:
    """A simulated Alpha sign; it never answers. `shown` is called with the visible text at each change; the clock only
    ends packets.

    `pages` are shown in turn. `transmit` is the wire back to the host, which only faults use; `report` is called when
    one strikes.
    """

    def __init__(self, shown: Callable[[str], None], address: str = "00") -> None:
        self.readable = ""
        self.pages: list[Page] = []
        self.transmit: Callable[[bytes], None] = lambda chunk: None
        self.report: Report = ignored
        self._shown = shown
        self._address = address.encode("ascii")
        self._reader = PacketReader(self._address)
        self._naks = 0
        self._memory_lost = False
        self._files: dict[str, SignFile] = {}
        self._sequence: str = ""
        self._priority = b""
        self._forget()

    def lose_memory(self) -> None:
        """Loses its memory, as after a battery failure: one empty TEXT file, nothing to show."""
        if not self._memory_lost:
            self._memory_lost = True
            self.report("memory_lost", True)
        self._forget()

    def restart(self) -> None:
        """Restarts after a power loss: dark for a moment, a packet in progress is lost; the battery keeps the
        memory.
        """
        self.report("restart", True)
        self._reader = PacketReader(self._address)
        if self.readable:
            self.readable = ""
            self._shown("")
        self._look()

    def refuse(self, packets: int = 1) -> None:
        """Answers the next packets with NAK, although they are accepted."""
        self._naks += packets

    def receive(self, chunk: bytes) -> None:
        """Bytes from the host."""
        commands = self._reader.feed(chunk, time.monotonic())
        if commands and self._naks:
            self._naks -= 1
            self.report("nak", True)
            self.transmit(NAK)
        for command in commands:
            match command.code:
                case "A":
                    self._write_text(command.content)
                case "G":
                    self._write_string(command.content)
                case "E":
                    self._special(command)
            self._look()

    def _forget(self) -> None:
        self._files = {"A": SignFile("A", 256)}
        self._sequence = "A"
        self._priority = b""
        self._look()

    def _write_text(self, content: bytes) -> None:
        label, text = content[:1].decode("latin-1"), content[1:]
        if label == PRIORITY:
            self._priority = text[:PRIORITY_BYTES]
        elif (file := self._files.get(label)) and file.kind == "A" and len(text) <= file.size:
            file.content = text

    def _write_string(self, content: bytes) -> None:
        label, text = content[:1].decode("latin-1"), content[1:]
        file = self._files.get(label)
        if file and file.kind == "B" and len(text) <= min(file.size, STRING_BYTES):
            file.content = text

    def _special(self, command: SignCommand) -> None:
        kind, rest = command.content[:1], command.content[1:]
        if kind == b"$":
            self._configure(rest.decode("latin-1"))
        elif kind == b"." and rest[:1] in (b"T", b"S", b"D"):
            self._sequence = rest[2:].decode("latin-1")

    def _configure(self, records: str) -> None:
        """Divide the memory again, which empties every file."""
        self._files = {}
        self._sequence = ""
        for start in range(0, len(records) - MEMORY_RECORD + 1, MEMORY_RECORD):
            record = records[start : start + MEMORY_RECORD]
            try:
                size = int(record[3:7], 16)
            except ValueError:
                return
            self._files[record[0]] = SignFile(record[1], size)
            if record[1] == "A":
                self._sequence += record[0]
        if self._memory_lost:
            self._memory_lost = False
            self.report("memory_lost", False)

    def _look(self) -> None:
        pages = list(pages_of(self._priority, self._string))
        if not pages:
            texts = [file for label in self._sequence if (file := self._files.get(label)) and file.kind == "A"]
            pages = [page for file in texts for page in pages_of(file.content, self._string)]
        self.pages = pages
        readable = " | ".join(page.words for page in pages)
        if readable != self.readable:
            self.readable = readable
            self._shown(readable)

    def _string(self, label: str) -> bytes:
        file = self._files.get(label)
        return file.content if file and file.kind == "B" else b""

"""The Alpha sign protocol as a sign reads it: packets off the wire, and the pages in its TEXT and STRING files. No I/O
here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

NUL, SOH, STX, ETX, EOT = 0x00, 0x01, 0x02, 0x03, 0x04
SILENCE_SECONDS = 1.0  # more between two bytes ends the packet
ALL_TYPES = b"Z!?"
LONGEST_PACKET = 8192  # bytes


@dataclass(frozen=True, slots=True)
class SignCommand:
    """One command of a packet: its code letter and what follows."""

    code: str
    content: bytes


class PacketReader:
    """Collects packets for one address; everything else passes unreported, and bad checksums are dropped silently."""

    def __init__(self, address: bytes = b"00") -> None:
        self._address = address
        self._packet: bytearray | None = None
        self._nuls = 0
        self._last_byte = 0.0

    def feed(self, chunk: bytes, now: float) -> list[SignCommand]:
        """The commands completed by `chunk`, received at `now` (seconds of any steady clock)."""
        if now - self._last_byte > SILENCE_SECONDS:
            self._packet = None
            self._nuls = 0
        self._last_byte = now
        commands: list[SignCommand] = []
        for byte in chunk:
            if byte == NUL:
                self._nuls += 1
                self._packet = None
            elif byte == SOH:
                self._packet = bytearray() if self._nuls >= 1 else None
                self._nuls = 0
            elif self._packet is None:
                self._nuls = 0
            elif byte == EOT:
                commands += self._open(bytes(self._packet))
                self._packet = None
            elif len(self._packet) < LONGEST_PACKET:
                self._packet.append(byte)
        return commands

    def _open(self, packet: bytes) -> list[SignCommand]:
        kind, address, fields = packet[:1], packet[1:3], packet[3:]
        wanted = bool(kind) and kind in ALL_TYPES and address in (self._address, b"00", b"??")
        if not wanted or fields[:1] != bytes([STX]):
            return []
        commands = []
        for part in fields[1:].split(bytes([STX])):
            body, end, checksum = part.partition(bytes([ETX]))
            if body and (not end or checksum == packet_sum(body)):
                commands.append(SignCommand(chr(body[0]), body[1:]))
        return commands


def packet_sum(body: bytes) -> bytes:
    """The checksum of a field: 16 bits, from its STX to its ETX, as four upper-case hex digits."""
    return b"%04X" % ((STX + sum(body) + ETX) & 0xFFFF)


RED, GREEN, AMBER = "red", "green", "amber"
HOLD, ROTATE = "b", "a"

_MODE, _NEW_PAGE, _NEW_LINE, _CALL_STRING, _EXTENDED, _COLOUR = 0x1B, 0x0C, 0x0D, 0x10, 0x08, 0x1C
_COLOURS = {b"1": RED, b"2": GREEN, b"3": AMBER}
_ARGUMENTS = {
    0x05: 1, 0x06: 1, 0x07: 1, _EXTENDED: 1, 0x0B: 1, _CALL_STRING: 1, 0x14: 1, 0x1A: 1, _MODE: 2, _COLOUR: 1,
    0x1D: 2, 0x1E: 1,
}  # fmt: skip
_SPECIAL = b"n"  # a mode that is followed by one letter more
_EXTENDED_OFFSET = 0x60  # 08 20 is character 80, on a wire of seven bits


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of one colour."""

    text: str
    colour: str


@dataclass(slots=True)
class Page:
    """The text that is shown at one time, in the order written; `mode` is the protocol's letter."""

    mode: str = HOLD
    runs: list[Run] = field(default_factory=list)

    @property
    def words(self) -> str:
        """All readable text of the page, with single spaces."""
        return " ".join("".join(run.text for run in self.runs).split())


def pages_of(text: bytes, string: Callable[[str], bytes]) -> Iterator[Page]:
    """The pages of a TEXT on which something can be read; `string` gives the STRING of a label, which may be empty.

    Positions and speeds leave no trace. A colour holds until the next; the first is red.
    """
    page, colour = Page(), RED
    for code, argument in _codes(text):
        if code in (_MODE, _NEW_PAGE):
            if page.words:
                yield page
            page = Page(argument[1:2].decode("latin-1") if code == _MODE else page.mode)
        elif code == _CALL_STRING:
            for inner, its in _codes(string(argument.decode("latin-1"))):
                colour = _write(page, inner, its, colour)
        else:
            colour = _write(page, code, argument, colour)
    if page.words:
        yield page


def _codes(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Each character or code, with its octets."""
    position = 0
    while position < len(content):
        code = content[position]
        end = position + 1 + _ARGUMENTS.get(code, 0)
        if code == _MODE and content[end - 1 : end] == _SPECIAL:
            end += 1
        yield code, content[position + 1 : end]
        position = end


def _write(page: Page, code: int, argument: bytes, colour: str) -> str:
    """Write a character on the page, if it is one; the colour from here on."""
    if code == _COLOUR:
        return _COLOURS.get(argument, colour)
    if code == _NEW_LINE:
        page.runs.append(Run(" ", colour))
    elif code == _EXTENDED:
        page.runs.append(Run(bytes(byte + _EXTENDED_OFFSET for byte in argument).decode("cp437"), colour))
    elif code >= 0x20:
        page.runs.append(Run(bytes([code]).decode("cp437"), colour))
    return colour

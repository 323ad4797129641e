"""Packets of the Alpha sign protocol as a sign takes them off the wire. No I/O here."""

from dataclasses import dataclass

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
        for field in fields[1:].split(bytes([STX])):
            body, end, checksum = field.partition(bytes([ETX]))
            if body and (not end or checksum == packet_sum(body)):
                commands.append(SignCommand(chr(body[0]), body[1:]))
        return commands


def packet_sum(body: bytes) -> bytes:
    """The checksum of a field: 16 bits, from its STX to its ETX, as four upper-case hex digits."""
    return b"%04X" % ((STX + sum(body) + ETX) & 0xFFFF)

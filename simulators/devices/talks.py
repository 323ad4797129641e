"""What hosts send on each kind of serial wire, and whether it equals the recording. No I/O here.

A talk takes bytes and gives statements. The recording's talk gives the expected statements with their places; the talk
of the present host says whether an expected one was sent. The number of repeats by a clock may differ, as on a busy
machine.
"""

from collections.abc import Sequence
from typing import ClassVar

from simulators.devices import shoe_frames, shuffler_frames
from simulators.devices.sign_protocol import PacketReader
from simulators.playback_wire import Statement

IDLE_PROBE_SECONDS = 4.0  # a RESEND after so long a silence asks whether the shuffler is there, and nothing more


class ShufflerTalk:
    """The host's statements to a shuffler. Repeated orders count once, and acknowledgements are cumulative."""

    skips: ClassVar = False
    answers: ClassVar = b""

    def __init__(self) -> None:
        self._reader = shuffler_frames.FrameReader()
        self._orders: set[str] = set()
        self._resends = 0
        self._acknowledged: int | None = None

    def receive(self, octets: bytes, silence: float = 0.0) -> list[Statement]:
        statements = []
        for frame in self._reader.feed(octets):
            payload = frame.payload
            match frame.kind:
                case shuffler_frames.ACK:
                    number = self._acknowledged = int.from_bytes(payload, "big")
                    statements.append(Statement(f"ACK {number}", "ack", number))
                case shuffler_frames.RESEND:
                    self._resends += 1
                    text = f"RESEND {payload[:4].hex()} from {int.from_bytes(payload[4:], 'big')}"
                    probe = self._resends > 1 and silence >= IDLE_PROBE_SECONDS
                    statements.append(Statement(text, "resend", self._resends, probe))
                case shuffler_frames.SHUFFLE:
                    statements.append(self._order(f"SHUFFLE {int.from_bytes(payload, 'big')}"))
                case shuffler_frames.DISPENSE:
                    statements.append(self._order(f"DISPENSE {int.from_bytes(payload[:4], 'big')}, {payload[4]} cards"))
                case shuffler_frames.LOCK:
                    statements.append(self._order("LOCK"))
                case shuffler_frames.UNLOCK:
                    statements.append(self._order("UNLOCK"))
        return statements

    def has_sent(self, wanted: Statement) -> bool:
        match wanted.kind:
            case "ack":
                acknowledged = self._acknowledged
                return acknowledged is not None and (acknowledged - wanted.number) % 65536 < 32768
            case "resend":
                return self._resends >= wanted.number
        return wanted.text in self._orders

    def greeted(self, octets: bytes) -> None:
        """After HELLO the numbers may be another machine's, and the host acknowledges again."""
        pieces = filter(None, octets.split(b"\0"))
        if any(frame and frame.kind == shuffler_frames.HELLO for frame in map(shuffler_frames.decode, pieces)):
            self._acknowledged = None

    def _order(self, text: str) -> Statement:
        self._orders.add(text)
        return Statement(text, "order")


class ShoeTalk:
    """The host's statements to a shoe: every command in its turn."""

    skips: ClassVar = False
    answers: ClassVar = bytes((shoe_frames.ACK, shoe_frames.NAK))

    def __init__(self) -> None:
        self._reader = shoe_frames.CommandReader()
        self._commands: list[str] = []

    def receive(self, octets: bytes, silence: float = 0.0) -> list[Statement]:
        statements = []
        for command in self._reader.feed(octets):
            text = f"{command.letters}{command.number:02}" if not isinstance(command, int) else f"mistake {command:02x}"
            self._commands.append(text)
            statements.append(Statement(text, "command", len(self._commands)))
        return statements

    def has_sent(self, wanted: Statement) -> bool:
        return self._commands[wanted.number - 1 : wanted.number] == [wanted.text]

    def greeted(self, octets: bytes) -> None:
        pass


class SignTalk:
    """The host's statements to a sign: in the end memory, run sequence and its pages. Which outdated ones are sent
    depends on the clock.
    """

    skips: ClassVar = True
    answers: ClassVar = b""

    def __init__(self) -> None:
        self._reader = PacketReader(b"00")
        self._sent: set[str] = set()

    def receive(self, octets: bytes, silence: float = 0.0) -> list[Statement]:
        commands = self._reader.feed(octets, 0.0)
        if octets and not commands:  # a host sends whole packets
            return [Statement(f"octets {octets.hex()}", "unread")]
        statements = []
        for command in commands:
            kind = f"{command.code}{command.content[:1].decode('latin-1')}"
            text = "an amount" if command.code == "G" else f"{command.code} {command.content!r}"
            self._sent.add(text)
            statements.append(Statement(text, kind))
        return statements

    def has_sent(self, wanted: Statement) -> bool:
        return wanted.text in self._sent

    def greeted(self, octets: bytes) -> None:
        pass


def lasting(statements: Sequence[Statement]) -> list[Statement]:
    """The last texts that a sign was sent, of each kind; without pages that are in no run sequence."""
    last = {statement.kind: statement for statement in statements}
    sequence = last["E."].text if "E." in last else ""
    return [message for kind, message in last.items() if kind[0] != "A" or kind[1:] in sequence.rpartition("U")[2]]

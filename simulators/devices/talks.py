"""What a host says on each kind of serial wire, and when that is what it reported in the recording. No I/O here.

A talk is fed with bytes and gives statements. The recording's own talk gives the statements that are wanted, each with
its place; the talk of the host that listens now says whether a wanted one has been reported. Repeats by a clock may be
more or fewer: a busy machine is no other host.
"""

from dataclasses import dataclass
from typing import ClassVar, Protocol

from simulators.devices import shoe_frames, shuffler_frames
from simulators.devices.sign_packets import PacketReader

IDLE_PROBE_SECONDS = 4.0  # a RESEND after so long a silence asks whether the shuffler is there, and nothing more


@dataclass(frozen=True, slots=True)
class Statement:
    """`text` for a complaint; `count`: which one of its kind since the opening; `optional`: a mere probe."""

    text: str
    kind: str
    number: int = 0
    optional: bool = False


class Talk(Protocol):
    """The host's half of a conversation, begun again at each opening.

    Where the host `skips`, it may leave out what is overtaken, so that nothing but the last conversation is waited for.
    """

    skips: ClassVar[bool]

    def receive(self, octets: bytes, silence: float = 0.0) -> list[Statement]:
        """The statements completed by these bytes; `silence`: seconds since the device's last ones."""
        ...

    def has_sent(self, wanted: Statement) -> bool:
        """Whether it has been reported since the opening."""
        ...

    def greeted(self, octets: bytes) -> None:
        """The device has just been played as reporting this."""
        ...


class ShufflerTalk:
    """Orders count once however often they are repeated, acknowledgements are cumulative."""

    skips: ClassVar = False

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
    """Every command in its turn."""

    skips: ClassVar = False

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
    """Memory, pages and run sequence are reported in any case; which amounts are overtaken is the clock's choice."""

    skips: ClassVar = True

    def __init__(self) -> None:
        self._reader = PacketReader(b"00")
        self._sent: set[str] = set()

    def receive(self, octets: bytes, silence: float = 0.0) -> list[Statement]:
        statements = []
        for command in self._reader.feed(octets, 0.0):
            amount = command.code == "G"
            text = f"{command.code} {command.content!r}"
            self._sent.add("amount" if amount else text)
            statements.append(Statement("an amount" if amount else text, "amount" if amount else "text"))
        return statements

    def has_sent(self, wanted: Statement) -> bool:
        return ("amount" if wanted.kind == "amount" else wanted.text) in self._sent

    def greeted(self, octets: bytes) -> None:
        pass

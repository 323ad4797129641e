"""The shuffler link's frames: COBS around version, type, sequence, payload and CRC (README.md). No I/O here."""

import binascii
import struct
from dataclasses import dataclass
from typing import Final, Literal

from cobs import cobs

from drivers.faults import LineNoise
from drivers.messages import (
    CardDispensed,
    CardsInserted,
    Cleared,
    DamagedCard,
    DeckChecked,
    Jammed,
    LidClosed,
    LidOpened,
    Message,
    Misread,
    PacketDispensed,
    ShuffleDone,
    ShufflerHello,
    ShufflerState,
    ShufflerStatus,
    ShuffleStarted,
)

BAUD: Final = 115200  # 8N1
VERSION: Final = 1
LONGEST_FRAME = 531  # COBS of a HELLO whose two texts have 255 characters: 528 octets and 3 of overhead

_HELLO = 0x01
_ACK, _RESEND, _SHUFFLE, _DISPENSE, _LOCK, _UNLOCK = 0x81, 0x82, 0x83, 0x84, 0x85, 0x86
_MODES: dict[int, Literal["batch", "continuous"]] = {1: "batch", 2: "continuous"}
_STATES: dict[int, ShufflerState] = {0: "idle", 1: "shuffling", 2: "ready", 3: "dispensing", 4: "jammed"}
_RANKS = "A23456789TJQK"
_SUITS = "cdhs"
_CARDS = {suit << 4 | rank + 1: _RANKS[rank] + _SUITS[suit] for suit in range(4) for rank in range(13)}


@dataclass(frozen=True, slots=True)
class Hello:
    """HELLO; `next_sequence` is the number the machine's next message will have."""

    next_sequence: int
    message: ShufflerHello


@dataclass(frozen=True, slots=True)
class Numbered:
    """Any other message of the machine, with its number."""

    sequence: int
    message: Message


Received = Hello | Numbered | LineNoise


class ShufflerCodec:
    """The host's side of the link. `receive` accepts octets in any pieces and never raises."""

    def __init__(self) -> None:
        self._frame = bytearray()
        self._overlong = False
        self._sent = 0

    def receive(self, octets: bytes) -> list[Received]:
        """Returns what these octets complete. A frame that is incomplete, wrong or unknown is LineNoise, with its
        00.

        >>> [packet] = ShufflerCodec().receive(bytes.fromhex("03 01 05 02 0a 01 09 0c 05 03 31 1d 0a 74 82 00"))
        >>> packet.sequence, packet.message.order, packet.message.cards
        (10, 3077, ('As', 'Kd', 'Tc'))
        """
        found: list[Received] = []
        *ended, rest = octets.split(b"\0")
        for piece in ended:
            self._take(piece, found)
            if self._overlong:
                self._overlong = False
                _add_noise(found, 1)
            elif self._frame:
                received = _decode(bytes(self._frame))
                if received is None:
                    _add_noise(found, len(self._frame) + 1)
                else:
                    found.append(received)
                self._frame.clear()
        self._take(rest, found)
        return found

    def ack(self, sequence: int) -> bytes:
        """Everything up to and including `sequence` is durable at the host."""
        return self._host_frame(_ACK, struct.pack(">H", sequence))

    def resend(self, boot: int, sequence: int) -> bytes:
        """Asks for HELLO, and for all messages from `sequence` on if `boot` is the machine's, else for all
        unacknowledged ones.

        >>> ShufflerCodec().resend(boot=0, sequence=0).hex(" ")
        '03 01 82 01 01 01 01 01 01 01 03 f7 a9 00'
        """
        return self._host_frame(_RESEND, struct.pack(">IH", boot, sequence))

    def shuffle(self, order: int) -> bytes:
        return self._host_frame(_SHUFFLE, struct.pack(">I", order))

    def dispense(self, order: int, count: int) -> bytes:
        return self._host_frame(_DISPENSE, struct.pack(">IB", order, count))

    def lock(self) -> bytes:
        return self._host_frame(_LOCK, b"")

    def unlock(self) -> bytes:
        return self._host_frame(_UNLOCK, b"")

    def _take(self, piece: bytes, found: list[Received]) -> None:
        if not self._overlong:
            self._frame += piece
            if len(self._frame) <= LONGEST_FRAME:
                return
            self._overlong = True
            piece = bytes(self._frame)
            self._frame.clear()
        if piece:
            _add_noise(found, len(piece))

    def _host_frame(self, kind: int, payload: bytes) -> bytes:
        body = struct.pack(">BBH", VERSION, kind, self._sent) + payload
        self._sent = (self._sent + 1) & 0xFFFF
        frame: bytes = cobs.encode(body + struct.pack(">H", binascii.crc_hqx(body, 0xFFFF)))
        return frame + b"\0"


class ShufflerBlot:
    """Frames with the ace of spades for every card. Noise becomes octets of the same number that are noise too."""

    def __init__(self) -> None:
        self._frame = b""

    def receive(self, octets: bytes) -> bytes:
        """Returns the octets of the frames that these octets complete, with the cards replaced.

        >>> ShufflerBlot().receive(bytes.fromhex("03 01 05 02 0a 01 09 0c 05 03 31 1d 0a 74 82 00")).hex(" ")
        '03 01 05 02 0a 01 09 0c 05 03 31 31 31 b0 31 00'
        """
        *ended, self._frame = (self._frame + octets).split(b"\0")
        found = b"".join(_blotted(frame) + b"\0" for frame in ended)
        if len(self._frame) > LONGEST_FRAME:
            found, self._frame = found + b"\1" * len(self._frame), b""
        return found


def _add_noise(found: list[Received], octets: int) -> None:
    last = found[-1] if found else None
    if isinstance(last, LineNoise):
        found[-1] = LineNoise(last.octets + octets)
    else:
        found.append(LineNoise(octets))


def _decode(frame: bytes) -> Received | None:
    try:
        body = cobs.decode(frame)
    except cobs.DecodeError:
        return None
    if len(body) < 6 or body[0] != VERSION or binascii.crc_hqx(body, 0xFFFF) != 0:  # body and its CRC leave 0
        return None
    kind, sequence = struct.unpack_from(">BH", body, 1)
    payload = body[4:-2]
    try:
        if kind == _HELLO:
            hello = _hello(payload)
            return None if hello is None else Hello(sequence, hello)
        message = _message(kind, payload)
    except (struct.error, IndexError):
        return None
    return None if message is None else Numbered(sequence, message)


def _blotted(frame: bytes) -> bytes:
    if _decode(frame) is None:
        return b"\1" * len(frame)
    body: bytes = cobs.decode(frame)[:-2]
    places = {0x05: range(9, len(body)), 0x06: range(4, 5), 0x0A: range(9, len(body))}.get(body[1], range(0))
    other = 9 + body[8] if body[1] == 0x0A else None  # how many cards are doubled, between the two lists
    blotted = bytes(
        0x31 if at in places and at != other and octet in _CARDS else octet for at, octet in enumerate(body)
    )
    again: bytes = cobs.encode(blotted + struct.pack(">H", binascii.crc_hqx(blotted, 0xFFFF)))
    return again


def _hello(payload: bytes) -> ShufflerHello | None:
    boot, mode, decks, last_order = struct.unpack_from(">IBBI", payload)
    model, rest = _counted(payload[10:])
    firmware, rest = _counted(rest)
    if rest or mode not in _MODES:
        return None
    return ShufflerHello(
        boot, _MODES[mode], decks, last_order, model.decode("ascii", "replace"), firmware.decode("ascii", "replace")
    )


def _message(kind: int, payload: bytes) -> Message | None:
    match kind:
        case 0x02:
            lid, hopper, state, last_order = struct.unpack(">BHBI", payload)
            if lid > 1 or state not in _STATES:
                return None
            return ShufflerStatus(lid == 1, hopper, _STATES[state], last_order)
        case 0x03:
            return ShuffleStarted(*struct.unpack(">I", payload))
        case 0x04:
            return ShuffleDone(*struct.unpack(">IH", payload))
        case 0x05:
            cards, rest = _counted(payload[4:])
            return None if rest else PacketDispensed(int.from_bytes(payload[:4]), _cards(cards))
        case 0x06:
            return CardDispensed(_CARDS.get(*struct.unpack(">B", payload)))
        case 0x07:
            return CardsInserted(*struct.unpack(">H", payload))
        case 0x0A:
            expected, found = struct.unpack_from(">HH", payload)
            missing, rest = _counted(payload[4:])
            duplicate, rest = _counted(rest)
            return None if rest else DeckChecked(expected, found, _cards(missing), _cards(duplicate))
        case 0x0B:
            return Jammed(*struct.unpack(">I", payload))
        case 0x0C:
            return Misread(*struct.unpack(">H", payload))
        case 0x0D:
            return DamagedCard(*struct.unpack(">H", payload))
        case 0x08 if not payload:
            return LidOpened()
        case 0x09 if not payload:
            return LidClosed()
        case 0x0E if not payload:
            return Cleared()
    return None


def _counted(payload: bytes) -> tuple[bytes, bytes]:
    """Splits off a length octet and that many octets; IndexError if some are missing."""
    end = 1 + payload[0]
    if len(payload) < end:
        raise IndexError(end)
    return payload[1:end], payload[end:]


def _cards(octets: bytes) -> tuple[str | None, ...]:
    return tuple(_CARDS.get(octet) for octet in octets)  # FF, or no card at all: unread

"""Frames of the shuffler link: COBS, version, type, sequence, CRC-16. No I/O here."""

import binascii
import struct
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from cobs import cobs

from simulators.felt.cards import SUITS, Card

VERSION = 1
LONGEST_FRAME = 300  # bytes; longer without an end mark is noise

HELLO, STATUS, SHUFFLE_STARTED, SHUFFLE_DONE, PACKET, CARD, CARDS_INSERTED = range(0x01, 0x08)
LID_OPENED, LID_CLOSED, DECK_CHECK, JAM, MISREAD, DAMAGED_CARD, CLEARED = range(0x08, 0x0F)
ACK, RESEND, SHUFFLE, DISPENSE, LOCK, UNLOCK = range(0x81, 0x87)

HOST_PAYLOAD_SIZES = {ACK: 2, RESEND: 6, SHUFFLE: 4, DISPENSE: 5, LOCK: 0, UNLOCK: 0}


@dataclass(frozen=True, slots=True)
class Frame:
    """The message between two end marks."""

    kind: int
    sequence: int
    payload: bytes


def encode(frame: Frame) -> bytes:
    """The bytes on the wire, end mark included."""
    body = struct.pack(">BBH", VERSION, frame.kind, frame.sequence) + frame.payload
    encoded: bytes = cobs.encode(body + struct.pack(">H", binascii.crc_hqx(body, 0xFFFF)))
    return encoded + b"\0"


def decode(piece: bytes) -> Frame | None:
    """Decodes one COBS body without its end mark; None if it is noise."""
    try:
        body: bytes = cobs.decode(piece)
    except cobs.DecodeError:
        return None
    if len(body) < 6 or body[0] != VERSION or binascii.crc_hqx(body[:-2], 0xFFFF) != int.from_bytes(body[-2:], "big"):
        return None
    return Frame(body[1], int.from_bytes(body[2:4], "big"), body[4:-2])


class FrameReader:
    """Splits octets, in chunks of any size, into frames; noise is counted and dropped."""

    def __init__(self) -> None:
        self.noise = 0
        self._rest = b""

    def feed(self, chunk: bytes) -> list[Frame]:
        """The frames completed by `chunk`."""
        *pieces, self._rest = (self._rest + chunk).split(b"\0")
        if len(self._rest) > LONGEST_FRAME:
            self._rest = b""
            self.noise += 1
        frames = []
        for piece in filter(None, pieces):
            frame = decode(piece)
            if frame is None or len(frame.payload) != HOST_PAYLOAD_SIZES.get(frame.kind):
                self.noise += 1
            else:
                frames.append(frame)
        return frames


def card_byte(card: Card) -> int:
    """suit << 4 | rank; clubs 0, diamonds 1, hearts 2, spades 3; ace 1 … king 13."""
    return SUITS.index(card.suit) << 4 | card.rank


def deck_check(expected: Sequence[Card], found: Sequence[Card]) -> bytes | None:
    """DECK_CHECK: how many cards there should be and are, which are missing, which there twice; None if all is well."""
    counts = Counter(found)
    missing = [card_byte(card) for card in expected if not counts[card]]
    doubled = [card_byte(card) for card in expected for _ in range(counts[card] - 1)]
    if not (missing or doubled):
        return None
    lists = bytes([len(missing), *missing, len(doubled), *doubled])
    return struct.pack(">HH", len(expected), len(found)) + lists

"""A raw host at the shuffler's end of a pty, written from the link's specification."""

import asyncio
import binascii
import os
import struct
from collections.abc import Callable
from pathlib import Path

from cobs import cobs

HELLO, STATUS, STARTED, DONE, PACKET, CARD, INSERTED, LID_OPENED, LID_CLOSED = range(0x01, 0x0A)
JAM, DAMAGED_CARD, CLEARED = 0x0B, 0x0D, 0x0E
Message = tuple[int, int, bytes]


def shuffler_frame(kind: int, payload: bytes, sequence: int = 0) -> bytes:
    """A frame to the shuffler, made without the simulator's codec; with a sequence, one of the shuffler."""
    body = bytes([1, kind]) + sequence.to_bytes(2, "big") + payload
    encoded: bytes = cobs.encode(body + struct.pack(">H", binascii.crc_hqx(body, 0xFFFF)))
    return encoded + b"\0"


def shuffler_messages(pieces: list[bytes]) -> list[tuple[int, int, bytes]]:
    """Kind, sequence and payload of each COBS piece; every piece must be good."""
    messages = []
    for piece in filter(None, pieces):
        body = cobs.decode(piece)
        assert body[0] == 1 and binascii.crc_hqx(body[:-2], 0xFFFF) == int.from_bytes(body[-2:], "big")
        messages.append((body[1], int.from_bytes(body[2:4], "big"), body[4:-2]))
    return messages


class Host:
    """A raw client; `unacknowledging` it is a host that has been killed."""

    def __init__(self, path: Path) -> None:
        self.descriptor = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self.messages: list[Message] = []
        self.acknowledged: set[int] = set()
        self._rest = b""

    def send(self, kind: int, payload: bytes = b"", chunk: int = 1000) -> None:
        frame = shuffler_frame(kind, payload)
        for start in range(0, len(frame), chunk):
            os.write(self.descriptor, frame[start : start + chunk])

    def ack(self, sequence: int) -> None:
        self.acknowledged.add(sequence)
        self.send(0x81, struct.pack(">H", sequence))

    def read(self) -> None:
        try:
            received = os.read(self.descriptor, 65536)
        except BlockingIOError:
            return
        *pieces, self._rest = (self._rest + received).split(b"\0")
        self.messages += shuffler_messages(pieces)

    async def until(self, condition: Callable[[], bool], seconds: float = 60.0) -> None:
        async with asyncio.timeout(seconds):
            while not condition():
                await asyncio.sleep(0.001)
                self.read()

    async def receive(self, kind: int) -> Message:
        """Wait for the first message of a kind not yet taken, and take everything up to it."""
        await self.until(lambda: any(message[0] == kind for message in self.messages))
        while True:
            message = self.messages.pop(0)
            if message[0] == kind:
                return message

"""A host of USB/IP, written from Documentation/usb/usbip_protocol.rst in the Linux kernel and from USB 2.0, chapter 9.

It shares no code with the simulators. Offsets and numbers are those of the documents.
"""

import asyncio
import struct
from dataclasses import dataclass, field
from typing import Any

REQUEST_LIST, REQUEST_IMPORT = bytes.fromhex("01118005 00000000"), bytes.fromhex("01118003 00000000")
PATIENCE_SECONDS = 60.0
ECONNRESET = -104


class Refused(Exception):
    """The import has a status other than 0."""


@dataclass(frozen=True)
class Listed:
    """A device of OP_REP_DEVLIST, or the answer to an import, which has no interfaces."""

    bus_id: str
    bus: int
    number: int
    speed: int
    vendor: int
    product: int
    interfaces: tuple[tuple[int, int, int], ...] = ()


def read_device(octets: bytes) -> tuple[Listed, int]:
    """The 312 octets of a device, and how many interfaces it reports."""
    assert len(octets) == 0x138
    bus_id = octets[256:288].rstrip(b"\0").decode()
    bus, number, speed = struct.unpack(">III", octets[288:300])
    vendor, product, _ = struct.unpack(">HHH", octets[300:306])
    return Listed(bus_id, bus, number, speed, vendor, product), octets[311]


async def listed(port: int) -> list[Listed]:
    """OP_REQ_DEVLIST."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(REQUEST_LIST)
    octets = await asyncio.wait_for(reader.read(-1), PATIENCE_SECONDS)
    writer.close()
    assert octets[:8] == bytes.fromhex("01110005 00000000")
    (count,) = struct.unpack(">I", octets[8:12])
    found, at = [], 12
    for _ in range(count):
        device, interfaces = read_device(octets[at : at + 0x138])
        at += 0x138
        kinds = tuple(struct.unpack("3B", octets[at + 4 * n : at + 4 * n + 3]) for n in range(interfaces))
        at += 4 * interfaces
        found.append(Listed(**{**device.__dict__, "interfaces": kinds}))
    assert at == len(octets)
    return found


@dataclass
class Transfer:
    """The answer to a submitted transfer."""

    status: int
    actual: int
    octets: bytes = b""


@dataclass
class Imported:
    """A device that this host has imported. Every transfer has a number of its own."""

    device: Listed
    _reader: asyncio.StreamReader
    _writer: asyncio.StreamWriter
    _sequence: int = 0
    _waiting: dict[int, "asyncio.Future[Any]"] = field(default_factory=dict)
    _into: set[int] = field(default_factory=set)
    _task: "asyncio.Task[None] | None" = None

    @classmethod
    async def of(cls, port: int, bus_id: str) -> "Imported":
        """OP_REQ_IMPORT. Raises Refused."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(REQUEST_IMPORT + bus_id.encode().ljust(32, b"\0"))
        head = await asyncio.wait_for(reader.readexactly(8), PATIENCE_SECONDS)
        assert head[:4] == bytes.fromhex("01110003")
        if head[4:] != bytes(4):
            writer.close()
            raise Refused(head.hex())
        device, _ = read_device(await reader.readexactly(0x138))
        host = cls(device, reader, writer)
        host._task = asyncio.create_task(host._receive())
        return host

    async def close(self) -> None:
        """Detach."""
        self._writer.close()
        assert self._task is not None
        await asyncio.wait([self._task])

    @property
    def gone(self) -> bool:
        """The other side has hung up."""
        assert self._task is not None
        return self._task.done()

    def submit(self, endpoint: int, octets: bytes = b"", size: int = 0, setup: bytes = bytes(8)) -> int:
        """USBIP_CMD_SUBMIT; its number. Towards the host where `endpoint` has bit 7 set."""
        self._sequence += 1
        into = endpoint >> 7
        device = self.device.bus << 16 | self.device.number
        head = struct.pack(">IIIII", 1, self._sequence, device, into, endpoint & 0x7F)
        body = struct.pack(">IiiiI8s", 0, size if into else len(octets), 0, -1, 0, setup)
        self._waiting[self._sequence] = asyncio.get_running_loop().create_future()
        if into:
            self._into.add(self._sequence)
        self._writer.write(head + body + octets)
        return self._sequence

    async def result(self, sequence: int) -> Transfer:
        """USBIP_RET_SUBMIT."""
        found: Transfer = await asyncio.wait_for(asyncio.shield(self._waiting[sequence]), PATIENCE_SECONDS)
        return found

    def pending(self, sequence: int) -> bool:
        return not self._waiting[sequence].done()

    async def unlink(self, sequence: int) -> int:
        """USBIP_CMD_UNLINK; its status."""
        self._sequence += 1
        device = self.device.bus << 16 | self.device.number
        head = struct.pack(">IIIII", 2, self._sequence, device, 0, 0)
        self._waiting[self._sequence] = asyncio.get_running_loop().create_future()
        self._writer.write(head + struct.pack(">I24x", sequence))
        return (await self.result(self._sequence)).status

    async def out(self, endpoint: int, octets: bytes) -> Transfer:
        return await self.result(self.submit(endpoint, octets))

    async def into(self, endpoint: int, size: int) -> Transfer:
        return await self.result(self.submit(endpoint, size=size))

    async def control(self, kind: int, request: int, value: int = 0, index: int = 0, size: int = 0) -> Transfer:
        """A control transfer without octets to the device."""
        setup = struct.pack("<BBHHH", kind, request, value, index, size)
        return await self.result(self.submit(kind & 0x80, size=size, setup=setup))

    async def descriptor(self, kind: int, index: int = 0, size: int = 255) -> bytes:
        """GET_DESCRIPTOR, which must be answered."""
        of = 0x81 if kind == 0x22 else 0x80
        answer = await self.control(of, 6, kind << 8 | index, size=size)
        assert answer.status == 0, answer
        return answer.octets

    async def string(self, index: int) -> str:
        octets = await self.descriptor(3, index)
        assert octets[:2] == bytes([len(octets), 3])
        return octets[2:].decode("utf-16-le")

    async def _receive(self) -> None:
        try:
            while True:
                head = await self._reader.readexactly(48)
                command, sequence, device, direction, endpoint, status, actual = struct.unpack(">IIIIIii", head[:28])
                assert (device, direction, endpoint) == (0, 0, 0), "the answer has no such values"
                assert command in (3, 4)
                octets = await self._reader.readexactly(actual) if command == 3 and sequence in self._into else b""
                self._waiting[sequence].set_result(Transfer(status, actual if command == 3 else 0, octets))
        except (OSError, EOFError):
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(ConnectionError("the device is gone"))
                    future.exception()

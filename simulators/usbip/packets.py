"""The packets of USB/IP as the exporting side reads and writes them. No I/O here.

Numbers are big-endian, but those of a setup packet, which is USB's own (USB 2.0, 9.3).
"""

import struct
from dataclasses import dataclass

VERSION = 0x0111
ASK_LIST, ANSWER_LIST, ASK_IMPORT, ANSWER_IMPORT = 0x8005, 0x0005, 0x8003, 0x0003
SUBMIT, UNLINK, SUBMITTED, UNLINKED = 1, 2, 3, 4
OPERATION = struct.Struct(">HHI")
BUS_ID_BYTES = 32
COMMAND = struct.Struct(">5I28s")
SUBMIT_PART = struct.Struct(">I4i8s")
TO_HOST = 1
SETUP = struct.Struct("<BBHHH")
LONGEST_TRANSFER = 1 << 20

# Of the kernel, negative in an answer: errno.h of Linux, the same on every architecture that has USB.
OUT_OF_REACH, BROKEN, PROTOCOL_ERROR, TOO_MUCH, UNLINKED_IN_TIME = -19, -32, -71, -75, -104


class BadPacket(ValueError):
    """The other side does not keep to the protocol."""


@dataclass(frozen=True, slots=True)
class ExportedIdentity:
    """The identity of a device in the list and in an import. `interfaces` are class, subclass and protocol of each."""

    bus_id: str
    bus: int
    number: int
    speed: int  # 1 low, 2 full, 3 high
    device: bytes  # its device descriptor
    interfaces: tuple[tuple[int, int, int], ...]

    @property
    def octets(self) -> bytes:
        """The 312 octets that both answers have."""
        vendor, product, release = struct.unpack_from("<HHH", self.device, 8)
        return struct.pack(
            ">256s32sIIIHHH6B",
            f"/sys/devices/simulated/{self.bus_id}".encode(),
            self.bus_id.encode(),
            self.bus,
            self.number,
            self.speed,
            vendor,
            product,
            release,
            *self.device[4:7],
            1,
            self.device[17],
            len(self.interfaces),
        )


@dataclass(frozen=True, slots=True)
class TransferRequest:
    """A USBIP_CMD_SUBMIT: one transfer on an endpoint, whose address has bit 7 set towards the host.

    `octets` are those of an OUT transfer, `size` is how many an IN transfer takes.
    """

    sequence: int
    endpoint: int
    size: int
    setup: bytes
    octets: bytes = b""


def operation(code: int, status: int = 0) -> bytes:
    """The head of an answer before an import."""
    return OPERATION.pack(VERSION, code, status)


def device_list(devices: list[ExportedIdentity]) -> bytes:
    """OP_REP_DEVLIST."""
    listed = (device.octets + b"".join(bytes([*interface, 0]) for interface in device.interfaces) for device in devices)
    return operation(ANSWER_LIST) + struct.pack(">I", len(devices)) + b"".join(listed)


def read_submit(head: tuple[int, ...], rest: bytes) -> tuple[TransferRequest, int]:
    """A USBIP_CMD_SUBMIT, and how many octets follow it. Raises BadPacket."""
    _, sequence, _, direction, endpoint = head
    _, size, _, packets, _, setup = SUBMIT_PART.unpack(rest)
    if not 0 <= size <= LONGEST_TRANSFER or endpoint > 15 or direction > TO_HOST:
        raise BadPacket(f"a transfer of {size} octets on endpoint {endpoint}")
    if packets > 0:
        raise BadPacket("an isochronous transfer, which no device here has")
    address = endpoint | (0x80 if direction == TO_HOST else 0)
    return TransferRequest(sequence, address, size, setup), 0 if direction == TO_HOST else size


def submitted(request: TransferRequest, status: int, count: int, octets: bytes = b"") -> bytes:
    """USBIP_RET_SUBMIT: `count` octets were transferred; those to the host follow."""
    head = struct.pack(">5I5i8x", SUBMITTED, request.sequence, 0, 0, 0, status, count, 0, -1, 0)
    return head + octets


def unlinked(sequence: int, in_time: bool) -> bytes:
    """USBIP_RET_UNLINK: whether the transfer was cancelled before it was done."""
    return struct.pack(">5Ii24x", UNLINKED, sequence, 0, 0, 0, UNLINKED_IN_TIME if in_time else 0)

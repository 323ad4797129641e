"""The traffic over the Unix socket that replaces the USB cable: requests and answers with a length before them. No I/O
here.

No I/O here. A request is u16 length, u8 operation, content; an answer is u16 length, i8 status, content.
"""

import struct
from enum import IntEnum

OK, FAILED, IO_GONE, BUSY, TIMED_OUT, TOO_LONG, STALLED = 0, -1, -4, -6, -7, -8, -9  # libusb's numbers


class Operation(IntEnum):
    """The requests of the host's controller."""

    IS_PLUGGED = 1
    OPEN = 2
    CLOSE = 3
    WRITE = 4  # bytes
    READ = 5  # u32 timeout in milliseconds (0: without end), u16 size
    KERNEL_DRIVER = 6  # u8: 0 ask, 1 attach, 2 detach
    CLAIM = 7
    RELEASE = 8
    CONFIGURE = 9
    CLEAR_HALT = 10  # u8: endpoint address; the host's end of the endpoint forgets its data toggle, too
    CLEAR_FEATURE = 11  # u8: endpoint address; the request alone, which changes the device's end only
    RESET = 12


def request(operation: Operation, content: bytes = b"") -> bytes:
    """The octets of one request."""
    return struct.pack(">HB", 1 + len(content), operation) + content


def answer(status: int, content: bytes = b"") -> bytes:
    """The octets of one answer."""
    return struct.pack(">Hb", 1 + len(content), status) + content


def read_request(timeout_milliseconds: int, size: int) -> bytes:
    """Content of a READ."""
    return struct.pack(">IH", max(0, timeout_milliseconds), size)

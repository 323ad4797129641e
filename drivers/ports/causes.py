"""The reasons why a port cannot be opened or is lost, by the system's own error. No I/O here."""

import errno
import socket
from collections.abc import Mapping

from drivers.faults import Cause

SERIAL: Mapping[int | None, Cause] = {  # of opening a port; one that is lost later is unplugged
    **dict.fromkeys((errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.EIO), "unplugged"),
    **dict.fromkeys((errno.EAGAIN, errno.EBUSY), "in_use"),
    **dict.fromkeys((errno.EACCES, errno.EPERM), "forbidden"),
}
# libusb reports all that the kernel calls EPROTO, EILSEQ or ETIME as EIO: the device may still be plugged in.
USB: Mapping[int | None, Cause] = {
    **dict.fromkeys((errno.ENODEV, errno.ENXIO, errno.ENOENT, errno.ESHUTDOWN), "unplugged"),
    errno.EPIPE: "stalled",
    **dict.fromkeys((errno.EIO, errno.EPROTO, errno.EILSEQ, errno.EOVERFLOW), "garbled"),
    errno.ETIMEDOUT: "silent",
    errno.EBUSY: "in_use",
    **dict.fromkeys((errno.EACCES, errno.EPERM), "forbidden"),
}
NETWORK: Mapping[int | None, Cause] = {
    errno.ECONNREFUSED: "nothing_listens",
    **dict.fromkeys(
        (errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ENETDOWN, errno.EHOSTDOWN, errno.EADDRNOTAVAIL), "unreachable"
    ),
    errno.ETIMEDOUT: "no_answer",
    **dict.fromkeys((errno.ECONNRESET, errno.ECONNABORTED, errno.EPIPE, errno.ENOTCONN), "hung_up"),
    **dict.fromkeys((errno.EACCES, errno.EPERM), "forbidden"),
}


def root_of(error: BaseException) -> BaseException:
    """The first error of a chain: pyserial keeps the system's error in the context of its own error."""
    while (before := error.__cause__ or error.__context__) is not None:
        error = before
    return error


def why_unreachable(error: BaseException) -> tuple[Cause, str]:
    """The cause of a failed connection, and the system's message, without its number."""
    why = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    if isinstance(error, socket.gaierror):
        return "name_unknown", why
    if isinstance(error, TimeoutError):
        return "no_answer", why
    if isinstance(error, OSError):
        return NETWORK.get(error.errno, "unknown"), why
    return "unknown", why

"""Why a network address cannot be reached, by the system's own error. No I/O here."""

import errno
import socket

from drivers.faults import Cause

_CAUSES: dict[int | None, Cause] = {
    errno.ECONNREFUSED: "nothing_listens",
    **dict.fromkeys(
        (errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ENETDOWN, errno.EHOSTDOWN, errno.EADDRNOTAVAIL), "unreachable"
    ),
    errno.ETIMEDOUT: "no_answer",
    **dict.fromkeys((errno.ECONNRESET, errno.ECONNABORTED, errno.EPIPE, errno.ENOTCONN), "hung_up"),
    **dict.fromkeys((errno.EACCES, errno.EPERM), "forbidden"),
}


def root_of(error: BaseException) -> BaseException:
    """The first error of a chain: pyserial keeps what the system said in the context of its own."""
    while (before := error.__cause__ or error.__context__) is not None:
        error = before
    return error


def why_unreachable(error: BaseException) -> tuple[Cause, str]:
    """The cause of a failed connection, and what the system said, without its number."""
    why = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    if isinstance(error, socket.gaierror):
        return "name_unknown", why
    if isinstance(error, TimeoutError):
        return "no_answer", why
    if isinstance(error, OSError):
        return _CAUSES.get(error.errno, "unknown"), why
    return "unknown", why

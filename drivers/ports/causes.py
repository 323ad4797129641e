"""The reasons why a port cannot be opened or is lost: the system's error, and the other programs that have it open."""

import errno
import os
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path

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


PROCESSES = Path("/proc")
NAMED = 3  # a reason is one line


def holders(device: str) -> list[str]:
    """The other programs that have this device file open, such as ``cat (process 4711)``. Takes some milliseconds.

    The program at the far end of a pseudo-terminal is left out, although it often keeps the near end open.
    """
    path = os.path.realpath(device)
    found: list[str] = []
    for process in PROCESSES.iterdir():
        if process.name.isdigit() and int(process.name) != os.getpid():
            try:
                links = [(os.readlink(link), link.name) for link in (process / "fd").iterdir()]
                if any(link == path for link, _ in links) and not _is_far_end(process, links, path):
                    name = (process / "comm").read_bytes().decode(errors="replace").strip()  # any octets
                    found.append(f"{name} (process {process.name})")
            except OSError:
                continue  # ended meanwhile, or not ours to see
    return found


def in_use(port: str, programs: Sequence[str] = ()) -> str:
    """The sentence that other programs have the device open; with their names, if these are known."""
    if not programs:
        return f"{port} is in use by another program"
    more = f" and {len(programs) - NAMED} more" if len(programs) > NAMED else ""
    return f"{port} is in use by another program: {', '.join(programs[:NAMED])}{more}"


def _is_far_end(process: Path, links: list[tuple[str, str]], path: str) -> bool:
    if not is_pseudo_terminal(path):
        return False
    number = path.rpartition("/")[2]
    masters = [name for link, name in links if link.endswith("/ptmx")]
    return any(f"tty-index:\t{number}\n" in (process / "fdinfo" / name).read_text() for name in masters)


def is_pseudo_terminal(device: str) -> bool:
    return os.path.realpath(device).startswith("/dev/pts/")

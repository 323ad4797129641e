"""The log of dm-log-writes, read and replayed: what a disk has at least after each flush.

The form is that of drivers/md/dm-log-writes.c in the Linux kernel. A disk that loses power has at least what was
written before its last flush, and what was written past its cache; the states are these, with nothing behind them.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

MAGIC, VERSION = 0x6A736677736872, 1
FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8
HEAD, ENTRY = struct.Struct("<QQQI"), struct.Struct("<QQQQ")


@dataclass(frozen=True, slots=True)
class LoggedWrite:
    """One entry: where it is on the disk, in octets, and its content; `mark` is a mark's text."""

    at: int
    size: int
    flags: int
    content: bytes
    mark: str = ""


def read_log(log: BinaryIO) -> Iterator[LoggedWrite]:
    """The entries in order. Raises ValueError if it is no such log."""
    magic, version, count, sector = HEAD.unpack(log.read(HEAD.size))
    if (magic, version) != (MAGIC, VERSION):
        raise ValueError(f"no log of dm-log-writes: {magic:x}, version {version}")
    place = sector
    for _ in range(count):
        log.seek(place)
        head = log.read(sector)
        at, sectors, flags, length = ENTRY.unpack_from(head)
        place += sector
        if flags & MARK:
            yield LoggedWrite(0, 0, flags, b"", head[ENTRY.size : ENTRY.size + length].rstrip(b"\0").decode())
            continue
        size = sectors * sector
        content = b""
        if not flags & DISCARD:
            log.seek(place)
            content = log.read(size)
            place += size
        yield LoggedWrite(at * sector, size, flags, content)


def epochs(log: BinaryIO, disk: Path) -> Iterator[tuple[int, str]]:
    """Write the log on the disk; at every flush and after every write past the cache, the number and the last mark."""
    number, mark = 0, ""
    with disk.open("r+b", buffering=0) as replica:
        for entry in read_log(log):
            if entry.flags & MARK:
                mark = entry.mark
                continue
            if entry.flags & FLUSH:  # what comes with it is behind it
                number += 1
                yield number, mark
            replica.seek(entry.at)
            replica.write(bytes(entry.size) if entry.flags & DISCARD else entry.content)
            if entry.flags & FUA:
                number += 1
                yield number, mark

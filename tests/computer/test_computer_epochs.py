"""The log of dm-log-writes, written here by its documentation, replayed flush by flush."""

import io
import struct
from pathlib import Path

import pytest

from tests.computer.epochs import DISCARD, FLUSH, FUA, MARK, epochs

SECTOR = 512


def log_of(*entries: tuple[int, int, bytes]) -> io.BytesIO:
    """A log of entries: sector, flags, content, which for a discard is what it covers."""
    octets = struct.pack("<QQQI", 0x6A736677736872, 1, len(entries), SECTOR).ljust(SECTOR, b"\0")
    for sector, flags, content in entries:
        mark = content if flags & MARK else b""
        sectors = 0 if mark else len(content) // SECTOR
        octets += (struct.pack("<QQQQ", sector, sectors, flags, len(mark)) + mark).ljust(SECTOR, b"\0")
        octets += b"" if flags & (MARK | DISCARD) else content
    return io.BytesIO(octets)


def test_every_flush_shows_what_was_written_before_it_and_the_last_mark(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.write_bytes(bytes(4 * SECTOR))
    ones, twos = b"1" * SECTOR, b"2" * SECTOR
    entries = [(0, 0, ones), (0, FLUSH, b""), (0, MARK, b"7"), (2, FUA, twos + ones), (0, DISCARD, ones), (3, 0, twos)]
    log = log_of(*entries, (1, FLUSH | FUA, twos))
    found = [(number, mark, disk.read_bytes()) for number, mark in epochs(log, disk)]
    empty = bytes(SECTOR)
    assert found == [
        (1, "", ones + empty * 3),
        (2, "7", ones + empty + twos + ones),
        (3, "7", empty * 2 + twos * 2),
        (4, "7", empty + twos * 3),
    ]


def test_another_file_is_no_log() -> None:
    with pytest.raises(ValueError, match="no log of dm-log-writes"):
        next(epochs(io.BytesIO(bytes(4096)), Path("/dev/null")))

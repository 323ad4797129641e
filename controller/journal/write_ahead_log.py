"""Reads the write-ahead log of a journal without SQLite: before a start, and while a station writes it.

SQLite reads a log up to the first damaged frame and silently drops the rest. That is right if a power cut tore the last
transaction. But a transaction is synced before the next one is written, so valid frames after a damaged one cannot come
from a power cut. While it runs, SQLite counts the frames in memory and does not notice that the file was truncated: it
appends after the hole, and the next start finds nothing there.
"""

import os
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_HEADER = struct.Struct(">8I")  # magic, version, page size, checkpoints, two salts, checksum
_FRAME = struct.Struct(">6I")  # page, pages of the database where a transaction ends here, two salts, checksum
_SUMMED_OF_FRAME = 8
_LITTLE_ENDIAN, _BIG_ENDIAN = 0x377F0682, 0x377F0683
_WORD = 0xFFFFFFFF
_SECTOR = 512  # is written whole or not at all

Checksum = tuple[int, int]
_Frame = tuple[int, bytes, bytes]  # where it is, its head, its page


def is_damaged(path: Path) -> bool:
    """Whether this log has more damage than a power cut can cause. Raises OSError."""
    try:
        log = path.read_bytes()
    except FileNotFoundError:
        return False
    if not any(log):
        return False
    if len(log) < _HEADER.size:
        return False  # it was just begun
    beginning = _beginning(log)
    if beginning is None:
        return True
    _, _, page_size, _, *salts, _, _ = _HEADER.unpack_from(log)
    return _continues_behind_damage(*beginning, salts, _frames(log, page_size))


def write_again(path: Path) -> None:
    """Writes this log on the disk again, with the content that reads return. Raises OSError."""
    with suppress(FileNotFoundError):
        file = os.open(path, os.O_RDWR)
        try:
            offset = 0
            while content := os.pread(file, 1 << 20, offset):
                offset += os.pwrite(file, content, offset)
            os.fsync(file)
        finally:
            os.close(file)


def _beginning(log: bytes) -> tuple[str, Checksum] | None:
    """The byte order of a log's sums, and the checksum of its header; None if the header is damaged."""
    magic, *_, first, second = _HEADER.unpack_from(log)
    words = {_LITTLE_ENDIAN: "<", _BIG_ENDIAN: ">"}.get(magic)
    if words is None or _checksum(words, (0, 0), log[: _HEADER.size - 8]) != (first, second):
        return None
    return words, (first, second)


class WrittenLog:
    """How far the log is written, as the file showed at the last check."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._header = b""
        self.end = 0  # of the last transaction
        self._frame = b""  # its last, whose checksum covers all frames before it

    def fault(self, least: int, most: int) -> str | None:
        """A fault of the file; None if it has all its earlier content, and `least` to `most` transactions more.

        SQLite writes none where a transaction changed nothing. Raises OSError.
        """
        file = os.open(self._path, os.O_RDONLY)
        try:
            header = os.pread(file, _HEADER.size, 0)
            if header != self._header and self._is_next(header):
                self._header, self.end, self._frame = header, _HEADER.size, b""
            found: int | None = None
            if header == self._header and os.pread(file, len(self._frame), self.end - len(self._frame)) == self._frame:
                found = self._follow(file)
            size = os.fstat(file).st_size
        finally:
            os.close(file)
        if found is None or found < least:
            return f"{self._path} was cut or overwritten: it has {size} octets, and {self.end} were written"
        return None if found <= most else f"{self._path}: another program has written to the journal"

    def _is_next(self, header: bytes) -> bool:
        """Whether SQLite has begun the log again, which increases the first salt."""
        if len(header) < _HEADER.size or _beginning(header) is None:
            return False
        if not self._header:
            return True
        counted: int = (_HEADER.unpack(header)[4] - _HEADER.unpack(self._header)[4]) & _WORD
        return 0 < counted < 1 << 31

    def _follow(self, file: int) -> int:
        """Continues to the end of the last transaction; returns the number of transactions after the last known one."""
        if not self._header:
            return 0
        found, at = 0, self.end
        step, salts = _FRAME.size + _HEADER.unpack(self._header)[2], self._header[16:24]
        while len(frame := os.pread(file, step, at)) == step and frame[8:16] == salts:
            at += step
            if _FRAME.unpack_from(frame)[1]:
                found, self.end, self._frame = found + 1, at, frame
        return found


def _frames(log: bytes, page_size: int) -> Iterator[_Frame]:
    step = _FRAME.size + page_size
    for at in range(_HEADER.size, len(log) - step + 1, step):
        yield at, log[at : at + _FRAME.size], log[at + _FRAME.size : at + step]


def _continues_behind_damage(words: str, beginning: Checksum, salts: list[int], frames: Iterator[_Frame]) -> bool:
    stated = found = beginning  # the checksum of the frame before: as it says itself, and as its content has it
    damaged = ended = False
    for at, head, page in frames:
        _, ends, *own_salts, first, second = _FRAME.unpack(head)
        now, intact = None, False
        if own_salts == salts:
            now = _checksum(words, stated, head[:_SUMMED_OF_FRAME] + page)
            other = now if found == stated else _checksum(words, found, head[:_SUMMED_OF_FRAME] + page)
            intact = (first, second) in (now, other)
        if damaged and intact and ended:
            return True
        damaged |= not intact
        # What is behind a damaged frame may be of an earlier log: then it does not follow from what is before it.
        stated, found = (first, second), now or (first, second)
        ended = ends != 0 and (intact or at % _SECTOR <= _SECTOR - _FRAME.size)  # else it may be an earlier frame's
    return False


def _checksum(words: str, before: Checksum, data: bytes) -> Checksum:
    first, other = before
    content = struct.unpack(f"{words}{len(data) // 4}I", data)
    for even, odd in zip(content[::2], content[1::2], strict=True):
        first = (first + even + other) & _WORD
        other = (other + odd + first) & _WORD
    return first, other

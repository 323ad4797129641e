"""The write-ahead log of a journal, looked at before SQLite does.

SQLite takes a log up to the first frame that is not as it was written and silently drops the rest. Rightly so where a
power cut tore the last transaction. But a transaction is synced before the next one is written: frames of a later one
behind a damaged one are no work of a cut.
"""

import struct
from collections.abc import Iterator
from pathlib import Path

_HEADER = struct.Struct(">8I")  # magic, version, page size, checkpoints, two salts, checksum
_FRAME = struct.Struct(">6I")  # page, pages of the database where a transaction ends here, two salts, checksum
_SUMMED_OF_FRAME = 8
_LITTLE_ENDIAN, _BIG_ENDIAN = 0x377F0682, 0x377F0683
_WORD = 0xFFFFFFFF
_SECTOR = 512  # is written whole or not at all

Checksum = tuple[int, int]
Frame = tuple[int, bytes, bytes]  # where it is, its head, its page


def is_damaged(path: Path) -> bool:
    """Whether this log holds more than what a power cut can have torn. Raises OSError."""
    try:
        log = path.read_bytes()
    except FileNotFoundError:
        return False
    if not any(log):
        return False
    if len(log) < _HEADER.size:
        return False  # it was just begun
    magic, _, page_size, _, *salts, first, second = _HEADER.unpack_from(log)
    if magic not in (_LITTLE_ENDIAN, _BIG_ENDIAN):
        return True
    words = "<" if magic == _LITTLE_ENDIAN else ">"
    beginning = _checksum(words, (0, 0), log[: _HEADER.size - 8])
    if beginning != (first, second):
        return True
    return _goes_on_behind_damage(words, beginning, salts, _frames(log, page_size))


def _frames(log: bytes, page_size: int) -> Iterator[Frame]:
    step = _FRAME.size + page_size
    for at in range(_HEADER.size, len(log) - step + 1, step):
        yield at, log[at : at + _FRAME.size], log[at + _FRAME.size : at + step]


def _goes_on_behind_damage(words: str, beginning: Checksum, salts: list[int], frames: Iterator[Frame]) -> bool:
    told = found = beginning  # the checksum of the frame before: as it says itself, and as its content has it
    damaged = ended = False
    for at, head, page in frames:
        _, ends, *own_salts, first, second = _FRAME.unpack(head)
        now, intact = None, False
        if own_salts == salts:
            now = _checksum(words, told, head[:_SUMMED_OF_FRAME] + page)
            other = now if found == told else _checksum(words, found, head[:_SUMMED_OF_FRAME] + page)
            intact = (first, second) in (now, other)
        if damaged and intact and ended:
            return True
        damaged |= not intact
        # What is behind a damaged frame may be of an earlier log: then it does not follow from what is before it.
        told, found = (first, second), now or (first, second)
        ended = ends != 0 and (intact or at % _SECTOR <= _SECTOR - _FRAME.size)  # else it may be an earlier frame's
    return False


def _checksum(words: str, before: Checksum, data: bytes) -> Checksum:
    one, other = before
    content = struct.unpack(f"{words}{len(data) // 4}I", data)
    for even, odd in zip(content[::2], content[1::2], strict=True):
        one = (one + even + other) & _WORD
        other = (other + odd + one) & _WORD
    return one, other

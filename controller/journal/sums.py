"""Sums over all rows of a table: a row is added as it comes and taken away as it goes, in any order. No I/O.

The events are a chain, because none ever goes; of the other tables the head of the chain holds such a sum.
"""

import hashlib
from collections.abc import Iterable

import msgspec

BYTES = 32
NOTHING = bytes(BYTES)

Row = tuple[int | str | bytes, ...]


def plus(sum: bytes, rows: Iterable[Row]) -> bytes:
    """The sum once these rows have come."""
    return _moved(sum, rows, 1)


def minus(sum: bytes, rows: Iterable[Row]) -> bytes:
    """The sum once these rows have gone."""
    return _moved(sum, rows, -1)


def _moved(sum: bytes, rows: Iterable[Row], sign: int) -> bytes:
    total = int.from_bytes(sum, "big")
    for row in rows:
        total += sign * int.from_bytes(hashlib.sha256(msgspec.msgpack.encode(row)).digest(), "big")
    return (total % (1 << 8 * BYTES)).to_bytes(BYTES, "big")

"""The hash chain of the events. No I/O.

The hash of a row covers the one before it, the row's time, its text and its sealed cards, so that no row can be
changed, dropped or put in without every later hash being wrong.
"""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from struct import Struct
from typing import Any

import msgspec

from controller.journal.records import JournalCorrupt, Stamp

COLUMNS = "id, time, boot, monotonic_ns, synchronised, body, sealed, hash"

_encode = msgspec.json.encode
_SIZE = Struct(">I").pack


class Link(msgspec.Struct, frozen=True):
    """An event's row that is as it was written."""

    number: int
    body: bytes
    sealed: bytes | None
    hash: bytes


def chained(head: bytes, event: int, stamp: Stamp, body: bytes, sealed: bytes | None) -> bytes:
    """The hash of an event's row; `head` is the hash of the row before it."""
    number, told, cards = b"%d" % event, _encode(stamp), sealed or b""
    parts = (
        head, _SIZE(len(number)), number, _SIZE(len(told)), told, _SIZE(len(body)), body, _SIZE(len(cards)), cards
    )  # fmt: skip
    return hashlib.sha256(b"".join(parts)).digest()


def verified(path: Path, rows: Iterable[Any], after: int, head: bytes) -> Iterator[Link]:
    """The rows that follow an event, whose hash is `head`. Raises JournalCorrupt."""
    for number, time, boot, monotonic_ns, synchronised, body, sealed, written in rows:
        after += 1
        stamp = Stamp(time=time, boot=boot, monotonic_ns=monotonic_ns, synchronised=bool(synchronised))
        head = chained(head, number, stamp, body, sealed)
        if number != after or head != written:
            raise JournalCorrupt(f"{path}: event {after} is not as it was written (hash chain)")
        yield Link(number, body, sealed, head)

"""The hash chain of the events. No I/O.

The hash of a row covers the hash before it, the row's time, its text, its sealed cards and, in the first event of an
input, the input. So a changed, missing or inserted row makes every later hash wrong.
"""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from struct import Struct
from typing import Any

import msgspec

from controller.journal.records import JournalCorrupt, Stamp

COLUMNS = "id, time, boot, monotonic_ns, synchronised, body, sealed, hash, input"

_encode = msgspec.json.encode
_SIZE = Struct(">I").pack


class ChainedRow(msgspec.Struct, frozen=True):
    """A verified row of an event; `input` is the one whose first event it is."""

    number: int
    body: bytes
    sealed: bytes | None
    hash: bytes
    input: bytes | None


def chained(head: bytes, event: int, stamp: Stamp, body: bytes, sealed: bytes | None, input: bytes | None) -> bytes:
    """The hash of an event's row; `head` is the hash of the row before it."""
    number, at, sealed = b"%d" % event, _encode(stamp), sealed or b""
    # Written out: most of the time that a journal takes to be verified passes here.
    parts = [head, _SIZE(len(number)), number, _SIZE(len(at)), at, _SIZE(len(body)), body, _SIZE(len(sealed)), sealed]
    if input is not None:
        parts += _SIZE(len(input)), input
    return hashlib.sha256(b"".join(parts)).digest()


def verified(path: Path, rows: Iterable[Any], after: int, head: bytes) -> Iterator[ChainedRow]:
    """The rows that follow an event, whose hash is `head`. Raises JournalCorrupt."""
    for number, time, boot, monotonic_ns, synchronised, body, sealed, written, input in rows:
        after += 1
        stamp = Stamp(time=time, boot=boot, monotonic_ns=monotonic_ns, synchronised=bool(synchronised))
        head = chained(head, number, stamp, body, sealed, input)
        if number != after or head != written:
            raise JournalCorrupt(f"{path}: event {after} is not as it was written (hash chain)")
        yield ChainedRow(number, body, sealed, head, input)

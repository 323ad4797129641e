"""Segments: events of closed rounds in files beside the journal, compressed, and never changed again.

A segment is text that `zstdcat` prints, one event a line: number, time, boot id, monotonic nanoseconds, whether the
clock was synchronised, the event, its sealed cards, and the input whose first event it is. It is compressed in blocks
that can be read one by one; an index follows them in a frame that zstd skips. The journal's own file has a row about
each segment, covered by the sum in its head. All calls block.
"""

import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from controller.journal.chain import chained
from controller.journal.creation import KINDS, RARE_KINDS, ROUND_BEGUN, SAYS_MORE
from controller.journal.records import JournalCorrupt, Stamp
from controller.system.files import ONLY_OWNER, open_regular, sync_folder

if sys.version_info >= (3, 14):
    from compression import zstd as zstd
else:
    from backports import zstd as zstd

BLOCK = 250  # events: one is read in a millisecond
LONGEST = 256 << 20  # octets that are decompressed at once: who forges a journal without its key writes the rows too
LEVEL = 9  # above that a tenth of the bytes is won at ten times the time
INDEXED = KINDS | RARE_KINDS
_SAYS_MORE = tuple(RARE_KINDS[kind] for kind in SAYS_MORE)
_NULL = msgspec.Raw(b"null")
_SKIPPED = (0x184D2A5E).to_bytes(4, "little")  # a frame that no reader of zstd shows

SegmentRow = tuple[Any, ...]
"""An event's row in the order of `chain.COLUMNS`."""


class Segment(msgspec.Struct, frozen=True):
    """The journal's row about a segment: its events, the hashes at both ends, its file and its content.

    `times` are its earliest and latest time; `rounds` and `slips` its first and last numbers. `kinds` counts its events
    by kind. `edge` is the edge of the tree after its last event, set when the segment is registered. `says_more` are
    the first and the last round that this segment changes after their end; None if there is none. `index_length` is the
    length of the decompressed index.
    """

    first: int
    last: int
    before: bytes
    hash: bytes
    size: int
    index_at: int
    index_hash: bytes
    index_length: int
    times: tuple[str, str]
    kinds: dict[str, int]
    rounds: tuple[int, int] | None
    slips: tuple[int, int] | None
    says_more: tuple[int, int] | None
    edge: bytes = b""

    def says_no_more(self, least: int, before: int) -> bool:
        """Whether this segment has no events about these rounds after their end."""
        return self.says_more is None or self.says_more[1] < least or self.says_more[0] >= before

    def file(self, journal: Path) -> Path:
        """The path of the file."""
        return journal.with_name(f"{journal.name}.{self.first:012d}-{self.last:012d}.zst")


class Block(msgspec.Struct, frozen=True, array_like=True):
    """The place of a block in the file, the hash of its bytes, and its last event with the chain's hash.

    `length` is that of its text, `round` is the last round begun before its end, 0 for none.
    """

    at: int
    size: int
    digest: bytes
    last: int
    hash: bytes
    round: int
    length: int


class Index(msgspec.Struct, frozen=True):
    """The blocks of a segment, and copies of the rows of the kinds that are looked up."""

    blocks: tuple[Block, ...]
    kinds: dict[str, tuple[msgspec.Raw, ...]]


class _Kinds(msgspec.Struct, frozen=True):
    kinds: dict[str, tuple[msgspec.Raw, ...]]


class _Begun(msgspec.Struct, frozen=True):
    round: int


class _SaysMore(msgspec.Struct, frozen=True):
    round: int


class _Paid(msgspec.Struct, frozen=True, tag="hit_paid"):
    slip: int


_encode = msgspec.json.encode
_decode_line = msgspec.json.Decoder(tuple[int, str, str, int, bool, msgspec.Raw, bytes | None, msgspec.Raw]).decode
_decode_index = msgspec.json.Decoder(Index).decode
_decode_kinds = msgspec.json.Decoder(_Kinds).decode
_decode_begun = msgspec.json.Decoder(_Begun).decode
_decode_says_more = msgspec.json.Decoder(_SaysMore).decode
_decode_paid = msgspec.json.Decoder(_Paid).decode


def round_begun(body: bytes) -> int:
    """The round that this event begins, 0 for another event."""
    return _decode_begun(body).round if body.startswith(ROUND_BEGUN) else 0


def write_segment(journal: Path, before: bytes, rows: Iterable[SegmentRow]) -> Segment:
    """Write rows that were verified as a segment, and return once it is on the disk. Raises OSError.

    `before` is the hash of the event before them.
    """
    return write_beside(journal, "segment", lambda file: _write(file, before, rows))


class _Written(Protocol):
    def file(self, journal: Path) -> Path: ...


About = TypeVar("About", bound=_Written)


def write_beside(journal: Path, kind: str, write: Callable[[int], About]) -> About:
    """Write a file into the journal's folder, under the name that its row gives it; returns once it is on the disk.

    Raises OSError.
    """
    fresh = journal.with_name(f"{journal.name}.{kind}.new")
    with suppress(FileNotFoundError):
        os.unlink(fresh)
    file = os.open(fresh, os.O_RDWR | os.O_CREAT, ONLY_OWNER)
    try:
        about = write(file)
        os.fsync(file)
    finally:
        os.close(file)
    os.rename(fresh, about.file(journal))
    sync_folder(journal.parent)
    return about


def _write(file: int, before: bytes, rows: Iterable[SegmentRow]) -> Segment:
    blocks: list[Block] = []
    lines: list[bytes] = []
    kinds: dict[str, list[msgspec.Raw]] = {}
    rounds: list[int] = []
    slips: list[int] = []
    over: list[int] = []  # rounds of which more is reported
    earliest, latest = "", ""
    first, at, last = 0, 0, (0, b"")

    def end_block() -> None:
        nonlocal at
        text = b"".join(lines)
        content = zstd.compress(text, LEVEL)
        put(file, content, at)
        blocks.append(Block(at, len(content), _digest(content), *last, rounds[-1] if rounds else 0, len(text)))
        at += len(content)
        lines.clear()

    for number, time, boot, monotonic_ns, synchronised, body, sealed, hash, input in rows:
        asked = None if input is None else msgspec.Raw(input)
        line = _encode((number, time, boot, monotonic_ns, bool(synchronised), msgspec.Raw(body), sealed, asked))
        lines.append(line + b"\n")
        earliest, latest = min(earliest or time, time), max(latest, time)
        if begun := round_begun(body):
            rounds.append(begun)
        for kind, opening in INDEXED.items():
            if body.startswith(opening):
                kinds.setdefault(kind, []).append(msgspec.Raw(line))
        if body.startswith(b'{"type":"hit_paid"'):
            slips.append(_decode_paid(body).slip)
        if body.startswith(_SAYS_MORE):
            over.append(_decode_says_more(body).round)
        first, last = first or number, (number, hash)
        if len(lines) == BLOCK:
            end_block()
    if lines:
        end_block()
    plain = _encode(Index(tuple(blocks), {kind: tuple(found) for kind, found in kinds.items()}))
    index = zstd.compress(plain, LEVEL)
    index = _SKIPPED + len(index).to_bytes(4, "little") + index
    put(file, index, at)
    return Segment(
        first=first,
        last=last[0],
        before=before,
        hash=last[1],
        size=at + len(index),
        index_at=at,
        index_hash=_digest(index),
        index_length=len(plain),
        times=(earliest, latest),
        kinds={kind: len(kinds.get(kind, ())) for kind in INDEXED},
        rounds=(rounds[0], rounds[-1]) if rounds else None,
        slips=(slips[0], slips[-1]) if slips else None,
        says_more=(min(over), max(over)) if over else None,
    )


def decompressed(file: Path, content: bytes, length: int) -> bytes:
    """Decompress data of a known length, and never more than that.

    Raises JournalCorrupt where it has another length, or is longer than anything that a station writes.
    """
    wrong = JournalCorrupt(f"{file}: what is compressed in it has not the length that the journal knows")
    if not 0 <= length <= LONGEST:
        raise wrong
    decompressor = zstd.ZstdDecompressor()
    try:
        text = decompressor.decompress(content, max_length=length + 1)
    except zstd.ZstdError:
        raise wrong from None
    if len(text) != length or not decompressor.eof or decompressor.unused_data:
        raise wrong
    return text


def put(file: int, content: bytes, at: int) -> None:
    """Write all of this at a place of a file. Raises OSError."""
    while content:
        written = os.pwrite(file, content, at)
        content, at = content[written:], at + written


class SegmentReader:
    """A segment's file. Raises JournalCorrupt if it is missing or has changed, and OSError."""

    def __init__(self, journal: Path, segment: Segment) -> None:
        self.segment = segment
        self._file = segment.file(journal)
        self._index: Index | None = None
        self._numbers: dict[str, list[int]] = {}
        self._read_last: tuple[int, list[SegmentRow]] | None = None

    def check_size(self) -> None:
        """Checks that a file of this length exists."""
        try:
            size = self._file.stat().st_size
        except FileNotFoundError:
            raise self._missing() from None
        if size != self.segment.size:
            raise self._changed(self.segment.first)

    @property
    def index(self) -> Index:
        """The segment's index, read once."""
        if self._index is None:
            index = _decode_index(self._index_content())
            if not index.blocks or index.blocks[-1].last != self.segment.last:
                raise self._changed(self.segment.first)
            self._index = index
        return self._index

    def _index_content(self) -> bytes:
        content = self._read(self.segment.index_at, self.segment.size - self.segment.index_at)
        if _digest(content) != self.segment.index_hash:
            raise self._changed(self.segment.first)
        return decompressed(self._file, content[8:], self.segment.index_length)

    def rows_of(self, kind: str) -> list[SegmentRow]:
        """The rows of a kind, without hashes: the index's hash covers them."""
        if not self.segment.kinds.get(kind):
            return []
        # No matter who asks for a kind reads many segments, and none of their blocks.
        return [_row(line, b"") for line in _decode_kinds(self._index_content()).kinds.get(kind, ())]

    def numbers_of(self, kind: str) -> list[int]:
        """The events of a kind, read once."""
        if kind not in self._numbers:
            self._numbers[kind] = [row[0] for row in self.rows_of(kind)]
        return self._numbers[kind]

    def block_of(self, event: int) -> int:
        """The block that has this event."""
        return next(at for at, block in enumerate(self.index.blocks) if event <= block.last)

    def begins(self, round: int) -> int | None:
        """The event that begins a round."""
        for at, block in enumerate(self.index.blocks):
            if block.round >= round:
                return next((row[0] for row in self.block(at) if round_begun(row[5]) == round), None)
        return None

    def block(self, at: int) -> list[SegmentRow]:
        """The verified rows of a block; the last block is cached."""
        if self._read_last is None or self._read_last[0] != at:
            self._read_last = at, self._verified(at)
        return self._read_last[1]

    def rows(self, after: int = 0) -> Iterator[SegmentRow]:
        """The rows after an event, oldest first."""
        for at in range(self.block_of(max(after + 1, self.segment.first)), len(self.index.blocks)):
            for row in self.block(at):
                if row[0] > after:
                    yield row

    def rows_back(self, before: int) -> Iterator[SegmentRow]:
        """The rows before an event, newest first."""
        for at in range(self.block_of(min(before - 1, self.segment.last)), -1, -1):
            for row in reversed(self.block(at)):
                if row[0] < before:
                    yield row

    def _verified(self, at: int) -> list[SegmentRow]:
        block = self.index.blocks[at]
        number, hash = self.segment.first - 1, self.segment.before
        if at:
            number, hash = self.index.blocks[at - 1].last, self.index.blocks[at - 1].hash
        content = self._read(block.at, block.size)
        if _digest(content) != block.digest:
            raise self._changed(number + 1)
        rows: list[SegmentRow] = []
        for line in BytesIO(decompressed(self._file, content, block.length)):
            rows.append(_row(line, hash))
            hash = rows[-1][7]
        if (number + len(rows), hash) != (block.last, block.hash):
            raise self._changed(number + 1)
        return rows

    def _read(self, at: int, size: int) -> bytes:
        try:
            with open_regular(self._file) as file:
                if not 0 <= at <= at + size <= os.fstat(file.fileno()).st_size:
                    raise self._changed(self.segment.first)
                file.seek(at)
                return file.read(size)
        except FileNotFoundError:
            raise self._missing() from None

    def _missing(self) -> JournalCorrupt:
        return JournalCorrupt(f"{self._file} is missing: it holds events {self.segment.first} to {self.segment.last}")

    def _changed(self, event: int) -> JournalCorrupt:
        return JournalCorrupt(f"{self._file}: event {event} is not as it was written")


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def _row(line: bytes | msgspec.Raw, before: bytes) -> SegmentRow:
    number, time, boot, monotonic_ns, synchronised, raw, sealed, asked = _decode_line(line)
    body, input = bytes(raw), None if asked == _NULL else bytes(asked)
    stamp = Stamp(time=time, boot=boot, monotonic_ns=monotonic_ns, synchronised=synchronised)
    hash = chained(before, number, stamp, body, sealed, input) if before else b""
    return number, time, boot, monotonic_ns, int(synchronised), body, sealed, hash, input

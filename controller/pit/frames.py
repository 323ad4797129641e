"""Messages of a journal in one frame of zstd, byte for byte. No I/O here.

A frame is the length of its index (4 octets, big-endian), the index as MessagePack, and the messages one after the
other. It names the dictionary without which it cannot be read.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

if sys.version_info >= (3, 14):
    from compression import zstd as zstd
else:
    from backports import zstd as zstd

TRAINED = Path(__file__).with_name("dictionary.zstd")
FAST = 3
SMALL = 9  # a fifth smaller and six times slower


class ArchivedMessage(NamedTuple):
    """A message in the archive: its number in its journal, when it was received, and its bytes."""

    sequence: int
    received: datetime
    content: bytes


class _Piece(msgspec.Struct, frozen=True, array_like=True):
    """Messages without a gap that were received together; `lengths` in octets."""

    first: int
    received: datetime
    lengths: list[int]


_decode = msgspec.msgpack.Decoder(list[_Piece]).decode


@cache
def trained() -> zstd.ZstdDict:
    """The dictionary for new frames; each training gives another `dict_id`."""
    return zstd.ZstdDict(TRAINED.read_bytes())


def packed(messages: Iterable[ArchivedMessage], level: int = FAST) -> bytes:
    """A frame of messages in order."""
    pieces: list[_Piece] = []
    contents: list[bytes] = []
    following: tuple[int, datetime] | None = None
    for sequence, received, content in messages:
        if (sequence, received) != following:
            pieces.append(_Piece(sequence, received, []))
        pieces[-1].lengths.append(len(content))
        contents.append(content)
        following = sequence + 1, received
    index = msgspec.msgpack.encode(pieces)
    # As zstd has digested it for this level; for another it digests it itself, which takes four times as long.
    dictionary = trained().as_digested_dict if level == FAST else trained()
    return zstd.compress(b"".join([len(index).to_bytes(4, "big"), index, *contents]), level, zstd_dict=dictionary)


def dictionary_of(frame: bytes) -> int:
    """The `dict_id` of a frame's dictionary. Raises zstd.ZstdError if it is not a frame."""
    return zstd.get_frame_info(frame).dictionary_id


def unpacked(frame: bytes, dictionaries: Mapping[int, zstd.ZstdDict]) -> Iterator[ArchivedMessage]:
    """The messages of a frame, in order; dictionaries by `dict_id`. Raises KeyError, zstd.ZstdError, DecodeError."""
    plain = zstd.decompress(frame, dictionaries[dictionary_of(frame)])
    at = 4 + int.from_bytes(plain[:4], "big")
    for piece in _decode(plain[4:at]):
        for sequence, length in enumerate(piece.lengths, piece.first):
            yield ArchivedMessage(sequence, piece.received, plain[at : at + length])
            at += length

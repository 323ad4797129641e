"""The files in which the wires of a table are recorded, sealed: what a block is, where it is, and how it is read.

A file of the ring is a `WireHeader` as a line of JSON, then blocks, each behind a `HEAD`. Blocks set aside for a round
are in a file of their own, a list in MessagePack.
"""

import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from controller.journal.sealing import NONCE_BYTES, SealBroken
from controller.system.files import open_regular

SUFFIX = ".wires"
ASIDE = ".aside"  # what was kept aside of a round

HEAD = struct.Struct(">IQQ")  # length of what is sealed, round, number of the block
WireRow = tuple[int, str, str, bytes]
"""Nanoseconds after the block's first message, wire, sender (`device`, `host` or `link`), and octets; text for the
link.
"""


class WireBlock(msgspec.Struct, frozen=True):
    """Messages of the wires, in order. `began` is UTC, `monotonic_ns` the same moment; so many octets were `dropped`.

    `drivers` names the driver of each wire.
    """

    began: str
    monotonic_ns: int
    drivers: dict[str, str]
    dropped: int
    rows: tuple[WireRow, ...]


class SealedBlock(msgspec.Struct, frozen=True, array_like=True):
    """A block as it is stored: the run of the station, and its number in that run."""

    run: str
    number: int
    sealed: bytes


_decode_aside = msgspec.msgpack.Decoder(list[SealedBlock]).decode


class WireHeader(msgspec.Struct, frozen=True):
    """The first line of a file."""

    journal: str
    run: str
    version: int = 1


def folder_of(journal: Path) -> Path:
    """The folder of the ring of a journal's table."""
    return journal.with_name(journal.name + SUFFIX)


def bound(journal: str, run: str, number: int) -> bytes:
    """The data to which a block is bound."""
    return f"{journal}:wires:{run}:{number}".encode()


def unseal(block: SealedBlock, journal: str, key: bytes) -> WireBlock:
    """A block opened with the key of its round's wires. Raises SealBroken."""
    nonce, content = block.sealed[:NONCE_BYTES], block.sealed[NONCE_BYTES:]
    try:
        plain = ChaCha20Poly1305(key).decrypt(nonce, content, bound(journal, block.run, block.number))
    except (InvalidTag, ValueError):
        raise SealBroken(f"the key does not open the messages of the wires (block {block.number})") from None
    return msgspec.json.decode(plain, type=WireBlock)


def blocks_of(folder: Path, journal: str, round: int) -> Iterator[SealedBlock]:
    """The recorded blocks of a round, oldest first: those set aside, then those in the ring. The station may run
    meanwhile. Raises OSError.
    """
    aside: list[SealedBlock] = []
    damaged_or_none = suppress(FileNotFoundError, NotADirectoryError, msgspec.DecodeError)
    with damaged_or_none, open_regular(aside_of(folder, journal, round)) as kept:
        aside = _decode_aside(kept.read())
    known = {(block.run, block.number) for block in aside}
    yield from aside
    yield from (block for block in _in_the_ring(folder, journal, round) if (block.run, block.number) not in known)


def _in_the_ring(folder: Path, journal: str, round: int) -> Iterator[SealedBlock]:
    for path in wire_files(folder) if folder.is_dir() else ():
        try:
            with open_regular(path) as ring:
                content = ring.read()
        except FileNotFoundError:
            continue  # the ring has come round
        line, _, rest = content.partition(b"\n")
        try:
            header = msgspec.json.decode(line, type=WireHeader)
        except msgspec.DecodeError:
            continue  # cut off
        if header.journal != journal:
            continue
        at = 0
        while len(rest) >= at + HEAD.size:
            length, of, number = HEAD.unpack_from(rest, at)
            sealed = rest[at + HEAD.size : at + HEAD.size + length]
            at += HEAD.size + length
            if of == round and len(sealed) == length:  # else the last is being written, or was cut off
                yield SealedBlock(header.run, number, sealed)


def aside_of(folder: Path, journal: str, round: int) -> Path:
    return folder / f"{journal}-{round:08}{ASIDE}"


def wire_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob(f"*{SUFFIX}") if path.stem.isdecimal())

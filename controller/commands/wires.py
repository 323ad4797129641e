"""The wires of a disputed round, decoded by the drivers' codecs, for `dealer-station audit wires`."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from controller.journal.past import released_keys
from controller.journal.reading import opened_journal as opened_journal
from controller.journal.sealing import SealBroken, wires_key
from controller.journal.wires import SealedBlock, WireBlock, unseal
from drivers.make import Decode
from drivers.recording import named
from drivers.registry import all_drivers, make_of


class BundledWires(msgspec.Struct, frozen=True):
    """The parts of a dispute bundle that are needed to read its wires."""

    journal: str
    round: int
    released_key: str | None = None
    wires: tuple[SealedBlock, ...] = ()


class OnWire(msgspec.Struct, frozen=True, omit_defaults=True):
    """A report on a wire. `octets` is hexadecimal; those of a device are beside the message that they complete."""

    time: str
    wire: str
    by: str
    octets: str = ""
    words: str = ""
    message: str = ""
    fields: dict[str, Any] = {}


def released_key(path: Path, mode: str, bundle: BundledWires) -> str | None:
    """The released key for a bundle that was written before the release. Raises the failures of reading a journal."""
    with opened_journal(path, mode) as (db, journal):
        return released_keys(db).get(bundle.round) if journal == bundle.journal else None


def opened_wires(bundle: BundledWires, key: str | None) -> Iterator[WireBlock]:
    """The decrypted blocks of a bundle. Raises SealBroken, also if the key was not released."""
    if key is None:
        raise SealBroken("the key of its round was not released")
    own = wires_key(bytes.fromhex(key))
    return (unseal(block, bundle.journal, own) for block in bundle.wires)


def decoded(blocks: Iterable[WireBlock]) -> Iterator[OnWire]:
    """The decoded messages of each wire."""
    codecs: dict[str, Decode] = {}
    for block in blocks:
        began = datetime.fromisoformat(block.began)
        for after, wire, by, what in block.rows:
            time = (began + timedelta(microseconds=after // 1000)).isoformat(timespec="milliseconds")
            if by == "link":
                codecs.pop(wire, None)
                yield OnWire(time, wire, by, words=what.decode(errors="replace"))
                continue
            driver = block.drivers.get(wire, "")
            codec = make_of(driver).codec if by == "device" and driver in all_drivers() else None
            decoded = codecs.setdefault(wire, codec())(what) if codec is not None else ()
            first, *others = map(named, decoded) if decoded else [("", {})]
            yield OnWire(time, wire, by, what.hex(), "", *first)
            for other in others:
                yield OnWire(time, wire, by, "", "", *other)


def wire_line(entry: OnWire) -> str:
    """A line for a person."""
    fields = " ".join(f"{name}={value}" for name, value in entry.fields.items())
    return " ".join(
        filter(None, (entry.time, f"{entry.wire:<9}{entry.by:<7}", entry.octets, entry.words, entry.message, fields))
    )

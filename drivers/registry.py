"""Which makes of devices are installed, by their entry points. A make is imported when it is first named."""

import hashlib
import inspect
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import get_args

from drivers.device import DeviceName
from drivers.make import DeviceMake

GROUP = "dealer_station.devices"
KINDS: tuple[DeviceName, ...] = get_args(DeviceName)


class BadMake(Exception):
    """An installed package registers a make wrongly; the text names the package."""


@cache
def _entered() -> dict[DeviceName, dict[str, EntryPoint]]:
    """The entry points by kind and driver, in the order of their names. An entry point is named KIND.DRIVER. Raises
    BadMake.
    """
    found: dict[DeviceName, dict[str, EntryPoint]] = {kind: {} for kind in KINDS}
    known: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        kind, _, driver = entry.name.partition(".")
        if kind not in KINDS or not driver:
            raise BadMake(f"{_package(entry)}: {entry.name} is not a name KIND.DRIVER, of {', '.join(KINDS)}")
        if driver in known and known[driver].value != entry.value:
            raise BadMake(f"{_package(known[driver])} and {_package(entry)} both have a driver {driver}")
        known[driver] = found[kind][driver] = entry
    for kind, drivers in found.items():
        if not drivers:
            raise BadMake(f"no package has a driver of a {kind}: install dealer-station again")
    return found


def drivers_of(kind: DeviceName) -> tuple[str, ...]:
    """The names of a kind's makes. Raises BadMake."""
    return tuple(_entered()[kind])


def all_drivers() -> dict[str, DeviceName]:
    """Every driver with its kind. Raises BadMake."""
    return {driver: kind for kind in KINDS for driver in _entered()[kind]}


def entry_of(driver: str) -> EntryPoint:
    """The entry point of a driver. Raises KeyError if it is not installed, and BadMake."""
    return _entered()[all_drivers()[driver]][driver]


def make_of(driver: str) -> DeviceMake:
    """The make of a driver. Raises KeyError if it is not installed, and BadMake."""
    entry = entry_of(driver)
    try:
        make = entry.load()
    except (ImportError, AttributeError) as error:
        raise BadMake(f"{_package(entry)}: the driver {driver} cannot be loaded: {error}") from None
    if not isinstance(make, DeviceMake) or f"{make.kind}.{make.driver}" != entry.name:
        raise BadMake(f"{_package(entry)}: {entry.value} is not the make {entry.name}")
    return make


def all_makes() -> tuple[DeviceMake, ...]:
    """Every make that is installed, imported. Raises BadMake."""
    return tuple(map(make_of, all_drivers()))


@dataclass(frozen=True, slots=True)
class MakeOrigin:
    """Where a make comes from: its package, its version, and SHA-256 over the names and octets of its Python files."""

    package: str
    version: str
    sha256: str


def origin_of(driver: str) -> MakeOrigin:
    """Reads the files of a make. Raises as `make_of`, and OSError."""
    entry = entry_of(driver)
    folder = Path(inspect.getfile(import_module(entry.module))).parent
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*.py")):
        octets = file.read_bytes()
        digest.update(f"{file.relative_to(folder)} {len(octets)}\n".encode() + octets)
    return MakeOrigin(_package(entry), entry.dist.version if entry.dist is not None else "", digest.hexdigest())


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.module

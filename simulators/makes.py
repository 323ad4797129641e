"""The makes of devices on the bench: those of `simulators.devices`, and those that other packages register."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import TypeVar

from simulators.devices.make import (
    SimulatedMake,
    SimulatedShoeMake,
    SimulatedShufflerMake,
    SimulatedSignMake,
    SimulatedSlotsMake,
)

DEVICES, GROUP = "dealer_station.devices", "dealer_station.simulators"
SORTS: dict[str, type[SimulatedMake]] = {
    sort.kind: sort for sort in (SimulatedShufflerMake, SimulatedShoeMake, SimulatedSlotsMake, SimulatedSignMake)
}
M = TypeVar("M", bound=SimulatedMake)


@cache
def _entered(kind: str) -> dict[str, EntryPoint]:
    """The entry points by driver. An entry point is named like that of its device, KIND.DRIVER; a make of the tree
    is found by that name.
    """
    named: dict[str, EntryPoint] = {}
    for name in {entry.name for entry in entry_points(group=DEVICES)}:
        module = f"simulators.devices.{name.partition('.')[2].replace('-', '_')}"
        if find_spec(module) is not None:
            named[name] = EntryPoint(name, f"{module}:MAKE", GROUP)
    named |= {entry.name: entry for entry in entry_points(group=GROUP)}
    return {name.partition(".")[2]: named[name] for name in sorted(named) if name.startswith(f"{kind}.")}


def drivers_of(sort: type[SimulatedMake]) -> tuple[str, ...]:
    return tuple(_entered(sort.kind))


def make_of(sort: type[M], driver: str = "") -> M:
    """The make of a driver, or the default one. Raises KeyError for one that is not on the bench, TypeError for an
    entry point that is no make.
    """
    driver = driver or sort.usual
    make = _entered(sort.kind)[driver].load()
    if not isinstance(make, sort):
        raise TypeError(f"{sort.kind}.{driver} is no {sort.__name__}")
    return make

"""The makes of slots and signs on the bench, by the entry points of the packages that are installed."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Literal

from simulators.devices.make import SimulatedSignMake, SimulatedSlotsMake

GROUP = "dealer_station.simulators"


@cache
def _entered(kind: Literal["slots", "sign"]) -> dict[str, EntryPoint]:
    """By driver; an entry point has the name of its device's, KIND.DRIVER."""
    named = {entry.name: entry for entry in entry_points(group=GROUP)}
    return {name.partition(".")[2]: named[name] for name in sorted(named) if name.startswith(f"{kind}.")}


def slots_makes() -> tuple[str, ...]:
    return tuple(_entered("slots"))


def sign_makes() -> tuple[str, ...]:
    return tuple(_entered("sign"))


def slots_make(driver: str) -> SimulatedSlotsMake:
    """Raises KeyError for one that is not on the bench, TypeError for an entry point that is no make."""
    make = _entered("slots")[driver].load()
    if not isinstance(make, SimulatedSlotsMake):
        raise TypeError(f"slots.{driver} is no SimulatedSlotsMake")
    return make


def sign_make(driver: str) -> SimulatedSignMake:
    """Raises as `slots_make`."""
    make = _entered("sign")[driver].load()
    if not isinstance(make, SimulatedSignMake):
        raise TypeError(f"sign.{driver} is no SimulatedSignMake")
    return make

"""What the matrix needs of a simulated device."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from drivers.device import Device, Mark
from drivers.kit.assertion import Person
from drivers.wiring import Wiring
from tests.kit.wires import later

Far = TypeVar("Far")


async def at_once() -> None:
    """Nothing to switch on."""


@dataclass(frozen=True, slots=True)
class Rig:
    """The driver of a simulated device, a person in front of it, and what switches it on."""

    open_device: Callable[[Mark | None], Device]
    person: Person
    wiring: Wiring | None = None
    switch_on: Callable[[], Awaitable[None]] = at_once
    packet: int = 0


def defect(name: str, text: str, plant: Callable[[Far], None]) -> Callable[[Far], None]:
    """A defect that one expression plants."""
    plant.__name__, plant.__doc__ = name, text
    return plant


def after(far: object, act: str, then: Callable[[], object]) -> None:
    """Each time the device does this, that follows."""
    real = getattr(far, act)

    def both() -> None:
        real()
        then()

    setattr(far, act, both)


def delayed(far: object, act: str, seconds: float) -> None:
    """The device does this so many seconds later."""
    real = getattr(far, act)
    setattr(far, act, lambda: later(seconds, real))

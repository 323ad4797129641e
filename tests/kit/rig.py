"""What the matrix needs of a simulated device."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from drivers.device import Device, Mark
from drivers.kit.assertion import Person
from drivers.wiring import Wiring


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

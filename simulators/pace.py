"""The pace of people, machines and wires. No I/O here."""

import asyncio
from dataclasses import dataclass

LASTING_FAULT_SECONDS, LASTING_FAULT_AT_MAX_SECONDS = 1.0, 0.4


@dataclass(slots=True)
class Pace:
    """Factors on the seconds that people and machines take (0: no time at all), and whether wires keep their bit
    rate.
    """

    people: float
    machines: float
    wires: bool

    def change_to(self, other: "Pace") -> None:
        """Sets the pace of people and machines from their next piece of work on; wires keep theirs."""
        self.people, self.machines = other.people, other.machines

    async def person(self, seconds: float) -> None:
        """Wait as long as a person takes for work of `seconds`."""
        if self.people:
            await asyncio.sleep(seconds * self.people)

    async def machine(self, seconds: float) -> None:
        """Wait as long as a machine takes for work of `seconds`."""
        if self.machines:
            await asyncio.sleep(seconds * self.machines)

    @property
    def instant(self) -> bool:
        """True at `max`, where nothing takes time."""
        return not (self.people or self.machines or self.wires)

    @property
    def text(self) -> str:
        """The speed of people and machines, as `pace_from_text` reads it."""
        if not self.people:
            return "device" if self.machines else "max"
        return "human" if self.people == 1 else f"{1 / self.people:g}"

    @property
    def fault_seconds(self) -> float:
        """The duration of a lasting fault that names none."""
        return LASTING_FAULT_AT_MAX_SECONDS if self.instant else LASTING_FAULT_SECONDS


def pace_from_text(text: str) -> Pace:
    """Read `human`, `device`, `max` or a positive number (times faster than human). Raises ValueError."""
    match text:
        case "human":
            return Pace(1.0, 1.0, True)
        case "device":
            return Pace(0.0, 1.0, True)
        case "max":
            return Pace(0.0, 0.0, False)
    factor = float(text)
    if not 0 < factor < float("inf"):
        raise ValueError(f"a speed is positive, not {text}")
    return Pace(1 / factor, 1 / factor, True)

"""Which assertion notices which planted defect (`python -m tests.kit.matrix`): each against each, in made-up time."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from typing import Any

from drivers.device import DeviceName
from drivers.kit.assertion import Assertion, Bench
from drivers.kit.proof import ASSERTIONS, Result, prove_assertion
from tests.kit import shoe, shuffler, sign, slots
from tests.kit.rig import Rig
from tests.made_up_time import MadeUpTime


@dataclass(frozen=True, slots=True)
class Planted:
    """The simulated device of a kind, with a person in front of it, and what can be wrong with it."""

    rig: Callable[[Callable[[Any], None]], AbstractContextManager[Rig]]
    defects: Sequence[Callable[[Any], None]]


KINDS: dict[DeviceName, Planted] = {
    "slots": Planted(slots.rig, slots.DEFECTS),
    "shoe": Planted(shoe.rig, shoe.DEFECTS),
    "shuffler": Planted(shuffler.rig, shuffler.DEFECTS),
    "sign": Planted(sign.rig, sign.DEFECTS),
}


def sound(far: object) -> None:
    """No defect."""


def proved(kind: DeviceName, assertion: Assertion, plant: Callable[[Any], None] = sound) -> Result:
    """What comes of one assertion, on a device of its own."""
    with KINDS[kind].rig(plant) as rig, asyncio.Runner(loop_factory=MadeUpTime) as runner:

        async def run() -> Result:
            await rig.switch_on()
            return await prove_assertion(Bench(rig.open_device, rig.person, rig.wiring, packet=rig.packet), assertion)

        return runner.run(run())


@cache
def killed(kind: DeviceName) -> dict[str, tuple[str, ...]]:
    """By defect: the assertions that are false then."""
    return {
        defect.__name__: tuple(assertion.id for assertion in ASSERTIONS[kind] if proved(kind, assertion, defect).reason)
        for defect in KINDS[kind].defects
    }


def lines() -> list[str]:
    """The matrix, a line for each defect: its name, what it is, and the assertions that notice it."""
    found = []
    for kind, planted in KINDS.items():
        found.append(f"{kind}: {len(ASSERTIONS[kind])} assertions, {len(planted.defects)} defects")
        for defect in planted.defects:
            which = " ".join(killed(kind)[defect.__name__]) or "NONE"
            found.append(f"  {which:<12} {defect.__name__}: {defect.__doc__}")
    return found


if __name__ == "__main__":
    print("\n".join(lines()))

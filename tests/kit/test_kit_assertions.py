"""Each assertion is true of a sound device of any make, and false for a defect that no other assertion notices."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from drivers.device import DeviceName
from drivers.kit.assertion import Assertion, Bench
from drivers.kit.proof import ASSERTIONS, Result, prove_assertion
from drivers.kit.slots import SLOTS
from drivers.numato.slots import Numato
from drivers.wiring import Wiring
from simulators.devices import numato
from simulators.pace import pace_from_text
from tests.kit.matrix import KINDS, killed, proved
from tests.kit.slots import BUTTON, SEATS, FarBoard, PersonAtSlots
from tests.kit.wires import FarLine, wired
from tests.made_up_time import MadeUpTime

ALL = [(kind, assertion) for kind in KINDS for assertion in ASSERTIONS[kind]]


@pytest.mark.parametrize(("kind", "assertion"), ALL, ids=lambda it: getattr(it, "id", it))
def test_it_is_true_of_a_sound_device(kind: DeviceName, assertion: Assertion) -> None:
    assert proved(kind, assertion).reason == ""


@pytest.mark.parametrize(
    ("kind", "assertion", "defect"),
    [(kind, *pair) for kind in KINDS for pair in zip(ASSERTIONS[kind], KINDS[kind].defects, strict=True)],
    ids=lambda it: getattr(it, "id", getattr(it, "__name__", it)),
)
def test_it_is_false_for_its_defect(kind: DeviceName, assertion: Assertion, defect: Callable[[Any], None]) -> None:
    assert proved(kind, assertion, defect).reason


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_no_other_assertion_notices_its_defect(kind: DeviceName) -> None:
    noticed = killed(kind)
    assert {defect: by for defect, by in noticed.items() if len(by) != 1} == {}
    assert [by[0] for by in noticed.values()] == [assertion.id for assertion in ASSERTIONS[kind]]


FIRST_LAMP, OWN_BUTTON, LOCK_LAMP = 7, 14, 15
SENSORS = {seat - 1: seat for seat in SEATS}
LAMPS = {seat: FIRST_LAMP + seat - 1 for seat in SEATS}
WIRING = Wiring(SENSORS, OWN_BUTTON, LOCK_LAMP, LAMPS, lines=16)


class FarNumato(FarBoard):
    """The board as a person sees it: the cable is its power."""

    def __init__(self) -> None:
        super().__init__()
        board = numato.Numato(pace_from_text("device"), lambda octets: self.line.send(octets))
        self.line = FarLine(board.receive)
        self.board = SimpleNamespace(levels=board.levels)  # type: ignore[assignment]
        self.sense = lambda line, level: board.sense(OWN_BUTTON if line == BUTTON else line, level)
        self.lamps = lambda: [board.relays[lamp] for lamp in LAMPS.values()] + [False, board.relays[LOCK_LAMP]]
        self.plug = self.line.plug

        def unplug() -> None:
            self.line.unplug()
            board.lose_power()

        self.unplug = unplug


@pytest.mark.parametrize("assertion", SLOTS, ids=lambda assertion: assertion.id)
def test_it_is_true_of_a_numato_board(assertion: Assertion) -> None:
    far = FarNumato()

    async def run() -> Result:
        lamps = [*LAMPS.values(), LOCK_LAMP]
        bench = Bench(
            lambda mark: Numato(port="port", seats=SENSORS, button=OWN_BUTTON, lamps=lamps), PersonAtSlots(far), WIRING
        )
        return await prove_assertion(bench, assertion)

    with wired(far.line), asyncio.Runner(loop_factory=MadeUpTime) as runner:
        assert runner.run(run()).reason == ""

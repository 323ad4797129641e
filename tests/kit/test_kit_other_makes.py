"""The assertions know no make: those of slots are true of a Numato board too."""

import asyncio
from types import SimpleNamespace

import pytest

from drivers.kit.assertion import Assertion, Bench
from drivers.kit.proof import Result, prove_assertion
from drivers.kit.slots import SLOTS
from drivers.numato.slots import Numato
from drivers.wiring import Wiring
from simulators.devices import numato
from simulators.pace import pace_from_text
from tests.kit.slots import BUTTON, SEATS, FarBoard, PersonAtSlots
from tests.kit.wires import FarLine, wired
from tests.made_up_time import MadeUpTime

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

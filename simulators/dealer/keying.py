"""Keying in what lies on the table, as it lies, until the station takes it or a supervisor ends the round."""

from simulators.dealer.http_face import Input, Projection
from simulators.dealer.memory import AnyWorkplace, RoundMemory
from simulators.dealer.reporting import Reporting

REFUSALS = 3  # of the same cards, keyed in as they lie: then a supervisor ends the round


class Keying:
    """The dealer at the screen while cards or tiles are shown."""

    def __init__(self, workplace: AnyWorkplace, memory: RoundMemory, reporting: Reporting) -> None:
        self._at = workplace
        self._memory = memory
        self._reporting = reporting
        self._refusals = 0

    async def _say_as_it_lies(self, view: Projection, item: Input) -> bool:
        """Whether the station takes it."""
        if await self._at.desk.say(view, [item]):
            self._refusals = 0
            return True
        self._refusals += 1
        if self._refusals >= REFUSALS and self._at.desk.supervisor:
            self._void()
        return False

    def _void(self) -> None:
        """A supervisor ends the round."""
        self._refusals = 0
        self._memory.deck_doubted = True
        self._at.table.camera.saw("irregularity", kind="supervisor_void")
        reason = "the cards on the table are not those the station heard"
        self._reporting.report({"kind": "void_round", "reason": reason, "actor": self._at.desk.supervisor})

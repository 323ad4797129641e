"""A stage and an injector whose every act is only written down."""

from simulators.faults.dealer_mistakes import DealerMistakes
from simulators.faults.injector import FaultAct, Injector
from simulators.faults.stage import Stage
from simulators.faults.syntax import KINDS, Ends, Fault, read_fault
from simulators.faults.wiring import mistake_acts
from simulators.games import GAMES as ON_THE_BENCH
from tests.games import GAMES

SECONDS = 0.05


class FaultTable:
    """A stage and an injector whose every act is written down."""

    def __init__(self, game: str = GAMES[0]) -> None:
        self.stage = Stage()
        self.mistakes = DealerMistakes()
        self.done: list[str] = []
        acts = {named: self._act(str(kind), kind.ends is Ends.AT_ONCE) for named, kind in KINDS.items()}
        acts |= mistake_acts(self.mistakes)
        self.injector = Injector(self.stage, acts, ON_THE_BENCH[game].default_seats, SECONDS, ON_THE_BENCH[game].faults)

    def _act(self, name: str, at_once: bool) -> FaultAct:
        def begin(fault: Fault) -> None:
            self.done.append(f"{name}={fault.value}" if fault.value else name)

        def end(value: str) -> None:
            self.done.append(f"{name} off")

        def call_off(value: str) -> bool:
            self.done.append(f"{name} called off")
            return True

        return FaultAct(begin, None if at_once else end, call_off if name in ("shoe:lost", "shuffler:jam") else None)

    def wish(self, text: str) -> list[str]:
        """Wish for a fault; what happened since the last look."""
        self.injector.wish(read_fault(text))
        return self.news()

    def news(self) -> list[str]:
        done, self.done = self.done, []
        return done

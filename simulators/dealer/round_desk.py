"""The common part of all hands of one round: the things on the table, the acts done, and the reports due."""

from dataclasses import dataclass, field
from typing import Any, Generic

from simulators.dealer.memory import RoundMemory, WorkplaceOf
from simulators.dealer.reporting import Reporting
from simulators.felt.cards import Card
from simulators.felt.deck import P


@dataclass
class RoundDesk(Generic[P]):
    """A game whose hands need more adds it."""

    at: WorkplaceOf[P]
    memory: RoundMemory = field(default_factory=RoundMemory)
    reporting: Reporting = field(init=False)

    def __post_init__(self) -> None:
        self.reporting = Reporting(self.at, self.memory)


CardDesk = RoundDesk[Card]
AnyDesk = RoundDesk[Any]


class AtDesk(Generic[P]):
    """Hands of one round."""

    def __init__(self, desk: RoundDesk[P]) -> None:
        self._at, self._memory, self._reporting = desk.at, desk.memory, desk.reporting

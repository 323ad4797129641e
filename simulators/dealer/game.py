"""The interface of a game to the robot dealer: the acts of his hands in a round, and the source of its cards or
tiles.
"""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from simulators.dealer.betting import BetEntry
from simulators.dealer.drawing import Drawing
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import AnyWorkplace
from simulators.dealer.round_desk import AnyDesk
from simulators.dealer.settling import Clearing, Settling
from simulators.dealer.showing import Keying, Showing
from simulators.dealer.sources import Sources
from simulators.devices.dispenser import Dispenser
from simulators.devices.shuffler import Shuffler
from simulators.setting import Setting

T = TypeVar("T")
Answering = Callable[[Projection], Awaitable[bool]]


@dataclass(frozen=True, slots=True)
class Hands:
    """The dealer's hands in one round; `own_steps` are the steps that only this game has, by the prompt's kind."""

    desk: AnyDesk
    betting: BetEntry
    dealing: Drawing[Any]
    showing: Keying
    settling: Settling
    clearing: Clearing
    own_steps: Mapping[str, Answering] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AtTable:
    """The start of the robot dealer: the table with its machine, and the habits of its players.

    `places` is the number of places, of eight, that get tiles.
    """

    setting: Setting
    workplace: AnyWorkplace
    machine: Shuffler | Dispenser | None
    seed: int | str
    chip_rate: float
    places: str

    def needed(self, thing: object, kind: type[T]) -> T:
        """The source that the game needs. Raises ValueError if the table has another."""
        if not isinstance(thing, kind):
            found = type(thing).__name__
            raise ValueError(f"{self.setting.game} is dealt with a {kind.__name__}, and at this table is a {found}")
        return thing


class GameAtTable(ABC):
    """One game at this table: the same `sources` all the time, and new hands for each round."""

    sources: Sources

    @abstractmethod
    def __init__(self, table: AtTable) -> None:
        """Raises ValueError if the table lacks something that the game needs."""

    @abstractmethod
    def new_round(self) -> Hands:
        """Hands that have done nothing yet."""

    def _hands(self, desk: AnyDesk, betting: BetEntry, dealing: Drawing[Any], showing: Showing) -> Hands:
        """Hands that pay when the round is over and gather all cards then."""
        settling, clearing = Settling(desk), Clearing(desk, self.sources)
        return Hands(desk, betting, dealing, showing, settling, clearing, {"decisions": showing.ask_players})

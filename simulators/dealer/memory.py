"""The dealer's knowledge: the things on the table, and the acts in the round under way."""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from simulators.dealer.hands import DealerPatience
from simulators.dealer.http_face import Projection
from simulators.dealer.lock_in import LockInPress
from simulators.dealer.station_desk import StationDesk
from simulators.devices.shoe import Reader
from simulators.faults.dealer_mistakes import DealerMistakes
from simulators.faults.stage import Stage
from simulators.felt.cards import Card
from simulators.felt.deck import OrdersOf, P
from simulators.felt.guest import Guest, Laying
from simulators.felt.luck import Luck
from simulators.felt.players import Players
from simulators.felt.table import Felt
from simulators.pace import Pace

UNREAD_ERROR = 1  # the shoe's lamp for a card it cannot read


@dataclass(frozen=True)  # with slots Python 3.11 cannot make one of a type that is named, as `Workplace` is
class WorkplaceOf(Generic[P]):
    """Everything within the dealer's reach except the shuffling machine, which differs between games.

    Without slots, `lock_in` is None.
    """

    desk: StationDesk
    table: Felt[P]
    players: Players
    shoe: Reader[P]
    orders: OrdersOf[P]
    pace: Pace
    stage: Stage
    mistakes: DealerMistakes
    chance: random.Random  # the hands' own stream
    error_patience: DealerPatience  # with an error the shoe shows, be it for rounds
    lock_in: LockInPress | None = None
    guests: tuple[Guest, ...] = ()  # the persons at the seats
    luck: Luck = field(default_factory=Luck)

    def patience(self, seconds: float, at_max: float) -> float:
        """The patience of this dealer, in seconds."""
        return at_max if self.pace.instant else seconds

    def guest_at(self, seat: int) -> Guest | None:
        """The person at this seat, if one sits there."""
        return next((guest for guest in self.guests if guest.seat == seat), None)

    async def bets_of(self, guests: Sequence[Guest]) -> list[tuple[Guest, Laying]]:
        """The bets of these persons, who are asked at once."""
        still = self.while_asked()
        return list(zip(guests, await asyncio.gather(*(guest.bets(still) for guest in guests)), strict=True))

    def while_asked(self) -> Callable[[], bool]:
        """Returns a function that says whether the station still waits for the same step, or does not answer."""
        began = _asked(self.desk.face.view)
        return lambda: self.desk.face.view is None or _asked(self.desk.face.view) == began


Workplace = WorkplaceOf[Card]
AnyWorkplace = WorkplaceOf[Any]  # for hands that move neither cards nor tiles


@dataclass(slots=True)
class RoundMemory:
    """The acts of the hands in this round, so that a restart of the station does not repeat them."""

    wagers: list[dict[str, Any]] | None = None  # as they are on the felt, in the words of the screen
    keyed_wagers: list[dict[str, Any]] | None = None
    wagers_reported: bool = False
    deal: str | None = None  # as it was announced, or as it holds without that
    choices: dict[int, str] | None = None
    keyed_decisions: dict[int, str] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)  # ids of steps whose work with the hands is done
    swept: bool = False
    halted: bool = False  # dealt wrongly: nothing more is placed until the station has answered
    keyed_at: dict[int, int] = field(default_factory=dict)  # a seat as keyed in, and the seat where the bets are
    cards_follow_bets: bool = True  # a place with bets gets the cards, and not every place
    unread: dict[str, list[object]] = field(default_factory=dict)  # cards the dealer knows the shoe did not report
    late_chips: set[int] = field(default_factory=set)
    gathered: bool = False
    deck_doubted: bool = False  # void because the deck is not complete: the dealer looks it through
    machine_failed: bool = False  # reported while the cards were dealt
    outcome: str = "no settlement"
    by_person: bool = False  # someone may have entered what the hands do not know of

    def seat(self, keyed: int) -> int:
        """The seat on the felt that the station calls `keyed`."""
        return self.keyed_at.get(keyed, keyed)

    def keyed(self, seat: int) -> int:
        """The station's name for a seat on the felt."""
        return next((keyed for keyed, real in self.keyed_at.items() if real == seat), seat)

    def place(self, named: str) -> str:
        """The place on the felt that the station calls `named`."""
        follows = self.cards_follow_bets and named.startswith("seat ")
        return f"seat {self.seat(int(named[5:]))}" if follows else named

    def named(self, place: str) -> str:
        """The station's name for a place on the felt."""
        follows = self.cards_follow_bets and place.startswith("seat ")
        return f"seat {self.keyed(int(place[5:]))}" if follows else place


def _asked(view: Projection | None) -> object:
    if view is None:
        return None
    step, round = view["step"], view.get("round") or {}
    return round.get("id"), bool(round.get("void")), *(step.get(key) for key in ("kind", "seat", "hand", "question"))


def source_of(view: Projection) -> str:
    """The source of the cards of this round, or of the next one."""
    return str((view.get("round") or view).get("source", "shuffler"))


def is_void(view: Projection) -> bool:
    """Whether the round is void."""
    return bool((view.get("round") or {}).get("void"))


def is_dealing(view: Projection) -> bool:
    """Whether the station waits for a card or packet."""
    return bool(view["step"]["kind"] == "deal")


def single_place(to: str | list[str]) -> str:
    """The single place in a prompt for one card or hand, given as text or as a list with one item."""
    return to if isinstance(to, str) else to[0]

"""The sources of cards or tiles, in the dealer's hands: shuffling by hand, repairs, and changes of the machine."""

import sys
from abc import ABC, abstractmethod

from simulators.dealer import hands
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import AnyWorkplace, RoundMemory, Workplace, source_of
from simulators.devices.card_machine import HOPPER, MACHINE, CardMachine
from simulators.felt.deck import SHOE
from simulators.felt.table import BANK, seat_place

ROUNDS_FROM_SHOE = 3  # before the shuffler is tried again
CUT_BY_PLAYER = 0.5


class Sources(ABC):
    """The dealer's work with all cards or tiles between two rounds; without a machine no one looks after one."""

    def __init__(self, workplace: AnyWorkplace) -> None:
        self._at = workplace
        self._patience = hands.DealerPatience(workplace.desk.looked_at)

    async def look_after_shuffler(self, view: Projection) -> bool:
        """Does the work that the shuffling machine needs, if there is one."""
        return await self.lend_hand(view)

    async def lend_hand(self, view: Projection) -> bool:
        """Works at the machine, even while a person is awaited at the screen."""
        return False

    @property
    def shuffler_busy(self) -> bool:
        """Whether the machine turns or gives out cards: then no one reaches into it."""
        return False

    def station_away(self) -> None:
        """Whether the station is offline: then no one loses patience with a machine."""
        self._patience.restart()

    async def choose(self, view: Projection, memory: RoundMemory) -> bool:
        """Changes to another source between two rounds, if there is one."""
        return False

    def may_begin(self, view: Projection) -> bool:
        """Whether a round can begin with the present source."""
        return not self.shuffler_busy

    async def begin_refused(self, view: Projection) -> bool:
        """Acts on the source after the station has refused to begin a round from it."""
        return False

    def cards_left(self, view: Projection) -> bool:
        """Whether cards are out of place when a round begins."""
        return self._at.table.deck.count(*self._at.table.places) > 0

    @abstractmethod
    async def shuffle(self, view: Projection, memory: RoundMemory) -> bool:
        """Brings all cards to where they are shuffled, and shuffles them if that is done by hand."""

    async def cut(self, view: Projection, memory: RoundMemory) -> bool:
        """Cuts the cards; tiles are not cut."""
        return False

    async def complete_deck(self, view: Projection, memory: RoundMemory) -> bool:
        """Completes the deck, of which only a machine notices by itself that it is not complete."""
        return False

    @abstractmethod
    async def gather(self, view: Projection, memory: RoundMemory) -> None:
        """Moves everything on the table to its place after a round."""

    @abstractmethod
    def _gather_into_shoe(self) -> None:
        """Moves everything to where it is shuffled by hand."""

    @abstractmethod
    def _film_shuffle(self) -> None:
        """The shuffle by hand is done."""

    async def _repair(self) -> bool:
        """Make the deck whole; whether it was not."""
        if not self._at.table.deck.faulty:
            return False
        await self._at.pace.person(hands.REPAIR_DECK_SECONDS)
        self._at.table.deck.repair()
        self._at.mistakes.repaired()
        return True

    async def _shuffle_by_hand(self, view: Projection, memory: RoundMemory) -> bool:
        deck, done = self._at.table.deck, f"{view['step']['id']} by hand"
        if done not in memory.done:
            if self.shuffler_busy:
                return False
            memory.done.add(done)
            self._gather_into_shoe()
            await self._at.pace.person(hands.SHUFFLE_BY_HAND_SECONDS)
            self._film_shuffle()
        counted = deck.count(SHOE)
        if counted != deck.size and self._at.desk.person.on and await self._repair():
            self._film_shuffle()  # the station would refuse the count, which the hands would not receive
            return True
        if await self._at.desk.say(view, [{"kind": "shuffled", "count": counted}]):
            return True
        if counted != deck.size and await self._repair():
            self._film_shuffle()
        return False


class MachineSources(Sources):
    """All cards are moved by hand to the place where they are shuffled; the station names the source that deals."""

    def __init__(self, workplace: Workplace, machine: CardMachine) -> None:
        super().__init__(workplace)
        self._machine = machine
        self._cut_by = BANK
        self._failed = False  # the station wants the shuffler replaced
        self._back_after: int | None = None  # the last round from the shoe before the dealer goes back to the shuffler

    async def lend_hand(self, view: Projection) -> bool:
        """Close its lid, and clear a jam once no card of a round can be spoilt by it."""
        if self._machine.lid_open:
            await self._at.pace.person(hands.CLOSE_LID_SECONDS)
            self._machine.close_lid()
            return True
        if self._machine.jammed and self._may_clear_jam(view):
            await self._at.pace.person(hands.CLEAR_JAM_SECONDS)
            self._machine.clear_jam()
            return True
        return False

    async def choose(self, view: Projection, memory: RoundMemory) -> bool:
        """Between two rounds: back to the shuffler when enough was played from the shoe."""
        if self._back_after is None or source_of(view) == "shuffler":
            return False
        if self._at.table.camera.round < self._back_after or not self._shuffler_answers(view):
            return False
        if self._failed and not await self._replace(view):
            self._back_after = None
            return False
        accepted = await self._at.desk.mention(view, {"kind": "use_source", "source": "shuffler"}) == 200
        self._back_after = None if accepted else self._at.table.camera.round + ROUNDS_FROM_SHOE
        return True

    async def cut(self, view: Projection, memory: RoundMemory) -> bool:
        """The bank or a player cuts; then the cards are in the shoe in their final order."""
        if view["step"]["id"] not in memory.done:
            memory.done.add(view["step"]["id"])
            await self._at.pace.person(hands.CUT_SECONDS)
            self._load_shoe()
            self._cut_by = self._at.chance.choice(self._may_cut()) if self._at.chance.random() < CUT_BY_PLAYER else BANK
            self._at.table.camera.saw("cut", by=self._cut_by)
        return await self._at.desk.say(view, [{"kind": "cut", "by": self._cut_by}])

    async def complete_deck(self, view: Projection, memory: RoundMemory) -> bool:
        """Counts or reads the cards, which are not complete."""
        if view["step"]["id"] not in memory.done:
            if self.shuffler_busy:
                return False
            memory.done.add(view["step"]["id"])
            await self._repair()
            await self._machine.insert([*self._at.table.places, MACHINE])
        return await self._at.desk.say(view, [{"kind": "deck_complete"}])

    async def gather(self, view: Projection, memory: RoundMemory) -> None:
        """Moves all cards of the table to their place after a round; checks them if the round reported a fault."""
        await self._at.pace.person(hands.GATHER_SECONDS)
        memory.gathered = True
        if memory.deck_doubted:
            await self._repair()
        if source_of(view) == "shoe":
            self._gather_from_shoe()
        else:
            await self._machine.insert([*self._at.table.places, SHOE])

    def _gather_from_shoe(self) -> None:
        self._at.table.deck.gather(self._at.table.places, SHOE)

    def _may_cut(self) -> list[str]:
        """The players who may cut."""
        return [seat_place(seat) for seat in self._at.table.seats]

    @abstractmethod
    def _may_clear_jam(self, view: Projection) -> bool:
        """Whether clearing a jam now spoils no card of a round."""

    def _load_shoe(self) -> None:
        self._at.shoe.load(self._at.orders.next())

    async def _replace(self, view: Projection) -> bool:
        """A supervisor has the shuffler replaced."""
        if not self._at.desk.supervisor:
            return False
        item = {"kind": "shuffler_replaced", "actor": self._at.desk.supervisor}
        self._failed = await self._at.desk.mention(view, item) != 200
        return not self._failed

    def _gather_into_shoe(self) -> None:
        self._at.table.deck.gather([*self._at.table.places, HOPPER, MACHINE], SHOE)

    def _film_shuffle(self) -> None:
        self._at.table.camera.saw("shuffled", cards=self._at.table.deck.count(SHOE), source="shoe")

    async def _use_shoe(self, view: Projection, more_rounds: int) -> bool:
        print("the shuffler does not work; dealing from the shoe", file=sys.stderr, flush=True)
        if await self._at.desk.mention(view, {"kind": "use_source", "source": "shoe"}) != 200:
            return False
        self._back_after = self._at.table.camera.round + more_rounds
        return True

    def _has_shoe(self, view: Projection) -> bool:
        return "shoe" in view.get("sources", ())

    def _shuffler_answers(self, view: Projection) -> bool:
        return bool(view.get("devices", {}).get("shuffler", "up") == "up")

"""Shuffler and shoe in the dealer's hands: which of them gives the cards, shuffling, cutting, gathering, mending."""

import sys

from simulators.dealer import hands
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import RoundMemory, Workplace, is_void, source_of
from simulators.devices.shoe import SHOE
from simulators.devices.shuffler import HOPPER, MACHINE, State
from simulators.felt.cards import FULL_DECK
from simulators.felt.table import BANK, seat_place

ROUNDS_FROM_SHOE = 3  # before the shuffler is tried again
CUT_BY_PLAYER = 0.5


class Sources:
    """All cards are moved by hand to where they are shuffled; the station says from which of the two they come."""

    def __init__(self, workplace: Workplace) -> None:
        self._at = workplace
        self._patience = hands.Patience()
        self._cut_by = BANK
        self._failed = False  # the station wants the shuffler replaced
        self._back_after: int | None = None  # the last round from the shoe before the dealer goes back to the shuffler

    async def look_after_shuffler(self, view: Projection) -> bool:
        """Close its lid, and clear a jam once no card of a round can be spoilt by it."""
        shuffler = self._at.shuffler
        if shuffler.lid_open:
            await self._at.pace.person(hands.CLOSE_LID_SECONDS)
            shuffler.close_lid()
            return True
        dealing = view["step"]["kind"] == "deal" and source_of(view) == "shuffler" and not is_void(view)
        if shuffler.jammed and not dealing:
            await self._at.pace.person(hands.CLEAR_JAM_SECONDS)
            shuffler.clear_jam()
            return True
        return False

    @property
    def shuffler_busy(self) -> bool:
        """Whether it turns or gives cards out: nobody reaches into it then."""
        return self._at.shuffler.state in (State.SHUFFLING, State.DISPENSING)

    def station_away(self) -> None:
        """Nobody loses patience with a machine while the station itself is away."""
        self._patience.restart()

    async def choose(self, view: Projection) -> bool:
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

    async def begin_refused(self, view: Projection) -> bool:
        """The shuffler has failed twice (17.º 2): the round is dealt from the shoe instead."""
        article = str(self._at.desk.refused.get("article", ""))
        if not article.startswith("17.º 2") or source_of(view) != "shuffler":
            return False
        self._failed = True
        return await (self._use_shoe(view, ROUNDS_FROM_SHOE) if self._has_shoe(view) else self._replace(view))

    async def shuffle(self, view: Projection, memory: RoundMemory) -> bool:
        """What the dealer does for a shuffle: all cards to where they are shuffled, and by hand the shuffle itself."""
        if source_of(view) == "shoe":
            return await self._shuffle_by_hand(view, memory)
        if not self.shuffler_busy and self._at.table.deck.count(*self._at.table.places, SHOE):
            await self.gather(view, memory)
            memory.gathered = False  # the cards of this round are still to come
            return True
        return await self._leave_lost_shuffler(view)

    async def cut(self, view: Projection, memory: RoundMemory) -> bool:
        """The bank or a player cuts; then the cards are in the shoe in their final order."""
        if view["step"]["id"] not in memory.done:
            memory.done.add(view["step"]["id"])
            await self._at.pace.person(hands.CUT_SECONDS)
            self._at.shoe.load(self._at.orders.next())
            players = [seat_place(seat) for seat in self._at.table.seats]
            self._cut_by = self._at.chance.choice(players) if self._at.chance.random() < CUT_BY_PLAYER else BANK
        return await self._at.desk.say(view, [{"kind": "cut", "by": self._cut_by}])

    async def complete_deck(self, view: Projection, memory: RoundMemory) -> bool:
        """The shuffler has counted or read the deck and it is not whole."""
        if view["step"]["id"] not in memory.done:
            if self.shuffler_busy:
                return False
            memory.done.add(view["step"]["id"])
            await self._mend()
            await self._at.shuffler.insert([*self._at.table.places, MACHINE])
        return await self._at.desk.say(view, [{"kind": "deck_complete"}])

    async def gather(self, view: Projection, memory: RoundMemory) -> None:
        """All cards of the table back to where they are shuffled; looked through when the round said they are wrong."""
        await self._at.pace.person(hands.GATHER_SECONDS)
        memory.gathered = True
        if memory.deck_doubted:
            await self._mend()
        if source_of(view) == "shoe":
            self._at.table.deck.gather(self._at.table.places, SHOE)
        else:
            await self._at.shuffler.insert([*self._at.table.places, SHOE])

    async def _replace(self, view: Projection) -> bool:
        """A supervisor has the shuffler replaced."""
        if not self._at.desk.supervisor:
            return False
        item = {"kind": "shuffler_replaced", "actor": self._at.desk.supervisor}
        self._failed = await self._at.desk.mention(view, item) != 200
        return not self._failed

    async def _mend(self) -> None:
        if self._at.table.deck.faulty:
            await self._at.pace.person(hands.MEND_DECK_SECONDS)
            self._at.table.deck.mend()
            self._at.mischief.mended()

    async def _shuffle_by_hand(self, view: Projection, memory: RoundMemory) -> bool:
        deck, done = self._at.table.deck, f"{view['step']['id']} by hand"
        if done not in memory.done:
            if self.shuffler_busy:
                return False
            memory.done.add(done)
            deck.gather([*self._at.table.places, HOPPER, MACHINE], SHOE)
            await self._at.pace.person(hands.SHUFFLE_BY_HAND_SECONDS)
        counted = deck.count(SHOE)
        if await self._at.desk.say(view, [{"kind": "shuffled", "count": counted}]):
            return True
        if counted != len(FULL_DECK):
            await self._mend()
        return False

    async def _leave_lost_shuffler(self, view: Projection) -> bool:
        """Wait for the shuffler as long as a dealer does, then deal from the shoe."""
        lost = not self._shuffler_answers(view)
        if not self._has_shoe(view) or (not lost and self.shuffler_busy):
            self._patience.restart()
            return False
        held = hands.FAILED_SECONDS
        if lost:
            held = self._at.patience(hands.HELD_SECONDS, hands.HELD_AT_MAX_SECONDS)
        if not self._patience.lost(f"{view['step']['id']} {lost}", held):
            return False
        self._patience.restart()
        if not await self._use_shoe(view, ROUNDS_FROM_SHOE - 1):
            return False
        self._at.table.camera.saw("source", source="shoe")
        return True

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

"""Shuffler and shoe of Fortune 3 Card Poker: a deck shuffled for every round, and a shuffler that may fail."""

from simulators.dealer import hands
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import RoundMemory, Workplace, is_dealing, is_void, source_of
from simulators.dealer.sources import ROUNDS_FROM_SHOE, MachineSources
from simulators.devices.shuffler import MachineState, Shuffler
from simulators.felt.deck import SHOE
from simulators.felt.table import BANK


class ShufflerSources(MachineSources):
    """The sources as of 2025: the shuffler is replaced by the shoe after its second failure (17.º 2)."""

    failed_by = "17.º 2"

    def __init__(self, workplace: Workplace, shuffler: Shuffler) -> None:
        super().__init__(workplace, shuffler)
        self._shuffler = shuffler

    @property
    def shuffler_busy(self) -> bool:
        """Whether the machine turns or gives out cards: then no one reaches into it."""
        return self._shuffler.state in (MachineState.SHUFFLING, MachineState.DISPENSING)

    async def begin_refused(self, view: Projection) -> bool:
        """The shuffler has failed: the round is dealt from the shoe instead."""
        article = str(self._at.desk.refused.get("article", ""))
        if not article.startswith(self.failed_by) or source_of(view) != "shuffler":
            return False
        self._failed = True
        return await (self._use_shoe(view, ROUNDS_FROM_SHOE) if self._rather_shoe(view) else self._replace(view))

    async def shuffle(self, view: Projection, memory: RoundMemory) -> bool:
        """Brings all cards into the shuffler, which shuffles by itself; or shuffles them by hand into the shoe."""
        if source_of(view) == "shoe":
            return await self._shuffle_by_hand(view, memory)
        if not self.shuffler_busy and self._at.table.deck.count(*self._at.table.places, SHOE):
            await self.gather(view, memory)
            memory.gathered = False  # the cards of this round are still to come
            return True
        return await self._leave_lost_shuffler(view)

    def _may_clear_jam(self, view: Projection) -> bool:
        return not is_dealing(view) or source_of(view) != "shuffler" or is_void(view)

    def _rather_shoe(self, view: Projection) -> bool:
        return self._has_shoe(view)

    async def _leave_lost_shuffler(self, view: Projection) -> bool:
        """Wait for the shuffler as long as a dealer does, then deal from the shoe."""
        lost = not self._shuffler_answers(view)
        if not self._has_shoe(view) or (not lost and self.shuffler_busy):
            self._patience.restart()
            return False
        wait = hands.FAILED_SECONDS
        if lost:
            wait = self._at.patience(hands.WAIT_SECONDS, hands.WAIT_AT_MAX_SECONDS)
        if not self._patience.lost(f"{view['step']['id']} {lost}", wait):
            return False
        self._patience.restart()
        if not await self._use_shoe(view, ROUNDS_FROM_SHOE - 1):
            return False
        self._at.table.camera.saw("source", source="shoe")
        return True


class ShufflerSources2008(ShufflerSources):
    """As of 2008: the bank cuts before it shuffles (3.º 1)), and one failure of the shuffler is enough (11.º 4))."""

    failed_by = "11.º 4"

    async def cut(self, view: Projection, memory: RoundMemory) -> bool:
        """The bank cuts all cards, which it then shuffles."""
        if view["step"]["id"] not in memory.done:
            if self.shuffler_busy:
                return False
            memory.done.add(view["step"]["id"])
            self._gather_into_shoe()
            await self._at.pace.person(hands.CUT_SECONDS)
            self._at.table.camera.saw("cut", by=BANK)
        return await self._at.desk.say(view, [{"kind": "cut", "by": BANK}])

    def _film_shuffle(self) -> None:
        """Films a shuffle: the cards are in the shoe in their final order."""
        self._load_shoe()
        super()._film_shuffle()

    async def _replace(self, view: Projection) -> bool:
        replaced = await super()._replace(view)
        if replaced:
            self._at.table.camera.saw("shuffler_replaced")
        return replaced

    def _rather_shoe(self, view: Projection) -> bool:
        """The regulation leaves it open: another shuffler, or the shoe."""
        if not self._at.desk.supervisor:
            return self._has_shoe(view)
        return self._has_shoe(view) and self._at.chance.random() < 0.5

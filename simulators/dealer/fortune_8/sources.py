"""Dispenser and shoe of Fortune 8: a shoe for many rounds, a machine that shuffles all the time."""

from simulators.dealer import hands
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import RoundMemory, source_of
from simulators.dealer.sources import ROUNDS_FROM_SHOE, MachineSources
from simulators.felt.deck import SHOE
from simulators.felt.table import DISCARD

BEHIND_CUT_CARD = 12  # cards (2.º 1)


class DispenserSources(MachineSources):
    """Cards played are on the discard tray until the shoe is shuffled again, or go back into the machine."""

    async def choose(self, view: Projection, memory: RoundMemory) -> bool:
        """Changes to the shoe between two rounds if the machine has failed or is offline, and back some rounds
        later.
        """
        if source_of(view) == "shoe" or not self._has_shoe(view):
            return await super().choose(view, memory)
        wait = self._at.patience(hands.WAIT_SECONDS, hands.WAIT_AT_MAX_SECONDS)
        away = not self._shuffler_answers(view) and self._patience.lost("dispenser away", wait)
        if not away and not memory.machine_failed:
            return False
        memory.machine_failed = False
        return await self._use_shoe(view, ROUNDS_FROM_SHOE)

    def may_begin(self, view: Projection) -> bool:
        """Whether a round may begin: not while the machine is offline, unless there is no shoe."""
        return source_of(view) == "shoe" or self._shuffler_answers(view) or not self._has_shoe(view)

    def cards_left(self, view: Projection) -> bool:
        """Whether cards are on the spaces; for the machine, also on the discard tray and in the shoe."""
        places = [place for place in self._at.table.places if place != DISCARD]
        if source_of(view) == "shuffler":
            places += [DISCARD, SHOE]
        return self._at.table.deck.count(*places) > 0

    async def shuffle(self, view: Projection, memory: RoundMemory) -> bool:
        """Shuffles, for the shoe only."""
        return source_of(view) == "shoe" and await self._shuffle_by_hand(view, memory)

    def _gather_from_shoe(self) -> None:
        self._at.table.deck.gather(self._at.table.places, DISCARD)

    def _may_clear_jam(self, view: Projection) -> bool:
        return True

    def _load_shoe(self) -> None:
        self._at.shoe.load(self._at.orders.next(), cut_card_before_last=BEHIND_CUT_CARD)

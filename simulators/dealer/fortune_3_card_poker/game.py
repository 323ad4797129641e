"""Fortune 3 Card Poker: which hands bet, deal, show and pay, by the rules of 2008 and of 2025."""

from simulators.dealer.betting import Betting
from simulators.dealer.fortune_3_card_poker.dealing import Dealing
from simulators.dealer.fortune_3_card_poker.misdealing import Misdealing, Misdealing2008
from simulators.dealer.fortune_3_card_poker.sources import ShufflerSources, ShufflerSources2008
from simulators.dealer.game import Game, Hands
from simulators.dealer.lock_in import LockIn
from simulators.dealer.memory import RoundMemory, Workplace
from simulators.dealer.reporting import Reporting
from simulators.dealer.showing import Showing
from simulators.dealer.slot_betting import SlotBetting
from simulators.devices.shuffler import Shuffler
from simulators.felt.cards import Card
from simulators.felt.table import Seat


class Showing2008(Showing):
    """With Pair Plus beside the ante a player has to play (9.º 3))."""

    def _legal(self, sitting: Seat) -> list[str]:
        return ["play"] if "pair_plus" in sitting.wagers else super()._legal(sitting)

    def _plays(self, hand: list[Card], sitting: Seat) -> bool:
        return "pair_plus" in sitting.wagers or super()._plays(hand, sitting)

    def _may_slip(self, seat: int) -> bool:
        return "pair_plus" not in self._at.table.seats[seat].wagers


class Fortune3Of2025(Game):
    """Fortune 3 Card Poker with a jackpot."""

    def __init__(self, workplace: Workplace, shuffler: Shuffler, lock_in: LockIn) -> None:
        self._at, self._shuffler, self._lock_in = workplace, shuffler, lock_in
        self.sources = ShufflerSources(workplace, shuffler)

    def new_round(self) -> Hands:
        """Hands that have done nothing yet."""
        memory = RoundMemory()
        reporting = Reporting(self._at, memory)
        betting = SlotBetting(self._at, memory, reporting, self._lock_in)
        misdealing = Misdealing(self._at, memory, reporting)
        dealing = Dealing(self._at, memory, reporting, self._shuffler, misdealing)
        showing = Showing(self._at, memory, reporting)
        return self._hands(self._at, memory, reporting, betting, dealing, showing)


class Fortune3Of2008(Game):
    """Fortune 3 Card Poker without one."""

    def __init__(self, workplace: Workplace, shuffler: Shuffler) -> None:
        self._at, self._shuffler = workplace, shuffler
        self.sources = ShufflerSources2008(workplace, shuffler)

    def new_round(self) -> Hands:
        """Hands that have done nothing yet."""
        memory = RoundMemory()
        reporting = Reporting(self._at, memory)
        betting = Betting(self._at, memory, reporting)
        misdealing = Misdealing2008(self._at, memory, reporting)
        dealing = Dealing(self._at, memory, reporting, self._shuffler, misdealing)
        showing = Showing2008(self._at, memory, reporting)
        return self._hands(self._at, memory, reporting, betting, dealing, showing)

"""Fortune 3 Card Poker: which hands bet, deal, show and pay, by the rules of 2008 and of 2025."""

from typing import ClassVar

from simulators.dealer.betting import Betting
from simulators.dealer.fortune_3_card_poker.dealing import Dealing
from simulators.dealer.fortune_3_card_poker.misdealing import Misdealing, Misdealing2008
from simulators.dealer.fortune_3_card_poker.sources import ShufflerSources, ShufflerSources2008
from simulators.dealer.game import Game, Hands
from simulators.dealer.memory import Workplace
from simulators.dealer.round_desk import RoundDesk
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

    sources_of: ClassVar[type[ShufflerSources]] = ShufflerSources
    betting_of: ClassVar[type[Betting]] = SlotBetting
    misdealing_of: ClassVar[type[Misdealing]] = Misdealing
    showing_of: ClassVar[type[Showing]] = Showing

    def __init__(self, workplace: Workplace, shuffler: Shuffler) -> None:
        self._at, self._shuffler = workplace, shuffler
        self.sources = self.sources_of(workplace, shuffler)

    def new_round(self) -> Hands:
        """Hands that have done nothing yet."""
        desk = RoundDesk(self._at)
        dealing = Dealing(desk, self._shuffler, self.misdealing_of(desk))
        return self._hands(desk, self.betting_of(desk), dealing, self.showing_of(desk))


class Fortune3Of2008(Fortune3Of2025):
    """Fortune 3 Card Poker without one."""

    sources_of = ShufflerSources2008
    betting_of = Betting
    misdealing_of = Misdealing2008
    showing_of = Showing2008

"""Fortune 3 Card Poker on the bench, of 2008 and of 2025: its tables, and which hands bet, deal, show and pay."""

from types import MappingProxyType
from typing import ClassVar

from simulators.dealer.betting import BetEntry
from simulators.dealer.fortune_3_card_poker.dealing import Dealing
from simulators.dealer.fortune_3_card_poker.misdealing import Misdealing, Misdealing2008
from simulators.dealer.fortune_3_card_poker.sources import ShufflerSources, ShufflerSources2008
from simulators.dealer.game import AtTable, GameAtTable, Hands
from simulators.dealer.round_desk import RoundDesk
from simulators.dealer.showing import REFUSED, Showing
from simulators.dealer.simulated_game import SimulatedGame
from simulators.dealer.slot_betting import SlotBetting
from simulators.devices.shuffler import Shuffler
from simulators.faults.games import ONLY_ANNOUNCED, ONLY_HANDS, ONLY_JACKPOT, ONLY_TILES, FaultsOfGame
from simulators.felt.cards import Card
from simulators.felt.table import FeltSeat

REFUSALS = 0.05  # of the players whose hand is too weak to be played, and who must play it


class Showing2008(Showing):
    """A player with Pair Plus and an ante has to play (9.º 3)), and seldom refuses."""

    def _legal(self, sitting: FeltSeat) -> list[str]:
        return ["play"] if "pair_plus" in sitting.wagers else super()._legal(sitting)

    def _decides(self, hand: list[Card], sitting: FeltSeat) -> str:
        decided = super()._decides(hand, sitting)
        if "pair_plus" not in sitting.wagers:
            return decided
        refuses = decided == "fold" and self._at.desk.supervisor and self._at.chance.random() < REFUSALS
        return REFUSED if refuses else "play"

    def _may_slip(self, seat: int) -> bool:
        return "pair_plus" not in self._at.table.seats[seat].wagers


class Fortune3Of2025(GameAtTable):
    """Fortune 3 Card Poker with a jackpot."""

    sources_of: ClassVar[type[ShufflerSources]] = ShufflerSources
    betting_of: ClassVar[type[BetEntry]] = SlotBetting
    misdealing_of: ClassVar[type[Misdealing]] = Misdealing
    showing_of: ClassVar[type[Showing]] = Showing

    def __init__(self, table: AtTable) -> None:
        self._at, self._shuffler = table.workplace, table.needed(table.machine, Shuffler)
        self.sources = self.sources_of(self._at, self._shuffler)

    def new_round(self) -> Hands:
        """Hands that have done nothing yet."""
        desk = RoundDesk(self._at)
        dealing = Dealing(desk, self._shuffler, self.misdealing_of(desk))
        return self._hands(desk, self.betting_of(desk), dealing, self.showing_of(desk))


class Fortune3Of2008(Fortune3Of2025):
    """Fortune 3 Card Poker without one."""

    sources_of = ShufflerSources2008
    betting_of = BetEntry
    misdealing_of = Misdealing2008
    showing_of = Showing2008


class Table2025(SimulatedGame):
    """The table with a jackpot."""

    id = "fortune-3-card-poker-2025"
    faults = FaultsOfGame(game=id, senseless=(*ONLY_ANNOUNCED, *ONLY_HANDS, *ONLY_TILES), packets=3, cards=8)
    dealt_at = Fortune3Of2025
    seats = (5, 6, 7)
    default_seats = 6
    additional = ("six_card_bonus", "jackpot")
    fixed = MappingProxyType({
        "royal_flush": 5_000_000, "straight_flush": 1_000_000, "four_of_a_kind": 150_000, "full_house": 50_000,
        "flush": 25_000,
    })  # fmt: skip
    packet_sizes = (3,)
    sign = True
    boxes = ("ante", "pair_plus")
    face_down = True

    def has_slots(self, marking: str) -> bool:
        return True


class Table2008(SimulatedGame):
    """The table without a jackpot and without community cards."""

    id = "fortune-3-card-poker-2008"
    faults = FaultsOfGame(
        game=id, senseless=(*ONLY_ANNOUNCED, *ONLY_HANDS, *ONLY_TILES, *ONLY_JACKPOT), no_places=("community",),
        packets=2, cards=6,
    )  # fmt: skip
    dealt_at = Fortune3Of2008
    seats = (7,)
    default_seats = 7
    packet_sizes = (3,)
    boxes = ("ante", "pair_plus")
    face_down = True

"""Fortune 3 Card Poker on the bench, of 2008 and of 2025."""

from types import MappingProxyType

from simulators.dealer.fortune_3_card_poker.game import Fortune3Of2008, Fortune3Of2025
from simulators.dealer.game import Game
from simulators.dealer.simulated_game import AtTable, SimulatedGame
from simulators.devices.shuffler import Shuffler
from simulators.faults.games import ONLY_ANNOUNCED, ONLY_HANDS, ONLY_JACKPOT, ONLY_TILES, FaultsOfGame


class Table2025(SimulatedGame):
    """With a jackpot."""

    id = "fortune-3-card-poker-2025"
    faults = FaultsOfGame(game=id, senseless=(*ONLY_ANNOUNCED, *ONLY_HANDS, *ONLY_TILES), packets=3, cards=8)
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

    def dealt_at(self, table: AtTable) -> Game:
        if not isinstance(table.machine, Shuffler) or table.workplace.lock_in is None:
            raise self.cannot_be_dealt(table)
        return Fortune3Of2025(table.workplace, table.machine)

    def has_slots(self, marking: str) -> bool:
        return True


class Table2008(SimulatedGame):
    """Without one, and without community cards."""

    id = "fortune-3-card-poker-2008"
    faults = FaultsOfGame(
        game=id, senseless=(*ONLY_ANNOUNCED, *ONLY_HANDS, *ONLY_TILES, *ONLY_JACKPOT), no_places=("community",),
        packets=2, cards=6,
    )  # fmt: skip
    seats = (7,)
    default_seats = 7
    packet_sizes = (3,)
    boxes = ("ante", "pair_plus")
    face_down = True

    def dealt_at(self, table: AtTable) -> Game:
        if not isinstance(table.machine, Shuffler):
            raise self.cannot_be_dealt(table)
        return Fortune3Of2008(table.workplace, table.machine)

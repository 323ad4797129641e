"""Fortune 8 on the bench."""

from simulators.dealer.fortune_8.game import Fortune8
from simulators.dealer.game import Game
from simulators.dealer.simulated_game import AtTable, SimulatedGame
from simulators.devices.dispenser import Dispenser
from simulators.faults.games import (
    NEVER_FACE_UP,
    ONLY_HANDS,
    ONLY_JACKPOT,
    ONLY_TILES,
    PHASES_OF_A_BANKER,
    FaultsOfGame,
)
from simulators.felt.players import BOXES, Bettors
from simulators.setting import DEALS


class Fortune8Table(SimulatedGame):
    """Seven spaces, one card each, and no bank."""

    id = "fortune-8"
    faults = FaultsOfGame(
        game=id, senseless=(*NEVER_FACE_UP, "dealer:slip_decision", *ONLY_HANDS, *ONLY_TILES, *ONLY_JACKPOT),
        no_phases=(*PHASES_OF_A_BANKER, "decisions"), not_in_every_round=("shuffle", "reveal"),
        packets=7, cards=7, single_cards=True,
    )  # fmt: skip
    seats = (7,)
    default_seats = 7
    decks = tuple(range(1, 9))
    default_decks = 8
    deals = DEALS
    machine = Dispenser
    boxes = BOXES
    has_bank = False

    def dealt_at(self, table: AtTable) -> Game:
        setting, at = table.setting, table.workplace
        if not isinstance(table.machine, Dispenser):
            raise self.cannot_be_dealt(table)
        bettors = Bettors(table.seed, len(at.table.seats), at.players.amounts, setting.added)
        return Fortune8(at, table.machine, bettors, setting.deal)

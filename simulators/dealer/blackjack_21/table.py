"""Black-jack/21 on the bench."""

from collections.abc import Callable
from typing import Any

from simulators.dealer.blackjack_21.game import Blackjack21
from simulators.dealer.game import Game
from simulators.dealer.simulated_game import AtTable, SimulatedGame
from simulators.devices.lidded_dispenser import LiddedDispenser
from simulators.faults.games import NEVER_FACE_UP, ONLY_TILES, FaultsOfGame
from simulators.felt.blackjack_table import BlackjackTable
from simulators.felt.camera import Camera
from simulators.felt.deck import Pieces
from simulators.felt.punters import BET, MOST_TIMES, Punters
from simulators.felt.table import Felt
from simulators.setting import MARKINGS, Setting


class Blackjack21Table(SimulatedGame):
    """With the accumulated prize."""

    id = "blackjack-21"
    faults = FaultsOfGame(
        game=id, senseless=(*NEVER_FACE_UP, *ONLY_TILES, "dealer:early_card", "dealer:miskey"),
        not_in_every_round=("shuffle", "reveal"), packets=4, cards=4, single_cards=True,
    )  # fmt: skip
    seats = (6, 7)
    default_seats = 7
    decks = (4, 6)
    default_decks = 6
    markings = MARKINGS
    currency = "EUR"
    limits = 30
    additional = ("jackpot",)
    machine = LiddedDispenser
    sign = True
    boxes = (BET,)

    def dealt_at(self, table: AtTable) -> Game:
        setting, felt = table.setting, table.workplace.table
        if not isinstance(table.machine, LiddedDispenser) or not isinstance(felt, BlackjackTable):
            raise self.cannot_be_dealt(table)
        jackpot = "jackpot" in setting.additional
        punters = Punters(table.seed, setting.seats, setting.minimum, setting.maximum, jackpot, table.chip_rate)
        increment = setting.chip * setting.increment_bp // 10_000
        return Blackjack21(table.workplace, table.machine, felt, punters, increment)

    def has_slots(self, marking: str) -> bool:
        return marking == MARKINGS[0]

    def limit(self, setting: Setting) -> int:
        return min(setting.maximum, MOST_TIMES * setting.minimum)

    def felt(
        self, setting: Setting, names: dict[int, str], pieces: Pieces[Any], camera: Camera,
        sense: Callable[[int, bool], None],
    ) -> Felt[Any]:  # fmt: skip
        return BlackjackTable(names, setting.chip, pieces, camera, sense)

"""Fortune 8 on the bench: its table, and which hands bet, deal, show and pay."""

from simulators.dealer.fortune_8.betting import SpaceBetting
from simulators.dealer.fortune_8.dealing import SpaceDealing
from simulators.dealer.fortune_8.sources import DispenserSources
from simulators.dealer.game import AtTable, GameAtTable, Hands
from simulators.dealer.round_desk import RoundDesk
from simulators.dealer.showing import Showing
from simulators.dealer.simulated_game import SimulatedGame
from simulators.devices.card_machine import MACHINE
from simulators.devices.dispenser import Dispenser
from simulators.faults.games import (
    NEVER_FACE_UP,
    ONLY_HANDS,
    ONLY_JACKPOT,
    ONLY_TILES,
    PHASES_OF_A_BANKER,
    FaultsOfGame,
)
from simulators.felt.cards import Card
from simulators.felt.deck import SHOE
from simulators.felt.players import BOXES, Bettors
from simulators.felt.table import seat_place
from simulators.setting import DEALS


class SpaceShowing(Showing):
    """All cards are face up: only an unread card is keyed in."""

    async def _turn(self, place: str) -> bool:
        return self._at.table.deck.count(place) > 0

    def _stranger(self) -> Card:
        """A card that is still to come, so that no deck has too many of it."""
        table = self._at.table
        there = {card for seat in table.seats for card in table.deck.at(seat_place(seat))}
        coming = [*table.deck.at(SHOE), *table.deck.at(MACHINE)]
        return self._at.chance.choice([card for card in coming if card not in there])


class SimulatedFortune8(GameAtTable):
    """Fortune 8 as the robot deals it; `unannounced` is the deal if a card comes before the announcement."""

    def __init__(self, table: AtTable) -> None:
        at, setting = table.workplace, table.setting
        self._at, self._unannounced = at, setting.deal
        self._dispenser = table.needed(table.machine, Dispenser)
        self._bettors = Bettors(table.seed, len(at.table.seats), at.players.amounts, setting.added)
        self.sources = DispenserSources(at, self._dispenser)

    def new_round(self) -> Hands:
        """Hands that have done nothing yet."""
        desk = RoundDesk(self._at)
        dealing = SpaceDealing(desk, self._dispenser, self._unannounced)
        return self._hands(desk, SpaceBetting(desk, self._bettors, dealing), dealing, SpaceShowing(desk))


class Fortune8Table(SimulatedGame):
    """Seven spaces, one card each, and no bank."""

    id = "fortune-8"
    faults = FaultsOfGame(
        game=id, senseless=(*NEVER_FACE_UP, "dealer:slip_decision", *ONLY_HANDS, *ONLY_TILES, *ONLY_JACKPOT),
        no_phases=(*PHASES_OF_A_BANKER, "decisions"), not_in_every_round=("shuffle", "reveal"),
        no_places=("community", "bank"), packets=7, cards=7, single_cards=True,
    )  # fmt: skip
    dealt_at = SimulatedFortune8
    seats = (7,)
    default_seats = 7
    decks = tuple(range(1, 9))
    default_decks = 8
    deals = DEALS
    machine = Dispenser
    boxes = BOXES
    has_bank = False

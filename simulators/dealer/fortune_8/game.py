"""Fortune 8: which hands bet, deal, show and pay."""

from simulators.dealer.fortune_8.betting import SpaceBetting
from simulators.dealer.fortune_8.dealing import SpaceDealing
from simulators.dealer.fortune_8.sources import DispenserSources
from simulators.dealer.game import Game, Hands
from simulators.dealer.memory import Workplace
from simulators.dealer.round_desk import RoundDesk
from simulators.dealer.showing import Showing
from simulators.devices.card_machine import MACHINE
from simulators.devices.dispenser import Dispenser
from simulators.felt.cards import Card
from simulators.felt.deck import SHOE
from simulators.felt.players import Bettors
from simulators.felt.table import seat_place


class SpaceShowing(Showing):
    """All cards lie face up: only one that nobody read is keyed in."""

    async def _turn(self, place: str) -> bool:
        return self._at.table.deck.count(place) > 0

    def _stranger(self) -> Card:
        """A card that is still to come, so that no deck has too many of it."""
        table = self._at.table
        there = {card for seat in table.seats for card in table.deck.at(seat_place(seat))}
        coming = [*table.deck.at(SHOE), *table.deck.at(MACHINE)]
        return self._at.chance.choice([card for card in coming if card not in there])


class Fortune8(Game):
    """Fortune 8; `unannounced` is the deal that holds when a card comes before the announcement."""

    def __init__(self, workplace: Workplace, dispenser: Dispenser, bettors: Bettors, unannounced: str) -> None:
        self._at, self._dispenser, self._bettors, self._unannounced = workplace, dispenser, bettors, unannounced
        self.sources = DispenserSources(workplace, dispenser)

    def new_round(self) -> Hands:
        """Hands that have done nothing yet."""
        desk = RoundDesk(self._at)
        dealing = SpaceDealing(desk, self._dispenser, self._unannounced)
        return self._hands(desk, SpaceBetting(desk, self._bettors, dealing), dealing, SpaceShowing(desk))

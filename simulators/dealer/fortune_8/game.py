"""Fortune 8 on the bench: its table, its dispenser and shoe, and which hands bet, deal, show and pay."""

from simulators.dealer import hands
from simulators.dealer.betting import NamedBetting
from simulators.dealer.fortune_8.dealing import SpaceDealing
from simulators.dealer.game import AtTable, GameAtTable, Hands
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import RoundMemory, source_of
from simulators.dealer.round_desk import CardDesk, RoundDesk
from simulators.dealer.showing import Showing
from simulators.dealer.simulated_game import SimulatedGame
from simulators.dealer.sources import ROUNDS_FROM_SHOE, MachineSources
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
from simulators.felt.players import BOXES, Bettors, NamedBet
from simulators.felt.table import DISCARD, seat_place
from simulators.setting import DEALS

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


class SpaceBetting(NamedBetting):
    """The bets of one round of Fortune 8; `dealing` may give a card before they are closed."""

    def __init__(self, desk: CardDesk, bettors: Bettors, dealing: SpaceDealing) -> None:
        super().__init__(desk)
        self._bettors = bettors
        self._dealing = dealing
        self._announcement_filmed = False

    async def announce(self, view: Projection) -> bool:
        """Announces one of the two deals (4.º 6), unless a card comes before that."""
        if await self._dealing.early_card(view):
            return True
        if self._dealing.early_card_on_its_way(view):
            return False
        if self._memory.deal is None:
            self._memory.deal = self._at.chance.choice(DEALS)
            await self._at.pace.person(hands.ANNOUNCE_SECONDS)
        if not self._announcement_filmed:
            self._announcement_filmed = True
            self._at.table.camera.saw("announce", deal=self._memory.deal)
        return await self._at.desk.say(view, [{"kind": "announce", "deal": self._memory.deal}])

    def follow(self, view: Projection) -> None:
        """Follows the announced deal, also one that a person announced."""
        super().follow(view)
        self._memory.deal = view["round"].get("deal") or self._memory.deal

    async def _close(self, view: Projection) -> bool:
        if await self._dealing.early_card(view):
            return True
        return not self._dealing.early_card_on_its_way(view) and await super()._close(view)

    async def _named_bets(self) -> list[NamedBet]:
        if not self._at.guests:
            return self._bettors.bets()
        asked = await self._at.bets_of(self._at.guests)
        names = {guest.name for guest in self._at.guests}
        others = [bet for bet in self._bettors.bets() if bet.player not in names]
        return others + [
            NamedBet(guest.seat, box, guest.name, amount)
            for guest, bets in asked
            for box, amount in bets.wagers.items()
        ]


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

"""Fortune 3 Card Poker on the bench, of 2008 and of 2025: its tables, its shuffler and shoe, and which hands bet, deal,
show and pay.
"""

from types import MappingProxyType
from typing import ClassVar

from simulators.dealer import hands
from simulators.dealer.betting import BetEntry
from simulators.dealer.fortune_3_card_poker.dealing import Dealing
from simulators.dealer.fortune_3_card_poker.misdealing import Misdealing, Misdealing2008
from simulators.dealer.game import AtTable, GameAtTable, Hands
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import RoundMemory, Workplace, is_dealing, is_void, source_of
from simulators.dealer.round_desk import RoundDesk
from simulators.dealer.showing import REFUSED, Showing
from simulators.dealer.simulated_game import SimulatedGame
from simulators.dealer.slot_betting import SlotBetting
from simulators.dealer.sources import ROUNDS_FROM_SHOE, MachineSources
from simulators.devices.shuffler import MachineState, Shuffler
from simulators.faults.games import ONLY_ANNOUNCED, ONLY_HANDS, ONLY_JACKPOT, ONLY_TILES, FaultsOfGame
from simulators.felt.cards import Card
from simulators.felt.deck import SHOE
from simulators.felt.table import BANK, FeltSeat


class ShufflerSources(MachineSources):
    """The sources as of 2025: the shuffler is replaced by the shoe after its second failure (17.º 2)."""

    failed_by = "17.º 2"

    def __init__(self, workplace: Workplace, shuffler: Shuffler) -> None:
        super().__init__(workplace, shuffler)
        self._shuffler = shuffler

    @property
    def shuffler_busy(self) -> bool:
        """Whether the machine turns or gives out cards: then no one reaches into it."""
        return self._shuffler.state in (MachineState.SHUFFLING, MachineState.DISPENSING)

    async def begin_refused(self, view: Projection) -> bool:
        """The shuffler has failed: the round is dealt from the shoe instead."""
        article = str(self._at.desk.refused.get("article", ""))
        if not article.startswith(self.failed_by) or source_of(view) != "shuffler":
            return False
        self._failed = True
        return await (self._use_shoe(view, ROUNDS_FROM_SHOE) if self._rather_shoe(view) else self._replace(view))

    async def shuffle(self, view: Projection, memory: RoundMemory) -> bool:
        """Brings all cards into the shuffler, which shuffles by itself; or shuffles them by hand into the shoe."""
        if source_of(view) == "shoe":
            return await self._shuffle_by_hand(view, memory)
        if not self.shuffler_busy and self._at.table.deck.count(*self._at.table.places, SHOE):
            await self.gather(view, memory)
            memory.gathered = False  # the cards of this round are still to come
            return True
        return await self._leave_lost_shuffler(view)

    def _may_clear_jam(self, view: Projection) -> bool:
        return not is_dealing(view) or source_of(view) != "shuffler" or is_void(view)

    def _rather_shoe(self, view: Projection) -> bool:
        return self._has_shoe(view)

    async def _leave_lost_shuffler(self, view: Projection) -> bool:
        """Wait for the shuffler as long as a dealer does, then deal from the shoe."""
        lost = not self._shuffler_answers(view)
        if not self._has_shoe(view) or (not lost and self.shuffler_busy):
            self._patience.restart()
            return False
        wait = hands.FAILED_SECONDS
        if lost:
            wait = self._at.patience(hands.WAIT_SECONDS, hands.WAIT_AT_MAX_SECONDS)
        if not self._patience.lost(f"{view['step']['id']} {lost}", wait):
            return False
        self._patience.restart()
        if not await self._use_shoe(view, ROUNDS_FROM_SHOE - 1):
            return False
        self._at.table.camera.saw("source", source="shoe")
        return True


class ShufflerSources2008(ShufflerSources):
    """As of 2008: the bank cuts before it shuffles (3.º 1)), and one failure of the shuffler is enough (11.º 4))."""

    failed_by = "11.º 4"

    async def cut(self, view: Projection, memory: RoundMemory) -> bool:
        """The bank cuts all cards, which it then shuffles."""
        if view["step"]["id"] not in memory.done:
            if self.shuffler_busy:
                return False
            memory.done.add(view["step"]["id"])
            self._gather_into_shoe()
            await self._at.pace.person(hands.CUT_SECONDS)
            self._at.table.camera.saw("cut", by=BANK)
        return await self._at.desk.say(view, [{"kind": "cut", "by": BANK}])

    def _film_shuffle(self) -> None:
        """Films a shuffle: the cards are in the shoe in their final order."""
        self._load_shoe()
        super()._film_shuffle()

    async def _replace(self, view: Projection) -> bool:
        replaced = await super()._replace(view)
        if replaced:
            self._at.table.camera.saw("shuffler_replaced")
        return replaced

    def _rather_shoe(self, view: Projection) -> bool:
        """The regulation leaves it open: another shuffler, or the shoe."""
        if not self._at.desk.supervisor:
            return self._has_shoe(view)
        return self._has_shoe(view) and self._at.chance.random() < 0.5


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

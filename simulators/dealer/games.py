"""What the dealer's hands do in each game: which of them bet, deal, show and pay, chosen here and nowhere else."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from simulators import station_toml
from simulators.dealer.betting import Betting
from simulators.dealer.blackjack_21.asking import Asking
from simulators.dealer.blackjack_21.betting import AutomaticBetting, ManualBetting, PlainBetting, PunterBetting
from simulators.dealer.blackjack_21.clearing import LiddedClearing
from simulators.dealer.blackjack_21.dealing import HandDealing
from simulators.dealer.blackjack_21.settling import HandSettling
from simulators.dealer.blackjack_21.sources import LiddedSources
from simulators.dealer.clearing import Clearing
from simulators.dealer.fortune_3_card_poker.dealing import Dealing
from simulators.dealer.fortune_3_card_poker.misdealing import Misdealing
from simulators.dealer.fortune_3_card_poker.misdealing_2008 import Misdealing2008
from simulators.dealer.fortune_3_card_poker.sources import ShufflerSources, ShufflerSources2008
from simulators.dealer.fortune_8.betting import SpaceBetting
from simulators.dealer.fortune_8.dealing import EVERY_SPACE, SpaceDealing
from simulators.dealer.fortune_8.sources import DispenserSources
from simulators.dealer.http_face import Projection
from simulators.dealer.lock_in import LockIn
from simulators.dealer.memory import AnyWorkplace, RoundMemory, Workplace, WorkplaceOf
from simulators.dealer.reporting import Reporting
from simulators.dealer.settling import Settling
from simulators.dealer.showing import Showing, Showing2008, SpaceShowing
from simulators.dealer.slot_betting import SlotBetting
from simulators.dealer.sources import Sources
from simulators.dealer.taiwan_pai_kao.banking import Banking
from simulators.dealer.taiwan_pai_kao.betting import TileBetting
from simulators.dealer.taiwan_pai_kao.dealing import TileDealing
from simulators.dealer.taiwan_pai_kao.settling import BankSettling
from simulators.dealer.taiwan_pai_kao.showing import TileShowing
from simulators.dealer.taiwan_pai_kao.sources import TileSources
from simulators.devices.dispenser import Dispenser
from simulators.devices.lidded_dispenser import LiddedDispenser
from simulators.devices.shuffler import Shuffler
from simulators.felt.blackjack_table import BlackjackTable
from simulators.felt.gamblers import Gamblers
from simulators.felt.players import Bettors
from simulators.felt.punters import Punters
from simulators.felt.tile_table import TileTable
from simulators.felt.tiles import Tile
from simulators.station_toml import MIXED, Setting

Answering = Callable[[Projection], Awaitable[bool]]


@dataclass(frozen=True, slots=True)
class Hands:
    """The dealer's hands in one round; `own_steps` are those that this game alone asks for, by the prompt's kind."""

    memory: RoundMemory
    reporting: Reporting
    betting: Betting
    dealing: Dealing | SpaceDealing | HandDealing | TileDealing
    showing: Showing | TileShowing
    settling: Settling
    clearing: Clearing
    own_steps: Mapping[str, Answering] = field(default_factory=dict)


class Game(ABC):
    """One game at this table: `sources` for the whole time, other hands for each round."""

    sources: Sources

    @abstractmethod
    def new_round(self) -> Hands:
        """Hands that have done nothing yet."""

    def _hands(
        self,
        at: Workplace,
        memory: RoundMemory,
        reporting: Reporting,
        betting: Betting,
        dealing: Dealing | SpaceDealing,
        showing: Showing,
    ) -> Hands:
        """Hands that pay when the round is over and gather all cards then."""
        settling, clearing = Settling(at, memory), Clearing(at, memory, self.sources)
        own_steps: dict[str, Answering] = {"decisions": showing.ask_players}
        return Hands(memory, reporting, betting, dealing, showing, settling, clearing, own_steps)


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


class Fortune8(Game):
    """Fortune 8; `unannounced` is the deal that holds when a card comes before the announcement."""

    def __init__(self, workplace: Workplace, dispenser: Dispenser, bettors: Bettors, unannounced: str) -> None:
        self._at, self._dispenser, self._bettors, self._unannounced = workplace, dispenser, bettors, unannounced
        self.sources = DispenserSources(workplace, dispenser)

    def new_round(self) -> Hands:
        """Hands that have done nothing yet."""
        memory = RoundMemory()
        reporting = Reporting(self._at, memory)
        dealing = SpaceDealing(self._at, memory, reporting, self._dispenser, self._unannounced)
        betting = SpaceBetting(self._at, memory, reporting, self._bettors, dealing)
        showing = SpaceShowing(self._at, memory, reporting)
        return self._hands(self._at, memory, reporting, betting, dealing, showing)


class Blackjack21(Game):
    """Black-jack/21; `lock_in` where the accumulated prize is marked by slots, `increment` what a chip adds by hand."""

    sources: LiddedSources

    def __init__(
        self,
        workplace: Workplace,
        dispenser: LiddedDispenser,
        felt: BlackjackTable,
        punters: Punters,
        lock_in: LockIn | None,
        increment: int,
    ) -> None:
        self._at, self._dispenser, self._felt, self._punters = workplace, dispenser, felt, punters
        self._lock_in, self._increment = lock_in, increment
        self.sources = LiddedSources(workplace, dispenser, punters)

    def new_round(self) -> Hands:
        """Hands that have done nothing yet."""
        at, felt, punters = self._at, self._felt, self._punters
        memory = RoundMemory()
        reporting = Reporting(at, memory)
        betting = self._betting(memory, reporting)
        dealing = HandDealing(at, memory, reporting, felt, self._dispenser)
        asking = Asking(at, memory, reporting, felt, punters, dealing)
        settling = HandSettling(at, memory, reporting, felt)
        clearing = LiddedClearing(at, memory, self.sources)
        own_steps: dict[str, Answering] = {
            "load": self.sources.load, "extract": self.sources.extract, "burn": dealing.burn,
            "warning": self.sources.warning_card,
            "increment": betting.increment, "ask": asking.ask,
        }  # fmt: skip
        return Hands(memory, reporting, betting, dealing, asking, settling, clearing, own_steps)

    def _betting(self, memory: RoundMemory, reporting: Reporting) -> PunterBetting:
        at, felt, punters = self._at, self._felt, self._punters
        if self._lock_in is not None:
            return AutomaticBetting(at, memory, reporting, felt, punters, self._lock_in)
        if felt.chip:
            return ManualBetting(at, memory, reporting, felt, punters, self._increment)
        return PlainBetting(at, memory, reporting, felt, punters)


class TaiwanPaiKao(Game):
    """Taiwan-Pai Kao: no machine, and `reader` says whether one reads the tiles; `places` is eight, four or mixed."""

    def __init__(
        self, workplace: WorkplaceOf[Tile], felt: TileTable, gamblers: Gamblers, reader: bool, places: str
    ) -> None:
        self._at, self._felt, self._gamblers = workplace, felt, gamblers
        self._reader, self._places = reader, places
        self.sources = TileSources(workplace, felt)

    def new_round(self) -> Hands:
        """Hands that have done nothing yet."""
        at, felt, gamblers = self._at, self._felt, self._gamblers
        memory = RoundMemory(cards_follow_bets=False)
        reporting = Reporting(at, memory)
        banking = Banking(at, memory, reporting, felt, gamblers, self._places)
        betting = TileBetting(at, memory, reporting, felt, gamblers, banking)
        dealing = TileDealing(at, memory, reporting, felt, self._reader)
        showing = TileShowing(at, memory, reporting, felt, gamblers)
        settling, clearing = BankSettling(at, memory, felt), Clearing(at, memory, self.sources)
        own_steps: dict[str, Answering] = {
            "bank": banking.offer, "dice": betting.throw, "arrange": showing.arrange
        }  # fmt: skip
        return Hands(memory, reporting, betting, dealing, showing, settling, clearing, own_steps)


def game_of(
    setting: Setting | None,
    workplace: AnyWorkplace,
    machine: Shuffler | Dispenser | None,
    lock_in: LockIn | None,
    seed: int | str,
    chip_rate: float = 0.0,
    places: str = MIXED,
) -> Game:
    """The game of this table, 2025's Fortune 3 where no setting is given. Raises ValueError for a table without it."""
    game = setting.game if setting else station_toml.FORTUNE_3_2025
    match game, machine, lock_in:
        case station_toml.BLACKJACK_21, LiddedDispenser(), _ if setting and isinstance(workplace.table, BlackjackTable):
            jackpot = "jackpot" in setting.additional
            punters = Punters(seed, setting.seats, setting.minimum, setting.maximum, jackpot, chip_rate)
            increment = setting.chip * setting.increment_bp // 10_000
            return Blackjack21(workplace, machine, workplace.table, punters, lock_in, increment)
        case station_toml.FORTUNE_3_2025, Shuffler(), LockIn():
            return Fortune3Of2025(workplace, machine, lock_in)
        case station_toml.FORTUNE_3_2008, Shuffler(), None:
            return Fortune3Of2008(workplace, machine)
        case station_toml.FORTUNE_8, Dispenser(), None:
            bettors = Bettors(seed, len(workplace.table.seats), workplace.players.amounts)
            return Fortune8(workplace, machine, bettors, setting.deal if setting else EVERY_SPACE)
        case station_toml.TAIWAN_PAI_KAO, None, None if setting and isinstance(workplace.table, TileTable):
            felt = workplace.table
            gamblers = Gamblers(seed, workplace.players.names, setting.minimum, setting.maximum)
            wished = places if setting.seats == 8 else "4"
            return TaiwanPaiKao(workplace, felt, gamblers, setting.shoe, wished)
        case _:
            raise ValueError(f"the robot dealer cannot play {game} with a {type(machine).__name__} at this table")

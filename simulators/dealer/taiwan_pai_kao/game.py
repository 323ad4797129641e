"""Taiwan-Pai Kao: which hands offer the bank, bet, deal, show and pay."""

from simulators.dealer.game import Answering, Game, Hands
from simulators.dealer.memory import RoundMemory, WorkplaceOf
from simulators.dealer.reporting import Reporting
from simulators.dealer.settling import Clearing
from simulators.dealer.taiwan_pai_kao.banking import Banking
from simulators.dealer.taiwan_pai_kao.betting import TileBetting
from simulators.dealer.taiwan_pai_kao.dealing import TileDealing
from simulators.dealer.taiwan_pai_kao.settling import BankSettling
from simulators.dealer.taiwan_pai_kao.showing import TileShowing
from simulators.dealer.taiwan_pai_kao.sources import TileSources
from simulators.felt.gamblers import Gamblers
from simulators.felt.tile_table import TileTable
from simulators.felt.tiles import Tile


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
            "bank": banking.offer, "form": banking.announce_form, "dice": betting.throw, "arrange": showing.arrange
        }  # fmt: skip
        return Hands(memory, reporting, betting, dealing, showing, settling, clearing, own_steps)

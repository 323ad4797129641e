"""Taiwan-Pai Kao: which hands offer the bank, bet, deal, show and pay."""

from simulators.dealer.game import Answering, Game, Hands
from simulators.dealer.memory import RoundMemory, WorkplaceOf
from simulators.dealer.settling import Clearing
from simulators.dealer.taiwan_pai_kao.banking import Banking
from simulators.dealer.taiwan_pai_kao.betting import TileBetting
from simulators.dealer.taiwan_pai_kao.dealing import TileDealing
from simulators.dealer.taiwan_pai_kao.desk import TileDesk
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
        desk = TileDesk(
            self._at, RoundMemory(cards_follow_bets=False),
            felt=self._felt, gamblers=self._gamblers, reader=self._reader, places=self._places,
        )  # fmt: skip
        banking = Banking(desk)
        betting, showing = TileBetting(desk, banking), TileShowing(desk)
        own_steps: dict[str, Answering] = {
            "bank": banking.offer, "form": banking.announce_form, "dice": betting.throw, "arrange": showing.arrange
        }  # fmt: skip
        clearing = Clearing(desk, self.sources)
        return Hands(desk, betting, TileDealing(desk), showing, BankSettling(desk), clearing, own_steps)

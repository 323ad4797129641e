"""Taiwan-Pai Kao on the bench: its table, and which hands offer the bank, bet, deal, show and pay."""

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from simulators.dealer.game import Answering, AtTable, GameAtTable, Hands
from simulators.dealer.memory import RoundMemory
from simulators.dealer.settling import Clearing
from simulators.dealer.simulated_game import SimulatedGame
from simulators.dealer.taiwan_pai_kao.banking import Banking
from simulators.dealer.taiwan_pai_kao.betting import TileBetting
from simulators.dealer.taiwan_pai_kao.dealing import TileDealing
from simulators.dealer.taiwan_pai_kao.desk import TileDesk
from simulators.dealer.taiwan_pai_kao.settling import BankSettling
from simulators.dealer.taiwan_pai_kao.showing import TileShowing
from simulators.dealer.taiwan_pai_kao.sources import TileSources
from simulators.faults.games import ONLY_HANDS, FaultsOfGame
from simulators.felt.camera import Camera
from simulators.felt.deck import TILES, Material, Pieces
from simulators.felt.gamblers import Gamblers
from simulators.felt.table import Felt
from simulators.felt.tile_table import PLACE, TileTable
from simulators.setting import HAND, PLACES, SHOE, Setting

SEATS_OF_A_CHOICE = 8  # at which tiles may be dealt to four places


class SimulatedTaiwanPaiKao(GameAtTable):
    """Taiwan-Pai Kao as the robot deals it, without a machine; `reader` says whether the tiles are read; `places` is
    eight, four or mixed.
    """

    def __init__(self, table: AtTable) -> None:
        at, setting = table.workplace, table.setting
        self._at, self._felt = at, table.needed(at.table, TileTable)
        self._gamblers = Gamblers(table.seed, at.players.names, setting.minimum, setting.maximum)
        self._reader = "shoe" in setting.makes
        self._places = table.places if setting.seats == SEATS_OF_A_CHOICE else "4"
        self.sources = TileSources(at, self._felt)

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


class TaiwanPaiKaoTable(SimulatedGame):
    """The table of a game with tiles, which no machine shuffles."""

    id = "taiwan-pai-kao"
    faults = FaultsOfGame(
        game=id,
        senseless=(
            "shuffler", "slots", "players", "shoe:cut_card", "dealer:early_card", "dealer:empty_seat",
            "dealer:slip_decision", *ONLY_HANDS,
        ),
        no_phases=(), not_in_every_round=("shuffle", "announce"), no_places=("community", "bank"), cards=16,
    )  # fmt: skip
    dealt_at = SimulatedTaiwanPaiKao
    seats = (4, 8)
    default_seats = 8
    sources = (SHOE, HAND)
    places = PLACES
    machine = None
    tiles = True
    sign = True
    boxes = (PLACE,)
    face_down = True
    seat_name = "place"
    device_names = MappingProxyType({"shoe": "reader", "deck": "tiles"})

    def material(self, setting: Setting) -> Material[Any]:
        return TILES

    def felt(
        self, setting: Setting, names: dict[int, str], pieces: Pieces[Any], camera: Camera,
        sense: Callable[[int, bool], None],
    ) -> Felt[Any]:  # fmt: skip
        return TileTable(names, pieces, camera, setting.rules)

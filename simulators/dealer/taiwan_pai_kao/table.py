"""Taiwan-Pai Kao on the bench."""

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from simulators.dealer.game import Game
from simulators.dealer.simulated_game import AtTable, SimulatedGame
from simulators.dealer.taiwan_pai_kao.game import TaiwanPaiKao
from simulators.devices.shoe import TileReader
from simulators.faults.games import ONLY_HANDS, FaultsOfGame
from simulators.felt.camera import Camera
from simulators.felt.deck import SHOE as TOP_OF_STACK
from simulators.felt.deck import TILES, Material, Pieces
from simulators.felt.gamblers import Gamblers
from simulators.felt.table import Felt
from simulators.felt.tile_table import PLACE, TileTable
from simulators.setting import HAND, PLACES, SHOE, Setting

SEATS_OF_A_CHOICE = 8  # at which tiles may be dealt to four places


class TaiwanPaiKaoTable(SimulatedGame):
    """Tiles, which no machine shuffles."""

    id = "taiwan-pai-kao"
    faults = FaultsOfGame(
        game=id,
        senseless=(
            "shuffler", "slots", "players", "shoe:cut_card", "dealer:early_card", "dealer:empty_seat",
            "dealer:slip_decision", *ONLY_HANDS,
        ),
        no_phases=(), not_in_every_round=("shuffle", "announce"), no_places=("community", "bank"), cards=16,
    )  # fmt: skip
    seats = (4, 8)
    default_seats = 8
    sources = (SHOE, HAND)
    places = PLACES
    machine = None
    reader = TileReader
    sign = True
    boxes = (PLACE,)
    face_down = True
    seat_name = "place"
    device_names = MappingProxyType({"shoe": "reader", "deck": "tiles"})

    def dealt_at(self, table: AtTable) -> Game:
        setting, at = table.setting, table.workplace
        if not isinstance(at.table, TileTable):
            raise self.cannot_be_dealt(table)
        gamblers = Gamblers(table.seed, at.players.names, setting.minimum, setting.maximum)
        places = table.places if setting.seats == SEATS_OF_A_CHOICE else "4"
        return TaiwanPaiKao(at, at.table, gamblers, setting.shoe, places)

    def material(self, setting: Setting) -> Material[Any]:
        return TILES

    def pieces(self, setting: Setting) -> Pieces[Any]:
        return Pieces(TOP_OF_STACK, TILES)

    def felt(
        self, setting: Setting, names: dict[int, str], pieces: Pieces[Any], camera: Camera,
        sense: Callable[[int, bool], None],
    ) -> Felt[Any]:  # fmt: skip
        return TileTable(names, pieces, camera, setting.rules)

"""The interface of a game to the bench: its table, its possible faults, and its robot dealer."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from simulators.dealer.game import AtTable, GameAtTable
from simulators.devices.card_machine import MACHINE
from simulators.devices.dispenser import Dispenser, LiddedDispenser
from simulators.devices.shuffler import Shuffler
from simulators.faults.games import FaultsOfGame
from simulators.felt.camera import Camera
from simulators.felt.deck import SHOE as TOP_OF_SHOE
from simulators.felt.deck import Material, Pieces, card_material
from simulators.felt.guest import Boxes
from simulators.felt.table import DISCARD, CardFelt, Felt
from simulators.setting import SHOE, SHUFFLER, Setting


class SimulatedGame:
    """One game, `dealt_at` a table by the robot dealer; the first of its `sources` is the default.

    `decks`, `markings`, `deals` and `places` are the possible choices. `limits` is the maximum of a bet in minimums.
    `additional` are the bets of its configuration and `fixed` the prizes of its pot, minor units. `device_names` are
    the panel's own names for its devices, and `seat_name` for a player's place; `face_down` says that players look at
    the cards of their own place. `words` by language are added to those of the bench's pages.
    """

    id: str
    dealt_at: Callable[[AtTable], GameAtTable]
    felt_of: type[CardFelt] = CardFelt
    faults: FaultsOfGame
    seats: tuple[int, ...]
    default_seats: int
    decks: tuple[int, ...] = (1,)
    default_decks: int = 1
    sources: tuple[str, ...] = (SHUFFLER, SHOE)
    markings: tuple[str, ...] = ()
    deals: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    currency: str = "MOP"
    limits: int = 100
    additional: tuple[str, ...] = ()
    fixed: Mapping[str, int] = MappingProxyType({})
    machine: type[Shuffler] | type[Dispenser] | None = Shuffler
    packet_sizes: tuple[int, ...] = ()  # that the machine is asked for
    tiles: bool = False
    sign: bool = False
    boxes: tuple[str, ...]  # where a player may bet for himself
    face_down: bool = False
    has_bank: bool = True
    seat_name: str = "seat"
    device_names: Mapping[str, str] = MappingProxyType({})
    words: Mapping[str, Mapping[str, str]] = MappingProxyType({})

    def has_slots(self, marking: str) -> bool:
        """Whether its chips go into slots; otherwise they are taken by hand."""
        return False

    def limit(self, setting: Setting) -> int:
        """The most that a player places in one box, minor units."""
        return setting.maximum

    def boxes_of(self, setting: Setting) -> Boxes:
        """The bets that a player may place at this table."""
        chip = setting.chip if "jackpot" in setting.additional else 0
        additional = tuple(name for name in setting.additional if name != "jackpot")
        return Boxes((*self.boxes, *setting.added), additional, chip, setting.minimum, self.limit(setting))

    def material(self, setting: Setting) -> Material[Any]:
        """The cards or tiles of the game."""
        return card_material(setting.decks)

    def pieces(self, setting: Setting) -> Pieces[Any]:
        """The cards or tiles at their places when the table is set: a machine with a lid is still to be loaded."""
        lidded = self.machine is not None and issubclass(self.machine, LiddedDispenser)
        place = TOP_OF_SHOE if setting.card_source == SHOE else DISCARD if lidded else MACHINE
        return Pieces(place, self.material(setting))

    def felt(
        self, setting: Setting, names: dict[int, str], pieces: Pieces[Any], camera: Camera,
        sense: Callable[[int, bool], None],
    ) -> Felt[Any]:  # fmt: skip
        """The felt it is played on."""
        return self.felt_of(names, setting.chip, pieces, camera, sense)

"""The common part of all hands of one round of Taiwan-Pai Kao share."""

from dataclasses import dataclass

from simulators.dealer.round_desk import RoundDesk
from simulators.felt.gamblers import Gamblers
from simulators.felt.tile_table import TileTable
from simulators.felt.tiles import Tile


@dataclass(kw_only=True)
class TileDesk(RoundDesk[Tile]):
    """`reader` says whether a reader reads the tiles; `places` is eight, four or mixed."""

    felt: TileTable
    gamblers: Gamblers
    reader: bool
    places: str

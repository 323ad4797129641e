"""The stack of tiles in the dealer's hands: washed and built up as the station asks, and the tiles used in between."""

from simulators.dealer import hands
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import RoundMemory, WorkplaceOf
from simulators.dealer.sources import Sources
from simulators.felt.table import DISCARD, seat_place
from simulators.felt.tile_table import STACK, TILES_OF_FOUR_PLACES, USED, TileTable
from simulators.felt.tiles import Tile


class TileSources(Sources):
    """After a first round in four places its tiles are face up, and the next round is dealt from the rest (2.º d)."""

    def __init__(self, workplace: WorkplaceOf[Tile], felt: TileTable) -> None:
        super().__init__(workplace)
        self._felt = felt
        self._order: list[Tile] = []  # of the wash under way

    def cards_left(self, view: Projection) -> bool:
        """Whether tiles are at the places; used tiles, played ones and the stack stay where they are."""
        return self._felt.dealt_cards > 0

    async def shuffle(self, view: Projection, memory: RoundMemory) -> bool:
        """All tiles are washed face down, counted and built up (2.º a)."""
        return await self._shuffle_by_hand(view, memory)

    async def gather(self, view: Projection, memory: RoundMemory) -> None:
        """The tiles of the round are spread out when others are left for the next, else they wait for the wash."""
        await self._at.pace.person(hands.GATHER_SECONDS)
        memory.gathered = True
        if memory.outcome == "settled" and self._felt.deck.count(STACK) == TILES_OF_FOUR_PLACES:
            self._felt.set_out_used()
        else:
            self._felt.deck.gather([*map(seat_place, self._felt.seats), USED], DISCARD)
        if memory.deck_doubted:
            await self._repair()

    def _gather_into_shoe(self) -> None:
        self._felt.deck.gather(self._felt.places, STACK)
        self._order = self._at.orders.next()

    def _film_shuffle(self) -> None:
        self._felt.wash(self._order)

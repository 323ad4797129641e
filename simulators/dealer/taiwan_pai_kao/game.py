"""Taiwan-Pai Kao on the bench: its table, its tiles, and which hands offer the bank, bet, deal, show and pay."""

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from simulators.dealer import hands
from simulators.dealer.game import Answering, AtTable, GameAtTable, Hands
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import RoundMemory, WorkplaceOf
from simulators.dealer.settling import Clearing, Settling, seat_settled
from simulators.dealer.simulated_game import SimulatedGame
from simulators.dealer.sources import Sources
from simulators.dealer.taiwan_pai_kao.banking import Banking
from simulators.dealer.taiwan_pai_kao.betting import TileBetting
from simulators.dealer.taiwan_pai_kao.dealing import TileDealing
from simulators.dealer.taiwan_pai_kao.desk import TileDesk
from simulators.dealer.taiwan_pai_kao.showing import TileShowing
from simulators.faults.games import ONLY_HANDS, FaultsOfGame
from simulators.felt.camera import Camera
from simulators.felt.deck import TILES, Material, Pieces
from simulators.felt.gamblers import Gamblers
from simulators.felt.table import DISCARD, Felt, seat_place
from simulators.felt.tile_table import BANKER, CASINO, PLACE, STACK, TILES_OF_FOUR_PLACES, USED, TileTable
from simulators.felt.tiles import Tile
from simulators.setting import HAND, PLACES, SHOE, Setting


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


class BankSettling(Settling):
    """The settlement of one round, in the order of the dice (2.º b)."""

    def __init__(self, desk: TileDesk) -> None:
        super().__init__(desk)
        self._felt = desk.felt

    async def _settle_lines(self, view: Projection, settlement: dict[str, Any]) -> None:
        if settlement["outcome"] != "settled":
            return
        if self._memory.by_person:
            self._place_as_entered(view["round"])
        self._felt.begin_settling()
        for named in settlement["settling_order"]:
            place = self._memory.seat(int(named))
            for line in seat_settled(settlement, named)["lines"]:
                await self._at.pace.person(hands.PAY_SECONDS)
                net, commission = int(line["net"]), int(line["commission"])
                won = net + commission if line["outcome"] == "win" else net
                self._felt.settle(place, line["player"] or self._felt.seats[place].player, won, commission)
        bank = settlement["bank"]
        shares = [(BANKER, int(bank["net"]))]
        if bank["casino"]:
            shares.append((CASINO, int(bank["casino"]["net"])))
        shares += [(line["player"], int(line["net"])) for line in bank["joiners"]]
        self._felt.share_out(shares)

    def _place_as_entered(self, round: Projection) -> None:
        """Places the tiles as a person has entered them, even if that is wrong: the shares are computed from the
        entry.
        """
        bets: dict[tuple[int, str], int] = {}
        for bet in round.get("bets") or ():
            place = self._memory.seat(bet["seat"])
            bets[place, bet["player"] or self._felt.seats[place].player] = bet["amount"]
        self._felt.place_as_entered(bets, round["banker"]["capital"], round["banker"]["casino"])


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

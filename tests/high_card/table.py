"""High Card on the bench: a shoe, filled by hand for each round."""

import json
import random
from pathlib import Path
from types import MappingProxyType

from simulators.dealer import hands
from simulators.dealer.betting import BetEntry
from simulators.dealer.drawing import Drawing
from simulators.dealer.game import AtTable, GameAtTable, Hands
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import RoundMemory, is_void, single_place
from simulators.dealer.round_desk import CardDesk, RoundDesk
from simulators.dealer.showing import Showing
from simulators.dealer.simulated_game import SimulatedGame
from simulators.dealer.sources import Sources
from simulators.faults.games import NEVER_FACE_UP, ONLY_ANNOUNCED, ONLY_HANDS, ONLY_JACKPOT, ONLY_TILES, FaultsOfGame
from simulators.felt.cards import Card
from simulators.felt.deck import SHOE as IN_SHOE
from simulators.felt.players import Bets
from simulators.felt.table import BANK
from simulators.setting import SHOE

SITS_OUT = 0.2
WORDS = sorted((Path(__file__).parent / "words").glob("*.json"))


class ShoeAlone(Sources):
    """All cards are shuffled by hand, cut, and put into the shoe."""

    async def shuffle(self, view: Projection, memory: RoundMemory) -> bool:
        return await self._shuffle_by_hand(view, memory)

    async def cut(self, view: Projection, memory: RoundMemory) -> bool:
        if view["step"]["id"] not in memory.done:
            memory.done.add(view["step"]["id"])
            await self._at.pace.person(hands.CUT_SECONDS)
            self._at.shoe.load(self._at.orders.next())
            self._at.table.camera.saw("cut", by=BANK)
        return await self._at.desk.say(view, [{"kind": "cut", "by": BANK}])

    async def gather(self, view: Projection, memory: RoundMemory) -> None:
        await self._at.pace.person(hands.GATHER_SECONDS)
        memory.gathered = True
        self._gather_into_shoe()
        if memory.deck_doubted:
            await self._repair()

    def _gather_into_shoe(self) -> None:
        self._at.table.deck.gather(self._at.table.places, IN_SHOE)

    def _film_shuffle(self) -> None:
        self._at.table.camera.saw("shuffled", cards=self._at.table.deck.count(IN_SHOE), source="shoe")


class OneBet(BetEntry):
    """Each player bets on his card, or sits out; someone bets."""

    def __init__(self, desk: CardDesk, chance: random.Random) -> None:
        super().__init__(desk)
        self._chance = chance

    async def _bets(self) -> dict[int, Bets]:
        seats, amounts = list(self._at.table.seats), self._at.players.amounts
        someone = self._chance.choice(seats)
        bets = {}
        for seat in seats:
            guest = self._at.guest_at(seat)
            if guest is not None:
                bets[seat] = Bets(dict((await guest.bets(self._at.while_asked())).wagers))
            elif seat == someone or self._chance.random() > SITS_OUT:
                bets[seat] = Bets({"high": self._chance.choice(amounts)})
        return bets


class OneCard(Drawing[Card]):
    """A card to each place, face down."""

    async def deal(self, view: Projection) -> bool:
        place, step_id = self._memory.place(single_place(view["step"]["to"])), view["step"]["id"]
        if is_void(view):
            return False
        if step_id in self._memory.done:
            return await self._report_unreported(view, place)
        if self._reporting.waiting or self._memory.halted or not self._shoe_is_ready():
            return False
        self._memory.done.add(step_id)
        await self._at.pace.person(hands.PLACE_CARDS_SECONDS)
        self._at.stage.card()
        self._note_error(place, await self._from_shoe(place))
        return True


class HighCardDealt(GameAtTable):
    """The robot dealer's High Card."""

    def __init__(self, table: AtTable) -> None:
        self._at, self._chance = table.workplace, random.Random(f"{table.seed}/high card")
        self.sources = ShoeAlone(self._at)

    def new_round(self) -> Hands:
        desk = RoundDesk(self._at)
        return self._hands(desk, OneBet(desk, self._chance), OneCard(desk), Showing(desk))


class HighCardTable(SimulatedGame):
    """One to seven seats."""

    id = "high-card"
    dealt_at = HighCardDealt
    faults = FaultsOfGame(
        game=id, no_places=("community",), cards=2,
        senseless=(
            "shuffler", *NEVER_FACE_UP, *ONLY_ANNOUNCED, *ONLY_HANDS, *ONLY_TILES, *ONLY_JACKPOT,
            "dealer:order", "dealer:number", "dealer:slip_decision",
        ),
    )  # fmt: skip
    seats = tuple(range(1, 8))
    default_seats = 5
    sources = (SHOE,)
    machine = None
    boxes = ("high",)
    face_down = True
    words = MappingProxyType({path.stem: json.loads(path.read_text(encoding="utf-8")) for path in WORDS})

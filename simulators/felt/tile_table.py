"""The felt of Taiwan-Pai Kao: places with four tiles each, the stack, and the bank's money."""

from collections.abc import Mapping, Sequence

from simulators.felt.camera import Camera
from simulators.felt.chips import RACK, ChipsLost
from simulators.felt.deck import SHOE, Pieces
from simulators.felt.table import DISCARD, Felt, felt_place, seat_place
from simulators.felt.tiles import ArrangedTiles, Tile

STACK = SHOE  # the stack is where a reader reads what is taken from it
BESIDE_BANKER = "deal_begins_beside_banker"
USED = "used"  # the sixteen tiles of a first round in four places, face up
TILES_OF_PLACE, TILES_OF_FOUR_PLACES = 4, 16
PLACE, BANKER, CASINO = "place", "banker", "casino"
BANK_PILE, BEHIND, COMMISSIONS = "bank pile", "behind the bank", "commissions"


class TileTable(Felt[Tile]):
    """`number` is how many places get tiles in this round; the capital stays on the table from round to round."""

    def __init__(self, names: dict[int, str], tiles: Pieces[Tile], camera: Camera, rules: Sequence[str] = ()) -> None:
        super().__init__(names, 0, tiles, camera, no_sensor)
        self.number = len(names)
        self.banker: int | None = None
        self.casino = 0
        self.holder: int | None = None  # the place whose capital is on the table, be it of the round before
        self.rules = tuple(rules)
        self.dice: list[int] = []  # as they are on the table
        self.arranged: dict[int, ArrangedTiles] = {}
        self._joiners: list[str] = []
        self._parts: dict[str, int] = {}  # what everybody placed who is behind the bank

    @property
    def places(self) -> list[str]:
        """Every place on the felt where tiles can be."""
        return [*map(seat_place, self.seats), DISCARD, USED]

    @property
    def dealt_cards(self) -> int:
        """How many tiles are at the places."""
        return self.deck.count(*map(seat_place, self.seats))

    def begin_round(self, source: str) -> None:
        """A new round: no one has the bank yet, although its capital may still be there."""
        self.banker, self.casino, self.dice = None, 0, []
        self.arranged.clear()
        self._joiners.clear()
        super().begin_round(source)

    # the stack

    def wash(self, order: list[Tile]) -> None:
        """All tiles of the stack, mixed face down and built up in this order."""
        self.deck.arrange(STACK, order)
        self.camera.saw("wash", tiles=self._stack)

    def move_tiles(self, by: str, order: list[Tile]) -> None:
        """Someone changes the order of the stack (2.º f)."""
        self.deck.arrange(STACK, order)
        self.camera.saw("tiles_moved", by=by, tiles=self._stack)

    def set_number(self, number: int) -> None:
        """This number of places gets tiles in this round (2.º d)."""
        self.number = number
        self.camera.saw("places", number=number)

    def set_out_used(self) -> None:
        """The tiles of a first round in four places stay on the table, face up (2.º d)."""
        self.deck.gather(map(seat_place, self.seats), USED)
        self._film_used()

    def take_out_used(self, tiles: Sequence[Tile]) -> None:
        """These tiles are put face up on the table, if they are not there yet."""
        if tiles and not self.deck.count(USED):
            for tile in tiles:
                self.deck.move_card(tile, STACK, USED)
            self._film_used()

    @property
    def in_turn(self) -> list[str]:
        """All places counter-clockwise from the first place, which the dice give, counted from the banker (2.º b).

        With this rule, if the dice give the banker's own place, the place to the banker's right is the first.
        """
        assert self.banker is not None
        beside = BESIDE_BANKER in self.rules and (sum(self.dice) - 1) % self.number == 0
        first = self.banker + sum(self.dice) - 1 + beside
        return [seat_place((first - 1 + at) % self.number + 1) for at in range(self.number)]

    def _film_used(self) -> None:
        self.camera.saw(USED, tiles=text_of(self.deck.at(USED)))

    @property
    def _stack(self) -> str:
        return text_of(self.deck.at(STACK))

    # the bank

    def pass_bank(self, place: int, absent: bool) -> None:
        """A place does not take the bank; the capital returns to the last banker."""
        self.camera.saw("bank_passed", place=place, absent=absent)
        if place == self.holder:
            self._give_capital_back()

    def take_bank(self, place: int, capital: int, casino: int, agreed: Sequence[int]) -> None:
        """The banker adds his capital to the amount that is there, and the casino adds its share (5.º c, d, e)."""
        if self.holder not in (None, place):
            self._give_capital_back()
        player, on_place = self.seats[place].player, self.chips.balance(BANK_PILE)
        if capital > on_place:
            self._buy_in(player, capital - on_place)
            self.chips.move(capital - on_place, player, BANK_PILE)
        else:
            self.chips.move(on_place - capital, BANK_PILE, player)
        self.chips.move(casino, RACK, BEHIND)
        self.banker = self.holder = place
        self.casino = casino
        self.camera.saw("bank_taken", place=place, capital=capital, casino=casino, agreed=list(agreed))

    def place_wager(self, seat: int, wager: str, amount: int, player: str | None = None) -> None:
        """A wager on a place; on the banker's it joins him (5.º e)."""
        super().place_wager(seat, wager, amount, player)
        if seat == self.banker and player is not None and player not in self._joiners:
            self._joiners.append(player)

    def _give_capital_back(self) -> None:
        assert self.holder is not None
        self.chips.move(self.chips.balance(BANK_PILE), BANK_PILE, self.seats[self.holder].player)
        self.holder = None

    # tiles and settlement

    def arrange(self, place: int, arranged: ArrangedTiles) -> None:
        """The player who holds the tiles of a place places them as two pairs, face down."""
        self._arrange_as(place, arranged, "arranged")

    def correct_pairs(self, place: int, arranged: ArrangedTiles) -> None:
        """The dealer places the pairs of a place as they should be (6.º b)."""
        self._arrange_as(place, arranged, "rearranged")

    def _arrange_as(self, place: int, arranged: ArrangedTiles, seen: str) -> None:
        self.arranged[place] = arranged
        self.deck.arrange(seat_place(place), list(arranged.tiles))
        self.camera.saw(seen, place=place, front=text_of(arranged.front), rear=text_of(arranged.rear))

    def place_as_entered(self, bets: Mapping[tuple[int, str], int], capital: int, casino: int) -> None:
        """Make wagers by place and player, the capital and the casino's share the amounts that were entered, minor
        units.
        """
        assert self.banker is not None
        wanted = {felt_place(place, PLACE, player): (player, amount) for (place, player), amount in bets.items()}
        for stake in self.chips.holders("felt "):
            wanted.setdefault(stake, (stake.split(" ", 3)[3], 0))
        wanted[BANK_PILE] = self.seats[self.banker].player, capital
        for stake, (player, amount) in wanted.items():
            self._make(amount, stake, player)
        self._make(casino, BEHIND, RACK)
        self.casino = casino
        self._joiners = [player for (place, player), amount in bets.items() if place == self.banker and amount]

    def _make(self, amount: int, place: str, holder: str) -> None:
        """Makes this the amount at a place; the rest is with its owner."""
        on_place = self.chips.balance(place)
        if amount < on_place:
            self.chips.move(on_place - amount, place, holder)
        elif holder != RACK:
            self._buy_in(holder, amount - on_place)
        if amount > on_place:
            self.chips.move(amount - on_place, holder, place)

    def begin_settling(self) -> None:
        """Puts together capital, casino's share and the joiners' bets, from which the wagers are settled (5.º e)."""
        assert self.banker is not None
        self._parts = {BANKER: self.chips.balance(BANK_PILE), CASINO: self.casino}
        self.chips.move(self._parts[BANKER], BANK_PILE, BEHIND)
        for joiner in self._joiners:
            stake = felt_place(self.banker, PLACE, joiner)
            self._parts[joiner] = self.chips.balance(stake)
            self.chips.move(self._parts[joiner], stake, BEHIND)

    def settle(self, place: int, player: str, moved: int, commission: int) -> None:
        """The bank's payment for a wager (negative: its gain), and the house's part of it."""
        stake = felt_place(place, PLACE, player)
        what = {"seat": place, "player": player, "wager": PLACE}
        if moved > 0:
            self.chips.move(moved, BEHIND, player)
            self.camera.saw("pay", **what, amount=moved)
        elif moved < 0:
            self.chips.move(-moved, stake, BEHIND)
            self.camera.saw("collect", **what, amount=-moved)
        if commission:
            self.chips.move(commission, player if moved > 0 else BEHIND, COMMISSIONS)
            self.camera.saw("commission", **what, amount=commission)
        self.chips.move(self.chips.balance(stake), stake, player)

    def share_out(self, shares: Sequence[tuple[str, int]]) -> None:
        """Everybody who backs the bank gets their stake back, with their share of its win or loss.

        The banker's stays on the table. Raises ChipsLost if the shares do not add up to the money there.
        """
        takers = {BANKER: BANK_PILE, CASINO: RACK}
        for of, net in shares:
            self.chips.move(self._parts[of] + net, BEHIND, takers.get(of, of))
            self.camera.saw("share", of=of, amount=net)
        if left := self.chips.balance(BEHIND):
            raise ChipsLost(f"{left} is left behind the bank when everybody has his share")
        self.casino = 0

    def clear_felt(self) -> list[str]:
        """Give back everything on the felt, and the casino's share of the bank."""
        self.chips.move(self.chips.balance(BEHIND), BEHIND, RACK)
        return super().clear_felt()


def no_sensor(seat: int, level: bool) -> None:
    """Does nothing, since there are no slots."""


def text_of(tiles: Sequence[Tile]) -> str:
    """Tiles separated by one space: `6-6 5-4`."""
    return " ".join(map(str, tiles))

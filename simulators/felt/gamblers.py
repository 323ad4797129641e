"""The people of Taiwan-Pai Kao: who takes the bank with which capital, who bets where, and how they set tiles. No
I/O here.
"""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from simulators.felt.players import MULTIPLES, NamedBet
from simulators.felt.tile_table import PLACE
from simulators.felt.tiles import ArrangedTiles, Tile, is_right, ways

BYSTANDERS = ("Rosa", "Tang", "Vera")  # around the table, besides those who have a place
GUEST = "Zita"  # who bets when no one else does
COME_AND_GO = 0.1  # share of rounds before which those present change
STAYS_AWAY = 0.1  # chance of each place then
REFUSES, CONTINUES, ALL_AGREE = 0.12, 0.7, 0.5
RICH = (1, 2, 3, 4, 6, 8, 12, 30, 200)  # capitals in minimums, most of them too small for the bets of a full table
ODD_MONEY = 0.6  # share of capitals that are no round sum
CASINO, CASINO_MULTIPLES = 0.2, (1, 3, 10)  # how often the casino is behind the bank, with so many minimums
ADDS = 0.3  # share of bankers continuing who place more than they must
SITS_OUT, WATCHES, ANOTHER_PLACE, JOINS = 0.15, 0.6, 0.4, 0.12
MOVES_TILES, BANK_MOVES_TILES = 0.15, 0.3  # chance of each player, up to two, and of the banker
MOST_MOVES = 2
COCKED = 0.1  # share of throws with a die that is badly or has jumped out
SETS_WRONGLY, SETS_HIS_OWN_WAY = 0.12, 0.2


@dataclass(frozen=True, slots=True)
class BankAnswer:
    """The answer of a place to which the bank is offered: capital None to pass it on; minor units."""

    capital: int | None = None
    casino: int = 0
    agreed: tuple[int, ...] = ()
    absent: bool = False


@dataclass(slots=True)
class Gamblers:
    """One player a place and a few around the table; decisions come from seeded streams, apart from the tiles'."""

    seed: int | str
    names: dict[int, str]
    minimum: int
    maximum: int
    present: set[int] = field(default_factory=set)
    _random: random.Random = field(init=False)
    _minds: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self._random = random.Random(f"{self.seed}/gamblers")
        self._minds = random.Random(f"{self.seed}/gamblers' minds")  # apart: however a round goes, the bets are alike
        self._come()

    def new_round(self) -> None:
        """Some players leave, some return."""
        if self._random.random() < COME_AND_GO:
            self._come()

    def answers_offer(
        self, place: int, legal: Collection[str], least: int, own: bool, waiting: Sequence[int]
    ) -> BankAnswer:
        """Whether the player of a place takes the bank, or keeps an `own` one; `waiting` are those to be asked."""
        if place not in self.present:
            return BankAnswer(absent=True)
        if "take" not in legal:
            return BankAnswer()
        if (own and self._minds.random() >= CONTINUES) or (not own and self._minds.random() < REFUSES):
            return BankAnswer()
        if waiting and self._minds.random() >= ALL_AGREE:
            return BankAnswer()
        casino = self.minimum * self._minds.choice(CASINO_MULTIPLES) if self._minds.random() < CASINO else 0
        return BankAnswer(self._capital(least), casino, tuple(waiting))

    def bets(self, places: int, banker: int) -> list[NamedBet]:
        """The wagers of a round in the order placed. A wager on the banker's place joins him, but not all players place
        one.
        """
        others = [place for place in range(1, places + 1) if place != banker]
        bettors = [name for place, name in self.names.items() if place in self.present and place != banker]
        bettors += [name for name in BYSTANDERS if self._random.random() < WATCHES]
        bets: list[NamedBet] = []
        for bettor in bettors:
            if self._random.random() < SITS_OUT:
                continue
            if self._random.random() < JOINS:
                bets.append(NamedBet(banker, PLACE, bettor, self._amount()))
                continue
            bets += [NamedBet(place, PLACE, bettor, self._amount()) for place in self._places_of(bettor, others)]
        if all(bet.seat == banker for bet in bets):
            bets.append(NamedBet(self._random.choice(others), PLACE, GUEST, self._amount()))
        return bets

    def bets_beside(self, places: int, banker: int, own: Sequence[NamedBet]) -> list[NamedBet]:
        """The wagers of a round at which persons place these, or none, and no others; one of them does not join the
        bank.
        """
        names = {bet.player for bet in own}
        while True:
            bets = [bet for bet in self.bets(places, banker) if bet.player not in names]
            bets += [bet for bet in own if bet.amount]
            if any(bet.seat != banker for bet in bets):
                return bets

    def moves(self, places: int, banker: int) -> list[int]:
        """The places whose players change the order of the stack before the dice, in turn; the banker's last."""
        others = [place for place in range(1, places + 1) if place in self.present and place != banker]
        moving = [place for place in others if self._minds.random() < MOVES_TILES][:MOST_MOVES]
        self._minds.shuffle(moving)
        return moving + [banker] * (self._minds.random() < BANK_MOVES_TILES)

    def throw(self) -> tuple[list[int], bool]:
        """Four dice, and whether one of them is not flat or has jumped out."""
        return [self._random.randint(1, 6) for _ in range(4)], self._random.random() < COCKED

    def sets(self, tiles: Sequence[Tile]) -> ArrangedTiles:
        """The pairs that the player of four tiles places: mostly as the rules say, sometimes not (6.º b)."""
        every = ways(tiles)
        chance = self._minds.random()
        if chance < SETS_WRONGLY and (wrong := [bets for bets in every if not is_right(bets)]):
            return self._minds.choice(wrong)
        if chance < SETS_HIS_OWN_WAY:
            return self._minds.choice([bets for bets in every if is_right(bets)])
        return every[0]

    def _come(self) -> None:
        self.present = {place for place in self.names if self._random.random() >= STAYS_AWAY}
        self.present |= {self._random.choice(list(self.names)) for _ in range(2)}

    def _capital(self, least: int) -> int:
        """At least the minimum; else as much as he has in his pocket."""
        if least > 1 and self._minds.random() >= ADDS:
            return least
        capital = self.minimum * self._minds.choice(RICH)
        capital += self._minds.randrange(1, self.minimum) * (self._minds.random() < ODD_MONEY)
        return capital if least <= 1 else least + capital

    def _places_of(self, bettor: str, others: list[int]) -> list[int]:
        """The player's own place first if he may bet on it, then other places by chance."""
        own = [place for place in others if self.names.get(place) == bettor]
        count = 1
        while count < len(others) and self._random.random() < ANOTHER_PLACE:
            count += 1
        rest = self._random.sample([place for place in others if place not in own], len(others) - len(own))
        return (own + rest)[:count]

    def _amount(self) -> int:
        return min(self.minimum * self._random.choice(MULTIPLES), self.maximum)

"""The players: their bets and whether they play on, from a seed. No I/O here."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from simulators.felt.cards import Card

T = TypeVar("T")

NAMES = ("Chan", "Inês", "Wong", "Marta", "Leong", "Duarte", "Ho")
SIT_OUT = 0.15  # share of rounds in which a seat has no basic bet
ANTE_ONLY, ANTE_AND_PAIR_PLUS = 0.4, 0.85  # cumulative shares of seats with a basic bet; the rest: Pair Plus alone
SIX_CARD_BONUS = 0.35
BASIC = {"ante", "pair_plus"}
STRAY_CHIP = 0.04  # a jackpot chip at a seat without a basic bet: invalid, 4.º 3
AGAINST_ADVICE = 0.04
MULTIPLES = (1, 1, 1, 2, 2, 3, 5, 10)  # of the table minimum

BYSTANDERS = ("Lam", "Rosa")  # where boxes are open to all, besides those who sit
SITTING = NAMES + BYSTANDERS  # where there are more seats than NAMES
FEWEST_BETTORS = 3
BOXES = ("low", "eight", "high")
ANOTHER_SPACE, ANOTHER_BOX = 0.35, 0.3  # chance of each further space of a player, and of each further box in it


@dataclass(slots=True)
class Bets:
    """What one seat bets in a round: wagers on the felt in minor units, and a jackpot chip or none in the slot."""

    wagers: dict[str, int] = field(default_factory=dict)
    chip: bool = False


class Players:
    """One player a seat; bets and decisions come from one seeded stream, apart from the deck's."""

    def __init__(
        self, seed: int | str, seats: int, minimum: int, maximum: int, additional: list[str], chip_rate: float
    ) -> None:
        self.names = {seat: SITTING[(seat - 1) % len(SITTING)] for seat in range(1, seats + 1)}
        self._random = random.Random(f"{seed}/players")
        self.amounts = [minimum * multiple for multiple in MULTIPLES if minimum * multiple <= maximum]
        self._six_card_bonus = "six_card_bonus" in additional
        self._jackpot = "jackpot" in additional
        self._chip_rate = chip_rate

    def bets(self) -> dict[int, Bets]:
        """The bets of the next round, by seat; at least one seat has a basic bet."""
        someone = self._random.choice(list(self.names))
        return {seat: self._bets_of_seat(seat == someone) for seat in self.names}

    def bets_beside(self, own: Mapping[int, Bets]) -> dict[int, Bets]:
        """The bets of the next round besides these bets of persons; some seat always has a basic bet."""
        while True:
            bets = {**self.bets(), **own}
            if any(BASIC & placed.wagers.keys() for placed in bets.values()):
                return bets

    def plays(self, hand: list[Card]) -> bool:
        """True to double, false to give up the ante: Q-6-4 or better plays, and some players do otherwise."""
        return is_q64_or_better(hand) != (self._random.random() < AGAINST_ADVICE)

    def _bets_of_seat(self, surely: bool) -> Bets:
        chance = self._random.random
        bets = Bets()
        if not surely and chance() < SIT_OUT:
            bets.chip = self._jackpot and chance() < STRAY_CHIP / SIT_OUT
            return bets
        kind = chance()
        if kind < ANTE_AND_PAIR_PLUS:
            bets.wagers["ante"] = self._random.choice(self.amounts)
        if kind >= ANTE_ONLY:
            bets.wagers["pair_plus"] = self._random.choice(self.amounts)
        if self._six_card_bonus and chance() < SIX_CARD_BONUS:
            bets.wagers["six_card_bonus"] = self._random.choice(self.amounts)
        bets.chip = self._jackpot and chance() < self._chip_rate
        return bets


def is_q64_or_better(hand: list[Card]) -> bool:
    """Whether three cards make a pair or more, or a high hand not below Q-6-4."""
    heights = sorted((card.height for card in hand), reverse=True)
    if max(Counter(heights).values()) > 1 or len({card.suit for card in hand}) == 1:
        return True
    straight = heights[0] - heights[2] == 2 or heights == [14, 3, 2]
    return straight or heights >= [12, 6, 4]


@dataclass(frozen=True, slots=True)
class NamedBet:
    """One player's bet where others may bet too, in minor units."""

    seat: int
    wager: str
    player: str
    amount: int


class Bettors:
    """Three to nine players around spaces without owners: several may bet at a space, each in one or more boxes.

    `added` are boxes beside the three.
    """

    def __init__(self, seed: int | str, spaces: int, amounts: list[int], added: Sequence[str] = ()) -> None:
        self._random = random.Random(f"{seed}/bettors")
        self._boxes = (*BOXES, *added)
        self._spaces = list(range(1, spaces + 1))
        self._amounts = amounts

    def bets(self) -> list[NamedBet]:
        """The bets of the next round in the order they are placed, one player after the other."""
        everybody = NAMES + BYSTANDERS
        count = self._random.randint(FEWEST_BETTORS, len(everybody))
        return [bet for player in self._random.sample(everybody, count) for bet in self._bets_of(player)]

    def _bets_of(self, player: str) -> list[NamedBet]:
        return [
            NamedBet(seat, wager, player, self._random.choice(self._amounts))
            for seat in self._some(self._spaces, ANOTHER_SPACE)
            for wager in self._some(self._boxes, ANOTHER_BOX)
        ]

    def _some(self, all_there: Sequence[T], another: float) -> list[T]:
        """At least one, each further one by chance; in the order chosen."""
        count = 1
        while count < len(all_there) and self._random.random() < another:
            count += 1
        return self._random.sample(all_there, count)

"""Black-jack: what cards are worth and what may be done with a hand; 1, 6, 18 to 20, 26 to 32, 35. No I/O here."""

import re
from dataclasses import dataclass, field

from .lines import Stakes

ACE = "A"
POINTS = {ACE: 1} | {str(value): value for value in range(2, 10)} | dict.fromkeys("TJQK", 10)  # 6
SPLIT_LEFT = ("split", "stand")


def points(card: str) -> int:
    """Ten for pictures, one for an ace (6)."""
    return POINTS[card[0]]


def total(cards: list[str], *, low: int = 0) -> int:
    """The best total: an ace is eleven where that does not pass 21 (6); `low` of the aces must stay one (32)."""
    least = sum(points(card) for card in cards)
    aces = sum(card[0] == ACE for card in cards) - low
    return least + 10 if aces > 0 and least + 10 <= 21 else least


def is_black_jack(cards: list[str]) -> bool:
    """An ace with a ten or a picture, in the first two cards (1 a)."""
    return len(cards) == 2 and sorted(points(card) for card in cards) == [1, 10]


def is_special(cards: list[str]) -> bool:
    """6-7-8 of one suit, or three sevens (35), among the three cards of a hand."""
    if len(cards) != 3:
        return False
    ranks = "".join(sorted(card[0] for card in cards))
    return ranks == "777" or (ranks == "678" and len({card[1] for card in cards}) == 1)


@dataclass
class Hand:
    """One hand of a seat; `on` is what each complementary bet has on it now."""

    cards: list[str]
    bet: int
    on: dict[str, int] = field(default_factory=dict)
    of_split: bool = False
    of_aces: bool = False
    doubled: bool = False
    low: int = 0  # aces that stay one (32)
    special: bool = False  # it was 6-7-8 or 7-7-7 when it had three cards (35)
    doubles_more: bool = False  # the house lets a split hand double on more than two cards (31)
    ended: str | None = None  # "paid", "even_money" or "given_up": before the bank's second card

    @property
    def total(self) -> int:
        """Its points."""
        return total(self.cards, low=self.low)

    @property
    def black_jack(self) -> bool:
        """20: a pair that was split makes none."""
        return not self.of_split and is_black_jack(self.cards)

    @property
    def waits(self) -> bool:
        """Whether the bank still plays against it (22)."""
        return self.ended is None and self.total <= 21

    def take(self, card: str) -> None:
        """One card more."""
        self.cards.append(card)
        self.special = self.special or is_special(self.cards)

    def legal(self) -> tuple[str, ...]:
        """What its player may say now; nothing where he is not asked."""
        if self.ended or self.doubled or self.black_jack or self.total >= 21 or len(self.cards) < 2:
            return ()
        pair = len(self.cards) == 2 and points(self.cards[0]) == points(self.cards[1])
        if self.of_aces:  # 26: one card each; 27: a pair again
            return SPLIT_LEFT if pair and len(self.cards) == 2 else ()
        says = ["hit"]
        if self.total > 11:  # 18
            says.append("stand")
        counts = len(self.cards) == 2 or (self.doubles_more and self.of_split)
        if counts and sum(points(card) for card in self.cards) in (9, 10, 11):  # 29, 31
            says.append("double")
        return (*says, "split") if pair else tuple(says)

    def double(self, followers: list[str]) -> None:
        """Twice the bet, and of those who follow (29, 30); an ace counted as one for 9 or 10 stays one (32)."""
        self.doubled = True
        self.low = sum(card[0] == ACE for card in self.cards[:2])
        for player in followers:
            self.on[player] *= 2

    def split(self, followers: list[str]) -> "tuple[Hand, Hand]":
        """Two hands of a card each (26); who does not follow stays with the first (28)."""
        aces = self.cards[0][0] == ACE
        second = {player: stake for player, stake in self.on.items() if player in followers}
        return (
            Hand(self.cards[:1], self.bet, dict(self.on), True, aces, doubles_more=self.doubles_more),
            Hand(self.cards[1:], self.bet, second, True, aces, doubles_more=self.doubles_more),
        )


# ---- Black-jack: cards and answers of a round, in their order. No I/O here


BET, BACKING, VACANT = "bet", "backing", "vacant"
DISCARD = "discard"


@dataclass
class Place:
    """What is at one seat: the bet of him who decides, then the complementary bets in the order placed."""

    player: str | None
    bet: int
    backers: dict[str, int] = field(default_factory=dict)
    vacant: bool = False


def places_of(stakes: Stakes, owners: dict[int, str | None], homes: dict[str, int]) -> dict[int, Place]:
    """What is at each seat; `homes` are the seats where players had bets of their own before."""
    here = {player: seat for seat, player in sorted(owners.items(), reverse=True) if player}
    places = {}
    for seat in sorted({at for at, _, _ in stakes}):
        others = {str(player): amount for (at, kind, player), amount in stakes.items() if at == seat and kind != BET}
        if (seat, BET, None) in stakes:
            places[seat] = Place(owners.get(seat), stakes[seat, BET, None], others)
        elif others:
            player = decides(others, homes | here)
            rest = {name: amount for name, amount in others.items() if name != player}
            places[seat] = Place(player, others[player], rest, vacant=True)
    return places


def decides(others: dict[str, int], homes: dict[str, int]) -> str:
    """16: the highest bet at a vacant seat decides; of equal ones that of the player at the lowest seat."""
    highest = max(others.values())
    return min((player for player in others if others[player] == highest), key=lambda name: homes.get(name, 99))


@dataclass
class Card:
    """A card that left the source; `is_there` is where it is at last, None: where the rules want it."""

    card: str
    position: str | None
    hand: int | None
    face: str
    at: int
    moved: bool = False
    unasked: bool | None = None  # drawn against the player's wish (18): whether it was seen


@dataclass
class Answer:
    """What a player reported; `says` has the numbers apart: ("insure", (500, 0))."""

    seat: int
    hand: int
    question: str
    says: tuple[str, tuple[int, ...]]
    at: int


@dataclass
class Turned:
    """The bank's second card is turned."""

    cards: str
    at: int


Move = Card | Answer | Turned


def parsed(text: str) -> tuple[str, tuple[int, ...]]:
    """An answer as a word and its numbers: "insure 500,0" and "follow 1,0" have some."""
    numbers = tuple(int(number) for number in re.findall(r"-?\d+", text))
    return re.sub(r"[-\d\s,]+", " ", text).strip(), numbers

"""Black-jack: cards and answers of a round, in their order. No I/O here."""

import re
from dataclasses import dataclass, field

from .lines import Stakes

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

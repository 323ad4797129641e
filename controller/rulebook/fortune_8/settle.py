"""What every bet of a completed round of Fortune 8 wins or loses, line by line, with its article. No I/O here."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from controller.rulebook.cards import Card
from controller.rulebook.fortune_8.paytable import BOXES, GAME, LOST, Box, BoxName
from controller.rulebook.fortune_8.wagers import Bets


class Line(Struct, frozen=True, kw_only=True):
    """What became of the bet in one box; `net` is the change in the player's money, minor units.

    `odds` is text such as "11:1" on a line won, null on a line lost.
    """

    wager: BoxName
    stake: int
    outcome: Literal["win", "lose"]
    odds: str | None
    net: int
    article: str


class SpaceAnswer(Struct, frozen=True):
    """The lines of one space in the order of its boxes from the player (4.º 2); `net` is their sum."""

    net: int
    lines: list[Line]


class Settlement(Struct, frozen=True, kw_only=True):
    """The whole answer, in the order of its keys: one entry for each space with bets, ascending."""

    game: str
    outcome: Literal["settled"]
    seats: dict[str, SpaceAnswer]


def settle(boxes: Mapping[int, Bets], cards: Mapping[int, Card]) -> Settlement:
    """Settles the bets of each space on its own card (6.º to 8.º); the order of the spaces and boxes changes nothing.

    Every space with a bet has a card. A bet of 0 is none.
    """
    seats = {}
    for space, bets in sorted(boxes.items()):
        lines = [_line(box, bets[box.name], cards[space]) for box in BOXES if bets.get(box.name)]
        if lines:
            seats[str(space)] = SpaceAnswer(sum(line.net for line in lines), lines)
    return Settlement(game=GAME, outcome="settled", seats=seats)


def _line(box: Box, stake: int, card: Card) -> Line:
    if not box.wins(card):
        return Line(wager=box.name, stake=stake, outcome="lose", odds=None, net=-stake, article=LOST)
    return Line(
        wager=box.name,
        stake=stake,
        outcome="win",
        odds=f"{box.to_one}:1",
        net=stake * box.to_one,
        article=box.article,
    )

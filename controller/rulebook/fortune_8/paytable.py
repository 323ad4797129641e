"""The table of Fortune 8: seven spaces of three boxes, the cards that win in each, the odds. No I/O here.

Articles are 1.º to 9.º, as the official text numbers them: the groups of paragraphs of the text given, counted.
"""

from typing import Literal

from msgspec import Struct

from controller.rulebook.cards import Card
from controller.rulebook.events import Deal

GAME = "fortune-8"

BoxName = Literal["low", "eight", "high"]

SPACES = range(1, 8)  # 4.º 1
DECKS = range(1, 9)  # 1.º 1)
DEALS: tuple[Deal, ...] = ("every_space", "spaces_with_bets")  # 4.º 6, in its order


class Box(Struct, frozen=True):
    """One box of a space: the ranks that win in it (7.º), at `to_one` to 1 under `article` (8.º)."""

    name: BoxName
    ranks: str
    to_one: int
    article: str

    def wins(self, card: Card) -> bool:
        """Whether the card of the space has the value of this box (6.º 1 and 2)."""
        return card[0] in self.ranks


BOXES = (
    Box("low", "234567", 1, "8.º 1"),
    Box("eight", "8", 11, "8.º 2"),
    Box("high", "9TJQKA", 1, "8.º 1"),
)
BOX_NAMES: tuple[BoxName, ...] = tuple(box.name for box in BOXES)

BEHIND_CUT_CARD = 12  # 2.º 1

MATERIAL = "1.º 1)"
SPACE = "4.º 1"
BOX = "4.º 2"
LIMIT = "4.º 3"
THE_DEAL = "4.º 6"
LOST = "6.º 1"

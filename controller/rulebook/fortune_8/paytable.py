"""The table of Fortune 8: seven spaces of three boxes, the cards that win in each, the odds. No I/O here.

Articles are 1.º to 9.º, as the official text numbers them: the groups of paragraphs of the text given, counted.
"""

from typing import Literal

from msgspec import Struct

from controller.rulebook.cards import Card
from controller.rulebook.events import Deal, Terms
from controller.rulebook.house import AddedBet
from controller.rulebook.versions import RegulationVersion, Validity

GAME = "fortune-8"

VALIDITY = Validity(
    zone="Asia/Macau",
    versions=(
        RegulationVersion(
            key="71/2009",
            act="Despacho SEF 71/2009",
            signed="2009-06-25",
            published="2009-07-06",
            gazette="27/2009, pages 984 to 987",
            in_force="2009-07-07",
            assumed=("published", "gazette", "in_force"),
            note="The text at hand has the signature, and that it is in force on the day after its publication "
            "(n.º 3); "
            "its number, day and pages are those of the Official Gazette's index.",
        ),
    ),
)

BoxName = Literal["low", "eight", "high"]

SPACES = range(1, 8)  # 4.º 1
DECKS = range(1, 9)  # 1.º 1)
DEALS: tuple[Deal, ...] = ("every_space", "spaces_with_bets")  # 4.º 6, in its order


LOST = "6.º 1"
AUTHORISED = "9.º 1"


class Box(Struct, frozen=True):
    """One box of a space: the ranks that win in it (7.º), at `to_one` to 1 under `article` (8.º)."""

    name: BoxName
    ranks: str
    to_one: int
    article: str

    def wins(self, card: Card) -> bool:
        """Whether the card of the space has the value of this box (6.º 1 and 2)."""
        return card[0] in self.ranks

    def to_one_on(self, card: Card) -> int | None:
        """The odds that this card brings, None if it loses.

        >>> [(box.name, box.to_one_on("8d")) for box in BOXES]
        [('low', None), ('eight', 11), ('high', None)]
        """
        return self.to_one if self.wins(card) else None

    @property
    def lost(self) -> str:
        """The article by which a bet here is lost."""
        return LOST


class NewBox(Struct, frozen=True):
    """A box for an authorised bet beside the three; its authorisation says when it wins (9.º 1)."""

    bet: AddedBet
    article: str = AUTHORISED
    lost: str = AUTHORISED

    @property
    def name(self) -> str:
        """The name by which it was authorised."""
        return self.bet.name

    def to_one_on(self, card: Card) -> int | None:
        """The odds that this card brings, None if it loses."""
        return next((pays.to_one for pays in self.bet.pays if card in pays.cards), None)


BOXES = (
    Box("low", "234567", 1, "8.º 1"),
    Box("eight", "8", 11, "8.º 2"),
    Box("high", "9TJQKA", 1, "8.º 1"),
)
BOX_NAMES: tuple[BoxName, ...] = tuple(box.name for box in BOXES)


def boxes_at(terms: Terms) -> tuple[Box | NewBox, ...]:
    """The boxes of a space, in order from the player: the three of the regulation, then those of authorised bets (9.º
    1).
    """
    return (*BOXES, *(NewBox(bet) for bet in terms.house.bets))


BEHIND_CUT_CARD = 12  # 2.º 1

MATERIAL = "1.º 1)"
SPACE = "4.º 1"
BOX = "4.º 2"
LIMIT = "4.º 3"
THE_DEAL = "4.º 6"

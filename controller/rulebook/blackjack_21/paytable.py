"""The table of black-jack/21: seats, decks, limits, odds and prizes, each with its rule. No I/O here."""

from typing import Literal

from msgspec import Struct

GAME = "blackjack-21"

SEATS = range(1, 8)  # rule 2: six or seven
DECKS = (4, 6)  # rule 3
MOST_TIMES = 30  # rule 37: the maximum, in minimums
LEAST_START = 10_000  # rule 44: the starting value of the prize, in chips
SPECIAL_TIMES = 3  # rule 35

MATERIAL = "3"
SEAT = "2"
THE_DEAL = "17"
PLAY = "18"
BANK = "19"
DOUBLES_MORE = "double_after_split_three_cards"  # a key of [rules] (31)
EVEN_MINIMUM = "policy: even minimum"  # so that 3:2 and half a bet are whole minor units

PrizeName = Literal["four_aces_one_colour", "three_aces_one_suit", "three_aces", "two_aces_one_suit", "two_aces"]


class PrizeTier(Struct, frozen=True):
    """A combination of the accumulated prize: `times` the chip, or None for what is left of the pot (43)."""

    name: PrizeName
    times: int | None
    article: str


FOUR_ACES_ONE_COLOUR = PrizeTier("four_aces_one_colour", None, "43 a)")
THREE_ACES_ONE_SUIT = PrizeTier("three_aces_one_suit", 2500, "43 b)")
THREE_ACES = PrizeTier("three_aces", 250, "43 c)")
TWO_ACES_ONE_SUIT = PrizeTier("two_aces_one_suit", 100, "43 d)")
TWO_ACES = PrizeTier("two_aces", 25, "43 e)")
PRIZES: dict[str, PrizeTier] = {
    tier.name: tier for tier in (FOUR_ACES_ONE_COLOUR, THREE_ACES_ONE_SUIT, THREE_ACES, TWO_ACES_ONE_SUIT, TWO_ACES)
}

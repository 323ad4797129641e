"""The table of black-jack/21: seats, decks, limits, odds and prizes, each with its rule. No I/O here."""

from typing import Literal

from msgspec import Struct

from controller.rulebook.versions import RegulationVersion, Validity

GAME = "blackjack-21"

VALIDITY = Validity(
    zone="Europe/Lisbon",
    versions=(
        RegulationVersion(
            key="1364/2001",
            act="Portaria 1364/2001",
            signed="2001-11-22",
            published="2001-12-06",
            gazette="Diário da República, 6 December 2001",
            in_force="2001-12-07",
            note="In force on the day after its publication (n.º 3.º).",
        ),
    ),
    ended="2005-09-14",
    ended_assumed=True,
)
"""Portaria 817/2005 of 13 September and Portaria 217/2007, amended by 401/2015, followed; their texts are not
available here.
"""

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
DOUBLES_MORE = "double_after_split_three_cards"
BACKERS_INSURE = "backers_insure_for_themselves"
THREE_SUITS = "three_aces_of_three_suits"
KEYS_OF_RULES = (DOUBLES_MORE, BACKERS_INSURE, THREE_SUITS)
"""The other readings of 31, 33 and 43 c)."""
EVEN_MINIMUM = "policy: even minimum"  # so that 3:2 and half a bet are whole minor units

PrizeName = Literal["four_aces_one_colour", "three_aces_one_suit", "three_aces", "two_aces_one_suit", "two_aces"]


class PrizeTier(Struct, frozen=True):
    """A combination of the accumulated prize: `times` the chip, or None for the rest of the pot (43)."""

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

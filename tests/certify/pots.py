"""Terms of pots for the tests, as an operator would write them."""

from controller.certify.pot import PotTerms
from controller.certify.reading import read_pot

POT_2025 = """\
game = "fortune-3-card-poker-2025"
currency = "MOP"
exponent = 2

[jackpot]
chip = 500
initial_pot = 60000000
minimum = 50000000
increment_bp = 5000
reserve_bp = 1000
ceiling = 400000000

[jackpot.fixed]
royal_flush = 5000000
straight_flush = 1000000
four_of_a_kind = 150000
full_house = 50000
flush = 25000

[play]
chips_per_round = 6
rounds_per_hour = 40
"""

PRIZE = """\
game = "blackjack-21"
currency = "EUR"
decks = 6

[jackpot]
chip = 100
minimum = 1000000
increment_bp = 7000
reserve_bp = 500

[play]
chips_per_round = 5
"""


def pot_2025() -> PotTerms:
    return read_pot(POT_2025)


def prize() -> PotTerms:
    return read_pot(PRIZE)

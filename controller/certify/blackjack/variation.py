"""Rules of black-jack in other houses, to compare their computed effects with published ones. No I/O here."""

from fractions import Fraction

from msgspec import Struct

from controller.rulebook.blackjack_21.waits import DOUBLES_ON


class Variation(Struct, frozen=True, kw_only=True):
    """What a player and the bank may do; the defaults are the regulation's, each with its rule.

    `doubles_on` is None where any two cards are doubled; `most_hands` None where a pair may be split without end.
    `gives_up_against` has the values of the open card, the ace is 1; `gives_up_late`: a seat gives up only after the
    bank has looked at its second card and has no black-jack. `black_jack_pays` is a multiple of the bet; None for what
    the settlement pays.
    """

    bank_draws_on_soft_17: bool = False  # 6, 19
    bank_looks: bool = False  # 17: the second card is face down until the players have played
    black_jack_pays: Fraction | None = None  # 21
    doubles_on: tuple[int, ...] | None = DOUBLES_ON  # 29
    doubled_ace_stays_one: bool = True  # 32
    doubles_after_split: bool = True  # 31
    doubles_more: bool = False  # 31: a split hand with more than two cards too
    most_hands: int | None = None  # 27
    splits_aces_again: bool = True  # 27
    draws_to_split_aces: bool = False  # 26
    gives_up_against: tuple[int, ...] = (2, 3, 4, 5, 6, 7, 8, 9, 10)  # 36
    gives_up_late: bool = False
    special_prize: bool = True  # 35


REGULATION = Variation()

"""The seat whose turn it is to cut the cards (8), and the position of the warning card (9). No I/O here."""

from controller.rulebook.blackjack_21.table_state import hands_of
from controller.rulebook.citations import CARDS_OF_A_DECK
from controller.rulebook.events import WarningPlace
from controller.rulebook.round import Round

BEHIND_WARNING_CARD = 50  # cards (9)


def whose_cut(round: Round) -> int | None:
    """The seat whose turn it is: at the beginning of play the lowest, then the one after the seat that cut last.

    None when all of them passed: the table inspector cuts, and the next shoe is as at the beginning.
    """
    seats, hands = range(1, round.terms.seat_count + 1), hands_of(round)
    in_turn = sorted(seats, key=lambda seat: (seat <= hands.cut_after, seat))
    return next((seat for seat in in_turn if seat not in hands.cut_passed), None)


def behind_warning_card(place: WarningPlace, decks: int) -> int:
    """The number of cards after the warning card: about 50, or half of the cards with one player (9).

    >>> behind_warning_card("end", 6), behind_warning_card("middle", 6)
    (50, 156)
    """
    return BEHIND_WARNING_CARD if place == "end" else decks * CARDS_OF_A_DECK // 2

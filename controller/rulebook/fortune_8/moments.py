"""The moments from which changes are informed at Fortune 8, where every card is dealt face up. No I/O here."""

from controller.rulebook.corrected import Corrected
from controller.rulebook.fortune_8.dealing import spaces_dealt
from controller.rulebook.moments import KEYED, Moment, Moments, seats_concerned
from controller.rulebook.round import Round


def has_card(round: Round, *spaces: int) -> bool:
    """Whether the card of one of these spaces is open, read or not."""
    order = spaces_dealt(round.deal or round.terms.deal, round.seats_in_play)
    cards = sum(len(deal.draws) for deal in round.dealt)
    return not set(spaces).isdisjoint(order[:cards])


def card_of_the_space(round: Round, corrected: Corrected | None) -> bool:
    """Whether a card is open at the space whose bets are corrected, or at the space to which they are moved."""
    return has_card(round, *seats_concerned(corrected))


def card_of_a_bet(round: Round, corrected: Corrected | None) -> bool:
    """Whether a card is open that decides a bet."""
    return has_card(round, *round.seats_in_play)


MOMENTS = Moments(
    bet=Moment("a card is in a space concerned", "4.º 5", card_of_the_space),
    cards=KEYED,
    void=Moment("a card is in a space with a bet", "5.º", card_of_a_bet),
)

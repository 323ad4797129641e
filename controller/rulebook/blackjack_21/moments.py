"""The moments from which changes are informed at black-jack/21. No I/O here."""

from collections import Counter

from controller.rulebook.blackjack_21.state import BANK_PLACE
from controller.rulebook.blackjack_21.table_state import follow, hands_of
from controller.rulebook.corrected import CardsCorrected, Corrected, DecisionCorrected
from controller.rulebook.moments import INFORMED, Kind, Moment, Moments, seats_concerned
from controller.rulebook.moments import kind_of as kind_in_any_game
from controller.rulebook.round import Round
from controller.rulebook.steps import seat_place

STAKES = ("insure", "even_money")  # what an answer about the bank's hand begins with


def kind_of(corrected: Corrected | None) -> Kind:
    """The kind of a correction. Insurance and even money are stakes on the bank's second card (33, 34)."""
    if isinstance(corrected, DecisionCorrected):
        words = (corrected.before, corrected.after)
        return "insurance" if any(word.startswith(STAKES) for word in words) else "decision"
    return kind_in_any_game(corrected)


def first_card(round: Round, corrected: Corrected | None) -> bool:
    """Whether there is a card at the seat whose bets or chips are corrected, or at the seat to which they are moved."""
    concerned = {seat_place(seat) for seat in seats_concerned(corrected)}
    return any(place in concerned for place, _ in follow(round).places.values())


def card_followed(round: Round, corrected: Corrected | None) -> bool:
    """Whether a card was drawn or turned after the last answer of the seat, or the round is settled on it."""
    if not isinstance(corrected, DecisionCorrected):
        return False
    since = round.settled is not None
    for move in reversed(hands_of(round).moves):
        if move.answer is None:
            since = True
        elif move.answer.seat == corrected.seat:
            return since
    return since


def bank_turned(round: Round, corrected: Corrected | None) -> bool:
    """Whether the bank's second card is open."""
    return follow(round).state.turned


def another_card(round: Round, corrected: Corrected | None) -> bool:
    """Whether the round is settled, or another card was shown after the corrected one."""
    if round.settled is not None or not isinstance(corrected, CardsCorrected):
        return round.settled is not None
    changed = {
        draw
        for draw, before, after in zip(corrected.draws, corrected.before, corrected.after, strict=True)
        if before != after
    }
    return not changed <= set(list(hands_of(round).faces)[-1:])


def second_card(round: Round, corrected: Corrected | None) -> bool:
    """With the first second card of a seat, which may be a black-jack (21) or win the prize (43).

    It is open to everybody at the table, also where its source could not read it.
    """
    followed = follow(round)
    dealt = Counter(card.place for card in followed.state.drawn)
    if followed.unread is not None and followed.unread in round.unread:
        dealt[followed.places[followed.unread][0]] += 1
    return any(cards > 1 for place, cards in dealt.items() if place != BANK_PLACE)


MOMENTS = Moments(
    bet=Moment("the seat has its first card", "13", first_card),
    decision=Moment("a card has followed the answer, or the round is settled", "18", card_followed),
    insurance=Moment("the bank's second card is turned", "33", bank_turned),
    cards=Moment("another card is shown, or the round is settled", INFORMED, another_card),
    void=Moment("a seat has its second card", "policy: misdeal", second_card),
)

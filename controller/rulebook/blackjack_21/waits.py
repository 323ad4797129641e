"""The next thing that a round of black-jack/21 waits for: a card, an answer, the bank's second card, or nothing. No I/O
here.
"""

from collections.abc import Iterator

from msgspec import Struct

from controller.rulebook.blackjack_21.paytable import DOUBLES_MORE
from controller.rulebook.blackjack_21.points import MOST_POINTS, bank_draws, may_make_black_jack, total_of, value_of
from controller.rulebook.blackjack_21.reasons import BlackjackReason
from controller.rulebook.blackjack_21.state import BANK_PLACE, DECISIONS, Decision, Hand, Raise, RoundState, Seat
from controller.rulebook.derived import derived
from controller.rulebook.steps import Why, why

STANDS_ABOVE = 11  # rule 18
DOUBLES_ON = (9, 10, 11)  # rules 29 and 31


class CardDue(Struct, frozen=True, tag=True):
    """A card for a place: `seat 3` and one of its hands, from 1, or `bank`; face down only the bank's second (17)."""

    place: str
    hand: int | None
    face_up: bool = True


class TurnDue(Struct, frozen=True, tag=True):
    """The bank's second card is to be turned; `known` if its value was read as it was drawn."""

    known: bool


class HandAsked(Struct, frozen=True, tag=True):
    """A hand decides (18): its legal answers, and why others are not legal; `surrender` is never among the first."""

    seat: int
    hand: int
    total: int
    legal: tuple[Decision, ...]
    illegal: dict[str, Why]


class GiveUpAsked(Struct, frozen=True, tag=True):
    """Whether the seat gives up half its bet (36)."""

    seat: int


class EvenMoneyAsked(Struct, frozen=True, tag=True):
    """Whether the black-jack takes the value of its bet now (34)."""

    seat: int


class InsuranceAsked(Struct, frozen=True, tag=True):
    """A seat and its backers may insure, each up to `most`, half his bet, in the order of SeatBet.stakes (33, 15)."""

    seat: int
    most: tuple[int, ...]


class FollowAsked(Struct, frozen=True, tag=True):
    """Backers are asked to follow a double or split of a hand on which they bet (28, 30): their indexes, in the order
    placed.
    """

    seat: int
    hand: int
    decision: Raise
    backers: tuple[int, ...]


class Over(Struct, frozen=True, tag=True):
    """Nothing is due: the round is to be settled."""


Wait = CardDue | TurnDue | HandAsked | GiveUpAsked | EvenMoneyAsked | InsuranceAsked | FollowAsked | Over


@derived
def waits_for(state: RoundState) -> Wait:
    """The one thing the round waits for; it follows from the state alone."""
    return _deal(state) or _before_play(state) or _play(state) or _bank(state)


def _deal(state: RoundState) -> CardDue | None:
    """The deal: twice a card to each seat with a bet, in order, and one to the bank, its second face down (17)."""
    passes = len(state.bank)
    if passes == 2 or state.turned or not state.seats:
        return None
    for seat in state.seats:
        if len(seat.hands[0].cards) == passes:
            return CardDue(seat.place, 1)
    return CardDue(BANK_PLACE, None, face_up=passes == 0)


def _before_play(state: RoundState) -> EvenMoneyAsked | InsuranceAsked | GiveUpAsked | None:
    """The questions before play, for all seats in order: against an ace even money and insurance (33, 34), else
    whether to give up (36).
    """
    return next((asked for seat in state.seats if (asked := _asked_before_play(state, seat)) is not None), None)


def _asked_before_play(state: RoundState, seat: Seat) -> EvenMoneyAsked | InsuranceAsked | GiveUpAsked | None:
    number, black_jack = seat.placed.seat, seat.hands[0].black_jack
    if not state.bank_shows_ace:
        if seat.gives_up is None and not black_jack:
            return GiveUpAsked(number)
    elif black_jack and seat.even_money is None:
        return EvenMoneyAsked(number)
    elif not seat.even_money and seat.insurance is None:
        return InsuranceAsked(number, tuple(bet // 2 for bet in seat.placed.stakes))
    return None


def still_asked(state: RoundState) -> tuple[int, ...]:
    """The seats that are asked something before play, and have not answered."""
    return tuple(seat.placed.seat for seat in state.seats if _asked_before_play(state, seat) is not None)


def _play(state: RoundState) -> CardDue | HandAsked | FollowAsked | None:
    """The play seat by seat and hand by hand: each is finished before the next gets its second card (18, 26)."""
    for seat in state.seats:
        for index, hand in enumerate(seat.hands):
            wait = _hand(state, seat, index + 1, hand)
            if wait is not None:
                return wait
    return None


def _hand(state: RoundState, seat: Seat, number: int, hand: Hand) -> CardDue | HandAsked | FollowAsked | None:
    if hand.raising is not None:
        asked = tuple(backer for backer, times in enumerate(hand.times[1:]) if times)
        return FollowAsked(seat.placed.seat, number, hand.raising, asked)
    if hand.card_due:
        return CardDue(seat.place, number)
    if why_not_asked(seat, hand) is not None:
        return None
    illegal = dict(_illegal(state, hand))
    legal = tuple(decision for decision in DECISIONS if decision not in illegal)
    return HandAsked(seat.placed.seat, number, hand.total, legal, illegal)


def why_not_asked(seat: Seat, hand: Hand) -> Why | None:
    """The reason why a hand with these cards has no more decisions, or None if it has."""
    return next(_ends(seat, hand), None)


def _ends(seat: Seat, hand: Hand) -> Iterator[Why]:
    if seat.gives_up:
        yield why(BlackjackReason.SEAT_GAVE_UP, "36")
    if hand.black_jack:
        yield why(BlackjackReason.BLACK_JACK_NOT_ASKED, "18")
    if hand.lost:
        yield why(BlackjackReason.HAND_LOST, "22", total=hand.total)
    if hand.doubled:
        yield why(BlackjackReason.DOUBLED_HAND, "29")
    if hand.total == MOST_POINTS:
        yield why(BlackjackReason.AT_21, "18")
    if hand.stood:
        yield why(BlackjackReason.HAND_STOOD, "18")
    if hand.split_ace and not _is_pair(hand):
        yield why(BlackjackReason.SPLIT_ACE, "26")


def _illegal(state: RoundState, hand: Hand) -> Iterator[tuple[str, Why]]:
    if hand.split_ace:
        yield "hit", why(BlackjackReason.SPLIT_ACE, "26")
    if hand.total <= STANDS_ABOVE:
        yield "stand", why(BlackjackReason.MUST_DRAW, "18", total=hand.total, above=STANDS_ABOVE)
    doubles = "31" if hand.split else "29"
    lowest = sum(map(value_of, hand.cards))
    if hand.split_ace:
        yield "double", why(BlackjackReason.SPLIT_ACE_NOT_DOUBLED, "26")
    elif len(hand.cards) != 2 and not (DOUBLES_MORE in state.rules and hand.split):
        yield "double", why(BlackjackReason.DOUBLES_FIRST_TWO, doubles)
    elif lowest not in DOUBLES_ON:
        yield "double", why(BlackjackReason.NOT_DOUBLED_ON, doubles, total=total_of(hand.cards))
    splits = "27" if hand.split else "26"
    if len(hand.cards) != 2:
        yield "split", why(BlackjackReason.SPLITS_FIRST_TWO, splits)
    elif not _is_pair(hand):
        yield "split", why(BlackjackReason.UNEQUAL_VALUES, splits, cards=" ".join(hand.cards))
    too_late = BlackjackReason.NOT_AGAINST_ACE if state.bank_shows_ace else BlackjackReason.ONLY_BEFORE_PLAY
    yield "surrender", why(too_late, "36")


def _is_pair(hand: Hand) -> bool:
    """Whether the hand has two cards of equal value; a ten and a figure are equal (26)."""
    return len(hand.cards) == 2 and value_of(hand.cards[0]) == value_of(hand.cards[1])


def is_paid_at_once(state: RoundState, hand: Hand) -> bool:
    """Whether the hand is a black-jack against an open card that cannot make one (21)."""
    return hand.black_jack and bool(state.bank_shown) and not may_make_black_jack(state.bank_shown[0])


def in_play(state: RoundState, seat: Seat, hand: Hand) -> bool:
    """Whether a hand still waits for the bank: not lost, given up or already paid (22)."""
    return not (hand.lost or seat.gives_up or seat.even_money or is_paid_at_once(state, hand))


def _bank(state: RoundState) -> TurnDue | CardDue | Over:
    """The second card is turned if anything hangs on it; a third only with a hand in play (19, 22)."""
    waiting = any(in_play(state, seat, hand) for seat in state.seats for hand in seat.hands)
    if not waiting and not any(seat.insured for seat in state.seats):
        return Over()
    if not state.turned:
        return TurnDue(known=state.bank[1] is not None)
    return CardDue(BANK_PLACE, None) if waiting and bank_draws(state.bank_shown) else Over()

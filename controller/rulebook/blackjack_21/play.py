"""The play of black-jack/21, a bet, card or answer at a time: from one state to the next. No I/O here."""

from collections.abc import Iterable

from msgspec.structs import replace

from controller.rulebook.blackjack_21.bets import SeatBet
from controller.rulebook.blackjack_21.paytable import BACKERS_INSURE, PLAY, SEATS, THE_DEAL
from controller.rulebook.blackjack_21.reasons import BlackjackReason
from controller.rulebook.blackjack_21.state import (
    BANK_PLACE,
    DECISIONS,
    Decided,
    Drawn,
    Followed,
    GaveUp,
    GivenAnswer,
    Hand,
    Insured,
    PlayerAnswer,
    RoundState,
    Seat,
    TookEvenMoney,
    fresh_seat,
    replaced,
)
from controller.rulebook.blackjack_21.waits import (
    CardDue,
    EvenMoneyAsked,
    FollowAsked,
    GiveUpAsked,
    HandAsked,
    InsuranceAsked,
    TurnDue,
    waits_for,
)
from controller.rulebook.cards import Card
from controller.rulebook.refusal import STEP_BY_STEP, Reason, Refusal, quoted
from controller.rulebook.steps import seat_of, seat_place

BEFORE_ITS_CARD = "13"
IF_THE_SEAT_DOES = "15"
BEFORE_THE_DEAL = "48"


def opened_round(seat_bet: Iterable[SeatBet], rules: tuple[str, ...] = ()) -> RoundState:
    """A round before its first card, with the bets at the seats, which bets.py has checked."""
    seats = tuple(fresh_seat(bet) for bet in sorted(seat_bet, key=lambda bet: bet.seat))
    return RoundState(seats=seats, rules=rules)


def with_bet(state: RoundState, seat_bet: SeatBet) -> RoundState:
    """The round with a bet placed or changed at a seat.

    A bet is placed before the seat's first card is due (13), so no card may be there or further on, and the chip
    before the deal begins (48).
    """
    who = seat_place(seat_bet.seat)
    reached = max((seat_of(card.place) or SEATS[-1] for card in state.drawn), default=0)  # the bank is past every seat
    if reached >= seat_bet.seat:
        raise Refusal(who, BlackjackReason.NO_BET_ANY_MORE, BEFORE_ITS_CARD)
    others = [seat for seat in state.seats if seat.placed.seat != seat_bet.seat]
    before = sum(sum(seat.placed.chips) for seat in state.seats if seat.placed.seat == seat_bet.seat)
    if state.drawn and sum(seat_bet.chips) != before:
        raise Refusal(who, BlackjackReason.NO_PRIZE_CHIP_ANY_MORE, BEFORE_THE_DEAL)
    seats = sorted([*others, fresh_seat(seat_bet)], key=lambda seat: seat.placed.seat)
    return replace(state, seats=tuple(seats))


def with_card(state: RoundState, card: Card | None) -> RoundState:
    """The round after the card that is due was drawn, or the bank's second card turned.

    None means an unknown value: the bank's second card until it is turned; or, as it is turned, the value known from
    the draw. Raises Refusal if no card is due, or if the value contradicts the known one.

    >>> waits_for(with_card(opened_round([SeatBet(seat=3, bet=1000)]), "As"))
    CardDue(place='bank', hand=None, face_up=True)
    """
    match waits_for(state):
        case TurnDue():
            return _turned(state, card)
        case CardDue(place=place, hand=number, face_up=face_up):
            if card is None and face_up:
                raise Refusal(place, BlackjackReason.OPEN_CARD_UNKNOWN, THE_DEAL)
            drawn = (*state.drawn, Drawn(place, number, card))
            if number is None or card is None:
                return replace(state, bank=(*state.bank, card), drawn=drawn)
            at = _index(state, seat_of(place))
            hands = state.seats[at].hands
            hand = replace(hands[number - 1], cards=(*hands[number - 1].cards, card), card_due=False)
            seat = replace(state.seats[at], hands=replaced(hands, number - 1, hand))
            return replace(_with_seat(state, at, seat), drawn=drawn)
        case _:
            raise Refusal("table", BlackjackReason.NO_CARD_DUE, STEP_BY_STEP)


def with_answer(state: RoundState, answer: PlayerAnswer) -> RoundState:
    """The round after an answer. Raises Refusal for an answer to another question, or against the rules."""
    wait = waits_for(state)
    number: int | None = None
    match wait, answer:
        case HandAsked(), Decided(decision=decision):
            number = wait.hand
            seat = _decided(state.seats[_index(state, wait.seat)], wait, decision)
        case FollowAsked(), Followed(who=who):
            number = wait.hand
            seat = _followed(state.seats[_index(state, wait.seat)], wait, who)
        case InsuranceAsked(), Insured(amounts=amounts):
            seat = _insured(state.seats[_index(state, wait.seat)], wait, amounts, BACKERS_INSURE in state.rules)
        case GiveUpAsked(), GaveUp(yes=yes):
            seat = replace(state.seats[_index(state, wait.seat)], gives_up=yes)
        case EvenMoneyAsked(), TookEvenMoney(yes=yes):
            seat = replace(state.seats[_index(state, wait.seat)], even_money=yes)
        case _:
            raise Refusal("table", BlackjackReason.NOT_ASKED_NOW, STEP_BY_STEP)
    answered = (*state.answered, GivenAnswer(seat.placed.seat, number, answer))
    return replace(_with_seat(state, _index(state, seat.placed.seat), seat), answered=answered)


def _index(state: RoundState, seat: int | None) -> int:
    return next(at for at, played in enumerate(state.seats) if played.placed.seat == seat)


def _with_seat(state: RoundState, at: int, seat: Seat) -> RoundState:
    return replace(state, seats=(*state.seats[:at], seat, *state.seats[at + 1 :]))


def _turned(state: RoundState, card: Card | None) -> RoundState:
    known = state.bank[1]
    if card is None and known is None:
        raise Refusal(BANK_PLACE, BlackjackReason.SECOND_CARD_UNKNOWN, THE_DEAL)
    if card is not None and known is not None and card != known:
        raise Refusal(BANK_PLACE, BlackjackReason.SECOND_CARD_WAS, THE_DEAL, known=known, card=card)
    return replace(state, bank=(state.bank[0], card or known), turned=True)


def _decided(seat: Seat, wait: HandAsked, decision: str) -> Seat:
    if decision in wait.illegal:
        why = wait.illegal[decision]
        raise Refusal(
            seat.place,
            BlackjackReason.HAND_MAY_NOT,
            why.rule,
            decision=decision,
            hand=wait.hand,
            why=Reason(why.code, why.values),
        )
    index = wait.hand - 1
    hand = seat.hands[index]
    match decision:
        case "hit":
            return replace(seat, hands=replaced(seat.hands, index, replace(hand, card_due=True)))
        case "stand":
            return replace(seat, hands=replaced(seat.hands, index, replace(hand, stood=True)))
        case "double" | "split":
            raised = replace(seat, hands=replaced(seat.hands, index, replace(hand, raising=decision)))
            return raised if any(hand.times[1:]) else _raised(raised, index, {})
        case _:
            known = ", ".join(DECISIONS)
            raise Refusal(seat.place, BlackjackReason.NO_SUCH_DECISION, PLAY, decision=quoted(decision), known=known)


def _followed(seat: Seat, wait: FollowAsked, who: tuple[bool, ...]) -> Seat:
    if len(who) != len(wait.backers):
        rule = "28" if wait.decision == "split" else "30"
        raise Refusal(seat.place, BlackjackReason.BACKERS_ASKED, rule, asked=len(wait.backers), answered=len(who))
    return _raised(seat, wait.hand - 1, dict(zip(wait.backers, who, strict=True)))


def _raised(seat: Seat, index: int, follows: dict[int, bool]) -> Seat:
    """The seat with a double or split done; `follows` is of the backers on the hand (28, 30)."""
    hand = seat.hands[index]
    joins = (True, *(follows.get(backer, False) for backer in range(len(seat.placed.backers))))
    if hand.raising == "double":
        times = tuple(2 * on if joins_it else on for on, joins_it in zip(hand.times, joins, strict=True))
        doubled = replace(hand, times=times, doubled=True, card_due=True, raising=None)
        return replace(seat, hands=replaced(seat.hands, index, doubled))
    first, second = hand.cards
    others = tuple(on if joins_it else 0 for on, joins_it in zip(hand.times, joins, strict=True))
    pair = (
        Hand(times=hand.times, cards=(first,), split=True, card_due=True),
        Hand(times=others, cards=(second,), split=True, card_due=True),
    )
    return replace(seat, hands=replaced(seat.hands, index, *pair))


def _insured(seat: Seat, wait: InsuranceAsked, amounts: tuple[int, ...], for_themselves: bool) -> Seat:
    if len(amounts) != len(wait.most):
        raise Refusal(seat.place, BlackjackReason.AMOUNTS_ASKED, "33", asked=len(wait.most), answered=len(amounts))
    backers = (None, *seat.placed.backers)
    for backer, bet, most, amount in zip(backers, seat.placed.stakes, wait.most, amounts, strict=True):
        if 0 <= amount <= most:
            continue
        if backer is None:
            raise Refusal(seat.place, BlackjackReason.INSURANCE_TOO_HIGH, "33", amount=amount, bet=bet)
        code, player = BlackjackReason.BACKERS_INSURANCE_TOO_HIGH, quoted(backer.player)
        raise Refusal(seat.place, code, "33", amount=amount, player=player, bet=bet)
    if any(amounts[1:]) and not amounts[0] and not for_themselves:
        raise Refusal(seat.place, BlackjackReason.BACKERS_INSURE_WITH_SEAT, IF_THE_SEAT_DOES)
    return replace(seat, insurance=amounts)

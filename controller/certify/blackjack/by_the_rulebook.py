"""Rounds and finished hands by the code of the live table: played by a strategy, and settled. No I/O here."""

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from controller.certify.blackjack.strategy import Strategy
from controller.certify.blackjack.variation import REGULATION, Variation
from controller.rulebook.blackjack_21.bets import SeatBet
from controller.rulebook.blackjack_21.paytable import DOUBLES_MORE
from controller.rulebook.blackjack_21.play import opened_round, with_answer, with_card
from controller.rulebook.blackjack_21.points import value_of
from controller.rulebook.blackjack_21.settle import settle
from controller.rulebook.blackjack_21.state import (
    Decided,
    GaveUp,
    Hand,
    Insured,
    PlayerAnswer,
    RoundState,
    Seat,
    TookEvenMoney,
)
from controller.rulebook.blackjack_21.waits import (
    CardDue,
    EvenMoneyAsked,
    FollowAsked,
    GiveUpAsked,
    HandAsked,
    InsuranceAsked,
    Over,
    TurnDue,
    waits_for,
)
from controller.rulebook.cards import Card
from controller.rulebook.settlement import Line

BET = 2  # so that half of it, and 3:2, are whole
SEAT = 1


class Net(Struct, frozen=True):
    """What a finished hand changes in the player's money, in units of the first bet: by the hand, and by the special
    prize (35).
    """

    hand: Fraction
    special: Fraction


def net_of(hand: Hand, bank: Sequence[Card]) -> Net:
    """What one hand with its last card wins or loses against a bank with its last card."""
    seat = Seat(
        placed=SeatBet(seat=SEAT, bet=BET),
        hands=(replace(hand, stood=True),),
        gives_up=False,
        even_money=False,
        insurance=(0,),
    )
    return _net(RoundState(seats=(seat,), bank=tuple(bank), turned=True))


def net_of_giving_up(hand: Hand, open_card: Card) -> Net:
    """What a seat that gives up loses; the bank's second card is never seen."""
    seat = Seat(placed=SeatBet(seat=SEAT, bet=BET), hands=(hand,), gives_up=True, insurance=(0,))
    return _net(RoundState(seats=(seat,), bank=(open_card, None)))


def net_of_insurance(bank: Sequence[Card]) -> Fraction:
    """What insurance changes in the player's money, in insurance bets, once the bank's second card is turned (33)."""
    lost = Hand(times=(1,), cards=(Card("Ts"), Card("6s"), Card("8s")))
    seat = Seat(placed=SeatBet(seat=SEAT, bet=BET), hands=(lost,), insurance=(BET // 2,))
    lines = settle(RoundState(seats=(seat,), bank=tuple(bank), turned=True), None).seats[str(SEAT)].lines
    return sum((Fraction(line.net, line.stake) for line in lines if line.wager == "insurance"), Fraction(0))


def net_of_even_money(hand: Hand, open_card: Card) -> Fraction:
    """The pay of a black-jack that takes even money, in bets (34)."""
    seat = Seat(placed=SeatBet(seat=SEAT, bet=BET), hands=(hand,), even_money=True)
    return _net(RoundState(seats=(seat,), bank=(open_card, None))).hand


def _net(state: RoundState) -> Net:
    lines = settle(state, None).seats[str(SEAT)].lines
    special = sum(line.net for line in lines if line.wager == "special_prize")
    return Net(Fraction(sum(line.net for line in lines) - special, BET), Fraction(special, BET))


def play_round(cards: Sequence[Card], seats: int, strategy: Strategy, rules: Variation = REGULATION) -> RoundState:
    """The round at its end, a bet at each of the first seats; raises ValueError unless it takes exactly these cards."""
    state, left = play_from(cards, seats, strategy, rules)
    if left:
        raise ValueError(f"the rulebook deals {left} cards fewer than {len(cards)}")
    return state


def play_from(cards: Sequence[Card], seats: int, strategy: Strategy, rules: Variation) -> tuple[RoundState, int]:
    """Plays the round to its end; returns it and the number of cards left. Raises ValueError if there are too few."""
    bets = (SeatBet(seat=seat, bet=BET) for seat in range(1, seats + 1))
    state = opened_round(bets, (DOUBLES_MORE,) if rules.doubles_more else ())
    left = list(reversed(cards))
    while not isinstance(wait := waits_for(state), Over):
        match wait:
            case CardDue():
                if not left:
                    raise ValueError(f"the rulebook deals {wait.place} a card more than {len(cards)}")
                state = with_card(state, left.pop())
            case TurnDue():
                state = with_card(state, None)
            case _:
                state = with_answer(state, _answer(state, wait, strategy))
    return state, len(left)


def lines_by_seat(state: RoundState) -> list[list[Line]]:
    """The lines of the settlement for each seat, in the order of the seats."""
    return [seat.lines for seat in settle(state, None).seats.values()]


def _answer(
    state: RoundState, wait: HandAsked | FollowAsked | InsuranceAsked | EvenMoneyAsked | GiveUpAsked, strategy: Strategy
) -> PlayerAnswer:
    hands = next(seat.hands for seat in state.seats if seat.placed.seat == wait.seat)
    open_value = value_of(state.bank_shown[0])
    match wait:
        case HandAsked(hand=number, legal=legal):
            hand = hands[number - 1]
            return Decided(strategy.decide(open_value, hand.cards, legal, hand.split))
        case GiveUpAsked():
            return GaveUp(strategy.gives_up(open_value, hands[0].cards))
        case EvenMoneyAsked():
            return TookEvenMoney(strategy.takes_even_money)
        case InsuranceAsked(most=most):
            return Insured(most if strategy.insures else (0,) * len(most))
        case FollowAsked():
            raise ValueError(f"seat {wait.seat} has no backers to ask")

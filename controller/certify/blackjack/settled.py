"""The results of finished hands, from the code that settles the live table. No I/O here."""

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from controller.rulebook.blackjack_21.bets import SeatBet
from controller.rulebook.blackjack_21.settle import settle
from controller.rulebook.blackjack_21.state import Hand, RoundState, Seat
from controller.rulebook.cards import Card

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

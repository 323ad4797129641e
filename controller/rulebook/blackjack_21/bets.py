"""Which bets may be placed at a seat, and who decides at a vacant one. No I/O here."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from controller.rulebook.blackjack_21.paytable import EVEN_MINIMUM, LEAST_START, MOST_TIMES, SEAT, SEATS, THE_DEAL
from controller.rulebook.blackjack_21.reasons import BlackjackReason
from controller.rulebook.jackpot_award import JackpotTerms
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal, quoted
from controller.rulebook.steps import seat_place

MULTIPLES = "14"
SHARED = "15"
VACANT = "16"
MAXIMUM = "37"
START = "44"
BESIDE_A_BET = "45"
ONE_CHIP = "47"


class Backer(Struct, frozen=True):
    """A bet of another player on an occupied seat, or a further bet on a vacant one (15, 16), and the player's chip
    (47).
    """

    player: str
    bet: int
    chip: int = 0


class SeatBet(Struct, frozen=True, kw_only=True):
    """What is at one seat before its first card, minor units.

    `bet` is that of the seat's player, at a vacant seat the decider's (16); `chip` is his for the accumulated prize, 0
    for none (45).
    """

    seat: int
    bet: int
    backers: tuple[Backer, ...] = ()
    chip: int = 0

    @property
    def stakes(self) -> tuple[int, ...]:
        """The bets of all who bet here: the seat's own, then the backers' in the order placed.

        >>> SeatBet(seat=3, bet=1000, backers=(Backer("ana", 500),)).stakes
        (1000, 500)
        """
        return (self.bet, *(backer.bet for backer in self.backers))

    @property
    def chips(self) -> tuple[int, ...]:
        """The chips of all who bet here, in the same order."""
        return (self.chip, *(backer.chip for backer in self.backers))


class Interest(Struct, frozen=True):
    """One player's bet at a vacant seat, minor units; `own_seat` is where the player sits."""

    player: str
    bet: int
    own_seat: int


def check_minimum(minimum: int) -> None:
    """Raises Refusal for a table minimum that is odd: 3:2 and half a bet would need rounding.

    >>> check_minimum(1001)
    Traceback (most recent call last):
        ...
    controller.rulebook.refusal.Refusal: ('minimum', 'odd_minimum', {'minimum': '1001'}, 'policy: even minimum')
    """
    if minimum % 2:
        raise Refusal("minimum", BlackjackReason.ODD_MINIMUM, EVEN_MINIMUM, minimum=quoted(minimum))


def check_seat_bet(seat_bet: SeatBet, minimum: int) -> None:
    """Raises Refusal unless the bets of a seat are allowed there.

    Each is the minimum or a multiple of it (14, 15), the seat's own at most 30 times it (37), and so are all of them
    together (15). A backer needs a bet of the seat's, by whose decisions his goes (15, 16), and so does a chip (45).

    >>> check_seat_bet(SeatBet(seat=3, bet=3100), minimum=100)
    Traceback (most recent call last):
        ...
    controller.rulebook.refusal.Refusal: ('seat 3', 'bet_above_maximum', {'amount': 3100, 'times': 30}, '37')
    """
    who = seat_place(seat_bet.seat)
    if seat_bet.seat not in SEATS:
        raise Refusal(who, BlackjackReason.SEATS_ARE_SEVEN, SEAT)
    if not seat_bet.bet and seat_bet.chip:
        raise Refusal(who, BlackjackReason.CHIP_WITHOUT_BET, BESIDE_A_BET)
    if not seat_bet.bet and seat_bet.backers:
        raise Refusal(who, BlackjackReason.BACKERS_WITHOUT_BET, VACANT)
    if not _is_multiple(seat_bet.bet, minimum):
        raise Refusal(who, BlackjackReason.BET_NO_MULTIPLE, MULTIPLES, amount=seat_bet.bet, minimum=minimum)
    if seat_bet.bet > MOST_TIMES * minimum:
        raise Refusal(who, BlackjackReason.BET_ABOVE_MAXIMUM, MAXIMUM, amount=seat_bet.bet, times=MOST_TIMES)
    names = set()
    for backer in seat_bet.backers:
        if backer.player in names:
            raise Refusal(who, BlackjackReason.TWO_BETS, SHARED, player=quoted(backer.player))
        names.add(backer.player)
        if backer.chip and not backer.bet:
            raise Refusal(who, BlackjackReason.BACKERS_CHIP_WITHOUT_BET, BESIDE_A_BET, player=quoted(backer.player))
        if not _is_multiple(backer.bet, minimum):
            player = quoted(backer.player)
            code = BlackjackReason.BACKING_NO_MULTIPLE
            raise Refusal(who, code, SHARED, player=player, amount=backer.bet, minimum=minimum)
    if sum(seat_bet.stakes) > MOST_TIMES * minimum:
        raise Refusal(who, BlackjackReason.BETS_ABOVE_MAXIMUM, SHARED, amount=sum(seat_bet.stakes), times=MOST_TIMES)


def _is_multiple(amount: int, minimum: int) -> bool:
    return amount > 0 and not amount % minimum


def check_round_bets(seat_bet: Sequence[SeatBet]) -> None:
    """Raises Refusal if no one bets (17), or for chips that are not equal (47)."""
    if not seat_bet:
        raise Refusal("seats", LawReason.NO_ONE_BETS, THE_DEAL)
    chips = [(bet.seat, chip) for bet in sorted(seat_bet, key=lambda bet: bet.seat) for chip in bet.chips if chip]
    for seat, chip in chips:
        first = chips[0][1]
        if chip != first:
            raise Refusal(seat_place(seat), BlackjackReason.UNEQUAL_CHIPS, ONE_CHIP, chip=chip, first=first)


def check_prize_terms(terms: JackpotTerms, chip: int) -> None:
    """Raises Refusal for a starting value of the accumulated prize below 10 000 chips (44)."""
    if terms.minimum < LEAST_START * chip:
        raise Refusal("jackpot", BlackjackReason.LOW_START, START, minimum=terms.minimum, chips=LEAST_START)


def decider(interests: Iterable[Interest]) -> Interest:
    """The player who decides at a vacant seat: the one with the highest bet, among equal bets the one from the
    lowest seat (16).

    >>> decider([Interest("ana", 1000, own_seat=5), Interest("rui", 1000, own_seat=2)]).player
    'rui'
    """
    return min(interests, key=lambda interest: (-interest.bet, interest.own_seat))

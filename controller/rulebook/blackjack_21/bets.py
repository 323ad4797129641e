"""Which bets may be laid at a seat, and who decides at a vacant one. No I/O here."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from controller.rulebook.blackjack_21.paytable import EVEN_MINIMUM, LEAST_START, MOST_TIMES, SEAT, SEATS, THE_DEAL
from controller.rulebook.jackpot_award import JackpotTerms
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
    """A complementary bet on another's seat, or on a vacant one beside the decider's (15, 16), and his chip (47)."""

    player: str
    bet: int
    chip: int = 0


class SeatBet(Struct, frozen=True, kw_only=True):
    """What lies at one seat before its first card, minor units.

    `bet` is that of the seat's player, at a vacant seat the decider's (16); `chip` is his for the accumulated prize, 0
    for none (45).
    """

    seat: int
    bet: int
    backers: tuple[Backer, ...] = ()
    chip: int = 0

    @property
    def stakes(self) -> tuple[int, ...]:
        """The bets of all who bet here: the seat's own, then the backers' in the order laid."""
        return (self.bet, *(backer.bet for backer in self.backers))

    @property
    def chips(self) -> tuple[int, ...]:
        """The chips of all who bet here, in the same order."""
        return (self.chip, *(backer.chip for backer in self.backers))


class Interest(Struct, frozen=True):
    """One player's bet at a vacant seat: `own_seat` is where he sits, minor units."""

    player: str
    bet: int
    own_seat: int


def check_minimum(minimum: int) -> None:
    """Raises Refusal for a table minimum that is odd: 3:2 and half a bet would need rounding."""
    if minimum % 2:
        reason = f"must be even, not {quoted(minimum)}: 3:2 and half a bet are paid without rounding"
        raise Refusal("minimum", reason, EVEN_MINIMUM)


def check_seat_bet(laid: SeatBet, minimum: int) -> None:
    """Raises Refusal unless the bets of a seat may lie there.

    Each is the minimum or a multiple of it (14, 15), the seat's own at most 30 times it (37), and so are all of them
    together (15). A backer needs a bet of the seat's, by whose decisions his goes (15, 16), and so does a chip (45).
    """
    who = seat_place(laid.seat)
    if laid.seat not in SEATS:
        raise Refusal(who, "there is no such seat; seats are 1 to 7", SEAT)
    if not laid.bet and laid.chip:
        raise Refusal(who, "a chip for the accumulated prize without a bet", BESIDE_A_BET)
    if not laid.bet and laid.backers:
        raise Refusal(who, "backers without a bet: at a vacant seat the bet is that of whoever decides", VACANT)
    _check_multiple(who, "the bet", laid.bet, minimum, MULTIPLES)
    if laid.bet > MOST_TIMES * minimum:
        raise Refusal(who, f"the bet of {quoted(laid.bet)} is above {MOST_TIMES} times the minimum", MAXIMUM)
    names = set()
    for backer in laid.backers:
        if backer.player in names:
            raise Refusal(who, f"two bets by {quoted(backer.player)}; a player has one at a seat", SHARED)
        names.add(backer.player)
        if backer.chip and not backer.bet:
            reason = f"a chip for the accumulated prize by {quoted(backer.player)} without a bet"
            raise Refusal(who, reason, BESIDE_A_BET)
        _check_multiple(who, f"the bet by {quoted(backer.player)}", backer.bet, minimum, SHARED)
    if sum(laid.stakes) > MOST_TIMES * minimum:
        reason = f"all bets together, {quoted(sum(laid.stakes))}, are above {MOST_TIMES} times the minimum"
        raise Refusal(who, reason, SHARED)


def _check_multiple(who: str, what: str, amount: int, minimum: int, rule: str) -> None:
    if amount <= 0 or amount % minimum:
        raise Refusal(who, f"{what} of {quoted(amount)} is no multiple of the minimum of {quoted(minimum)}", rule)


def check_round_bets(laid: Sequence[SeatBet]) -> None:
    """Raises Refusal where nobody bets (17), or for chips that are not equal (47)."""
    if not laid:
        raise Refusal("seats", "nobody bets", THE_DEAL)
    chips = [(bet.seat, chip) for bet in sorted(laid, key=lambda bet: bet.seat) for chip in bet.chips if chip]
    for seat, chip in chips:
        first = chips[0][1]
        if chip != first:
            raise Refusal(seat_place(seat), f"a chip of {quoted(chip)} beside one of {quoted(first)}", ONE_CHIP)


def check_prize_terms(terms: JackpotTerms, chip: int) -> None:
    """Raises Refusal for a starting value of the accumulated prize below 10 000 chips (44)."""
    if terms.minimum < LEAST_START * chip:
        raise Refusal("jackpot", f"minimum of {quoted(terms.minimum)} is below {LEAST_START} chips", START)


def decider(interests: Iterable[Interest]) -> Interest:
    """Who decides at a vacant seat: the highest bet, among equal ones the player of the lowest seat (16)."""
    return min(interests, key=lambda one: (-one.bet, one.own_seat))

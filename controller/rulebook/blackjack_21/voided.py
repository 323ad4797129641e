"""A round of black-jack/21 that comes to nothing: every bet and raise is taken back. No I/O here."""

from collections.abc import Iterator

from msgspec import UNSET, UnsetType

from controller.rulebook.blackjack_21.paytable import GAME
from controller.rulebook.blackjack_21.state import Seat, State
from controller.rulebook.settlement import DealerAnswer, Line, SeatAnswer, Settlement


def void(state: State, article: str) -> Settlement:
    """Each line under what voids the round: hands with their raises, insurance, the chip, then the backers'."""
    seats = {str(seat.laid.seat): SeatAnswer(net=0, lines=list(_lines(seat, article))) for seat in state.seats}
    dealer = DealerAnswer(cards=" ".join(state.bank_shown), total=None, black_jack=None)
    return Settlement(game=GAME, outcome="void", dealer=dealer, seats=seats)


def _lines(seat: Seat, article: str) -> Iterator[Line]:
    for who, bet in enumerate(seat.laid.stakes):
        player = seat.laid.backers[who - 1].player if who else UNSET
        for number, hand in enumerate(seat.hands, start=1):
            if hand.times[who]:
                stake = bet * hand.times[who]
                yield _back("hand", stake, article, player, number)
        insured = seat.insurance[who] if seat.insurance else 0
        if insured:
            yield _back("insurance", insured, article, player)
        if seat.laid.chip and not who:
            yield _back("jackpot", seat.laid.chip, article)


def _back(wager: str, stake: int, article: str, player: str | UnsetType = UNSET, hand: int | UnsetType = UNSET) -> Line:
    return Line(
        wager=wager,
        hand=hand,
        player=player,
        stake=stake,
        outcome="void",
        odds=None,
        net=0,
        article=article,
        carried=False if wager == "jackpot" else UNSET,
    )

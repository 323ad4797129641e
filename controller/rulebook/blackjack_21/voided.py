"""A void round of black-jack/21: decided results stay, every other bet and raise is taken back. No I/O here."""

from collections.abc import Iterator

from msgspec import UNSET, UnsetType

from controller.rulebook.blackjack_21.paytable import GAME
from controller.rulebook.blackjack_21.settle import awarded, chip_line, decided_lines, player_of
from controller.rulebook.blackjack_21.state import RoundState, Seat
from controller.rulebook.jackpot_award import JackpotTerms, SettledJackpot
from controller.rulebook.settlement import Line, SettledDealer, SettledSeat, Settlement


def settle_voided(state: RoundState, article: str, pots: tuple[int, JackpotTerms] | None) -> Settlement:
    """The lines of a void round: hands with their raises, insurance, the chip, then the backers': as already decided,
    else under the article of the void.

    Nothing is decided before the deal is over (18), and nothing then by the bank's second card.
    """
    jackpot: SettledJackpot | UnsetType = UNSET
    if pots is not None:
        before, prize = pots
        paid = awarded(state, prize) if is_dealt(state) else SettledJackpot(prize.pot, prize.pot, [])
        jackpot = SettledJackpot(before, paid.pot_after, paid.awards)
    seats = {}
    for seat in state.seats:
        lines = list(_lines(state, seat, article, jackpot))
        own = [line.net for line in lines if line.player is None]
        seats[str(seat.placed.seat)] = SettledSeat(net=sum(own), lines=lines)
    dealer = SettledDealer(cards=" ".join(state.bank_shown), total=None, black_jack=None)
    return Settlement(game=GAME, outcome="void", dealer=dealer, seats=seats, jackpot=jackpot)


def is_dealt(state: RoundState) -> bool:
    """Whether the deal is over: the bank has its second card (17, 18)."""
    return len(state.bank) > 1


def _lines(state: RoundState, seat: Seat, article: str, jackpot: SettledJackpot | UnsetType) -> Iterator[Line]:
    dealt = is_dealt(state)
    for who, bet in enumerate(seat.placed.stakes):
        player = player_of(seat, who)
        decided = {(line.wager, line.hand): line for line in decided_lines(state, seat, who)} if dealt else {}
        for number, hand in enumerate(seat.hands, start=1):
            if hand.times[who]:
                back = _back("hand", bet * hand.times[who], article, player, number)
                yield decided.pop(("hand", number), back)
        insured = seat.insurance[who] if seat.insurance else 0
        if insured:
            yield _back("insurance", insured, article, player)
        yield from decided.values()
        if seat.placed.chips[who]:
            back = _back("jackpot", seat.placed.chips[who], article, player)
            yield chip_line(seat, who, jackpot) if dealt and jackpot else back


def _back(wager: str, stake: int, article: str, player: str | None = None, hand: int | UnsetType = UNSET) -> Line:
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

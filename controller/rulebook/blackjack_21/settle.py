"""The settlement of every bet of a round of black-jack/21, line by line, with its rule. No I/O here."""

from collections.abc import Iterator

from msgspec import UNSET, Struct, UnsetType

from controller.rulebook.blackjack_21.paytable import GAME, SPECIAL_TIMES
from controller.rulebook.blackjack_21.points import MOST_POINTS, is_black_jack, total_of
from controller.rulebook.blackjack_21.prize import Winner, award_prize, tier_of
from controller.rulebook.blackjack_21.reasons import BlackjackReason
from controller.rulebook.blackjack_21.state import Hand, RoundState, Seat
from controller.rulebook.blackjack_21.waits import Over, is_paid_at_once, waits_for
from controller.rulebook.jackpot_award import JackpotTerms, SettledJackpot
from controller.rulebook.refusal import STEP_BY_STEP, Refusal
from controller.rulebook.report import Outcome
from controller.rulebook.settlement import Line, SettledDealer, SettledSeat, Settlement

BLACK_JACK = "21"
BEATS_21 = "20"
LOST_AT_ONCE = "22"
NEARER = "23"
TIE = "24"
INSURANCE = "33"
EVEN_MONEY = "34"
SPECIAL = "35"
GIVEN_UP = "36"
PRIZE_LOST = "43"


class Fate(Struct, frozen=True):
    """The result of a bet: `net` in halves of the stake, the odds if it was won, the rule."""

    outcome: Outcome
    halves: int
    odds: str | None
    rule: str


def settle(state: RoundState, prize: JackpotTerms | None) -> Settlement:
    """Settles a round that is over. `prize` has the terms of the accumulated prize; its `fixed` is not used.

    A seat's own lines come first: its hands in the order played, insurance, special prizes, the chip; then the same of
    each backer. The seat's net leaves the backers out. Raises Refusal for a round that is not over, or a chip without
    terms.
    """
    if not isinstance(waits_for(state), Over):
        raise Refusal("table", BlackjackReason.ROUND_NOT_OVER, STEP_BY_STEP)
    paid = None if prize is None else awarded(state, prize)
    seats = {}
    for seat in state.seats:
        own, *others = ([*_lines(state, seat, who)] for who in range(len(seat.placed.stakes)))
        for who, lines in enumerate([own, *others]):
            if seat.placed.chips[who]:
                if paid is None:
                    raise Refusal("jackpot", BlackjackReason.PRIZE_MISSING, PRIZE_LOST, place=seat.place)
                lines.append(chip_line(seat, who, paid))
        every = [line for lines in (own, *others) for line in lines]
        seats[str(seat.placed.seat)] = SettledSeat(net=sum(line.net for line in own), lines=every)
    return Settlement(
        game=GAME,
        outcome="settled",
        dealer=_dealer(state),
        seats=seats,
        jackpot=UNSET if paid is None else paid,
    )


def lines_so_far(state: RoundState) -> dict[int, list[Line]]:
    """The results so far, by seat, in the order of a settlement, without the chips.

    Paid or collected at once: a black-jack that the bank cannot equal (21), even money (34), a hand above 21 (22), what
    was given up (36), the special prize (35). When the round is over it is everything.
    """
    return {
        seat.placed.seat: [line for who in range(len(seat.placed.stakes)) for line in _lines(state, seat, who)]
        for seat in state.seats
    }


def decided_lines(state: RoundState, seat: Seat, who: int) -> Iterator[Line]:
    """The lines of a player at the seat that do not depend on the bank's second card (21, 22, 34, 35, 36)."""
    return _lines(state, seat, who, bank=False)


def _lines(state: RoundState, seat: Seat, who: int, *, bank: bool = True) -> Iterator[Line]:
    """The decided lines of a player at the seat (0: the seat's own), including those that the bank's cards decide."""
    bet, player = seat.placed.stakes[who], player_of(seat, who)
    over = bank and isinstance(waits_for(state), Over)
    for number, hand in enumerate(seat.hands, start=1):
        fate = _before_the_bank(state, seat, hand) or (_against_the_bank(state, hand) if over else None)
        if fate is not None and hand.times[who]:
            yield _line("hand", bet * hand.times[who], fate, player, number)
    insured = seat.insurance[who] if seat.insurance else 0
    if bank and insured and state.turned:
        won = is_black_jack(state.bank_shown[:2])
        yield _line("insurance", insured, _won(2, INSURANCE) if won else _lost(INSURANCE), player)
    for number, hand in enumerate(seat.hands, start=1):
        if hand.special and hand.times[who]:
            yield _line("special_prize", bet, _won(SPECIAL_TIMES, SPECIAL), player, number)


def _before_the_bank(state: RoundState, seat: Seat, hand: Hand) -> Fate | None:
    """The result if it does not depend on the bank's hand, or None."""
    if seat.gives_up:
        return Fate("lose", -1, None, GIVEN_UP)
    if seat.even_money:
        return _won(1, EVEN_MONEY)
    if hand.lost:
        return _lost(LOST_AT_ONCE)
    if is_paid_at_once(state, hand):
        return Fate("win", 3, "3:2", BLACK_JACK)
    return None


def _against_the_bank(state: RoundState, hand: Hand) -> Fate:
    """A hand in play against the bank's cards: black-jack before 21 (20), then the person who is nearer 21 (23).

    A bank above 21 is not near it: only a total below 21 counts as nearest (1 b)).
    """
    bank = state.bank_shown
    total = total_of(bank)
    if hand.black_jack:
        return Fate("push", 0, None, BLACK_JACK) if is_black_jack(bank) else Fate("win", 3, "3:2", BLACK_JACK)
    if is_black_jack(bank):
        return _lost(BEATS_21 if hand.total == MOST_POINTS else NEARER)
    if total > MOST_POINTS or hand.total > total:
        return _won(1, NEARER)
    return Fate("push", 0, None, TIE) if hand.total == total else _lost(NEARER)


def _won(to_one: int, rule: str) -> Fate:
    return Fate("win", 2 * to_one, f"{to_one}:1", rule)


def _lost(rule: str) -> Fate:
    return Fate("lose", -2, None, rule)


def _line(wager: str, stake: int, fate: Fate, player: str | None, hand: int | UnsetType = UNSET) -> Line:
    return Line(
        wager=wager,
        hand=hand,
        player=player,
        stake=stake,
        outcome=fate.outcome,
        odds=fate.odds,
        net=stake * fate.halves // 2,
        article=fate.rule,
    )


def awarded(state: RoundState, prize: JackpotTerms) -> SettledJackpot:
    """The awards for chips by the cards of their seats, each to the chip's player, regardless of the hands' results
    (43, 46).
    """
    winners = []
    for seat in state.seats:
        tier = tier_of(state.cards_of(seat.placed.seat), state.rules)
        if tier is not None:
            winners += [Winner(seat.placed.seat, tier, player_of(seat, who)) for who in _with_chip(seat)]
    chip = max((chip for seat in state.seats for chip in seat.placed.chips), default=0)
    return award_prize(winners, chip, prize)


def _with_chip(seat: Seat) -> list[int]:
    """The players with a chip at the seat; 0 is the seat's own player."""
    return [who for who, chip in enumerate(seat.placed.chips) if chip]


def player_of(seat: Seat, who: int) -> str | None:
    """The name of a player who bets along at the seat; None for index 0, the seat's own player."""
    return seat.placed.backers[who - 1].player if who else None


def chip_line(seat: Seat, who: int, paid: SettledJackpot) -> Line:
    """The line of a chip, with or without a prize (43)."""
    chip, player = seat.placed.chips[who], player_of(seat, who)
    award = next((prize for prize in paid.awards if (prize.seat, prize.player) == (seat.placed.seat, player)), None)
    return Line(
        wager="jackpot",
        player=player,
        stake=chip,
        outcome="lose" if award is None else "win",
        odds=None,
        net=-chip if award is None else award.amount - chip,
        article=PRIZE_LOST if award is None else award.article,
    )


def _dealer(state: RoundState) -> SettledDealer:
    """The bank's cards; without the second card its total is not known (22)."""
    bank = state.bank_shown
    return SettledDealer(
        cards=" ".join(bank),
        total=total_of(bank) if state.turned else None,
        black_jack=is_black_jack(bank) if state.turned else None,
    )

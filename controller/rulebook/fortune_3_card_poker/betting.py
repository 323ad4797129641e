"""What may be laid and decided at the live table, and which chips count when the betting closes. No I/O here."""

from controller.rulebook.events import BettingClosed
from controller.rulebook.fortune_3_card_poker.paytables import BASIC_WAGERS
from controller.rulebook.fortune_3_card_poker.round import Round
from controller.rulebook.fortune_3_card_poker.wagers import Limits, refuse_decision, refuse_wagers
from controller.rulebook.refusal import Refusal
from controller.rulebook.steps import seat_place


def check_wager(round: Round, seat: int, wager: str, amount: int) -> None:
    """Refuse a wager no seat may lay: unknown, not offered, or outside the limits (3.º, 10.º 1). 0 takes it back."""
    terms = round.terms
    check_seat(round, seat)
    offered = (*BASIC_WAGERS, *(name for name in terms.additional if name != "jackpot"))
    if wager not in offered:
        raise Refusal(seat_place(seat), f"{wager!r} is not offered here; offered: {', '.join(offered)}", "3.º")
    if amount and not terms.minimum <= amount <= terms.maximum:
        raise Refusal(
            seat_place(seat), f"{wager} of {amount} is outside the limits {terms.minimum} to {terms.maximum}", "10.º 1)"
        )


def check_seat(round: Round, seat: int) -> None:
    """Refuse a seat that this table does not have (5.º 2)."""
    if not 1 <= seat <= round.terms.seats:
        raise Refusal(seat_place(seat), f"this table has seats 1 to {round.terms.seats}", "5.º 2")


def close_betting(round: Round, laid: tuple[int, ...]) -> BettingClosed:
    """Close the betting (10.º 3). `laid` are the seats with a chip on the sensor that came in time.

    A chip counts beside a basic bet and goes back without one (4.º 3); so does one that was carried here (17.º 3). A
    chip laid at a seat whose carried chip counts is none of the four: a seat has one.
    """
    if not any(set(bets) & set(BASIC_WAGERS) for bets in round.wagers.values()):
        raise Refusal("table", "nobody has laid an ante or a Pair Plus bet", "4.º 3")
    limits = Limits(min=round.terms.minimum, max=round.terms.maximum)
    for seat in round.seats_in_play:
        refuse_wagers(seat, round.wagers[seat], limits)
    carried = tuple(seat for seat in round.carried_chips if seat in round.wagers)
    new = tuple(seat for seat in laid if seat in round.wagers and seat not in carried)
    return BettingClosed(
        chips=tuple(sorted((*carried, *new))),
        returned=tuple(seat for seat in laid if seat not in round.wagers),
        carried=carried,
        carried_back=tuple(seat for seat in round.carried_chips if seat not in carried),
    )


def check_decision(round: Round, seat: int, decision: str) -> None:
    """Refuse a decision nobody asked that seat for (12.º 2)."""
    if seat in round.decisions:
        raise Refusal(seat_place(seat), f"has decided already: {round.decisions[seat]}", "12.º 2")
    refuse_decision(seat, round.wagers.get(seat, {}), decision)

"""The place to which a live table offers the bank, and whether it may take it: the answers so far. No I/O here."""

from collections.abc import Collection

from msgspec import Struct

from controller.rulebook.events import BankLeft
from controller.rulebook.refusal import Refusal
from controller.rulebook.taiwan_pai_kao.articles import PLACES, TABLE_LIMITS, TURN
from controller.rulebook.taiwan_pai_kao.bank import (
    ROUNDS_IN_A_TURN,
    asked_next,
    check_capital,
    check_casino_share,
    check_continuing,
    check_taking,
    least_capital,
    passed_over,
)
from controller.rulebook.taiwan_pai_kao.events import BankPassed
from controller.rulebook.taiwan_pai_kao.reasons import PaiKaoReason
from controller.rulebook.taiwan_pai_kao.state import PlacesRound

MOST_CAPITAL = 10**15  # minor units; far above any bank, far below what a reader of JSON takes exactly


class BankOffer(Struct, frozen=True):
    """The bank is offered to `place`, who places at least `least`, minor units.

    `continues`: it is the one who had it. `waiting` are the places that must agree to that (5.º a)). The players of
    `elsewhere`, where no bet was in the round before, come first if they bet on other places or joined the bank.
    """

    place: int
    least: int = 1
    continues: bool = False
    waiting: tuple[int, ...] = ()
    elsewhere: tuple[int, ...] = ()


class Passed(Struct, frozen=True):
    """The places that have not taken the bank. `last_banker` is the place whose turn ended, None if no turn did."""

    last_banker: int | None
    seated: tuple[int, ...]
    refused: tuple[int, ...]
    bet_before: tuple[int, ...] | None


def offered(state: PlacesRound, places: int) -> BankOffer | None:
    """The place that is asked now, of `places`; None after all were asked and no one took the bank (5.º a), b))."""
    holder = _holder(state.before, places)
    if holder is not None and state.before is not None and not state.answers:
        before = state.before
        waiting = before.others if before.turn_rounds >= ROUNDS_IN_A_TURN else ()
        return BankOffer(holder, least_capital(before.capital, before.net), continues=True, waiting=waiting)
    passed = _passed(state, places)
    turn = (passed.last_banker, places, passed.seated, passed.refused, passed.bet_before)
    place, elsewhere = asked_next(*turn), passed_over(*turn)
    if place is not None:
        return BankOffer(place, elsewhere=elsewhere)
    # Once such a place has refused, no one who is left has bet anywhere.
    asked = any(passed.bet_before is not None and refuser not in passed.bet_before for refuser in passed.refused[1:])
    return BankOffer(elsewhere[0], elsewhere=elsewhere) if elsewhere and not asked else None


def check_take(
    state: PlacesRound,
    places: int,
    place: int,
    capital: int,
    casino: int,
    agreed: Collection[int],
    bet_elsewhere: bool = False,
) -> None:
    """Raises Refusal unless this place may take the bank now, with this capital (5.º a) to e)).

    `bet_elsewhere`: its player bet in the round before, but not on it (5.º b)).
    """
    _check_place(place, places)
    offer = offered(state, places)
    if not (bet_elsewhere and offer is not None and place in offer.elsewhere):
        _check_turn(state, places, place)
    if offer is not None and offer.continues and state.before is not None:
        check_continuing(place, state.before.turn_rounds, state.before.others, agreed)
    check_money(place, capital, casino, 1 if offer is None else offer.least)


def check_money(place: int, capital: int, casino: int, least: int) -> None:
    """Raises Refusal unless capital and the casino's share are amounts, and nothing was taken away (5.º c) to e))."""
    check_capital(place, capital, least)
    check_casino_share(casino)
    for who, amount in ((f"place {place}", capital), ("casino", casino)):
        if amount > MOST_CAPITAL:
            raise Refusal(who, PaiKaoReason.AT_MOST, TABLE_LIMITS, most=MOST_CAPITAL, amount=amount)


def check_pass(state: PlacesRound, places: int, place: int) -> None:
    """Raises Refusal unless this place is the one that is asked."""
    _check_place(place, places)
    offer = offered(state, places)
    if offer is None:
        raise Refusal(f"place {place}", PaiKaoReason.NO_ONE_ASKED, TURN)
    if offer.place != place:
        raise Refusal(f"place {place}", PaiKaoReason.ANOTHER_ASKED, TURN, place=offer.place)


def least_of(state: PlacesRound) -> int:
    """The least that the place which holds the bank had to place in this round, minor units (5.º d))."""
    if state.bank is None or state.before is None or state.before.seat != state.bank.seat:
        return 1
    return least_capital(state.before.capital, state.before.net)


def _check_turn(state: PlacesRound, places: int, place: int) -> None:
    offer = offered(state, places)
    if offer is not None and offer.continues:
        if place != offer.place:
            raise Refusal(f"place {place}", PaiKaoReason.HOLDER_IS_FIRST, TURN, place=offer.place)
        return
    passed = _passed(state, places)
    check_taking(place, passed.last_banker, places, passed.seated, passed.refused, passed.bet_before)


def _check_place(place: int, places: int) -> None:
    if not 1 <= place <= places:
        raise Refusal(f"place {place}", PaiKaoReason.NO_SUCH_PLACE, PLACES, places=places)


def _holder(before: BankLeft | None, places: int) -> int | None:
    """The place that had the bank and is still one of this round's."""
    return before.seat if before is not None and before.seat <= places else None


def _passed(state: PlacesRound, places: int) -> Passed:
    holder = _holder(state.before, places)
    answers = [answer for answer in state.answers if isinstance(answer, BankPassed) and answer.seat != holder]
    absent = {answer.seat for answer in answers if answer.absent}
    return Passed(
        last_banker=holder,
        seated=tuple(place for place in range(1, places + 1) if place not in absent),
        refused=tuple(answer.seat for answer in answers if not answer.absent),
        bet_before=None if state.before is None else state.before.betting_seats,
    )

"""A simulation's lines for Taiwan-Pai Kao: the bank, the dice, and the results of places."""

from collections.abc import Callable, Iterator

from msgspec import UNSET

from controller.engine.state.applied import Event
from controller.rulebook.events import CardsDealt
from controller.rulebook.games import step_of
from controller.rulebook.round import Round
from controller.rulebook.taiwan_pai_kao.events import (
    BankPassed,
    BankTaken,
    DiceAnnulled,
    DiceThrown,
    FormAnnounced,
    PlacesSettled,
)
from controller.rulebook.taiwan_pai_kao.live import tile_hands
from controller.rulebook.taiwan_pai_kao.settlement import PaiKaoSettlement
from controller.rulebook.taiwan_pai_kao.state import PlacesRound
from controller.rulebook.taiwan_pai_kao.table_ii import title_of
from controller.words import english

Money = Callable[[int], str]
PLAY = PlacesRound


def lines_of_places(event: Event, round: Round, money: Money) -> Iterator[str]:
    """The lines of an event that only this game has; empty for other events."""
    match event:
        case BankPassed(seat=place, absent=absent):
            yield f"  place {place} {'is empty' if absent else 'does not take the bank'}"
        case BankTaken(seat=place, capital=capital, casino_share=casino):
            share = f", the casino {money(casino)}" if casino else ""
            yield f"  place {place} holds the bank with {money(capital)}{share}"
        case FormAnnounced(form=form):
            yield f"  the banker announces the form of the deal{f': {form}' if form else ''}"
        case DiceAnnulled():
            yield "  a die is cocked: shaken again"
        case DiceThrown(dice=dice):
            yield f"  dice {' '.join(map(str, dice))}"
        case CardsDealt(draws=draws) if step_of(round).kind != "deal" and draws[-1] == round.draws:
            # Dealt by hand, all are reported at once.
            yield "  four tiles dealt to each place"
        case PlacesSettled(settlement=settlement):
            yield from _settled(round, settlement, money)


def _settled(round: Round, settlement: PaiKaoSettlement, money: Money) -> Iterator[str]:
    if round.void is not None:
        yield f"  [red]void[/]: {english(round.void.why)} ({round.void.article})"
        return
    bank, hands = settlement.bank, tile_hands(round)
    own = hands[bank.place]
    limited = ", limited by the capital" if bank.limited else ""
    yield f"  bank: {_title(own.front.rank)} and {_title(own.rear.rank)}, {_signed(bank.net, money)}{limited}"
    for place in settlement.order if settlement.order is not UNSET else ():
        answer = settlement.seats[str(place)]
        for line in answer.lines if answer.lines is not UNSET else ():
            colour = "green" if line.net > 0 else "red" if line.net < 0 else "white"
            why = f"{line.outcome} [dim]{line.article}[/]"
            yield f"  place {place:<4} [{colour}]{_signed(line.net, money):>14}[/]  {line.player}: {why}"


def _title(rank: int) -> str:
    return title_of(rank) or f"rank {rank}"


def _signed(amount: int, money: Money) -> str:
    return f"{'+' if amount > 0 else ''}{money(amount)}"

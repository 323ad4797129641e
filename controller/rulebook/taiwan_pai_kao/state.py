"""What a live round of Taiwan-Pai Kao is beside any other round, and what it leaves to the next one. No I/O here."""

from typing import assert_never

import msgspec
from msgspec.structs import replace

from controller.rulebook.taiwan_pai_kao.answer import PaiKaoSettlement
from controller.rulebook.taiwan_pai_kao.events import (
    BankPassed,
    BankTaken,
    DiceAnnulled,
    DiceThrown,
    HandsSet,
    PlacesEvent,
    PlacesSettled,
    TilesMoved,
)
from controller.rulebook.taiwan_pai_kao.tiles import Tile

CAPITAL_WAGER, CASINO_WAGER = "capital", "casino"
"""What a correction calls the money that stands behind the bank."""


class BankLeft(msgspec.Struct, frozen=True):
    """What the last settled round left: who held the bank, for how many rounds of his turn, with what; minor units.

    `net` is his own. `bet` are the places that bet, his own with them. `used` are the sixteen tiles that lie open
    after the first round with four places: the other sixteen serve the next (2.º d)).
    """

    place: int
    rounds: int
    capital: int
    net: int
    bet: tuple[int, ...]
    used: tuple[Tile, ...] = ()

    @property
    def others(self) -> tuple[int, ...]:
        """The other places with players, all of which must agree to a turn of more than two rounds (5.º a))."""
        return tuple(place for place in self.bet if place != self.place)


class PlacesRound(msgspec.Struct, frozen=True):
    """The part of a round that this game alone has. `answers` are those to the offer of the bank, in order."""

    before: BankLeft | None = None
    answers: tuple[BankTaken | BankPassed, ...] = ()
    moved: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    null_dice: int = 0
    hands_set: bool = False
    settlement: PaiKaoSettlement | None = None

    @property
    def bank(self) -> BankTaken | None:
        """Who holds the bank."""
        last = self.answers[-1] if self.answers else None
        return last if isinstance(last, BankTaken) else None

    @property
    def used(self) -> tuple[Tile, ...]:
        """The tiles of the round before that lie open on the table."""
        return () if self.before is None else self.before.used

    @property
    def rounds(self) -> int:
        """Which round of its turn this is for the place that holds the bank."""
        if self.bank is None:
            return 0
        return self.before.rounds + 1 if self.before is not None and self.before.place == self.bank.place else 1


def advanced(state: PlacesRound, event: PlacesEvent) -> PlacesRound:
    """The part of the round after an event."""
    match event:
        case BankTaken() | BankPassed():
            return replace(state, answers=(*state.answers, event))
        case TilesMoved(by=by):
            return replace(state, moved=(*state.moved, by))
        case DiceThrown(dice=dice):
            return replace(state, dice=dice)
        case DiceAnnulled():
            return replace(state, null_dice=state.null_dice + 1)
        case HandsSet():
            return replace(state, hands_set=True)
        case PlacesSettled(settlement=settlement):
            return replace(state, settlement=settlement)
        case _:
            assert_never(event)


def with_bank_money(state: PlacesRound, what: str, amount: int) -> PlacesRound:
    """The part of the round with another ``capital`` or share of the ``casino``, minor units."""
    if state.bank is None:
        raise TypeError("nobody holds the bank")
    bank = replace(state.bank, **{what: amount})
    return replace(state, answers=(*state.answers[:-1], bank))

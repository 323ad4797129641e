"""The part of a live round that only Taiwan-Pai Kao has. No I/O here."""

from typing import Self

from msgspec.structs import replace

from controller.rulebook.corrected import Corrected, DiceCorrected, SeatCorrected, WagerCorrected
from controller.rulebook.events import BankLeft, PlayEvent, SettlementWithdrawn, SharedEvent, WagerPlaced
from controller.rulebook.packets import PacketsRound
from controller.rulebook.round import Round
from controller.rulebook.taiwan_pai_kao.events import (
    BankPassed,
    BankTaken,
    DiceAnnulled,
    DiceThrown,
    FormAnnounced,
    HandsSet,
    PlacesSettled,
    TilesMoved,
)
from controller.rulebook.taiwan_pai_kao.settlement import PaiKaoSettlement
from controller.rulebook.taiwan_pai_kao.tiles import Tile
from controller.rulebook.taiwan_pai_kao.wagers import Wager, placed_again

CAPITAL_WAGER, CASINO_WAGER = "capital", "casino"
"""The names that a correction has for the money behind the bank."""


class PlacesRound(PacketsRound, frozen=True, tag_field="kind", tag="places"):
    """The part of a round that only this game has. `answers` are those to the offer of the bank, in order.

    `wagers` are the wagers in the order placed: a raised bet has parts. `form` is how the tiles are distributed, as the
    banker announced it, None before he did.
    """

    deals_everywhere = True
    in_no_box = (CAPITAL_WAGER, CASINO_WAGER)

    before: BankLeft | None = None
    answers: tuple[BankTaken | BankPassed, ...] = ()
    wagers: tuple[Wager, ...] = ()
    form: str | None = None
    moved: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    null_dice: int = 0
    hands_set: bool = False
    settlement: PaiKaoSettlement | None = None

    @property
    def bank(self) -> BankTaken | None:
        """The place that holds the bank."""
        last = self.answers[-1] if self.answers else None
        return last if isinstance(last, BankTaken) else None

    @property
    def used(self) -> tuple[Tile, ...]:
        """The tiles of the round before that are open on the table."""
        return () if self.before is None else tuple(map(Tile, self.before.used))

    @property
    def rounds(self) -> int:
        """The number of this round in the turn of the place that has the bank."""
        if self.bank is None:
            return 0
        return self.before.turn_rounds + 1 if self.before is not None and self.before.seat == self.bank.seat else 1

    def _after(self, round: Round, event: SharedEvent | PlayEvent) -> Self:
        match event:
            case WagerPlaced(seat=seat, amount=amount, player=player):
                return replace(self, wagers=placed_again(self.wagers, seat, player or "", amount, raised=True))
            case BankTaken() | BankPassed():
                return replace(self, answers=(*self.answers, event))
            case FormAnnounced(form=form):
                return replace(self, form=form)
            case TilesMoved(by=by):
                return replace(self, moved=(*self.moved, by))
            case DiceThrown(dice=dice):
                return replace(self, dice=dice)
            case DiceAnnulled():
                return replace(self, null_dice=self.null_dice + 1)
            case HandsSet():
                return replace(self, hands_set=True)
            case PlacesSettled(settlement=settlement):
                return replace(self, settlement=settlement)
            case SettlementWithdrawn():
                return replace(self, settlement=None)
            case _:
                return super()._after(round, event)

    def _corrected(self, round: Round, corrected: Corrected) -> Self:
        match corrected:
            case WagerCorrected(wager=wager, after=amount) if wager in self.in_no_box:
                return self._with_bank_money(wager, amount)
            case WagerCorrected(seat=seat, after=amount, player=player):
                return replace(self, wagers=placed_again(self.wagers, seat, player or "", amount, raised=False))
            case SeatCorrected(seat=seat, to=to):
                wagers = tuple(replace(placed, place=to) if placed.place == seat else placed for placed in self.wagers)
                return replace(super()._corrected(round, corrected), wagers=wagers)
            case DiceCorrected(after=dice):
                return replace(self, dice=dice)
            case _:
                return super()._corrected(round, corrected)

    def _with_bank_money(self, what: str, amount: int) -> Self:
        """The play with another ``capital`` or share of the ``casino``, minor units."""
        if self.bank is None:
            raise TypeError("no one has the bank")
        field = "casino_share" if what == CASINO_WAGER else what
        bank = replace(self.bank, **{field: amount})
        return replace(self, answers=(*self.answers[:-1], bank))


def tiles_of(round: Round) -> PlacesRound:
    """The part of a round that Taiwan-Pai Kao alone has. Raises TypeError in a round of another game."""
    if not isinstance(round.play, PlacesRound):
        raise TypeError(f"{round.terms.game} is not played with tiles")
    return round.play

"""The values that a correction replaces: one of five kinds, which this module alone writes to its event and reads. No
I/O here.
"""

from collections.abc import Sequence
from typing import assert_never

import msgspec

from controller.rulebook.cards import Card, show_cards
from controller.rulebook.events import InputCorrected
from controller.rulebook.filled import filled
from controller.rulebook.report import Correction
from controller.rulebook.steps import seat_of, seat_place


class _AtSeat(msgspec.Struct, frozen=True):
    seat: int

    @property
    def at(self) -> str:
        """The place it is about."""
        return seat_place(self.seat)


class WagerCorrected(_AtSeat, frozen=True):
    """The amount of a wager is corrected, minor units; `player` is set if several share the box."""

    wager: str
    player: str | None
    before: int
    after: int


class SeatCorrected(_AtSeat, frozen=True):
    """All entries for a seat belong to another seat."""

    to: int


class DecisionCorrected(_AtSeat, frozen=True):
    """Another decision or answer; `asked_again` is the number of later answers that are asked again."""

    before: str
    after: str
    asked_again: int = 0


class CardsCorrected(msgspec.Struct, frozen=True):
    """Other cards of a place; `draws` are their numbers if the place does not determine them."""

    at: str
    before: tuple[Card, ...]
    after: tuple[Card, ...]
    draws: tuple[int, ...] = ()


class DiceCorrected(_AtSeat, frozen=True):
    """Other numbers of the dice, which the banker at this seat has shaken."""

    before: tuple[int, ...]
    after: tuple[int, ...]


Corrected = WagerCorrected | SeatCorrected | DecisionCorrected | CardsCorrected | DiceCorrected


def event_of(corrected: Corrected, actor: str, reason: str) -> InputCorrected:
    """The event that keeps it."""
    at = corrected.at
    match corrected:
        case WagerCorrected(_, wager, player, before, after):
            return InputCorrected("wager", at, before, after, actor, reason, wager, player)
        case SeatCorrected(to=to):
            return InputCorrected("seat", at, at, seat_place(to), actor, reason)
        case DecisionCorrected(_, words, others, asked_again):
            return InputCorrected("decision", at, words, others, actor, reason, asked_again=asked_again)
        case CardsCorrected(_, cards, others, draws):
            return InputCorrected("cards", at, show_cards(cards), show_cards(others), actor, reason, draws=draws)
        case DiceCorrected(_, dice, thrown):
            return InputCorrected("dice", at, _numbers(dice), _numbers(thrown), actor, reason)
        case _:
            assert_never(corrected)


def corrected_by(event: InputCorrected) -> Corrected:
    """The correction in an event."""
    seat, before, after = seat_of(event.at) or 0, event.before, event.after
    match event.what:
        case "wager":
            return WagerCorrected(seat, event.wager or "", event.player, int(before), int(after))
        case "seat":
            return SeatCorrected(seat, seat_of(str(after)) or 0)
        case "decision":
            return DecisionCorrected(seat, str(before), str(after), event.asked_again)
        case "cards":
            return CardsCorrected(event.at, _cards(before), _cards(after), event.draws)
        case "dice":
            return DiceCorrected(seat, _dice(before), _dice(after))


def reported_correction(event: InputCorrected) -> Correction:
    """The correction in an event, as a round reports it."""
    of_money, before, after = event.what == "wager", event.before, event.after
    return filled(
        Correction,
        event,
        before=None if of_money else str(before),
        after=None if of_money else str(after),
        amount_before=int(before) if of_money else None,
        amount_after=int(after) if of_money else None,
    )


def _numbers(dice: Sequence[int]) -> str:
    return " ".join(map(str, dice))


def _cards(text: int | str) -> tuple[Card, ...]:
    return tuple(map(Card, str(text).split()))


def _dice(text: int | str) -> tuple[int, ...]:
    return tuple(map(int, str(text).split()))

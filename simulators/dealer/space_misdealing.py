"""Mistakes at spaces that get one card each, and their results: corrected at once, or a void round (5.º)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from simulators.dealer.http_face import Projection
from simulators.dealer.memory import is_dealing
from simulators.dealer.reporting import Moment, soon
from simulators.dealer.round_desk import AnyDesk, AtDesk
from simulators.felt.table import DISCARD, seat_place

PLACE, ORDER, NUMBER = "place", "order", "number"


def nothing() -> None:
    """Does nothing."""


@dataclass(frozen=True, slots=True)
class SpaceMisdeal:
    """The places where a card falls, to which it is moved at once, and to which another is drawn; `not_done` if no card
    comes. `seen`: the card turns face up where it should be face down.
    """

    falls_at: str
    moved_to: str | None = None
    another_to: str | None = None
    seen: bool = False
    report: Callable[[], None] = nothing
    not_done: Callable[[], None] = nothing


class SpaceMisdealing(AtDesk[Any]):
    """Draws mistakes at each card; a mistake that is impossible with this one is put back."""

    correctable: ClassVar[tuple[str, ...]] = (PLACE, ORDER, NUMBER)

    def __init__(self, desk: AnyDesk) -> None:
        super().__init__(desk)
        self._to_correct: str | None = None  # chosen by the hands, perhaps for a card still to come in this round

    def card(self, view: Projection, place: str, due: list[str]) -> SpaceMisdeal:
        """The deed with the card for `place`; `due` are all places that get one, in their order."""
        later = due[due.index(place) + 1 :] if place in due else []
        return self._void(view, place, later) or self._corrected_at_once(view, place, later) or SpaceMisdeal(place)

    def _void(self, view: Projection, place: str, later: list[str]) -> SpaceMisdeal | None:
        """Void: a card placed out of turn, or one too many, which no one corrects."""
        if later and (value := self._at.mistakes.take(ORDER)) is not None:
            return self._wrong(ORDER, value, SpaceMisdeal(self._at.chance.choice(later)), self._reported(view, 1))
        if self._may_be_one_too_many(place) and (value := self._at.mistakes.take(NUMBER)) is not None:
            return self._wrong(NUMBER, value, SpaceMisdeal(place, another_to=place), self._reported(view, 2))
        return None

    def _wrong(self, what: str, value: str, slip: SpaceMisdeal, moment: Moment) -> SpaceMisdeal:
        def report_slip() -> None:
            self._at.table.camera.saw("irregularity", kind=what)
            self._memory.halted = True
            report = {"kind": "misdealt", "what": what}
            self._reporting.report(report, self._soon(moment), refused=proceed)

        def proceed() -> None:
            self._memory.halted = False

        def not_done() -> None:
            self._at.mistakes.put_back(what, value)

        return replace(slip, report=report_slip, not_done=not_done)

    def _soon(self, moment: Moment) -> Moment:
        """At this moment, or when the dealer has waited long enough for it."""
        return soon(self._at, moment)

    def _corrected_at_once(self, view: Projection, place: str, later: list[str]) -> SpaceMisdeal | None:
        """A card that falls at a wrong space and is moved at once, or one more after the last, set aside."""
        if self._to_correct is None and self._at.mistakes.take("error_corrected") is not None:
            self._to_correct = self._at.chance.choice(self.correctable)
        match self._to_correct:
            case "order" if later:
                return self._done(
                    ORDER, SpaceMisdeal(self._at.chance.choice(later), moved_to=place), place, self._reported(view, 1)
                )
            case "order" | "place" if other := self._not_later(place, later):
                return self._done(
                    PLACE, SpaceMisdeal(self._at.chance.choice(other), moved_to=place), place, self._reported(view, 1)
                )
            case "number" if not later:  # one too many comes after the last card
                return self._done(
                    NUMBER, SpaceMisdeal(place, another_to=DISCARD), place, lambda view: not is_dealing(view)
                )
        return None

    def _reported(self, view: Projection, cards: int) -> Moment:
        """The moment at which the station has received this many more cards."""
        return received_or_ended(view, cards)

    def _may_be_one_too_many(self, place: str) -> bool:
        """Whether one more card at this place is one too many."""
        return True

    def _not_later(self, place: str, later: list[str]) -> list[str]:
        """Other spaces that have their card or get none."""
        spaces = map(seat_place, self._at.table.seats)
        return [space for space in spaces if space != place and space not in later]

    def _done(self, what: str, slip: SpaceMisdeal, place: str, moment: Moment) -> SpaceMisdeal:
        wished, self._to_correct = self._to_correct, None

        def report_slip() -> None:
            self._at.table.camera.saw("irregularity", kind="error_corrected", what=what, to=place)
            named = self._memory.named(place)
            self._reporting.report({"kind": "deal_corrected", "what": what, "to": named}, moment)

        def not_done() -> None:
            self._to_correct = wished

        return replace(slip, report=report_slip, not_done=not_done)


def received_or_ended(view: Projection, cards: int) -> Moment:
    """A condition: the station has received `cards` more cards than in `view`, or waits for none."""
    known = len(view["round"]["dealt"])
    return lambda later: not is_dealing(later) or len(later["round"]["dealt"]) >= known + cards

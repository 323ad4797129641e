"""Mistakes while the first two cards are dealt at black-jack/21: corrected at once, or a void round."""

from simulators.dealer.http_face import Projection
from simulators.dealer.reporting import Moment
from simulators.dealer.space_misdealing import ORDER, PLACE, SpaceMisdeal, SpaceMisdealing, received_or_ended
from simulators.felt.table import BANK


class HandMisdealing(SpaceMisdealing):
    """Mistakes as at spaces, except a card too many after the last place: there the play begins, and 18 and 19
    apply.
    """

    def soon(self, moment: Moment) -> Moment:
        """At this moment, or when the dealer has waited long enough for it."""
        return self._soon(moment)

    def _void(self, view: Projection, place: str, later: list[str]) -> SpaceMisdeal | None:
        return super()._void(view, place, later) if later else None

    def _corrected_at_once(self, view: Projection, place: str, later: list[str]) -> SpaceMisdeal | None:
        if self._to_correct is None and self._at.mistakes.take("error_corrected") is not None:
            self._to_correct = self._at.chance.choice((PLACE, ORDER))
        if place == BANK:  # its second card is face down, and is not shown about
            return None
        players = [to for to in later if to != BANK]
        if self._to_correct == ORDER and players:
            return self._done(
                ORDER,
                SpaceMisdeal(self._at.chance.choice(players), moved_to=place),
                place,
                received_or_ended(view, 1),
            )
        if self._to_correct is not None and (other := self._not_later(place, later)):
            return self._done(
                PLACE,
                SpaceMisdeal(self._at.chance.choice(other), moved_to=place),
                place,
                received_or_ended(view, 1),
            )
        return None

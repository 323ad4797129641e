"""Mistakes with a tile: placed out of turn, a fifth one, one turned over, or corrected at once."""

from simulators.dealer.http_face import Projection
from simulators.dealer.memory import is_dealing
from simulators.dealer.reporting import Moment
from simulators.dealer.round_desk import AnyDesk
from simulators.dealer.space_misdealing import (
    NUMBER,
    ORDER,
    PLACE,
    SpaceMisdeal,
    SpaceMisdealing,
    received_or_ended,
)
from simulators.felt.table import seat_place
from simulators.felt.tile_table import STACK, TILES_OF_PLACE


class TileMisdealing(SpaceMisdealing):
    """Four tiles are due at each place; without a `reader` the station receives none before all of them are there."""

    correctable = (PLACE, ORDER)

    def __init__(self, desk: AnyDesk, reader: bool) -> None:
        super().__init__(desk)
        self._reader = reader
        self._turned_over_at: str | None = None  # chosen by the hands, for a tile still to come in this round

    def card(self, view: Projection, place: str, due: list[str]) -> SpaceMisdeal:
        """The deed with the tile for `place`; `due` are all places that get tiles, in their order."""
        slip = super().card(view, place, due)
        return self._turned_over(view, place, due) if slip == SpaceMisdeal(place) else slip

    def stack_ran_out(self) -> None:
        """A tile is missing: the number is wrong, and all tiles are checked afterwards."""
        self._memory.deck_doubted = True
        self._wrong(NUMBER, "", SpaceMisdeal(""), lambda view: True).report()

    def _reported(self, view: Projection, cards: int) -> Moment:
        return received_or_ended(view, cards) if self._reader else lambda later: not is_dealing(later)

    def _soon(self, moment: Moment) -> Moment:
        return super()._soon(moment) if self._reader else lambda view: True

    def _may_be_one_too_many(self, place: str) -> bool:
        """A place may get a fifth tile, while the stack has one more."""
        deck = self._at.table.deck
        return bool(deck.count(place) == TILES_OF_PLACE - 1 and deck.count(STACK) > 1)

    def _turned_over(self, view: Projection, place: str, due: list[str]) -> SpaceMisdeal:
        """The tile may be seen while it is dealt (4.º), by chance."""
        if self._turned_over_at is None and (value := self._at.mistakes.take("expose")) is not None:
            if value and value not in due:
                self._at.mistakes.put_back("expose", value)
            else:
                self._turned_over_at = value or self._at.chance.choice(due)
        if self._turned_over_at != place:
            return SpaceMisdeal(place)
        self._turned_over_at = None

        def report() -> None:
            self._at.table.camera.saw("irregularity", kind="exposed", to=place)
            self._reporting.report({"kind": "exposed", "to": place, "count": 1}, self._reported(view, 1))

        return SpaceMisdeal(place, seen=True, report=report)

    def _not_later(self, place: str, later: list[str]) -> list[str]:
        """Places that have all their tiles."""
        seats = map(seat_place, self._at.table.seats)
        return [seat for seat in seats if seat != place and self._at.table.deck.count(seat) == TILES_OF_PLACE]

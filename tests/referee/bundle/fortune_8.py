"""Fortune 8: the settlement of a record's round."""

from ..rules.fortune_8 import settle, void
from .forms import Event
from .parameters import Parameters
from .round import Round, by_seat


class Fortune8(Round):
    """Seven spaces with a card each; a bet is on its card."""

    @property
    def _added(self) -> list[Event]:
        found: list[Event] = (self.terms.get("house") or {}).get("bets", [])
        return found

    def settled(self, pot: int | None, parameters: Parameters) -> Event:
        cards = {f"seat {seat}": self._card(seat) for seat in self.bets}
        return self.answer(seats=by_seat(settle(self.stakes(), cards, self._added)))

    def _card(self, seat: int) -> str:
        [card] = self.shown[f"seat {seat}"]
        return card

    def voided(self, pot: int | None, parameters: Parameters, after: int | None) -> Event:
        return self.answer(seats=by_seat(void(self.stakes(), self.void_by, self._added)))

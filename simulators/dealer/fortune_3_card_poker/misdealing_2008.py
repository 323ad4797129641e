"""Cards exposed under the rules of 2008: any number of the players', and the bank's laid aside in view (11.º 2))."""

from simulators.dealer.fortune_3_card_poker.misdealing import Deed, Misdealing, is_seat
from simulators.dealer.reporting import Moment
from simulators.felt.table import BANK

MORE_OF_PACKET = 0.4  # chance that one more card of the same packet is exposed
AGAIN = 0.4  # chance that the next card of a player is exposed too, or the card that the bank gets instead


class Misdealing2008(Misdealing):
    """No exposed card makes the round void; the dealer tells which of the bank's it was."""

    def _exposing(self, places: list[str], heard: Moment) -> Deed:
        to = self._exposed_place(places)
        if to is None:
            return Deed(places)
        here = [at for at, place in enumerate(places) if place == to]
        up = tuple(sorted(self._some(here)))

        def tell() -> None:
            for _ in up:
                self._film("exposed", to=to)
            if to == BANK:
                self._report_bank([here.index(at) - len(here) for at in up], heard)
            else:
                self._reporting.report({"kind": "exposed", "to": self._memory.named(to), "count": len(up)}, heard)

        return Deed(places, up, tell)

    def _report_bank(self, last: list[int], heard: Moment) -> None:
        """Which of the bank's cards were seen, counted back from the last that came; then they are laid aside."""
        table = self._at.table
        lying = table.deck.at(BANK)
        seen = [lying[at] for at in last]

        def lay_aside() -> None:
            for card in seen:
                table.set_aside(card, BANK)

        which = [len(lying) + at + 1 for at in last]
        self._reporting.report({"kind": "exposed", "to": BANK, "which": which}, heard, accepted=lay_aside)

    def _exposed_place(self, places: list[str]) -> str | None:
        to = super()._exposed_place(places)
        if to is not None:
            again = self._at.chance.random() < AGAIN
            self._once_more = again and is_seat(to)
            self._expose_at = BANK if again and to == BANK else self._expose_at
        return to

    def _some(self, here: list[int]) -> list[int]:
        count = 1
        while count < len(here) and self._at.chance.random() < MORE_OF_PACKET:
            count += 1
        return self._at.chance.sample(here, count)

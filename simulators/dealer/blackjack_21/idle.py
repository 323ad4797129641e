"""Rounds of black-jack/21 that no one bets on, and a shoe whose cards the dealer then spreads out on the table (12)."""

from simulators.dealer import hands
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import Workplace, source_of
from simulators.felt.deck import SHOE
from simulators.felt.table import DISCARD

BETWEEN_ROUNDS = 0.3  # share of those that show before a round is begun
SPREADS = 0.6  # share of the shoes whose cards are spread out


class IdleTable:
    """On a wish, no one bets: the hands act once, and report until the station has accepted it."""

    def __init__(self, workplace: Workplace) -> None:
        self._at = workplace
        self._step = ""  # where no one bets
        self._spread = False

    async def here(self, view: Projection) -> bool:
        """Whether no one bets at this step; then the cards of a shoe may be spread out."""
        step = view["step"]
        if step["id"] != self._step and (value := self._at.mistakes.take("no_bets")) is not None:
            if not value and step["kind"] == "wagers" and self._at.chance.random() < BETWEEN_ROUNDS:
                self._at.mistakes.put_back("no_bets", value)
                return False
            self._step = step["id"]
            await self._leave(view, value == "spread" if value else self._at.chance.random() < SPREADS)
        return bool(step["id"] == self._step)

    async def report(self, view: Projection) -> bool:
        """Report that the table is idle; returns whether the station has accepted it."""
        taken = await self._at.desk.say(view, [{"kind": "no_bets", "spread": self._spread}])
        if taken:
            self._step = ""
        return taken

    async def _leave(self, view: Projection, spread: bool) -> None:
        """A machine keeps its cards (57), and so does a shoe that is to be filled anyhow."""
        loaded = source_of(view) == "shoe" and bool((view.get("shoe") or {}).get("loaded"))
        self._spread = spread and loaded
        await self._at.pace.person(hands.SPREAD_SECONDS if self._spread else hands.ANNOUNCE_SECONDS)
        self._at.table.camera.saw("no_bets", spread=self._spread)
        if self._spread:
            self._at.table.deck.gather([SHOE], DISCARD)

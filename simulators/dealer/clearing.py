"""The end of a round: complaints are heard no longer, and the cards go to where they are kept or shuffled."""

from simulators.dealer import hands
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import AnyWorkplace, RoundMemory, source_of
from simulators.dealer.sources import Sources


class Clearing:
    """The hands of one round that clear the table."""

    def __init__(self, workplace: AnyWorkplace, memory: RoundMemory, sources: Sources) -> None:
        self._at = workplace
        self._memory = memory
        self._sources = sources
        self._patience = hands.Patience(workplace.desk.looked_at)

    def station_away(self) -> None:
        """Nobody loses patience with a machine while the station itself is away."""
        self._patience.restart()

    async def close_claims(self, view: Projection) -> bool:
        """Gather the cards; where a machine counts them, that closes the claims."""
        if self._sources.shuffler_busy:
            return False
        if source_of(view) == "shuffler" and not self._memory.gathered:
            self.give_back_rest()
            await self._sources.gather(view, self._memory)
            return True
        if source_of(view) == "shuffler" and not self._unheard(view):
            return False
        self.give_back_rest()
        return await self._at.desk.say(view, [{"kind": "close_claims"}])

    def give_back_rest(self) -> None:
        """What no settlement spoke of, as in a round broken off, goes back to the players."""
        if left := self._at.table.clear_felt():
            self._memory.outcome += f", given back: {', '.join(left)}"

    def _unheard(self, view: Projection) -> bool:
        """The machine counts them; when it is not heard, the dealer says that the table is cleared."""
        wait = self._at.patience(hands.HELD_SECONDS, hands.HELD_AT_MAX_SECONDS)
        return self._patience.lost(f"inserted {view['step']['id']}", wait)

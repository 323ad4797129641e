"""The end of a round of black-jack/21: the cards go into the machine if its lid has opened, else they wait."""

from simulators.dealer.blackjack_21.sources import LiddedSources
from simulators.dealer.clearing import Clearing
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import RoundMemory, Workplace, source_of

HELD = "the cards wait"


class LiddedClearing(Clearing):
    """Nothing is taken up before the accumulated prize of the round is paid (49)."""

    def __init__(self, workplace: Workplace, memory: RoundMemory, sources: LiddedSources) -> None:
        super().__init__(workplace, memory, sources)
        self._lidded = sources

    async def close_claims(self, view: Projection) -> bool:
        """Put the cards in, or hold them over to the next round."""
        if unpaid(view):
            return False
        if source_of(view) == "shoe":
            if not self._memory.gathered:
                self.give_back_rest()
                await self._lidded.gather(view, self._memory)
            return await self._at.desk.say(view, [{"kind": "close_claims"}])
        if not self._memory.gathered:
            self.give_back_rest()
            self._lidded.lid_may_open()
            if self._lidded.lid_open:
                await self._lidded.put_in(view, self._memory)
                return True
            await self._lidded.hold(view, self._memory)
            self._memory.done.add(HELD)
        if HELD in self._memory.done:
            return await self._at.desk.say(view, [{"kind": "hold_cards"}])
        return self._unheard(view) and await self._at.desk.say(view, [{"kind": "close_claims"}])


def unpaid(view: Projection) -> bool:
    """Whether a prize is still to be paid."""
    hits = (view.get("jackpot") or {}).get("hits", [])
    return any(hit["state"] not in ("paid", "refused") for hit in hits)

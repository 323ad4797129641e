"""Drawing from a shoe that holds a cut card: the dealer says that it came out if the station has not heard of it."""

from simulators.dealer import hands
from simulators.dealer.drawing import Drawing
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import RoundMemory, Workplace, source_of
from simulators.dealer.reporting import Reporting
from simulators.felt.cards import Card


class CutCardDrawing(Drawing[Card]):
    """The hands of one round at a shoe for many rounds."""

    def __init__(self, workplace: Workplace, memory: RoundMemory, reporting: Reporting) -> None:
        super().__init__(workplace, memory, reporting)
        self._cut_card_told = False
        self._cut_card_patience = hands.Patience(workplace.desk.looked_at)

    async def look_after(self, view: Projection) -> bool:
        """Say that the cut card came out, once the station has had the time to hear of it."""
        if not self._cut_card_untold(view):
            return False
        wait = self._at.patience(hands.UNHEARD_SECONDS, hands.UNHEARD_AT_MAX_SECONDS)
        if not self._cut_card_patience.lost("cut card", wait):
            return False
        self._cut_card_told = True
        await self._at.desk.mention(view, {"kind": "cut_card", "step_id": f"{view['round']['id']}/report"})
        return True

    def unfinished(self, view: Projection) -> bool:
        """Whether the cut card lies on the table and the station does not know."""
        return self._cut_card_untold(view)

    def _cut_card_untold(self, view: Projection) -> bool:
        shoe = view.get("shoe") or {}
        waited_for = bool(shoe.get("loaded")) and not shoe.get("cut_card_out", True)
        lies = source_of(view) == "shoe" and self._at.shoe.cut_card_out
        return bool(view.get("round")) and lies and waited_for and not self._cut_card_told

"""Black-jack/21: which hands bet, deal, ask and pay."""

from simulators.dealer.blackjack_21.asking import Asking
from simulators.dealer.blackjack_21.betting import AutomaticBetting, ManualBetting, PlainBetting, PunterBetting
from simulators.dealer.blackjack_21.dealing import HandDealing
from simulators.dealer.blackjack_21.nobody import NobodyBets
from simulators.dealer.blackjack_21.settling import HandSettling, LiddedClearing
from simulators.dealer.blackjack_21.sources import LiddedSources
from simulators.dealer.game import Answering, Game, Hands
from simulators.dealer.lock_in import LockIn
from simulators.dealer.memory import RoundMemory, Workplace
from simulators.dealer.reporting import Reporting
from simulators.devices.lidded_dispenser import LiddedDispenser
from simulators.felt.blackjack_table import BlackjackTable
from simulators.felt.punters import Punters


class Blackjack21(Game):
    """Black-jack/21; `lock_in` where the accumulated prize is marked by slots, `increment` what a chip adds by hand."""

    sources: LiddedSources

    def __init__(
        self,
        workplace: Workplace,
        dispenser: LiddedDispenser,
        felt: BlackjackTable,
        punters: Punters,
        lock_in: LockIn | None,
        increment: int,
    ) -> None:
        self._at, self._dispenser, self._felt, self._punters = workplace, dispenser, felt, punters
        self._lock_in, self._increment = lock_in, increment
        self._nobody = NobodyBets(workplace)
        self.sources = LiddedSources(workplace, dispenser, punters, self._nobody)

    def new_round(self) -> Hands:
        """Hands that have done nothing yet."""
        at, felt, punters = self._at, self._felt, self._punters
        memory = RoundMemory()
        reporting = Reporting(at, memory)
        betting = self._betting(memory, reporting)
        dealing = HandDealing(at, memory, reporting, felt, self._dispenser)
        asking = Asking(at, memory, reporting, felt, punters, dealing)
        settling = HandSettling(at, memory, reporting, felt)
        clearing = LiddedClearing(at, memory, self.sources)
        own_steps: dict[str, Answering] = {
            "load": self.sources.load, "extract": self.sources.extract, "burn": dealing.burn,
            "warning": self.sources.warning_card,
            "increment": betting.increment, "ask": asking.ask,
        }  # fmt: skip
        return Hands(memory, reporting, betting, dealing, asking, settling, clearing, own_steps)

    def _betting(self, memory: RoundMemory, reporting: Reporting) -> PunterBetting:
        at, felt, punters, nobody = self._at, self._felt, self._punters, self._nobody
        if self._lock_in is not None:
            return AutomaticBetting(at, memory, reporting, felt, punters, nobody, self._lock_in)
        if felt.chip:
            return ManualBetting(at, memory, reporting, felt, punters, nobody, self._increment)
        return PlainBetting(at, memory, reporting, felt, punters, nobody)

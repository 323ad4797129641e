"""Black-jack/21: which hands bet, deal, ask and pay."""

from simulators.dealer.blackjack_21.asking import Asking
from simulators.dealer.blackjack_21.betting import AutomaticBetting, ManualBetting, PlainBetting, PunterBetting
from simulators.dealer.blackjack_21.dealing import HandDealing
from simulators.dealer.blackjack_21.desk import HandDesk
from simulators.dealer.blackjack_21.nobody import NobodyBets
from simulators.dealer.blackjack_21.settling import HandSettling, LiddedClearing
from simulators.dealer.blackjack_21.sources import LiddedSources
from simulators.dealer.game import Answering, Game, Hands
from simulators.dealer.memory import Workplace
from simulators.devices.lidded_dispenser import LiddedDispenser
from simulators.felt.blackjack_table import BlackjackTable
from simulators.felt.punters import Punters


class Blackjack21(Game):
    """Black-jack/21; `increment` is what a chip adds where the accumulated prize is not marked by slots."""

    sources: LiddedSources

    def __init__(
        self,
        workplace: Workplace,
        dispenser: LiddedDispenser,
        felt: BlackjackTable,
        punters: Punters,
        increment: int,
    ) -> None:
        self._at, self._dispenser, self._felt, self._punters = workplace, dispenser, felt, punters
        self._increment = increment
        self._nobody = NobodyBets(workplace)
        self.sources = LiddedSources(workplace, dispenser, punters, self._nobody)

    def new_round(self) -> Hands:
        """Hands that have done nothing yet."""
        desk = HandDesk(
            self._at, felt=self._felt, punters=self._punters, nobody=self._nobody, increment=self._increment
        )
        betting: PunterBetting
        if self._at.lock_in is not None:
            betting = AutomaticBetting(desk)
        else:
            betting = ManualBetting(desk) if self._felt.chip else PlainBetting(desk)
        dealing = HandDealing(desk, self._dispenser)
        asking, clearing = Asking(desk, dealing), LiddedClearing(desk, self.sources)
        own_steps: dict[str, Answering] = {
            "load": self.sources.load, "extract": self.sources.extract, "burn": dealing.burn,
            "warning": self.sources.warning_card,
            "increment": betting.increment, "ask": asking.ask,
        }  # fmt: skip
        return Hands(desk, betting, dealing, asking, HandSettling(desk), clearing, own_steps)

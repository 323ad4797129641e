"""Black-jack/21 on the bench: its table, and which hands bet, deal, ask and pay."""

from simulators.dealer.blackjack_21.asking import Asking
from simulators.dealer.blackjack_21.betting import AutomaticBetting, ManualBetting, PlainBetting, PunterBetting
from simulators.dealer.blackjack_21.dealing import HandDealing
from simulators.dealer.blackjack_21.desk import HandDesk
from simulators.dealer.blackjack_21.idle import IdleTable
from simulators.dealer.blackjack_21.settling import HandSettling, LiddedClearing
from simulators.dealer.blackjack_21.sources import LiddedSources
from simulators.dealer.game import Answering, AtTable, GameAtTable, Hands
from simulators.dealer.simulated_game import SimulatedGame
from simulators.devices.dispenser import LiddedDispenser
from simulators.faults.games import NEVER_FACE_UP, ONLY_TILES, FaultsOfGame
from simulators.felt.blackjack_table import BlackjackTable
from simulators.felt.punters import BET, MOST_TIMES, Punters
from simulators.setting import MARKINGS, Setting


class Blackjack21(GameAtTable):
    """Black-jack/21 as the robot deals it; `increment` is what a chip adds if the accumulated prize is not marked by
    slots.
    """

    sources: LiddedSources

    def __init__(self, table: AtTable) -> None:
        at, setting = table.workplace, table.setting
        self._at = at
        self._dispenser = table.needed(table.machine, LiddedDispenser)
        self._felt = table.needed(at.table, BlackjackTable)
        self._punters = Punters(
            table.seed, setting.seats, setting.minimum, setting.maximum, "jackpot" in setting.additional,
            table.chip_rate,
        )  # fmt: skip
        self._increment = setting.chip * setting.increment_bp // 10_000
        self._idle = IdleTable(at)
        self.sources = LiddedSources(at, self._dispenser, self._punters, self._idle)

    def new_round(self) -> Hands:
        """Hands that have done nothing yet."""
        desk = HandDesk(self._at, felt=self._felt, punters=self._punters, idle=self._idle, increment=self._increment)
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


class Blackjack21Table(SimulatedGame):
    """The table with the accumulated prize."""

    id = "blackjack-21"
    faults = FaultsOfGame(
        game=id, senseless=(*NEVER_FACE_UP, *ONLY_TILES, "dealer:early_card", "dealer:miskey"),
        not_in_every_round=("shuffle", "reveal"), no_places=("community",), packets=4, cards=4, single_cards=True,
    )  # fmt: skip
    dealt_at = Blackjack21
    felt_of = BlackjackTable
    seats = (6, 7)
    default_seats = 7
    decks = (4, 6)
    default_decks = 6
    markings = MARKINGS
    currency = "EUR"
    limits = 30
    additional = ("jackpot",)
    machine = LiddedDispenser
    sign = True
    boxes = (BET,)

    def has_slots(self, marking: str) -> bool:
        return marking == MARKINGS[0]

    def limit(self, setting: Setting) -> int:
        return min(setting.maximum, MOST_TIMES * setting.minimum)

"""Random faults: in some rounds exactly one, of a kind that makes sense there, at a moment of its own."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable

from simulators.faults.injector import Injector
from simulators.faults.stage import Stage
from simulators.faults.syntax import KINDS, WIRE_COUNTED, WIRE_LASTING, Conditions, Fault, FaultKind, Takes

PHASES_OF_SLOTS = ("wagers", "wagers", "wagers", "deal", "settle", "between")
PHASES_OF_SIGN = ("wagers", "deal", "settle", "claims")
AT_A_CARD = 0.7  # share of the faults of a source's wire that strike at one of its packets or cards
DEAF = ("corrupt", "lost", "mute", "memory_lost")  # what a sign that answers nothing keeps to itself
PULL_PLUG_SECONDS = 0.2  # after such a fault someone sees the sign and pulls its plug


class Chooser:
    """Draws kinds of fault from a seeded bag, each once before any repeats; an impossible fault is put back."""

    def __init__(
        self,
        injector: Injector,
        stage: Stage,
        chance: random.Random,
        rate: float,
        seats: int,
        source: Callable[[], str],
    ) -> None:
        self._injector = injector
        self._stage = stage
        self._chance = chance
        self._rate = rate
        self._seats = seats
        self._source = source
        self._bags: dict[str, list[FaultKind]] = {}
        self._unseen: Counter[str] = Counter()
        self._last_round = stage.round_number
        stage.watch(self._look)

    def choose(self, source: str, number: int) -> Fault:
        """The next fault from this source's bag, for round `number`."""
        kind = self._take(source)
        return Fault(kind.device, kind.name, self._value(kind), self._conditions(kind, number))

    def saw(self, device: str, kind: str, on: bool) -> None:
        """A fault has struck or is over: one of ours that leaves the sign wrong is corrected by pulling its plug."""
        if device == "sign" and on and self._unseen[kind]:
            self._unseen[kind] -= 1
            wait = self._injector.seconds + PULL_PLUG_SECONDS
            asyncio.get_running_loop().call_later(wait, self._injector.wish, Fault("sign", "unplug"))

    def _look(self) -> None:
        number = self._stage.round_number
        if number == self._last_round:
            return
        self._last_round = number
        if self._chance.random() >= self._rate:
            return
        source = self._source()
        fault = self.choose(source, number)

        def lapsed() -> None:
            if fault.device == "sign":
                self._unseen[fault.kind] = 0
            self._bags[source].insert(0, KINDS[fault.device, fault.kind])

        if fault.device == "sign" and fault.kind in DEAF:
            self._unseen[fault.kind] += 1
        self._injector.wish(fault, lapsed)

    def _take(self, source: str) -> FaultKind:
        bag = self._bags.setdefault(source, [])
        if not bag:
            known = set(self._injector.kinds)
            away = [device for device in ("shuffler", "shoe") if device != source]
            bag += [kind for kind in KINDS.values() if str(kind) in known and kind.device not in away]
            self._chance.shuffle(bag)
        return bag.pop()

    def _value(self, kind: FaultKind) -> str:
        return str(self._chance.randint(1, self._seats)) if kind.takes is Takes.SEAT else ""

    def _conditions(self, kind: FaultKind, number: int) -> Conditions:
        seconds = self._injector.seconds if kind.name == "stuck" else None
        match kind.device:
            case "shuffler" | "shoe":
                card, phase = self._moment_at_source(kind)
                return Conditions(number, card, phase)
            case "slots":
                return Conditions(number, None, self._chance.choice(PHASES_OF_SLOTS), seconds)
            case "sign":
                return Conditions(number, None, self._chance.choice(PHASES_OF_SIGN))
            case "deck":
                return Conditions(number, None, "between")
        return Conditions(number)  # people choose their moment themselves

    def _moment_at_source(self, kind: FaultKind) -> tuple[int | None, str | None]:
        """A moment at one of the cards that surely come, or in a phase."""
        of_game = self._injector.of_game
        phases = of_game.sure_phases
        share = 1.0  # what happens to a card
        if kind.name in (*WIRE_LASTING, *WIRE_COUNTED, "restart"):
            share = AT_A_CARD
        elif kind.name == "jam" and not of_game.single_cards:
            share, phases = 0.5, ("shuffle",)
        elif kind.name == "lid_open":
            share = 0.0
        if self._chance.random() < share:
            return self._chance.randint(1, of_game.cards if kind.device == "shoe" else of_game.packets), None
        return None, self._chance.choice(phases)

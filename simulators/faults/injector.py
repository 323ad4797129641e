"""Lets faults strike when their conditions hold, and ends those that last."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from simulators.faults.games import FaultsOfGame
from simulators.faults.stage import Stage
from simulators.faults.syntax import KINDS, OFF, Ends, Fault, FaultKind, read_fault

HANDS = ("dealer", "players")
DECK_PHASES = ("between", "shuffle")  # when cards can get lost or doubled unless another phase was named


@dataclass(frozen=True, slots=True)
class FaultAct:
    """How one kind of fault is applied to a device: begin, end (with the same value), and call off.

    `call_off` withdraws a fault that has not struck yet; it returns whether there was one.
    """

    begin: Callable[[Fault], object]
    end: Callable[[str], object] | None = None
    call_off: Callable[[str], bool] | None = None


Acts = Mapping[tuple[str, str], FaultAct]


@dataclass(frozen=True, slots=True, eq=False)
class Wish:
    """A fault someone wants; `lapsed` is called if its round went by without it."""

    fault: Fault
    lapsed: Callable[[], None] | None = None


class Injector:
    """Injects faults; needs a running loop. `seconds` is the default length of a lasting fault; `struck` is called for
    each.
    """

    def __init__(
        self,
        stage: Stage,
        acts: Acts,
        seats: int,
        seconds: float,
        of_game: FaultsOfGame,
        struck: Callable[[Fault], object] = lambda _: None,
    ) -> None:
        self.seconds = seconds
        self._struck = struck
        self._stage = stage
        self._acts = {named: act for named, act in acts.items() if of_game.makes_sense(KINDS[named])}
        self._seats = seats
        self.of_game = of_game
        self._pending: list[Wish] = []
        self._begun: list[Wish] = []  # those of one round only, which may have to be called off
        self._running: dict[tuple[str, str, str], asyncio.TimerHandle | None] = {}
        self._closed = False
        stage.watch(self._look)

    @property
    def kinds(self) -> list[str]:
        """Everything that can be done here, as DEVICE:KIND."""
        return [str(KINDS[named]) for named in self._acts]

    def wish(self, fault: Fault, lapsed: Callable[[], None] | None = None) -> None:
        """Lets this fault strike once its conditions hold. Raises ValueError if they never will, or no device can do
        it.
        """
        kind = KINDS[fault.device, fault.kind]
        self.of_game.check(fault)
        if (fault.device, fault.kind) not in self._acts:
            raise ValueError(f"{kind}: no such device at this table, or not with this wire")
        if fault.seat is not None and fault.seat > self._seats:
            raise ValueError(f"{fault}: this table has seats 1 to {self._seats}")
        if fault.conditions.round is not None and fault.conditions.round < self._stage.round_number:
            raise ValueError(f"{fault}: round {fault.conditions.round} is over, this is {self._stage.round_number}")
        self._pending.append(Wish(fault, lapsed))
        self._look()

    def end(self, device: str, kind: str) -> None:
        """Ends this fault wherever it lasts. Raises ValueError if it does not."""
        act = self._acts.get((device, kind))
        running = [key for key in self._running if key[:2] == (device, kind)]
        for key in running:
            self._over(key)
        if not running:
            if act is None or act.end is None or KINDS[device, kind].ends is not Ends.BY_HAND:
                raise ValueError(f"{device}:{kind} is not on")
            act.end("")

    def obey(self, line: str) -> str:
        """Carry out one line of the fault socket: a fault, `DEVICE:KIND=off`, or `list`; returns the answer."""
        if line.strip() == "list":
            return "\n".join([*self.kinds, "ok"])
        try:
            fault = read_fault(line)
            if fault.value == OFF:
                self.end(fault.device, fault.kind)
            else:
                self.wish(fault)
        except ValueError as mistake:
            return f"error: {mistake}"
        return "ok"

    def close(self) -> None:
        """No fault strikes any more, and those that last are left as they are."""
        self._closed = True
        for timer in self._running.values():
            if timer:
                timer.cancel()

    def _look(self) -> None:
        if self._closed:
            return
        for wish in list(self._begun):
            if self._is_past(wish):
                self._begun.remove(wish)
                call_off = self._acts[wish.fault.device, wish.fault.kind].call_off
                if call_off and call_off(wish.fault.value):
                    self._lapse(wish)
        for wish in list(self._pending):
            if self._is_past(wish):
                self._pending.remove(wish)
                self._lapse(wish)
            elif wish in self._pending and self._holds(wish.fault):
                self._pending.remove(wish)
                self._strike(wish)

    def _is_past(self, wish: Wish) -> bool:
        number = wish.fault.conditions.round
        return number is not None and number < self._stage.round_number

    def _lapse(self, wish: Wish) -> None:
        if wish.lapsed:
            wish.lapsed()

    def _holds(self, fault: Fault) -> bool:
        wanted, stage = fault.conditions, self._stage
        if wanted.round not in (None, stage.round_number):
            return False
        card = stage.cards_left if fault.device in HANDS else stage.card_leaving
        if wanted.card not in (None, card):
            return False
        if wanted.phase is None:
            return fault.device != "deck" or stage.phase_now in DECK_PHASES
        return wanted.phase == stage.phase_now

    def _strike(self, wish: Wish) -> None:
        fault = wish.fault
        kind, act = KINDS[fault.device, fault.kind], self._acts[fault.device, fault.kind]
        if act.call_off and fault.conditions.round is not None:
            self._begun.append(wish)
        if not (act.end and kind.may_last and self._is_active_already(kind, fault)):
            self._struck(fault)
            act.begin(fault)

    def _is_active_already(self, kind: FaultKind, fault: Fault) -> bool:
        """Set the end of a lasting fault; whether it was on before, and lasts until then."""
        key = (fault.device, fault.kind, fault.value)
        was_active = key in self._running
        if was_active and (timer := self._running.pop(key)):
            timer.cancel()
        seconds = fault.conditions.seconds or (self.seconds if kind.ends is Ends.IN_TIME else None)
        loop = asyncio.get_running_loop()
        self._running[key] = loop.call_later(seconds, self._over, key) if seconds else None
        return was_active

    def _over(self, key: tuple[str, str, str]) -> None:
        device, kind, value = key
        if timer := self._running.pop(key, None):
            timer.cancel()
        end = self._acts[device, kind].end
        assert end is not None
        end(value)

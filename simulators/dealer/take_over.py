"""A person has taken over: the inputs of the robot dealer are wanted from the person, at the station's own screen."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from simulators.dealer.entered import has_moved_on, is_entered, is_locked, is_past
from simulators.dealer.http_face import Input, Projection

GLANCE_SECONDS = 0.1


async def nothing_to_do(view: Projection) -> bool:
    """Does nothing: for hands without work in the meantime."""
    return False


@dataclass(slots=True)
class WantedInput:
    """One expected input, with actor and step, as the robot would post it; `before` is the screen at which it was first
    expected.

    The round can continue without an input that `may_be_left_out`.
    """

    number: int
    input: Input
    before: Projection
    may_be_left_out: bool = False
    entered: bool = False


class TakeOver:
    """Whether a person acts at the dealer's screen, and which input is expected from that person.

    `lend_hand` is work of the hands that does not wait for the person; `noticed` is called with an unexpected entry,
    and `wants_other` when the expected input changes.
    """

    def __init__(self) -> None:
        self.on = False
        self.lend_hand: Callable[[Projection], Awaitable[bool]] = nothing_to_do
        self.noticed: Callable[[str], None] = lambda what: None
        self.wants_other: Callable[[], None] = lambda: None
        self._count = 0
        self._now: list[WantedInput] = []
        self._beside: dict[str, WantedInput] = {}
        self._left_out: set[int] = set()

    @property
    def waiting(self) -> bool:
        """Whether the hands rest until a person has entered something."""
        return bool(self._now)

    def wanted(self, view: Projection | None) -> list[WantedInput]:
        """The inputs wanted now: first those for which the hands wait, then those without which play continues."""
        for name, wanted in list(self._beside.items()):
            if not self.on or (view is not None and is_entered(wanted.input, wanted.before, view)):
                del self._beside[name]
        return [*self._now, *self._beside.values()]

    def put_beside(self, view: Projection, input: Input) -> None:
        """Wants this input, without waiting for it."""
        name = repr({key: value for key, value in input.items() if key != "input_id"})
        if name not in self._beside:
            self._beside[name] = self._want(view, input, False)
            self.wants_other()

    def leave_out(self, number: int) -> None:
        """A person will not enter this. Raises ValueError if no input of this number may be left out."""
        if not any(wanted.number == number and wanted.may_be_left_out for wanted in self._now):
            raise ValueError(f"nothing with the number {number} is wanted that may be left out")
        self._left_out.add(number)

    async def person_enters(
        self,
        look: Callable[[], Projection | None],
        changed: Callable[[float], Awaitable[object]],
        view: Projection,
        inputs: list[Input],
        optional: bool,
    ) -> bool | None:
        """Wait until a person has entered these, or something else that ended the step; None when the robot is back.

        False where the station does not accept it now, or, of what is `optional`, where it was left out or is too late.
        Raises what `look` does.
        """
        self._now = [self._want(view, input, optional) for input in inputs]
        self.wants_other()
        try:
            while self.on:
                now = look()
                if now is not None:
                    for wanted in self._now:
                        wanted.entered = is_entered(wanted.input, view, now)
                    if all(wanted.entered for wanted in self._now) or (not optional and has_moved_on(view, now)):
                        return True
                    if any(is_locked(wanted.input, now) for wanted in self._now):
                        return False
                    if optional and (self._left_out or is_past(inputs[0], view, now)):
                        return False
                    if await self.lend_hand(now):
                        continue
                await changed(GLANCE_SECONDS)
            return None
        finally:
            self._now = []
            self._left_out.clear()
            self.wants_other()

    def _want(self, view: Projection, input: Input, optional: bool) -> WantedInput:
        self._count += 1
        return WantedInput(self._count, input, view, optional)

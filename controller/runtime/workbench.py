"""The set-up from the console: the last reports on the wires, decoded and without any card; tests of devices while the
table is closed; the plugged-in devices; and a proposed configuration, which only root applies.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, NamedTuple

import structlog

from controller.config.document import BadConfiguration
from controller.config.file import Config, parse_draft
from controller.config.section import Mistake
from controller.rulebook.parts.faults import DeviceName
from controller.system.files import write_whole

MOST_FRAMES = 200
TRIAL_SECONDS = 5.0

Trials = Mapping[str, tuple[DeviceName, Any]]
"""The tests that are possible: the device, and its order during the test."""

log = structlog.get_logger()


class WireFrame(NamedTuple):
    """What was on a wire: `message` by the device or the station, so many times after each other; `last` is UTC."""

    last: str
    device: str
    by: str
    message: str
    text: str
    times: int


class Workbench:
    """Keeps the last frames, and replaces the table's orders by another one for a while.

    `later` calls a function after a number of seconds.
    """

    def __init__(
        self,
        now: Callable[[], str],
        is_closed: Callable[[], bool],
        trials: Callable[[], Trials],
        order: Callable[[], None],
        later: Callable[[float, Callable[[], None]], object],
    ) -> None:
        self._now, self._is_closed, self._trials, self._order, self._later = now, is_closed, trials, order, later
        self._frames: deque[WireFrame] = deque(maxlen=MOST_FRAMES)
        self._ordered: dict[DeviceName, Any] = {}
        self._trial: tuple[DeviceName, Any] | None = None

    def receive(self, device: DeviceName, message: Any) -> None:
        """A device reported this."""
        self._note(device, "device", message)

    def orders(self, wanted: Mapping[DeviceName, Any]) -> dict[DeviceName, Any]:
        """The table's orders, as the devices shall have them now."""
        orders = dict(wanted)
        if self._trial is not None and self._is_closed():
            device, order = self._trial
            orders[device] = order
        for device, order in orders.items():
            if self._ordered.get(device) != order:
                self._ordered[device] = order
                self._note(device, "station", order)
        return orders

    def as_shown(self) -> dict[str, Any]:
        """The last frames, newest first, and the tests that are possible now."""
        closed = self._is_closed()
        return {
            "frames": [frame._asdict() for frame in reversed(self._frames)],
            "closed": closed,
            "trials": [*self._trials()],
        }

    def try_out(self, what: str, by: str) -> float | None:
        """Tests a device; returns the number of seconds, or None while the table is open. Raises KeyError."""
        trial = self._trials()[what]
        if not self._is_closed():
            return None
        self._trial = trial
        log.info("tried out", what=what, device=trial[0], by=by)
        self._order()
        self._later(TRIAL_SECONDS, lambda: self._end(trial))
        return TRIAL_SECONDS

    def _end(self, trial: tuple[DeviceName, Any]) -> None:
        if self._trial is trial:
            self._trial = None
            self._order()

    def _note(self, device: str, by: str, message: Any) -> None:
        name, text = type(message).__name__, _shown(message)
        times = 1
        if self._frames and self._frames[-1][1:5] == (device, by, name, text):
            times += self._frames.pop().times
        self._frames.append(WireFrame(self._now(), device, by, name, text, times))


def _shown(message: Any) -> str:
    """The fields that its repr has: cards stay out of every repr."""
    return ", ".join(f"{field.name} {_text(getattr(message, field.name))}" for field in fields(message) if field.repr)


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return "".join("01"[bit] for bit in value) if {*map(type, value)} == {bool} else " ".join(map(str, value))
    return f"{value:.3g}" if isinstance(value, float) else str(value)


PROPOSED = "station.toml.proposed"  # beside the journal: the service may write nowhere else


class Proposing:
    """`look` returns the plugged-in devices as JSON; it blocks. `workbench` has the wires."""

    def __init__(self, config: Config, look: Callable[[], Any], workbench: Workbench) -> None:
        self._config = config
        self._look = look
        self.wires = workbench
        self._file = config.journal.parent / PROPOSED
        self._one_at_a_time = asyncio.Lock()  # one child

    async def shown(self) -> dict[str, Any]:
        """The configuration on the disk, whether another is proposed, and the devices that are plugged in."""
        return {
            "configuration": self._config.path.read_text(encoding="utf-8"),
            "path": str(self._config.path),
            "proposed": self._file.exists(),
            "plugged": await asyncio.to_thread(self._look),
        }

    async def proposed(self, text: str, by: str | None) -> list[dict[str, str]]:
        """The mistakes of another configuration; without mistakes it is stored as proposed by `by`."""
        octets = text.encode(errors="surrogatepass")  # a lone half is refused as no UTF-8
        async with self._one_at_a_time:
            mistakes = await asyncio.to_thread(self._mistakes, octets)
        if not mistakes and by is not None:
            await asyncio.to_thread(write_whole, self._file, octets)
            log.info("configuration proposed", by=by, file=str(self._file))
        return [mistake._asdict() for mistake in mistakes]

    def _mistakes(self, octets: bytes) -> list[Mistake]:
        try:
            parse_draft(self._config.path, octets)
        except BadConfiguration as bad:
            return bad.mistakes
        except OSError as error:
            log.error("no child reads a draft of the configuration", error=str(error))
            return [Mistake("(file)", "text", f"a process that reads it; {error}. Try again")]
        return []

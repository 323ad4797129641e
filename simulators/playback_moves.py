"""The parts of a wire's playback, and its requests to the playback of all wires."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Protocol

from simulators.playback_file import WireEntry

REACTION_SECONDS = 15.0  # the longest a daemon takes by its own clocks: a shuffler is silent after seven seconds


class NotAsRecorded(Exception):
    """The daemon did not send the recorded bytes; the text names the wire and the place."""


@dataclass(frozen=True, slots=True)
class PlaybackMove:
    """One step of the playback, at its line of the recording."""

    entry: WireEntry
    make: Callable[[], Coroutine[Any, Any, None]]
    plays: bool  # it is something that happens to the daemon, not something waited for


class Playing(Protocol):
    """The playback of all wires. `away` are wires that the daemon has lost, and has not opened again yet."""

    away: set[str]

    def ring(self) -> None:
        """Called when something may have changed."""
        ...

    def strange(self, wire: str, text: str) -> None:
        """The daemon sends something on this wire that is nowhere in the recording."""
        ...

    async def until(self, condition: Callable[[], bool], seconds: float, complaint: Callable[[], str]) -> None:
        """Waits until the condition is true. Raises NotAsRecorded."""
        ...

    async def taken(self, besides: str = "") -> None:
        """Waits until the daemon has read everything that was sent on the other wires."""
        ...

    def patience(self, wire: str) -> float:
        """The number of seconds in which the daemon must answer on this wire."""
        ...


class PlayedWire(Protocol):
    """A wire other than a serial line, with its moves."""

    moves: list[PlaybackMove]

    async def open(self) -> None: ...

    async def close(self) -> None: ...

"""A wire that is played: its moves, its host's statements, its device's end, and its requests to the playback of all
wires.
"""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

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


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a host. `text` is for messages, `count` is its number among statements of its kind since the
    opening; `optional`: a mere probe.
    """

    text: str
    kind: str
    number: int = 0
    optional: bool = False


class Talk(Protocol):
    """The host's half of a conversation, begun again at each opening.

    If the host `skips`, it may leave out outdated statements, and only the last conversation is awaited. The device's
    octets for which the host waits only a moment begin with one of `answers`.
    """

    skips: ClassVar[bool]
    answers: ClassVar[bytes]

    def receive(self, octets: bytes, silence: float = 0.0) -> list[Statement]:
        """The statements completed by these bytes; `silence`: seconds since the device's last ones."""
        ...

    def has_sent(self, wanted: Statement) -> bool:
        """Whether the host has sent it since the opening."""
        ...

    def greeted(self, octets: bytes) -> None:
        """The device has just been played as reporting this."""
        ...


class PlayedEnd(Protocol):
    """The device's end of a played wire. `talk` decodes what the host sends; `latest` is its last statement."""

    openings: int
    closings: int
    talk: Talk
    latest: str

    def plug(self) -> None:
        """Appears, unless it is there already."""
        ...

    def unplug(self) -> None:
        """Hangs up, and disappears."""
        ...

    def send(self, octets: bytes) -> None:
        """Send octets to the host. Raises OSError if the line cannot be written."""
        ...

    def is_taken(self) -> bool:
        """Whether the host has read everything that was sent."""
        ...


async def lamps_are_set(
    playing: Playing, entry: WireEntry, masks: list[int], wanted: int, following: Sequence[int]
) -> None:
    """Wait until the host has set this mask; removes it from the list, with those before it.

    Lamps are a state: the host may set a mask twice, or leave out one that is soon replaced.
    """
    among = {wanted, *following[:1]}
    await playing.until(
        lambda: not among.isdisjoint(masks),
        playing.patience(entry.wire),
        lambda: f"{entry.place}: the daemon did not set the lamps to {wanted}; last it set {masks[-1:] or 'none'}",
    )
    if wanted in masks:
        del masks[: masks.index(wanted) + 1]

"""The host's statements on a wire that is played, and the device's end of that wire. No I/O here."""

from dataclasses import dataclass
from typing import ClassVar, Protocol


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

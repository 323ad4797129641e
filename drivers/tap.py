"""A tap on a wire: receives every octet where it enters or leaves, and when the port opens and closes."""

from collections.abc import Mapping
from typing import Literal, Protocol

End = Literal["device", "host"]


class Tap(Protocol):
    """Called by the ports, from any thread. Returns at once and never raises."""

    def opened(self, port: str, settings: Mapping[str, int | str]) -> None:
        """The port is open: of which kind (tty, socket, rfc2217, usb), and how it is set."""
        ...

    def refused(self, reason: str) -> None:
        """The port could not be opened."""
        ...

    def received(self, octets: bytes) -> None:
        """These octets came from the device."""
        ...

    def sent(self, octets: bytes) -> None:
        """These octets have left for the device."""
        ...

    def closed(self, by: End, reason: str) -> None:
        """The port is closed or lost, at which end. Once for each opening."""
        ...


class Untapped:
    """A tap without a listener."""

    def opened(self, port: str, settings: Mapping[str, int | str]) -> None:
        pass

    def refused(self, reason: str) -> None:
        pass

    def received(self, octets: bytes) -> None:
        pass

    def sent(self, octets: bytes) -> None:
        pass

    def closed(self, by: End, reason: str) -> None:
        pass


class OpenTap:
    """The tap on one opened port: it passes nothing on after the closing."""

    def __init__(self, tap: Tap | None, port: str, settings: Mapping[str, int | str]) -> None:
        self._tap: Tap = tap or Untapped()
        self._open = True
        self._tap.opened(port, settings)

    def received(self, octets: bytes) -> None:
        if self._open:
            self._tap.received(octets)

    def sent(self, octets: bytes) -> None:
        if self._open and octets:
            self._tap.sent(octets)

    def closed(self, by: End, reason: str) -> None:
        if self._open:
            self._open = False
            self._tap.closed(by, reason)

"""A wire of bulk transfers that is played: a socket in place of a USB cable, and the statements of its host."""

from collections import deque
from collections.abc import Callable
from pathlib import Path

from simulators.devices.usb_port import UsbCableSocket
from simulators.playback_wire import PlaybackMove, Statement, Talk
from simulators.usb_cable import OK, Operation, answer


class PlayedTransfers(UsbCableSocket):
    """A PlayedEnd, and a PlayedWire without moves of its own. A message is a transfer and an empty one after it.

    `bell` rings whenever something may have changed; `strange` gets a statement that is not in the recording.
    """

    def __init__(
        self, path: Path, begin: Callable[[], Talk], known: Callable[[Statement], bool], strange: Callable[[str], None],
        bell: Callable[[], None],
    ) -> None:  # fmt: skip
        super().__init__(path)
        self.plugged = False
        self.moves: list[PlaybackMove] = []
        self.openings = 0
        self.closings = 0
        self.talk = begin()
        self.latest = "nothing"
        self._begin = begin
        self._known = known
        self._strange = strange
        self._ring = bell
        self._message = b""
        self._says: deque[bytes] = deque()

    def plug(self) -> None:
        self.plugged = True

    def unplug(self) -> None:
        self.plugged = False
        self._release()

    def send(self, octets: bytes) -> None:
        self._says.append(octets)
        self._bell.set()

    def is_taken(self) -> bool:
        return not self._says or self._owner is None

    def _opened(self) -> None:
        self.openings += 1
        super()._opened()
        self._ring()

    def _release(self) -> None:
        if self._owner is not None:
            self.closings += 1
            self.talk, self._message = self._begin(), b""
            self._says.clear()
        super()._release()
        self._ring()

    def _obey(self, operation: Operation, content: bytes) -> bytes:
        if operation is Operation.KERNEL_DRIVER:
            return answer(OK, b"\0")
        if operation is Operation.WRITE:
            self._message += content
            if not content:
                self._take()
        return answer(OK)

    def _take(self) -> None:
        message, self._message = self._message, b""
        for statement in self.talk.receive(message):
            self.latest = statement.text
            if not self._known(statement):
                self._strange(statement.text)
        self._ring()

    def _next(self, size: int) -> bytes | None:
        return answer(OK, self._says.popleft()[:size]) if self._says else None

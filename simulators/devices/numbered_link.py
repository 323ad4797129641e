"""The shuffler's end of its link: numbered messages, a bounded window, retransmission and RESEND."""

import asyncio
import struct
from collections import deque
from collections.abc import Callable

from simulators.devices.shuffler_frames import Frame, encode

WINDOW = 32
RETRANSMIT_SECONDS = 0.25
KEPT_AFTER_ACK = 32  # acknowledged messages the machine still holds for RESEND


def not_after(first: int, second: int) -> bool:
    """Whether sequence `first` equals `second` or is before it, modulo 65536."""
    return (second - first) % 65536 < 32768


class ShufflerLink:
    """Keeps every message until it is acknowledged; `transmit` puts bytes on the wire."""

    def __init__(self, boot: int, transmit: Callable[[bytes], None]) -> None:
        self.boot = boot
        self.next_sequence = 1
        self._transmit = transmit
        self._unacknowledged: deque[Frame] = deque()
        self._kept: deque[Frame] = deque(maxlen=KEPT_AFTER_ACK)
        self._room = asyncio.Event()
        self._room.set()
        self._timer: asyncio.TimerHandle | None = None

    async def room(self) -> None:
        """Wait until the window has room: a machine that cannot report does not continue."""
        await self._room.wait()

    def post(self, kind: int, payload: bytes = b"") -> None:
        """Numbers a message and sends it, now or when the window allows."""
        self._unacknowledged.append(Frame(kind, self.next_sequence, payload))
        self.next_sequence = (self.next_sequence + 1) % 65536
        if len(self._unacknowledged) <= WINDOW:
            self._transmit(encode(self._unacknowledged[-1]))
        self._window_changed()
        if self._timer is None:
            self._restart_timer()

    def say(self, kind: int, payload: bytes) -> None:
        """Send an unnumbered message (HELLO), which carries the next number to be assigned."""
        self._transmit(encode(Frame(kind, self.next_sequence, payload)))

    def acknowledged(self, sequence: int) -> None:
        """The host has everything up to `sequence`; a number that was never sent is ignored."""
        outstanding = list(self._unacknowledged)[:WINDOW]
        if not any(frame.sequence == sequence for frame in outstanding):
            return
        freed = 0
        while self._unacknowledged and not_after(self._unacknowledged[0].sequence, sequence):
            self._kept.append(self._unacknowledged.popleft())
            freed += 1
        for frame in list(self._unacknowledged)[WINDOW - freed : WINDOW]:
            self._transmit(encode(frame))
        self._window_changed()
        self._restart_timer()

    def resend(self, boot: int, first: int) -> None:
        """Answers RESEND, after HELLO: from `first` on if the boot id is this one, else all unacknowledged messages."""
        window = list(self._unacknowledged)[:WINDOW]
        frames = window
        if boot == self.boot:
            frames = [frame for frame in [*self._kept, *window] if not_after(first, frame.sequence)]
        for frame in frames:
            self._transmit(encode(frame))
        self._restart_timer()

    def restart(self, boot: int) -> None:
        """Power was lost and came back: another boot id, numbers from 1, and every unacknowledged message is gone."""
        self.boot = boot
        self.next_sequence = 1
        self._unacknowledged.clear()
        self._kept.clear()
        self._window_changed()
        self._restart_timer()

    def close(self) -> None:
        """Stop repeating."""
        if self._timer:
            self._timer.cancel()

    def _window_changed(self) -> None:
        if len(self._unacknowledged) < WINDOW:
            self._room.set()
        else:
            self._room.clear()

    def _restart_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = None
        if self._unacknowledged:
            self._timer = asyncio.get_running_loop().call_later(RETRANSMIT_SECONDS, self._repeat)

    def _repeat(self) -> None:
        for frame in list(self._unacknowledged)[:WINDOW]:
            self._transmit(encode(frame))
        self._timer = None
        self._restart_timer()


def hello_payload(boot: int, mode: int, decks: int, last_order: int, model: str, firmware: str) -> bytes:
    """HELLO: boot id, mode (1 batch), decks, last order, model and firmware with their lengths."""
    texts = b"".join(bytes([len(text)]) + text.encode("ascii") for text in (model, firmware))
    return struct.pack(">IBBI", boot, mode, decks, last_order) + texts

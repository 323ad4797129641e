"""Faults of one direction of a wire, serial or USB: pieces, babble, loss, delay, silence."""

import asyncio
import random
from collections import deque
from collections.abc import Callable

from simulators.devices.spoiling import Spoiling

SPLIT_GAP_SECONDS = 0.02  # long enough for a host to read the first part alone
BYTE_GAP_SECONDS = 0.001
LATE_SECONDS = 0.3  # many polls of a device that is asked; its driver waits for it
BABBLE_SECONDS, BABBLE_BYTES = 0.025, 3  # 120 bytes a second: even the slowest wire has room for its reports beside it

SPLIT, BYTEWISE, BABBLE, LATE, MUTE = "split", "bytewise", "babble", "late", "mute"
CORRUPT, LOST, DOUBLED = "corrupt", "lost", "doubled"


class WireFaults(Spoiling):
    """Reports go through `pass_on` and leave by `onward`, one chunk a report; without faults, at once and unchanged.

    With a fault, the next reports are corrupted, lost or doubled. A later report never overtakes a delayed one.
    `babble` is where noise goes, if not `onward`.
    """

    def __init__(
        self,
        onward: Callable[[bytes], None],
        corrupted: Callable[[bytes, random.Random], bytes] | None = None,
        babble: Callable[[bytes], None] | None = None,
    ) -> None:
        super().__init__()
        self.chance = random.Random(0)
        self._onward = onward
        self._corrupted = corrupted or flip_a_byte
        self._babble = babble or onward
        self._lasting: set[str] = set()
        self._waiting: deque[tuple[float, bytes]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._babbling: asyncio.TimerHandle | None = None

    def begin(self, kind: str) -> None:
        """Splits, delays or silences the reports, or adds babble, from now on until `end`."""
        if kind in self._lasting:
            return
        self._lasting.add(kind)
        self.report(kind, True)
        if kind == BABBLE:
            self._say_noise()

    def end(self, kind: str) -> None:
        """Ends that fault."""
        if kind not in self._lasting:
            return
        self._lasting.discard(kind)
        if kind == BABBLE and self._babbling:
            self._babbling.cancel()
        self.report(kind, False)

    def pass_on(self, report: bytes) -> None:
        """Passes on one report."""
        if MUTE in self._lasting or self._strikes(LOST):
            return
        if self._strikes(CORRUPT):
            report = self._corrupted(report, self.chance)
        for _ in range(2 if self._strikes(DOUBLED) else 1):
            self._pass_in_pieces(report)

    def forget(self) -> None:
        """Drops what is still on its way, as when the cable is pulled."""
        self._waiting.clear()
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def close(self) -> None:
        """No more octets leave."""
        self.forget()
        if self._babbling:
            self._babbling.cancel()

    def _pass_in_pieces(self, report: bytes) -> None:
        pieces, gap = [report], 0.0
        if BYTEWISE in self._lasting:
            pieces, gap = [bytes([byte]) for byte in report], BYTE_GAP_SECONDS
        elif SPLIT in self._lasting and len(report) > 1:
            cut = self.chance.randrange(1, len(report))
            pieces, gap = [report[:cut], report[cut:]], SPLIT_GAP_SECONDS
        delay = LATE_SECONDS if LATE in self._lasting else 0.0
        if not (delay or gap or self._waiting):
            self._onward(report)
            return
        loop = asyncio.get_running_loop()
        due = loop.time() + delay
        if self._waiting:
            due = max(due, self._waiting[-1][0] + gap)
        for number, piece in enumerate(pieces):
            self._waiting.append((due + number * gap, piece))
        if self._timer is None:
            self._timer = loop.call_at(self._waiting[0][0], self._let_out)

    def _let_out(self) -> None:
        loop = asyncio.get_running_loop()
        due, piece = self._waiting.popleft()
        self._onward(piece)
        self._timer = loop.call_at(max(due, self._waiting[0][0]), self._let_out) if self._waiting else None

    def _say_noise(self) -> None:
        self._babble(self.chance.randbytes(BABBLE_BYTES))
        self._babbling = asyncio.get_running_loop().call_later(BABBLE_SECONDS, self._say_noise)


def flip_a_byte(report: bytes, chance: random.Random) -> bytes:
    """The same octets with another value in one byte."""
    place = chance.randrange(len(report))
    return report[:place] + bytes([report[place] ^ chance.randrange(1, 256)]) + report[place + 1 :]

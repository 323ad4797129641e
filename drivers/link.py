"""The one reconnect loop: converse, lose, back off, converse again; it reports only losses and recoveries."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from drivers.device import DeviceMessage, DeviceName, Mark, Receive
from drivers.faults import Cause, LinkFailure
from drivers.messages import LinkLost, LinkUp, Message, NoiseReceived

BACKOFF_FLOOR_SECONDS = 0.5  # a port that comes back is tried at least twice a second at first
BACKOFF_CEILING_SECONDS = 30.0  # the sign has 30 s to show an amount: no device waits longer for its next try
NOISE_REPORT_SECONDS = 1.0  # babble at 115200 baud must not flood the station


@dataclass(frozen=True, slots=True)
class LinkTiming:
    """The times of the reconnect loop, in seconds; shortened in tests."""

    floor: float = BACKOFF_FLOOR_SECONDS
    ceiling: float = BACKOFF_CEILING_SECONDS
    noise_report: float = NOISE_REPORT_SECONDS


class Link:
    """The link to one device, over any number of conversations.

    A conversation opens the port, greets the device, exchanges messages, and ends by raising LinkFailure. It calls
    `answered` at the device's first valid answer; only this resets the back-off and reports LinkUp. LinkLost is
    reported at the loss, and again if two tries in a row fail for a new cause.
    """

    def __init__(self, device: DeviceName, timing: LinkTiming, jitter: Callable[[], float] = random.random) -> None:
        self.device = device
        self.up = False
        self.is_starting = True  # no conversation has had an answer, or failed, yet
        self._timing = timing
        self._jitter = jitter  # uniform over 0 to 1
        self._receive: Receive | None = None
        self._down_since = 0.0
        self._tries = 0
        self._failures = 0  # conversations in a row without a valid answer
        self._reported: Cause | None = None  # of the present outage
        self._before: Cause | None = None  # of the try before
        self._noise = 0
        self._noise_timer: asyncio.TimerHandle | None = None

    async def run(self, receive: Receive, converse: Callable[[], Awaitable[None]]) -> None:
        """Converses until cancelled. A LinkFailure is a state; any other exception is a defect and is raised."""
        self._receive = receive
        self._down_since = asyncio.get_running_loop().time()
        self._tries = self._failures = 0
        self._reported = self._before = None
        try:
            while True:
                self._tries += 1
                try:
                    await converse()
                    raise LinkFailure(self.device, "conversation ended")
                except LinkFailure as failure:
                    self._lose(failure)
                await asyncio.sleep(self._back_off())
        finally:
            self.up = self.is_starting = False
            if self._noise_timer is not None:
                self._noise_timer.cancel()
                self._noise_timer = None

    def answered(self) -> None:
        """The device has given a valid answer in this conversation."""
        if self.up:
            return
        self.up, self.is_starting = True, False
        outage = asyncio.get_running_loop().time() - self._down_since
        tries, self._tries, self._failures = self._tries, 0, 0
        self._reported = self._before = None
        self.report(LinkUp(outage, tries))

    def report(self, message: Message, mark: Mark | None = None) -> None:
        assert self._receive is not None
        self._receive(DeviceMessage(self.device, message, mark))

    def noise(self, octets: int) -> None:
        """Count noise; the first is reported at once, later noise together after the reporting interval."""
        self._noise += octets
        if self._noise_timer is None:
            self._say_noise()

    def _say_noise(self) -> None:
        self._noise_timer = None
        if self._noise:
            count, self._noise = self._noise, 0
            self._noise_timer = asyncio.get_running_loop().call_later(self._timing.noise_report, self._say_noise)
            self.report(NoiseReceived(count))

    def _lose(self, failure: LinkFailure) -> None:
        if self.up:
            self.up = False
            self._down_since = asyncio.get_running_loop().time()
        self.is_starting = False
        before, self._before = self._before, failure.cause
        if self._reported is None or (failure.cause != self._reported and failure.cause == before):
            self._reported = failure.cause
            self.report(LinkLost(failure.reason, failure.cause))

    def _back_off(self) -> float:
        longest = min(self._timing.ceiling, self._timing.floor * 2.0 ** min(self._failures, 30))
        self._failures += 1
        return max(self._timing.floor, longest * (0.5 + self._jitter() / 2))

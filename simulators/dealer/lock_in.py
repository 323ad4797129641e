"""The lock-in button and its lamp: pressed again until the lamp lights, as the dealer was taught."""

import asyncio
import sys
from collections.abc import Awaitable, Callable

from simulators.dealer import hands
from simulators.devices.make import Board
from simulators.felt.camera import Camera
from simulators.pace import Pace


class LockInPress:
    """Presses the lock-in button once a round; first waits until the lamp of the round before is off."""

    def __init__(
        self,
        slots: Board,
        button: int,
        lamp: int,
        camera: Camera,
        pace: Pace,
        changed: Callable[[float], Awaitable[None]],
    ) -> None:
        self._slots = slots
        self._button = button
        self._lamp = lamp
        self._camera = camera
        self._changed = changed
        self._filmed = False
        self._presses = 0
        self._wait = hands.LAMP_WAIT_AT_MAX_SECONDS if pace.instant else hands.LAMP_WAIT_SECONDS
        self._gap = hands.PRESS_GAP_AT_MAX_SECONDS if pace.instant else hands.PRESS_GAP_SECONDS

    def new_round(self) -> None:
        """Begins a round with nothing locked."""
        self._filmed = False
        self._presses = 0

    def film(self) -> None:
        """The betting is closed, by the button or on the screen: seen once in a round."""
        if not self._filmed:
            self._filmed = True
            self._camera.saw("lock_in")

    async def press(self, moved_on: Callable[[], bool]) -> bool:
        """Presses the button until the lamp lights; False if it did not light in time, and the dealer presses again."""
        await self._until(lambda: not self._lit or moved_on())
        if moved_on():
            return True
        self.film()
        self._presses += 1
        self._slots.sense(self._button, True)
        try:
            answered = await self._until(lambda: self._lit or moved_on())
        finally:
            self._slots.sense(self._button, False)
        if answered:
            await self._until(moved_on)
            if self._presses > 1:
                # The last one may have come when the betting was closed already: no later round shall receive it.
                await asyncio.sleep(self._gap)
        else:
            await asyncio.sleep(self._gap)
        return answered

    async def wait_for_lamp(self) -> bool:
        """Waits for the lock lamp; returns whether it is lit. The limit is a person's patience at any speed, since
        it is awaited once.
        """
        return await self._until(lambda: self._lit, hands.LAMP_WAIT_SECONDS)

    def missed_lamp(self) -> None:
        """Betting is closed on the screen and the lamp is dark: reported, and the dealer continues by the screen."""
        print("the lock lamp did not light; sweeping by the screen", file=sys.stderr, flush=True)

    @property
    def _lit(self) -> bool:
        return self._slots.relays[self._lamp]

    async def _until(self, condition: Callable[[], bool], seconds: float | None = None) -> bool:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + (self._wait if seconds is None else seconds)
        while not condition():
            if (left := deadline - loop.time()) <= 0:
                return False
            await self._changed(left)
        return True

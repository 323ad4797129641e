"""The chip sensors between the slots and the board that reads them: stuck, bouncing, storming, passed by."""

import asyncio
from collections.abc import Callable

BOUNCES, BOUNCE_SECONDS = 20, 0.002
STORM_SECONDS = 0.001  # up and down in every one: 1 kHz


class Sensors:
    """`board` is called with the level of each sensor: that set by `sense`, unless the sensor has a fault."""

    def __init__(self, board: Callable[[int, bool], None]) -> None:
        self._board = board
        self._lying: dict[int, bool] = {}
        self._shown: dict[int, bool] = {}
        self._stuck: set[int] = set()
        self._fluttering: dict[int, asyncio.TimerHandle] = {}
        self._over: dict[int, Callable[[], None]] = {}  # reported when a bouncing sensor is at rest

    def sense(self, number: int, level: bool) -> None:
        """Something is on the sensor, or nothing is."""
        self._lying[number] = level
        if number not in self._stuck and number not in self._fluttering:
            self._show(number, level)

    def stick(self, number: int) -> None:
        """The sensor stays at its present level, with or without a chip."""
        self._stop(number)
        self._stuck.add(number)

    def bounce(self, number: int, over: Callable[[], None] = lambda: None) -> None:
        """The sensor changes some twenty times, then shows what is on it; `over` is called as it comes to rest."""
        self._stop(number)
        self._over[number] = over
        self._flutter(number, BOUNCES)

    def storm(self, number: int) -> None:
        """The sensor goes up and down a thousand times a second until it is calmed."""
        self._stop(number)
        self._storm(number, asyncio.get_running_loop().time())

    def pass_by(self, number: int) -> None:
        """The level changes and is back before anybody can ask."""
        level = self._shown.get(number, False)
        self._show(number, not level)
        self._show(number, level)

    def calm(self, number: int) -> None:
        """The sensor is in order again and shows what is on it."""
        self._stop(number)
        self._show(number, self._lying.get(number, False))

    def close(self) -> None:
        """The sensors stay as they are from now on."""
        for timer in self._fluttering.values():
            timer.cancel()

    def _stop(self, number: int) -> None:
        self._stuck.discard(number)
        if timer := self._fluttering.pop(number, None):
            timer.cancel()
        if over := self._over.pop(number, None):
            over()

    def _show(self, number: int, level: bool) -> None:
        self._shown[number] = level
        self._board(number, level)

    def _flutter(self, number: int, left: int) -> None:
        if not left:
            self.calm(number)
            return
        self._show(number, not self._shown.get(number, False))
        self._again(number, BOUNCE_SECONDS, self._flutter, left - 1)

    def _storm(self, number: int, done: float) -> None:
        now = asyncio.get_running_loop().time()
        while done <= now:  # what the loop was too busy for is made up
            self.pass_by(number)
            done += STORM_SECONDS
        self._again(number, STORM_SECONDS, self._storm, done)

    def _again(self, number: int, seconds: float, work: Callable[..., None], *what: float) -> None:
        self._fluttering[number] = asyncio.get_running_loop().call_later(seconds, work, number, *what)

"""The pause of a client before it reconnects, and whether another client uses its id. No I/O here."""

import random

FLOOR_SECONDS = 0.5
CEILING_SECONDS = 30.0
CONTESTED_SECONDS = 4 * CEILING_SECONDS  # two clients that take each other's connection hold it for up to a ceiling
TAKEN_TIMES = 3


class Backoff:
    """The pauses between the tries of one client; `contested` while another client takes its connection.

    If two clients use one id, the broker closes the connection of one when the other connects (MQTT 3.1.1 and 5,
    3.1.4). To the client, the broker closes each connection soon and accepts the next.
    """

    def __init__(self) -> None:
        self.contested = False
        self._pause = FLOOR_SECONDS
        self._taken = 0  # times in a row

    def lost(self, connected_seconds: float, closed: bool) -> None:
        """A connection is lost after `connected_seconds` seconds in use; `closed`: the broker closed it."""
        if connected_seconds >= (CONTESTED_SECONDS if self.contested else CEILING_SECONDS):
            self.contested, self._taken, self._pause = False, 0, FLOOR_SECONDS
        self._taken = self._taken + 1 if closed else 0

    def failed(self) -> None:
        """A try failed: the broker was offline, or refused the client."""
        self._taken = 0

    @property
    def seems_contested(self) -> bool:
        """Whether the connection was lost as often as if another client used the same id."""
        return self._taken >= TAKEN_TIMES

    def pause(self) -> float:
        """The seconds until the next try; each pause is twice as long as the one before."""
        pause, self._pause = self._pause, min(self._pause * 2, CEILING_SECONDS)
        return pause * random.uniform(0.75, 1.25)

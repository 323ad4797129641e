"""The interface of every driver: a device sends messages, takes orders, and learns what is durable. No I/O here."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from drivers.messages import Message
from drivers.orders import Order

DeviceName = Literal["shuffler", "shoe", "slots", "sign"]
"""The name of a device, as in `station.toml`."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a device's numbered messages continue after one of them; journaled with what that message caused.

    Shuffler: `boot` is the machine's boot id and `sequence` the message's (0 to 65535). Shoe: `boot` is 0 and
    `sequence` the report's number (1 to 9; 0 after a start report). A mark holds no card.
    """

    boot: int
    sequence: int


@dataclass(frozen=True, slots=True)
class DeviceMessage:
    """One message of a device, as the station receives it."""

    device: DeviceName
    message: Message
    mark: Mark | None  # None: the message is not numbered and cannot be asked for again


Receive = Callable[[DeviceMessage], None]


class Device(ABC):
    """A device at the end of its wire. All methods are called on the event loop's thread.

    `receive` is called from the read callback, so it must only queue. A numbered message is received once in the life
    of a process, also over reconnects: its receiver keeps it until it is journaled. After a restart the device is built
    again with the last durable mark, and what came after that mark is received (shuffler) or reported lost (shoe).
    """

    name: DeviceName

    @abstractmethod
    async def run(self, receive: Receive) -> None:
        """Owns the link and its reconnect loop until cancelled. An absent device is a state, never an exception."""

    @abstractmethod
    def order(self, wanted: Order) -> None:
        """Set the state that the station wants: the latest order wins, and is sent again after every reconnect.

        Raises TypeError for an order of another device; that is a mistake in the program, not on the wire.
        """

    def durable(self, mark: Mark) -> None:  # noqa: B027
        """Everything up to `mark` is journaled; a device that repeats no messages ignores this."""

    async def read_again(self) -> None:  # noqa: B027
        """Returns when the state of the sensors is reported, or the link is lost; at once without sensors.

        After the start it waits for the first answer, or for the failure of the first try.
        """

"""The messages that the parts of a station send to each other while it runs: each event by its type. No I/O here."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import msgspec

from controller.engine.decisions.decision import DeviceInput
from controller.engine.state.alarms import ActiveAlarm
from controller.engine.state.applied import Event
from controller.engine.state.table import Table
from controller.journal.records import DeviceMark, OutboxRow
from controller.rulebook.parts.faults import DeviceName

Published = TypeVar("Published")


class FromWire(msgspec.Struct, frozen=True):
    """A message of a device, and the mark after which its numbered messages resume."""

    device: DeviceName
    message: Any
    mark: DeviceMark | None


class FromStation(msgspec.Struct, frozen=True):
    """An input of the station itself: its parameters, the broker's link."""

    input: DeviceInput


class StationAlarm(msgspec.Struct, frozen=True):
    """An alarm of the station itself, that is to be raised; with `once` not while one of this name is active."""

    alarm: ActiveAlarm
    once: bool = False


class Committed(msgspec.Struct, frozen=True):
    """A commit that has just become durable: the events, the table after them, the messages for the floor, the marks.

    `sequence` is the number of the last message.
    """

    time: str
    events: tuple[Event, ...]
    table: Table
    outbox: tuple[OutboxRow, ...]
    marks: tuple[DeviceMark, ...]
    sequence: int


class CommitPublished(Committed, frozen=True):
    """The same, once its messages are on their way to the floor: devices, statistics and records follow."""


class PublicationDue(msgspec.Struct, frozen=True):
    """Something outside the journal has changed that is to be published to the floor."""


class BrokerAcknowledged(msgspec.Struct, frozen=True):
    """The broker has taken the message of this number."""

    sequence: int


class Bus:
    """Calls the subscribers of an event at once, in the order in which they subscribed."""

    def __init__(self) -> None:
        self._subscribers: defaultdict[type, list[Callable[[Any], object]]] = defaultdict(list)

    def subscribe(self, kind: type[Published], take: Callable[[Published], object]) -> None:
        """Subscribes to every event of exactly this type."""
        self._subscribers[kind].append(take)

    def publish(self, event: object) -> None:
        """Publishes an event; returns once every subscriber has taken it. On the loop's thread."""
        for take in self._subscribers[type(event)]:
            take(event)

    def from_threads(self, loop: asyncio.AbstractEventLoop) -> Callable[[object], None]:
        """A function that publishes in the loop's next turn, from any thread; it does nothing once the loop has
        ended.
        """

        def publish_soon(event: object) -> None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self.publish, event)

        return publish_soon

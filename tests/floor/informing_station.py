"""What a floor client has around it, and what it says of its link; a table that has nothing to say."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager

import aiomqtt
import pytest

from controller.floor.broker import Broker
from controller.floor.client import STATUS_AGAIN_SECONDS, FloorClient
from controller.floor.handler import Topics
from controller.floor.messages import Identity
from controller.floor.outbox import Outbox, UnsentMessage
from controller.floor.requests import Requests
from controller.journal.records import OutboxRow
from controller.rulebook.parts.faults import LossCause
from controller.system.tasks import ended


def quiet_status(session: int, online: bool) -> bytes:
    """The status of a quiet table in this session."""
    return json.dumps({"source": "/dealer/site/t1/quiet", "session": session, "data": {"online": online}}).encode()


class QuietTable:
    """What a test is about, it overrides."""

    session = 0

    def begin_session(self) -> None:
        self.session += 1

    def status(self, online: bool) -> tuple[str, bytes]:
        return "dealer/status", quiet_status(self.session, online)

    def retained(self) -> dict[str, bytes]:
        return {}

    def differences(self) -> Iterable[tuple[str, bytes]]:
        return ()

    def due(self) -> Iterable[tuple[str, bytes]]:
        return ()

    def on_hold(self) -> bool:
        return False

    def overtakes(self, payload: bytes) -> bool:
        return False

    def on_link(self, reason: str | None, outage_seconds: float, tries: int, cause: LossCause) -> None: ...

    def on_acknowledged(self, sequence: int) -> None: ...

    def on_undelivered(self, row: UnsentMessage) -> None: ...

    def on_untaken(self, row: UnsentMessage, reason: str) -> None: ...

    def on_refused(self, reasons: Sequence[str]) -> None: ...

    def on_forged(self, topic: str) -> None: ...

    def on_overflow(self, topic: str) -> None: ...

    def on_other(self, source: str) -> None: ...

    def on_contested(self) -> None: ...

    def on_received(self, topic: str, payload: bytes, retained: bool) -> None: ...


EVENTS = "dealer/events/"
IDENTITY = Identity("site", "t1", "00000000-0000", "simulation", "MOP", 2)  # whose requests it receives


class Station(QuietTable):
    """What a floor client has around it: an outage changes what it reports, as the table's device and alarm do."""

    def __init__(
        self,
        broker: Broker,
        left: Sequence[str] = (),
        maybe_retained: Sequence[str] = (),
        status_again: float = STATUS_AGAIN_SECONDS,
    ) -> None:
        self.edges: list[str] = []
        self.reasons: list[str] = []
        self.causes: list[LossCause] = []
        self.untaken: list[tuple[int, str]] = []
        self.forged: list[str] = []
        self.without_receiver: list[str] = []
        self.refused: list[str] = []
        self.acknowledged = 0
        self.contested = 0
        self._changed = asyncio.Event()
        self.state = {"back": b"state", "lost": b"state, without the floor"}
        self._rows: list[OutboxRow] = []
        self.outbox = Outbox(self._read, 0)
        own = ["dealer/status", "dealer/state", "dealer/alarms/+"]
        requests = Requests(
            IDENTITY,
            (),
            kept=lambda: (1, len(self._rows)),
            read=lambda first, limit: self._rows[first - 1 :][:limit],
            acknowledged=lambda archive, through: None,
            now=lambda: "now",
        )
        topics = Topics(own=own, left=left, maybe_retained=maybe_retained)
        self.client = FloorClient(broker, self.outbox, self, topics, requests, status_again)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until this holds after the link changed or a message was acknowledged."""
        while not condition():
            self._changed.clear()
            await self._changed.wait()

    def say(self, event: str, payload: bytes = b"") -> None:
        """An event has become durable."""
        row = OutboxRow(sequence=len(self._rows) + 1, topic=EVENTS + event, payload=payload or b"%d" % len(self._rows))
        self._rows.append(row)
        self.outbox.add([row])

    @property
    def sent(self) -> list[str]:
        """Every event, in order."""
        return [row.topic.removeprefix(EVENTS) for row in self._rows]

    def retained(self) -> dict[str, bytes]:
        return {"dealer/state": self.state[self.edges[-1] if self.edges else "back"]}

    def on_untaken(self, row: UnsentMessage, reason: str) -> None:
        self.untaken.append((row.sequence, reason))

    def on_undelivered(self, row: UnsentMessage) -> None:
        self.without_receiver.append(row.topic.removeprefix(EVENTS))

    def on_link(self, reason: str | None, outage_seconds: float, tries: int, cause: LossCause) -> None:
        self.edges.append("back" if reason is None else "lost")
        self.reasons += [] if reason is None else [reason]
        self.causes += [] if reason is None else [cause]
        self.say(self.edges[-1])
        self._changed.set()

    def on_forged(self, topic: str) -> None:
        self.forged.append(topic)
        self._changed.set()

    def on_contested(self) -> None:
        self.contested += 1
        self._changed.set()

    def on_refused(self, reasons: Sequence[str]) -> None:
        self.refused += reasons
        self._changed.set()

    def on_acknowledged(self, sequence: int) -> None:
        self.acknowledged = sequence
        self._changed.set()

    async def _read(self, after: int, limit: int) -> Sequence[OutboxRow]:
        return [row for row in self._rows if row.sequence > after][:limit]


def connecting(monkeypatch: pytest.MonkeyPatch) -> list[aiomqtt.Client]:
    """Every client that connects from now on, in order."""
    clients: list[aiomqtt.Client] = []
    connect = aiomqtt.Client.__aenter__

    async def connects(client: aiomqtt.Client) -> aiomqtt.Client:
        clients.append(client)
        return await connect(client)

    monkeypatch.setattr(aiomqtt.Client, "__aenter__", connects)
    return clients


@asynccontextmanager
async def informing(
    broker: Broker,
    left: Sequence[str] = (),
    maybe_retained: Sequence[str] = (),
    session: int = 0,
    status_again: float = STATUS_AGAIN_SECONDS,
) -> AsyncIterator[Station]:
    """A station that keeps this broker informed, after the session of this number."""
    station = Station(broker, left, maybe_retained, status_again)
    station.session = session
    running = asyncio.create_task(station.client.run())
    try:
        yield station
    finally:
        await ended(running)
        await disconnected(station.client)


async def disconnected(client: FloorClient) -> None:
    """End the connection of a cancelled client, without a goodbye."""
    if (connected := client._last_client) is not None and connected.left_open:
        async with connected:
            pass

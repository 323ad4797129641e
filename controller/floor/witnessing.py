"""A witness at a broker: it receives the checkpoints of tables, and publishes its cosignatures or refusals."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress

import aiomqtt
import msgspec
import structlog

from controller.floor.broker import Broker
from controller.floor.causes import cause_of
from controller.floor.certificates import log_ending, watch_certificates
from controller.floor.client import REFUSED_AGAIN_SECONDS
from controller.floor.messages import cosignature
from controller.floor.mqtt import AcknowledgedClient, PublishRefused, connection
from controller.floor.shapes import SCHEMA, Cosignature, PublishedCheckpoint
from controller.system.tasks import apart, first_exception
from controller.system.times import now
from controller.tlog.witness import Seen, Witness, WitnessVerdict

AGAIN_SECONDS = 5.0  # after a broker that was lost
LOOK_SECONDS = 5.0

log = structlog.get_logger()


class _CheckpointMessage(msgspec.Struct):
    data: PublishedCheckpoint


async def _no_tables() -> Collection[str]:
    return ()


class Witnessing:
    """A running witness. `keep` stores its state of tables durably, by name, before anything is published.

    `accepted` returns the tables that a person has accepted while it runs.
    """

    def __init__(
        self,
        broker: Broker,
        witness: Witness,
        keep: Callable[[Mapping[str, Seen]], Awaitable[None]],
        accepted: Callable[[], Awaitable[Collection[str]]] = _no_tables,
    ) -> None:
        self._broker = broker
        self._witness = witness
        self._keep, self._accepted = keep, accepted
        self._written = dict(witness.seen)
        self._refused: dict[str, float] = {}  # tables whose topic the broker refuses, and when each is tried again
        self._newest: dict[str, bytes] = {}  # checkpoints that are not judged yet
        self._came = asyncio.Event()
        self._turn = asyncio.Lock()  # what was judged is kept before anything else is

    async def run(self) -> None:
        """Receives and cosigns until cancelled, also while the broker is offline for a time. Raises what `keep`
        raises.
        """
        while True:
            try:
                client = connection(self._broker)
                async with client:
                    await apart(self._listen(client))
            except* (aiomqtt.MqttError, OSError) as group:
                cause, reason = client.loss or cause_of(first_exception(group))
                log.warning("the broker is away", cause=cause, reason=reason)
            await asyncio.sleep(AGAIN_SECONDS)

    async def _listen(self, client: AcknowledgedClient) -> None:
        for table in self._witness.tables:
            await self._publish(client, table)
            await client.subscribe(f"{table}/checkpoint", qos=1)
        log.info("witnessing", name=self._witness.name, tables=list(self._witness.tables))
        async with asyncio.TaskGroup() as group:
            group.create_task(self._look(client))
            group.create_task(watch_certificates(self._broker, lambda: client.certificate_ends, log_ending))
            group.create_task(self._receive(client))
            group.create_task(self._judge_all(client))

    async def _receive(self, client: AcknowledgedClient) -> None:
        """Keep the newest checkpoint of each table: while one is judged, others may come as fast as they like."""
        async for message in client.messages:
            table = str(message.topic).removesuffix("/checkpoint")
            if isinstance(message.payload, bytes) and message.payload and table in self._witness.tables:
                self._newest[table] = message.payload
                self._came.set()

    async def _judge_all(self, client: AcknowledgedClient) -> None:
        while True:
            await self._came.wait()
            self._came.clear()
            while self._newest:
                table = next(iter(self._newest))
                await self._judge(client, table, self._newest.pop(table))

    async def _judge(self, client: AcknowledgedClient, table: str, payload: bytes) -> None:
        note, addition = "", None
        with suppress(msgspec.DecodeError, RecursionError):
            checkpoint = msgspec.json.decode(payload, type=_CheckpointMessage).data
            note = checkpoint.note
            addition = next((sent.text for sent in checkpoint.additions if sent.witness == self._witness.name), None)
        async with self._turn:
            before = self._witness.reason(table)
            verdict = self._witness.judge(table, note, addition, int(time.time()), time.monotonic())
            if verdict is WitnessVerdict.REFUSED:
                if self._witness.reason(table) != before:
                    log.error("refused", table=table, reason=self._witness.reason(table))
            elif last := self._witness.last(table):
                log.info(verdict.name.lower(), table=table, events=last.size)
            await self._publish(client, table)

    async def _look(self, client: AcknowledgedClient) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            async with self._turn:
                for table in self._witness.overdue(time.monotonic()):
                    log.error("refused", table=table, reason=self._witness.reason(table))
                    await self._publish(client, table)
                for table in {*await self._accepted()} & self._witness.tables.keys():
                    log.warning("accepted", table=table)
                    self._witness.accept(table)
                    await self._publish(client, table)

    async def _publish(self, client: AcknowledgedClient, table: str) -> None:
        """Publishes what the witness decided for a table, once that is durable. If the broker refuses it, the others
        continue.
        """
        seen = dict(self._witness.seen)
        changed = {name: state for name, state in seen.items() if state != self._written[name]}
        if changed:
            await self._keep(changed)
            self._written = seen
        cosigned = Cosignature(SCHEMA, seen[table].note, seen[table].refusal)
        payload = cosignature(self._witness.name, cosigned, now())
        if time.monotonic() < self._refused.get(table, 0.0):
            return
        try:
            await client.deliver(f"{table}/cosignatures/{self._witness.name}", payload, retain=True)
        except PublishRefused as refused:
            self._refused[table] = time.monotonic() + REFUSED_AGAIN_SECONDS
            log.error("the table does not get the answer", table=table, reason=str(refused))

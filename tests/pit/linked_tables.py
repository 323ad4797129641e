"""Tables at a linked pot, over a real broker: the table's side as the station will run it, with a disk in memory."""

import asyncio
import secrets
import time
from collections.abc import Callable
from typing import Any

import aiomqtt
import msgspec

from controller.floor.mqtt import CancellableClient
from controller.link.messages import Claimed, Entry, PitAnswer, Pot, SentEntry
from controller.link.signing import sealed, verified_message
from controller.link.table import Event, TableAtLink, TableClaim
from controller.rulebook.jackpot_award import Win
from controller.system.tasks import ended
from controller.tlog.notes import BadNote, Signer
from tests.link.entries import PIT_KEY, table_key

LINK = "linked"
TICK_SECONDS = 0.02
_decode_answer = msgspec.json.Decoder(PitAnswer).decode
_decode_pot = msgspec.json.Decoder(Pot).decode


class LinkedTable:
    """A table whose journal outlives it; broker and pit may be away for any time."""

    def __init__(self, port: int, site: str, name: str, game: str) -> None:
        self.site, self.name, self.game, self._port = site, name, game, port
        self.disk: list[Event] = []
        self.seen: list[tuple[Pot, float]] = []
        self.journals = self.round = self.dropped = 0
        self._signer = table_key(f"{site}/{name}")
        self._task: asyncio.Task[None] | None = None
        self.start()

    def start(self) -> None:
        """It begins with what its journal has."""
        name, session = f"{self.site}/{self.name}", secrets.token_hex(8)
        self._session = session
        self.table = TableAtLink(LINK, self.game, name, self.disk, session, str(self._signer.verifier))
        if not self.table.kept.journal:
            self.begin()
        self._task = asyncio.create_task(self._run())

    def renew_key(self, signer: Signer) -> None:
        """The key was lost or stolen: another one under the same name, from the next start on."""
        self._signer = signer

    async def kill(self) -> None:
        if self._task is not None:
            await ended(self._task)

    def begin(self) -> None:
        """A new journal."""
        self.journals += 1
        self.do(self.table.begin(f"{self.name}-{self.journals}"))

    def do(self, events: list[Event]) -> Any:
        """Durable, and then it counts."""
        self.disk += events
        self.table.apply(events)
        return events[-1] if events else None

    @property
    def entries(self) -> dict[str, list[Entry]]:
        found: dict[str, list[Entry]] = {}
        for event in self.disk:
            if isinstance(event, Entry):
                found.setdefault(event.journal, []).append(event)
        return found

    async def until(self, done: Callable[[], object]) -> None:
        while not done():  # noqa: ASYNC110 whatever it is that is waited for
            await asyncio.sleep(TICK_SECONDS)

    async def published_all(self) -> None:
        """Until the pit has acknowledged everything."""
        await self.until(lambda: not self.table.kept.unsaid)

    async def granted(self, claim: str) -> None:
        await self.until(lambda: self.table.kept.hits[claim].grant is not None)

    async def contribute(self, chips: int) -> Entry:
        """Once chips are taken: those of a round."""
        await self.until(lambda: self.table.takes_chips(time.monotonic()))
        self.round += 1
        entry = self.do(self.table.contribute(self.round, chips))
        assert isinstance(entry, Entry)
        return entry

    async def win(self, *winners: Win) -> TableClaim:
        """A hit of this round, as it is once it is paid."""
        entry = self.do(self.table.claim(self.round, winners))
        assert isinstance(entry.body, Claimed)
        claim = entry.body.claim
        await self.granted(claim)
        self.do(self.table.pay(claim))
        return self.table.kept.hits[claim]

    async def _run(self) -> None:
        while True:
            try:
                async with (
                    CancellableClient("127.0.0.1", self._port, protocol=aiomqtt.ProtocolVersion.V5) as client,
                    asyncio.TaskGroup() as group,
                ):
                    group.create_task(self._say(client))
                    group.create_task(self._receive(client))
            except* (aiomqtt.MqttError, OSError):
                pass  # the broker is away
            await asyncio.sleep(0.1)

    async def _say(self, client: aiomqtt.Client) -> None:
        while True:
            for entry in self.table.due(time.monotonic()):
                topic = f"dealer/{self.site}/{self.name}/link/{LINK}"
                key = "" if self.table.is_compared else str(self._signer.verifier)
                of_table = self._session, key, self.table.epoch
                sent_entry = SentEntry(entry.link, entry.table, entry.journal, entry.seq, entry.body, *of_table)
                await client.publish(topic, sealed(self._signer, topic, sent_entry), qos=1)
            await asyncio.sleep(TICK_SECONDS)

    async def _receive(self, client: aiomqtt.Client) -> None:
        for topic in (f"dealer/{self.site}/{self.name}/linked/{LINK}", f"dealer/{self.site}/links/{LINK}/pot"):
            await client.subscribe(topic)
        async for message in client.messages:
            now = time.monotonic()
            try:
                content = verified_message([PIT_KEY.verifier], str(message.topic), bytes(message.payload))
            except BadNote:
                self.dropped += 1
                continue
            if str(message.topic).endswith("/pot"):
                pot = _decode_pot(content)
                self.seen.append((pot, now))
                self.do(self.table.receive_pot(pot, now, message.retain))
            else:
                answer: PitAnswer = _decode_answer(content)
                self.do(self.table.receive(answer, now))

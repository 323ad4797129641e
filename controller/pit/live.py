"""The present state of every table: its retained messages, received over a connection that publishes nothing."""

import asyncio
import time
from typing import Any, TypeVar

import aiomqtt
import msgspec
import structlog

from controller.engine.shown.prompts import alarm_words
from controller.floor.broker import Broker
from controller.floor.mqtt import connection
from controller.floor.seldom import Seldom
from controller.floor.shapes import Cosignature
from controller.pit.alarms import Alarms
from controller.pit.backlog import Backlog
from controller.pit.inbox import MOST_TABLES, TableJournal
from controller.pit.links_watch import LinkShown, LinksWatch
from controller.pit.tiles import RETAINED, TableTile, TileAlarm, by_urgency, tile
from controller.system.tasks import ProgramStops
from controller.tlog.notes import BadNote, VerifierKey
from controller.tlog.witness import refusal_of

RETRY_SECONDS = 1.0
LEAST_SECONDS = 0.2  # between two pictures

_Key = tuple[str, str]
Found = TypeVar("Found")

log = structlog.get_logger()


class _Message(msgspec.Struct, frozen=True):
    data: dict[str, Any]
    time: str = ""
    source: str = ""
    session: int = 0


class _Cosigned(msgspec.Struct, frozen=True):
    time: str
    data: Cosignature


class Picture(msgspec.Struct, frozen=True):
    """All tables, in the order in which they need someone; `connected` is whether the broker is there.

    `links` are linked pots, `alarms` the pit's own.
    """

    connected: bool
    links: tuple[LinkShown, ...]
    tables: list[TableTile]
    alarms: tuple[TileAlarm, ...]


class Live:
    """The present state of all tables, and a new picture after each change."""

    def __init__(
        self,
        witness: VerifierKey | None = None,
        links: LinksWatch | None = None,
        alarms: Alarms | None = None,
        backlog: Backlog | None = None,
    ) -> None:
        self._witness, self._links, self._alarms = witness, links or LinksWatch(""), alarms or Alarms()
        self._backlog = backlog or Backlog("")
        self._retained: dict[_Key, dict[str, Any]] = {}
        self._statuses: dict[_Key, _Message] = {}
        self._hits: dict[_Key, dict[int, str]] = {}  # that are not paid: the time of the first message that had each
        self._connected = False
        self._closed = False
        self._changed = asyncio.Event()
        self._links.changed = self._alarms.changed = self._backlog.changed = self._changed.set
        self._bad = Seldom()
        self._shown = b""
        self._drawn = 0.0

    def receive(self, topic: str, content: bytes) -> None:
        """Takes a retained message; an empty one removes the earlier one."""
        _, site, table, what, *_ = topic.split("/")
        if (site, table) not in self._retained and len(self._retained) >= MOST_TABLES:
            self._warn(topic, f"expected at most {MOST_TABLES} tables")
            return
        topics = self._retained.setdefault((site, table), {})
        try:
            if what == "cosignatures":
                topics[what] = self._refusal(f"dealer/{site}/{table}", content)
            else:
                message = msgspec.json.decode(content, type=_Message) if content else None
                if what == "status" and self._is_late((site, table), message):
                    return
                topics[what] = None if message is None else message.data
                if what == "state":
                    self._count(site, table, message)
            tile(site, table, topics)
            if what == "jackpot":
                self._hits[site, table] = self._since_of_hits((site, table), message)
        except (
            msgspec.MsgspecError,
            RecursionError,
            LookupError,
            TypeError,
            ValueError,
            AttributeError,
            BadNote,
        ) as bad:
            topics[what] = None
            self._warn(topic, str(bad))
        self._changed.set()

    def _since_of_hits(self, key: _Key, jackpot: _Message | None) -> dict[int, str]:
        if jackpot is None:
            return {}
        known = self._hits.get(key, {})
        open_hits = (hit["hit"] for hit in jackpot.data["hits"] if hit["state"] != "paid")
        return {hit: known.get(hit, jackpot.time) for hit in open_hits}

    def _warn(self, topic: str, reason: str) -> None:
        if count := self._bad.due():
            log.warning("bad message", topic=topic, reason=reason[:1000], count=count)

    def _count(self, site: str, table: str, state: _Message | None) -> None:
        if state is None:
            self._backlog.forget(site, table)
        elif isinstance(last := state.data.get("as_of"), int):
            self._backlog.published(TableJournal(site, table, state.source.rpartition("/")[2]), last)

    def _is_late(self, key: _Key, status: _Message | None) -> bool:
        """Whether this is the will of a session that another session has followed; else it is the table's status."""
        known = self._statuses.get(key)
        if status is None:
            self._statuses.pop(key, None)
        elif known is not None and status.source == known.source and status.session < known.session:
            return True
        else:
            self._statuses[key] = status
        return False

    def _refusal(self, base: str, content: bytes) -> dict[str, Any] | None:
        """The refusal of a table by this pit's own witness. The word of another witness does not count."""
        if not content or self._witness is None:
            return None
        message = msgspec.json.decode(content, type=_Cosigned)
        if message.data.refusal is None:
            return None
        table, reason = refusal_of(self._witness, message.data.refusal)
        if table != base:
            raise ValueError(table)
        text = alarm_words("witness_refuses", {"witness": self._witness.name})
        return {"text": text, "details": reason, "since": message.time}

    def retained(self, site: str, table: str) -> dict[str, Any] | None:
        """The retained messages of a table, by topic."""
        return self._retained.get((site, table))

    def tables(self) -> list[TableTile]:
        """All tables, in order."""
        found = (
            tile(*key, topics, self._backlog.behind.get(key), self._hits.get(key, {}))
            for key, topics in self._retained.items()
        )
        return by_urgency(shown for shown in found if shown is not None)

    def picture(self) -> bytes:
        """All tables as JSON; encoded again after a change."""
        if self._changed.is_set() or not self._shown:
            self._changed.clear()
            self._shown, self._drawn = self._drawing(), time.monotonic()
        return self._shown

    def _drawing(self) -> bytes:
        return msgspec.json.encode(Picture(self._connected, self._links.links, self.tables(), self._alarms.active()))

    async def changed(self, since: bytes) -> bytes:
        """The next picture that differs. Raises Closing when the pit stops."""
        while (shown := self.picture()) == since:
            if self._closed:
                raise ProgramStops
            await self._changed.wait()
            await asyncio.sleep(max(0.0, self._drawn + LEAST_SECONDS - time.monotonic()))
        return shown

    def close(self) -> None:
        """Releases everyone who waits for another picture."""
        self._closed = True
        self._changed.set()

    async def listen(self, broker: Broker) -> None:
        """Receives the tables' messages until cancelled, also while the broker is offline for a time."""
        message = ""
        while True:
            try:
                await self._listen(broker)
            except (aiomqtt.MqttError, OSError) as failure:
                reason = str(failure).strip()
                if self._connected or reason != message:  # once, however often it is tried
                    log.warning("no messages of tables are received", reason=reason)
                message = reason
            except Exception as defect:  # the archive continues beside it, and the page says that nothing is received
                log.exception("no messages of tables are received", reason=repr(defect))
            self._connected = False
            self._changed.set()
            await asyncio.sleep(RETRY_SECONDS)

    async def _listen(self, broker: Broker) -> None:
        async with connection(msgspec.structs.replace(broker, client_id=None)) as client:
            own = [] if self._witness is None else [f"cosignatures/{self._witness.name}"]
            for what in (*RETAINED, *own):
                await client.subscribe(f"dealer/+/+/{what}", qos=1)
            # What was taken back meanwhile is not reported any more.
            self._retained.clear()
            self._statuses.clear()
            self._connected = True
            self._changed.set()
            async for message in client.messages:
                self.receive(str(message.topic), bytes(message.payload))

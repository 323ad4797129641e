"""The pit at work: receives the messages of every table, requests missing ones, stores them, and acknowledges them."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import aiomqtt
import msgspec
import psycopg
import structlog
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller.config.file import LINKS
from controller.floor.broker import Broker
from controller.floor.certificates import log_ending, watch_certificates
from controller.floor.mqtt import prepared
from controller.floor.seldom import Seldom
from controller.floor.witnessing import Witnessing
from controller.pit import figures
from controller.pit.alarms import AWAY, FAILED, GAPS, LOCKED, NO_MONTHS, UNFIT, Alarms
from controller.pit.archive import OPEN_SECONDS, Archive, MessageGap, Superseded, within
from controller.pit.asking import MessagesAsked, Questions
from controller.pit.database import Locked, UnfitDatabase, why_away
from controller.pit.inbox import LONGEST_NAME, MOST_TABLES, BadMessage, Inbox, Number, TableJournal, read
from controller.pit.lease import LEASE_SECONDS, WATCH_SECONDS
from controller.pit.linking import Linking
from controller.pit.receiving import ArchiveClient
from controller.system.tasks import ended
from controller.tlog.witness import Seen, Witness

AT_ONCE = 2000  # messages of a transaction
STORE_EVERY_SECONDS = 0.05

log = structlog.get_logger()


class ServiceIntervals(msgspec.Struct, frozen=True):
    """The intervals of the service, in seconds; shortened in tests."""

    ask_after: float = 2.0  # what is under way need not be asked for
    again: float = 10.0  # after a question that no one answered
    refused: float = 600.0  # after one that was refused
    retry: float = 1.0
    merge: float = 60.0  # between two looks at rows of few messages
    look: float = 5.0  # between two looks at the partitions, and at what persons decided of gaps


class _State(msgspec.Struct, frozen=True):
    as_of: Number


class _Status(msgspec.Struct, frozen=True):
    source: str
    data: _State


class Service:
    """One archive. It runs until it is cancelled; broker and database may be offline for any time."""

    def __init__(
        self,
        broker: Broker,
        archive: str,
        database: str,
        holder: str,
        pace: ServiceIntervals | None = None,
        links: Iterable[Linking] = (),
        witness: Callable[[dict[str, Seen]], Witness] | None = None,
        alarms: Alarms | None = None,
    ) -> None:
        self._broker, self._name, self._database, self._holder = broker, archive, database, holder
        self._pace, self._witness, self.alarms = pace or ServiceIntervals(), witness, alarms or Alarms()
        self.links = {link.link: link for link in links}
        self.listening = asyncio.Event()
        """Set once it receives the tables, for the first time."""
        self._inbox = Inbox({})
        self._questions = Questions(archive, self._inbox, self._pace.ask_after, self._pace.again, self._pace.refused)
        self._figures: dict[tuple[str, str], figures._Row] = {}
        self._through: dict[TableJournal, int] = {}  # durable, and not acknowledged
        self._durable = asyncio.Event()
        self._gaps: dict[TableJournal, int] = {}  # the first message on which a person has to decide
        self._acknowledged: dict[TableJournal, int] = {}
        self._failed = 0  # messages that a defect kept from being read
        self._bad = Seldom()

    async def run(self) -> None:
        """Leads while no other process does."""
        while True:
            leading = asyncio.create_task(self._lead_once())
            try:
                await asyncio.wait([leading])
            finally:
                await ended(leading)
            # Cancelled by no one: in Python 3.11.2 a time-out is a cancellation after a TaskGroup has failed.
            if not leading.cancelled() and (failure := leading.exception()) is not None:
                reasons = _reasons(failure)
                log.warning("interrupted", reasons=[str(reason).strip() for reason in reasons])
                for reason in reasons:
                    if isinstance(reason, Locked | UnfitDatabase):
                        self.alarms.report(LOCKED if isinstance(reason, Locked) else UNFIT, str(reason))
                    elif isinstance(reason, psycopg.Error):
                        self.alarms.report_away(*why_away(reason))
            await asyncio.sleep(self._pace.retry)

    async def _lead_once(self) -> None:
        async with within(OPEN_SECONDS):
            archive = await Archive.open(self._database, self._holder)
        try:
            self.alarms.clear(UNFIT)
            self.alarms.clear(AWAY)
            for link in self.links.values():
                archive.above(link.above)
            while not await _leads(archive):
                for alarm in (LOCKED, NO_MONTHS):  # of one that leads, or makes the schema
                    self.alarms.clear(alarm)
                self._show_gaps(await archive.gaps())
                await asyncio.sleep(min(WATCH_SECONDS, self._pace.retry))
            log.info("leading", holder=self._holder)
            await self._lead(archive)
        finally:
            with contextlib.suppress(psycopg.Error, TimeoutError):
                await archive.close()

    async def _lead(self, archive: Archive) -> None:
        async with within(OPEN_SECONDS):
            self._inbox = Inbox(await archive.through())
            self._take_gaps(await archive.gaps())
        self._questions.begin(self._inbox)
        self._acknowledged.clear()
        async with self._client() as client, asyncio.TaskGroup() as group:
            group.create_task(self._keep_the_lead(archive))
            group.create_task(self._subscribe(client))
            group.create_task(self._receive(client, archive))
            group.create_task(self._store(client, archive))
            group.create_task(self._acknowledge(client))
            group.create_task(watch_certificates(self._broker, lambda: client.certificate_ends, log_ending))
            group.create_task(self._look_after(archive))
            group.create_task(self._merge(archive))
            for link in self.links.values():
                assert archive.epoch is not None
                group.create_task(link.lead(client, archive.epoch, archive.leads))
            if self._witness is not None:
                group.create_task(self._cosign(archive, self._witness(await archive.witnessed())))

    def _client(self) -> ArchiveClient:
        session = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        session.SessionExpiryInterval = 24 * 3600
        broker = self._broker
        return ArchiveClient(
            broker.host,
            broker.port,
            identifier=broker.client_id or f"dealer-pit-{self._name}",
            prepare=prepared(broker),
            keepalive=broker.keepalive,
            clean_start=False,
            properties=session,
        )

    async def _cosign(self, archive: Archive, witness: Witness) -> None:
        broker = msgspec.structs.replace(self._broker, client_id=None)  # a connection of its own
        await Witnessing(broker, witness, archive.keep_witnessed, archive.accepted).run()

    async def _keep_the_lead(self, archive: Archive) -> None:
        epoch = archive.epoch
        while True:
            await asyncio.sleep(LEASE_SECONDS / 4)
            if not await _leads(archive) or archive.epoch != epoch:  # also one that has let go of it again
                raise Superseded("another process has taken the lead")

    async def _subscribe(self, client: aiomqtt.Client) -> None:
        """Subscribes while messages are received: the answers come after the messages that waited in the session."""
        links = [f"link/{name}" for name in self.links]
        for topic in ("events/#", "rounds", "state", "statistics", f"answers/{self._name}", *links):
            await client.subscribe(f"dealer/+/+/{topic}", qos=1)
        self.listening.set()

    async def _receive(self, client: aiomqtt.Client, archive: Archive) -> None:
        async for message in client.messages:
            topic, content = str(message.topic), bytes(message.payload)
            try:
                await self._take(client, topic, content, archive, message.properties)
            except BadMessage as bad:
                if count := self._bad.due():
                    log.warning("bad message", topic=topic, reason=str(bad)[:1000], count=count)
            except (psycopg.Error, Superseded, aiomqtt.MqttError, OSError):
                raise
            except Exception as defect:
                # A message of a journal is then missing, is asked for once more, and is a gap at last.
                log.exception("a message cannot be read", topic=topic)
                self._failed += 1
                self.alarms.report(FAILED, f"{topic}: {defect!r}", count=self._failed)

    async def _take(
        self, client: aiomqtt.Client, topic: str, content: bytes, archive: Archive, properties: Properties | None
    ) -> None:
        _, site, table, what, *name = topic.split("/")
        if table == LINKS:
            if what in self.links:
                self.links[what].receive_pot(topic, content)
        elif what == "link" and name[0] in self.links:
            await self.links[name[0]].receive(client, site, table, content)
        elif what == "state":
            self._take_figures(site, table, content)
        elif what == "statistics":
            if content:  # else the table has taken it back
                row = figures.row(site, table, content)
                if len(self._figures) >= MOST_TABLES and (site, table) not in self._figures:
                    raise BadMessage(
                        f"{site}/{table}: expected at most {MOST_TABLES} tables while the database is away"
                    )
                self._figures[site, table] = row
        elif what == "answers":
            question: bytes = getattr(properties, "CorrelationData", b"")
            passed = self._questions.receive(site, table, question.decode(errors="replace"), content, time.monotonic())
            if passed is not None:
                await self._pass_over(archive, *passed)
        else:
            self._inbox.receive(read(site, table, content))

    def _take_figures(self, site: str, table: str, content: bytes) -> None:
        with contextlib.suppress(msgspec.DecodeError, RecursionError):  # no one's state: the table has gone
            status = msgspec.json.decode(content, type=_Status)
            name = status.source.rpartition("/")[2]
            if 1 <= len(name) <= LONGEST_NAME and "\0" not in name:
                self._inbox.received_up_to(TableJournal(site, table, name), status.data.as_of)

    async def _store(self, client: aiomqtt.Client, archive: Archive) -> None:
        while True:
            wait = STORE_EVERY_SECONDS
            try:
                while await self._store_due(archive):
                    pass
                figures_of_tables, self._figures = self._figures, {}
                await self._keep_figures(archive, figures_of_tables)
                self.alarms.clear(LOCKED)
            except Locked as locked:  # linked pots continue meanwhile
                self.alarms.report(LOCKED, str(locked))
                wait = self._pace.retry
            await self._ask(client)
            await asyncio.sleep(wait)

    async def _store_due(self, archive: Archive) -> bool:
        """Stores due messages; returns whether there were any."""
        if messages := self._inbox.due(AT_ONCE):
            for message in await archive.store(messages):
                self._gaps.setdefault(message.journal, message.sequence)
            self._inbox.stored(messages)
            self._through |= {message.journal: message.sequence for message in messages}
            self._durable.set()
            return True
        passed = self._inbox.passed()
        for journal, (first, reason) in passed.items():
            log.warning("there are none before", journal=journal.name, message=first, reason=reason)
            await self._pass_over(archive, journal, first, reason)
        return bool(passed)

    async def _pass_over(self, archive: Archive, journal: TableJournal, first: int, reason: str) -> None:
        through = self._inbox.through(journal)
        await archive.pass_over(journal, first, reason)
        if reason:
            self._gaps.setdefault(journal, through + 1)
        self._inbox.begins(journal, first)

    async def _look_after(self, archive: Archive) -> None:
        """Keeps the partitions of the next months in place, and acknowledges what persons decided about gaps."""
        while True:
            try:
                await archive.make_months()
                self.alarms.clear(NO_MONTHS)
            except Locked as locked:
                self.alarms.report(NO_MONTHS, str(locked))
            self._take_gaps(await archive.gaps())
            await asyncio.sleep(self._pace.look)

    async def _merge(self, archive: Archive) -> None:
        """Puts the rows of small batches together; other batches are stored between two of them."""
        while True:
            await asyncio.sleep(self._pace.merge)
            try:
                while await archive.merge():
                    pass
            except Locked as locked:
                log.info("rows are not put together yet", reason=str(locked))
            except (psycopg.Error, Superseded, OSError):
                raise
            except Exception:  # the rows stay as they are
                log.exception("rows cannot be put together")

    def _take_gaps(self, found: Sequence[MessageGap]) -> None:
        decided, self._gaps = self._gaps, {gap.journal: gap.first for gap in reversed(found)}
        for journal in decided.keys() - self._gaps.keys():
            self._through[journal] = self._inbox.through(journal)
            self._durable.set()
        self._show_gaps(found)

    def _show_gaps(self, found: Sequence[MessageGap]) -> None:
        if not found:
            self.alarms.clear(GAPS)
            return
        tables = sorted({f"{gap.journal.site}/{gap.journal.table}" for gap in found})
        count = sum(gap.last - gap.first + 1 for gap in found)
        self.alarms.report(GAPS, found[0].reason, count=count, tables=", ".join(tables))

    async def _keep_figures(self, archive: Archive, figures_of_tables: Mapping[tuple[str, str], figures._Row]) -> None:
        """Stores figures. If the database refuses those of one table, they are dropped and the others are stored."""
        if not figures_of_tables:
            return
        try:
            await archive.keep_figures([*figures_of_tables.values()])
        except psycopg.DataError as bad:
            if len(figures_of_tables) > 1:
                for key, row in figures_of_tables.items():
                    await self._keep_figures(archive, {key: row})
                return
            [(site, table)] = figures_of_tables
            log.warning("bad message", topic=f"dealer/{site}/{table}/statistics", reason=str(bad).strip())

    async def _acknowledge(self, client: aiomqtt.Client) -> None:
        """Acknowledges messages while the next ones are stored: no row waits for the broker."""
        while True:
            await self._durable.wait()
            self._durable.clear()
            through, self._through = self._through, {}
            for journal, last in through.items():
                last = min(last, self._gaps.get(journal, last + 1) - 1)
                if last <= self._acknowledged.get(journal, 0):
                    continue
                self._acknowledged[journal] = last
                topic = f"dealer/{journal.site}/{journal.table}/requests/acknowledge/{self._name}"
                await _publish(client, topic, {"journal": journal.name, "through": last})

    async def _ask(self, client: aiomqtt.Client) -> None:
        for journal, question in self._questions.due(time.monotonic()):
            await self._ask_for(client, journal, question)

    async def _ask_for(self, client: aiomqtt.Client, journal: TableJournal, question: MessagesAsked) -> None:
        first, last = question.first, question.last
        log.info("asking again", site=journal.site, table=journal.table, first=first, last=last)
        how = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        how.ResponseTopic = f"dealer/{journal.site}/{journal.table}/answers/{self._name}"
        how.CorrelationData = question.name.encode()
        content = {"journal": journal.name, "first": first, "last": last}
        await _publish(client, f"dealer/{journal.site}/{journal.table}/requests/replay", content, how)


async def _leads(archive: Archive) -> bool:
    """Whether this process leads. Raises Superseded if the database does not answer, however long the wait."""
    try:
        async with within(LEASE_SECONDS):
            return await archive.lead()
    except Superseded:
        await archive.abandon()
        raise


def _reasons(failure: BaseException) -> list[BaseException]:
    """The reasons of failures of broker or database. Raises any other error, which is a defect."""
    found = list(_single(failure))
    if not all(
        isinstance(error, psycopg.Error | Superseded | UnfitDatabase | aiomqtt.MqttError | OSError) for error in found
    ):
        raise failure
    return found


def _single(failure: BaseException) -> Iterator[BaseException]:
    if isinstance(failure, BaseExceptionGroup):
        for exception in failure.exceptions:
            yield from _single(exception)
    else:
        yield failure


async def _publish(
    client: aiomqtt.Client, topic: str, content: dict[str, object], how: Properties | None = None
) -> None:
    await client.publish(topic, msgspec.json.encode(content), qos=1, properties=how)

"""The table as seen by its floor: the messages, the topics, and the alarms about the broker."""

import asyncio
import time
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from importlib.metadata import version

import msgspec
import structlog

from controller.config.file import Config
from controller.config.floor_connection import broker_of_table
from controller.engine.decisions.devices import DeviceFound, DeviceMissed, FloorBeyond, MessageNotTaken
from controller.engine.state.alarms import ActiveAlarm, active, names
from controller.engine.state.events import JournalOvertaken, MessageSetAside, MessageUntaken
from controller.engine.state.table import FLOOR, PIT
from controller.floor.archives import Archives
from controller.floor.certificates import Ending, watch_certificates
from controller.floor.client import FloorClient
from controller.floor.differences import TOPIC, Differences
from controller.floor.discovery import discovery
from controller.floor.handler import Topics
from controller.floor.messages import Identity, status
from controller.floor.other_stations import overtaken_by
from controller.floor.outbox import Outbox, UnsentMessage
from controller.floor.requests import Requests
from controller.floor.seldom import Seldom
from controller.journal.records import JournalCorrupt, JournalUnavailable, OutboxRow
from controller.journal.writer import Writer
from controller.rulebook.events import RoundConfirmed
from controller.rulebook.parts.faults import LossCause
from controller.runtime.bus import BrokerAcknowledged, Bus, Committed, FromStation, StationAlarm
from controller.runtime.checkpoints import Checkpoints
from controller.runtime.clock import Clock
from controller.runtime.linked import LinkedPot
from controller.runtime.loop import RETRY_SECONDS, TableLoop
from controller.runtime.sessions import SessionNumbers
from controller.runtime.view import View
from controller.telemetry.metrics import Metrics
from controller.tlog.notes import Signer

CHECKPOINT_SECONDS = 60.0
TIMED_MESSAGES = 1024  # those behind them are late enough for the age of the oldest to say it
LONGEST_TOPIC = 256  # characters of a topic in an alarm
OWN_TOPICS = ("status", "state", "jackpot", "checkpoint", "statistics", "devices/+", "alarms/+", "archives/+")
DEVICES = ("shuffler", "shoe", "slots", "sign", FLOOR, PIT)

log = structlog.get_logger()


class TableAtFloor:
    """Answers the floor's client for a table, and receives its messages."""

    def __init__(
        self,
        config: Config,
        identity: Identity,
        writer: Writer,
        loop: TableLoop,
        view: View,
        metrics: Metrics,
        clock: Clock,
        link: LinkedPot | None,
        signer: Signer | None,
        bus: Bus,
    ) -> None:
        """Raises BadConfiguration or JournalUnavailable."""
        self._config = config
        self._identity = identity
        self._writer = writer
        self._loop = loop
        self._view = view
        self._metrics = metrics
        self._clock = clock
        self._link = link
        self._bus = bus
        self._sessions = SessionNumbers(writer.reserve_sessions)
        self._unanswered = Seldom()
        self._beyond = False  # the table is about to decide on a message that shows an older copy
        self._sent: dict[int, float] = {}  # the last messages, and when each was on the disk
        self._checkpoints = self._make_checkpoints(signer)
        view.sign = self.checkpoint
        self._discovered: dict[str, bytes] = {}
        if (prefix := config.floor.discovery) is not None:
            pot = config.link.pot if config.link is not None else None
            topic, message = discovery(identity, prefix, station_version(), config.jackpot is not None, pot)
            self._discovered[topic] = message
        self._differences = Differences(self._topic(TOPIC)) if config.floor.state_differences else None
        self._archives = Archives(
            identity,
            config.floor.archives,
            has=lambda: writer.archives,
            now=self._now,
            most=config.floor.archive_messages,
            seconds=60.0 * config.floor.archive_minutes,
        )
        self.outbox = Outbox(self._read_outbox, writer.restored.sequence)
        requests = Requests(
            identity,
            config.floor.archives,
            kept=self._kept,
            read=self._read_kept,
            acknowledged=writer.archived,
            now=self._now,
            counted=lambda outcome: metrics.requests.labels(outcome).inc(),
            unanswerable=self._unanswerable,
        )
        cosignatures = [self._topic("cosignatures/#")] if self._checkpoints is not None else []
        topics = Topics(
            own=[self._topic(own) for own in OWN_TOPICS],
            subscribed=[*cosignatures, *([link.answers, link.pot] if link is not None else [])],
            probed_topic=self._topic("state"),
            left=view.retained(self._sessions.current),
            maybe_retained=self._maybe_retained(),
        )
        self._broker = broker_of_table(config)
        self.client = FloorClient(self._broker, self.outbox, self, topics, requests)

    async def keep_checkpoints(self) -> None:
        """Make one again and again, until cancelled."""
        while True:
            await asyncio.sleep(CHECKPOINT_SECONDS)
            self.checkpoint()

    async def keep_certificates(self) -> None:
        """Report certificates that end soon, until cancelled."""
        await watch_certificates(self._broker, lambda: self.client.certificate_ends, self._on_ending)

    def checkpoint(self) -> None:
        """Signs the state of the record if it is new, and checks for silent witnesses."""
        now = time.monotonic()
        if self._checkpoints is not None:
            self._show_checkpoint(self._checkpoints.make(now))
            self._checkpoints.look(now)

    def durable(self, committed: Committed) -> None:
        """Publishes the messages of a commit."""
        now = time.monotonic()
        for row in committed.outbox:
            self._sent[row.sequence] = now
            self._sent.pop(row.sequence - TIMED_MESSAGES, None)
        self.outbox.add(committed.outbox)
        for event in committed.events:
            if isinstance(event, MessageSetAside):
                self.outbox.done(event.message)
            elif isinstance(event, JournalOvertaken):
                self._beyond = False
        if committed.events:
            self.outbox.wake()

    def committed(self, committed: Committed) -> None:
        """Make a checkpoint after each round."""
        if any(isinstance(event, RoundConfirmed) for event in committed.events):
            self.checkpoint()

    async def flush(self) -> None:
        """Writes the acknowledgements of the floor into the journal. Raises JournalUnavailable."""
        if await self._writer.flush():
            self.outbox.wake()
        if self._config.floor.archives:
            for name, behind in self._archives.lagging(*self._kept(), asyncio.get_running_loop().time()):
                self._raise(active("lags", archive=name, behind=behind))

    def measure(self) -> None:
        """The number of messages that wait for the floor, and for how long the first has waited. Raises
        JournalUnavailable or OSError.
        """
        self._metrics.outbox.set(self._writer.waiting)
        oldest = self._writer.oldest()
        self._metrics.oldest.set(0 if oldest is None else max(0.0, _seconds(oldest.payload, self._now())))

    # ---- what the floor's client asks

    def begin_session(self) -> None:
        """Begins a session with another number."""
        self._sessions.begin()

    def status(self, online: bool) -> tuple[str, bytes]:
        """The status of the station."""
        return status(self._identity, self._sessions.current, self._now() if online else None)

    def retained(self) -> dict[str, bytes]:
        """The retained messages: the table, its archives, and the discovery."""
        session = self._sessions.current
        shown = self._view.retained(session)
        if self._differences is not None:
            self._differences.follow(shown[self._topic("state")])
        return shown | self._archives.retained(session) | self._discovered

    def differences(self) -> Iterable[tuple[str, bytes]]:
        """The differences of the state, if they are configured."""
        return self._differences.due() if self._differences is not None else ()

    def due(self) -> Iterable[tuple[str, bytes]]:
        """The entries that the journal has for the pit of a linked pot."""
        return self._link.due() if self._link is not None else ()

    def on_hold(self) -> bool:
        """Whether the outbox waits: two persons must decide whether the floor has received more, or the next start
        has another name.
        """
        return self._loop.table.overtaken is not None or self._writer.journal.name != self._identity.journal

    def overtakes(self, payload: bytes) -> bool:
        """Whether a message shows that an older copy of the journal was restored; then the table is informed."""
        event = overtaken_by(payload, self._writer.journal.names, self._loop.sequence)
        if event is not None and not self._beyond and self._loop.table.overtaken is None:
            self._beyond = True
            self._bus.publish(FromStation(FloorBeyond(event=event)))
        return event is not None

    # ---- what the floor's client reports

    def on_link(self, reason: str | None, outage_seconds: float, tries: int, cause: LossCause) -> None:
        """The floor is a device of the table, as others are."""
        if reason is None:
            found = DeviceFound(device=FLOOR, outage_ms=round(outage_seconds * 1000), tries=tries)
            self._bus.publish(FromStation(found))
        else:
            self._bus.publish(FromStation(DeviceMissed(device=FLOOR, reason=reason, cause=cause)))
        self._metrics.device_up.labels(FLOOR).set(reason is None)

    def on_acknowledged(self, sequence: int) -> None:
        """Notes an acknowledgement, which the next commit or flush writes."""
        self._writer.acknowledged(sequence)
        if (sent := self._sent.pop(sequence, None)) is not None:
            self._metrics.puback.observe(time.monotonic() - sent)
        self._bus.publish(BrokerAcknowledged(sequence))

    def on_undelivered(self, row: UnsentMessage) -> None:
        """Raises an alarm: an archive should store the rounds, and none does."""
        if row.topic != self._topic("rounds"):
            return
        self._metrics.unreported.inc()
        if self._config.floor.archives:
            self._raise(active("unreceived"), once=True)

    def on_untaken(self, row: UnsentMessage, reason: str) -> None:
        """Reports a message that the broker refuses; a person decides about it."""
        event = MessageUntaken(row.sequence, row.topic, row.payload.decode(), reason)
        self._bus.publish(FromStation(MessageNotTaken(event=event)))

    def on_refused(self, reasons: Sequence[str]) -> None:
        """Raises an alarm of the station."""
        self._raise(active("refused", "; ".join(reasons)), once=True)

    def on_forged(self, topic: str) -> None:
        """Raises an alarm of the station."""
        self._raise(active("forged", topic=topic[:LONGEST_TOPIC]), once=True)

    def on_overflow(self, topic: str) -> None:
        """The same alarm."""
        self._raise(active("flooded", topic=topic[:LONGEST_TOPIC]), once=True)

    def on_other(self, source: str) -> None:
        """Raises an alarm of the station for each of them."""
        self._raise(active("second_station", journal=source.rpartition("/")[2]))

    def on_contested(self) -> None:
        """The same alarm: which station it is, the broker does not say."""
        self._raise(active("taken_over", client_id=self._broker.client_id or ""))

    def on_received(self, topic: str, payload: bytes, retained: bool) -> None:
        """Passes a message on to the pit's link or to the witnesses."""
        if self._link is not None and topic in (self._link.answers, self._link.pot):
            self._link.receive(topic, payload, retained)
        elif self._checkpoints is not None:
            self._show_checkpoint(self._checkpoints.receive(payload, time.monotonic()))

    def _unanswerable(self, topic: str, why: str) -> None:
        """Logs an unanswerable request, at most once a minute; the metric counts each."""
        if count := self._unanswered.due():
            log.warning("a request cannot be answered", topic=topic, reason=why, count=count)

    def _on_ending(self, found: list[Ending]) -> None:
        details = "; ".join(f"{certificate.where} ends {certificate.date}" for certificate in found)
        self._raise(active(f"certificate_ends/{found[0].whose}", details, date=found[0].date))

    def _raise(self, alarm: ActiveAlarm, once: bool = False) -> None:
        self._bus.publish(StationAlarm(alarm, once))

    def _topic(self, topic: str) -> str:
        return f"{self._identity.base}/{topic}"

    def _now(self) -> str:
        return self._clock.stamp().time

    def _make_checkpoints(self, signer: Signer | None) -> Checkpoints | None:
        wanted = self._config.checkpoint
        if wanted is None or signer is None:
            return None
        return Checkpoints(
            self._writer.journal,
            self._identity,
            signer,
            wanted.witnesses,
            wanted.within,
            self._bus,
            self._metrics,
        )

    def _show_checkpoint(self, changed: bool) -> None:
        if changed and self._checkpoints is not None:
            self._view.show_checkpoint(self._checkpoints.published)
            self.outbox.wake()

    def _maybe_retained(self) -> list[str]:
        """The topics on which an earlier station of this table may have left something that no longer holds."""
        archives = [*self._writer.archives]  # and those of an earlier configuration
        alarms = {*names(archive=tuple(archives), seat=tuple(range(1, self._config.seats + 1)))}
        alarms |= self._loop.table.alarms.keys()  # of a device or a seat that the table had before, perhaps
        topics = [
            "jackpot",
            "statistics",
            "checkpoint",
            *(f"devices/{device}" for device in DEVICES),
            *(f"alarms/{name}" for name in sorted(alarms)),
            *(f"archives/{name}" for name in archives),
        ]
        return [self._topic(topic) for topic in topics]

    async def _read_outbox(self, after: int, limit: int) -> Sequence[OutboxRow]:
        while True:
            try:
                return await self._writer.outbox(after, limit)
            except JournalUnavailable:
                pass  # the loop has noticed it too, and raises its alarm
            except JournalCorrupt as broken:
                # The floor misses nothing: what comes behind it waits until the file is put back.
                self._raise(active("changed", str(broken)), once=True)
            await asyncio.sleep(RETRY_SECONDS)

    def _kept(self) -> tuple[int, int]:
        journal = self._writer.journal
        return journal.oldest_message, journal.sequence

    def _read_kept(self, first: int, limit: int) -> Sequence[OutboxRow] | None:
        try:
            return self._writer.journal.messages(first, limit)
        except JournalUnavailable:
            return None  # the loop notices it too
        except JournalCorrupt as broken:
            self._raise(active("changed", str(broken)))
            return None


@cache
def station_version() -> str:
    """The version of the installed package."""
    return version("dealer-station")


def _seconds(message: bytes, now: str) -> float:
    """The age of a message."""
    envelope = msgspec.json.decode(message)
    published_at = datetime.fromisoformat(envelope.get("recordedtime", envelope["time"]))
    return (datetime.fromisoformat(now) - published_at).total_seconds()

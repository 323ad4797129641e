"""The one queue and its one consumer: decide, journal, and only then let anything out."""

import asyncio
import traceback
from collections.abc import Callable, Sequence
from copy import copy
from pathlib import Path
from typing import Any, Protocol

import msgspec
import structlog

from controller.console.app import Closing, Unavailable
from controller.engine.alarms import DEFECT, JOURNAL, PublicAlarm, alarm_events, alarms, defective, unwritable
from controller.engine.decide import StaleStep, check_answers, decide
from controller.engine.decide_cards import Decision
from controller.engine.events import AlarmCleared, AlarmEvent, AlarmRaised, Event
from controller.engine.inputs import FromDevice, FromPerson, Input
from controller.engine.jackpot import ConservationBroken
from controller.engine.projection import PublicTable, project
from controller.engine.react import Effects, react
from controller.engine.settings import Settings, game_at, public_setting
from controller.engine.table import Table
from controller.floor.messages import Identity, Publication, Retained, publications
from controller.journal.records import Answer, Batch, DeviceMark, JournalUnavailable, OutboxRow
from controller.journal.store import SNAPSHOT_EVERY
from controller.journal.writer import Writer
from controller.queries.alarms import alarms_answer
from controller.queries.rounds import rounds_body, rows_of_last
from controller.queries.slips import slip_answer
from controller.rulebook.refusal import Refusal
from controller.runtime.clock import Clock
from controller.runtime.draft import Draft
from controller.telemetry.event_log import note
from controller.telemetry.metrics import Metrics

RETRY_SECONDS = 1.0  # between two attempts to write to a journal that could not be written
MOST_IN_A_BATCH = 256

log = structlog.get_logger()


class FromWire(msgspec.Struct, frozen=True):
    """Something heard from a device, and where its numbered messages go on after it."""

    device: str
    message: Any
    mark: DeviceMark | None


class FromScreen(msgspec.Struct, frozen=True):
    """Inputs of a person, all or nothing, and who waits for the answer."""

    inputs: list[FromPerson]
    waiting: "asyncio.Future[tuple[int, bytes]]"


class FromStation(msgspec.Struct, frozen=True):
    """Something the station itself knows: its parameters, the broker's link."""

    input: FromDevice


Item = FromWire | FromScreen | FromStation


class Translate(Protocol):
    """Device messages to inputs."""

    def inputs(self, device: str, message: Any, table: Table) -> Any: ...


class Committed(msgspec.Struct, frozen=True):
    """What has just become durable: the events, the table after them, the messages for the floor, the marks."""

    events: tuple[Event, ...]
    table: Table
    outbox: tuple[OutboxRow, ...]
    marks: tuple[DeviceMark, ...]


class TableLoop:
    """Owns the table. Nothing else changes it."""

    def __init__(
        self,
        writer: Writer,
        settings: Settings,
        identity: Identity,
        translate: Translate,
        clock: Clock,
        metrics: Metrics,
        on_durable: Callable[[Committed], None],
        on_commit: Callable[[Committed], None],
        on_alarm: Callable[[], None] = lambda: None,
    ) -> None:
        self._writer = writer
        self._settings = settings
        self._identity = identity
        self._translate = self._translating = translate
        self._clock = clock
        self._metrics = metrics
        self._on_durable = on_durable
        self._on_commit = on_commit
        self._on_alarm = on_alarm
        restored = writer.restored
        self.table = restored.table
        self.sequence = restored.sequence
        self._vault = restored.vault
        self._queue: asyncio.Queue[Item] = asyncio.Queue()
        self._in_hand: list[Item] = []
        self._snapshot_due = restored.snapshot + SNAPSHOT_EVERY
        writer.on_unknown = self._journal_unknown
        self._unwritable: PublicAlarm | None = None  # the journal fails, and cannot say so itself
        self._told_unwritable = False  # by the batch in hand
        self._changed = asyncio.Event()
        self._closing = False
        self._projection: bytes | None = None
        self._retained: dict[str, bytes] | None = None
        self._retained_messages = Retained(identity)
        self._stamp = clock.stamp()

    def hear(self, item: Item) -> None:
        """Line up something heard. Returns at once."""
        self._queue.put_nowait(item)

    async def answer(self, inputs: list[FromPerson]) -> tuple[int, bytes]:
        """Decide a person's inputs: HTTP status and JSON body, once they are durable."""
        waiting: asyncio.Future[tuple[int, bytes]] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(FromScreen(inputs=inputs, waiting=waiting))
        if self._closing:
            self._put_off("the station stops")
        return await waiting

    @property
    def effects(self) -> Effects:
        """What the world around the table shall show."""
        return react(self.table, self._identity.exponent)

    async def run(self) -> None:
        """Consume the queue until cancelled."""
        held: list[Item] = []  # heard from devices, and not yet durable because the journal could not be written
        while True:
            items = self._in_hand = held + await self._next_items(self._unwritable is not None)
            answered: list[tuple[FromScreen, tuple[int, bytes]]] = []
            try:
                draft = await self._draft(items, answered)
                await self._commit(draft)
                self._translate = self._translating
            except JournalUnavailable as error:
                held = [item for item in items if not isinstance(item, FromScreen)]
                self._journal_failed(error)
                continue
            held = []
            for item, answer in answered:
                if not item.waiting.done():
                    item.waiting.set_result(answer)

    async def _next_items(self, failing: bool) -> list[Item]:
        items: list[Item] = []
        if failing:
            await asyncio.sleep(RETRY_SECONDS)
        else:
            items.append(await self._queue.get())
        while len(items) < MOST_IN_A_BATCH and not self._queue.empty():
            items.append(self._queue.get_nowait())
        return items

    async def _draft(self, items: Sequence[Item], answered: list[tuple[FromScreen, tuple[int, bytes]]]) -> Draft:
        draft = Draft(self.table, self._vault, self.sequence)
        # What a translator remembers counts once the batch is durable: a button pressed before a full disk is heard.
        self._translating = copy(self._translate)
        self._stamp = self._clock.stamp()
        self._told_unwritable = self._unwritable is not None
        if self._unwritable is not None:
            raised = AlarmRaised(alarm=JOURNAL, text=self._unwritable.text, at=self._unwritable.since)
            self._alarm(draft, raised, AlarmCleared(alarm=JOURNAL, at=self._stamp.time))
        for item in items:
            match item:
                case FromScreen():
                    draft, answer = await self._hear_person(draft, item.inputs)
                    answered.append((item, answer))
                case FromWire(device=device, message=message, mark=mark):
                    draft = self._hear_wire(draft, device, message)
                    if mark is not None:
                        draft.marks[device] = mark
                case FromStation(input=input):
                    draft = self._hear_device(draft, input)
        return draft

    def _hear_wire(self, draft: Draft, device: str, message: Any) -> Draft:
        try:
            for input in self._translating.inputs(device, message, draft.table):
                draft = self._hear_device(draft, input)
        except ConservationBroken:
            raise
        except Exception as defect:
            self._defect(draft, defect, type(message).__name__)
        return draft

    def _hear_device(self, draft: Draft, input: FromDevice) -> Draft:
        branch = draft.branch()
        try:
            self._decide(branch, input)
            return branch
        except Refusal as refusal:
            self._metrics.refusals.inc()
            log.warning("refused", who=refusal.who, reason=refusal.reason, article=refusal.article)
        except ConservationBroken:
            raise
        except Exception as defect:
            # A message that stopped the station would stop it again after every restart: it is dropped, and said so.
            self._defect(draft, defect, type(input).__name__)
        return draft

    def _decide(self, draft: Draft, input: Input) -> None:
        """Decide an input, and bring the alarms on record to what stands after it."""
        draft.absorb(decide(draft.table, input, self._settings, draft.vault), self._publish)
        table = draft.table
        standing = alarms(table, game_at(table, self._settings))
        self._alarm(draft, *alarm_events(table.alarms, standing, self._stamp.time))

    def _alarm(self, draft: Draft, *events: AlarmEvent) -> None:
        draft.absorb(Decision(events=events), self._publish)

    async def _hear_person(self, draft: Draft, inputs: list[FromPerson]) -> tuple[Draft, tuple[int, bytes]]:
        """All inputs or none; the draft to go on with, and the answer to give once it is durable."""
        known = [draft.answers.get(input.input_id) or await self._writer.answer(input.input_id) for input in inputs]
        if any(known):
            return draft, _repeated([answer for answer in known if answer is not None], len(inputs))
        branch = draft.branch()
        status, body = 200, b""
        try:
            check_answers(branch.table, inputs, self._settings)
            for input in inputs:
                self._decide(branch, input)
            draft = branch
        except StaleStep as stale:
            status, body = 409, _encode({"error": "stale_step", "step_id": stale.current})
        except Refusal as refusal:
            self._metrics.refusals.inc()
            told = {"error": "refused", "who": refusal.who, "reason": refusal.reason, "article": refusal.article}
            status, body = 422, _encode(told)
        except ConservationBroken:
            raise
        except Exception as defect:
            self._defect(draft, defect, type(inputs[0]).__name__)
            status, body = 500, _encode({"error": "defect", "reason": "the station could not decide this; see its log"})
        for input in inputs:
            accepted = {"input_id": input.input_id, "accepted": True, "as_of": draft.sequence}
            own = _encode(accepted) if status == 200 else body
            draft.answers[input.input_id] = Answer(input_id=input.input_id, status=status, body=own)
        return draft, _compose([draft.answers[input.input_id] for input in inputs])

    def _publish(self, event: Event, before: Table, after: Table, sequence: int) -> list[Publication]:
        return publications(self._identity, event, after.round or before.round, sequence, self._stamp.time)

    async def _commit(self, draft: Draft) -> None:
        snapshot = draft.table if draft.table.version >= self._snapshot_due else None
        batch = Batch(
            stamp=self._stamp,
            entries=draft.entries,
            outbox=draft.outbox,
            answers=list(draft.answers.values()),
            marks=list(draft.marks.values()),
            snapshot=snapshot,
        )
        if not (batch.entries or batch.answers or batch.marks):
            return
        await self._writer.commit(batch)
        if self._told_unwritable:
            self._unwritable = None
            log.info("journal can be written again")
        if snapshot is not None:
            self._snapshot_due = snapshot.version + SNAPSHOT_EVERY
        self.table, self._vault, self.sequence = draft.table, draft.vault, draft.sequence
        events = tuple(entry.event for entry in draft.entries)
        if events:
            self._show()
        committed = Committed(
            events=events, table=self.table, outbox=tuple(draft.outbox), marks=tuple(draft.marks.values())
        )
        self._on_durable(committed)
        # The floor's message is on its way before the devices are told: the broker answers while they are.
        await asyncio.sleep(0)
        self._on_commit(committed)
        for event in events:
            note(event, self._metrics)

    def _journal_unknown(self, error: JournalUnavailable) -> None:
        """Nobody waits for an answer meanwhile: a repeat of the input is answered rightly, whatever became of it."""
        self._journal_failed(error)
        self._put_off(str(error))

    def _journal_failed(self, error: JournalUnavailable) -> None:
        self._metrics.commit_failures.inc()
        if self._unwritable is None:
            log.error("journal cannot be written; the table waits", reason=str(error))
            self._unwritable = PublicAlarm(name=JOURNAL, text=unwritable(str(error)), since=self._stamp.time)
            self._show()
            self._on_alarm()
        self._tell_not_durable(str(error), self._in_hand)

    def _put_off(self, reason: str) -> None:
        """Answer every input that waits: nothing is known of it, and it is to be said again."""
        self._tell_not_durable(reason, [*self._in_hand, *self._take_screens()])

    def _tell_not_durable(self, reason: str, items: Sequence[Item]) -> None:
        told = {"error": "not_durable", "reason": reason, "expected": "the same input again, a little later"}
        for item in items:
            if isinstance(item, FromScreen) and not item.waiting.done():
                item.waiting.set_result((503, _encode(told)))

    def _take_screens(self) -> list[Item]:
        lined_up = [self._queue.get_nowait() for _ in range(self._queue.qsize())]
        for item in lined_up:
            if not isinstance(item, FromScreen):
                self._queue.put_nowait(item)
        return [item for item in lined_up if isinstance(item, FromScreen)]

    def _defect(self, draft: Draft, defect: Exception, input: str) -> None:
        # Where it happened, and not the error's text, which might name a card.
        frames = traceback.extract_tb(defect.__traceback__)
        where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
        log.error("defect", input=input, error=type(defect).__name__, where=where)
        if DEFECT not in draft.table.alarms:
            self._alarm(draft, AlarmRaised(alarm=DEFECT, text=defective(input, where), at=self._stamp.time))

    def _show(self) -> None:
        self._projection = self._retained = None
        self._changed.set()
        self._changed = asyncio.Event()

    def public(self) -> PublicTable:
        """The public projection; while the journal cannot be written, with the alarm that it cannot keep."""
        public = project(self.table, self.effects, self._settings)
        if self._unwritable is None:
            return public
        others = [one for one in public.alarms if one.name != JOURNAL]
        return msgspec.structs.replace(public, alarms=[*others, self._unwritable])

    def projection(self) -> bytes:
        """The public projection as JSON, encoded once for each change."""
        if self._projection is None:
            identity = {"schema": 1, "as_of": self.sequence, **msgspec.to_builtins(self._identity)}
            self._projection = _encode(identity | msgspec.to_builtins(self.public()))
        return self._projection

    async def changed(self, since: bytes) -> bytes:
        """The projection, once it is another than `since`. Raises Closing when the station stops."""
        while self.projection() is since or self.projection() == since:
            if self._closing:
                raise Closing
            await self._changed.wait()
        return self.projection()

    def close(self) -> None:
        """End every stream that waits for a change, and put off every input that waits for its answer."""
        self._closing = True
        self._changed.set()
        self._put_off("the station stops")

    def retained(self) -> dict[str, bytes]:
        """What shall stand on the floor's retained topics."""
        if self._retained is None:
            self._retained = self._retained_messages.of(self.public(), self.sequence, self._stamp.time)
        return self._retained

    async def slip(self, number: int) -> tuple[int, bytes]:
        """A payment slip: HTTP status and JSON body. It is read beside the table, which does not wait for it."""
        return await asyncio.to_thread(slip_answer, self._writer.journal.path, self._identity, number)

    async def alarms(self, last: int) -> tuple[int, bytes]:
        """The last alarms raised: HTTP status and JSON body; read beside the table, as a slip is."""
        return await asyncio.to_thread(alarms_answer, self._writer.journal.path, self._identity.mode, last)

    def setting(self) -> bytes:
        """What the configuration says of this table, as JSON."""
        return _encode({**msgspec.to_builtins(self._identity), **public_setting(self._settings)})

    async def rounds(self, last: int, before: int | None) -> bytes:
        """The last rounds confirmed, as JSON; read from the journal's end. Raises Unavailable."""
        journal = self._writer.journal
        try:
            rows = rows_of_last(journal, journal.events, last, before)
        except JournalUnavailable as error:
            raise Unavailable(str(error)) from None
        # Folding a hundred rounds takes longer than a card may wait.
        return await asyncio.to_thread(rounds_body, self._identity, rows, last, before)

    def metrics(self) -> bytes:
        """Prometheus' text format."""
        return self._metrics.text()


_encode = msgspec.json.encode


def _repeated(known: list[Answer], asked: int) -> tuple[int, bytes]:
    if len(known) != asked or len({answer.status for answer in known}) != 1:
        expected = "another input_id for each input; some of these were answered before"
        return 400, _encode({"error": "malformed", "key": "input_id", "expected": expected})
    return _compose(known)


def _compose(answers: list[Answer]) -> tuple[int, bytes]:
    first = answers[0]
    if first.status != 200:
        return first.status, first.body
    return 200, b'{"answers":[' + b",".join(answer.body for answer in answers) + b"]}"

"""The one queue and its one consumer: decide, journal, and only then let anything out."""

import asyncio
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec
import structlog

from controller.engine.decisions.deciders import StaleStep, check_answers, decide_with_alarms, with_alarms
from controller.engine.decisions.decision import Course, Decision, DeviceInput, Input, Vault
from controller.engine.decisions.devices import DeviceFound, DeviceMissed
from controller.engine.outcomes import (
    Accepted,
    AnsweredInPart,
    Defect,
    NotDurable,
    NotTaken,
    Outcome,
    OutcomeOfAll,
    Refused,
    Stale,
)
from controller.engine.shown.prompts import alarm_words
from controller.engine.state.alarms import BABBLE, JOURNAL, AlarmCleared, RecordedAlarm, active, raised, recorded_alarm
from controller.engine.state.applied import Event
from controller.engine.state.current import Settings, phase_of
from controller.engine.state.events import DeviceReported, EpochBegun
from controller.engine.state.jackpot import ConservationBroken
from controller.engine.state.persons import PersonInput
from controller.engine.state.table import Table
from controller.floor.messages import Identity, Publication, publications
from controller.journal.records import Batch, JournalUnavailable
from controller.journal.store import SNAPSHOT_EVERY
from controller.journal.writer import Writer
from controller.rulebook.events import RoundBegun
from controller.rulebook.parts.faults import DeviceName
from controller.rulebook.refusal import Refusal
from controller.runtime.budgets import BudgetAlarms, Expenses, brought_up, is_beyond
from controller.runtime.bus import Bus, CommitPublished, Committed, FromStation, FromWire, PublicationDue, StationAlarm
from controller.runtime.clock import Clock
from controller.runtime.draft import Draft
from controller.runtime.view import View
from controller.telemetry.metrics import Metrics, log_event
from controller.words import english

RETRY_SECONDS = 1.0  # between two attempts to write to a journal that could not be written
MOST_IN_A_BATCH = 256
QUIET_SECONDS = 30.0  # then a device that exceeded a budget has it again

log = structlog.get_logger()


class FromScreen(msgspec.Struct, frozen=True):
    """Inputs of a person, all or nothing, and the waiter for the answer."""

    inputs: list[PersonInput]
    waiting: "asyncio.Future[OutcomeOfAll]"


class Woken(msgspec.Struct, frozen=True):
    """No input: a wake-up after which the table tries its journal again."""


Item = FromWire | FromScreen | FromStation | Woken


class Translate(Protocol):
    """Turns device messages into inputs."""

    def inputs(self, device: DeviceName, message: Any, table: Table) -> Any: ...


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
        view: View,
        bus: Bus,
    ) -> None:
        self._writer = writer
        self._settings = settings
        self._identity = identity
        self._translate = translate
        self._clock = clock
        self._metrics = metrics
        self._view = view
        self._bus = bus
        restored = writer.restored
        self.table = restored.table
        self.sequence = restored.sequence
        self._vault: Vault = restored.vault
        self._settings_kept = False  # by the journal, since this start
        self._expenses: Expenses = {}
        self._began = dict(restored.began)
        self._queue: asyncio.Queue[Item] = asyncio.Queue()
        self._in_hand: list[Item] = []
        self._snapshot_due = restored.snapshot + SNAPSHOT_EVERY
        writer.on_unknown = self._journal_unknown
        writer.on_log_grown = lambda size: self.raise_alarm(StationAlarm(active("log_grows", size=size // 1_000_000)))
        self._complaints = BudgetAlarms()
        self._unwritable: RecordedAlarm | None = None  # the journal fails, and cannot record it
        self._reported_unwritable = False  # by the batch in hand
        self._reported_complaints = 0  # likewise
        self._waking: asyncio.TimerHandle | None = None
        self._closing = False
        self._on_free: Callable[[], None] | None = None
        self._stamp = clock.stamp()

    def receive(self, item: Item) -> None:
        """Queues a message. Returns at once."""
        self._queue.put_nowait(item)

    def journal_failed(self, error: JournalUnavailable) -> None:
        """Reports, from another thread, that the journal cannot be written: the table shows it, and waits."""
        if self._unwritable is None:
            self._journal_failed(error)
            self.receive(Woken())

    def raise_alarm(self, due: StationAlarm) -> None:
        """Raise an alarm of the station itself, which is active until a person acknowledges it, or count it."""
        alarm, name = due.alarm, due.alarm.name
        if due.once and (name in self.table.alarms or any(own.name == name for own in self._complaints.due)):
            return
        if self._complaints.add(alarm, self._clock.stamp().monotonic_ns):
            text = alarm_words(alarm.code, alarm.values)["en"]
            log.error(name, complaint=text, **({"details": alarm.details} if alarm.details else {}))
            self.receive(Woken())
        else:
            self._wake_for_counts()

    def leave(self, on_free: Callable[[], None]) -> None:
        """Reports once that the table is between two rounds, and decides nothing from then on."""
        self._on_free = on_free
        self.receive(Woken())

    async def answer(self, inputs: list[PersonInput]) -> OutcomeOfAll:
        """Decides a person's inputs; returns their outcome once it is durable."""
        waiting: asyncio.Future[OutcomeOfAll] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(FromScreen(inputs=inputs, waiting=waiting))
        if self._closing:
            self._answer_all_not_durable("the station stops")
        return await waiting

    async def run(self) -> None:
        """Consumes the queue until cancelled."""
        on_hold: list[Item] = []  # received from devices, and not yet durable because the journal could not be written
        while True:
            items = self._in_hand = on_hold + await self._next_items(self._unwritable is not None)
            answered: list[tuple[FromScreen, OutcomeOfAll]] = []
            try:
                draft = await self._draft(items, answered)
                await self._commit(draft)
                self._wake_for_counts()
            except JournalUnavailable as error:
                on_hold = [item for item in items if not isinstance(item, FromScreen)]
                self._journal_failed(error)
                continue
            on_hold = []
            for item, outcome in answered:
                if not item.waiting.done():
                    item.waiting.set_result(outcome)
            if self._on_free is not None and self.table.round is None:
                self._on_free()
                await asyncio.Event().wait()  # what comes now is for the next station

    async def _next_items(self, failing: bool) -> list[Item]:
        items: list[Item] = []
        if failing:
            await asyncio.sleep(RETRY_SECONDS)
        else:
            items.append(await self._queue.get())
        while len(items) < MOST_IN_A_BATCH and not self._queue.empty():
            items.append(self._queue.get_nowait())
        return items

    async def _draft(self, items: Sequence[Item], answered: list[tuple[FromScreen, OutcomeOfAll]]) -> Draft:
        draft = Draft(self.table, self._vault, self.sequence, dict(self._expenses), self._settings, self._settings_kept)
        self._stamp = self._clock.stamp()
        self._reported_unwritable = self._unwritable is not None
        if self._unwritable is not None:
            over = AlarmCleared(alarm=JOURNAL, at=self._stamp.time)
            self._record(draft, raised(self._unwritable, self._unwritable.since), over)
        self._complaints.bring_up(self._stamp.monotonic_ns)
        for alarm in self._complaints.due:
            self._record(draft, raised(alarm, self._stamp.time))
        self._reported_complaints = len(self._complaints.due)
        draft = self._bring_up(draft)
        for item in items:
            match item:
                case FromScreen():
                    draft, outcome = await self._receive_from_person(draft, item.inputs)
                    answered.append((item, outcome))
                case FromWire(device=device, message=message, mark=mark):
                    draft = self._receive_from_wire(draft, device, message)
                    if mark is not None:
                        draft.marks[device] = mark
                case FromStation(input=input):
                    draft = self._receive_from_device(draft, input)
        return draft

    def _receive_from_wire(self, draft: Draft, device: DeviceName, message: Any) -> Draft:
        try:
            for input in self._translate.inputs(device, message, draft.table):
                draft = self._receive_from_device(draft, input, device)
        except ConservationBroken:
            raise
        except Exception as defect:
            self._defect(draft, defect, type(message).__name__)
        return draft

    def _receive_from_device(self, draft: Draft, input: DeviceInput, device: DeviceName | None = None) -> Draft:
        """Decides a message of a device or the station, within the budget of a device."""
        branch = self._decided(draft, input)
        if isinstance(input, DeviceFound | DeviceMissed):
            device = input.device
        if device is None or not is_beyond(draft.expenses, device, input, draft.table, branch.table, *self._now(draft)):
            return branch
        if f"{device}-{BABBLE}" not in draft.table.troubles:
            self._report(draft, DeviceReported(device, "babbling"))
        return draft

    def _decided(self, draft: Draft, input: DeviceInput) -> Draft:
        """The draft after an input; unchanged if the input is refused or shows a defect."""
        branch = draft.branch()
        try:
            self._decide(branch, input)
            return branch
        except Refusal as refusal:
            self._metrics.refusals.inc()
            log.warning("refused", who=refusal.who, reason=english(refusal.reason), article=refusal.article)
        except ConservationBroken:
            raise
        except Exception as defect:
            # A message that stopped the station would stop it again after every restart: it is dropped, and reported
            # so.
            self._defect(draft, defect, type(input).__name__)
        return draft

    def _decide(self, draft: Draft, input: Input) -> None:
        """Decides an input, and updates the alarms on record for the table after it."""
        decision = decide_with_alarms(draft.table, input, self._settings, draft.vault, self._stamp.time)
        draft.absorb(decision, input, self._publish)

    def _record(self, draft: Draft, *events: Event) -> None:
        draft.absorb(self._recorded(draft, *events), None, self._publish)

    def _recorded(self, draft: Draft, *events: Event) -> Decision:
        course = Course(draft.table, self._settings, draft.vault)
        course.record(*events)
        return course.decision()

    def _report(self, draft: Draft, *reports: DeviceReported) -> None:
        decision = with_alarms(draft.table, self._recorded(draft, *reports), self._settings, self._stamp.time)
        draft.absorb(decision, None, self._publish)

    def _now(self, draft: Draft) -> tuple[tuple[int, str], int]:
        return (draft.table.rounds, phase_of(draft.table)), self._stamp.monotonic_ns

    def _bring_up(self, draft: Draft) -> Draft:
        for due in list(brought_up(draft.expenses, draft.table, *self._now(draft), QUIET_SECONDS)):
            if isinstance(due, DeviceReported):
                self._report(draft, due)
            else:
                draft = self._decided(draft, due)
        return draft

    def _wake_for_counts(self) -> None:
        """Checks, though no message comes, whether counted inputs are to be journaled."""
        is_babble = any(name.endswith(f"-{BABBLE}") for name in self.table.troubles)
        if self._waking is None and (is_babble or self._complaints.are_counted):
            self._waking = asyncio.get_running_loop().call_later(QUIET_SECONDS, self._wake)

    def _wake(self) -> None:
        self._waking = None
        self.receive(Woken())

    async def _receive_from_person(self, draft: Draft, inputs: list[PersonInput]) -> tuple[Draft, OutcomeOfAll]:
        """All inputs or none; the draft to continue with, and what to answer once it is durable."""
        known = [draft.outcomes.get(input.input_id) or await self._writer.outcome(input.input_id) for input in inputs]
        if any(known):
            return draft, _repeated([outcome for outcome in known if outcome is not None], len(inputs))
        branch = draft.branch()
        not_taken: NotTaken | None = None
        try:
            check_answers(branch.table, inputs, self._settings)
            for input in inputs:
                self._decide(branch, input)
            draft = branch
        except StaleStep as stale:
            not_taken = Stale(step_id=stale.current)
        except Refusal as refusal:
            self._metrics.refusals.inc()
            reason = refusal.reason
            not_taken = Refused(refusal.who, refusal.article, reason.code, reason.values)
        except ConservationBroken:
            raise
        except Exception as defect:
            self._defect(draft, defect, type(inputs[0]).__name__)
            not_taken = Defect()
        if not_taken is not None:
            draft.outcomes |= {input.input_id: not_taken for input in inputs}
            return draft, not_taken
        accepted = [Accepted(input_id=input.input_id, as_of=draft.sequence) for input in inputs]
        draft.outcomes |= {receipt.input_id: receipt for receipt in accepted}
        return draft, accepted

    def _publish(self, event: Event, before: Table, after: Table, sequence: int) -> list[Publication]:
        if isinstance(event, RoundBegun):
            self._began = {**dict(list(self._began.items())[-1:]), event.round: self._stamp.time}
        round = after.round
        return publications(
            self._identity,
            event,
            before,
            after,
            sequence,
            self._stamp.time,
            began=self._began.get(round.id) if round is not None else None,
        )

    async def _commit(self, draft: Draft) -> None:
        snapshot = draft.table if draft.table.version >= self._snapshot_due else None
        batch = Batch(
            stamp=self._stamp,
            entries=draft.entries,
            outbox=draft.outbox,
            outcomes=draft.outcomes,
            marks=list(draft.marks.values()),
            snapshot=snapshot,
            settings=self._settings,
        )
        if batch.entries or batch.outcomes or batch.marks:
            await self._written(draft, batch)
        self._expenses = draft.expenses

    async def _written(self, draft: Draft, batch: Batch) -> None:
        await self._writer.commit(batch)
        del self._complaints.due[: self._reported_complaints]
        if self._reported_unwritable:
            self._unwritable = None
            log.info("journal can be written again")
        if batch.snapshot is not None:
            self._snapshot_due = batch.snapshot.version + SNAPSHOT_EVERY
        self.table, self._vault, self.sequence = draft.table, draft.vault, draft.sequence
        self._settings_kept = draft.settings_kept
        events = tuple(entry.event for entry in draft.entries)
        if any(isinstance(event, EpochBegun) for event in events):
            # A round may have begun in the same batch, and is played to its end here.
            self._identity = msgspec.structs.replace(self._identity, journal=self._writer.journal.name)
        if events:
            self._show()
        committed = Committed(
            time=batch.stamp.time,
            events=events,
            table=self.table,
            outbox=tuple(draft.outbox),
            marks=tuple(draft.marks.values()),
            sequence=self.sequence,
        )
        self._bus.publish(committed)
        # The floor's message is on its way before the devices are reported: the broker answers while they are.
        await asyncio.sleep(0)
        self._bus.publish(CommitPublished(*msgspec.structs.astuple(committed)))
        for event in events:
            log_event(event, self._metrics)

    def _journal_unknown(self, error: JournalUnavailable) -> None:
        """Handles an unknown result of a commit. No one waits for an answer meanwhile: a repeat of the input is
        answered correctly in any case.
        """
        self._journal_failed(error)
        self._answer_all_not_durable(str(error))

    def _journal_failed(self, error: JournalUnavailable) -> None:
        self._metrics.commit_failures.inc()
        if self._unwritable is None:
            log.error("journal cannot be written; the table waits", reason=str(error))
            self._unwritable = recorded_alarm(raised(active("unwritable", str(error)), self._stamp.time))
            self._show()
            self._bus.publish(PublicationDue())
        self._answer_not_durable(str(error), self._in_hand)

    def _answer_all_not_durable(self, reason: str) -> None:
        """Answers every waiting input: its result is not known, and it must be sent again."""
        self._answer_not_durable(reason, [*self._in_hand, *self._take_screens()])

    def _answer_not_durable(self, reason: str, items: Sequence[Item]) -> None:
        for item in items:
            if isinstance(item, FromScreen) and not item.waiting.done():
                item.waiting.set_result(NotDurable(reason))

    def _take_screens(self) -> list[Item]:
        queued = [self._queue.get_nowait() for _ in range(self._queue.qsize())]
        for item in queued:
            if not isinstance(item, FromScreen):
                self._queue.put_nowait(item)
        return [item for item in queued if isinstance(item, FromScreen)]

    def _defect(self, draft: Draft, defect: Exception, input: str) -> None:
        where = place_of(defect)
        log.error("defect", input=input, error=type(defect).__name__, where=where)
        alarm = active("defective", f"{input}: {where}")
        if alarm.name not in draft.table.alarms:
            self._record(draft, raised(alarm, self._stamp.time))

    def _show(self) -> None:
        self._view.show(self.table, self.sequence, self._stamp.time, self._unwritable)

    def close(self) -> None:
        """Answers every waiting input that the station stops."""
        self._closing = True
        if self._waking is not None:
            self._waking.cancel()
        self._answer_all_not_durable("the station stops")


def place_of(defect: Exception) -> str:
    """The place of an error in the code, without its text, which might name a card."""
    frames = traceback.extract_tb(defect.__traceback__)
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"


def _repeated(known: list[Outcome], asked: int) -> OutcomeOfAll:
    first = known[0]
    if len(known) != asked or any(type(outcome) is not type(first) for outcome in known):
        return AnsweredInPart()
    return [outcome for outcome in known if isinstance(outcome, Accepted)] if isinstance(first, Accepted) else first

"""Shows the table, and reads from its journal on request; it decides nothing and waits for no input."""

import asyncio
from collections.abc import Callable
from datetime import date
from typing import Any

import msgspec

from controller.engine.decisions.deciders import step_ids
from controller.engine.outcomes import JournalBroken, JournalUnreadable, NoSlip, NotFound, NotUnderstood, TooFarBack
from controller.engine.shown.device_orders import Effects, react
from controller.engine.shown.display import display, for_strangers
from controller.engine.shown.projection import project
from controller.engine.shown.prompts import interruption, public_alarm
from controller.engine.shown.public import PublicTable
from controller.engine.state.alarms import RecordedAlarm
from controller.engine.state.current import Settings, public_setting, rounds_over, terms_of
from controller.engine.state.table import Table
from controller.floor.messages import Identity, Retained
from controller.floor.shapes import PublishedCheckpoint, PublishedStatistics
from controller.journal.records import JournalCorrupt, JournalUnavailable
from controller.journal.writer import Writer
from controller.link.table import Shown
from controller.queries.alarms import last_alarms
from controller.queries.days import figures
from controller.queries.register import register
from controller.queries.rounds import found_rounds, last_rounds
from controller.queries.search import read_query
from controller.queries.sign_ins import last_sign_ins
from controller.queries.slips import numbered_slip
from controller.rulebook.refusal import Refusal
from controller.runtime.past_rounds import PastRounds
from controller.statistics.wagered import edge_shown
from controller.system.tasks import ProgramStops
from controller.telemetry.metrics import Metrics
from controller.tlog.notes import Note

LATELY = 50_000  # events of which the register is reported to a screen that asks for no day: a day's or two's
MOST_ENTRIES = 2000  # of the register, that a screen is notified at once

_encode = msgspec.json.encode


class View:
    """Shows the table as last published. Long reads are made in other threads, so the table does not wait."""

    def __init__(
        self,
        writer: Writer,
        settings: Settings,
        identity: Identity,
        metrics: Metrics,
        time: str,
        last_rounds: bool = False,
    ) -> None:
        self._journal = writer.journal
        self._settings = settings
        self._identity = identity
        self._metrics = metrics
        self._retained_messages = Retained(identity)
        self._past = PastRounds(self._journal.path, identity, self._show_again) if last_rounds else None
        self._changed = asyncio.Event()
        self._closing = False
        self._statistics: PublishedStatistics | None = None
        self._checkpoint: PublishedCheckpoint | None = None
        self._linked: Shown | None = None
        self._pot: int | None = None
        self._pot_changed: str | None = None  # when, of the table's own pot, since the station's start
        self._session = 0
        self._synchronised = True
        self.sign: Callable[[], None] = lambda: None  # how the record is now
        self.show(writer.restored.table, writer.restored.sequence, time, None)

    def show(self, table: Table, sequence: int, time: str, unwritable: RecordedAlarm | None) -> None:
        """Shows this table from now on; `unwritable` is the alarm about a journal that cannot be written."""
        self._table, self._sequence, self._time, self._unwritable = table, sequence, time, unwritable
        pot = None if table.meter is None else table.meter.pot
        if pot != self._pot:
            self._pot_changed = None if self._pot is None else time
            self._pot = pot
        if self._past is not None:
            self._past.take(table.round)
        self._show_again()

    def show_linked(self, linked: Shown) -> None:
        """Shows this of the shared pot from now on."""
        self._linked = linked
        self._show_again()

    def _show_again(self) -> None:
        self._effects: Effects | None = None
        self._public: PublicTable | None = None
        self._projection: bytes | None = None
        self._strangers: bytes | None = None
        self._display: bytes | None = None
        self._retained: dict[str, bytes] | None = None
        self._changed.set()
        self._changed = asyncio.Event()

    def show_statistics(self, statistics: PublishedStatistics) -> None:
        """Shows these statistics to the floor from now on."""
        self._statistics, self._retained = statistics, None

    def show_checkpoint(self, checkpoint: PublishedCheckpoint | None) -> None:
        """Shows this as the last checkpoint from now on."""
        self._checkpoint, self._retained = checkpoint, None

    def show_clock(self, synchronised: bool) -> bool:
        """Show whether the computer's clock is synchronised; returns whether that has changed."""
        before, self._synchronised = self._synchronised, synchronised
        if before != synchronised:
            self._retained = None
        return before != synchronised

    @property
    def effects(self) -> Effects:
        """The states that devices should have, found once for each change."""
        if self._effects is None:
            self._effects = react(self._table, self._identity.exponent, self._settings, self._linked)
        return self._effects

    def public(self) -> PublicTable:
        """The public projection, made once for each change.

        While the journal cannot be written, it has the alarm that the journal cannot keep.
        """
        if self._public is None:
            public = project(self._table, self.effects, self._settings, self._linked)
            if self._unwritable is not None:
                own = public_alarm(self._unwritable, self._unwritable)
                others = [alarm for alarm in public.alarms if alarm.name != own.name]
                public = msgspec.structs.replace(public, alarms=[*others, own])
            self._public = public
        return self._public

    def projection(self) -> bytes:
        """The public projection as JSON, encoded once for each change."""
        if self._projection is None:
            self._projection = self._encoded(msgspec.to_builtins(self.public()))
        return self._projection

    def strangers(self) -> bytes:
        """The table as a stranger may see it, as JSON; encoded once for each change."""
        if self._strangers is None:
            self._strangers = self._encoded(for_strangers(self.public()))
        return self._strangers

    def _encoded(self, shown: dict[str, Any]) -> bytes:
        identity = {"schema": 1, "as_of": self._sequence, **msgspec.to_builtins(self._identity)}
        beside = {
            "answers": step_ids(self._table),
            "rounds_over": rounds_over(self._table),
            "prints": self._table.prints,
        }
        return _encode(identity | shown | beside)

    async def changed(self, since: bytes, shown: Callable[[], bytes]) -> bytes:
        """The value of `shown`, once it differs from `since`. Raises Closing when the station stops."""
        while (now := shown()) is since or now == since:
            if self._closing:
                raise ProgramStops
            await self._changed.wait()
        return now

    def display(self) -> bytes:
        """The players' display as JSON; encoded once for each change."""
        if self._display is None:
            shown = display(self.public(), self._settings)
            beside = {key: getattr(self._identity, key) for key in ("table", "mode", "currency", "exponent")}
            terms = terms_of(self._table, self._settings)
            beside["fault"] = interruption(self._table, self._settings)
            beside["pot_changed"] = self._pot_changed if self._linked is None else None
            beside["edges"] = {wager: edge for wager in shown.limits if (edge := edge_shown(terms, wager)) is not None}
            past = None if self._past is None else self._past.shown(self._journal.events, self._table.round)
            self._display = _encode(beside | msgspec.to_builtins(shown) | {"past": past})
        return self._display

    def close(self) -> None:
        """Ends every stream that waits for a change."""
        self._closing = True
        self._changed.set()

    def retained(self, session: int) -> dict[str, bytes]:
        """The retained messages of the floor's topics, as of this session with the broker."""
        if self._retained is None or session != self._session:
            meter, statistics, checkpoint = self._table.meter, self._statistics, self._checkpoint
            self._session, self._retained = (
                session,
                self._retained_messages.of(
                    self.public(),
                    self._sequence,
                    self._time,
                    session,
                    meter,
                    statistics,
                    checkpoint,
                    self._synchronised,
                ),
            )
        return self._retained

    def setting(self) -> bytes:
        """The table's configuration, as JSON."""
        return _encode({**msgspec.to_builtins(self._identity), **public_setting(self._settings)})

    def metrics(self) -> bytes:
        """The metrics in Prometheus' text format."""
        return self._metrics.text()

    async def rounds(self, last: int, before: int | None) -> bytes | NotFound:
        """The last rounds confirmed, as JSON; read from the journal's end."""
        # What was written last may not be durable yet.
        path, events = self._journal.path, self._journal.events
        return await self._read(lambda: last_rounds(path, events, self._identity, last, before))

    async def found(self, query: str, on: tuple[int, ...]) -> bytes | NotFound:
        """The rounds that match a query, newest first, among some of the events, and where to search next; as JSON."""
        path, events, identity = self._journal.path, self._journal.events, self._identity
        try:
            asked = read_query(query, identity.exponent)
        except Refusal as refused:
            return NotUnderstood(refused.reason.code, refused.reason.values)
        return await self._read(lambda: found_rounds(path, events, identity, asked, on))

    async def figures(self, since: str, until: str, dealer: str | None) -> bytes | NotFound:
        """The figures of a period, of one dealer or of all, as JSON."""
        path, identity, table, seats = self._journal.path, self._identity, self._table, self._settings.terms.seat_count
        return await self._read(lambda: figures(path, identity, table, seats, since, until, dealer))

    async def slip(self, number: int) -> bytes | NotFound:
        """A payment slip, as JSON; with the checkpoint that includes its payment, if the table signs checkpoints."""
        self.sign()
        note = None if self._checkpoint is None else Note.read(self._checkpoint.note.encode())
        return await self._read(lambda: numbered_slip(self._journal.path, self._identity, number, note))

    async def alarms(self, last: int) -> bytes | NotFound:
        """The last alarms raised, as JSON."""
        return await self._read(lambda: {"alarms": last_alarms(self._journal.path, self._identity.mode, last)})

    async def sign_ins(self, last: int) -> bytes | NotFound:
        """The last log-ins at the console, as JSON."""
        path, mode = self._journal.path, self._identity.mode
        return await self._read(lambda: {"entries": [act.as_published() for act in last_sign_ins(path, mode, last)]})

    async def register(self, day: date | None) -> bytes | NotFound:
        """The irregularities and corrections of a day, or the last ones, as JSON."""
        path, identity = self._journal.path, self._identity
        after = 0 if day is not None else max(0, self._journal.events - LATELY)
        return await self._read(lambda: {"entries": register(path, identity, day, after)[-MOST_ENTRIES:]})

    async def _read(self, question: Callable[[], object]) -> bytes | NotFound:
        return await asyncio.to_thread(answer_octets, question)


def answer_octets(question: Callable[[], object]) -> bytes | NotFound:
    """The answer to a question to a journal's file, as JSON, or why it cannot be read; it blocks."""
    try:
        found = question()
    except JournalUnavailable as error:
        return JournalUnreadable(str(error))
    except JournalCorrupt as error:
        return JournalBroken(str(error))
    return found if isinstance(found, NoSlip | TooFarBack) else _encode(found)

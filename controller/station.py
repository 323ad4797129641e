"""A station that runs: its journal opened and checked, its parts started, kept running and ended in order."""

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec
import structlog

from controller.config.file import Config
from controller.config.settings import engine_settings
from controller.engine.decisions.deciders import decide
from controller.engine.decisions.devices import DevicesConfigured
from controller.engine.decisions.jackpot import ParametersRead
from controller.engine.state.applied import fold
from controller.engine.state.current import Settings
from controller.engine.state.events import EpochBegun
from controller.engine.state.table import FLOOR, PIT, Table
from controller.journal.records import JournalCorrupt, JournalUnavailable, WrongJournal
from controller.journal.sealing import Seal, read_key
from controller.journal.writer import Writer
from controller.rulebook.games import GAMES
from controller.runtime.bus import CommitPublished, Committed, FromStation
from controller.runtime.composition import Parts, compose
from controller.runtime.gate import log_if_closed, log_if_open_to_every_user
from controller.runtime.recording import Recording
from controller.runtime.watches import ClockWatch, warn_if_exposed, watch_disk
from controller.runtime.wired import log_makes
from controller.system.tasks import first_exception, on_ending_signal
from controller.telemetry.health import ServiceManager, notify

log = structlog.get_logger()


@dataclass(eq=False)
class Station(Parts):
    """A station that is opened, and runs until it is stopped."""

    _service: ServiceManager = field(default_factory=ServiceManager)
    _stopping: asyncio.Event = field(default_factory=asyncio.Event)
    _leaving: bool = False
    _corrupt: Exception | None = None  # the journal, found so at work

    def __post_init__(self) -> None:
        self.bus.subscribe(CommitPublished, self._committed)

    @classmethod
    async def open(cls, config: Config, recording: Recording | None = None) -> "Station":
        """Open the journal and check it, before anything is sent anywhere.

        Raises NoJournal, JournalUnavailable, JournalCorrupt, WrongJournal, BadSealKey, BadConfiguration or
        CannotListen.
        """
        key = read_key(config.seal_key_file, create=config.mode != "live")
        writer = await Writer.open(config.journal, Seal(key), config.mode)
        try:
            _refuse_another_game(config, writer.restored.table)
            _refuse_another_link(config, writer.restored.table)
            return cls(**vars(compose(config, writer, recording)))
        except BaseException:
            await writer.close()
            raise

    async def run(self) -> None:
        """Runs until `stop` or a signal that ends a process; then closes the journal and publishes that the station
        has stopped.
        """
        on_ending_signal(lambda _: self._stopping.set())
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, self.leave)
        self._begin()
        try:
            async with asyncio.TaskGroup() as group:
                tasks = self._tasks(group)
                console = group.create_task(self.console.run(), name="console")
                await self.console.answers()
                self._service.show(self.loop.table, self._leaving)
                await self._service.ready()
                await self._stopping.wait()
                notify("STOPPING=1")
                self.console.stop()
                self.view.close()
                self.loop.close()
                for task in tasks:
                    task.cancel()
                await console
        finally:
            await self._end()
        if self._corrupt is not None:
            raise self._corrupt

    def stop(self) -> None:
        """Lets `run` return soon."""
        self._stopping.set()

    def leave(self) -> None:
        """Lets `run` return between two rounds, at the latest after the configured time: a newer station waits."""
        if not self._leaving:
            self._leaving = True
            log.info("leaves after the round", within_seconds=self.config.update_wait)
            asyncio.get_running_loop().call_later(self.config.update_wait, self.stop)
            self.loop.leave(self.stop)
            self._service.show(self.loop.table, self._leaving)

    async def stopped(self) -> None:
        """Waits until the station is to stop."""
        await self._stopping.wait()

    async def drained(self) -> None:
        """Waits until the floor has acknowledged every message."""
        await self.floor.outbox.emptied()

    async def close(self) -> None:
        """Close a station that was opened and is not to run."""
        self.console.close()
        await self.writer.close()

    def _committed(self, committed: Committed) -> None:
        """Shows the table to the service manager; leaves if the next start has another name."""
        if committed.events:
            self._service.show(committed.table, self._leaving)
        if any(isinstance(event, EpochBegun) for event in committed.events):
            self.leave()

    def _begin(self) -> None:
        config, publish = self.config, self.bus.publish
        self.devices.order()
        links = (FLOOR,) if self.link is None else (FLOOR, PIT)
        publish(FromStation(DevicesConfigured(devices=(*self.devices.by_name, *links))))
        if config.jackpot is not None:
            jackpot = config.jackpot
            read = ParametersRead(
                pot=jackpot.initial_pot,
                reserve=jackpot.initial_reserve,
                parameters=jackpot.parameters,
                carried_over=jackpot.carried_over,
            )
            publish(FromStation(read))
            _log_proposal(self.loop.table, read, engine_settings(config))
        if self.link is not None:
            self.link.start(self.loop.table)
        self._log_start()
        self.floor.checkpoint()
        self.upkeep.start()
        warn_if_exposed(config.floor, self.bus)
        if self.recorder is not None:
            for complaint in self.loop.table.complaints:
                self.recorder.keep(complaint.round)
            self.recorder.start()

    def _log_start(self) -> None:
        identity, events = self.identity, self.writer.journal.events
        log.info("running", table=identity.base, mode=identity.mode, events=events)
        log_makes(self.settings.makes)
        if self.config.checkpoint is None:
            log.info("no checkpoints: no one else can see whether the record was rewritten", expected="[checkpoint]")
        log_if_closed(self.gate, self.config)
        if self.gate is not None and not self.console.kept:
            log.warning("the console's port is anybody's while the station restarts", expected="dealer-station.socket")

    def _tasks(self, group: asyncio.TaskGroup) -> list["asyncio.Task[None]"]:
        floor = self.floor
        works: list[tuple[Coroutine[None, None, None], str | None]] = [
            (self._until_corrupt(self.loop.run()), "loop"),
            (self._until_corrupt(floor.client.run()), FLOOR),
            (self._until_corrupt(self.upkeep.flush(self.loop, floor)), None),
            (self._service.keep_alive(), None),
            (self.daily.keep(), None),
            (ClockWatch(self.clock, self.view, self.config.mode == "live", self.bus).run(), None),
            (floor.keep_checkpoints(), None),
            (floor.keep_certificates(), None),
            (watch_disk(self.writer.journal.path.parent, self.bus), None),
        ]
        if self.link is not None:
            works.append((self.link.run(), PIT))
        if self.gate is not None:
            works += [(self.gate.keep(), "gate"), (log_if_open_to_every_user(self.config), None)]
        tasks = [group.create_task(work, name=name) for work, name in works]
        return [*tasks, *self.devices.tasks(group)]

    async def _until_corrupt(self, work: Coroutine[None, None, None]) -> None:
        """Runs a task; if it finds the journal corrupt, the station stops in order."""
        try:
            await work
        except* JournalCorrupt as group:
            self._corrupt = self._corrupt or first_exception(group)
            self.stop()

    async def _end(self) -> None:
        await self.upkeep.stop()
        if self.recorder is not None:
            await asyncio.to_thread(self.recorder.stop)
        intact = self._corrupt is None  # else nothing that is only in memory is published any more
        if intact:
            self.floor.checkpoint()
        # Also when the station stops itself: aiomqtt says goodbye to the broker, and that discards the will.
        await self.floor.client.say_goodbye(with_state=intact)
        try:
            if intact:
                with suppress(JournalUnavailable):
                    self.writer.check_files()
                    await self.writer.flush()
        finally:
            await self.writer.close()


def _refuse_another_game(config: Config, table: Table) -> None:
    """Raises WrongJournal: shoe, pot and carried chips of one game mean nothing in another."""
    meter = table.meter
    other_pot = meter is not None and not GAMES[config.game].prize.pays(meter.parameters)
    if table.game not in ("", config.game) or (other_pot and table.game != config.game):
        was = table.game or "another game"
        raise WrongJournal(f"{config.journal} is a journal of {was}; this configuration's game is {config.game}")


def _refuse_another_link(config: Config, table: Table) -> None:
    """Raises WrongJournal if the journal belongs to a link with another pit, or to none."""
    joined = table.link.kept.link if table.link is not None else ""
    wanted = config.link.pot if config.link is not None else ""
    if joined and joined != wanted:
        now = f"is linked to {wanted}" if wanted else "has no [link]"
        raise WrongJournal(f"{config.journal} is a journal of the linked pot {joined}; this configuration {now}")
    named = f"{config.site}/{config.table}"
    if table.link is not None and table.link.kept.table != named:
        known = f"{table.link.kept.table} to the linked pot {joined}"
        raise WrongJournal(f"the table of {config.journal} is {known}; this configuration names it {named}")


def _log_proposal(table: Table, read: ParametersRead, settings: Settings) -> None:
    """Logs if the parameters just read wait for two persons."""
    meter = fold(table, decide(table, read, settings, {}).events).meter
    if meter is None or meter.proposal is None:
        return
    proposal = meter.proposal
    before, after = msgspec.to_builtins(proposal.parameters_before), msgspec.to_builtins(proposal.parameters_after)
    changes = {name: f"{before[name]} -> {after[name]}" for name in after if before[name] != after[name]}
    signed = list(proposal.approved_by)
    log.warning("parameters wait for two persons", proposal=proposal.number, approved_by=signed, **changes)

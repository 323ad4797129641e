"""The composition root: journal, table loop, devices, floor and console, put together and kept running."""

import asyncio
import importlib
import secrets
import signal
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec
import structlog

from controller.config.devices import NUMATO_LINES, Adu218, AlphaSign, BetaBrite, Numato, SimulatedUsb
from controller.config.document import BadConfiguration
from controller.config.file import Config
from controller.config.floor_connection import identity_of
from controller.config.section import Mistake
from controller.console.app import make_app
from controller.console.server import App, ConsoleServer
from controller.engine.decisions.alarms import (
    CLOCK,
    DEFECT,
    EXPOSED,
    FORGED,
    JOURNAL,
    RECORDER,
    changed,
    disk_fills,
    ended,
    exposed,
    mark_unreadable,
    unrecorded,
    unsigned,
    unsynchronised,
)
from controller.engine.decisions.decide import decide
from controller.engine.decisions.inputs import (
    DevicesConfigured,
    FromPerson,
    LinkConfigured,
    LockIn,
    ParametersRead,
    SegmentsExpired,
    SignInHeard,
)
from controller.engine.outcomes import OutcomeOfAll
from controller.engine.state.events import EpochBegun, JournalPruned
from controller.engine.state.settings import Settings
from controller.engine.state.sign_ins import SignInEvent
from controller.engine.state.table import FLOOR, PIT, Table, fold
from controller.journal.closing import Lapsed, message_closer, segment_closer
from controller.journal.pruning import expired_today, keep_from, lapsed_today
from controller.journal.records import DeviceMark, JournalCorrupt, JournalUnavailable, Stamp, WrongJournal
from controller.journal.sealing import Seal, read_key
from controller.journal.store import TIDY_SECONDS
from controller.journal.verifying import Verifier
from controller.journal.wires import folder_of
from controller.journal.writer import Writer
from controller.link.table import Shown
from controller.queries.days import rows_of_day
from controller.rulebook.events import CardSource, RoundConfirmed, Terms
from controller.rulebook.games import GAMES
from controller.rulebook.packets import PacketGame
from controller.rulebook.parts.faults import DeviceName
from controller.runtime.checkpoints import read_signer
from controller.runtime.clock import REPORT_SECONDS, Clock, Synchronisation
from controller.runtime.daily import Daily
from controller.runtime.flight import FlightRecorder, Ring, looked_into
from controller.runtime.floor import TableAtFloor, station_version
from controller.runtime.gate import log_if_closed, log_if_open_to_every_user, make_gate
from controller.runtime.linked import LinkedPot
from controller.runtime.loop import Committed, FromStation, FromWire, TableLoop, place_of
from controller.runtime.proposal import Proposing
from controller.runtime.recording import Recording
from controller.runtime.translation import Translator, Wiring
from controller.runtime.view import View
from controller.runtime.workbench import Workbench
from controller.system.tasks import first_of, on_ending_signal
from controller.telemetry.disk import Disk, free_bytes, taken_bytes
from controller.telemetry.health import notify, table_status, watchdog_interval
from controller.telemetry.metrics import Metrics
from controller.tlog.notes import BadKey, Signer
from controller.words import Words
from drivers.adu218.slots import Slots
from drivers.alpha.serial_sign import Sign
from drivers.angel_eye.shoe import Shoe
from drivers.betabrite.sign import BetaBrite as BetaBriteSign
from drivers.device import Device, Heard, Mark
from drivers.inventory import look
from drivers.messages import LinkLost, LinkUp, NoiseHeard
from drivers.numato.slots import Numato as NumatoSlots
from drivers.ports.usb import UsbBackend, libusb_backend
from drivers.shuffler_link.shuffler import Shuffler
from drivers.tap import Tap

FLUSH_SECONDS = 0.5  # how long an acknowledgement of the floor may wait to be written down
STATISTICS_SECONDS = 60.0
CLOCK_SECONDS = 10.0  # between two looks at whether it is synchronised
NOTIFY_SECONDS = 0.1  # between two tries to report to the service manager that the station is ready
DISK_SECONDS = 60.0  # between two looks at how much room there is

log = structlog.get_logger()

OnCommit = Callable[[Committed], None]


class Station:
    """A whole station. `on_commit` and `on_acknowledged` let a command watch what is durable and delivered."""

    def __init__(
        self,
        config: Config,
        writer: Writer,
        on_commit: OnCommit | None = None,
        on_acknowledged: Callable[[int], None] | None = None,
        recording: Recording | None = None,
    ) -> None:
        self._config = config
        self._writer = writer
        self._watch = on_commit
        self._stopping = asyncio.Event()
        self._leaving = False
        self._told_jumped = False
        self._corrupt: Exception | None = None  # the journal, found so at work
        self._status = ""
        self.metrics = Metrics()
        self.metrics.look = self._measure
        writer.on_commit = self.metrics.commit.observe
        writer.journal.on_checkpoint = self.metrics.checkpoint.observe
        clock = Clock()
        self.identity = identity_of(config, writer.journal.name)
        settings = settings_of(config)
        self.view = View(writer, settings, self.identity, self.metrics, clock.stamp().time)
        self._translator = Translator(_wiring(config))
        self.loop = TableLoop(
            writer,
            settings,
            self.identity,
            self._translator,
            clock,
            self.metrics,
            self.view,
            lambda committed: self.floor.durable(committed),
            self._committed,
            on_alarm=lambda: self.floor.outbox.wake(),
        )
        self._clock = clock
        path, events = writer.journal.path, writer.journal.events
        self._daily = Daily(
            self.identity, writer.restored, config.seats, lambda day: rows_of_day(path, config.mode, events, day)
        )
        self._recorder = self._make_recorder() if config.recorder.minutes else None
        tapped = next((one.wire for one in (recording, self._recorder) if one is not None), _untapped)
        self._devices: dict[DeviceName, Device] = {
            device.name: device for device in _devices(config, writer.restored.marks, tapped)
        }
        self._signer = _signer_of(config, self.identity.base)
        self._link = self._make_link()
        self.floor = self._make_floor(on_acknowledged)
        now = lambda: clock.stamp().time  # noqa: E731
        decide = self._answer if recording is None else recording.screen(self._answer)
        self._verifier = Verifier(
            writer.journal.path, lambda: writer.journal.end, self._broken, partial(self._ended, "verifier")
        )
        journal = writer.journal
        self._closers = (
            segment_closer(
                path=journal.path,
                take_up=journal.take_up,
                taken_up=lambda: journal.segment_taken_up,
                expired=self._expired_today,
                on_expired=self._expired,
                on_broken=self._broken,
                on_defect=partial(self._ended, "closer"),
            ),
            message_closer(
                path=journal.path,
                now=now,
                take_up=journal.take_up,
                taken_up=lambda: journal.messages_taken_up,
                lapsed=self._lapsed_today,
                on_lapsed=journal.drop,
                on_broken=self._broken,
                on_defect=partial(self._ended, "closer"),
            ),
        )
        self._gate = make_gate(config, writer.journal.path, self._report_sign_in)
        self._workbench = Workbench(
            now=now,
            is_closed=lambda: not self.loop.table.open,
            trials=lambda: {
                what: trial
                for what, trial in self._translator.trials(self.view.effects).items()
                if trial[0] in self._devices
            },
            order=self._order,
            later=lambda seconds, then: self._asyncio.call_later(seconds, then),
        )
        setup = Proposing(config, lambda: msgspec.to_builtins(look().plugged), self._workbench)
        app = make_app(self.view, decide, config.listen[0], self._gate, config.panel, setup)
        self._console = ConsoleServer(self.served(app), config.listen, self._gate)

    @classmethod
    async def open(
        cls,
        config: Config,
        on_commit: OnCommit | None = None,
        on_acknowledged: Callable[[int], None] | None = None,
        recording: Recording | None = None,
    ) -> "Station":
        """Open the journal and check it, before anything is sent anywhere.

        Raises NoJournal, JournalUnavailable, JournalCorrupt, WrongJournal, BadSealKey, BadConfiguration or
        CannotListen.
        """
        key = read_key(config.seal_key_file, create=config.mode == "simulation")
        writer = await Writer.open(config.journal, Seal(key), config.mode)
        try:
            _refuse_another_game(config, writer.restored.table)
            _refuse_another_link(config, writer.restored.table)
            return cls(config, writer, on_commit, on_acknowledged, recording)
        except BaseException:
            await writer.close()
            raise

    async def run(self) -> None:
        """Run until `stop` or a signal that ends a process; then close the journal and publish that it has stopped."""
        loop = asyncio.get_running_loop()
        on_ending_signal(lambda _: self._stopping.set())
        loop.add_signal_handler(signal.SIGUSR1, self.leave)
        self._order()
        links = (FLOOR,) if self._link is None else (FLOOR, PIT)
        self.loop.hear(FromStation(input=DevicesConfigured(devices=(*self._devices, *links))))
        if self._config.jackpot is not None:
            jackpot = self._config.jackpot
            read = ParametersRead(
                pot=jackpot.initial_pot,
                reserve=jackpot.initial_reserve,
                parameters=jackpot.parameters,
                carried_over=jackpot.carried_over,
            )
            self.loop.hear(FromStation(input=read))
            _tell_of_proposal(self.loop.table, read, settings_of(self._config))
        if self._link is not None:
            self._link.start(self.loop.table)
        log.info("running", table=self.identity.base, mode=self.identity.mode, events=self._writer.journal.events)
        if self._config.checkpoint is None:
            log.info(
                "no checkpoints: nobody else can tell whether the record was written again", expected="[checkpoint]"
            )
        log_if_closed(self._gate, self._config)
        if self._gate is not None and not self._console.kept:
            log.warning("the console's port is anybody's while the station restarts", expected="dealer-station.socket")
        self._asyncio = loop
        self.floor.checkpoint()
        if (mark := self._writer.journal.mark_unreadable) is not None:
            self.loop.complain(mark_unreadable(), details=f"{mark} is damaged")
        self._verifier.start()
        for closer in self._closers:
            closer.start()
        self._look_at_password()
        if self._recorder is not None:
            for complaint in self.loop.table.complaints:
                self._recorder.keep(complaint.round)
            self._recorder.start()
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._until_corrupt(self.loop.run()), name="loop")]
                tasks += [
                    group.create_task(device.run(self._hear), name=name) for name, device in self._devices.items()
                ]
                tasks += [group.create_task(self._until_corrupt(self.floor.client.run()), name=FLOOR)]
                tasks += [group.create_task(self._until_corrupt(self._flush()))]
                tasks += [group.create_task(self._tell_watchdog()), group.create_task(self._keep_statistics())]
                tasks.append(group.create_task(self._watch_clock()))
                tasks += [group.create_task(self.floor.keep_checkpoints())]
                tasks += [group.create_task(self.floor.keep_certificates())]
                tasks += [group.create_task(watch_disk(self._writer.journal.path.parent, self.loop.complain))]
                if self._link is not None:
                    tasks += [group.create_task(self._link.run(), name=PIT)]
                if self._gate is not None:
                    tasks += [group.create_task(self._gate.keep(), name="gate")]
                    tasks += [group.create_task(log_if_open_to_every_user(self._config))]
                console = group.create_task(self._console.run(), name="console")
                await self._console.answers()
                self._tell_status()
                while not notify("READY=1"):  # noqa: ASYNC110 the service manager is another process
                    await asyncio.sleep(NOTIFY_SECONDS)
                await self._stopping.wait()
                notify("STOPPING=1")
                self._console.stop()
                self.view.close()
                self.loop.close()
                for task in tasks:
                    task.cancel()
                await console
        finally:
            await asyncio.to_thread(self._verifier.stop)
            for closer in self._closers:
                await asyncio.to_thread(closer.stop)
            if self._recorder is not None:
                await asyncio.to_thread(self._recorder.stop)
            intact = self._corrupt is None  # else nothing that is only in memory is published any more
            if intact:
                self.floor.checkpoint()
            # Also when the station stops itself: aiomqtt says goodbye to the broker, and that discards the will.
            await self.floor.client.say_goodbye(with_state=intact)
            try:
                if intact:
                    with suppress(JournalUnavailable):
                        self._writer.check_files()
                        await self._writer.flush()
            finally:
                await self._writer.close()
        if self._corrupt is not None:
            raise self._corrupt

    async def _until_corrupt(self, work: Coroutine[None, None, None]) -> None:
        """Do a task's work; a journal that is found corrupt at work stops the station, in order."""
        try:
            await work
        except* JournalCorrupt as group:
            self._corrupt = self._corrupt or first_of(group)
            self.stop()

    def served(self, app: App) -> App:
        """What the console's address serves, for a command that watches what is sent there."""
        return app

    async def close(self) -> None:
        """Close a station that was opened and is not to run."""
        self._console.close()
        await self._writer.close()

    def stop(self) -> None:
        """Let `run` return soon."""
        self._stopping.set()

    def leave(self) -> None:
        """Let `run` return between two rounds, at the latest when the configured time is over: a newer one waits."""
        if not self._leaving:
            self._leaving = True
            log.info("leaves after the round", within_seconds=self._config.update_wait)
            self._asyncio.call_later(self._config.update_wait, self.stop)
            self.loop.leave(self.stop)
            self._tell_status()

    async def stopped(self) -> None:
        """Wait until somebody has asked the station to stop."""
        await self._stopping.wait()

    async def drained(self) -> None:
        """Wait until the floor has acknowledged every message there is."""
        await self.floor.outbox.emptied()

    def _make_recorder(self) -> FlightRecorder:
        journal, wanted = self._writer.journal, self._config.recorder

        def tell(reason: str) -> None:  # in the recorder's thread
            with suppress(RuntimeError):  # the loop has ended
                self._asyncio.call_soon_threadsafe(self.loop.complain_once, unrecorded(), RECORDER, reason)

        return FlightRecorder(
            Ring(
                folder_of(journal.path), 60.0 * wanted.minutes, wanted.megabytes << 20, 24 * 3600.0 * wanted.aside_days
            ),
            journal.uuid,
            key_of=journal.wires_key,
            round=lambda: self.loop.table.rounds,
            tell=tell,
            count_dropped=self.metrics.unrecorded.inc,
        )

    def _broken(self, broken: JournalCorrupt) -> None:
        """In the verifier's thread or a closer's."""
        with suppress(RuntimeError):  # the loop has ended
            self._asyncio.call_soon_threadsafe(self.loop.complain, changed(), JOURNAL, str(broken))

    def _ended(self, work: str, defect: Exception) -> None:
        """In the verifier's thread or a closer's: it ends, and the table plays on."""
        where = place_of(defect)
        log.error("defect", thread=work, error=type(defect).__name__, where=where)
        with suppress(RuntimeError):  # the loop has ended
            self._asyncio.call_soon_threadsafe(self.loop.complain, ended(work), DEFECT, where)

    def _keep_from(self, now: Stamp, days: int) -> str | None:
        """In a closer's thread: as `keep_from`, and None where the clock has jumped since the station started."""
        before = keep_from(now, days)
        if before is None or not self._clock.has_jumped(now):
            return before
        if not self._told_jumped:
            self._told_jumped = True
            log.warning("nothing is pruned: the clock has jumped", expected="the computer restarted")
        return None

    def _expired_today(self) -> JournalPruned | None:
        now = self._clock.stamp()
        before = self._keep_from(now, self._config.keep_days)
        return None if before is None else expired_today(self._writer.journal.path, before, now)

    def _lapsed_today(self) -> Lapsed | None:
        now, floor = self._clock.stamp(), self._config.floor
        before = self._keep_from(now, floor.keep_days)
        last = 0 if before is None else lapsed_today(self._writer.journal.path, before, now, floor.archives)
        return (last, now) if last else None

    def _expired(self, pruned: JournalPruned) -> None:
        """In the closer's thread."""
        with suppress(RuntimeError):  # the loop has ended
            self._asyncio.call_soon_threadsafe(self.loop.hear, FromStation(input=SegmentsExpired(event=pruned)))

    def _report_sign_in(self, event: SignInEvent) -> None:
        log.info("entry", **msgspec.to_builtins(event))
        self.loop.hear(FromStation(input=SignInHeard(event=event)))

    def _hear(self, heard: Heard) -> None:
        match heard.message:
            case LinkUp() | LinkLost():
                self.metrics.device_up.labels(heard.device).set(isinstance(heard.message, LinkUp))
            case NoiseHeard(count=count):
                self.metrics.noise.labels(heard.device).inc(count)
        self._workbench.heard(heard.device, heard.message)
        mark = heard.mark
        self.loop.hear(
            FromWire(
                device=heard.device,
                message=heard.message,
                mark=DeviceMark(device=heard.device, boot=mark.boot, sequence=mark.sequence) if mark else None,
            )
        )

    async def _answer(self, inputs: list[FromPerson]) -> OutcomeOfAll:
        """A chip that lies in its slot as somebody closes the betting on a screen is read before that is decided."""
        slots = self._devices.get("slots")
        if isinstance(slots, Slots | NumatoSlots) and any(isinstance(one, LockIn) for one in inputs):
            await slots.read_again()
        return await self.loop.answer(inputs)

    def _committed(self, committed: Committed) -> None:
        for mark in committed.marks:
            self._devices[mark.device].durable(Mark(boot=mark.boot, sequence=mark.sequence))
        if committed.events:
            if self._link is not None:
                self._link.durable(committed.table)
            self._order()
            self._tell_status()
            self._daily.hear(committed.time, committed.events, self.loop.sequence)
            if self._recorder is not None:
                for event in committed.events:
                    if (round := looked_into(event, committed.table.rounds)) is not None:
                        self._recorder.keep(round)
            if any(isinstance(event, RoundConfirmed) for event in committed.events):
                self._tell_statistics()
                self.floor.checkpoint()
            if any(isinstance(event, EpochBegun) for event in committed.events):
                self.leave()  # the next start goes on under the new name
        if self._watch is not None:
            self._watch(committed)

    def _order(self) -> None:
        orders = self._translator.orders(self.view.effects)
        wanted = {name: order for name, order in orders.items() if name in self._devices}
        for name, order in self._workbench.orders(wanted).items():
            self._devices[name].order(order)

    async def _watch_clock(self) -> None:
        synchronisation = Synchronisation()
        while True:
            self._look_at_clock(synchronisation)
            await asyncio.sleep(CLOCK_SECONDS)

    def _look_at_clock(self, synchronisation: Synchronisation) -> None:
        stamp = self._clock.stamp()
        if self.view.show_clock(stamp.synchronised):
            self.floor.outbox.wake()
        # A simulation decides no money, and its computer may have no time server.
        if synchronisation.look(stamp.synchronised, stamp.monotonic_ns / 1e9) and self._config.mode == "live":
            self.loop.complain_once(unsynchronised(round(REPORT_SECONDS / 60)), CLOCK)

    def _look_at_password(self) -> None:
        if self._config.floor.exposed:
            self.loop.complain_once(exposed(), EXPOSED)

    async def _keep_statistics(self) -> None:
        await self._daily.restore(self._clock.stamp().time)
        while True:
            self._tell_statistics()
            await asyncio.sleep(STATISTICS_SECONDS)

    def _tell_statistics(self) -> None:
        told = self._daily.told(self._clock.stamp().time)
        if told is not None:
            self.view.show_statistics(told)
            self.floor.outbox.wake()

    def _measure(self) -> None:
        """What the metrics ask for when they are read."""
        metrics, stamp, config = self.metrics, self._clock.stamp(), self._config
        metrics.build.info({"version": station_version(), "game": config.game, "mode": config.mode})
        metrics.clock.set(stamp.synchronised)
        with suppress(JournalUnavailable, JournalCorrupt, OSError):
            self.floor.measure()
            for part, size in self._writer.journal.sizes.items():
                metrics.journal.labels(part).set(size)
        metrics.alarms.clear()
        for alarm in self.view.public().alarms:
            metrics.alarms.labels(alarm.name).set(not alarm.over)

    def _make_floor(self, on_acknowledged: Callable[[int], None] | None) -> TableAtFloor:
        return TableAtFloor(
            self._config,
            self.identity,
            self._writer,
            self.loop,
            self.view,
            self.metrics,
            self._clock,
            self._link,
            self._signer,
            on_acknowledged,
        )

    def _make_link(self) -> LinkedPot | None:
        config, wanted = self._config, self._config.link
        if wanted is None or config.jackpot is None or self._signer is None:
            return None
        table = f"{config.site}/{config.table}"
        before = (wanted.predecessor, wanted.through, wanted.head, tuple(map(str, wanted.keys)))
        return LinkedPot(
            LinkConfigured(wanted.pot, table, config.game, self.identity.journal, *before),
            chip=config.jackpot.parameters.chip,
            tiers=GAMES[config.game].prize.tiers,
            hear=lambda input: self.loop.hear(FromStation(input=input)),
            wake=lambda: self.floor.outbox.wake(),
            drop=self.metrics.link_dropped.inc,
            now=time.monotonic,
            show=self._show_linked,
            signer=self._signer,
            session=secrets.token_hex(8),
            forged=lambda topic, reason: self.loop.complain_once(unsigned(topic), FORGED, reason),
        )

    def _show_linked(self, shown: Shown) -> None:
        self.view.show_linked(shown)
        self._order()
        self.floor.outbox.wake()

    async def _flush(self) -> None:
        while True:
            await asyncio.sleep(TIDY_SECONDS if self._writer.journal.untidy else FLUSH_SECONDS)
            try:
                self._writer.check_files()
                await self.floor.flush()
            except JournalUnavailable as error:
                self.loop.journal_failed(error)

    def _tell_status(self) -> None:
        status = table_status(self.loop.table, self._leaving)
        if status != self._status and notify(f"STATUS={status}"):
            self._status = status

    async def _tell_watchdog(self) -> None:
        interval = watchdog_interval()
        while interval is not None:
            notify("WATCHDOG=1")
            await asyncio.sleep(interval)


async def watch_disk(folder: Path, complain: Callable[[Words], None], seconds: float = DISK_SECONDS) -> None:
    """Complain while there is still a day of the journal's disk."""
    disk = Disk()
    while True:
        with suppress(OSError):  # the next commit notices it
            taken = await asyncio.to_thread(taken_bytes, folder)
            filling = disk.look(asyncio.get_running_loop().time(), free_bytes(folder), taken)
            if filling is not None:
                own = max(0, filling.by_journal)
                megabytes = (part // 1_000_000 for part in (filling.free, own, filling.written - own))
                complain(disk_fills(filling.seconds, filling.over, *megabytes))
        await asyncio.sleep(seconds)


def _refuse_another_game(config: Config, table: Table) -> None:
    """Raises WrongJournal: shoe, pot and carried chips of one game mean nothing in another."""
    meter = table.meter
    other_pot = meter is not None and not GAMES[config.game].prize.pays(meter.parameters)
    if table.game not in ("", config.game) or (other_pot and table.game != config.game):
        was = table.game or "another game"
        raise WrongJournal(f"{config.journal} is a journal of {was}; this configuration's game is {config.game}")


def _refuse_another_link(config: Config, table: Table) -> None:
    """Raises WrongJournal: what a journal has for one pit is nothing to another, nor to no pit."""
    joined = table.link.kept.link if table.link is not None else ""
    wanted = config.link.pot if config.link is not None else ""
    if joined and joined != wanted:
        now = f"is linked to {wanted}" if wanted else "has no [link]"
        raise WrongJournal(f"{config.journal} is a journal of the linked pot {joined}; this configuration {now}")
    named = f"{config.site}/{config.table}"
    if table.link is not None and table.link.kept.table != named:
        known = f"{table.link.kept.table} to the linked pot {joined}"
        raise WrongJournal(f"the table of {config.journal} is {known}; this configuration names it {named}")


def _signer_of(config: Config, name: str) -> Signer | None:
    """The key of the table, if it is to have one. Raises BadConfiguration."""
    wanted = config.checkpoint
    if wanted is None:
        return None
    try:
        return read_signer(wanted.key_file, name, create=config.mode == "simulation")
    except BadKey as bad:
        wrong = Mistake("checkpoint.key_file", str(wanted.key_file), f"a key of `dealer-station key`; {bad}")
        raise BadConfiguration(config.path, [wrong]) from None


def _tell_of_proposal(table: Table, read: ParametersRead, settings: Settings) -> None:
    """Say so where the parameters just read wait, or go on waiting, for two persons."""
    meter = fold(table, decide(table, read, settings, {}).events).meter
    if meter is None or meter.proposal is None:
        return
    one = meter.proposal
    before, after = msgspec.to_builtins(one.parameters_before), msgspec.to_builtins(one.parameters_after)
    changes = {name: f"{before[name]} -> {after[name]}" for name in after if before[name] != after[name]}
    log.warning("parameters wait for two persons", proposal=one.number, approved_by=list(one.approved_by), **changes)


def settings_of(config: Config) -> Settings:
    """The table's settings, as the engine takes them."""
    game = GAMES[config.game]
    terms = Terms(
        game=config.game,
        seat_count=config.seats,
        source=config.card_source,
        minimum=config.minimum,
        maximum=config.maximum,
        additional=config.additional,
        decks=config.decks,
        continuous=game.source.machine == "continuous",
        shared=game.betting.shared,
        asks=not isinstance(game, PacketGame),
        manual=config.jackpot is not None and config.jackpot.manual,
        deal=config.deal,
        rules=config.rules,
        reader=config.shoe is not None or game.source.needs_device("shoe"),
        packet_sizes=config.shuffler.packet_sizes if config.shuffler is not None else (),
        chip=config.jackpot.parameters.chip if config.jackpot is not None else 0,
        house=config.house,
    )
    devices: dict[CardSource, object] = {"shuffler": config.shuffler, "shoe": config.shoe}
    sources = tuple(source for source, device in devices.items() if device is not None)
    return Settings(terms=terms, people=config.people, sources=sources, exponent=config.exponent, chips=config.chips)


def _wiring(config: Config) -> Wiring | None:
    match config.slots:
        case Adu218() as slots:
            return Wiring(seats=slots.seats, button_input=slots.button_input, lock_lamp_relay=slots.lock_lamp_relay)
        case Numato() as slots:
            return Wiring(
                seats=slots.seats,
                button_input=slots.button_input,
                lock_lamp_relay=slots.lock_lamp_output,
                lamps=slots.lamps,
                lines=NUMATO_LINES,
            )
        case None:
            return None


def _untapped(name: str, driver: str) -> Tap | None:
    """Nobody listens at a wire."""
    return None


def _devices(
    config: Config, marks: dict[DeviceName, DeviceMark], tap: Callable[[str, str], Tap | None]
) -> list[Device]:
    devices: list[Device] = []
    resume = {name: Mark(boot=mark.boot, sequence=mark.sequence) for name, mark in marks.items()}
    if config.shuffler is not None:
        devices.append(
            Shuffler(
                port=_port(config, config.shuffler.port),
                mark=resume.get("shuffler"),
                tap=tap("shuffler", "shuffler-link"),
            )
        )
    if config.shoe is not None:
        devices.append(
            Shoe(port=_port(config, config.shoe.port), mark=resume.get("shoe"), tap=tap("shoe", "angel-eye"))
        )
    match config.sign:
        case AlphaSign() as sign:
            port = _port(config, sign.port)
            devices.append(Sign(port=port, framing=sign.format, address=sign.address, tap=tap("sign", "alpha")))
        case BetaBrite() as sign:
            backend = _usb_backend(config, "sign", sign.usb)
            devices.append(BetaBriteSign(open_backend=backend, address=sign.address, tap=tap("sign", "betabrite")))
    match config.slots:
        case Adu218() as slots:
            backend = _usb_backend(config, "slots", slots.usb)
            devices.append(Slots(button=slots.button_input, open_backend=backend, tap=tap("slots", "adu218")))
        case Numato() as slots:
            devices.append(
                NumatoSlots(
                    port=_port(config, slots.port),
                    seats=slots.seats,
                    button=slots.button_input,
                    outputs=[*slots.lamps.values(), slots.lock_lamp_output],
                    tap=tap("slots", "numato"),
                )
            )
    return devices


def _port(config: Config, port: str) -> str:
    return port if "://" in port else str(config.path.parent / port)


def _usb_backend(config: Config, device: DeviceName, usb: SimulatedUsb | None) -> Callable[[], UsbBackend]:
    """The machine's own USB, or the simulation's, loaded by the name in its configuration."""
    if usb is None:
        return libusb_backend
    module, _, name = usb.backend.partition(":")
    try:
        open_backend: Callable[[str], UsbBackend] = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError):
        wrong = Mistake(f"devices.{device}.usb_backend", usb.backend, "the name of a module and a function in it")
        raise BadConfiguration(config.path, [wrong]) from None
    socket = str(usb.socket)
    return lambda: open_backend(socket)

"""The parts of a station, each made from those before it, and what they take from each other."""

import asyncio
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import msgspec

from controller.config.checkpoint import read_signer
from controller.config.document import BadConfiguration
from controller.config.file import Config
from controller.config.floor_connection import identity_of
from controller.config.section import Mistake
from controller.config.settings import engine_settings
from controller.console.app import make_app
from controller.console.gate import Gate
from controller.console.server import App, ConsoleServer
from controller.engine.decisions.link import LinkConfigured
from controller.engine.state.alarms import active
from controller.engine.state.current import Settings
from controller.floor.messages import Identity
from controller.journal.records import JournalCorrupt, JournalUnavailable
from controller.journal.wires import folder_of
from controller.journal.writer import Writer
from controller.link.table import Shown
from controller.queries.days import rows_of_day
from controller.rulebook.games import GAMES
from controller.runtime.bus import Bus, CommitPublished, Committed, FromStation, FromWire, PublicationDue, StationAlarm
from controller.runtime.clock import Clock
from controller.runtime.daily import Daily
from controller.runtime.devices import Devices
from controller.runtime.flight import FlightRecorder, Ring
from controller.runtime.floor import TableAtFloor, station_version
from controller.runtime.gate import make_gate
from controller.runtime.linked import LinkedPot
from controller.runtime.loop import TableLoop
from controller.runtime.recording import Recording
from controller.runtime.translation import Translator
from controller.runtime.upkeep import Upkeep
from controller.runtime.view import View
from controller.runtime.wired import devices_of, makes_of, wiring_of
from controller.runtime.workbench import Proposing
from controller.telemetry.metrics import Metrics
from controller.tlog.notes import BadKey, Signer

PublishSoon = Callable[[object], None]
Around = Callable[[App], App]
"""Wraps the application that the console's address serves."""


@dataclass(eq=False)
class Parts:
    """What a station consists of. `bus` lets a command watch what is durable and delivered."""

    config: Config
    settings: Settings
    identity: Identity
    writer: Writer
    bus: Bus
    metrics: Metrics
    clock: Clock
    view: View
    loop: TableLoop
    devices: Devices
    link: LinkedPot | None
    floor: TableAtFloor
    upkeep: Upkeep
    daily: Daily
    recorder: FlightRecorder | None
    gate: Gate | None
    console: ConsoleServer

    def measure(self) -> None:
        """Sets the metrics when they are read."""
        metrics = self.metrics
        metrics.build.info({"version": station_version(), "game": self.config.game, "mode": self.config.mode})
        metrics.clock.set(self.clock.stamp().synchronised)
        with suppress(JournalUnavailable, JournalCorrupt, OSError):
            self.floor.measure()
            for part, size in self.writer.journal.sizes.items():
                metrics.journal.labels(part).set(size)
        metrics.alarms.clear()
        for alarm in self.view.public().alarms:
            metrics.alarms.labels(alarm.name, alarm.level).set(not alarm.over)


def compose(
    config: Config, writer: Writer, recording: Recording | None = None, around: Around = lambda app: app
) -> Parts:
    """A station's parts, each made from those before it. Raises BadConfiguration and CannotListen.

    On the loop's thread.
    """
    journal, restored = writer.journal, writer.restored
    bus, clock, metrics = Bus(), Clock(), Metrics()
    publish_soon = bus.from_threads(asyncio.get_running_loop())
    identity = identity_of(config, journal.name)
    settings = msgspec.structs.replace(engine_settings(config), makes=makes_of(config))
    view = View(writer, settings, identity, metrics, clock.stamp().time, config.last_rounds)
    translator = Translator(wiring_of(config), follows=config.mode == "shadow")
    table = TableLoop(writer, settings, identity, translator, clock, metrics, view, bus)
    recorder = _recorder(config, writer, table, metrics, publish_soon)
    tapped = next((tap.wire for tap in (recording, recorder) if tap is not None), lambda name, driver: None)
    devices = Devices(devices_of(config, restored.marks, tapped), translator, table, view, clock, metrics, bus)
    signer = _signer(config, identity.base)
    link = _link(config, journal.name, signer, metrics, bus)
    floor = TableAtFloor(config, identity, writer, table, view, metrics, clock, link, signer, bus)
    path, events = journal.path, journal.events
    daily = Daily(
        identity, restored, config.seats, lambda day: rows_of_day(path, config.mode, events, day), clock, view, bus
    )
    gate = make_gate(config, path, bus)
    setup = Proposing(config, _plugged, devices.workbench)
    answer = devices.answer if recording is None else recording.screen(devices.answer)
    console = ConsoleServer(
        around(make_app(view, answer, config.listen[0], gate, config.panel, setup)), config.listen, gate
    )
    upkeep = Upkeep(config, writer, clock, publish_soon)
    parts = Parts(
        config,
        settings,
        identity,
        writer,
        bus,
        metrics,
        clock,
        view,
        table,
        devices,
        link,
        floor,
        upkeep,
        daily,
        recorder,
        gate,
        console,
    )
    writer.on_commit, journal.on_checkpoint = metrics.commit.observe, metrics.checkpoint.observe
    metrics.look = parts.measure
    _subscribe(parts)
    return parts


def _subscribe(parts: Parts) -> None:
    """Subscribes the parts to events, in this order."""
    bus, loop, floor, link, devices = parts.bus, parts.loop, parts.floor, parts.link, parts.devices
    bus.subscribe(FromWire, loop.receive)
    bus.subscribe(FromStation, loop.receive)
    bus.subscribe(StationAlarm, loop.raise_alarm)
    bus.subscribe(PublicationDue, lambda _: floor.outbox.wake())
    bus.subscribe(Committed, floor.durable)
    if link is not None:
        bus.subscribe(CommitPublished, link.committed)
        bus.subscribe(Shown, parts.view.show_linked)
        bus.subscribe(Shown, lambda _: devices.order())
        bus.subscribe(Shown, lambda _: floor.outbox.wake())
    bus.subscribe(CommitPublished, devices.committed)
    bus.subscribe(CommitPublished, parts.daily.committed)
    bus.subscribe(CommitPublished, floor.committed)
    if parts.recorder is not None:
        bus.subscribe(CommitPublished, parts.recorder.committed)


def _recorder(
    config: Config, writer: Writer, table: TableLoop, metrics: Metrics, publish_soon: PublishSoon
) -> FlightRecorder | None:
    wanted, journal = config.recorder, writer.journal
    if not wanted.minutes:
        return None
    ring = Ring(folder_of(journal.path), 60.0 * wanted.minutes, wanted.megabytes << 20, 24 * 3600.0 * wanted.aside_days)
    return FlightRecorder(
        ring,
        journal.uuid,
        key_of=journal.wires_key,
        round=lambda: table.table.rounds,
        on_failure=lambda reason: publish_soon(StationAlarm(active("unrecorded", reason), once=True)),
        count_dropped=metrics.unrecorded.inc,
    )


def _link(config: Config, journal: str, signer: Signer | None, metrics: Metrics, bus: Bus) -> LinkedPot | None:
    wanted, jackpot = config.link, config.jackpot
    if wanted is None or jackpot is None or signer is None:
        return None
    before = (wanted.predecessor, wanted.through, wanted.head, tuple(map(str, wanted.keys)))
    return LinkedPot(
        LinkConfigured(wanted.pot, f"{config.site}/{config.table}", config.game, journal, *before),
        chip=jackpot.parameters.chip,
        tiers=GAMES[config.game].prize.tiers,
        bus=bus,
        drop=metrics.link_dropped.inc,
        now=time.monotonic,
        signer=signer,
        session=secrets.token_hex(8),
    )


def _signer(config: Config, name: str) -> Signer | None:
    """The key of the table, if it is to have one. Raises BadConfiguration."""
    wanted = config.checkpoint
    if wanted is None:
        return None
    try:
        return read_signer(wanted.key_file, name, create=config.mode != "live")
    except BadKey as bad:
        wrong = Mistake("checkpoint.key_file", str(wanted.key_file), f"a key of `dealer-station key`; {bad}")
        raise BadConfiguration(config.path, [wrong]) from None


def _plugged() -> object:
    from drivers.inventory import look  # loads what looks for USB, which many a table has not

    return msgspec.to_builtins(look().plugged)

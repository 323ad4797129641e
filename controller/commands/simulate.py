"""`dealer-station simulate`: a simulated table, and the station that `run` would run."""

import argparse
import asyncio
import json
import os
import secrets
import shutil
import signal
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from controller.command_line.argument import address, broker, count, pins, seats, share, shown_address, speed
from controller.command_line.failures import load_config, run_blaming
from controller.command_line.options import add_record
from controller.command_line.output import EXIT_CONFIGURATION, EXIT_PIPE, EXIT_REFUSED, EXIT_UNAVAILABLE
from controller.command_line.pins import not_in_people
from controller.commands.run import wire_recording
from controller.commands.simulators_process import SimulatedTable, SimulatorsFailed, WrongUsage, bench
from controller.config.file import Config
from controller.console.listening import CannotListen, bound_socket
from controller.console.pins import LEAST_DIGITS, PinHasher, PinsUnreadable, WeakPin, changing_pins, refuse_weak
from controller.engine.state.events import TableClosed
from controller.engine.state.jackpot import Meter
from controller.rulebook.events import RoundConfirmed
from controller.rulebook.games import FIRST_GAME, GAMES, SettlingEvent
from controller.system.files import ONLY_OWNER
from controller.system.tasks import on_ending_signal
from controller.telemetry import logs
from drivers.device import DeviceName
from drivers.registry import drivers_of

if TYPE_CHECKING:
    from controller.commands.account import Account
    from controller.runtime.bus import BrokerAcknowledged, Committed
    from controller.runtime.recording import Recording
    from controller.station import Station

SEEDS = 1_000_000  # short enough to be typed again
PLAY_SEAT = "3"  # every game has it, with four places too
DRAIN_SECONDS = 10.0  # without a single acknowledgement
ROBOT_PINS = "robot-pins.json"  # beside station.toml
SEATS = "seats.json"  # there too: the links of persons on other computers
EXIT_BY_SIGNAL = 128  # to which the signal's number is added, as a shell reports a program that one ended


class SimulatedTotals(msgspec.Struct):
    """The totals of a simulation; amounts in 1/10 000 of a minor unit."""

    rounds: int = 0
    settled: int = 0
    void: int = 0
    published: int = 0
    acknowledged: int = 0
    last_sequence: int = 0
    wall_seconds: float = 0.0
    initial: int = 0
    pot: int = 0
    reserve: int = 0
    overflow: int = 0
    pending: int = 0
    contributions: int = 0
    returned: int = 0
    paid: int = 0
    house_funded: int = 0
    adjustments: int = 0

    def read_meter(self, meter: Meter) -> None:
        """Takes over the ledger's totals."""
        for name in ("initial", "pot", "reserve", "overflow", "pending", "contributions", "returned", "paid"):
            setattr(self, name, getattr(meter, f"{name}_e4"))
        self.house_funded, self.adjustments = meter.house_funded_e4, meter.adjustments_e4


class _HandedOn(argparse.Action):
    """An option that the simulators' command line also has; it gets the same value."""

    def __call__(self, parser: object, namespace: argparse.Namespace, value: object, option: object = None) -> None:
        setattr(namespace, self.dest, value)
        namespace.bench = (*namespace.bench, self.option_strings[0], str(value))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Starts the simulated devices, players and dealer as a process of their own, then runs the station on them "
        "exactly as `run` does. Several tables and their pit: `dealer-pit simulate`."
    )
    parser.set_defaults(bench=())
    hand_on = partial(parser.add_argument, action=_HandedOn)
    hand_on(
        "--game",
        default=FIRST_GAME,
        choices=tuple(GAMES),
        help="game id (default: %(default)s)",
    )
    hand_on("--site", help="of the table (default: laptop)")
    hand_on("--table", metavar="ID", help="of the table (default: table-1)")
    hand_on("--seats", type=int, choices=(4, 5, 6, 7, 8), help="default: 6, or what the game prescribes")
    hand_on(
        "--decks",
        type=int,
        choices=range(1, 9),
        metavar="N",
        help="of a game that leaves a choice",
    )
    hand_on("--marking", choices=("automatic", "manual"), help="of the jackpot chips, where the game leaves a choice")
    hand_on("--rounds", type=count, metavar="N", help="end after N rounds (default: until Ctrl-C)")
    parser.add_argument(
        "--speed",
        type=speed,
        help="human, device, max, or a number of times human (default: 20; 8 with --play, max with --json)",
    )
    hand_on("--seed", type=int, help="the same seed plays the same cards (default: 1; chance with --play)")
    hand_on(
        "--source",
        choices=("shuffler", "shoe", "hand"),
        help="default: shuffler, or what the game prescribes; hand: a game dealt by hand, without a reader",
    )
    hand_on(
        "--places", choices=("mixed", "8", "4"), help="of a game with eight places: to how many of them tiles are dealt"
    )
    kinds: tuple[DeviceName, ...] = ("shoe", "slots", "sign")
    for kind in kinds:
        hand_on(f"--{kind}", choices=drivers_of(kind), help="make, where the table has one")
    hand_on("--camera", type=Path, metavar="FILE", help="write what a camera over the table sees")
    hand_on("--stack", type=Path, metavar="FILE", help="the orders of the first shuffles, a line each")
    hand_on(
        "--fault",
        metavar="SPEC",
        help="something that goes wrong, DEVICE:KIND[=VALUE][@KEY=VALUE,…]; repeatable",
    )
    hand_on("--faults", type=share, metavar="RATE", help="chance per round of one random fault, 0 to 1")
    parser.add_argument("--state-dir", type=Path, metavar="DIR", help="keep journal, wires and station.toml here")
    hand_on("--broker", default="auto", type=broker, help="mqtt[s]://HOST:PORT (default: mosquitto, else one built in)")
    hand_on("--protocol", choices=("5", "3.1.1"), help="of MQTT (default: 5)")
    hand_on("--username", metavar="NAME", help="at a broker of yours, as the next ones")
    hand_on("--client-id", metavar="ID", help="default: made by chance (MQTT 5), or of site and table (3.1.1)")
    for option, what in (
        ("--password-file", "the password, a line"),
        ("--ca-file", "the authorities that are believed (mqtts)"),
        ("--cert-file", "the station's certificate (mqtts)"),
        ("--key-file", "its key (mqtts)"),
    ):
        hand_on(option, type=lambda text: Path(text).absolute(), metavar="FILE", help=what)
    hand_on("--archive", metavar="NAME", help="keep messages until this archive has them, such as a pit")
    hand_on("--link", metavar="NAME", help="share a pot with other tables, at a pit that calls it so")
    hand_on("--pit-key", metavar="KEY", help="the public key of that pit")
    hand_on("--pit-page", metavar="URL", help="the page of a pit that has this table: the first page leads there")
    hand_on(
        "--play",
        nargs="?",
        const=PLAY_SEAT,
        type=seats,
        metavar="SEAT,…",
        help="sit down at this seat yourself, in the browser, against the robots (default seat: %(const)s); several "
        "seats for several persons",
    )
    hand_on(
        "--play-at",
        type=shown_address,
        metavar="HOST:PORT",
        help="others of the network open their seats there, at an address of this computer; each seat has a link with "
        "a code, which is printed",
    )
    parser.add_argument("--listen", metavar="HOST:PORT", type=address, help="address of the dealer's screen")
    parser.add_argument(
        "--pins",
        nargs="?",
        const={},
        type=pins,
        metavar="NAME=PIN,…",
        help="the table asks for PINs, made by chance unless given here; they are printed at the start, which happens "
        "in a simulation only",
    )
    add_record(parser)
    parser.add_argument("--verbose", action="store_true", help="the station's log on stderr, as `run` writes it")
    parser.add_argument("--json", action="store_true", help="only one JSON object, at the end")


def run(options: argparse.Namespace) -> int:
    """Run a simulation; returns the exit code."""
    logs.configure(quiet=not options.verbose)
    if options.play is not None and options.seed is None:
        options.seed = secrets.randbelow(SEEDS)
        options.bench = (*options.bench, "--seed", str(options.seed))
    simulation = _Simulation(options)
    try:
        code = run_blaming(simulation.run())
    except asyncio.CancelledError:
        if simulation.signalled is None:
            raise
        code = EXIT_BY_SIGNAL + simulation.signalled
    return code or simulation.code


def _seats(folder: Path, play: str) -> list[str]:
    """The address at which each person opens the page of his seat."""
    try:
        links: dict[str, str] = json.loads((folder / SEATS).read_bytes())
    except FileNotFoundError:
        return [f"play   {play}   your seat: open it in a browser"]
    return [f"play   {link}   seat {seat}" for seat, link in links.items()]


class _Simulation:
    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self.code = 0
        self.signalled: signal.Signals | None = None  # before it was the station's to receive it
        self._tally = SimulatedTotals()
        self._table_closed = asyncio.Event()
        self._account: Account | None = None
        self._also: list[str] = []  # reported with the addresses
        self._outcome = ""
        self._reader_gone = asyncio.Event()

    async def run(self) -> None:
        """Runs to the end. The station handles signals once it runs; before that, a signal leaves nothing behind."""
        from controller.runtime.recording import (
            CannotRecord,  # as the station: what is refused or helped needs none of it
        )

        simulating = asyncio.current_task()
        assert simulating is not None
        on_ending_signal(partial(self._end, simulating))
        kept: Path | None = self._options.state_dir
        folder = kept or Path(tempfile.mkdtemp(prefix="dealer-station-"))
        try:
            if self._options.listen is not None:
                # Before a robot dealer finds someone else's table there.
                bound_socket(self._options.listen, "--listen").close()
            async with bench(self._options, folder, self._struck) as table:
                config = load_config(folder / "station.toml")
                if config is None:
                    self.code = EXIT_CONFIGURATION
                    return
                if self._options.play is not None:
                    self._also += _seats(folder, f"{config.panel}/play")
                    seed = self._options.seed
                    self._also.append(f"seed   {seed}   with --seed {seed} the same cards come again")
                if self._options.pins is not None:
                    self._set_pins(config, folder)
                with wire_recording(config, self._options.record) as recording:
                    await self._station(config, table, recording)
        except CannotRecord as refusal:
            print(f"dealer-station: --record: {refusal}", file=sys.stderr)
            self.code = EXIT_CONFIGURATION
        except WrongUsage:
            self.code = EXIT_REFUSED
        except (SimulatorsFailed, CannotListen, PinsUnreadable) as failure:
            print(f"dealer-station: {failure}", file=sys.stderr)
            self.code = EXIT_UNAVAILABLE
        finally:
            if kept is None:
                shutil.rmtree(folder, ignore_errors=True)

    def _end(self, simulating: "asyncio.Task[None]", signalled: signal.Signals) -> None:
        """Ends once, whatever the number of signals; the folder is removed after the processes that write to it."""
        if self.signalled is None:
            self.signalled = signalled
            simulating.cancel()

    def _set_pins(self, config: Config, folder: Path) -> None:
        """Gives every person of [people] a PIN; the robot dealer gets the PINs, and the output shows them."""
        given: dict[str, str] = self._options.pins
        strangers = ", ".join(given.keys() - config.people.keys())
        if strangers:
            raise SimulatorsFailed(f"--pins: {not_in_people(config, strangers)}")
        pins = {name: given.get(name) or chance_pin() for name in config.people}
        hasher = PinHasher()
        with changing_pins(config.log_in.pin_file) as kept:
            kept.update({name: hasher.hash(pin) for name, pin in pins.items()})
        give_robot(folder / ROBOT_PINS, pins)
        lines = [f"PIN of {name} ({config.people[name]}), of this simulation: {pin}" for name, pin in pins.items()]
        if self._options.json:  # standard output is the one JSON object's
            logs.complain("\n".join(lines))
        self._also += lines

    async def _station(self, config: Config, table: SimulatedTable, recording: "Recording | None") -> None:
        from controller.commands.account import Account
        from controller.runtime.bus import BrokerAcknowledged, CommitPublished
        from controller.station import Station

        began = time.monotonic()
        options, gone = self._options, self._reader_gone.set
        draws = sys.stdout.isatty() and not options.verbose
        self._account = Account(config, options.rounds, options.json, gone, draws, self._also)
        station = await Station.open(config, recording)
        station.bus.subscribe(CommitPublished, self._committed)
        station.bus.subscribe(BrokerAcknowledged, self._acknowledged)
        unfinished = station.loop.table.round
        if unfinished is not None:
            await station.close()
            left = f"the journal in {config.path.parent} is in the middle of round {unfinished.id}"
            raise SimulatorsFailed(f"{left}, whose cards are gone; begin with another --state-dir")
        before = station.loop.sequence
        with self._account:
            async with asyncio.TaskGroup() as group:
                watching = group.create_task(self._watch(station, table))
                drawing = group.create_task(self._account.draw(station.view))
                await station.run()
                await watching
                drawing.cancel()
        self._tally.wall_seconds = round(time.monotonic() - began, 3)
        self._tally.last_sequence = station.loop.sequence
        self._tally.published = station.loop.sequence - before
        if station.loop.table.meter is not None:
            self._tally.read_meter(station.loop.table.meter)
        if self._options.json:
            print(json.dumps(msgspec.to_builtins(self._tally)))
        else:
            self._account.total(msgspec.to_builtins(self._tally))

    async def _watch(self, station: "Station", table: SimulatedTable) -> None:
        """Stop the station when the table has closed and the floor has everything, or when the bench has died."""
        closed = asyncio.create_task(self._table_closed.wait())
        stopped = asyncio.create_task(station.stopped())
        gone = asyncio.create_task(self._reader_gone.wait())
        await asyncio.wait((closed, stopped, table.ended, gone), return_when=asyncio.FIRST_COMPLETED)
        if closed.done():
            if self._tally.rounds == self._options.rounds:  # else a person has closed it, and the robot continues
                robot = asyncio.create_task(table.finished.wait())  # he may have cards in his hands still
                either = (robot, stopped, table.ended)
                await asyncio.wait(either, timeout=DRAIN_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                robot.cancel()
            await self._drain(station, stopped)
        elif gone.done():
            self.code = EXIT_PIPE
        elif table.ended.done():
            self.code = EXIT_UNAVAILABLE
            logs.complain(f"dealer-station: the simulated table ended by itself (exit {table.ended.result()})")
        closed.cancel()
        gone.cancel()
        station.stop()
        await stopped

    async def _drain(self, station: "Station", stopped: "asyncio.Task[None]") -> None:
        """Wait for the floor as long as it takes messages, and no longer."""
        drained = asyncio.create_task(station.drained())
        while True:
            acknowledged = self._tally.acknowledged
            done, _ = await asyncio.wait((drained, stopped), timeout=DRAIN_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if done:
                break
            if acknowledged == self._tally.acknowledged:
                waiting = f"{station.loop.sequence - acknowledged} messages are not acknowledged"
                logs.complain(f"dealer-station: {waiting}: the broker takes none")
                self.code = EXIT_UNAVAILABLE
                break
        drained.cancel()

    def _committed(self, committed: "Committed") -> None:
        for event in committed.events:
            if isinstance(event, SettlingEvent):
                self._outcome = event.settlement.outcome
            if isinstance(event, RoundConfirmed):
                self._tally.rounds += 1
                self._tally.settled += self._outcome == "settled"
                self._tally.void += self._outcome == "void"
            if isinstance(event, TableClosed):
                self._table_closed.set()
        if self._account is not None:
            self._account.committed(committed)

    def _struck(self, fault: str, means: str) -> None:
        if self._account is not None:
            self._account.fault(fault, means)
        else:
            self._also.append(f"fault  {fault}   {means}")

    def _acknowledged(self, message: "BrokerAcknowledged") -> None:
        self._tally.acknowledged += 1


def chance_pin() -> str:
    """A PIN by chance that may be one."""
    while True:
        pin = f"{secrets.randbelow(10**LEAST_DIGITS):0{LEAST_DIGITS}}"
        try:
            refuse_weak(pin)
        except WeakPin:
            continue
        return pin


def give_robot(path: Path, pins: dict[str, str]) -> None:
    """Write the robot dealer's PINs to a file that only its owner can read."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, ONLY_OWNER), "w") as file:
        json.dump(pins, file)

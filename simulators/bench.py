"""The bench put together: broker, devices on their wires, table, robot dealer, camera; up until told to stop."""

import asyncio
import contextlib
import functools
import json
import os
import random
import signal
import stat
import sys
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from simulators import broker as brokers
from simulators.dealer.http_face import StationFace
from simulators.dealer.lock_in import LockIn
from simulators.dealer.robot import Robot, wait_for
from simulators.dealer.station_desk import NoProgress, StationDesk
from simulators.devices import shoe, shuffler, sign
from simulators.devices.adu218 import Adu218
from simulators.devices.line import SerialLine
from simulators.devices.usb_port import UsbPort
from simulators.felt.camera import Camera
from simulators.felt.deck import Deck, Orders, read_stack
from simulators.felt.players import Players
from simulators.felt.table import Table
from simulators.pace import Pace
from simulators.station_toml import Setting, read_setting, station_toml

TOML = "station.toml"


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command line asked for."""

    directory: Path
    game: str
    seats: int
    rounds: int | None
    source: str
    pace: Pace
    seed: str
    camera: Path | None
    broker: str
    listen: str | None
    chip_rate: float
    stack: Path | None
    keep: bool


async def run(wishes: Wishes) -> None:
    """Run the bench until SIGTERM or the end of standard input.

    Raises NoProgress, BrokerFailed, OSError, ValueError.
    """
    stop = asyncio.Event()
    listen_for_the_end(stop)
    wishes.directory.mkdir(parents=True, exist_ok=True)
    stacked = read_stack(wishes.stack) if wishes.stack else []
    async with contextlib.AsyncExitStack() as open_things:
        broker = choose_broker(wishes)
        if broker is not None:
            await broker.start()
            open_things.push_async_callback(broker.stop)
        setting = read_setting(wishes.directory / TOML)
        camera = Camera(wishes.camera)
        open_things.callback(camera.close)
        await open_things.enter_async_context(furnish(wishes, setting, camera, Orders(wishes.seed, stacked), stop))
        say_ready(wishes.directory / TOML)
        await stop.wait()


def choose_broker(wishes: Wishes) -> brokers.Mosquitto | brokers.Amqtt | None:
    """Write station.toml unless it is kept, and name the broker it speaks of, if it is ours to start."""
    path = wishes.directory / TOML
    mosquitto = brokers.find_mosquitto()
    if wishes.keep and path.exists():
        port = urlsplit(read_setting(path).broker).port or 1883
    else:
        port = brokers.free_port()
        ours = f"mqtt://127.0.0.1:{port}"
        text = station_toml(
            game=wishes.game,
            seats=wishes.seats,
            source=wishes.source,
            broker=ours if wishes.broker in ("auto", "none") else wishes.broker,
            protocol=brokers.Amqtt.protocol if wishes.broker == "auto" and mosquitto is None else "5",
            listen=wishes.listen or f"127.0.0.1:{brokers.free_port()}",
        )
        path.write_text(text, encoding="utf-8")
        (wishes.directory / "state").mkdir(exist_ok=True)
    if wishes.broker != "auto":
        return None
    return brokers.Mosquitto(mosquitto, wishes.directory, port) if mosquitto else brokers.Amqtt(port)


@contextlib.asynccontextmanager
async def furnish(
    wishes: Wishes, setting: Setting, camera: Camera, orders: Orders, stop: asyncio.Event
) -> AsyncIterator[None]:
    """Open the devices, set the table and let the robot dealer begin; closed again at the end."""
    pace, directory = wishes.pace, wishes.directory
    bell = asyncio.Event()
    lamp_names = {slot: f"seat {seat}" for slot, seat in setting.seat_of_slot.items()}
    lamp_names[setting.lock_lamp_relay] = "lock"

    def lamp(relay: int, on: bool) -> None:
        if relay in lamp_names:
            camera.saw("lamp", lamp=lamp_names[relay], on=on)
        bell.set()

    slots = Adu218(pace, lamp)
    port = UsbPort(slots, directory / "usb.sock")
    from_shoe = setting.card_source == "shoe"
    deck = Deck(shoe.SHOE if from_shoe else shuffler.MACHINE)
    slot_of_seat = {seat: slot for slot, seat in setting.seat_of_slot.items()}

    def sense(seat: int, level: bool) -> None:
        slots.sense(slot_of_seat[seat], level)

    players = Players(
        wishes.seed, setting.seats, setting.minimum, setting.maximum, setting.additional, wishes.chip_rate
    )
    table = Table(players.names, setting.chip, deck, camera, sense)
    boot = random.Random(f"{wishes.seed}/boot/{os.getpid()}").randrange(1, 2**32)

    lines: dict[str, SerialLine] = {}
    shuffling = shuffler.Shuffler(deck, orders, pace, boot, lambda chunk: lines["shuffler"].send(chunk), bell.set)
    drawing = shoe.Shoe(deck, pace, lambda chunk: lines["shoe"].send(chunk), bell.set)
    showing = sign.Sign(lambda text: camera.saw("sign", text=text), setting.sign_address)
    lines["shuffler"] = SerialLine(directory / "shuffler", shuffler.BAUD, pace.wires, shuffling.heard)
    lines["shoe"] = SerialLine(directory / "shoe", shoe.BAUD, pace.wires, drawing.heard)
    lines["sign"] = SerialLine(directory / "sign", sign.BAUD, pace.wires, showing.heard)

    face = StationFace(setting.host, setting.port, bell.set)
    look = functools.partial(wait_for_next, bell)
    lock_in = LockIn(slots, setting.button_input, setting.lock_lamp_relay, camera, pace, look)
    robot = Robot(
        StationDesk(face, setting.people, look),
        table,
        players,
        lock_in,
        drawing if from_shoe else shuffling,
        orders,
        pace,
        bell,
        wishes.rounds,
        tell_round,
    )
    for line in lines.values():
        line.open()
    await port.open()
    try:
        async with run_beside([shuffling.run(), drawing.run(), face.follow(), deal(robot)], stop):
            yield
    finally:
        face.close()
        shuffling.link.close()
        await port.close()
        for line in lines.values():
            line.close()


@contextlib.asynccontextmanager
async def run_beside(works: list[Coroutine[Any, Any, None]], stop: asyncio.Event) -> AsyncIterator[None]:
    """Run these beside the body; the first failure sets `stop` and is raised when the body is left."""
    tasks = [asyncio.create_task(work) for work in works]

    def ended(task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception():
            stop.set()

    for task in tasks:
        task.add_done_callback(ended)
    try:
        yield
    finally:
        failures = [failure for task in tasks if task.done() and (failure := task.exception())]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if failures:
            raise failures[0]


async def deal(robot: Robot) -> None:
    """Let the robot play and tell that it has finished; the devices stay up."""
    rounds = await robot.play()
    print(json.dumps({"finished": True, "rounds": rounds}), flush=True)


async def wait_for_next(bell: asyncio.Event, seconds: float) -> None:
    """Wait for the next ring of the bell, not one that is over."""
    bell.clear()
    await wait_for(bell, seconds)


def say_ready(path: Path) -> None:
    """Tell whoever started the bench that everything is up."""
    print(f"ready {path}", flush=True)


def tell_round(number: int, outcome: str) -> None:
    """One line a round."""
    print(json.dumps({"round": number, "robot": outcome}), flush=True)


def listen_for_the_end(stop: asyncio.Event) -> None:
    """Stop at SIGTERM or SIGINT, and at the end of standard input when that is a pipe."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    descriptor = sys.stdin.fileno()
    kind = os.fstat(descriptor).st_mode
    if stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind):

        def readable() -> None:
            if not os.read(descriptor, 4096):
                loop.remove_reader(descriptor)
                stop.set()

        loop.add_reader(descriptor, readable)


__all__ = ["NoProgress", "Wishes", "run"]

"""The devices on their wires: shuffler or dispenser, shoe, slots and sign of any make, opened together."""

import contextlib
import os
import random
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from simulators.devices import sign
from simulators.devices.dispenser import Dispenser, LiddedDispenser
from simulators.devices.line import SimulatedLine
from simulators.devices.make import (
    Board,
    SimulatedShoeMake,
    SimulatedShufflerMake,
    SimulatedSignMake,
    SimulatedSlotsMake,
    Transmit,
    Wire,
    make_of,
)
from simulators.devices.sensors import Sensors
from simulators.devices.shoe import Reader, Shoe, TileReader
from simulators.devices.shuffler import Shuffler
from simulators.faults.wiring import Acting, Film, shoe_acts, shuffler_acts, sign_acts, slots_acts, wire_acts
from simulators.felt.camera import Camera
from simulators.felt.deck import OrdersOf, Pieces
from simulators.games import GAMES
from simulators.pace import Pace
from simulators.setting import Setting, SlotsSetting


@dataclass(frozen=True, slots=True)
class Room:
    """The folder of the devices, and their observers: `bell` rings for the dealer, `film` is the camera for faults."""

    directory: Path
    pace: Pace
    seed: str
    camera: Camera
    film: Film
    bell: Callable[[], None]

    def chance(self, device: str) -> random.Random:
        """The stream of this device's faults."""
        return random.Random(f"{self.seed}/faults/{device}")


class Furniture:
    """The devices on the table. `acts` are the faults of the devices and their wires, by device and kind.

    `wires` are the connected ones, by device. `slots`, `sign` and `shuffler` (which may be a dispenser) are None if
    there are none. `shoe` always exists, to draw from; if no reader is connected, nothing receives its reports.
    """

    def __init__(self, room: Room, setting: Setting, deck: Pieces[Any], orders: OrdersOf[Any]) -> None:
        self.acts: Acting = {}
        self._room = room
        self.wires: dict[str, Wire] = {}
        self._boots = random.Random(f"{room.seed}/boot/{os.getpid()}")
        self.shuffler: Shuffler | Dispenser | None = None
        game, makes = GAMES[setting.game], setting.makes
        if game.machine is not None:
            self.shuffler = self._shuffler(makes.get("shuffler", ""), game.machine, deck, orders)
        if isinstance(self.shuffler, LiddedDispenser):
            self.shuffler.habit = random.Random(f"{room.seed}/lid")
            self.shuffler.lamp = lambda on: room.camera.saw("lamp", lamp="shuffler", on=on)
            self.shuffler.lid_moves = lambda is_open: room.camera.saw("lid", open=is_open)
        self.shoe = self._shoe(makes.get("shoe"), game.tiles, deck)
        self.slots: Board | None = None
        self.sign: sign.SimulatedSign | None = None
        self._input_of_seat: dict[int, int] = {}
        self._sensors: Sensors | None = None
        if setting.slots is not None:
            self._input_of_seat = setting.slots.input_of_seat
            self.slots, self._sensors = self._slots(makes["slots"], setting.slots)
        if "sign" in makes:
            self._sign(makes["sign"], setting.sign_address)

    def sense(self, seat: int, level: bool) -> None:
        """A chip is in the slot of this seat, or is not; without slots this has no effect."""
        if self._sensors is not None:
            self._sensors.sense(self._input_of_seat[seat], level)

    @contextlib.asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Every wire open, as long as the body lasts."""
        async with contextlib.AsyncExitStack() as closing:
            for wire in self.wires.values():
                if isinstance(wire, SimulatedLine):
                    wire.open()
                    closing.callback(wire.close)
                else:
                    await wire.open()
                    closing.push_async_callback(wire.close)
            if self._sensors is not None:
                closing.callback(self._sensors.close)
            if self.shuffler is not None:
                closing.callback(self.shuffler.link.close)
            yield

    def works(self) -> list[Coroutine[Any, Any, None]]:
        """The tasks of the machines."""
        return [machine.run() for machine in (self.shuffler, self.shoe) if machine is not None]

    def _shuffler(
        self, make: str, kind: type[Shuffler] | type[Dispenser], deck: Pieces[Any], orders: OrdersOf[Any]
    ) -> Shuffler | Dispenser:
        room = self._room

        built: list[Shuffler | Dispenser] = []

        def build(transmit: Transmit) -> Shuffler | Dispenser:
            built.append(kind(deck, orders, room.pace, self._new_boot(), transmit, room.bell))
            return built[0]

        wire = make_of(SimulatedShufflerMake, make).place(room.directory, room.pace, build)
        machine = built[0]

        def restart() -> None:
            machine.restart(self._new_boot())

        self.wires["shuffler"] = wire
        self.acts |= wire_acts("shuffler", wire, restart, room.film, room.chance("shuffler"))
        self.acts |= shuffler_acts(machine, room.film, room.chance("machine"))
        return machine

    def _new_boot(self) -> int:
        """A boot id, which is never 0."""
        return self._boots.randrange(1, 2**32)

    def _shoe(self, make: str | None, tiles: bool, deck: Pieces[Any]) -> Reader[Any]:
        room = self._room
        if make is None:
            return (TileReader if tiles else Shoe)(deck, room.pace, lambda chunk: None, room.bell)
        placed = make_of(SimulatedShoeMake, make).place(room.directory, room.pace, deck, tiles, room.bell)
        self.wires["shoe"] = placed.wire
        self.acts |= wire_acts("shoe", placed.wire, placed.reader.restart, room.film, room.chance("shoe"))
        self.acts |= shoe_acts(placed.reader, room.film)  # after those of the wire: it loses reports with all copies
        return placed.reader

    def _slots(self, make: str, setting: SlotsSetting) -> tuple[Board, Sensors]:
        names = {line: f"seat {seat}" for seat, line in setting.lamp_of_seat.items()} | {setting.lock_lamp: "lock"}

        def lamp(line: int, on: bool) -> None:
            if line in names:
                self._room.camera.saw("lamp", lamp=names[line], on=on)
            self._room.bell()

        room = self._room
        placed = make_of(SimulatedSlotsMake, make).place(room.directory, room.pace, lamp, partial(room.film, "slots"))
        self.wires["slots"] = placed.wire
        self.acts |= wire_acts("slots", placed.wire, placed.restart, room.film, room.chance("slots"))
        sensors = Sensors(placed.board.sense)
        self.acts |= slots_acts(sensors, setting.input_of_seat, placed.trip, room.film)
        return placed.board, sensors

    def _sign(self, make: str, address: str) -> None:
        room = self._room
        showing = sign.SimulatedSign(lambda text: room.camera.saw("sign", text=text), address)
        self.sign = showing
        wire = make_of(SimulatedSignMake, make).place(room.directory, room.pace, showing)
        self.wires["sign"] = wire
        self.acts |= wire_acts("sign", wire, showing.restart, room.film, room.chance("sign"), rounds_matter=False)
        self.acts |= sign_acts(showing, room.film)

"""A simulated table without its robot: devices on their wires, and hands that a test moves."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from simulators.broker import free_port
from simulators.devices.card_machine import JAM
from simulators.devices.dispenser import Dispenser
from simulators.devices.shuffler import TRAY, Shuffler
from simulators.faults.syntax import Fault
from simulators.felt.camera import Camera
from simulators.felt.deck import SHOE, OrdersOf
from simulators.games import GAMES
from simulators.open_devices import Furniture, Room
from simulators.pace import pace_from_text
from simulators.setting import MARKINGS
from simulators.station_toml import TOML, read_setting
from tests.configured import table_toml
from tests.station.processes import START_SECONDS, Daemon, ended_at_last

FELT = "felt"


class Hands:
    """The table in `directory`, with its `station.toml`; the first shuffle gives the cards of `stack` first.

    `inspector` is one more of the people.
    """

    def __init__(
        self,
        directory: Path,
        game: str,
        source: str,
        stack: str = "",
        broker: str | None = None,
        marking: str = MARKINGS[0],
        inspector: str = "",
    ) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.config = directory / TOML
        self.port = free_port()
        text = table_toml(
            game=game,
            source=source,
            broker=broker or f"mqtt://127.0.0.1:{free_port()}",
            listen=f"127.0.0.1:{self.port}",
            marking=marking,
        )
        if inspector:
            text = text.replace("[people]\n", f'[people]\n{inspector} = "inspector"\n')
        self.config.write_text(text, encoding="utf-8")
        self._setting = read_setting(self.config)
        played = GAMES[game]
        self._material = played.material(self._setting)
        self._pieces = played.pieces(self._setting)
        order = self._stacked(stack.split())
        self._orders = OrdersOf("hands", self._material, [order])
        self._order = order
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self._directory = directory
        self._thread = threading.Thread(target=lambda: self._loop.run_until_complete(self._answer_fixture()))
        self._thread.start()
        assert self._ready.wait(START_SECONDS), "the devices are not on their wires"

    def _stacked(self, first: list[str]) -> list[Any]:
        """All cards, those named at the front."""
        left = list(self._material.pieces)
        front: list[Any] = [self._material.read(text) for text in first]
        for card in front:
            left.remove(card)
        return front + left

    async def _answer_fixture(self) -> None:
        room = Room(
            self._directory, pace_from_text("max"), "hands", Camera(), lambda *what, **more: None, self._look
        )  # fmt: skip
        self._furniture = Furniture(room, self._setting, self._pieces, self._orders)
        async with self._furniture.opened():
            works = [asyncio.create_task(work) for work in self._furniture.works()]
            self._ready.set()
            await self._over.wait()
            for work in works:
                work.cancel()
            await asyncio.gather(*works, return_exceptions=True)

    def _look(self) -> None:
        """A packet is in the tray: take it, so that the machine can continue."""
        machine = self._furniture.shuffler
        if isinstance(machine, Shuffler) and machine.tray_order is not None:
            self._pieces.gather([TRAY], FELT)
            machine.packet_taken()

    def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(START_SECONDS)

    def load_shoe(self) -> None:
        """The shuffled cards are in the shoe, the stacked ones at the front."""

        async def load() -> None:
            self._pieces.gather([place for place in self._pieces.places if place != SHOE], SHOE)
            self._furniture.shoe.load(self._order)

        self._do(load())

    def put_in(self) -> None:
        """All cards go into the shuffler."""
        machine = self._furniture.shuffler
        assert machine is not None
        self._do(machine.insert([FELT]))

    def draw(self) -> None:
        """The next card out of the shoe."""
        self._do(self._furniture.shoe.draw(FELT))

    def chip(self, seat: int, there: bool = True) -> None:
        """A jackpot chip is in the slot of a seat, or is gone."""

        async def sense() -> None:
            self._furniture.sense(seat, there)

        self._do(sense())

    def lid(self, is_open: bool) -> None:
        """The shuffler's lid is opened, or closed."""
        machine = self._furniture.shuffler
        assert machine is not None

        async def move() -> None:
            machine.open_lid() if is_open else machine.close_lid()

        self._do(move())

    def jam(self) -> None:
        """The dispenser jams at its next card, and its jam is cleared by hand."""
        machine = self._furniture.shuffler
        assert isinstance(machine, Dispenser)

        async def clear() -> None:
            machine.spoil(JAM)
            await machine.draw(FELT)
            machine.clear_jam()

        self._do(clear())

    def plug(self, device: str, there: bool) -> None:
        """The cable of a device is pulled, or put back."""
        act = self._furniture.acts[device, "unplug"]

        async def move() -> None:
            assert act.end is not None
            act.end("") if there else act.begin(Fault(device, "unplug"))

        self._do(move())

    def close(self) -> None:
        """Switch everything off."""
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(START_SECONDS)
        self._loop.close()


@contextmanager
def at_a_table(
    directory: Path, game: str, source: str, stack: str = "", broker: str | None = None, **more: str
) -> Iterator[Hands]:
    """Hands, and the devices switched off at last."""
    hands = Hands(directory, game, source, stack, broker, **more)
    try:
        yield hands
    finally:
        hands.close()


@contextmanager
def at_a_station(
    directory: Path, game: str, source: str, stack: str = "", edited: Callable[[str], str] = str, **more: str
) -> Iterator[tuple[Hands, Daemon]]:
    """Hands, and the station of their table, which is running; `edited` changes its configuration before."""
    with at_a_table(directory, game, source, stack, **more) as hands:
        hands.config.write_text(edited(hands.config.read_text(encoding="utf-8")), encoding="utf-8")
        daemon = Daemon(hands.config, ("127.0.0.1", hands.port))
        with ended_at_last(daemon):
            daemon.start()
            daemon.wait_answering()
            yield hands, daemon

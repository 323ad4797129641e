"""A recording played to a daemon: every wire and the screen in their common order, each not before its cause.

Bytes of a device go out only once the host has sent what it had sent before them, and once it has taken what came
before them on other wires; a request waits for its answer. So the daemon receives everything in the recorded order.
"""

import asyncio
import json
import time
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulators import playback_slots as slots
from simulators.http_stream import BROKEN, asked
from simulators.lifetime import listen_for_the_end, say_ready
from simulators.playback_file import SCREEN, BadRecording, Wire, WireEntry, read_recording
from simulators.playback_line import PlayedLine
from simulators.playback_table import PlayWishes, furnish
from simulators.playback_talk import TALKS, SignTalk, Statement
from simulators.station_toml import TOML, read_setting

START_SECONDS = 60.0  # until the daemon is there
REACTION_SECONDS = 15.0  # the longest a daemon takes by its own clocks: a shuffler is silent after seven seconds
REOPEN_SECONDS = 45.0  # a device that was away is tried again every 30 s at the latest
LOOK_SECONDS = 0.002
PROBE_SECONDS = 0.05
SLOTS = "adu218"
QUIET_SECONDS = 0.3  # at the end: whether the daemon says what the recording has not


class NotAsRecorded(Exception):
    """The daemon did not send what it sent then; the text names the wire and the place."""


@dataclass(frozen=True, slots=True)
class Move:
    """One step of the playback, at its line of the recording."""

    entry: WireEntry
    make: Callable[[], Coroutine[Any, Any, None]]
    plays: bool  # it is something that happens to the daemon, not something waited for


async def run(wishes: PlayWishes) -> None:
    """Play to the end. Raises NotAsRecorded, BadRecording, BrokerFailed, OSError, ValueError."""
    wires = read_recording(wishes.recording)
    stop = asyncio.Event()
    listen_for_the_end(stop)
    wishes.directory.mkdir(parents=True, exist_ok=True)
    async with AsyncExitStack() as open_things:
        broker = furnish(wishes, wires)
        if broker is not None:
            await broker.start()
            open_things.push_async_callback(broker.stop)
        player = Player(wishes, wires)
        open_things.push_async_callback(player.close)
        await player.open()
        say_ready(wishes.directory / TOML)
        playing = asyncio.create_task(player.play())
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait((playing, stopping), return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if not playing.done():
            playing.cancel()
            raise NotAsRecorded(f"told to end before everything was played: {player.position}")
        playing.result()
        print(json.dumps({"played": True, "lines": sum(len(wire.entries) for wire in wires)}), flush=True)


class Player:
    """All wires of one recording. `position` says where it is."""

    def __init__(self, wishes: PlayWishes, wires: list[Wire]) -> None:
        setting = read_setting(wishes.directory / TOML)
        self.position = "at the beginning"
        self._speed = wishes.speed
        self._address = setting.host, setting.port
        self._bell = asyncio.Event()
        self._strange: list[str] = []
        self._anything = False  # the daemon is there
        self._lines: dict[str, PlayedLine] = {}
        self._away: set[str] = set()  # lost, and not yet received again
        self._slots: slots.PlayedSlots | None = None
        self._moves: list[Move] = []
        self._at_last: list[Move] = []  # reported some time: a sign is slower than everything that changes it
        for wire in wires:
            if wire.name == SCREEN:
                self._moves += [Move(entry, self._bound(self._post, entry), True) for entry in wire.entries]
            elif wire.device == SLOTS:
                self._slots = slots.PlayedSlots(wishes.directory / "usb.sock", self._bell.set)
                self._add_slots(wire, self._slots)
            elif wire.device in TALKS and wire.port != "usb":
                self._add_line(wire, wishes.directory / wire.name)
            elif wire.entries:
                raise BadRecording(f"{wire.name}: a wire of {wire.device} cannot be played")
        self._moves.sort(key=lambda move: move.entry.t)

    async def open(self) -> None:
        """Be there on every wire."""
        if self._slots is not None:
            await self._slots.open()
        for line in self._lines.values():
            line.plug()

    async def close(self) -> None:
        """Be there no more."""
        for line in self._lines.values():
            line.unplug()
        if self._slots is not None:
            await self._slots.close()

    async def play(self) -> None:
        """Make every move. Raises NotAsRecorded."""
        began = time.monotonic()
        for move in self._moves:
            self.position = move.entry.place
            if self._speed is not None and move.plays:
                began = began if self._anything else time.monotonic() - move.entry.t / self._speed
                await asyncio.sleep(began + move.entry.t / self._speed - time.monotonic())
            await move.make()
        for move in self._at_last:
            await move.make()
        self.position = "at the end"
        await asyncio.sleep(QUIET_SECONDS)
        self._complain()

    def _bound(self, move: Callable[..., Coroutine[Any, Any, None]], *arguments: Any) -> Any:
        return lambda: move(*arguments)

    async def _until(self, condition: Callable[[], bool], seconds: float, complaint: Callable[[], str]) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            self._complain()
            left = deadline - time.monotonic()
            if left <= 0:
                raise NotAsRecorded(complaint())
            self._bell.clear()
            try:
                async with asyncio.timeout(min(left, LOOK_SECONDS * 25)):
                    await self._bell.wait()
            except TimeoutError:
                pass
        self._complain()
        self._anything = True

    def _complain(self) -> None:
        if self._strange:
            raise NotAsRecorded(f"{self._strange[0]}; the playback was at {self.position}")

    def _patience(self, wire: str) -> float:
        return START_SECONDS if not self._anything else REOPEN_SECONDS if wire in self._away else REACTION_SECONDS

    async def _taken(self, besides: str = "") -> None:
        """Wait until the daemon has read what was sent on every other wire: so it receives in this order."""
        for name, line in self._lines.items():
            if name != besides:
                deadline = time.monotonic() + REACTION_SECONDS
                while not line.is_taken():
                    if time.monotonic() > deadline:
                        raise NotAsRecorded(f"{name}.wire is not read; the playback was at {self.position}")
                    await asyncio.sleep(LOOK_SECONDS)

    async def _post(self, entry: WireEntry) -> None:
        await self._taken()
        body = json.dumps(entry.body).encode()
        deadline = time.monotonic() + self._patience(SCREEN)
        while True:
            try:
                async with asyncio.timeout(REACTION_SECONDS):
                    status, answered = await post(self._address, body)
                break
            except BROKEN as failure:
                if time.monotonic() > deadline:
                    raise NotAsRecorded(f"{entry.place}: the daemon does not answer ({failure})") from None
                await asyncio.sleep(LOOK_SECONDS * 25)
        self._anything = True
        self._complain()
        # An alarm may come from the floor's link, which is not recorded; to acknowledge it moves nothing at the table.
        of_alarms = all(input.get("kind") == "acknowledge" for input in entry.body)
        if status != entry.status and not of_alarms:
            move = answered[:300].decode(errors="replace")
            raise NotAsRecorded(f"{entry.place}: answered {status}, then {entry.status}: {move}")

    # Serial wires

    def _add_line(self, wire: Wire, path: Path) -> None:
        name = wire.name
        begin = TALKS[wire.device]
        is_sign = begin is SignTalk
        known: set[str] = set()

        def is_known(statement: Statement) -> bool:
            return is_sign or statement.kind in ("ack", "resend") or statement.text in known

        line = PlayedLine(path, begin, is_known, lambda text: self._say_strange(name, text), self._bell.set)
        self._lines[name] = line
        talk = begin()
        received_at = 0.0
        openings = closings = 0
        last_open = max((n for n, entry in enumerate(wire.entries) if entry.edge == "open"), default=-1)
        for number, entry in enumerate(wire.entries):
            if entry.edge == "open":
                talk = begin()
                openings += 1
                self._moves.append(Move(entry, self._bound(self._plug, entry, line, openings), False))
            elif entry.edge == "closed" and entry.by == "device":
                self._moves.append(Move(entry, self._bound(self._unplug, name, line), True))
                closings += 1
            elif entry.edge == "closed" and number < last_open:
                closings += 1
                self._moves.append(Move(entry, self._bound(self._closed, entry, line, closings), False))
            elif entry.source == "device":
                received_at = entry.t
                talk.greeted(entry.octets)
                self._moves.append(Move(entry, self._bound(self._send, name, line, entry), True))
            elif entry.source == "host":
                for statement in talk.receive(entry.octets, entry.t - received_at):
                    known.add(statement.text)
                    move = Move(entry, self._bound(self._sent, entry, line, statement), False)
                    if not is_sign:
                        self._moves.append(move)
                    elif number > last_open:
                        self._at_last.append(move)

    def _say_strange(self, wire: str, text: str) -> None:
        self._strange.append(f"{wire}.wire: the daemon says {text}, which the recording has nowhere")
        self._bell.set()

    async def _plug(self, entry: WireEntry, line: PlayedLine, openings: int) -> None:
        line.plug()
        await self._until(
            lambda: line.openings >= openings,
            self._patience(entry.wire),
            lambda: f"{entry.place}: the daemon does not open the port",
        )

    async def _unplug(self, name: str, line: PlayedLine) -> None:
        await self._taken()
        line.unplug()
        self._away.add(name)

    async def _closed(self, entry: WireEntry, line: PlayedLine, closings: int) -> None:
        await self._taken()
        await self._until(
            lambda: line.closings >= closings,
            REACTION_SECONDS,
            lambda: f"{entry.place}: the daemon did not close the port, as it did then",
        )
        self._away.add(entry.wire)

    async def _send(self, name: str, line: PlayedLine, entry: WireEntry) -> None:
        await self._taken(besides=name)
        line.talk.greeted(entry.octets)
        try:
            line.send(entry.octets)
        except OSError as refusal:
            raise NotAsRecorded(f"{entry.place}: the line takes nothing more ({refusal.strerror})") from None

    async def _sent(self, entry: WireEntry, line: PlayedLine, wanted: Statement) -> None:
        if wanted.optional:
            await asyncio.sleep(0 if line.talk.has_sent(wanted) else PROBE_SECONDS)
            return
        await self._until(
            lambda: line.talk.has_sent(wanted),
            self._patience(entry.wire),
            lambda: f"{entry.place}: the daemon did not say {wanted.text}; the last it said there is {line.latest}",
        )
        self._away.discard(entry.wire)

    # The USB wire

    def _add_slots(self, wire: Wire, played: slots.PlayedSlots) -> None:
        found = slots.changes(wire.entries)
        last_open = max((n for n, (_, change) in enumerate(found) if isinstance(change, slots.Opening)), default=-1)
        openings = closings = 0
        lit: int | None = None
        for number, (entry, change) in enumerate(found):
            match change:
                case slots.Opening():
                    if openings == 0:
                        played.plug(change)
                    openings, lit = openings + 1, None
                    move = self._bound(self._slots_open, entry, played, change, openings)
                case slots.Reading():
                    move = self._bound(self._slots_read, entry, played, change)
                case slots.Relays():
                    move = self._bound(self._slots_relays, played, change)
                    lit = None
                case slots.Mask():
                    if change.relays == lit:
                        continue
                    lit = change.relays
                    following = [later.relays for _, later in found[number + 1 :] if isinstance(later, slots.Mask)]
                    move = self._bound(self._slots_mask, entry, played, change, following)
                case slots.Silence():
                    move = self._bound(self._slots_silence, entry, played, change)
                case slots.Noise():
                    move = self._bound(self._slots_noise, played, change)
                case slots.Closing(unplugged):
                    if not unplugged and number > last_open:
                        continue
                    closings += 1
                    move = self._bound(self._slots_closed, entry, played, unplugged, closings)
            plays = isinstance(change, slots.Reading | slots.Relays | slots.Silence | slots.Noise)
            self._moves.append(Move(entry, move, plays))

    async def _slots_open(
        self, entry: WireEntry, played: slots.PlayedSlots, opening: slots.Opening, openings: int
    ) -> None:
        if played.openings < openings:
            played.plug(opening)
        await self._until(
            lambda: played.openings >= openings,
            self._patience(entry.wire),
            lambda: f"{entry.place}: the daemon does not open the USB device",
        )
        self._away.discard(entry.wire)

    async def _slots_read(self, entry: WireEntry, played: slots.PlayedSlots, reading: slots.Reading) -> None:
        await self._taken()
        played.show(reading)
        await self._until(
            played.is_read, self._patience(entry.wire), lambda: f"{entry.place}: the daemon does not read the inputs"
        )

    async def _slots_relays(self, played: slots.PlayedSlots, change: slots.Relays) -> None:
        played.relays = change.relays

    async def _slots_mask(
        self, entry: WireEntry, played: slots.PlayedSlots, change: slots.Mask, following: list[int]
    ) -> None:
        """Lamps are a state: the host may set them once more on the way, or leave out what the next mask overtakes."""
        wanted = {change.relays, *following[:1]}
        await self._until(
            lambda: not wanted.isdisjoint(played.masks),
            self._patience(entry.wire),
            lambda: f"{entry.place}: the daemon did not set the relays to {change.relays}; they are {played.relays}",
        )
        if change.relays in played.masks:
            del played.masks[: played.masks.index(change.relays) + 1]

    async def _slots_silence(self, entry: WireEntry, played: slots.PlayedSlots, change: slots.Silence) -> None:
        played.hush(change.silent)
        if change.silent:
            await self._until(
                lambda: played.swallowed > 0,
                REACTION_SECONDS,
                lambda: f"{entry.place}: the daemon asks nothing",
            )

    async def _slots_noise(self, played: slots.PlayedSlots, change: slots.Noise) -> None:
        if played.silent:
            await asyncio.sleep(played.swallowed_at + change.seconds - time.monotonic())
        played.babble(change.report)

    async def _slots_closed(self, entry: WireEntry, played: slots.PlayedSlots, unplugged: bool, closings: int) -> None:
        await self._taken()
        if unplugged:
            played.unplug()
        elif played.closings < closings:
            played.hush(True)  # what the host received was not enough for it
        await self._until(
            lambda: played.closings >= closings,
            REACTION_SECONDS,
            lambda: f"{entry.place}: the daemon did not close the USB device, as it did then",
        )
        self._away.add(entry.wire)


async def post(address: tuple[str, int], body: bytes) -> tuple[int, bytes]:
    """One request on a connection of its own: status and answer. Raises one of BROKEN."""
    fields = {"Content-Type": "application/json", "Connection": "close"}
    async with asked(address, "POST", "/inputs", fields, body) as (answer, station):
        return answer.status_code, await station.whole()

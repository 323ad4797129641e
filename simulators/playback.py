"""Plays a recording to a daemon: every wire and the screen in their common order, each event after its cause.

Bytes of a device are sent only after the host has sent what it had sent before them in the recording, and has received
what came before them on other wires; a request waits for its answer. So the daemon receives everything in the recorded
order.
"""

import asyncio
import json
import time
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from simulators.devices.talks import lasting
from simulators.http_stream import BROKEN, asked
from simulators.lifetime import listen_for_the_end, say_ready
from simulators.playback_file import SCREEN, BadRecording, WireEntry, WireRecording, read_recording
from simulators.playback_line import PlayedLine
from simulators.playback_table import PlayWishes, furnish, make_of_wire
from simulators.playback_transfers import PlayedTransfers
from simulators.playback_wire import (
    REACTION_SECONDS,
    NotAsRecorded,
    PlaybackMove,
    PlayedEnd,
    PlayedWire,
    Statement,
    Talk,
)
from simulators.station_toml import TOML, read_setting

START_SECONDS = 60.0  # until the daemon is there
REOPEN_SECONDS = 45.0  # a device that was away is tried again every 30 s at the latest
LOOK_SECONDS = 0.002
PROBE_SECONDS = 0.05
QUIET_SECONDS = 0.3  # at the end: whether the daemon says what the recording has not


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
            raise NotAsRecorded(f"ended before everything was played: {player.position}")
        playing.result()
        print(json.dumps({"played": True, "lines": sum(len(wire.entries) for wire in wires)}), flush=True)


class Player:
    """All wires of one recording. `position` says where it is."""

    def __init__(self, wishes: PlayWishes, wires: list[WireRecording]) -> None:
        setting = read_setting(wishes.directory / TOML)
        self.position = "at the beginning"
        self._speed = wishes.speed
        self._address = setting.host, setting.port
        self._bell = asyncio.Event()
        self._strange: list[str] = []
        self._anything = False  # the daemon is there
        self._lines: dict[str, PlayedEnd] = {}
        self.away: set[str] = set()  # lost, and not yet received again
        self._others: list[PlayedWire] = []
        self._moves: list[PlaybackMove] = []
        self._at_last: list[PlaybackMove] = []  # reported some time: a sign is slower than everything that changes it
        for wire in wires:
            if wire.name == SCREEN:
                self._moves += [PlaybackMove(entry, self._bound(self._post, entry), True) for entry in wire.entries]
            elif wire.entries:
                self._add(wire, wishes.directory)
        self._moves.sort(key=lambda move: move.entry.t)

    async def open(self) -> None:
        """Appears on every wire."""
        for other in self._others:
            await other.open()
        for line in self._lines.values():
            line.plug()

    async def close(self) -> None:
        """Disappears from every wire."""
        for line in self._lines.values():
            line.unplug()
        for other in self._others:
            await other.close()

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

    def ring(self) -> None:
        """Called when something may have changed."""
        self._bell.set()

    def _add(self, wire: WireRecording, folder: Path) -> None:
        make = make_of_wire(wire)
        if make.playback is not None:
            played = make.playback(self, wire, folder)
            self._others.append(played)
            self._moves += played.moves
        elif make.talk is not None:
            socket = make.played_at.get("usb_socket")
            self._add_talk(wire, folder / (socket or wire.name), make.talk, socket is not None)
        else:
            raise BadRecording(f"{wire.name}: a wire of {wire.device} cannot be played")

    def _bound(self, move: Callable[..., Coroutine[Any, Any, None]], *arguments: Any) -> Any:
        return lambda: move(*arguments)

    async def until(self, condition: Callable[[], bool], seconds: float, complaint: Callable[[], str]) -> None:
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

    def patience(self, wire: str) -> float:
        return START_SECONDS if not self._anything else REOPEN_SECONDS if wire in self.away else REACTION_SECONDS

    async def taken(self, besides: str = "") -> None:
        """Waits until the daemon has read everything that was sent on the other wires, so that it receives in the
        recorded order.
        """
        for name, line in self._lines.items():
            if name != besides:
                deadline = time.monotonic() + REACTION_SECONDS
                while not line.is_taken():
                    if time.monotonic() > deadline:
                        raise NotAsRecorded(f"{name}.wire is not read; the playback was at {self.position}")
                    await asyncio.sleep(LOOK_SECONDS)

    async def _post(self, entry: WireEntry) -> None:
        await self.taken()
        body = json.dumps(entry.body).encode()
        deadline = time.monotonic() + self.patience(SCREEN)
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

    # Wires of which is waited for what the host says

    def _add_talk(self, wire: WireRecording, path: Path, begin: Callable[[], Talk], on_usb: bool) -> None:
        name = wire.name
        talk = begin()
        skips = talk.skips
        known: set[str] = set()

        def is_known(statement: Statement) -> bool:
            return skips or statement.kind in ("ack", "resend") or statement.text in known

        line = (PlayedTransfers if on_usb else PlayedLine)(
            path, begin, is_known, lambda text: self.strange(name, text), self._bell.set
        )
        if isinstance(line, PlayedTransfers):
            self._others.append(line)
        self._lines[name] = line
        received_at = 0.0
        openings = closings = 0
        last_open = max((n for n, entry in enumerate(wire.entries) if entry.edge == "open"), default=-1)
        ending: list[tuple[Statement, PlaybackMove]] = []  # of the last conversation of a host that skips
        for number, entry in enumerate(wire.entries):
            if entry.edge == "open":
                talk = begin()
                openings += 1
                self._moves.append(PlaybackMove(entry, self._bound(self._plug, entry, line, openings), False))
            elif entry.edge == "closed" and entry.by == "device":
                self._moves.append(PlaybackMove(entry, self._bound(self._unplug, name, line), True))
                closings += 1
            elif entry.edge == "closed" and number < last_open:
                closings += 1
                self._moves.append(PlaybackMove(entry, self._bound(self._closed, entry, line, closings), False))
            elif entry.source == "device":
                received_at = entry.t
                talk.greeted(entry.octets)
                # A host gives an answer up after a moment, so it comes right behind what it answers, and waits for no
                # other wire: a busy computer is slower than that.
                before = wire.entries[number - 1] if number else entry
                at = before if before.source == "host" and entry.octets[:1] in talk.answers else entry
                self._moves.append(PlaybackMove(at, self._bound(self._send, name, line, entry), True))
            elif entry.source == "host":
                for statement in talk.receive(entry.octets, entry.t - received_at):
                    known.add(statement.text)
                    move = PlaybackMove(entry, self._bound(self._sent, entry, line, statement), False)
                    if not skips:
                        self._moves.append(move)
                    elif number > last_open:
                        ending.append((statement, move))
        kept = lasting([statement for statement, _ in ending])
        self._at_last += [move for statement, move in ending if any(statement is last for last in kept)]

    def strange(self, wire: str, text: str) -> None:
        self._strange.append(f"{wire}.wire: the daemon says {text}, which the recording has nowhere")
        self._bell.set()

    async def _plug(self, entry: WireEntry, line: PlayedEnd, openings: int) -> None:
        line.plug()
        await self.until(
            lambda: line.openings >= openings,
            self.patience(entry.wire),
            lambda: f"{entry.place}: the daemon does not open the port",
        )

    async def _unplug(self, name: str, line: PlayedEnd) -> None:
        await self.taken()
        line.unplug()
        self.away.add(name)

    async def _closed(self, entry: WireEntry, line: PlayedEnd, closings: int) -> None:
        await self.taken()
        await self.until(
            lambda: line.closings >= closings,
            REACTION_SECONDS,
            lambda: f"{entry.place}: the daemon did not close the port, as it did then",
        )
        self.away.add(entry.wire)

    async def _send(self, name: str, line: PlayedEnd, entry: WireEntry) -> None:
        await self.taken(besides=name)
        line.talk.greeted(entry.octets)
        try:
            line.send(entry.octets)
        except OSError as refusal:
            raise NotAsRecorded(f"{entry.place}: the line takes nothing more ({refusal.strerror})") from None

    async def _sent(self, entry: WireEntry, line: PlayedEnd, wanted: Statement) -> None:
        if wanted.optional:
            await asyncio.sleep(0 if line.talk.has_sent(wanted) else PROBE_SECONDS)
            return
        await self.until(
            lambda: line.talk.has_sent(wanted),
            self.patience(entry.wire),
            lambda: f"{entry.place}: the daemon did not send {wanted.text}; its last one there is {line.latest}",
        )
        self.away.discard(entry.wire)


async def post(address: tuple[str, int], body: bytes) -> tuple[int, bytes]:
    """One request on a connection of its own: status and answer. Raises one of BROKEN."""
    fields = {"Content-Type": "application/json", "Connection": "close"}
    async with asked(address, "POST", "/inputs", fields, body) as (answer, station):
        return answer.status_code, await station.whole()

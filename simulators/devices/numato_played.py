"""Plays the wire of a Numato board: it answers each command with the board's state at that place of the playback.

A host asks fifty times a second, at its own times. So only exceptional answers are played: a reading that differs from
the one before, a notification, an answer that was damaged or missing.
"""

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import ClassVar

from simulators.playback_file import WireEntry, WireRecording
from simulators.playback_line import PlayedLine
from simulators.playback_wire import REACTION_SECONDS, PlaybackMove, Playing, Statement, lamps_are_set

READ_ALL, WRITE_ALL, DIRECTIONS = "gpio readall", "gpio writeall ", "gpio iodir "
AT_ANY_TIME = ("", "ver", READ_ALL)  # a host may ask as often as it wants
NOTICE = re.compile(rb"# [0-9A-Fa-f]{4} [0-9A-Fa-f]{4} [0-9A-Fa-f]{4}\n\r")
READING = re.compile(rb"gpio readall\n\r([0-9a-f]{4})\n\r>")
ALL_LINES = 0xFFFF
PART_OF_A_NOTICE = re.compile(rb"#[ #0-9A-Fa-f]*\n?$")
BEHIND = 3  # readings behind a change after which a host has reported it, also where it is a press


@dataclass(frozen=True, slots=True)
class Reply:
    """The recorded reply to a command that was not a plain answer."""

    command: str
    octets: bytes


@dataclass(slots=True)
class BoardStep:
    """The unrequested octets of the board, or its next replies; and the state of its inputs afterwards.

    `behind` is the number of plain readings before the next step.
    """

    levels: int | None
    octets: bytes = b""
    replies: list[Reply] = field(default_factory=list)
    behind: int = 0


@dataclass(slots=True)
class Opening:
    """The host opened the port, and then read these levels first; None: it read none."""

    levels: int | None = None


@dataclass(frozen=True, slots=True)
class Sent:
    """The host gave this command for the first time since the opening."""

    command: str


@dataclass(frozen=True, slots=True)
class OutputsSet:
    """The host set the outputs."""

    outputs: int


@dataclass(frozen=True, slots=True)
class Closing:
    """The board was unplugged, or the host closed it."""

    unplugged: bool


Change = Opening | BoardStep | Sent | OutputsSet | Closing


class Terminal:
    """The answers of a board. `texts` are the values of commands that always give the same."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.levels: int | None = 0
        self.texts = texts
        self.inputs, self._latch, self._typed = ALL_LINES, 0, b""

    def switch_on(self) -> None:
        """Every line is an input."""
        self.inputs, self._latch, self._typed = ALL_LINES, 0, b""

    def commands(self, octets: bytes) -> list[str]:
        """The commands that these octets of the host complete, carried out."""
        *lines, self._typed = (self._typed + octets).split(b"\r")
        commands = [line.decode("latin-1") for line in lines]
        for command in commands:
            if command.startswith(DIRECTIONS):
                self.inputs = int(command.removeprefix(DIRECTIONS), 16)
            elif command.startswith(WRITE_ALL):
                self._latch = int(command.removeprefix(WRITE_ALL), 16)
        return commands

    def notice(self, octets: bytes) -> None:
        """Takes over the state in the notifications among these octets: the present levels, the earlier ones, and
        the directions.
        """
        for found in NOTICE.findall(octets):
            self.levels = int(found.split()[1], 16)

    def answer(self, command: str) -> bytes:
        """The usual answer. Before the recording's first reading, questions about inputs get no answer."""
        if command == READ_ALL and self.levels is None:
            return b""
        levels = self.levels or 0
        value = levels & self.inputs | self._latch & ~self.inputs
        text = f"{value:04x}" if command == READ_ALL else self.texts.get(command)
        return (f"{command}\n\r>" if text is None else f"{command}\n\r{text}\n\r>").encode("latin-1")


@dataclass(slots=True)
class _Asked:
    """Commands given at once, and what came back: without notifications, and what may be a part of one.

    `plain` are the answers that are plain, by the levels meanwhile.
    """

    entry: WireEntry
    commands: list[str]
    plain: list[bytes]
    answer: bytes = b""
    part: bytes = b""
    replied: bool = False


class _Reader:
    """Collects the changes, each with the line of the recording at which the host knew it."""

    def __init__(self) -> None:
        self.found: list[tuple[WireEntry, Change]] = []
        self.terminal = Terminal({})
        self._begin()

    def _begin(self) -> None:
        self.terminal.switch_on()
        self._opening = Opening()
        self._asked: _Asked | None = None
        self._given_once: set[str] = set()
        self._lit: int | None = None
        self._last: BoardStep | None = None
        self._unanswered = False

    def take(self, entry: WireEntry) -> None:
        if entry.edge == "open":
            self._begin()
            self.found.append((entry, self._opening))
        elif entry.edge == "closed":
            if entry.by != "device":  # what was pulled owes no answer
                self._settle()
            self.found.append((entry, Closing(entry.by == "device")))
        elif entry.source == "host":
            self._settle()
            commands = self.terminal.commands(entry.octets)
            self._asked = _Asked(entry, commands, [self._plain(commands)])
            for command in commands:
                self._given(entry, command)
        elif entry.source == "device" and self._asked is not None:
            self._came(self._asked, entry)

    def _given(self, entry: WireEntry, command: str) -> None:
        if command.startswith(WRITE_ALL):
            outputs = int(command.removeprefix(WRITE_ALL), 16)
            if outputs != self._lit:
                self._lit = outputs
                self.found.append((entry, OutputsSet(outputs)))
        elif command not in (*AT_ANY_TIME, *self._given_once):
            self._given_once.add(command)
            self.found.append((entry, Sent(command)))

    def _plain(self, commands: list[str]) -> bytes:
        return b"".join(map(self.terminal.answer, commands))

    def _came(self, asked: _Asked, entry: WireEntry) -> None:
        octets, asked.part = asked.part + entry.octets, b""
        answer, notices = asked.answer + NOTICE.sub(b"", octets), b"".join(NOTICE.findall(octets))
        before = self.terminal.levels
        self._learn(asked, answer)
        asked.plain.append(self._plain(asked.commands))
        self.terminal.notice(notices)
        asked.plain.append(self._plain(asked.commands))
        if not asked.replied and any(plain.startswith(answer) for plain in asked.plain):
            asked.answer = answer
            if notices:
                self._step(entry, octets=notices)
        elif PART_OF_A_NOTICE.search(octets):
            self.terminal.levels, asked.part = before, octets
        elif asked.commands != [READ_ALL]:  # given once perhaps, and answered plainly when it is played
            self._loose(entry, asked, octets if asked.replied else asked.answer + octets)
        elif asked.replied:
            self._step(entry, octets=octets)
        else:
            self._reply(entry, asked, asked.answer + octets)
            asked.answer = answer

    def _loose(self, entry: WireEntry, asked: _Asked, octets: bytes) -> None:
        """The octets that came besides the answer."""
        asked.replied, asked.answer = True, octets
        if rest := octets.replace(asked.plain[-1], b""):
            self._step(entry, octets=rest)

    def _settle(self) -> None:
        """Closes the last commands: no more octets will come for them."""
        asked, self._asked = self._asked, None
        if asked is None or not asked.commands:
            return
        if asked.part or not (asked.replied or asked.answer in asked.plain):
            self._reply(asked.entry, asked, asked.answer + asked.part)
        elif not asked.replied and self._last is not None:
            self._last.behind += asked.commands == [READ_ALL]
        self._unanswered = not asked.answer.endswith(b">")

    def _learn(self, asked: _Asked, answer: bytes) -> None:
        for command in asked.commands:
            found = re.search(rb"(?:^|>)%s\n\r([ -~]+)\n\r>" % re.escape(command.encode("latin-1")), answer)
            if found is not None and command != READ_ALL:
                self.terminal.texts.setdefault(command, found[1].decode())
        reading = READING.search(answer)
        if reading is not None and asked.commands == [READ_ALL]:
            levels = int(reading[1], 16)
            if self._opening.levels is None:
                self._opening.levels = self.terminal.levels = levels

    def _reply(self, entry: WireEntry, asked: _Asked, octets: bytes) -> None:
        first, *others = asked.commands
        asked.replied = True
        reading = READING.search(NOTICE.sub(b"", octets))
        if reading is not None:
            self.terminal.levels = int(reading[1], 16)
        replies = [Reply(first, octets), *(Reply(other, b"") for other in others)]
        if self._unanswered and self._last is not None and self._last.replies and not self._last.behind:
            self._last.replies += replies  # a host asks again at once
            self._last.levels = self.terminal.levels
        else:
            self._step(entry, replies=replies)

    def _step(self, entry: WireEntry, octets: bytes = b"", replies: list[Reply] | None = None) -> None:
        self._last = BoardStep(self.terminal.levels, octets, replies or [])
        self.found.append((entry, self._last))


class PlayedBoard:
    """The board at the end of its line; each opening resets it. A Talk."""

    skips: ClassVar = False
    answers: ClassVar = b""

    def __init__(self, path: Path, terminal: Terminal, known: Callable[[Statement], bool], playing: Playing) -> None:
        self.terminal = terminal
        self.lamps: list[int] = []  # as the host set them since the opening, or since the last ones waited for
        self.given: set[str] = set()
        self._replies: deque[Reply] = deque()
        self._levels: int | None = 0
        self._readings = 0  # asked for since the last step
        self.line = PlayedLine(path, self._begin, known, lambda text: playing.strange(path.name, text), playing.ring)

    def receive(self, octets: bytes, silence: float = 0.0) -> list[Statement]:
        commands = self.terminal.commands(octets)
        for command in commands:
            self._obey(command)
        return [Statement(command, "command") for command in commands]

    def has_sent(self, wanted: Statement) -> bool:
        return wanted.text in self.given

    def greeted(self, octets: bytes) -> None:
        pass

    def take(self, step: BoardStep) -> None:
        """Sends this now, or replies with it to the next commands."""
        self._replies += step.replies
        self._levels = step.levels
        if not step.replies:
            self.line.send(step.octets)
            self._be()

    def is_read(self, behind: int) -> bool:
        """Whether the host has received every reply and the required readings after it, or has closed the port."""
        closed = self.line.openings == self.line.closings
        return closed or (not self._replies and (not behind or self._readings > behind))

    def _be(self) -> None:
        self.terminal.levels, self._readings = self._levels, 0

    def _begin(self) -> "PlayedBoard":
        self.terminal.switch_on()
        self.lamps.clear()
        self.given.clear()
        self._replies.clear()
        return self

    def _obey(self, command: str) -> None:
        self.given.add(command)
        self._readings += command == READ_ALL
        if command.startswith(WRITE_ALL):
            self.lamps.append(int(command.removeprefix(WRITE_ALL), 16))
        if not self._replies or self._replies[0].command != command:
            self.line.send(self.terminal.answer(command))
            return
        self.line.send(self._replies.popleft().octets)
        if not self._replies:
            self._be()


class NumatoPlayback:
    """The board of a recording; a PlayedWire."""

    def __init__(self, playing: Playing, wire: WireRecording, folder: Path) -> None:
        self.moves: list[PlaybackMove] = []
        self._playing = playing
        reader = _Reader()
        for entry in wire.entries:
            reader.take(entry)
        found = reader.found
        known = {change.command for _, change in found if isinstance(change, Sent)} | {*AT_ANY_TIME}

        def is_known(statement: Statement) -> bool:
            return statement.text in known or statement.text.startswith(WRITE_ALL)

        self._board = PlayedBoard(folder / wire.name, Terminal(reader.terminal.texts), is_known, playing)
        last_open = max((n for n, (_, change) in enumerate(found) if isinstance(change, Opening)), default=-1)
        openings = closings = 0
        for number, (entry, change) in enumerate(found):
            match change:
                case Opening():
                    if openings == 0:
                        self._board.terminal.levels = change.levels
                    openings += 1
                    move = partial(self._open, entry, change, openings)
                case BoardStep():
                    move = partial(self._step, entry, change)
                case Sent(command):
                    move = partial(self._sent, entry, command)
                case OutputsSet(outputs):
                    following = [later.outputs for _, later in found[number + 1 :] if isinstance(later, OutputsSet)]
                    move = partial(lamps_are_set, playing, entry, self._board.lamps, outputs, following)
                case Closing(unplugged):
                    if not unplugged and number > last_open:
                        continue
                    closings += 1
                    move = partial(self._closed, entry, unplugged, closings)
            self.moves.append(PlaybackMove(entry, move, isinstance(change, BoardStep)))

    async def open(self) -> None:
        self._board.line.plug()

    async def close(self) -> None:
        self._board.line.unplug()

    async def _open(self, entry: WireEntry, opening: Opening, openings: int) -> None:
        line = self._board.line
        if line.openings < openings:
            self._board.terminal.levels = opening.levels
            line.plug()
        await self._until(
            entry, lambda: line.openings >= openings, self._playing.patience(entry.wire), "does not open the port"
        )
        self._playing.away.discard(entry.wire)

    async def _step(self, entry: WireEntry, step: BoardStep) -> None:
        await self._playing.taken()
        self._board.take(step)
        behind = min(step.behind, BEHIND)
        await self._until(
            entry, lambda: self._board.is_read(behind), self._playing.patience(entry.wire), "does not read the inputs"
        )

    async def _sent(self, entry: WireEntry, command: str) -> None:
        await self._until(
            entry,
            lambda: command in self._board.given,
            self._playing.patience(entry.wire),
            f"did not send {command!r}; its last one there is {self._board.line.latest!r}",
        )

    async def _closed(self, entry: WireEntry, unplugged: bool, closings: int) -> None:
        line = self._board.line
        await self._playing.taken()
        if unplugged:
            line.unplug()
        await self._until(
            entry, lambda: line.closings >= closings, REACTION_SECONDS, "did not close the port, as it did then"
        )
        self._playing.away.add(entry.wire)

    async def _until(self, entry: WireEntry, condition: Callable[[], bool], seconds: float, failing: str) -> None:
        await self._playing.until(condition, seconds, lambda: f"{entry.place}: the daemon {failing}")
